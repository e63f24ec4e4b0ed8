//! Events as documented under `webhooks`. `app` creates them; this is what receivers can rely on.

#![expect(dead_code, reason = "documentation only")]

use utoipa::{
    ToSchema,
    openapi::{
        Components, ContentBuilder, PathItem, Paths, PathsBuilder, Ref, RefOr, ResponseBuilder,
        path::{HttpMethod, OperationBuilder},
        request_body::RequestBodyBuilder,
        schema::Schema,
    },
};

use crate::v1::{
    compliance::controls::wire::{ControlCadence, ControlStatus, Effectiveness},
    resilience::{
        cra::{CraReportKind, CraReportStatus},
        findings::wire::FindingStatus,
        incidents::wire::IncidentStatus,
        programmes::ProgrammeStatus,
        test_cases::{Priority, TestCaseStatus, TestType},
    },
    wire::{Framework, Severity},
};

/// The institution that an event belongs to.
#[derive(Debug, ToSchema)]
struct EventTenant {
    #[schema(example = "ten_01k9x14js0e00000000000000a")]
    id: String,
    #[schema(example = "North Bank AG")]
    name: String,
}

/// Declares the events: what they are called, when they are sent, and what they carry.
macro_rules! events {
    ($($event:ident($name:literal, $operation:literal, $summary:literal): $data:ident;)*) => {
        $(
            #[derive(Debug, ToSchema)]
            #[schema(description = $summary)]
            struct $event {
                /// The id of the event. A delivery that is repeated has the same id.
                #[schema(example = "evt_01k9x14js0e00000000000000a")]
                id: String,
                /// The name of the event.
                #[schema(example = $name)]
                r#type: String,
                /// When the event happened.
                #[schema(format = DateTime, example = "2026-11-14T09:30:00.000Z")]
                occurred_at: String,
                tenant: EventTenant,
                data: $data,
            }
        )*

        /// The requests that a webhook sends.
        pub(crate) fn webhooks() -> Paths {
            let paths = PathsBuilder::new();
            $(let paths = paths.path($name, webhook::<$event>($operation, $summary));)*
            paths.build()
        }

        /// The schemas that only events use.
        pub(crate) fn event_schemas(components: &mut Components) {
            $(declare::<$event>(components);)*
        }
    };
}

events! {
    FindingCreatedEvent("finding.created", "onFindingCreated", "A finding was created."): FindingCreated;
    FindingStatusChangedEvent("finding.status_changed", "onFindingStatusChanged", "The status of a finding changed."):
        FindingStatusChanged;
    TestCaseStatusChangedEvent(
        "test_case.status_changed", "onTestCaseStatusChanged", "The status of a test case changed."
    ): TestCaseStatusChanged;
    DeadlineApproachingEvent("deadline.approaching", "onDeadlineApproaching", "A deadline is near."):
        DeadlineApproaching;
}

/// The created finding.
#[derive(Debug, ToSchema)]
struct FindingCreated {
    finding: EventFinding,
}

/// The finding with its new status, and the status it had before.
#[derive(Debug, ToSchema)]
struct FindingStatusChanged {
    finding: EventFinding,
    previous_status: FindingStatus,
}

/// The test case with its new status, and the status it had before.
#[derive(Debug, ToSchema)]
struct TestCaseStatusChanged {
    test_case: EventTestCase,
    previous_status: TestCaseStatus,
}

/// The deadline, and the one record it belongs to; the other records are absent.
#[derive(Debug, ToSchema)]
struct DeadlineApproaching {
    deadline: EventDeadline,
    #[schema(nullable = false)]
    finding: Option<EventFinding>,
    #[schema(nullable = false)]
    test_case: Option<EventTestCase>,
    #[schema(nullable = false)]
    programme: Option<EventProgramme>,
    #[schema(nullable = false)]
    control: Option<EventControl>,
    #[schema(nullable = false)]
    provider: Option<EventProvider>,
    #[schema(nullable = false)]
    arrangement: Option<EventArrangement>,
    #[schema(nullable = false)]
    cra_report: Option<EventCraReport>,
    #[schema(nullable = false)]
    timeline_item: Option<EventTimelineItem>,
    #[schema(nullable = false)]
    analysis: Option<EventAnalysis>,
    #[schema(nullable = false)]
    register_filing: Option<EventRegisterFiling>,
    #[schema(nullable = false)]
    evidence: Option<EventEvidence>,
    #[schema(nullable = false)]
    incident: Option<EventIncident>,
    #[schema(nullable = false)]
    training: Option<EventTraining>,
}

/// When something is due: on a day or at a time, the other is null.
#[derive(Debug, ToSchema)]
struct EventDeadline {
    #[schema(format = Date)]
    due_on: Option<String>,
    #[schema(format = DateTime)]
    due_at: Option<String>,
    /// How long before the deadline the event was raised, in days or hours.
    #[schema(example = "7d")]
    lead: String,
    /// For a CRA report or a report on an incident: the stage that is due.
    #[schema(example = "early_warning")]
    stage: Option<String>,
    /// The regime that sets the deadline; absent where none does.
    #[schema(nullable = false, example = "cra")]
    regime: Option<String>,
}

/// The main fields of a finding.
#[derive(Debug, ToSchema)]
struct EventFinding {
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    id: String,
    #[schema(example = "F-2026-0042")]
    reference: String,
    programme_id: Option<String>,
    test_case_id: Option<String>,
    #[schema(example = "Backup restore exceeds the recovery time objective")]
    title: String,
    severity: Severity,
    status: FindingStatus,
    owner: Option<String>,
    affected_asset: Option<String>,
    cve: Option<String>,
    #[schema(format = DateTime)]
    detected_at: String,
    #[schema(format = Date)]
    due_on: Option<String>,
}

/// The main fields of a test case.
#[derive(Debug, ToSchema)]
struct EventTestCase {
    #[schema(example = "tst_01k9x14js0e00000000000000a")]
    id: String,
    programme_id: String,
    title: String,
    test_type: TestType,
    status: TestCaseStatus,
    priority: Priority,
    assignee: Option<String>,
    #[schema(format = Date)]
    due_on: Option<String>,
    #[schema(format = DateTime)]
    executed_at: Option<String>,
}

/// The main fields of a programme.
#[derive(Debug, ToSchema)]
struct EventProgramme {
    #[schema(example = "prg_01k9x14js0e00000000000000a")]
    id: String,
    name: String,
    framework: Framework,
    status: ProgrammeStatus,
    owner: Option<String>,
    #[schema(format = Date)]
    ends_on: Option<String>,
}

/// The main fields of a control.
#[derive(Debug, ToSchema)]
struct EventControl {
    #[schema(example = "ctl_01k9x14js0e00000000000000a")]
    id: String,
    #[schema(example = "C-0001")]
    reference: String,
    title: String,
    status: ControlStatus,
    effectiveness: Effectiveness,
    owner: Option<String>,
    cadence: ControlCadence,
    #[schema(format = Date)]
    next_due_on: Option<String>,
}

/// The main fields of a provider.
#[derive(Debug, ToSchema)]
struct EventProvider {
    #[schema(example = "prv_01k9x14js0e00000000000000a")]
    id: String,
    /// The name of the provider.
    title: String,
    lei: Option<String>,
    owner: Option<String>,
    #[schema(format = Date)]
    next_review_on: Option<String>,
}

/// The main fields of a CRA report.
#[derive(Debug, ToSchema)]
struct EventCraReport {
    #[schema(example = "cra_01k9x14js0e00000000000000a")]
    id: String,
    kind: CraReportKind,
    product: crate::v1::resilience::cra::CraProduct,
    title: String,
    cve: Option<String>,
    severity: Severity,
    status: CraReportStatus,
    owner: Option<String>,
    #[schema(format = DateTime)]
    aware_at: String,
}

/// A date of the compliance timeline.
#[derive(Debug, ToSchema)]
struct EventTimelineItem {
    id: String,
    title: String,
    #[schema(example = "dora")]
    framework: String,
    #[schema(format = Date)]
    date: String,
}

/// The main fields of a training.
#[derive(Debug, ToSchema)]
struct EventTraining {
    #[schema(example = "trn_01k9x14js0e00000000000000a")]
    id: String,
    #[schema(example = "TR-0001")]
    reference: String,
    title: String,
    module: Option<String>,
    /// The id of the person, and their name.
    owner: String,
    person: String,
    #[schema(format = Date)]
    due_on: String,
    management_body: bool,
    status: String,
}

/// The concentration analysis that is due for review.
#[derive(Debug, ToSchema)]
struct EventAnalysis {
    #[schema(example = "ana_01k9x14js0e00000000000000a")]
    id: String,
    title: String,
    #[schema(example = "moderate")]
    level: String,
    breaches: u64,
    #[schema(format = DateTime)]
    analysed_at: String,
}

/// The contract that has to be terminated until the day, or goes on.
#[derive(Debug, ToSchema)]
struct EventArrangement {
    #[schema(example = "arr_01k9x14js0e00000000000000a")]
    id: String,
    /// The provider and the service.
    title: String,
    #[schema(example = "prv_01k9x14js0e00000000000000a")]
    provider_id: String,
    /// Of the provider.
    owner: Option<String>,
    #[schema(format = Date)]
    notice_by: String,
    #[schema(format = Date)]
    ends_on: String,
}

/// The filing of the register of information that is due.
#[derive(Debug, ToSchema)]
struct EventRegisterFiling {
    #[schema(example = "fil_01k9x14js0e00000000000000a")]
    id: String,
    title: String,
    #[schema(example = "individual")]
    scope: String,
    #[schema(format = Date)]
    reference_date: String,
    #[schema(example = "DE")]
    country: String,
    status: crate::v1::third_parties::register::filings::wire::RegisterFilingStatus,
    owner: Option<String>,
    #[schema(format = Date)]
    due_on: String,
}

/// The evidence that is valid until the day.
#[derive(Debug, ToSchema)]
struct EventEvidence {
    #[schema(example = "evd_01k9x14js0e00000000000000a")]
    id: String,
    title: String,
    kind: Option<String>,
    owner: Option<String>,
    #[schema(format = Date)]
    valid_until: String,
}

/// The incident of which a report is due.
#[derive(Debug, ToSchema)]
struct EventIncident {
    #[schema(example = "inc_01k9x14js0e00000000000000a")]
    id: String,
    #[schema(example = "I-2026-0001")]
    reference: String,
    title: String,
    status: IncidentStatus,
    owner: Option<String>,
    #[schema(example = json!(["dora"]))]
    regimes: Vec<String>,
    #[schema(format = DateTime)]
    aware_at: Option<String>,
    /// The classification; null until the incident is classified.
    #[schema(example = "major")]
    result: Option<String>,
}

const DELIVERY: &str = "Sent at least once to every active webhook that subscribes to the event; a repeated delivery has \
    the same `id`. This is the content of the event. Slack receives it as a Block Kit message, Microsoft Teams as an \
    Adaptive Card, and email as a text and HTML message; each names the event, the record and what changed, and links \
    to the workspace.";

fn webhook<T: ToSchema>(operation_id: &str, summary: &str) -> PathItem {
    let schema = RefOr::<Schema>::Ref(Ref::from_schema_name(T::name()));
    let body = RequestBodyBuilder::new()
        .content("application/json", ContentBuilder::new().schema(Some(schema)).build())
        .required(Some(utoipa::openapi::Required::True))
        .build();
    let accepted =
        ResponseBuilder::new().description("Any 2xx status accepts the delivery; others are retried.");
    let operation = OperationBuilder::new()
        .operation_id(Some(operation_id))
        .tag("webhooks")
        .summary(Some(summary))
        .description(Some(DELIVERY))
        .request_body(Some(body))
        .response("2XX", accepted);
    PathItem::new(HttpMethod::Post, operation)
}

fn declare<T: ToSchema>(components: &mut Components) {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    components.schemas.extend(schemas);
}
