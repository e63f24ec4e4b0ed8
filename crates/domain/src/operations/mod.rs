//! Jobs, health, audit actions, known vulnerabilities, repeated log lines.

pub mod audit;
pub mod audit_action;
pub mod audit_key;
pub mod bundle;
pub mod cron;
pub mod health;
pub mod job;
pub mod own_text;
pub mod period_report;
pub mod repeated;
pub mod report_template;
pub mod scan;
