//! Tests by the URL they test, and the matrices that must contain every route.

mod api;
mod dashboard;
mod headers;
mod matrix;
mod metrics;
mod odd_text;
mod openapi;
mod probe;
mod scim;
