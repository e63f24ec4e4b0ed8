//! One incident on one page: its clocks, the next steps, its classification, its facts and its log.

use app::{
    archive::Removal,
    history::Detail,
    incident::{IncidentView, SeriesView},
};
use domain::{
    approval::ApprovalAction,
    cra_report::CraReport,
    evidence::LinkType,
    format,
    id::IncidentId,
    incident::{CostKind, Incident, IncidentStatus, due::Stage, threat::is_significant},
    money::Money,
    right::{Resource, Right},
    text::Prose,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    address_of, classify, clock, fact, facts, filed, links, log, next, outcome_badge, product, tone,
};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{approvals, evidence, past, record},
    texts::{incident as texts, record as shared},
    ui::{self, badge::badge, history},
};

const DONE: [(&str, Label); 5] = [
    ("cra", texts::CRA_DONE),
    ("logged", texts::LOGGED_DONE),
    ("classified", texts::CLASSIFIED_DONE),
    ("facts", texts::FACTS_DONE),
    ("stamped", texts::STAMPED_DONE),
];

/// What the page asks for that is no field of an incident.
const NAMES: [(&str, Label); 8] = [
    ("cra_kind", CraReport::KIND.label),
    ("product.name", CraReport::PRODUCT_NAME.label),
    ("severity", CraReport::SEVERITY.label),
    ("note", shared::NOTE),
    ("at", Incident::CLASSIFIED_AT.label),
    ("text", texts::LOG_TEXT),
    ("kind", texts::LOG_KIND),
    ("log_at", texts::LOG_AT),
];

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: IncidentId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let (Detail { record: incident, history: steps, .. }, revision) =
        app.records.record::<Incident>(caller, id).await?;
    let validator = app.record_validator(incident.row.version, revision);
    let changes = app.records.record_changes(caller, id).await?;
    let authors = facts::authors(&changes);
    let status_badge = |word: &str| record::status_badge(visit, word, tone);
    let past = past::section(workspace, visit, id, &steps, status_badge).await?;
    let log = log::section(workspace, visit, id, form).await?;
    let series = app.resilience.incident_series(caller, &incident.row).await?;
    let links = links::section(workspace, visit, &incident).await?;
    let product = product::section(workspace, visit, &incident, &validator, form).await?;
    let (t, may_write) = (
        |label| visit.t(label),
        visit.may(Resource::Incidents, Right::Write) && incident.row.archived_at.is_none(),
    );
    let evidence = evidence::section(
        workspace,
        visit,
        LinkType::Incident,
        id,
        visit.may(Resource::Evidence, Right::Write),
    )
    .await?;
    // Incidents are never deleted.
    let removal = match app.records.removal::<Incident>(caller, id).await? {
        Removal::Delete if incident.row.record.status.is_open() => Removal::FinishFirst,
        Removal::Delete => Removal::Archive,
        other => other,
    };
    let may_decide = visit.may(Resource::Incidents, Right::Decide);
    let asked = [ApprovalAction::Classify].into_iter().filter(|_| may_write && !may_decide);
    let asked = asked
        .chain((may_write && removal == Removal::Archive && !may_decide).then_some(ApprovalAction::Archive));
    let waiting = approvals::offer(workspace, visit, id.to_string(), asked).await?;
    let (address, record) = (address_of(id), &incident.row.record);
    let intro = format!("{} · {}", record.reference, regimes(visit, record));
    let actions = html! {
        a.button href={ (address) ".pdf" } { "PDF" }
        @if may_write { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let of_facts = fact::names();
    let of_facts = of_facts.iter().map(|(name, label)| (name.as_str(), *label));
    let names: Vec<(&str, Label)> = NAMES.into_iter().chain(of_facts).collect();
    let done: Vec<_> = record::DONE.iter().chain(&DONE).copied().collect();
    let content = html! {
        (ui::head(record.title.as_str(), &intro, Some(actions)))
        (ui::notice::done(visit, &done))
        (record::archived(visit, &address, incident.row.archived_at, visit.may(Resource::Incidents, Right::Decide)))
        (facts::meanwhile(visit, &incident, form))
        @if !form.pairs().any(|(name, _)| name.starts_with("was.")) { (record::overtaken(visit, form, &address)) }
        (record::form::complaints::<Incident>(visit, form, &names))
        div.row {
            (badge(tone(record.status), t(record.status.label())))
            (outcome_badge(visit, incident.result()))
        }
        div.split {
            div {
                (next::section(visit, &incident))
                (clock::running(visit, &incident))
                (facts::section(visit, &incident, form, &authors))
                (classify::section(visit, &incident, &changes))
                (clock::others(visit, &incident))
                (product)
            }
            div {
                (waiting)
                (times(visit, &incident))
                @if visit.may(Resource::Incidents, Right::Decide) && incident.row.archived_at.is_none() { (classify::form(visit, &incident, &validator, form)) }
                @if may_write {
                    (ui::section(t(shared::NEXT_STEP), &history::moves(visit, form, &format!("{address}/move"),
                        record.status, |status| status != IncidentStatus::Classified || record.decision.is_some())))
                }
                (log)
                (filed::list(visit, &incident))
                (links)
                (evidence)
                (afterwards(visit, &incident))
                (costs(visit, &incident))
                (series_part(visit, series.as_ref()))
                (threat(visit, &incident))
                (past)
                @if visit.may(Resource::Incidents, Right::Decide) { div #incident { (record::removal(visit, &address, record.title.as_str(), removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, record.title.as_str(), &content))
}

fn regimes(visit: &Visit, record: &Incident) -> String {
    record.regimes.iter().map(|regime| visit.t(regime.label())).collect::<Vec<_>>().join(", ")
}

fn times(visit: &Visit, incident: &IncidentView) -> Markup {
    let (record, t) = (&incident.row.record, |label| visit.t(label));
    let content = html! {
        dl.facts { (record::field::facts(visit, record)) }
        (record::field::passages(visit, record))
    };
    ui::section(t(texts::INCIDENT), &content)
}

fn afterwards(visit: &Visit, incident: &IncidentView) -> Markup {
    let record = &incident.row.record;
    if record.root_cause.is_none() && record.measures_taken.is_none() && record.lessons.is_none() {
        return html! {};
    }
    let content = html! {
        @if let Some(cause) = &record.root_cause {
            h2.part { (visit.t(Incident::ROOT_CAUSE.label)) } p.prose { (cause.as_str()) }
        }
        (record::passage(visit, Incident::MEASURES_TAKEN.label, record.measures_taken.as_ref().map(Prose::as_str)))
        (record::passage(visit, Incident::LESSONS.label, record.lessons.as_ref().map(Prose::as_str)))
    };
    ui::section(visit.t(texts::AFTERWARDS), &content)
}

fn costs(visit: &Visit, incident: &IncidentView) -> Markup {
    let facts = &incident.row.record.facts;
    let known: Vec<(CostKind, u64)> =
        CostKind::ALL.iter().filter_map(|kind| Some((*kind, facts.dora.costs.of(*kind)?))).collect();
    if known.is_empty() {
        return html! {};
    }
    let money = |amount: u64| {
        let amount = i64::try_from(amount).unwrap_or(i64::MAX);
        format::money(visit.language, Money { amount, currency: facts.currency })
    };
    let sum = known.iter().fold(0_u64, |sum, (_, amount)| sum.saturating_add(*amount));
    let content = html! {
        dl.facts {
            @for (kind, amount) in &known { dt { (visit.t(kind.label())) } dd { (money(*amount)) } }
            dt { strong { (visit.t(texts::COSTS_SUM)) } } dd { strong { (money(sum)) } }
        }
    };
    ui::section(visit.t(texts::COSTS), &content)
}

fn series_part(visit: &Visit, series: Option<&SeriesView>) -> Markup {
    let Some(series) = series else { return html! {} };
    let result = visit.t(series.outcome().label());
    let reasons: Vec<_> = series.reasons().iter().collect();
    let content = html! {
        p { (visit.fill(texts::SERIES_HELP, &[("result", &result)])) }
        ul.bullets {
            @for row in &series.members {
                li { a href=(address_of(row.id)) { (row.record.reference) " " (row.record.title.as_str()) } }
            }
        }
        details { summary { (visit.t(Incident::CLASSIFICATION.label)) } (classify::reasons_table(visit, &reasons)) }
    };
    ui::section(visit.t(Incident::SERIES.label), &content)
}

/// The voluntary notice, which has no deadline.
fn threat(visit: &Visit, incident: &IncidentView) -> Markup {
    if !incident.row.record.regimes.contains(&domain::incident::Regime::Dora) {
        return html! {};
    }
    let address = format!("{}/reports/dora/{}", address_of(incident.row.id), Stage::ThreatNotice);
    let significant = is_significant(&incident.row.record.facts.threat);
    let content = html! {
        p.hint { (visit.t(texts::THREAT_HELP)) }
        p { (visit.t(texts::SIGNIFICANT_THREAT)) ": " strong { (visit.t(significant.label())) } }
        (ui::link_button(&address, visit.t(texts::OPEN_REPORT), false))
    };
    ui::section(visit.t(texts::THREAT), &content)
}
