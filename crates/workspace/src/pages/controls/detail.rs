//! One control: the requirements it addresses, its effectiveness, and its performances.

use app::{
    catalogue::Edition, control::ControlView, history::Detail, records::RecordKind as _,
    tested_control::ControlTests,
};
use domain::{
    control::{Control, ControlStatus},
    evidence::LinkType,
    id::ControlId,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, due, effectiveness, performance};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        assessments, evidence, past,
        record::{
            self,
            correction::{self, Corrections},
        },
        reference::measure_address,
    },
    route,
    texts::{common, control as texts, record as shared},
    ui::{self, badge::badge, notice::complaints},
};

const DONE: [(&str, Label); 1] = [("performed", texts::WAS_PERFORMED)];

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: ControlId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record: mut control, history: steps, corrections }, _) =
        workspace.app.records.record::<Control>(visit.caller(), id).await?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    Control::translate(&mut control, &edition, visit.language);
    let shown = |word: &str| record::status_badge(visit, word, record::control_tone);
    let past = past::section(workspace, visit, id, &steps, shown).await?;
    let performed = workspace.app.compliance.control_performances(visit.caller(), id).await?;
    let actors = performed.iter().map(|row| row.actor.clone()).collect();
    let corrections = Corrections::of(workspace, visit, corrections, actors).await?;
    let measure = control.row.record.measure_id.clone();
    let tests = workspace.app.resilience.tests_of_control(visit.caller(), id, measure).await?;
    let owner = control.row.record.owner.as_ref();
    let may_write = workspace.app.people.may_change(visit.caller(), Resource::Controls, owner).await?
        && control.row.archived_at.is_none();
    let may_attach = visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::Control, id, may_attach).await?;
    let removal = workspace.app.records.removal::<Control>(visit.caller(), id).await?;
    let is_ahead = matches!(control.row.record.status, ControlStatus::Planned | ControlStatus::InProgress);
    let t = |label| visit.t(label);
    let (address, title) = (address_of(id), control.row.record.title.as_str());
    let actions = html! {
        @if may_write { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let own = [("on", texts::PERFORMED_ON), ("note", texts::PERFORM_NOTE), ("control", texts::CONTROL)];
    let names: Vec<_> = own.into_iter().chain(correction::NAMES).collect();
    let content = html! {
        (ui::head(title, &control.row.record.reference.to_string(), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (ui::notice::done(visit, &DONE))
        (record::archived(visit, &address, control.row.archived_at, visit.may(Resource::Controls, Right::Decide)))
        (complaints(visit, form, &names))
        div.split {
            div {
                section.card {
                    (facts(visit, &edition, &control))
                    (record::field::passages(visit, &control.row.record))
                }
                (answers(visit, &edition, &control))
                (tested(visit, &tests))
                (evidence)
            }
            div {
                @if visit.may(Resource::Performances, Right::Write) && control.row.archived_at.is_none() { (ui::section(t(texts::PERFORM), &performance::performing(visit, form, &address, may_write && is_ahead))) }
                (ui::section(t(texts::PERFORMANCES), &performance::list(visit, &address, &performed, &corrections, form)))
                (past)
                @if visit.may(Resource::Controls, Right::Decide) { div #control { (record::removal(visit, &address, title, removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn facts(visit: &Visit, edition: &Edition, control: &ControlView) -> Markup {
    let (record, t) = (&control.row.record, |label| visit.t(label));
    let measure = record.measure_id.as_ref().map(|id| {
        let title = edition.measures.get(id).map_or(id.as_str(), |found| found.title.get(visit.language));
        html! { a href=(measure_address(id)) { (title) } }
    });
    let by_rule = visit.fill(texts::BY_RULE, &[("word", &t(record.computed.label()))]);
    html! {
        div.row {
            (badge(record::control_tone(record.status), t(record.status.label())))
            (record::library_badge(visit, &control.library_texts))
        }
        dl.facts {
            dt { (t(Control::EFFECTIVENESS.label)) }
            dd {
                (effectiveness(visit, record.effectiveness()))
                @if let Some(overrule) = &record.overrule {
                    p.hint { (visit.fill(texts::OVERRULED, &[("reason", &overrule.reason)])) }
                    p.hint { (by_rule) }
                }
            }
            (record::field::facts(visit, record))
            dt { (t(Control::LAST_PERFORMED_ON.label)) } dd { (visit.day_or_none(record.last_performed_on)) }
            dt { (t(Control::NEXT_DUE_ON.label)) } dd { (due(visit, record.next_due_on)) }
            dt { (t(Control::MEASURE.label)) } dd { (measure.unwrap_or_else(|| visit.or_none(None::<&str>))) }
            dt { (t(Control::OPEN_FINDINGS.label)) } dd { (control.open_findings) }
            dt { (t(common::CHANGED)) } dd { (visit.time(control.row.updated_at)) }
        }
    }
}

fn answers(visit: &Visit, edition: &Edition, control: &ControlView) -> Markup {
    let known = control.requirements.iter().filter_map(|id| edition.requirements.get(id));
    html! {
        @if !control.requirements.is_empty() {
            details.card {
                summary { strong { (visit.t(texts::ANSWERS)) } " " span.quiet { (control.requirements.len()) } }
                ul.plain {
                    @for requirement in known {
                        li {
                            a href=(assessments::address_of(requirement)) {
                                (requirement.framework.name()) " " (requirement.number) ": "
                                (requirement.title.get(visit.language))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The open findings and the tests that name the control or its measure.
fn tested(visit: &Visit, tests: &ControlTests) -> Markup {
    html! {
        @if !tests.findings.is_empty() {
            (ui::section(visit.t(Control::OPEN_FINDINGS.label), &html! {
                ul.steps {
                    @for row in &tests.findings {
                        li {
                            a href={ (route::FINDINGS) "/" (row.id) } { (row.record.reference) " " (row.record.title.as_str()) }
                            (record::severity_badge(visit, row.record.severity))
                        }
                    }
                }
            }))
        }
        @if !tests.test_cases.is_empty() {
            (ui::section(visit.t(texts::TESTS), &html! {
                ul.steps {
                    @for row in &tests.test_cases {
                        li {
                            a href={ (route::TEST_CASES) "/" (row.id) } { (row.record.title.as_str()) }
                            (badge(record::test_case_tone(row.record.status), visit.t(row.record.status.label())))
                        }
                    }
                }
            }))
        }
    }
}
