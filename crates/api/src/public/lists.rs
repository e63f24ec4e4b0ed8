//! The lists of the reference data that take no filter.

use axum::response::Response;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list},
};
use crate::{
    ApiError,
    extract::LanguageParams,
    reference::{Clock, Drill, Evidence, Framework, FrameworkAct, Gap, LegalSource, Measure, Provider},
};

/// Declares lists of all records of a kind: the handler, its path and the kind.
macro_rules! lists {
    ($($(#[doc = $doc:literal])+ $name:ident($path:literal $(, operation_id = $id:literal)?): $record:ident;)+) => {$(
        $(#[doc = $doc])+
        #[utoipa::path(get, path = $path, $(operation_id = $id,)? tag = "reference", params(LanguageParams), security(()),
            responses((status = 200, body = ReferenceList<$record>), PublicErrors))]
        pub(crate) async fn $name(request: PublicRequest) -> Result<Response, ApiError> {
            request.answer(&PublicBody { name: $path, write: list::<$record> }).await
        }
    )+};
}

lists! {
    /// Lists the frameworks with their sections.
    frameworks("/api/frameworks"): Framework;
    /// Lists level-2 acts, guidelines and circulars.
    acts("/api/acts"): FrameworkAct;
    /// Lists the acts and publications that records cite, with the address of the official text.
    sources("/api/sources"): LegalSource;
    /// Lists incident drill scenarios.
    ///
    /// Each has tasks, success criteria and the reporting deadlines that it starts.
    incident_drills("/api/incident-drills"): Drill;
    /// Lists the gap analysis of the frameworks.
    ///
    /// There is at most one item for a requirement; requirements with audit steps of their own may have none.
    gap_analysis("/api/gap-analysis", operation_id = "listReferenceGaps"): Gap;
    /// Lists DORA measures with their evidence and mappings.
    measures("/api/measures"): Measure;
    /// Lists the evidence that measures are in operation.
    evidence("/api/evidence"): Evidence;
    /// Lists the reporting deadlines of CRA, DORA and NIS2.
    clocks("/api/clocks"): Clock;
    /// Lists the critical ICT third-party providers designated by the European supervisors.
    critical_providers("/api/critical-providers"): Provider;
}
