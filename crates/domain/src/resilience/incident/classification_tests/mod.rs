//! The classification against examples from the articles and against a slow reference implementation.

mod examples;
mod model;
mod nis2;
mod regimes;
