//! Whole packages and simple tables, valid and invalid.

mod conversion;
mod flat;
mod lists;
mod official;
mod sample;
