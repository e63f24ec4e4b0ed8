//! Whole packages and friendly tables, right and wrong.

mod conversion;
mod flat;
mod lists;
mod official;
mod sample;
