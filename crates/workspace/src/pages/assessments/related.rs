//! Related requirements: those of other frameworks that a crosswalk relates to this one, and copying the answer to
//! them.

use std::collections::HashMap;

use app::{
    Error,
    assessment::{AssessmentRow, AssessmentView},
    catalogue::{
        Edition,
        crosswalk::{Crosswalk, Related},
        framework::Requirement,
        own::OWN_SOURCE,
    },
};
use axum::extract::{Path, State};
use domain::{
    assessment::{AssessmentStatus, CarriedFrom},
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, detail::refused, edition, known, status_badge};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    pages::approvals,
    respond::{self, Answer},
    route,
    texts::{assessment as texts, common},
    ui::table::{Column, table},
};

/// Requirements of other frameworks that a crosswalk relates to this one, each with its assessment.
pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    edition: &Edition,
    requirement: &Requirement,
    view: &AssessmentView,
) -> Result<Markup, PageError> {
    let related: Vec<Related<'_>> = edition.related_to(&requirement.id).collect();
    if related.is_empty() {
        return Ok(html! {});
    }
    let ids = related.iter().map(|related| related.requirement.id.to_string()).collect();
    let said = workspace.app.compliance.said_about(visit.caller(), ids).await?;
    let may_carry = visit.may(Resource::Assessments, Right::Write)
        && view.row.assessment.status != AssessmentStatus::NotAssessed;
    let columns = [
        Column::text(visit.t(texts::REQUIREMENT)),
        Column::tight(visit.t(common::STATUS)),
        Column::actions(visit.t(common::ACTIONS)),
    ];
    let rows: Vec<_> =
        related.iter().map(|related| related_cells(visit, requirement, related, &said, may_carry)).collect();
    Ok(html! {
        details.card open[may_carry] {
            summary { strong { (visit.t(texts::RELATED)) } " " span.quiet { (rows.len()) } }
            p.hint { (visit.t(texts::RELATED_HELP)) }
            (table(visit.t(texts::RELATED), &columns, &rows))
        }
    })
}

fn related_cells(
    visit: &Visit,
    from: &Requirement,
    related: &Related<'_>,
    said: &HashMap<String, AssessmentRow>,
    may_carry: bool,
) -> Vec<Markup> {
    let Related { requirement, relation, crosswalk, reason } = related;
    let status =
        said.get(&*requirement.id).map_or(AssessmentStatus::NotAssessed, |row| row.assessment.status);
    vec![
        html! {
            (visit.t(relation.label())) " "
            a href=(address_of(requirement)) {
                (requirement.framework.name()) " " (requirement.number) ": " (requirement.title.get(visit.language))
            }
            br;
            span.hint { (reason.get(visit.language)) " " (author(visit, crosswalk)) }
        },
        status_badge(visit, status),
        html! {
            @if may_carry {
                form.inline method="post" action={ (address_of(from)) "/carry" } {
                    (visit.form_token())
                    input type="hidden" name="to" value=(requirement.id);
                    button.button type="submit" {
                        (visit.t(texts::CARRY)) span.unseen { " " (requirement.number) }
                    }
                }
            }
        },
    ]
}

/// Who relates the two requirements.
fn author(visit: &Visit, crosswalk: &Crosswalk) -> String {
    if *crosswalk.source == *OWN_SOURCE {
        return visit.fill(texts::BASED_ON, &[("framework", &crosswalk.from.name())]);
    }
    format!("{}, {}", crosswalk.source, crosswalk.licence)
}

/// Where the answer was carried over from, and by which crosswalk.
pub(super) fn carried(visit: &Visit, edition: &Edition, from: &CarriedFrom) -> String {
    let crosswalk = edition.crosswalks.get(&from.crosswalk);
    // A crosswalk that the catalogue no longer contains is known by its id alone.
    let crosswalk = crosswalk.map_or(from.crosswalk.as_str(), |found| found.title.get(visit.language));
    let requirement = edition.title_of(&from.requirement, visit.language);
    let requirement = requirement.unwrap_or_else(|| from.requirement.clone());
    visit.fill(texts::CARRIED, &[("requirement", &requirement), ("crosswalk", &crosswalk)])
}

pub(super) async fn carry(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Assessments, Right::Own)?;
    let edition = edition(&workspace, &visit).await?;
    let requirement = known(&edition, &framework, &id)?;
    match workspace.app.compliance.carry_assessment(visit.caller(), &id, form.value("to")).await {
        Ok(_) => respond::go_to(&route::done(&address_of(requirement), "carried")),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(error) => {
            form.refuse(error)?;
            refused(&workspace, &visit, (&framework, &id), form).await
        }
    }
}
