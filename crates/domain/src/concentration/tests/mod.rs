//! The engine against plain arrangements, and against a slow model that is obviously right.

mod behaviour;
mod example;
mod model;
mod plain;
