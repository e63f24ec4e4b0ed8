//! Own compliance: profile, functions, controls, assessments, evidence and requests for it, risks, scores, trainings.

pub mod assessment;
pub mod control;
pub mod coverage;
pub mod entity_kind;
pub mod evidence;
pub mod evidence_request;
pub mod framework;
pub mod function;
pub mod own_framework;
pub mod profile;
pub mod risk;
pub mod score;
pub mod training;
