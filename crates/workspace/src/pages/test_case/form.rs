//! Planning a test case and changing it.

use app::{Error, test_case::TestCaseRow};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    id::TestCaseId,
    test_case::{TestCase as Record, TestCaseInput},
    test_type::TestType,
    text::{Name, Prose},
    vocabulary::Priority,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, detail::test_case_id};
use crate::{
    Workspace,
    form::Form,
    oops::Oops,
    pages::{measures, record},
    respond::{self, Answer},
    route,
    texts::{common, record as shared, test_case as texts},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
    visit::{Posted, Visit},
};

const NAMES: [(&str, Label); 9] = [
    ("programme_id", shared::PROGRAMME),
    ("title", texts::HEADING),
    ("test_type", texts::TYPE),
    ("priority", texts::PRIORITY),
    ("assignee", texts::ASSIGNEE),
    ("due_on", shared::DUE_ON),
    ("steps", texts::STEPS),
    ("measures", shared::MEASURES),
    ("evidence", texts::EVIDENCE),
];

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let form = Form::filled([
        ("priority", Priority::Medium.to_string()),
        ("programme_id", visit.query("programme_id").unwrap_or_default()),
    ]);
    respond::page(new_page(&workspace, &visit, &form).await?)
}

async fn new_page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, Oops> {
    let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
    let content = html! {
        (ui::head(visit.t(texts::NEW), visit.t(texts::INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::TEST_CASES) {
            (visit.form_token())
            (field::select(visit, form, "programme_id", shared::PROGRAMME, &programmes))
            (fields(visit, form, &measures::fields(workspace, visit, form)?))
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::CREATE)) }
                a.button href=(route::TEST_CASES) { (visit.t(common::CANCEL)) }
            }
        }
    };
    Ok(ui::layout::page(visit, visit.t(texts::NEW), &content))
}

fn fields(visit: &Visit, form: &Form, measures: &Markup) -> Markup {
    let types: Vec<_> =
        TestType::ALL.iter().map(|kind| Choice::new(kind.as_str(), visit.t(kind.label()))).collect();
    let priorities: Vec<_> = Priority::ALL
        .iter()
        .map(|priority| Choice::new(priority.as_str(), visit.t(priority.label())))
        .collect();
    html! {
        (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
        div.columns {
            (field::select(visit, form, "test_type", texts::TYPE, &types))
            (field::select(visit, form, "priority", texts::PRIORITY, &priorities))
            (Field::text(visit, form, "assignee", texts::ASSIGNEE).optional().at_most(Name::MAX).render())
            (Field::day(visit, form, "due_on", shared::DUE_ON).optional().render())
        }
        (field::area(visit, form, "objective", texts::OBJECTIVE, None))
        (field::area(visit, form, "steps", texts::STEPS, Some(shared::ONE_PER_LINE)))
        (field::area(visit, form, "expected_result", texts::EXPECTED, None))
        (field::area(visit, form, "actual_result", texts::ACTUAL, None))
        (field::area(visit, form, "evidence", texts::EVIDENCE, Some(texts::EVIDENCE_HINT)))
        (measures)
    }
}

fn input(form: &Form, measures: Change<Vec<String>>) -> TestCaseInput {
    TestCaseInput {
        programme_id: form.required_change("programme_id"),
        title: form.required_change("title"),
        objective: form.change("objective"),
        test_type: form.required_change("test_type"),
        priority: form.required_change("priority"),
        assignee: form.change("assignee"),
        steps: form.lines("steps"),
        expected_result: form.change("expected_result"),
        actual_result: form.change("actual_result"),
        due_on: form.change("due_on"),
        measures,
        evidence: form.lines("evidence"),
        ..TestCaseInput::default()
    }
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let input = input(&form, measures::entered(&workspace, &form)?);
    match workspace.app.create_record::<Record>(visit.caller(), input, None, |_| String::new()).await {
        Ok(created) => {
            let address = format!("{}/{}", route::TEST_CASES, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&workspace, &visit, &form).await?)
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let (detail, revision) = workspace.app.record::<Record>(visit.caller(), test_case_id(&id)?).await?;
    let row = &detail.record.row;
    let etag = workspace.app.record_etag(row.version, revision);
    respond::page(edit_page(&workspace, &visit, row.id, &filled(row, etag))?)
}

fn filled(row: &TestCaseRow, etag: String) -> Form {
    let record = &row.record;
    let text = |text: Option<&Prose>| text.map(ToString::to_string).unwrap_or_default();
    let lines = |items: &[Prose]| items.iter().map(Prose::as_str).collect::<Vec<_>>().join("\n");
    Form::filled([
        (record::SEEN, etag),
        ("title", record.title.to_string()),
        ("test_type", record.test_type.to_string()),
        ("priority", record.priority.to_string()),
        ("assignee", record.assignee.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("due_on", record.due_on.map(|day| day.to_string()).unwrap_or_default()),
        ("objective", text(record.objective.as_ref())),
        ("steps", lines(&record.steps)),
        ("expected_result", text(record.expected_result.as_ref())),
        ("actual_result", text(record.actual_result.as_ref())),
        ("evidence", lines(&record.evidence)),
        ("measures", record.measures.join("\n")),
    ])
}

fn edit_page(workspace: &Workspace, visit: &Visit, id: TestCaseId, form: &Form) -> Result<Markup, Oops> {
    let address = address_of(id);
    let content = html! {
        (ui::head(visit.t(texts::EDIT), form.value("title"), None))
        (record::overtaken(visit, form, &address))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (fields(visit, form, &measures::fields(workspace, visit, form)?))
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
    let (Posted { visit, mut form }, id) = (posted, test_case_id(&id)?);
    let precondition = record::precondition(&form);
    let input = input(&form, measures::entered(&workspace, &form)?);
    match workspace.app.change_record::<Record>(visit.caller(), id, input, precondition).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            let (detail, revision) = workspace.app.record::<Record>(visit.caller(), id).await?;
            form.overtake(record::SEEN, workspace.app.record_etag(detail.record.row.version, revision));
            respond::overtaken(edit_page(&workspace, &visit, id, &form)?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&workspace, &visit, id, &form)?)
        }
    }
}
