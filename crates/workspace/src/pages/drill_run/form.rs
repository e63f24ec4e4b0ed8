//! Planning and changing a run.

use app::{
    Error,
    drill_run::{DrillRunChange, DrillRunRow},
    test_case::TestCaseFilter,
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    drill_run::{DrillRun as Record, DrillRunInput},
    id::DrillRunId,
    page::PageRequest,
    test_case::TestCase,
    test_type::TestType,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, run_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{record, reference::edition},
    respond::{self, Answer},
    route,
    texts::{common, drill_run as texts, record as shared},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 6] = [
    ("scenario", texts::SCENARIO),
    ("title", texts::HEADING),
    ("planned_for", texts::PLANNED_FOR),
    ("participants", texts::PARTICIPANTS),
    ("programme_id", shared::PROGRAMME),
    ("test_case_id", texts::TEST_CASE),
];

/// The title of the page, the target of its form, and the label of its button.
struct Purpose<'p> {
    title: Label,
    action: &'p str,
    submit: Label,
    is_new: bool,
}

const PLANNING: Purpose<'static> =
    Purpose { title: texts::NEW, action: route::DRILL_RUNS, submit: texts::PLAN, is_new: true };

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let form = Form::filled([("scenario", visit.query("scenario").unwrap_or_default())]);
    respond::page(page(&workspace, &visit, &form, &PLANNING).await?)
}

async fn page(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    purpose: &Purpose<'_>,
) -> Result<Markup, PageError> {
    let edition = edition(workspace)?;
    let scenarios: Vec<_> = edition
        .drills
        .iter()
        .map(|drill| Choice::new(drill.id.to_string(), drill.title.get(visit.language)))
        .collect();
    let mut programmes = vec![Choice::new("", visit.t(shared::NO_PROGRAMME))];
    programmes.extend(record::programme_choices(&workspace.app, visit.caller()).await?);
    let test_cases = test_cases(workspace, visit).await?;
    let content = html! {
        (ui::head(visit.t(purpose.title), visit.t(texts::INTRO), None))
        (record::overtaken(visit, form, purpose.action))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(purpose.action) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            @if purpose.is_new { (field::select(visit, form, "scenario", texts::SCENARIO, &scenarios)) }
            (Field::text(visit, form, "title", texts::HEADING).hint(texts::HEADING_HINT).optional()
                .at_most(Name::MAX).render())
            (Field::day(visit, form, "planned_for", texts::PLANNED_FOR).render())
            (field::area(visit, form, "participants", texts::PARTICIPANTS, Some(texts::PARTICIPANTS_HINT)))
            p.hint { (visit.t(texts::PROGRAMME_HINT)) }
            div.columns {
                (field::select(visit, form, "programme_id", shared::PROGRAMME, &programmes))
                (field::select(visit, form, "test_case_id", texts::TEST_CASE, &test_cases))
            }
            div.form-end {
                button.button.primary type="submit" { (visit.t(purpose.submit)) }
                a.button href=(purpose.action) { (visit.t(common::CANCEL)) }
            }
        }
    };
    Ok(ui::layout::page(visit, visit.t(purpose.title), &content))
}

/// The test cases that a run can execute.
async fn test_cases(workspace: &Workspace, visit: &Visit) -> Result<Vec<Choice>, PageError> {
    let filter = TestCaseFilter { test_type: Some(TestType::ScenarioBasedTest), ..Default::default() };
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = workspace.app.records::<TestCase>(visit.caller(), &filter, all).await?;
    let mut choices = vec![Choice::new("", visit.t(texts::NO_TEST_CASE))];
    choices.extend(
        page.items
            .into_iter()
            .map(|found| Choice::new(found.row.id.to_string(), found.row.record.title.as_str())),
    );
    Ok(choices)
}

/// The form as domain input. A programme that follows from the test case need not be chosen as well.
fn input(visit: &Visit, form: &Form) -> DrillRunChange {
    let test_case_id = form.change("test_case_id");
    let programme_id = match (&test_case_id, form.change("programme_id")) {
        (Change::Set(_), _) => Change::Keep,
        (_, chosen) => chosen,
    };
    DrillRunChange::Fields(Box::new(DrillRunInput {
        scenario: form.change("scenario"),
        title: form.filled_change("title"),
        planned_for: form.required_change("planned_for"),
        participants: form.lines("participants"),
        programme_id,
        test_case_id,
        language: visit.language,
        ..DrillRunInput::default()
    }))
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let input = input(&visit, &form);
    match workspace.app.create_record::<Record>(visit.caller(), input, None, |_| String::new()).await {
        Ok(created) => {
            let address = format!("{}/{}", route::DRILL_RUNS, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form, &PLANNING).await?)
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let (detail, revision) = workspace.app.record::<Record>(visit.caller(), run_id(&id)?).await?;
    let row = &detail.record.row;
    let validator = workspace.app.record_validator(row.version, revision);
    respond::page(edit_page(&workspace, &visit, row.id, &filled(row, validator)).await?)
}

fn filled(row: &DrillRunRow, validator: String) -> Form {
    let record = &row.record;
    let names: Vec<&str> = record.participants.iter().map(Name::as_str).collect();
    Form::filled([
        (record::SEEN, validator),
        ("title", record.title.to_string()),
        ("planned_for", record.planned_for.to_string()),
        ("participants", names.join("\n")),
        ("programme_id", record.programme_id.map(|id| id.to_string()).unwrap_or_default()),
        ("test_case_id", record.test_case_id.map(|id| id.to_string()).unwrap_or_default()),
    ])
}

async fn edit_page(
    workspace: &Workspace,
    visit: &Visit,
    id: DrillRunId,
    form: &Form,
) -> Result<Markup, PageError> {
    let action = address_of(id);
    let purpose = Purpose { title: texts::EDIT, action: &action, submit: common::SAVE, is_new: false };
    page(workspace, visit, form, &purpose).await
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, run_id(&id)?);
    let (precondition, input) = (record::precondition(&form), input(&visit, &form));
    match workspace.app.change_record::<Record>(visit.caller(), id, input, precondition).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            let (detail, revision) = workspace.app.record::<Record>(visit.caller(), id).await?;
            form.overtake(record::SEEN, workspace.app.record_validator(detail.record.row.version, revision));
            respond::overtaken(edit_page(&workspace, &visit, id, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&workspace, &visit, id, &form).await?)
        }
    }
}
