//! Tests that live at the URL they test, and the matrices every route must stand in.

mod api;
mod headers;
mod matrix;
mod metrics;
mod odd_text;
mod openapi;
mod probe;
