//! Creating an incident with as few fields as possible, and changing its description.

use app::{Error, incident::IncidentRow, provider::ProviderFilter, records::PickKind};
use domain::{
    change::Change,
    id::IncidentId,
    incident::{Incident, IncidentInput, IncidentStatus, Regime},
    page::PageRequest,
    provider::Provider,
};
use maud::Markup;

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        pick,
        record::{
            bulk_field::BulkField,
            cell::{self, Cell},
            field::{self, Ask, FormField, Section},
            form::{FormTexts, RecordForm, RecordSteps},
        },
    },
    route,
    texts::{incident as texts, record as shared},
    ui::field::{Choice, words},
};

type Asked = FormField<Incident>;

impl RecordForm for Incident {
    const ADDRESS: &'static str = route::INCIDENTS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::NEW_INTRO,
    };
    const FIELDS: &'static [Section<Self>] = &[
        Section::titled(
            shared::PART_BASICS,
            &[
                Asked::title(Self::TITLE, |incident| &incident.title).focused(),
                Asked::prose(Self::DESCRIPTION, |incident| incident.description.as_ref()).bulk(),
                Asked::person(Self::OWNER, |incident| incident.owner.as_ref()).wide().bulk().cell(),
                Asked::words(Self::REGIMES, words::<Regime>, |incident| {
                    incident.regimes.iter().map(|regime| regime.as_str()).collect()
                })
                .shown_apart(),
            ],
        ),
        Section::titled(
            shared::PART_TIMES,
            &[
                Asked::moment(Self::OCCURRED, |incident| incident.times.occurred_at),
                Asked::moment(Self::LOGGED, |incident| incident.times.logged_at),
                Asked::moment(Self::DETECTED, |incident| Some(incident.times.detected_at))
                    .hint(texts::WHEN_HINT)
                    .kept(),
                Asked::moment(Self::AWARE, |incident| Some(incident.times.aware_at))
                    .hint(texts::AWARE_HINT)
                    .required(),
                Asked::moment(Self::RECOVERED, |incident| incident.times.recovered_at),
                Asked::moment(Self::RESOLVED, |incident| incident.times.resolved_at),
            ],
        ),
        Section::titled(
            shared::PART_LINKS,
            &[
                Asked::suggested(
                    Self::FUNCTIONS,
                    |ask| Box::pin(functions(ask)),
                    |incident| incident.functions.clone(),
                )
                .shown_apart(),
                Asked::suggested(
                    Self::PROVIDERS,
                    |ask| Box::pin(providers(ask)),
                    |incident| incident.providers.clone(),
                )
                .shown_apart(),
                Asked::records(Self::FINDINGS, &[PickKind("finding")], |incident| {
                    incident.findings.iter().map(ToString::to_string).collect()
                }),
                Asked::records(Self::CONTROLS, &[PickKind("control")], |incident| {
                    incident.controls.iter().map(ToString::to_string).collect()
                }),
            ],
        ),
        Section::titled(
            shared::PART_AFTERWARDS,
            &[
                Asked::line(Self::ROOT_CAUSE, |incident| incident.root_cause.as_ref())
                    .hint(texts::ROOT_CAUSE_HINT)
                    .wide()
                    .bulk()
                    .shown_apart(),
                Asked::prose(Self::MEASURES_TAKEN, |incident| incident.measures_taken.as_ref())
                    .bulk()
                    .shown_apart(),
                Asked::prose(Self::LESSONS, |incident| incident.lessons.as_ref()).bulk().shown_apart(),
            ],
        ),
    ];
    const CELLS: &'static [Cell<Self>] = &[Cell::step(
        |visit, incident| {
            let is_decided = incident.decision.is_some();
            cell::steps(visit, incident.status, |to| to != IncidentStatus::Classified || is_decided)
        },
        <Self as RecordSteps>::step,
    )];
    const BULK: &'static [BulkField<Self>] =
        &[BulkField::step(|visit| words::<IncidentStatus>(visit), <Self as RecordSteps>::step)];

    fn proposed(_: &Visit) -> Form {
        Form::filled([("regimes", Regime::Dora.to_string())])
    }

    /// A new incident is asked for what is known as soon as it is detected.
    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&IncidentRow>,
    ) -> Result<Markup, PageError> {
        let ask = Ask { workspace, visit, form, before };
        let first = [Self::TITLE, Self::DETECTED, Self::REGIMES, Self::OWNER, Self::DESCRIPTION];
        match before {
            None => field::only(&ask, &first).await,
            Some(_) => field::sections(&ask).await,
        }
    }

    /// Earlier times that were not edited stay as they are.
    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        before: Option<&IncidentRow>,
    ) -> Result<IncidentInput, Error> {
        let (zone, before) = (&visit.zone, before.map(|row| &row.record.times));
        let findings = pick::ids(workspace, visit, form, "findings", &[PickKind("finding")]).await?;
        let controls = pick::ids(workspace, visit, form, "controls", &[PickKind("control")]).await?;
        let input = IncidentInput {
            title: form.required_change("title"),
            description: form.change("description"),
            owner: form.change("owner"),
            occurred_at: form.moment(zone, "occurred_at", before.and_then(|at| at.occurred_at)),
            logged_at: form.moment(zone, "logged_at", before.and_then(|at| at.logged_at)),
            detected_at: unless_empty(form.moment(zone, "detected_at", before.map(|at| at.detected_at))),
            aware_at: unless_empty(form.moment(zone, "aware_at", before.map(|at| at.aware_at))),
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
        };
        form.finish(Some(input))
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: IncidentId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        detail::page(workspace, visit, id, form).await
    }
}

impl RecordSteps for Incident {
    fn step(form: &Form) -> IncidentInput {
        IncidentInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..IncidentInput::default()
        }
    }
}

/// Times that every incident has: an empty field leaves them as they are, or means now.
fn unless_empty(change: Change<String>) -> Change<String> {
    match change {
        Change::Clear => Change::Keep,
        change => change,
    }
}

/// The functions of the register.
async fn functions(ask: &Ask<'_, Incident>) -> Result<Vec<Choice>, PageError> {
    let known = ask.workspace.app.third_parties.register_functions(ask.visit.caller()).await?;
    Ok(known.into_iter().map(|name| Choice::new(name, "")).collect())
}

async fn providers(ask: &Ask<'_, Incident>) -> Result<Vec<Choice>, PageError> {
    let (app, caller) = (&ask.workspace.app, ask.visit.caller());
    let request = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let known = app.records.records::<Provider>(caller, &ProviderFilter::default(), request).await?.items;
    Ok(known.into_iter().map(|provider| Choice::new(provider.row.record.name.to_string(), "")).collect())
}
