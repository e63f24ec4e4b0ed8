//! Whole packages and simple tables, valid and invalid.

mod conversion;
mod fields;
mod flat;
mod lists;
mod official;
mod sample;
