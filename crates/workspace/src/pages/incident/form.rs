//! Creating an incident with as few fields as possible, and changing its description.

use app::{
    Error,
    incident::{IncidentChange, IncidentRow},
    provider::ProviderFilter,
    records::PickKind,
};
use domain::{
    change::Change,
    id::IncidentId,
    incident::{Incident, IncidentInput, IncidentStatus, Regime},
    page::PageRequest,
    provider::Provider,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{
        pick,
        record::{
            bulk_field::BulkField,
            cell::{self, Cell},
            form::{FormTexts, RecordForm, RecordSteps, filled},
        },
    },
    route,
    texts::{incident as texts, record as shared},
    ui::field::{self, Choice, Field},
};

impl RecordForm for Incident {
    const ADDRESS: &'static str = route::INCIDENTS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::NEW_INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
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
    const CELLS: &'static [Cell<Self>] = &[
        Cell::step(
            |visit, incident| {
                let is_decided = incident.decision.is_some();
                cell::steps(visit, incident.status, |to| to != IncidentStatus::Classified || is_decided)
            },
            <Self as RecordSteps>::step,
        ),
        Cell::owner(|incident| incident.owner.as_ref()),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::step(|visit| field::words::<IncidentStatus>(visit), <Self as RecordSteps>::step),
        BulkField::person("owner", shared::OWNER),
        BulkField::prose("description", shared::DESCRIPTION),
        BulkField::prose("root_cause", texts::ROOT_CAUSE),
        BulkField::prose("measures_taken", texts::MEASURES_TAKEN),
        BulkField::prose("lessons", texts::LESSONS),
    ];

    fn proposed(_: &Visit) -> Form {
        Form::filled([("regimes", Regime::Dora.to_string())])
    }

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&IncidentRow>,
    ) -> Result<Markup, PageError> {
        match before {
            None => Ok(first_fields(visit, form)),
            Some(_) => all_fields(workspace, visit, form).await,
        }
    }

    /// Earlier times that were not edited stay as they are.
    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        before: Option<&IncidentRow>,
    ) -> Result<IncidentChange, Error> {
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
        form.finish(Some(IncidentChange::Fields(Box::new(input))))
    }

    async fn filled(
        workspace: &Workspace,
        visit: &Visit,
        row: &IncidentRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let (record, at) = (&row.record, &row.record.times);
        let findings =
            pick::labels(workspace, visit, record.findings.iter().map(ToString::to_string)).await?;
        let controls =
            pick::labels(workspace, visit, record.controls.iter().map(ToString::to_string)).await?;
        let time = |at| field::moment_value(visit, at);
        let mut pairs = vec![
            ("title", record.title.to_string()),
            ("description", filled(record.description.as_ref())),
            ("owner", filled(record.owner.as_ref())),
            ("occurred_at", time(at.occurred_at)),
            ("logged_at", time(at.logged_at)),
            ("detected_at", time(Some(at.detected_at))),
            ("aware_at", time(Some(at.aware_at))),
            ("recovered_at", time(at.recovered_at)),
            ("resolved_at", time(at.resolved_at)),
            ("functions", record.functions.join("\n")),
            ("providers", record.providers.join("\n")),
            ("findings", findings),
            ("controls", controls),
            ("root_cause", filled(record.root_cause.as_ref())),
            ("measures_taken", filled(record.measures_taken.as_ref())),
            ("lessons", filled(record.lessons.as_ref())),
        ];
        pairs.extend(record.regimes.iter().map(|regime| ("regimes", regime.to_string())));
        Ok(pairs)
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
    fn step(form: &Form) -> IncidentChange {
        IncidentChange::Fields(Box::new(IncidentInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..IncidentInput::default()
        }))
    }
}

/// What is asked when an incident has just been detected.
fn first_fields(visit: &Visit, form: &Form) -> Markup {
    html! {
        (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).focused().render())
        (Field::moment(visit, form, "detected_at", texts::DETECTED).hint(texts::WHEN_HINT).optional().render())
        (regimes(visit, form))
        (Field::person(visit, form, "owner", shared::OWNER).render())
        (field::area(visit, form, "description", shared::DESCRIPTION, None))
    }
}

async fn all_fields(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let links = links(workspace, visit, form).await?;
    let time = |name, label| Field::moment(visit, form, name, label).optional();
    Ok(html! {
        (field::section(visit, shared::PART_BASICS, &html! {
            (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
            (field::area(visit, form, "description", shared::DESCRIPTION, None))
            (Field::person(visit, form, "owner", shared::OWNER).render())
            (regimes(visit, form))
        }))
        (field::section(visit, shared::PART_TIMES, &html! {
            div.columns {
                (time("occurred_at", texts::OCCURRED).render())
                (time("logged_at", texts::LOGGED).render())
                (Field::moment(visit, form, "detected_at", texts::DETECTED).render())
                (Field::moment(visit, form, "aware_at", texts::AWARE).hint(texts::AWARE_HINT).render())
                (time("recovered_at", texts::RECOVERED).render())
                (time("resolved_at", texts::RESOLVED).render())
            }
        }))
        (field::section(visit, shared::PART_LINKS, &links))
        (field::section(visit, shared::PART_AFTERWARDS, &html! {
            (Field::text(visit, form, "root_cause", texts::ROOT_CAUSE)
                .hint(texts::ROOT_CAUSE_HINT).optional().at_most(Name::MAX).render())
            (field::area(visit, form, "measures_taken", texts::MEASURES_TAKEN, None))
            (field::area(visit, form, "lessons", texts::LESSONS, None))
        }))
    })
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

/// Times that every incident has: an empty field leaves them as they are, or means now.
fn unless_empty(change: Change<String>) -> Change<String> {
    match change {
        Change::Clear => Change::Keep,
        change => change,
    }
}

/// The links, each with what it can name as suggestions.
async fn links(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let functions = app.register_functions(caller).await?.into_iter();
    let functions: Vec<_> = functions.map(|name| Choice::new(name, "")).collect();
    let request = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let providers = app.records::<Provider>(caller, &ProviderFilter::default(), request).await?.items;
    let provider =
        |provider: app::provider::ProviderView| Choice::new(provider.row.record.name.to_string(), "");
    let providers: Vec<_> = providers.into_iter().map(provider).collect();
    Ok(html! {
        (field::suggested(visit, form, "functions", texts::FUNCTIONS, None, &functions))
        (field::suggested(visit, form, "providers", texts::PROVIDERS, None, &providers))
        (pick::fields(workspace, visit, form, ("findings", texts::FINDINGS), &[PickKind("finding")]).await?)
        (pick::fields(workspace, visit, form, ("controls", texts::CONTROLS), &[PickKind("control")]).await?)
    })
}
