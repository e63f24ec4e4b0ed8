//! Changing an assessment in its list: the status, the owner and the day.

use app::{
    Error,
    assessment::AssessmentView,
    catalogue::{Edition, framework::Requirement},
};
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{
    assessment::{Assessment, AssessmentInput, AssessmentStatus},
    field::Field as Named,
    framework::Framework,
    right::{Resource, Right},
};
use http::StatusCode;
use maud::Markup;

use super::{
    address_of,
    detail::is_of_authority,
    edition,
    form::{filled, label_of},
    framework_address, known, list,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Editing, Posted, Visit},
    form::Form,
    pages::{
        approvals,
        record::{
            self,
            cell::{self, CellForm, Entry},
        },
    },
    respond::{self, Answer},
    texts::record as shared,
    ui::{field, filter},
};

/// The columns whose cells are changed in place, and what the script's keys call them.
const CELLS: [(Named, &str); 3] =
    [(Assessment::STATUS, "status"), (Assessment::OWNER, "owner"), (Assessment::DUE_ON, "day")];

fn may_change(visit: &Visit, requirement: &Requirement, said: &Assessment) -> bool {
    cell::may_write(visit, Resource::Assessments, said.owner.as_ref())
        && !is_of_authority(requirement)
        && filter::as_of(visit).is_none()
}

/// A cell as the link to its form, or as its form.
pub(super) fn shown(
    visit: &Visit,
    (requirement, said): (&Requirement, &Assessment),
    column: &str,
    shown: Markup,
) -> Markup {
    let cell = CELLS.iter().find(|(field, _)| field.name == column);
    match cell.filter(|_| may_change(visit, requirement, said)) {
        Some((field, kind)) => cell::shown_at(visit, (&requirement.id, field.name), kind, &shown),
        None => shown,
    }
}

/// The visit of a list whose address may open a cell.
pub(super) async fn opened(
    workspace: &Workspace,
    visit: &Visit,
    edition: &Edition,
    framework: Framework,
) -> Result<Option<Visit>, PageError> {
    let Some((id, column)) = cell::place_asked(visit) else { return Ok(None) };
    let plain = cell::plain(visit);
    let Ok(requirement) = known(edition, framework.as_str(), &id) else { return Ok(Some(plain)) };
    let (detail, revision) = workspace.app.compliance.assessment(visit.caller(), &id).await?;
    let view = detail.record;
    if !may_change(&plain, requirement, &view.row.assessment) {
        return Ok(Some(plain));
    }
    let form = filled(&view, workspace.app.record_validator(view.row.version, revision));
    let editing = editing(&plain, requirement, &view, &column, &form);
    Ok(Some(plain.editing(&plain.address, editing)))
}

fn editing(
    visit: &Visit,
    requirement: &Requirement,
    view: &AssessmentView,
    column: &str,
    form: &Form,
) -> Option<Editing> {
    let (Named { name: column, label }, _) = CELLS.into_iter().find(|(field, _)| field.name == column)?;
    let said = &view.row.assessment;
    let (entry, now) = match column {
        "status" => {
            let states = field::words::<AssessmentStatus>(visit);
            (Entry::Choices(states), Some(visit.t(said.status.label()).to_owned()))
        }
        "owner" => (Entry::Person, said.owner.as_ref().map(ToString::to_string)),
        _ => (Entry::Day { is_required: false }, said.due_on.map(|day| visit.day(day))),
    };
    let now = now.unwrap_or_else(|| visit.t(shared::NOT_SET).to_owned());
    let cell = CellForm {
        id: &requirement.id,
        record: &requirement.number,
        address: &format!("{}/cell", address_of(requirement)),
        names: (column, column),
        label,
        has_note: column == "status",
        entry,
        now: &now,
    };
    Some(cell.editing(visit, form, |field| label_of(field).filter(|_| field != column)))
}

fn input(column: &str, form: &mut Form) -> AssessmentInput {
    let nothing = AssessmentInput::default();
    match column {
        "status" => AssessmentInput {
            status: form.filled_change("status"),
            reason: form.filled_change("note"),
            ..nothing
        },
        "owner" => AssessmentInput { owner: form.change("owner"), ..nothing },
        _ => AssessmentInput { due_on: form.change("due_on"), ..nothing },
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path((framework, id)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, form: mut sent } = posted;
    visit.caller().require_right(Resource::Assessments, Right::Own)?;
    let edition = edition(&workspace, &visit).await?;
    let requirement = known(&edition, &framework, &id)?;
    let named = sent.value("cell").to_owned();
    let cell = CELLS.into_iter().find(|(field, _)| field.name == named);
    let column = cell.map(|(field, _)| field.name).ok_or(PageError::NotFound)?;
    let address = cell::back_to(sent.value("back"), &framework_address(requirement.framework));
    let (mut detail, _) = workspace.app.compliance.assessment(visit.caller(), &id).await?;
    if sent.value(column) == filled(&detail.record, String::new()).value(column) {
        return respond::go_to(&address);
    }
    let input = input(column, &mut sent);
    let precondition = record::precondition(&sent);
    let status =
        match workspace.app.compliance.change_assessment(visit.caller(), &id, input, precondition).await {
            Ok(_) => return respond::go_to(&cell::said(&address)),
            Err(Error::ApprovalRequired(wanted)) => return respond::go_to(&approvals::address_for(&wanted)),
            Err(Error::Stale) => {
                let (current, revision) = workspace.app.compliance.assessment(visit.caller(), &id).await?;
                let version = current.record.row.version;
                sent.overtake(record::SEEN, workspace.app.record_validator(version, revision));
                detail = current;
                StatusCode::CONFLICT
            }
            Err(error) => {
                sent.refuse(error)?;
                StatusCode::UNPROCESSABLE_ENTITY
            }
        };
    let editing = editing(&visit.editing(&address, None), requirement, &detail.record, column, &sent);
    let mut page = again(&workspace, &visit.editing(&address, editing), &framework).await?;
    *page.status_mut() = status;
    Ok(page)
}

/// The list again, with the form as it was sent.
async fn again(workspace: &Workspace, visit: &Visit, framework: &str) -> Result<Response, PageError> {
    respond::page(list::page(workspace, visit, framework, &Form::default(), None).await?)
}
