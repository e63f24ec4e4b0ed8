//! The form of an incident's facts. Each fact shows its last author and time; only changed facts are saved, so two
//! users may enter different facts at the same time.

use std::collections::HashMap;

use app::{
    audit::Who,
    incident::{IncidentChange, IncidentView},
    pages::Precondition,
    record_change::{ChangeKind, RecordChange},
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    incident::{Facts, Incident, IncidentInput, Regime},
    moment::Moment,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{
    address_of, detail,
    fact::{self, FactField, Kind},
    incident_id,
};
use crate::{
    Workspace,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, incident as texts, incident_fact},
    ui::{
        self,
        badge::Tone,
        field::{self, Choice, Field},
        history,
        notice::notice,
    },
};

/// The last author of each fact, and the time.
pub(super) type Authors<'c> = HashMap<&'c str, (&'c Who, Moment)>;

/// From the changes of the record, newest first. Facts that were never changed came with the incident.
pub(super) fn authors(changes: &[RecordChange]) -> Authors<'_> {
    let mut authors: Authors<'_> = HashMap::new();
    for change in changes {
        if change.kind == ChangeKind::Created {
            authors.entry("").or_insert((&change.who, change.at));
        }
        for name in change.fields.iter().filter_map(|each| each.field.strip_prefix("facts.")) {
            authors.entry(name).or_insert((&change.who, change.at));
        }
    }
    authors
}

/// The form with the facts as they are.
fn filled(view: &View, facts: &Facts, regimes: &[Regime]) -> Form {
    let mut pairs = Vec::new();
    for each in fact::groups(regimes).flat_map(|group| group.fields) {
        let value_text = each.value_text(view, facts);
        pairs.push((each.before(), value_text.clone()));
        match each.kind {
            Kind::Reputation | Kind::DataLoss => {
                pairs.extend(value_text.split(", ").map(|word| (each.input(), word.to_owned())));
            }
            _ => pairs.push((each.input(), value_text)),
        }
    }
    Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

pub(super) fn section(visit: &Visit, incident: &IncidentView, form: &Form, authors: &Authors<'_>) -> Markup {
    let record = &incident.row.record;
    let is_sent = form.pairs().any(|(name, _)| name.starts_with("was."));
    let before = filled(visit, &record.facts, &record.regimes);
    let form = if is_sent { form } else { &before };
    let may_write = visit.may(Resource::Incidents, Right::Write);
    let content = html! {
        p.hint { (visit.t(texts::FACTS_HELP)) }
        form method="post" action={ (address_of(incident.row.id)) "/facts" } {
            (visit.form_token())
            @if form.is_overtaken() { input type="hidden" name="anyway" value="1"; }
            @for (place, group) in fact::groups(&record.regimes).enumerate() {
                @let known = known(visit, &record.facts, group.fields);
                // What nothing is known about stays folded, except the first group, with which one begins.
                details open[place == 0 || is_sent || known > 0] {
                    summary { (visit.t(group.label)) " " span.quiet { (known) "/" (group.fields.len()) } }
                    fieldset.columns disabled[!may_write] {
                        @for each in group.fields { (entry(visit, form, each, &record.facts, authors)) }
                    }
                }
            }
            @if may_write {
                div.form-end { button.button.primary type="submit" { (visit.t(texts::SAVE_FACTS)) } }
            }
        }
    };
    html! { div #facts { (ui::section(visit.t(Incident::FACTS.label), &content)) } }
}

/// How many facts of a group are known.
fn known(view: &View, facts: &Facts, fields: &[FactField]) -> usize {
    fields.iter().filter(|each| !each.value_text(view, facts).is_empty()).count()
}

fn entry(view: &View, form: &Form, each: &FactField, facts: &Facts, authors: &Authors<'_>) -> Markup {
    let (input, before) = (each.input(), each.before());
    let name = each.name.split('.').next().unwrap_or(each.name);
    let by =
        authors.get(name).or_else(|| authors.get("")).filter(|_| !each.value_text(view, facts).is_empty());
    html! {
        div {
            input type="hidden" name=(before) value=(form.value(&before));
            (control(view, form, each, &input))
            @if let Some((who, at)) = by {
                p.hint {
                    (view.fill(texts::LAST_CHANGED,
                        &[("who", &history::author(view, Some(*who))), ("when", &view.moment(*at))]))
                }
            }
        }
    }
}

fn control(view: &View, form: &Form, each: &FactField, input: &str) -> Markup {
    let label = each.label();
    let worded = |all: Vec<(&'static str, domain::wording::Label)>| -> Vec<Choice> {
        all.into_iter().map(|(word, label)| Choice::new(word, view.t(label))).collect()
    };
    let unknown = Choice::new("", view.t(texts::UNKNOWN));
    match each.kind {
        Kind::Flag => {
            let choices =
                [unknown, Choice::new("yes", view.t(common::YES)), Choice::new("no", view.t(common::NO))];
            field::select(view, form, input, label, &choices)
        }
        Kind::Provider | Kind::Risk => {
            let mut choices = vec![unknown];
            choices.extend(worded(fact::words(each.kind)));
            field::select(view, form, input, label, &choices)
        }
        Kind::DataLoss => field::choices(view, form, input, label, true, &worded(fact::words(each.kind))),
        Kind::Reputation => {
            let mut choices = worded(fact::words(each.kind));
            choices.push(Choice::new(fact::NONE, view.t(texts::NONE_OF_THEM)));
            field::choices(view, form, input, label, true, &choices)
        }
        Kind::Moment => Field::moment(view, form, input, label).optional().render(),
        Kind::States => {
            Field::text(view, form, input, label).hint(incident_fact::MEMBER_STATES_HINT).optional().render()
        }
        Kind::Count | Kind::Amount | Kind::Cost(_) | Kind::Currency | Kind::Rate => {
            Field::text(view, form, input, label).optional().render()
        }
    }
}

/// Shown above the facts when another user changed the same ones.
pub(super) fn meanwhile(view: &View, incident: &IncidentView, form: &Form) -> Markup {
    let record = &incident.row.record;
    if !form.is_overtaken() {
        return html! {};
    }
    let all = fact::overtaken(view, form, &record.facts, &record.regimes);
    let said = html! {
        ul {
            @for (each, now) in &all {
                li {
                    @let value = if now.is_empty() { view.t(texts::UNKNOWN) } else { now.as_str() };
                    (view.fill(texts::MEANWHILE, &[("name", &view.t(each.label())), ("value", &value)]))
                }
            }
        }
    };
    html! { @if !all.is_empty() { (notice(Tone::Warning, view.t(crate::texts::error::STALE), &said)) } }
}

pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, incident_id(&id)?);
    visit.caller().require_right(Resource::Incidents, Right::Write)?;
    let (detail, _) = workspace.app.records.record::<Incident>(visit.caller(), id).await?;
    let record = &detail.record.row.record;
    let taken = fact::overtaken(&visit, &form, &record.facts, &record.regimes);
    if !taken.is_empty() && form.value("anyway") != "1" {
        form.overtake("anyway", "1".to_owned());
        return respond::overtaken(detail::page(&workspace, &visit, id, &form).await?);
    }
    let changes = fact::changes(&visit, &mut form, &record.facts, &record.regimes);
    let input = IncidentInput { facts: Change::Set(changes), ..IncidentInput::default() };
    let saved = match form.finish(Some(input)) {
        Ok(input) => {
            let change = IncidentChange::from(input);
            workspace
                .app
                .records
                .change_record::<Incident>(visit.caller(), id, change, Precondition::None)
                .await
                .map(|_| ())
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "facts")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}
