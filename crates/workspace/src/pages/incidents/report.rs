//! One report on an incident: field by field while it is prepared, as sent afterwards.

use app::{
    approval::ApprovalWanted,
    incident::{Entry, IncidentChange, ReportContent, ReportField, ReportPlace},
    pages::Precondition,
    report::{Content, File},
};
use axum::extract::{Path, State};
use domain::{
    approval::ApprovalAction,
    change::Change,
    id::IncidentId,
    incident::{Incident, IncidentInput, Regime, due::Stage, report::Obligation},
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};
use serde_json::Map;

use super::{address_of, correct, filed, incident_id, report_field as field};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{approvals, file, record},
    respond::{self, Answer},
    route,
    texts::{correction, incident as texts},
    ui::{
        self,
        badge::Tone,
        notice::{complaints, notice},
    },
};

/// The report named by a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportPath {
    pub(super) id: IncidentId,
    pub(super) regime: Regime,
    pub(super) stage: Stage,
    /// The first, second or later time it was sent, if that is asked for.
    sent: Option<usize>,
}

impl ReportPath {
    pub(super) fn read(id: &str, regime: &str, stage: &str) -> Result<Self, PageError> {
        let read = || Some((regime.parse().ok()?, stage.parse().ok()?));
        let (regime, stage) = read().ok_or(PageError::NotFound)?;
        Ok(Self { id: incident_id(id)?, regime, stage, sent: None })
    }

    /// The same place at the time of sending that the address names.
    pub(super) fn at_sending(self, visit: &Visit) -> Result<Self, PageError> {
        let sent =
            visit.query("sent").map(|number| number.parse().map_err(|_| PageError::NotFound)).transpose()?;
        Ok(Self { sent, ..self })
    }

    pub(super) fn report(self) -> ReportPlace {
        ReportPlace { regime: self.regime, stage: self.stage, sent: self.sent }
    }

    /// The same report as a file.
    fn file(self, ending: &str) -> String {
        format!("{}.{ending}{}", self.address(), self.number())
    }

    /// The part of an address that names the time of sending.
    pub(super) fn number(self) -> String {
        self.sent.map(|number| format!("?sent={number}")).unwrap_or_default()
    }

    pub(super) fn address(self) -> String {
        format!("{}/reports/{}/{}", address_of(self.id), self.regime, self.stage)
    }
}

const DONE: [(&str, Label); 1] = [("stamped", texts::STAMPED_DONE)];

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path((id, regime, stage)): Path<(String, String, String)>,
    visit: Visit,
) -> Answer {
    if let Some(stage) = stage.strip_suffix(".pdf") {
        let place = ReportPath::read(&id, &regime, stage)?.at_sending(&visit)?;
        let pdf = workspace.app.report.incident_report_pdf(
            visit.caller(),
            place.id,
            place.report(),
            visit.language,
        );
        return file::pdf(pdf.await?);
    }
    if let Some(stage) = stage.strip_suffix(".json") {
        return json(&workspace, &visit, ReportPath::read(&id, &regime, stage)?.at_sending(&visit)?).await;
    }
    let place = ReportPath::read(&id, &regime, &stage)?.at_sending(&visit)?;
    respond::page(page(&workspace, &visit, place, &Form::default()).await?)
}

/// The authorities' file, for upload to their portal.
async fn json(workspace: &Workspace, visit: &Visit, place: ReportPath) -> Answer {
    let (detail, _) = workspace.app.records.record::<Incident>(visit.caller(), place.id).await?;
    let content = workspace.app.resilience.incident_report(visit.caller(), place.id, place.report()).await?;
    let written = content.file.ok_or(PageError::NotFound)?;
    let bytes = serde_json::to_vec_pretty(&written).map_err(|_| PageError::Internal)?;
    let name = format!("{}-{}.json", detail.record.row.record.reference, place.stage);
    file::json(File { name, content: Content::Bytes(bytes.into()) })
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    place: ReportPath,
    form: &Form,
) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let (detail, revision) = app.records.record::<Incident>(caller, place.id).await?;
    let row = &detail.record.row;
    let content = app.resilience.incident_report(caller, place.id, place.report()).await?;
    let t = |label| visit.t(label);
    let title = format!("{}: {}", t(place.regime.label()), t(place.stage.label_under(place.regime)));
    let intro = visit.fill(
        texts::REPORT_INTRO,
        &[("reference", &row.record.reference), ("title", &row.record.title.as_str())],
    );
    let actions = html! {
        a.button href=(place.file("pdf")) { "PDF" }
        @if content.file.is_some() { a.button href=(place.file("json")) { (t(texts::FILE_JSON)) } }
    };
    let done: Vec<_> = record::DONE.iter().chain(&DONE).copied().collect();
    let names = names(place.regime, &content);
    let names: Vec<(&str, Label)> = names.iter().map(|(name, label)| (name.as_str(), *label)).collect();
    let recorded = match &content.filed {
        Some(_) => correct::section(workspace, visit, place, &content, form).await?,
        None => correct::taken_back(workspace, visit, place).await?,
    };
    let receipts = correct::receipts(workspace, visit, place.id).await?;
    let may_send = visit.may(Resource::Incidents, Right::Decide);
    let to_ask = to_ask(workspace, visit, place, may_send).await?;
    let body = html! {
        (ui::head(&title, &intro, Some(actions)))
        p { a href=(address_of(place.id)) { (row.record.reference) " " (row.record.title.as_str()) } }
        (ui::notice::done(visit, &done))
        (complaints(visit, form, &names))
        @if let Some(sent) = &content.filed { (frozen(visit, &content, sent.at, &recorded)) } @else {
            (recorded)
            (standing(visit, place, &content))
            (entries(visit, place, &content, form))
            (to_ask)
            @if may_send { (filed::section(visit, place, (&content, &receipts), form, &app.record_validator(row.version, revision))) }
        }
    };
    Ok(ui::layout::page(visit, &title, &body))
}

/// What waits for a decision about the incident, and for those who do not send reports themselves the way to ask.
async fn to_ask(
    workspace: &Workspace,
    visit: &Visit,
    place: ReportPath,
    may_send: bool,
) -> Result<Markup, PageError> {
    let subject = place.id.to_string();
    let waiting = approvals::section(workspace, visit, subject.clone()).await?;
    let may_ask = !may_send && visit.may(Resource::Incidents, Right::Write) && waiting.0.is_empty();
    let action = ApprovalAction::Send;
    let needed = workspace.app.approval.actions_to_ask(visit.caller(), subject.clone()).await?;
    if !may_ask || !needed.contains(&action) {
        return Ok(waiting);
    }
    let named = [("regime", place.regime.to_string()), ("stage", place.stage.to_string())];
    let details = named.into_iter().map(|(name, word)| (name.to_owned(), word)).collect();
    let wanted = ApprovalWanted { subject, action, details, reason: None };
    Ok(html! { p { (approvals::ask_link_for(visit, &wanted)) } })
}

/// The labels of the fields in error messages.
fn names(regime: Regime, content: &ReportContent) -> Vec<(String, Label)> {
    let fields = content.fields.iter().map(|each| (field::input(regime, each), each.name));
    let others = [
        ("at", texts::SENT_AT),
        ("reference", texts::AUTHORITY_REFERENCE),
        ("incomplete", texts::CONFIRMATION),
        ("already_provided", texts::ALREADY_PROVIDED),
        ("receipt", correction::RECEIPT),
    ];
    let others = others.into_iter().chain(record::correction::NAMES);
    fields.chain(others.map(|(name, label)| (name.to_owned(), label))).collect()
}

/// How many mandatory fields are missing.
fn missing_text(visit: &Visit, missing: usize) -> String {
    match missing {
        1 => visit.t(texts::MISSING_ONE).to_owned(),
        more => visit.fill(texts::MISSING_COUNT, &[("count", &more)]),
    }
}

/// The missing fields, and other problems of the file.
fn standing(visit: &Visit, place: ReportPath, content: &ReportContent) -> Markup {
    let missing = content.missing().count();
    let wrong: Vec<_> = content
        .complaints
        .iter()
        .filter(|(number, _)| !content.missing().any(|each| each.field == *number))
        .collect();
    html! {
        @if missing == 0 { p { (visit.t(texts::NOTHING_MISSING)) } } @else {
            p {
                strong { (missing_text(visit, missing)) } " "
                @if only_missing(visit) { a href=(place.address()) { (visit.t(texts::ALL_FIELDS)) } }
                @else { a href={ (place.address()) "?show=missing" } { (visit.t(texts::ONLY_MISSING)) } }
            }
        }
        @if !wrong.is_empty() {
            (notice(Tone::Warning, visit.t(texts::WRONG_FILE), &html! {
                ul { @for (number, complaint) in wrong { li { (number) " " (visit.complaint(complaint)) } } }
            }))
        }
    }
}

/// The parts of the form: the four sections of the authorities' form, or one part for points of an article.
fn parts(content: &ReportContent) -> Vec<(Label, Vec<&ReportField>)> {
    let sections = [
        ("1.", texts::SECTION_1),
        ("2.", texts::SECTION_2),
        ("3.", texts::SECTION_3),
        ("4.", texts::SECTION_4),
        ("", texts::POINTS),
    ];
    let belongs = |each: &ReportField, start: &str| match each.entry {
        Entry::Form(_) => !start.is_empty() && each.field.starts_with(start),
        Entry::Point(_) => start.is_empty(),
    };
    let asked = |each: &&ReportField| each.obligation != Obligation::No;
    let mut parts: Vec<(Label, Vec<&ReportField>)> = sections
        .into_iter()
        .map(|(start, label)| {
            (label, content.fields.iter().filter(|each| belongs(each, start)).filter(asked).collect())
        })
        .collect();
    parts.push((texts::NOT_ASKED, content.fields.iter().filter(|each| !asked(each)).collect()));
    parts.retain(|(_, fields)| !fields.is_empty());
    parts
}

/// Whether the address asks for the missing fields alone.
fn only_missing(visit: &Visit) -> bool {
    visit.query("show").is_some_and(|word| word == "missing")
}

fn entries(visit: &Visit, place: ReportPath, content: &ReportContent, form: &Form) -> Markup {
    let is_sent = form.pairs().any(|(name, _)| name.starts_with("was."));
    let before = field::filled(visit, place.regime, &content.fields);
    let form = if is_sent { form } else { &before };
    let mut parts = parts(content);
    // Without a missing field there is nothing to leave out; refused entries stay in view.
    if only_missing(visit) && !is_sent && content.missing().next().is_some() {
        for (_, fields) in &mut parts {
            fields.retain(|each| each.missing);
        }
        parts.retain(|(_, fields)| !fields.is_empty());
    }
    html! {
        form.report method="post" action=(place.address()) {
            (visit.form_token())
            @for (label, fields) in parts {
                @let missing = fields.iter().filter(|each| each.missing).count();
                details.card open[missing > 0 || label == texts::POINTS] {
                    summary {
                        strong { (visit.t(label)) } " "
                        @if missing > 0 { span.quiet { (missing_text(visit, missing)) } }
                    }
                    @for each in fields { (field::entry(visit, form, place.regime, each)) }
                }
            }
            @if visit.may(Resource::Incidents, Right::Write) {
                div.form-end { button.button.primary type="submit" { (visit.t(texts::SAVE_REPORT)) } }
            }
        }
    }
}

/// The sent content, read-only, with what was recorded about the sending.
fn frozen(visit: &Visit, content: &ReportContent, at: domain::moment::Moment, recorded: &Markup) -> Markup {
    let said = html! {
        p { (visit.fill(texts::FROZEN_HELP, &[("when", &visit.moment(at))])) }
        (recorded)
    };
    html! {
        (notice(Tone::Good, visit.t(texts::FROZEN), &said))
        @for (label, fields) in parts(content) {
            section.card {
                h2 { (visit.t(label)) }
                dl.facts {
                    @for each in fields {
                        dt { (each.field) " " (visit.t(each.name)) }
                        dd { (field::said(visit, each)) @if each.missing { " " (visit.t(texts::MISSING)) } }
                    }
                }
            }
        }
    }
}

pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path((id, regime, stage)): Path<(String, String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Incidents, Right::Write)?;
    let place = ReportPath::read(&id, &regime, &stage)?;
    let content = workspace.app.resilience.incident_report(visit.caller(), place.id, place.report()).await?;
    if content.filed.is_some() {
        return respond::go_to(&place.address());
    }
    let mut changes = Map::new();
    for each in &content.fields {
        if let Some(value) = field::change(&visit, &mut form, place.regime, each) {
            changes.insert(each.key(place.regime), value);
        }
    }
    let input = IncidentInput { report_values: Change::Set(changes), ..IncidentInput::default() };
    let saved = match form.finish(Some(input)) {
        Ok(input) => {
            let change = IncidentChange::from(input);
            let app = &workspace.app;
            app.records
                .change_record::<Incident>(visit.caller(), place.id, change, Precondition::None)
                .await
                .map(|_| ())
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => respond::go_to(&route::done(&place.address(), "changed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, place, &form).await?)
        }
    }
}
