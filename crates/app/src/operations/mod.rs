//! Running the service: jobs, backup, health, audit, security events, measurements, their export.

pub mod audit;
pub mod audit_head;
pub mod audit_key;
pub mod audit_search;
pub mod backup;
pub mod exports;
pub mod heal;
pub mod health;
pub(crate) mod integrity;
pub mod jobs;
pub mod log_limit;
pub mod performance;
pub mod scan;
pub mod security;
pub mod traffic;
