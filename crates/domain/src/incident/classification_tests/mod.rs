//! The classification against examples written from the articles and against a slow model.

mod examples;
mod model;
mod nis2;
mod regimes;
