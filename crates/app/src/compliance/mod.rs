//! Own compliance: profile, functions, controls, assessments, evidence, risks, and the scores that follow.

pub mod adoption;
pub mod approved_document;
pub mod assessment;
pub mod control;
pub mod coverage;
pub mod evidence;
pub mod evidence_request;
pub mod function;
pub mod library_text;
pub mod measure;
pub mod own_framework;
mod performance;
pub mod profile;
pub mod requirement_proof;
pub mod risk;
pub mod score;
pub mod score_day;
pub mod training;
