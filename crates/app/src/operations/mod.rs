//! Running the service: backup, health, audit, security events, measurements, their export.

pub mod audit;
pub mod audit_head;
pub mod audit_key;
pub mod audit_search;
pub mod backup;
pub mod exports;
pub mod health;
pub mod log_limit;
pub mod mail;
pub mod performance;
pub mod scan;
pub mod security;
pub mod traffic;
pub mod vault_key;
