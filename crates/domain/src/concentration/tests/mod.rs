//! The engine against plain arrangements, and against a slow model that is obviously right.

mod behaviour;
mod model;
mod plain;
