//! The binary's own parts: configuration, log, listeners, lifecycle and command line.
//!
//! A library beside the binary so that tests can use the parts one by one. It contains no rule of the product: the
//! use cases are in `app`, the interfaces in `api` and `workspace`.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")
)]

pub mod backup;
pub mod bucket;
pub mod cli;
pub mod compose;
pub mod config;
pub mod demo;
pub mod doctor;
pub mod lifecycle;
pub mod listener;
pub mod otlp;
pub mod refresh;
pub mod serve;
pub mod telemetry;
