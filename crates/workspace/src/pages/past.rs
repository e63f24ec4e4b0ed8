//! The history of a record: its status, every field before and after, author and time, newest first.

use std::{collections::HashMap, fmt::Display};

use app::{
    audit::Who,
    history::HistoryRow,
    record_change::{ChangeKind, FieldChange, RecordChange},
    records::RecordKind,
};
use domain::{
    arrangement::{Place, ServiceType, Substitutability},
    control::{ControlCadence, Effectiveness},
    cra_report::CraReportKind,
    format,
    id::{ProgrammeId, TestCaseId},
    incident::{Outcome, Regime, due::Stage},
    moment::{Day, Moment},
    programme::Programme as ProgrammeRecord,
    provider::{Dimension, ProviderRating},
    risk::{RiskCategory, RiskLevel, RiskTreatment},
    test_case::TestCase as TestCaseRecord,
    test_type::TestType,
    vocabulary::{Framework, Priority, Severity, Vocabulary},
    wording::{Label, Language},
};
use maud::{Markup, html};
use serde_json::Value;

use super::{incident::fact, programme, test_case};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    texts::{
        analysis, arrangement, assessment, common, control, cra_report, drill_run, evidence, finding,
        incident, own_framework, own_risk, programme as programmes, provider, record as texts,
        test_case as tests,
    },
    ui::{self, history},
};

/// Everything one author did at one moment.
struct Event<'p> {
    at: Moment,
    who: Option<&'p Who>,
    steps: Vec<&'p HistoryRow>,
    change: Option<&'p RecordChange>,
}

/// The section with a record's history. `badge` renders a status of this kind of record.
pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    record: impl Display,
    steps: &[HistoryRow],
    badge: impl Fn(&str) -> Markup,
) -> Result<Markup, PageError> {
    let changes = workspace.app.record_changes(visit.caller(), record).await?;
    rows(workspace, visit, steps, &changes, badge).await
}

/// The same for a kind without states of which an import changes many records at once.
pub(super) async fn whole_section<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
    id: K::Id,
) -> Result<Markup, PageError> {
    let changes = workspace.app.all_changes::<K>(visit.caller(), id).await?;
    rows(workspace, visit, &[], &changes, |_| html! {}).await
}

async fn rows(
    workspace: &Workspace,
    visit: &Visit,
    steps: &[HistoryRow],
    changes: &[RecordChange],
    badge: impl Fn(&str) -> Markup,
) -> Result<Markup, PageError> {
    let names = workspace.app.names(visit.caller(), steps).await?;
    let links = links(workspace, visit, changes).await?;
    let list = html! {
        ol.history {
            @for event in events(steps, changes, &names) {
                li {
                    (headline(visit, &event, &badge))
                    @for note in event.steps.iter().filter_map(|step| step.note.as_ref()) {
                        p.prose { (note.as_str()) }
                    }
                    @if let Some(change) = event.change { (fields(visit, change, &links)) }
                    p.hint { (history::author(visit, event.who)) ", " (visit.time(event.at)) }
                }
            }
        }
    };
    Ok(ui::section(visit.t(texts::HISTORY), &list))
}

/// Steps and changes at the same moment by the same author are combined.
fn events<'p>(
    steps: &'p [HistoryRow],
    changes: &'p [RecordChange],
    names: &'p HashMap<String, Who>,
) -> Vec<Event<'p>> {
    let mut left: Vec<&HistoryRow> = steps.iter().rev().collect();
    let mut events: Vec<Event<'_>> = Vec::new();
    for change in changes {
        // A change without any field also moved the status, such as an expired acceptance.
        let moved = change.fields.is_empty() || change.fields.iter().any(|each| each.field == "status");
        let belongs = |step: &&HistoryRow| {
            let is_first = step.from.is_none();
            let fits = if change.kind == ChangeKind::Created { is_first } else { moved && !is_first };
            fits && step.at == change.at && step.actor == change.actor
        };
        let (mine, others): (Vec<_>, Vec<_>) = left.into_iter().partition(belongs);
        left = others;
        let shows = change.kind != ChangeKind::Changed || shown(change).next().is_some();
        if shows || !mine.is_empty() {
            events.push(Event { at: change.at, who: Some(&change.who), steps: mine, change: Some(change) });
        }
    }
    events.extend(left.into_iter().map(|step| Event {
        at: step.at,
        who: names.get(&step.actor),
        steps: vec![step],
        change: None,
    }));
    events.sort_by_key(|event| std::cmp::Reverse(event.at));
    events
}

fn headline(view: &View, event: &Event<'_>, badge: impl Fn(&str) -> Markup) -> Markup {
    let word = event.change.and_then(|change| match change.kind {
        ChangeKind::Created => Some(texts::HISTORY_CREATED),
        ChangeKind::Archived => Some(texts::ARCHIVED),
        ChangeKind::Restored => Some(texts::HISTORY_RESTORED),
        ChangeKind::Changed => None,
    });
    html! {
        @if word.is_some() || !event.steps.is_empty() {
            div.row {
                @if let Some(word) = word { strong { (view.t(word)) } }
                @for step in &event.steps {
                    // A step from a status to itself corrects a filing.
                    @if step.from.as_ref() == Some(&step.to) { strong { (view.t(texts::CORRECTED)) } }
                    @else { (badge(&step.to)) }
                }
            }
        }
    }
}

/// The fields shown: the status has its badge, the archive its word.
fn shown(change: &RecordChange) -> impl Iterator<Item = &FieldChange> {
    change.fields.iter().filter(|each| !is_hidden(&each.field))
}

/// Author and approver are shown elsewhere on the page.
fn is_hidden(field: &str) -> bool {
    let signed = field.starts_with("assessed_") || field.starts_with("approved_") || field == "changed_by";
    signed || matches!(field, "status" | "archived_at")
}

fn fields(view: &View, change: &RecordChange, links: &HashMap<String, Markup>) -> Markup {
    if shown(change).next().is_none() {
        return html! {};
    }
    html! {
        ul.changes {
            @for FieldChange { field, before, after } in shown(change) {
                li {
                    span.changed-field { (label(view, field)) } ": "
                    (value(view, field, before, links)) " → " (value(view, field, after, links))
                }
            }
        }
    }
}

/// Links to the programmes and test cases the changes name, by their names.
async fn links(
    workspace: &Workspace,
    visit: &Visit,
    changes: &[RecordChange],
) -> Result<HashMap<String, Markup>, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let mut links = HashMap::new();
    let values =
        changes.iter().flat_map(|change| &change.fields).flat_map(|each| [&each.before, &each.after]);
    for text in values.filter_map(Value::as_str) {
        if links.contains_key(text) {
            continue;
        }
        let link = if let Ok(id) = text.parse::<ProgrammeId>() {
            named(app.record::<ProgrammeRecord>(caller, id).await, |found| {
                (programme::address_of(id), found.0.record.row.record.name.to_string())
            })?
        } else if let Ok(id) = text.parse::<TestCaseId>() {
            named(app.record::<TestCaseRecord>(caller, id).await, |found| {
                (test_case::address_of(id), found.0.record.row.record.title.to_string())
            })?
        } else {
            None
        };
        links.extend(link.map(|link| (text.to_owned(), link)));
    }
    Ok(links)
}

/// A deleted record is named by its id.
fn named<T>(
    found: Result<T, app::Error>,
    name: impl FnOnce(T) -> (String, String),
) -> Result<Option<Markup>, PageError> {
    match found {
        Ok(found) => {
            let (address, name) = name(found);
            Ok(Some(html! { a href=(address) { (name) } }))
        }
        Err(app::Error::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The label of a field; an unknown one by its own name.
pub(super) fn label(view: &View, field: &str) -> String {
    let known = LABELS.iter().find(|(name, _)| *name == field).map(|(_, label)| *label);
    let known = known.or_else(|| label_of::<Place>(field)).or_else(|| label_of::<Dimension>(field));
    let known = known.or_else(|| fact::label_of(field.strip_prefix("facts.")?));
    let known = known.or_else(|| super::form_label(field));
    known.map_or_else(|| field.to_owned(), |label| view.t(label).to_owned())
}

const LABELS: &[(&str, Label)] = &[
    ("name", common::NAME),
    ("title", finding::HEADING),
    ("description", texts::DESCRIPTION),
    ("framework", texts::FRAMEWORK),
    ("owner", texts::OWNER),
    ("key", own_framework::KEY),
    ("edition", own_framework::EDITION),
    ("content", own_framework::CONTENT),
    ("editors", own_framework::EDITORS),
    ("in_force", own_framework::IN_FORCE),
    ("starts_on", programmes::STARTS_ON),
    ("ends_on", programmes::ENDS_ON),
    ("functions", programmes::FUNCTIONS),
    ("programme_id", texts::PROGRAMME),
    ("test_case_id", texts::TEST_CASE),
    ("scenario", drill_run::SCENARIO),
    ("planned_for", drill_run::PLANNED_FOR),
    ("participants", drill_run::PARTICIPANTS),
    ("criteria", drill_run::CRITERIA),
    ("started_at", drill_run::STARTED),
    ("finished_at", drill_run::FINISHED),
    ("cause", own_risk::CAUSE),
    ("event", own_risk::EVENT),
    ("effect", own_risk::EFFECT),
    ("category", own_risk::CATEGORY),
    ("controls", own_risk::CONTROLS),
    ("findings", own_risk::FINDINGS),
    ("inherent", own_risk::INHERENT),
    ("residual", own_risk::RESIDUAL),
    ("target", own_risk::TARGET),
    ("likelihood", own_risk::LIKELIHOOD),
    ("impact", own_risk::IMPACT),
    ("level", analysis::LEVEL),
    ("treatment", own_risk::TREATMENT),
    ("review_on", own_risk::REVIEW_ON),
    ("proposed_by", own_risk::PROPOSED_BY),
    ("approved_by", own_risk::APPROVED_BY),
    ("file", evidence::FILE),
    ("url", evidence::URL),
    ("collected_on", evidence::COLLECTED_ON),
    ("valid_until", evidence::VALID_UNTIL),
    ("keep_until", evidence::KEEP_UNTIL),
    ("keep_because", evidence::KEEP_BECAUSE),
    ("uploaded_by", evidence::UPLOADED_BY),
    ("severity", finding::SEVERITY),
    ("affected_asset", finding::ASSET),
    ("cve", finding::CVE),
    ("cvss", finding::CVSS),
    ("remediation", finding::REMEDIATION),
    ("acceptance", finding::ACCEPTANCE),
    ("reason", finding::REASON),
    ("until", finding::UNTIL),
    ("measures", texts::MEASURES),
    ("detected_at", finding::DETECTED),
    ("due_on", texts::DUE_ON),
    ("closed_at", finding::CLOSED),
    ("objective", tests::OBJECTIVE),
    ("test_type", tests::TYPE),
    ("priority", tests::PRIORITY),
    ("assignee", tests::ASSIGNEE),
    ("steps", tests::STEPS),
    ("expected_result", tests::EXPECTED),
    ("actual_result", tests::ACTUAL),
    ("executed_at", tests::EXECUTED),
    ("evidence", tests::EVIDENCE),
    ("kind", cra_report::KIND),
    ("product", cra_report::PRODUCT),
    ("version", cra_report::PRODUCT_VERSION),
    ("member_states", cra_report::MEMBER_STATES),
    ("aware_at", cra_report::AWARE_AT),
    ("corrective_measure_at", cra_report::CORRECTIVE_AT),
    ("early_warning_submitted_at", texts::EARLY_WARNING_AT),
    ("notification_submitted_at", texts::NOTIFICATION_AT),
    ("final_report_submitted_at", texts::FINAL_REPORT_AT),
    ("reference", arrangement::REFERENCE),
    ("provider.name", arrangement::PROVIDER),
    ("provider.lei", arrangement::LEI),
    ("provider.country", arrangement::COUNTRY),
    ("provider.sector", arrangement::SECTOR),
    ("service", arrangement::SERVICE),
    ("service_type", arrangement::SERVICE_TYPE),
    ("technology", arrangement::TECHNOLOGY),
    ("region", arrangement::REGION),
    ("substitutability", arrangement::SUBSTITUTABILITY),
    ("annual_cost", arrangement::COST),
    ("exit_plan", analysis::EXIT_PLAN),
    ("notice_days", provider::NOTICE_DAYS),
    ("places", arrangement::PLACES),
    ("supply_chain", arrangement::CHAIN),
    ("ultimate_parent", arrangement::PARENT),
    ("rating", provider::RATING),
    ("archetype", provider::ARCHETYPE),
    ("contact", provider::CONTACT),
    ("review_months", provider::REVIEW_MONTHS),
    ("last_review_on", provider::LAST_REVIEW),
    ("scores", provider::SCORES),
    ("measure_id", control::MEASURE),
    ("requirements", control::REQUIREMENTS),
    ("effectiveness", control::EFFECTIVENESS),
    ("effectiveness_reason", control::OVERRULE_REASON),
    ("cadence", control::CADENCE),
    ("last_performed_on", control::LAST_PERFORMED),
    ("next_due_on", control::NEXT_DUE),
    ("on", control::PERFORMED_ON),
    ("applies", assessment::APPLIES),
    ("applies_reason", assessment::APPLIES_REASON),
    ("maturity", assessment::MATURITY),
    ("rationale", assessment::RATIONALE),
    ("next_review_on", assessment::NEXT_REVIEW),
    ("occurred_at", incident::OCCURRED),
    ("logged_at", incident::LOGGED),
    ("recovered_at", incident::RECOVERED),
    ("resolved_at", incident::RESOLVED),
    ("regimes", incident::REGIMES),
    ("providers", incident::PROVIDERS),
    ("findings", incident::FINDINGS),
    ("classification", incident::CLASSIFICATION),
    ("result", incident::CLASSIFY_RESULT),
    ("computed", incident::COMPUTED),
    ("classified_at", incident::CLASSIFY_AT),
    ("classified_by", incident::CLASSIFIED_BY),
    ("root_cause", incident::ROOT_CAUSE),
    ("measures_taken", incident::MEASURES_TAKEN),
    ("lessons", incident::LESSONS),
    ("recurring_group", incident::SERIES),
    ("report_values", incident::ENTERED_VALUES),
    ("filed", incident::FILED),
    ("cra_report_id", incident::CRA_REPORT),
];

fn value(view: &View, field: &str, value: &Value, links: &HashMap<String, Markup>) -> Markup {
    if let Some(link) = value.as_str().and_then(|text| links.get(text)) {
        return link.clone();
    }
    let text = text(view, field, value);
    view.or_none((!text.is_empty()).then_some(text))
}

pub(super) fn text(view: &View, field: &str, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(yes) => view.t(if *yes { common::YES } else { common::NO }).to_owned(),
        Value::Number(number) => written_number(view, number),
        Value::String(word) => worded(view, field, word),
        // A supplier and its recipient, or a function and whether it is critical.
        Value::Array(items) => match items.as_slice() {
            [Value::String(name), Value::Bool(critical)] if *critical => {
                format!("{name} ({})", view.t(arrangement::CRITICAL))
            }
            [Value::String(name), Value::Bool(_)] => name.clone(),
            items => items.iter().map(|item| text(view, field, item)).collect::<Vec<_>>().join(", "),
        },
        Value::Object(parts) => {
            let filled = parts.iter().map(|(name, part)| (name, text(view, name, part)));
            let filled = filled.filter(|(_, part)| !part.is_empty());
            filled.map(|(name, part)| format!("{}: {part}", label(view, name))).collect::<Vec<_>>().join("; ")
        }
    }
}

fn written_number(view: &View, number: &serde_json::Number) -> String {
    match view.language {
        Language::English => number.to_string(),
        Language::German => number.to_string().replace('.', ","),
    }
}

/// Words of a vocabulary by their label, days and times in the reader's format, anything else unchanged.
fn worded(view: &View, field: &str, word: &str) -> String {
    if let ("framework", Ok(framework)) = (field, word.parse::<Framework>()) {
        return framework.name();
    }
    let label = match field {
        "category" => label_of::<RiskCategory>(word),
        "level" => label_of::<RiskLevel>(word),
        "treatment" => label_of::<RiskTreatment>(word),
        "severity" => label_of::<Severity>(word),
        "priority" => label_of::<Priority>(word),
        "test_type" => label_of::<TestType>(word),
        "kind" => label_of::<CraReportKind>(word),
        "effectiveness" => label_of::<Effectiveness>(word),
        "cadence" => label_of::<ControlCadence>(word),
        "service_type" => label_of::<ServiceType>(word),
        "substitutability" => label_of::<Substitutability>(word),
        "rating" => label_of::<ProviderRating>(word),
        "regime" | "regimes" => label_of::<Regime>(word),
        "stage" => label_of::<Stage>(word),
        "result" | "computed" => label_of::<Outcome>(word),
        _ => None,
    };
    if let Some(label) = label {
        return view.t(label).to_owned();
    }
    if let Ok(day) = word.parse::<Day>() {
        return format::day(view.language, day);
    }
    match word.parse::<Moment>() {
        Ok(at) => view.moment(at),
        Err(_) => word.to_owned(),
    }
}

fn label_of<T: Vocabulary>(word: &str) -> Option<Label> {
    T::find(word).map(Vocabulary::label)
}
