//! Findings.

pub(crate) mod import;
pub(crate) mod retests;
pub(crate) mod wire;

use domain::finding::Finding;
use utoipa_axum::routes;

use self::wire::{FindingChange, FindingDetail, FindingItem, FindingParams, NewFinding};
use crate::v1::{
    Subject, WholeList,
    record::{AsOfParams, RequirementParams, record_routes},
    records::tags::TagParams,
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "findings",
    about: "Weaknesses found by tests, audits and scanners, from detection to closure.",
    list: Some(WholeList::changed::<Finding>()),
    routes: |router| {
        record_routes(router)
            .routes(routes!(import::import))
            .routes(routes!(import::template))
            .routes(routes!(retests::list, retests::create))
    },
};

record_routes! {
    Finding, "a finding", FindingDetail;

    /// Lists findings.
    ///
    /// Without `status`, only open findings are listed. The newest come first.
    list(FindingItem; AsOfParams, TagParams, RequirementParams, FindingParams);
    create(NewFinding);
    get;
    /// Updates a finding.
    ///
    /// Fields that are absent keep their values. The status can only move along the transitions of `FindingStatus`.
    patch(FindingChange);
    /// Deletes a finding that was never resolved, closed, accepted or marked as a false positive.
    ///
    /// Any other finding is archived instead. The reference is not used again.
    delete;
    /// Archives a finding that is closed or a false positive: it leaves the lists and keeps its history.
    archive;
    /// Brings an archived finding back into the lists.
    restore;
    versions;
    version;
}
