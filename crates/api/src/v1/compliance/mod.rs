//! The routes of own compliance: profile, functions, controls, assessments, evidence, risks.

pub(crate) mod assessments;
pub(crate) mod controls;
pub(crate) mod evidence;
pub(crate) mod evidence_requests;
pub(crate) mod functions;
pub(crate) mod oscal;
pub(crate) mod own_frameworks;
pub(crate) mod profile;
pub(crate) mod requirements;
pub(crate) mod risks;
pub(crate) mod statement_of_applicability;
pub(crate) mod test_coverage;
pub(crate) mod trainings;
