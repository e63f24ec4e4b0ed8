//! The authentication and permission matrix: every keyed route is in it, or the tests fail.

use std::collections::BTreeSet;

use domain::moment::Moment;
use http::Method;
use testkit::{Client, START, TestApp};

use super::openapi::operations;

const NONE: &str = "read";
const WRITE: &str = "write";
const KEYS: &str = "manage_keys";

/// Method, path and the permission it needs, in the order of the contract.
const PERMISSIONS: &[(&str, &str, &str)] = &[
    ("GET", "/api/v1/compliance-status", NONE),
    ("GET", "/api/v1/compliance-status/dora", NONE),
    ("GET", "/api/v1/compliance-status/marisk", NONE),
    ("GET", "/api/v1/compliance-status/iso-27001", NONE),
    ("GET", "/api/v1/compliance-status/cra", NONE),
    ("GET", "/api/v1/compliance-status/nis2", NONE),
    ("GET", "/api/v1/dora/measures", NONE),
    ("GET", "/api/v1/dora/measures/{id}", NONE),
    ("GET", "/api/v1/compliance-timeline", NONE),
    ("POST", "/api/v1/compliance-timeline/sync", WRITE),
    ("GET", "/api/v1/vulnerability-scan/latest", NONE),
    ("GET", "/api/v1/ict-arrangements", NONE),
    ("POST", "/api/v1/ict-arrangements", WRITE),
    ("POST", "/api/v1/ict-arrangements/import", WRITE),
    ("GET", "/api/v1/ict-arrangements/template", NONE),
    ("GET", "/api/v1/ict-arrangements/{id}", NONE),
    ("PATCH", "/api/v1/ict-arrangements/{id}", WRITE),
    ("DELETE", "/api/v1/ict-arrangements/{id}", WRITE),
    ("POST", "/api/v1/ict-arrangements/{id}/archive", WRITE),
    ("POST", "/api/v1/ict-arrangements/{id}/restore", WRITE),
    ("GET", "/api/v1/ict-arrangements/{id}/versions", NONE),
    ("GET", "/api/v1/ict-arrangements/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/register", NONE),
    ("GET", "/api/v1/register/checks", NONE),
    ("POST", "/api/v1/register/import", WRITE),
    ("GET", "/api/v1/register/export", NONE),
    ("GET", "/api/v1/register/filings", NONE),
    ("POST", "/api/v1/register/filings", WRITE),
    ("GET", "/api/v1/register/filings/{id}", NONE),
    ("PATCH", "/api/v1/register/filings/{id}", WRITE),
    ("DELETE", "/api/v1/register/filings/{id}", WRITE),
    ("GET", "/api/v1/register/filings/{id}/versions", NONE),
    ("GET", "/api/v1/register/filings/{id}/versions/{version}", NONE),
    ("POST", "/api/v1/register/filings/{id}/corrections", WRITE),
    ("GET", "/api/v1/register/filings/{id}/package", NONE),
    ("GET", "/api/v1/register/filings/{id}/difference", NONE),
    ("GET", "/api/v1/register/filings/{id}/feedback", NONE),
    ("POST", "/api/v1/register/filings/{id}/feedback", WRITE),
    ("POST", "/api/v1/register/take-over", WRITE),
    ("GET", "/api/v1/register/{template}", NONE),
    ("POST", "/api/v1/register/{template}/rows", WRITE),
    ("PATCH", "/api/v1/register/{template}/rows/{id}", WRITE),
    ("DELETE", "/api/v1/register/{template}/rows/{id}", WRITE),
    ("POST", "/api/v1/concentration-risk/analyze", WRITE),
    ("GET", "/api/v1/concentration-risk/latest", NONE),
    ("GET", "/api/v1/concentration-risk/breaches", NONE),
    ("GET", "/api/v1/concentration-risk/analyses", NONE),
    ("POST", "/api/v1/concentration-risk/simulate", NONE),
    ("GET", "/api/v1/concentration-risk/simulations", NONE),
    ("POST", "/api/v1/concentration-risk/simulations", WRITE),
    ("GET", "/api/v1/concentration-risk/simulations/{id}", NONE),
    ("DELETE", "/api/v1/concentration-risk/simulations/{id}", WRITE),
    ("GET", "/api/v1/concentration-risk/rates", NONE),
    ("PUT", "/api/v1/concentration-risk/rates", WRITE),
    ("POST", "/api/v1/concentration-risk/blast-radius", NONE),
    ("GET", "/api/v1/programmes", NONE),
    ("POST", "/api/v1/programmes", WRITE),
    ("GET", "/api/v1/programmes/{id}", NONE),
    ("PATCH", "/api/v1/programmes/{id}", WRITE),
    ("DELETE", "/api/v1/programmes/{id}", WRITE),
    ("POST", "/api/v1/programmes/{id}/archive", WRITE),
    ("POST", "/api/v1/programmes/{id}/restore", WRITE),
    ("GET", "/api/v1/programmes/{id}/versions", NONE),
    ("GET", "/api/v1/programmes/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/controls", NONE),
    ("POST", "/api/v1/controls", WRITE),
    ("POST", "/api/v1/controls/adopt", WRITE),
    ("GET", "/api/v1/controls/{id}", NONE),
    ("PATCH", "/api/v1/controls/{id}", WRITE),
    ("POST", "/api/v1/controls/{id}/archive", WRITE),
    ("POST", "/api/v1/controls/{id}/restore", WRITE),
    ("DELETE", "/api/v1/controls/{id}", WRITE),
    ("GET", "/api/v1/controls/{id}/versions", NONE),
    ("GET", "/api/v1/controls/{id}/versions/{version}", NONE),
    ("POST", "/api/v1/controls/{id}/performed", WRITE),
    ("GET", "/api/v1/controls/{id}/performances", NONE),
    ("POST", "/api/v1/controls/{id}/performances/{number}/corrections", WRITE),
    ("GET", "/api/v1/assessments", NONE),
    ("GET", "/api/v1/assessments/summary", NONE),
    ("GET", "/api/v1/assessments/{requirement}", NONE),
    ("PATCH", "/api/v1/assessments/{requirement}", WRITE),
    ("POST", "/api/v1/assessments/{requirement}/approve", WRITE),
    ("GET", "/api/v1/assessments/{requirement}/versions", NONE),
    ("GET", "/api/v1/assessments/{requirement}/versions/{version}", NONE),
    ("GET", "/api/v1/oscal/assessment-results", NONE),
    ("GET", "/api/v1/statement-of-applicability", NONE),
    ("GET", "/api/v1/statement-of-applicability/content", NONE),
    ("GET", "/api/v1/statement-of-applicability/versions", NONE),
    ("GET", "/api/v1/statement-of-applicability/versions/{version}", NONE),
    ("GET", "/api/v1/statement-of-applicability/versions/{version}/changes", NONE),
    ("GET", "/api/v1/statement-of-applicability/versions/{version}/content", NONE),
    ("GET", "/api/v1/own-frameworks", NONE),
    ("POST", "/api/v1/own-frameworks", WRITE),
    ("GET", "/api/v1/own-frameworks/{id}", NONE),
    ("PATCH", "/api/v1/own-frameworks/{id}", WRITE),
    ("POST", "/api/v1/own-frameworks/{id}/archive", WRITE),
    ("POST", "/api/v1/own-frameworks/{id}/restore", WRITE),
    ("DELETE", "/api/v1/own-frameworks/{id}", WRITE),
    ("GET", "/api/v1/own-frameworks/{id}/versions", NONE),
    ("GET", "/api/v1/own-frameworks/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/own-frameworks/{id}/requirements", NONE),
    ("PUT", "/api/v1/own-frameworks/{id}/requirements/{requirement}", WRITE),
    ("DELETE", "/api/v1/own-frameworks/{id}/requirements/{requirement}", WRITE),
    ("POST", "/api/v1/own-frameworks/{id}/import", WRITE),
    ("GET", "/api/v1/own-frameworks/{id}/export", NONE),
    ("GET", "/api/v1/evidence", NONE),
    ("POST", "/api/v1/evidence", WRITE),
    ("GET", "/api/v1/evidence/{id}", NONE),
    ("PATCH", "/api/v1/evidence/{id}", WRITE),
    ("POST", "/api/v1/evidence/{id}/archive", WRITE),
    ("POST", "/api/v1/evidence/{id}/restore", WRITE),
    ("DELETE", "/api/v1/evidence/{id}", WRITE),
    ("GET", "/api/v1/evidence/{id}/content", NONE),
    ("POST", "/api/v1/evidence/{id}/links", WRITE),
    ("DELETE", "/api/v1/evidence/{id}/links/{type}/{target}", WRITE),
    ("GET", "/api/v1/evidence/{id}/versions", NONE),
    ("GET", "/api/v1/evidence/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/risks", NONE),
    ("POST", "/api/v1/risks", WRITE),
    ("POST", "/api/v1/risks/adopt", WRITE),
    ("GET", "/api/v1/risks/matrix", NONE),
    ("GET", "/api/v1/risks/{id}", NONE),
    ("PATCH", "/api/v1/risks/{id}", WRITE),
    ("POST", "/api/v1/risks/{id}/archive", WRITE),
    ("POST", "/api/v1/risks/{id}/restore", WRITE),
    ("DELETE", "/api/v1/risks/{id}", WRITE),
    ("GET", "/api/v1/risks/{id}/versions", NONE),
    ("GET", "/api/v1/risks/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/samples", NONE),
    ("POST", "/api/v1/samples", WRITE),
    ("GET", "/api/v1/samples/{id}", NONE),
    ("GET", "/api/v1/evidence-requests", NONE),
    ("POST", "/api/v1/evidence-requests", WRITE),
    ("GET", "/api/v1/evidence-requests/{id}", NONE),
    ("PATCH", "/api/v1/evidence-requests/{id}", WRITE),
    ("POST", "/api/v1/evidence-requests/{id}/answer", WRITE),
    ("POST", "/api/v1/evidence-requests/{id}/close", WRITE),
    ("POST", "/api/v1/evidence-requests/{id}/reopen", WRITE),
    ("GET", "/api/v1/evidence-requests/{id}/versions", NONE),
    ("GET", "/api/v1/evidence-requests/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/trainings", NONE),
    ("POST", "/api/v1/trainings", WRITE),
    ("GET", "/api/v1/trainings/summary", NONE),
    ("GET", "/api/v1/trainings/{id}", NONE),
    ("PATCH", "/api/v1/trainings/{id}", WRITE),
    ("DELETE", "/api/v1/trainings/{id}", WRITE),
    ("POST", "/api/v1/trainings/{id}/result", WRITE),
    ("POST", "/api/v1/trainings/{id}/corrections", WRITE),
    ("POST", "/api/v1/trainings/{id}/archive", WRITE),
    ("POST", "/api/v1/trainings/{id}/restore", WRITE),
    ("GET", "/api/v1/trainings/{id}/versions", NONE),
    ("GET", "/api/v1/trainings/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/drill-runs", NONE),
    ("POST", "/api/v1/drill-runs", WRITE),
    ("GET", "/api/v1/drill-runs/{id}", NONE),
    ("PATCH", "/api/v1/drill-runs/{id}", WRITE),
    ("DELETE", "/api/v1/drill-runs/{id}", WRITE),
    ("GET", "/api/v1/drill-runs/{id}/versions", NONE),
    ("GET", "/api/v1/drill-runs/{id}/versions/{version}", NONE),
    ("POST", "/api/v1/drill-runs/{id}/start", WRITE),
    ("POST", "/api/v1/drill-runs/{id}/steps/{number}/done", WRITE),
    ("GET", "/api/v1/drill-runs/{id}/decisions", NONE),
    ("POST", "/api/v1/drill-runs/{id}/decisions", WRITE),
    ("POST", "/api/v1/drill-runs/{id}/classification", WRITE),
    ("POST", "/api/v1/drill-runs/{id}/reports", WRITE),
    ("POST", "/api/v1/drill-runs/{id}/criteria/{number}", WRITE),
    ("POST", "/api/v1/drill-runs/{id}/finish", WRITE),
    ("GET", "/api/v1/concentration-risk/comparison", NONE),
    ("POST", "/api/v1/concentration-risk/simulations/{id}/attach", WRITE),
    ("GET", "/api/v1/providers", NONE),
    ("GET", "/api/v1/providers/{id}", NONE),
    ("PATCH", "/api/v1/providers/{id}", WRITE),
    ("POST", "/api/v1/providers/{id}/subcontractors", WRITE),
    ("GET", "/api/v1/providers/{id}/versions", NONE),
    ("GET", "/api/v1/providers/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/providers/{id}/clauses/{arrangement}", NONE),
    ("PATCH", "/api/v1/providers/{id}/clauses/{arrangement}", WRITE),
    ("GET", "/api/v1/providers/{id}/reviews", NONE),
    ("POST", "/api/v1/providers/{id}/reviews", WRITE),
    ("GET", "/api/v1/providers/{id}/reviews/comparison", NONE),
    ("GET", "/api/v1/providers/{id}/reviews/{review}", NONE),
    ("PATCH", "/api/v1/providers/{id}/reviews/{review}", WRITE),
    ("POST", "/api/v1/providers/{id}/reviews/{review}/send", WRITE),
    ("POST", "/api/v1/providers/{id}/reviews/{review}/findings", WRITE),
    ("GET", "/api/v1/approvals", NONE),
    ("POST", "/api/v1/approvals", WRITE),
    ("GET", "/api/v1/approvals/{id}", NONE),
    ("POST", "/api/v1/approvals/{id}/grant", WRITE),
    ("POST", "/api/v1/approvals/{id}/refuse", WRITE),
    ("POST", "/api/v1/approvals/{id}/withdraw", WRITE),
    ("GET", "/api/v1/approvals/{id}/versions", NONE),
    ("GET", "/api/v1/approvals/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/approval-policy", NONE),
    ("PUT", "/api/v1/approval-policy", KEYS),
    ("GET", "/api/v1/tasks", NONE),
    ("POST", "/api/v1/tasks", WRITE),
    ("GET", "/api/v1/tasks/{id}", NONE),
    ("PATCH", "/api/v1/tasks/{id}", WRITE),
    ("DELETE", "/api/v1/tasks/{id}", WRITE),
    ("POST", "/api/v1/tasks/{id}/archive", WRITE),
    ("POST", "/api/v1/tasks/{id}/restore", WRITE),
    ("GET", "/api/v1/tasks/{id}/versions", NONE),
    ("GET", "/api/v1/tasks/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/incidents", NONE),
    ("POST", "/api/v1/incidents", WRITE),
    ("POST", "/api/v1/incidents/import", WRITE),
    ("GET", "/api/v1/incidents/{id}", NONE),
    ("PATCH", "/api/v1/incidents/{id}", WRITE),
    ("POST", "/api/v1/incidents/{id}/archive", WRITE),
    ("POST", "/api/v1/incidents/{id}/restore", WRITE),
    ("GET", "/api/v1/incidents/{id}/versions", NONE),
    ("GET", "/api/v1/incidents/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/incidents/{id}/classification", NONE),
    ("POST", "/api/v1/incidents/{id}/classify", WRITE),
    ("GET", "/api/v1/incidents/{id}/log", NONE),
    ("POST", "/api/v1/incidents/{id}/log", WRITE),
    ("POST", "/api/v1/incidents/{id}/threat-notice", WRITE),
    ("POST", "/api/v1/incidents/{id}/cra-report", WRITE),
    ("GET", "/api/v1/incidents/{id}/reports/{regime}/{stage}", NONE),
    ("POST", "/api/v1/incidents/{id}/reports/{regime}/{stage}/submitted", WRITE),
    ("POST", "/api/v1/incidents/{id}/reports/{regime}/{stage}/corrections", WRITE),
    ("GET", "/api/v1/test-cases", NONE),
    ("POST", "/api/v1/test-cases", WRITE),
    ("GET", "/api/v1/test-cases/{id}", NONE),
    ("PATCH", "/api/v1/test-cases/{id}", WRITE),
    ("DELETE", "/api/v1/test-cases/{id}", WRITE),
    ("GET", "/api/v1/test-cases/{id}/versions", NONE),
    ("GET", "/api/v1/test-cases/{id}/versions/{version}", NONE),
    ("POST", "/api/v1/test-cases/{id}/archive", WRITE),
    ("POST", "/api/v1/test-cases/{id}/restore", WRITE),
    ("GET", "/api/v1/test-coverage", NONE),
    ("GET", "/api/v1/requirements/{requirement}/proof", NONE),
    ("GET", "/api/v1/findings", NONE),
    ("POST", "/api/v1/findings", WRITE),
    ("POST", "/api/v1/findings/import", WRITE),
    ("GET", "/api/v1/findings/template", NONE),
    ("GET", "/api/v1/findings/{id}", NONE),
    ("PATCH", "/api/v1/findings/{id}", WRITE),
    ("DELETE", "/api/v1/findings/{id}", WRITE),
    ("POST", "/api/v1/findings/{id}/archive", WRITE),
    ("POST", "/api/v1/findings/{id}/restore", WRITE),
    ("GET", "/api/v1/findings/{id}/versions", NONE),
    ("GET", "/api/v1/findings/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/findings/{id}/retests", NONE),
    ("POST", "/api/v1/findings/{id}/retests", WRITE),
    ("GET", "/api/v1/cra/reports", NONE),
    ("POST", "/api/v1/cra/reports", WRITE),
    ("GET", "/api/v1/cra/reports/{id}", NONE),
    ("PATCH", "/api/v1/cra/reports/{id}", WRITE),
    ("DELETE", "/api/v1/cra/reports/{id}", WRITE),
    ("POST", "/api/v1/cra/reports/{id}/archive", WRITE),
    ("POST", "/api/v1/cra/reports/{id}/restore", WRITE),
    ("POST", "/api/v1/cra/reports/{id}/stages/{stage}/corrections", WRITE),
    ("GET", "/api/v1/cra/reports/{id}/versions", NONE),
    ("GET", "/api/v1/cra/reports/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/concentration-risk/thresholds", NONE),
    ("PATCH", "/api/v1/concentration-risk/thresholds", WRITE),
    ("GET", "/api/v1/comments/{id}", NONE),
    ("PATCH", "/api/v1/comments/{id}", WRITE),
    ("DELETE", "/api/v1/comments/{id}", WRITE),
    ("POST", "/api/v1/comments/{id}/resolve", WRITE),
    ("GET", "/api/v1/views", NONE),
    ("POST", "/api/v1/views", WRITE),
    ("GET", "/api/v1/views/{id}", NONE),
    ("PATCH", "/api/v1/views/{id}", WRITE),
    ("DELETE", "/api/v1/views/{id}", WRITE),
    ("GET", "/api/v1/custom-fields", NONE),
    ("POST", "/api/v1/custom-fields", KEYS),
    ("GET", "/api/v1/custom-fields/{id}", NONE),
    ("PATCH", "/api/v1/custom-fields/{id}", KEYS),
    ("DELETE", "/api/v1/custom-fields/{id}", KEYS),
    ("GET", "/api/v1/functions", NONE),
    ("POST", "/api/v1/functions", WRITE),
    ("GET", "/api/v1/functions/{id}", NONE),
    ("PATCH", "/api/v1/functions/{id}", WRITE),
    ("POST", "/api/v1/functions/{id}/archive", WRITE),
    ("POST", "/api/v1/functions/{id}/restore", WRITE),
    ("DELETE", "/api/v1/functions/{id}", WRITE),
    ("GET", "/api/v1/functions/{id}/versions", NONE),
    ("GET", "/api/v1/functions/{id}/versions/{version}", NONE),
    ("GET", "/api/v1/profile", NONE),
    ("PATCH", "/api/v1/profile", WRITE),
    ("GET", "/api/v1/audit", KEYS),
    ("GET", "/api/v1/bundles", KEYS),
    ("POST", "/api/v1/bundles", KEYS),
    ("GET", "/api/v1/bundles/{id}", KEYS),
    ("DELETE", "/api/v1/bundles/{id}", KEYS),
    ("GET", "/api/v1/bundles/{id}/content", KEYS),
    ("GET", "/api/v1/reports", NONE),
    ("POST", "/api/v1/reports", WRITE),
    ("GET", "/api/v1/reports/management-reviews", NONE),
    ("GET", "/api/v1/reports/{id}", NONE),
    ("DELETE", "/api/v1/reports/{id}", WRITE),
    ("GET", "/api/v1/reports/{id}/content", NONE),
    ("POST", "/api/v1/reports/{id}/release", WRITE),
    ("GET", "/api/v1/report-templates", NONE),
    ("POST", "/api/v1/report-templates", WRITE),
    ("GET", "/api/v1/report-templates/{id}", NONE),
    ("PATCH", "/api/v1/report-templates/{id}", WRITE),
    ("DELETE", "/api/v1/report-templates/{id}", WRITE),
    ("GET", "/api/v1/people", NONE),
    ("GET", "/api/v1/keys", KEYS),
    ("POST", "/api/v1/keys", KEYS),
    ("DELETE", "/api/v1/keys/{id}", KEYS),
    ("POST", "/api/v1/keys/{id}/rotate", KEYS),
    ("GET", "/api/v1/webhooks", NONE),
    ("POST", "/api/v1/webhooks", WRITE),
    ("GET", "/api/v1/webhooks/{webhook}", NONE),
    ("PUT", "/api/v1/webhooks/{webhook}", WRITE),
    ("PATCH", "/api/v1/webhooks/{webhook}", WRITE),
    ("DELETE", "/api/v1/webhooks/{webhook}", WRITE),
    ("GET", "/api/v1/exports/measures/csv", NONE),
    ("GET", "/api/v1/exports/measures/json", NONE),
    ("POST", "/api/v1/webhooks/{webhook}/test", WRITE),
    ("GET", "/api/v1/webhooks/{webhook}/deliveries", NONE),
    ("POST", "/api/v1/webhooks/{webhook}/deliveries/{id}/retry", WRITE),
    ("POST", "/api/v1/webhooks/{webhook}/deliveries/replay", WRITE),
    ("GET", "/api/v1/events", NONE),
    ("GET", "/api/v1/event-hooks", NONE),
    ("POST", "/api/v1/event-hooks", WRITE),
    ("GET", "/api/v1/event-hooks/{hook}", NONE),
    ("PATCH", "/api/v1/event-hooks/{hook}", WRITE),
    ("DELETE", "/api/v1/event-hooks/{hook}", WRITE),
    ("POST", "/api/v1/event-hooks/{hook}/secret/rotate", WRITE),
    ("GET", "/api/v1/event-hooks/{hook}/deliveries", NONE),
    ("POST", "/api/v1/event-hooks/{hook}/deliveries/{id}/replay", WRITE),
    ("POST", "/api/v1/event-hooks/{hook}/deliveries/replay", WRITE),
    ("GET", "/api/v2", NONE),
    ("GET", "/api/v2/risk-register", NONE),
    ("GET", "/api/v2/vendor-scorecard", NONE),
    ("GET", "/api/v2/incident-drills", NONE),
    ("GET", "/api/v2/gap-analysis", NONE),
    ("GET", "/api/v2/compliance-timeline", NONE),
    ("GET", "/api/v2/compliance-training", NONE),
    ("GET", "/api/v2/vendor-risk-assessment", NONE),
    ("GET", "/api/v2/dashboard-widgets", NONE),
    ("GET", "/api/v2/alerts", NONE),
    ("GET", "/api/v2/performance/overview", NONE),
    ("GET", "/api/v2/compliance-scores", NONE),
    ("GET", "/api/v2/search", NONE),
];

/// The records of every kind, which have comments and tags and can be watched.
const COMMENTED: &[&str] = &[
    "/api/v1/controls/{id}",
    "/api/v1/cra/reports/{id}",
    "/api/v1/drill-runs/{id}",
    "/api/v1/evidence/{id}",
    "/api/v1/evidence-requests/{id}",
    "/api/v1/findings/{id}",
    "/api/v1/functions/{id}",
    "/api/v1/ict-arrangements/{id}",
    "/api/v1/incidents/{id}",
    "/api/v1/own-frameworks/{id}",
    "/api/v1/programmes/{id}",
    "/api/v1/providers/{id}",
    "/api/v1/providers/{id}/reviews/{review}",
    "/api/v1/register/filings/{id}",
    "/api/v1/risks/{id}",
    "/api/v1/tasks/{id}",
    "/api/v1/test-cases/{id}",
    "/api/v1/approvals/{id}",
    "/api/v1/trainings/{id}",
];

/// The lists whose records are changed many at once.
const IN_BULK: &[&str] = &[
    "/api/v1/controls",
    "/api/v1/cra/reports",
    "/api/v1/evidence",
    "/api/v1/evidence-requests",
    "/api/v1/findings",
    "/api/v1/functions",
    "/api/v1/ict-arrangements",
    "/api/v1/incidents",
    "/api/v1/own-frameworks",
    "/api/v1/programmes",
    "/api/v1/providers",
    "/api/v1/risks",
    "/api/v1/test-cases",
    "/api/v1/trainings",
];

/// The lists whose records are imported from tables in the same way.
pub(super) const IMPORTED: &[&str] = &[
    "/api/v1/assessments",
    "/api/v1/controls",
    "/api/v1/cra/reports",
    "/api/v1/drill-runs",
    "/api/v1/evidence",
    "/api/v1/evidence-requests",
    "/api/v1/functions",
    "/api/v1/own-frameworks",
    "/api/v1/programmes",
    "/api/v1/providers",
    "/api/v1/risks",
    "/api/v1/tasks",
    "/api/v1/test-cases",
    "/api/v1/trainings",
];

/// Every operation with the permission it needs.
fn permissions() -> Vec<(&'static str, String, &'static str)> {
    let below = [
        ("GET", "comments", NONE),
        ("POST", "comments", WRITE),
        ("POST", "watch", WRITE),
        ("DELETE", "watch", WRITE),
        ("GET", "tags", NONE),
        ("PUT", "tags", WRITE),
    ];
    let of_records = COMMENTED.iter().flat_map(|record| {
        below.map(|(method, last, permission)| (method, format!("{record}/{last}"), permission))
    });
    let in_bulk = IN_BULK.iter().map(|list| ("POST", format!("{list}/bulk"), WRITE));
    let listed =
        PERMISSIONS.iter().map(|(method, path, permission)| (*method, (*path).to_owned(), *permission));
    let imported = IMPORTED.iter().map(|list| ("POST", format!("{list}/import"), WRITE));
    listed.chain(of_records).chain(in_bulk).chain(imported).collect()
}

fn is_keyed(path: &str) -> bool {
    path.starts_with("/api/v1") || path.starts_with("/api/v2")
}

/// The path with its parameters filled by an id that cannot exist.
fn concrete(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/")
}

async fn call(client: &Client, method: &str, path: &str) -> u16 {
    let body = ["POST", "PUT", "PATCH"].contains(&method).then(|| "{".to_owned());
    client.send(method.parse::<Method>().unwrap(), &concrete(path), body).await.status.as_u16()
}

#[test]
fn every_keyed_operation_stands_in_the_matrix() {
    let documented: BTreeSet<_> = operations()
        .into_iter()
        .filter(|(_, path, _)| is_keyed(path))
        .map(|(method, path, _)| (method, path))
        .collect();
    let listed: BTreeSet<_> =
        permissions().into_iter().map(|(method, path, _)| (method.to_owned(), path)).collect();
    assert_eq!(documented, listed);
}

#[test]
fn only_keyed_operations_ask_for_a_key() {
    for (method, path, operation) in operations() {
        let open = operation["security"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| *one == serde_json::json!({})));
        assert_eq!(open, !is_keyed(&path), "{method} {path} must document its security");
    }
}

#[tokio::test]
async fn without_a_working_key_every_keyed_operation_is_401() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let expired =
        app.key_until(&tenant, "read,write,manage_keys", Some(Moment::from_millis(START + 1))).await;
    app.clock.advance(10);
    let clients = [app.anonymous(), app.client("tw_wrong"), app.client(&expired)];
    for (method, path, _) in &permissions() {
        // Many refused requests of one address within a minute would be throttled.
        app.clock.advance(10_000);
        for client in &clients {
            assert_eq!(call(client, method, path).await, 401, "{method} {path}");
        }
        // So many refused keys of one address in a minute would be answered with 429.
        app.clock.advance(1000);
    }
}

#[tokio::test]
async fn a_key_with_every_other_permission_is_403() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    for (permission, others) in [(WRITE, "manage_keys"), (KEYS, "write")] {
        let client = app.client(&app.key(&tenant, others).await);
        for (method, path, _) in permissions().iter().filter(|row| row.2 == permission) {
            assert_eq!(call(&client, method, path).await, 403, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn the_named_permission_is_enough() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    for permission in [NONE, WRITE, KEYS] {
        let client = app.client(&app.key(&tenant, permission).await);
        for (method, path, _) in permissions().iter().filter(|row| row.2 == permission) {
            let status = call(&client, method, path).await;
            assert!([200, 404, 422].contains(&status), "{method} {path}: {status}");
        }
    }
}
