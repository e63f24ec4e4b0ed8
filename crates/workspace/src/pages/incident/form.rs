//! Creating an incident with as few fields as possible, and changing its description.

use app::{
    Error,
    incident::{Incident, IncidentChange},
    provider::ProviderFilter,
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    finding::Finding,
    id::ControlId,
    incident::{Incident as Record, IncidentInput, Regime, Times},
    page::PageRequest,
    provider::Provider,
    reference::FindingReference,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, incident_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::record,
    respond::{self, Answer},
    route,
    texts::{common, incident as texts, record as shared},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 17] = [
    ("title", texts::HEADING),
    ("description", shared::DESCRIPTION),
    ("owner", shared::OWNER),
    ("occurred_at", texts::OCCURRED),
    ("logged_at", texts::LOGGED),
    ("detected_at", texts::DETECTED),
    ("aware_at", texts::AWARE),
    ("recovered_at", texts::RECOVERED),
    ("resolved_at", texts::RESOLVED),
    ("regimes", texts::REGIMES),
    ("functions", texts::FUNCTIONS),
    ("providers", texts::PROVIDERS),
    ("findings", texts::FINDINGS),
    ("controls", texts::CONTROLS),
    ("root_cause", texts::ROOT_CAUSE),
    ("measures_taken", texts::MEASURES_TAKEN),
    ("lessons", texts::LESSONS),
];

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    respond::page(new_page(&visit, &Form::filled([("regimes", Regime::Dora.to_string())])))
}

fn new_page(visit: &Visit, form: &Form) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::NEW), visit.t(texts::NEW_INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::INCIDENTS) {
            (visit.form_token())
            (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).focused().render())
            (Field::moment(visit, form, "detected_at", texts::DETECTED).hint(texts::WHEN_HINT).optional().render())
            (regimes(visit, form))
            (Field::person(visit, form, "owner", shared::OWNER).render())
            (field::area(visit, form, "description", shared::DESCRIPTION, None))
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::CREATE)) }
                a.button href=(route::INCIDENTS) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::NEW), &content)
}

fn regimes(view: &View, form: &Form) -> Markup {
    let all: Vec<_> =
        Regime::ALL.iter().map(|regime| Choice::new(regime.as_str(), view.t(regime.label()))).collect();
    html! {
        // Sent so that a form without any box means none.
        input type="hidden" name="regimes" value="";
        (field::choices(view, form, "regimes", texts::REGIMES, true, &all))
    }
}

/// Reads the fields; earlier times that were not edited stay as they are.
async fn input(
    workspace: &Workspace,
    visit: &Visit,
    form: &mut Form,
    before: Option<&Times>,
) -> Result<IncidentInput, PageError> {
    let zone = &visit.zone;
    let findings = match form.lines("findings") {
        Change::Set(lines) => {
            let mut ids = Vec::new();
            for line in lines {
                ids.push(finding_id(workspace, visit, line).await?);
            }
            Change::Set(ids)
        }
        change => change,
    };
    let controls = match form.lines("controls") {
        Change::Set(lines) => Change::Set(control_ids(workspace, visit, lines).await?),
        change => change,
    };
    Ok(IncidentInput {
        title: form.required_change("title"),
        description: form.change("description"),
        owner: form.change("owner"),
        occurred_at: form.moment(zone, "occurred_at", before.and_then(|at| at.occurred_at)),
        logged_at: form.moment(zone, "logged_at", before.and_then(|at| at.logged_at)),
        detected_at: filled(form.moment(zone, "detected_at", before.map(|at| at.detected_at))),
        aware_at: filled(form.moment(zone, "aware_at", before.map(|at| at.aware_at))),
        recovered_at: form.moment(zone, "recovered_at", before.and_then(|at| at.recovered_at)),
        resolved_at: form.moment(zone, "resolved_at", before.and_then(|at| at.resolved_at)),
        regimes: form.lines("regimes"),
        functions: form.lines("functions"),
        providers: form.lines("providers"),
        findings,
        controls,
        root_cause: form.change("root_cause"),
        measures_taken: form.change("measures_taken"),
        lessons: form.change("lessons"),
        ..IncidentInput::default()
    })
}

/// Times that every incident has: an empty field leaves them as they are, or means now.
fn filled(change: Change<String>) -> Change<String> {
    match change {
        Change::Clear => Change::Keep,
        change => change,
    }
}

/// The ids behind references; what is none is left for the rules to refuse.
async fn control_ids(
    workspace: &Workspace,
    visit: &Visit,
    lines: Vec<String>,
) -> Result<Vec<String>, PageError> {
    if lines.is_empty() {
        return Ok(lines);
    }
    let known = workspace.app.controls_in_short(visit.caller()).await?;
    let id = |line: String| {
        let found = known.iter().find(|control| control.reference.to_string() == line);
        found.map_or(line, |control| control.id.to_string())
    };
    Ok(lines.into_iter().map(id).collect())
}

/// The id behind a reference; what is none is left for the rules to refuse.
async fn finding_id(workspace: &Workspace, visit: &Visit, text: String) -> Result<String, PageError> {
    let Ok(reference) = text.parse::<FindingReference>() else { return Ok(text) };
    let found = workspace.app.finding_called(visit.caller(), reference).await?;
    Ok(found.map_or(text, |id| id.to_string()))
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let input = input(&workspace, &visit, &mut form, None).await?;
    let created = match form.finish(Some(input)) {
        Ok(input) => {
            let input = IncidentChange::Fields(Box::new(input));
            workspace.app.create_record::<Record>(visit.caller(), input, None, |_| String::new()).await
        }
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => {
            let address = format!("{}/{}", route::INCIDENTS, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&visit, &form))
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let (detail, revision) = workspace.app.record::<Record>(visit.caller(), incident_id(&id)?).await?;
    let validator = workspace.app.record_validator(detail.record.row.version, revision);
    let form = form_of(&workspace, &visit, &detail.record, validator).await?;
    respond::page(edit_page(&workspace, &visit, &detail.record, &form).await?)
}

async fn form_of(
    workspace: &Workspace,
    visit: &Visit,
    incident: &Incident,
    validator: String,
) -> Result<Form, PageError> {
    let record = &incident.row.record;
    let (at, view): (_, &View) = (&record.times, visit);
    let mut findings = Vec::new();
    for id in &record.findings {
        findings.push(match workspace.app.record::<Finding>(visit.caller(), *id).await {
            Ok((detail, _)) => detail.record.record.reference.to_string(),
            Err(Error::NotFound) => id.to_string(),
            Err(error) => return Err(error.into()),
        });
    }
    let controls = workspace.app.controls_named(visit.caller(), &record.controls).await?;
    let control = |id: &ControlId| {
        let found = controls.iter().find(|row| row.id == *id);
        found.map_or_else(|| id.to_string(), |row| row.record.reference.to_string())
    };
    let controls: Vec<String> = record.controls.iter().map(control).collect();
    let time = |at| field::moment_value(view, at);
    let mut pairs = vec![
        (record::SEEN, validator),
        ("title", record.title.to_string()),
        ("description", record.description.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("owner", record.owner.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("occurred_at", time(at.occurred_at)),
        ("logged_at", time(at.logged_at)),
        ("detected_at", time(Some(at.detected_at))),
        ("aware_at", time(Some(at.aware_at))),
        ("recovered_at", time(at.recovered_at)),
        ("resolved_at", time(at.resolved_at)),
        ("functions", record.functions.join("\n")),
        ("providers", record.providers.join("\n")),
        ("findings", findings.join("\n")),
        ("controls", controls.join("\n")),
        ("root_cause", record.root_cause.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("measures_taken", record.measures_taken.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("lessons", record.lessons.as_ref().map(ToString::to_string).unwrap_or_default()),
    ];
    pairs.extend(record.regimes.iter().map(|regime| ("regimes", regime.to_string())));
    Ok(Form::filled(pairs))
}

/// The links, each with what it can name as suggestions.
async fn links(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let functions = app.register_functions(caller).await?.into_iter();
    let functions: Vec<_> = functions.map(|name| Choice::new(name, "")).collect();
    let request = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let providers = app.records::<Provider>(caller, &ProviderFilter::default(), request).await?.items;
    let provider = |provider: app::provider::Provider| Choice::new(provider.row.record.name.to_string(), "");
    let providers: Vec<_> = providers.into_iter().map(provider).collect();
    let controls = app.controls_in_short(caller).await?.into_iter();
    let controls: Vec<_> =
        controls.map(|control| Choice::new(control.reference.to_string(), control.title)).collect();
    let hint = Some(texts::CONTROLS_HINT);
    Ok(html! {
        (field::suggested(visit, form, "functions", texts::FUNCTIONS, None, &functions))
        (field::suggested(visit, form, "providers", texts::PROVIDERS, None, &providers))
        (field::area(visit, form, "findings", texts::FINDINGS, Some(texts::FINDINGS_HINT)))
        (field::suggested(visit, form, "controls", texts::CONTROLS, hint, &controls))
    })
}

async fn edit_page(
    workspace: &Workspace,
    visit: &Visit,
    incident: &Incident,
    form: &Form,
) -> Result<Markup, PageError> {
    let address = address_of(incident.row.id);
    let links = links(workspace, visit, form).await?;
    let time = |name, label| Field::moment(visit, form, name, label).optional();
    let content = html! {
        (ui::head(visit.t(texts::EDIT), form.value("title"), None))
        (record::overtaken(visit, form, &address))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
            (field::area(visit, form, "description", shared::DESCRIPTION, None))
            (Field::person(visit, form, "owner", shared::OWNER).render())
            div.columns {
                (time("occurred_at", texts::OCCURRED).render())
                (time("logged_at", texts::LOGGED).render())
                (Field::moment(visit, form, "detected_at", texts::DETECTED).render())
                (Field::moment(visit, form, "aware_at", texts::AWARE).hint(texts::AWARE_HINT).render())
                (time("recovered_at", texts::RECOVERED).render())
                (time("resolved_at", texts::RESOLVED).render())
            }
            (regimes(visit, form))
            (links)
            (Field::text(visit, form, "root_cause", texts::ROOT_CAUSE)
                .hint(texts::ROOT_CAUSE_HINT).optional().at_most(Name::MAX).render())
            (field::area(visit, form, "measures_taken", texts::MEASURES_TAKEN, None))
            (field::area(visit, form, "lessons", texts::LESSONS, None))
            div.form-end {
                button.button.primary type="submit" { (visit.t(common::SAVE)) }
                a.button href=(address) { (visit.t(common::CANCEL)) }
            }
        }
    };
    Ok(ui::layout::page(visit, visit.t(texts::EDIT), &content))
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, incident_id(&id)?);
    let precondition = record::precondition(&form);
    let (detail, revision) = workspace.app.record::<Record>(visit.caller(), id).await?;
    let incident = &detail.record;
    let input = input(&workspace, &visit, &mut form, Some(&incident.row.record.times)).await?;
    let changed = match form.finish(Some(input)) {
        Ok(input) => {
            let input = IncidentChange::Fields(Box::new(input));
            workspace.app.change_record::<Record>(visit.caller(), id, input, precondition).await.map(|_| ())
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            form.overtake(record::SEEN, workspace.app.record_validator(incident.row.version, revision));
            respond::overtaken(edit_page(&workspace, &visit, incident, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&workspace, &visit, incident, &form).await?)
        }
    }
}
