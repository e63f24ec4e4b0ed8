//! Readable names of operations and schemas.

use utoipa::openapi::path::Operation;

/// Segments that name the action of a POST.
const VERBS: &[&str] =
    &["analyze", "bulk", "import", "replay", "resolve", "retry", "simulate", "sync", "test", "watch"];

/// Exceptions from the rule.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("GET", "/api", "getReferenceIndex"),
    ("GET", "/api/actions/disk-report", "getDiskReport"),
    ("GET", "/api/compliance-timeline.ics", "getTimelineCalendar"),
    ("GET", "/api/errors/500-rate", "getErrorRate"),
    ("GET", "/api/gap-analysis", "listReferenceGaps"),
    ("GET", "/api/health-detailed", "getDetailedHealth"),
    ("GET", "/api/modules", "listModules"),
    ("GET", "/api/radar", "listRadarSignals"),
    ("GET", "/api/radar.atom", "getRadarFeed"),
    ("GET", "/api/stats", "getStats"),
    ("GET", "/api/v1/approval-policy", "getApprovalPolicy"),
    ("PUT", "/api/v1/approval-policy", "setApprovalPolicy"),
    ("POST", "/api/v1/approvals", "askForApproval"),
    ("POST", "/api/v1/approvals/{id}/grant", "grantApproval"),
    ("POST", "/api/v1/approvals/{id}/refuse", "refuseApproval"),
    ("POST", "/api/v1/approvals/{id}/withdraw", "withdrawApproval"),
    ("POST", "/api/v1/assessments/{requirement}/approve", "approveAssessment"),
    ("GET", "/api/v1/assessments/summary", "getAssessmentSummary"),
    ("POST", "/api/v1/controls/adopt", "adoptControls"),
    ("POST", "/api/v1/controls/{id}/performed", "recordControlPerformance"),
    ("GET", "/api/v1/controls/{id}/performances", "listControlPerformances"),
    ("POST", "/api/v1/findings/{id}/retests", "recordFindingRetest"),
    ("GET", "/api/v1/findings/{id}/retests", "listFindingRetests"),
    ("GET", "/api/v1/reports/management-reviews", "listManagementReviews"),
    ("GET", "/api/v1/oscal/assessment-results", "getOscalAssessmentResults"),
    ("GET", "/api/v1/statement-of-applicability", "getStatementOfApplicability"),
    ("GET", "/api/v1/statement-of-applicability/content", "downloadStatementOfApplicabilityDraft"),
    ("GET", "/api/v1/statement-of-applicability/versions", "listStatementOfApplicabilityVersions"),
    ("GET", "/api/v1/statement-of-applicability/versions/{version}", "getStatementOfApplicabilityVersion"),
    (
        "GET",
        "/api/v1/statement-of-applicability/versions/{version}/changes",
        "listStatementOfApplicabilityChanges",
    ),
    (
        "GET",
        "/api/v1/statement-of-applicability/versions/{version}/content",
        "downloadStatementOfApplicability",
    ),
    ("GET", "/api/v1/compliance-status/cra", "getCraComplianceStatus"),
    ("GET", "/api/v1/compliance-status/dora", "getDoraComplianceStatus"),
    ("GET", "/api/v1/compliance-status/iso-27001", "getIso27001ComplianceStatus"),
    ("GET", "/api/v1/compliance-status/marisk", "getMariskComplianceStatus"),
    ("GET", "/api/v1/compliance-status/nis2", "getNis2ComplianceStatus"),
    ("POST", "/api/v1/concentration-risk/blast-radius", "calculateBlastRadius"),
    ("GET", "/api/v1/concentration-risk/comparison", "compareAnalyses"),
    ("POST", "/api/v1/concentration-risk/simulations/{id}/attach", "attachSimulation"),
    ("POST", "/api/v1/drill-runs/{id}/classification", "classifyDrillRun"),
    ("POST", "/api/v1/drill-runs/{id}/criteria/{number}", "judgeDrillRunCriterion"),
    ("POST", "/api/v1/drill-runs/{id}/decisions", "logDrillRunDecision"),
    ("POST", "/api/v1/drill-runs/{id}/finish", "finishDrillRun"),
    ("POST", "/api/v1/drill-runs/{id}/reports", "answerDrillRunReport"),
    ("POST", "/api/v1/drill-runs/{id}/start", "startDrillRun"),
    ("POST", "/api/v1/drill-runs/{id}/steps/{number}/done", "completeDrillRunStep"),
    ("POST", "/api/v1/event-hooks/{hook}/deliveries/{id}/replay", "replayEventHookDelivery"),
    ("POST", "/api/v1/event-hooks/{hook}/deliveries/replay", "replayEventHookDeliveries"),
    ("POST", "/api/v1/event-hooks/{hook}/secret/rotate", "rotateEventHookSecret"),
    ("GET", "/api/v1/events", "listEvents"),
    ("GET", "/api/v1/evidence", "listEvidence"),
    ("POST", "/api/v1/evidence", "addEvidence"),
    ("GET", "/api/v1/evidence/{id}", "getEvidence"),
    ("PATCH", "/api/v1/evidence/{id}", "updateEvidence"),
    ("DELETE", "/api/v1/evidence/{id}", "deleteEvidence"),
    ("GET", "/api/v1/evidence/{id}/content", "downloadEvidence"),
    ("GET", "/api/v1/bundles/{id}/content", "downloadBundle"),
    ("GET", "/api/v1/reports/{id}/content", "downloadReport"),
    ("POST", "/api/v1/reports/{id}/release", "releaseReport"),
    ("POST", "/api/v1/evidence/{id}/links", "linkEvidence"),
    ("DELETE", "/api/v1/evidence/{id}/links/{type}/{target}", "unlinkEvidence"),
    ("GET", "/api/v1/evidence/{id}/versions", "listEvidenceVersions"),
    ("GET", "/api/v1/evidence/{id}/versions/{version}", "getEvidenceVersion"),
    ("GET", "/api/v1/risks", "listOwnRisks"),
    ("POST", "/api/v1/risks/adopt", "adoptRisks"),
    ("GET", "/api/v1/risks/matrix", "getRiskMatrix"),
    ("GET", "/api/v1/incidents/{id}/classification", "getIncidentClassification"),
    ("POST", "/api/v1/incidents/{id}/classify", "classifyIncident"),
    ("POST", "/api/v1/incidents/import", "importIncidents"),
    ("GET", "/api/v1/incidents/{id}/log", "listIncidentLog"),
    ("POST", "/api/v1/incidents/{id}/log", "addIncidentLogLine"),
    ("POST", "/api/v1/incidents/{id}/threat-notice", "submitThreatNotice"),
    ("POST", "/api/v1/incidents/{id}/cra-report", "startCraReport"),
    ("GET", "/api/v1/incidents/{id}/reports/{regime}/{stage}", "getIncidentReport"),
    ("POST", "/api/v1/incidents/{id}/reports/{regime}/{stage}/submitted", "submitIncidentReport"),
    ("POST", "/api/v1/incidents/{id}/reports/{regime}/{stage}/corrections", "correctIncidentReport"),
    ("POST", "/api/v1/cra/reports/{id}/stages/{stage}/corrections", "correctCraReportStage"),
    ("POST", "/api/v1/controls/{id}/performances/{number}/corrections", "correctControlPerformance"),
    ("POST", "/api/v1/register/filings/{id}/corrections", "correctRegisterFiling"),
    ("POST", "/api/v1/trainings/{id}/corrections", "correctTrainingResult"),
    ("POST", "/api/v1/trainings", "assignTrainings"),
    ("GET", "/api/v1/trainings/summary", "getTrainingSummary"),
    ("POST", "/api/v1/trainings/{id}/result", "recordTrainingResult"),
    ("POST", "/api/v1/evidence-requests/{id}/answer", "answerEvidenceRequest"),
    ("POST", "/api/v1/evidence-requests/{id}/close", "closeEvidenceRequest"),
    ("POST", "/api/v1/evidence-requests/{id}/reopen", "reopenEvidenceRequest"),
    ("GET", "/api/v1/exports/measures/csv", "exportMeasuresAsCsv"),
    ("GET", "/api/v1/exports/measures/json", "exportMeasuresAsJson"),
    ("DELETE", "/api/v1/keys/{id}", "revokeKey"),
    ("GET", "/api/v1/providers/{id}/clauses/{arrangement}", "getProviderClauses"),
    ("PATCH", "/api/v1/providers/{id}/clauses/{arrangement}", "updateProviderClauses"),
    ("POST", "/api/v1/providers/{id}/reviews/{review}/findings", "createFindingFromProviderReview"),
    ("POST", "/api/v1/providers/{id}/reviews/{review}/send", "sendProviderReview"),
    ("GET", "/api/v1/providers/{id}/reviews/comparison", "compareProviderReviews"),
    ("POST", "/api/v1/providers/{id}/subcontractors", "createProviderFromSubcontractor"),
    ("GET", "/api/v1/register", "getRegister"),
    ("GET", "/api/v1/register/checks", "checkRegister"),
    ("GET", "/api/v1/register/export", "exportRegister"),
    ("GET", "/api/v1/register/filings/{id}/package", "downloadRegisterFiling"),
    ("POST", "/api/v1/register/filings/{id}/feedback", "readRegisterFilingFeedback"),
    ("POST", "/api/v1/register/take-over", "takeOverArrangements"),
    ("GET", "/api/v1/register/{template}", "listRegisterRows"),
    ("GET", "/api/v2", "listV2Routes"),
    ("GET", "/api/v2/compliance-timeline", "listMilestones"),
    ("GET", "/api/v2/compliance-training", "listTrainingModules"),
    ("GET", "/api/v2/gap-analysis", "listGaps"),
    ("GET", "/api/v2/performance/overview", "getPerformanceOverview"),
    ("GET", "/api/v2/risk-register", "listRisks"),
    ("GET", "/api/v2/search", "search"),
    ("GET", "/api/v2/vendor-risk-assessment", "listAssessmentQuestions"),
    ("GET", "/api/v2/vendor-scorecard", "listVendors"),
];

/// `GET /api/v1/findings/{id}` is `getFinding`, `POST /api/v1/findings/import` is `importFindings`: the action, then
/// the path in camel case, where a segment is singular if an id follows it.
pub(super) fn operation_id(method: &str, path: &str, operation: &Operation, is_list: bool) -> String {
    if let Some((.., name)) = EXCEPTIONS.iter().find(|(m, p, _)| *m == method && *p == path) {
        return (*name).to_owned();
    }
    let mut segments: Vec<String> = Vec::new();
    let mut parts = path.trim_start_matches("/api/").split('/').peekable();
    while let Some(part) = parts.next() {
        let before_id = parts.peek().is_some_and(|next| next.starts_with('{'));
        if !part.starts_with('{') && !["v1", "v2"].contains(&part) {
            segments.push(if before_id { singular(part) } else { part.to_owned() });
        }
    }
    let last = segments.last().map(String::as_str).unwrap_or_default();
    let verb = match method {
        "POST" if VERBS.contains(&last) => segments.pop().unwrap_or_default(),
        "POST" => {
            let noun = singular(&segments.pop().unwrap_or_default());
            segments.push(noun);
            "create".to_owned()
        }
        "PUT" => "replace".to_owned(),
        "PATCH" => "update".to_owned(),
        "DELETE" => "delete".to_owned(),
        _ if is_list => "list".to_owned(),
        _ => "get".to_owned(),
    };
    if segments.last().is_some_and(|last| last == "latest") {
        segments.rotate_right(1);
    }
    if operation.tags.iter().flatten().any(|tag| tag == "reference") {
        segments.insert(0, "reference".to_owned());
    }
    verb + &segments.iter().map(|segment| camel(segment)).collect::<String>()
}

fn singular(noun: &str) -> String {
    match noun.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => noun.strip_suffix('s').unwrap_or(noun).to_owned(),
    }
}

fn camel(segment: &str) -> String {
    let words = segment.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .map(|word| {
            word.get(..1).unwrap_or_default().to_ascii_uppercase() + word.get(1..).unwrap_or_default()
        })
        .collect()
}

/// A schema that consists of an envelope and its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Enveloped<'n> {
    pub inner: &'n str,
    suffix: &'static str,
    pub is_list: bool,
}

/// Envelopes by the generator's prefix: their names in the document, and whether they are lists.
const ENVELOPES: &[(&str, &str, bool)] = &[
    ("Data_", "Response", false),
    ("Envelope_", "Page", true),
    ("List_", "List", true),
    ("ReferenceList_", "Collection", true),
];

impl<'n> Enveloped<'n> {
    /// `List_Finding` is a list of `Finding`.
    pub(super) fn parse(generated: &'n str) -> Option<Self> {
        ENVELOPES.iter().find_map(|(prefix, suffix, is_list)| {
            let inner = generated.strip_prefix(prefix)?;
            Some(Self { inner, suffix, is_list: *is_list })
        })
    }

    /// `FindingList`
    pub(super) fn name(self) -> String {
        format!("{}{}", self.inner, self.suffix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_named_by_what_they_do() {
        let name = |method, path, is_list| operation_id(method, path, &Operation::new(), is_list);
        assert_eq!(name("GET", "/api/v1/findings", true), "listFindings");
        assert_eq!(name("GET", "/api/v1/findings/{id}", false), "getFinding");
        assert_eq!(name("POST", "/api/v1/test-cases", false), "createTestCase");
        assert_eq!(name("PATCH", "/api/v1/cra/reports/{id}", false), "updateCraReport");
        assert_eq!(name("PUT", "/api/v1/webhooks/{webhook}", false), "replaceWebhook");
        assert_eq!(name("POST", "/api/v1/findings/import", false), "importFindings");
        assert_eq!(name("GET", "/api/v1/webhooks/{webhook}/deliveries", true), "listWebhookDeliveries");
        let retry = "/api/v1/webhooks/{webhook}/deliveries/{id}/retry";
        assert_eq!(name("POST", retry, false), "retryWebhookDelivery");
        assert_eq!(name("GET", "/api/v1/vulnerability-scan/latest", false), "getLatestVulnerabilityScan");
        assert_eq!(name("DELETE", "/api/v1/keys/{id}", false), "revokeKey");
    }

    #[test]
    fn envelopes_are_named_after_what_lies_in_them() {
        let name = |generated| Enveloped::parse(generated).map(Enveloped::name);
        assert_eq!(name("List_Finding").as_deref(), Some("FindingList"));
        assert_eq!(name("Data_FindingDetail").as_deref(), Some("FindingDetailResponse"));
        assert_eq!(name("Finding"), None);
    }
}
