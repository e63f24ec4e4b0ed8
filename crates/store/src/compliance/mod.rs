//! Rows of own compliance.

pub mod assessment;
pub mod control;
pub mod evidence;
pub mod evidence_file;
pub mod evidence_link;
pub mod function;
pub mod measure_use;
pub mod own_framework;
pub mod profile;
pub mod risk;
pub mod risk_appetite;
pub mod score;
pub mod score_day;
