//! What the service does by itself.

mod acceptance;
mod deadline;
pub mod delivery;
