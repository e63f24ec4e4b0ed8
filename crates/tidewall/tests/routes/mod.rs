//! Tests that live at the URL they test, and the matrices every route must stand in.

mod api;
mod matrix;
mod metrics;
mod openapi;
mod probe;
