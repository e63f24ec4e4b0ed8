//! Rows of jobs, health, audit and measurements.

pub mod audit;
pub mod audit_key;
pub mod healing;
pub mod health;
pub mod job;
pub mod route_count;
pub mod scan;
pub mod signal;
