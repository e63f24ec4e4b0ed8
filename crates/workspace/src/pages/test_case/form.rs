//! The form of a test case.

use app::{Error, records::PickKind, test_case::TestCaseRow};
use domain::{
    change::Change,
    id::{ProgrammeId, TestCaseId},
    programme::Programme,
    test_case::{TestCase, TestCaseInput, TestCaseStatus},
    test_type::TestType,
    text::{Name, Prose},
    vocabulary::Priority,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        measures, pick,
        record::{
            self,
            bulk_field::BulkField,
            cell::{self, Cell},
            form::{FormTexts, RecordForm, RecordSteps, filled},
        },
    },
    route,
    texts::{record as shared, test_case as texts},
    ui::field::{self, Choice, Field, words},
};

impl RecordForm for TestCase {
    const ADDRESS: &'static str = route::TEST_CASES;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::CREATE, intro: texts::INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("programme_id", shared::PROGRAMME),
        ("title", texts::HEADING),
        ("test_type", texts::TYPE),
        ("functions", texts::FUNCTIONS),
        ("priority", texts::PRIORITY),
        ("assignee", texts::ASSIGNEE),
        ("due_on", shared::DUE_ON),
        ("steps", texts::STEPS),
        ("measures", shared::MEASURES),
        ("controls", shared::CONTROLS),
        ("evidence", texts::EVIDENCE),
    ];
    const CELLS: &'static [Cell<Self>] = &[
        Cell::step(|visit, test| cell::steps(visit, test.status, |_| true), <Self as RecordSteps>::step),
        Cell::person("assignee", texts::ASSIGNEE, |test| test.assignee.as_ref()),
        Cell::day(("due_on", "due_on"), shared::DUE_ON, |test| test.due_on),
    ];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::step(|visit| words::<TestCaseStatus>(visit), <Self as RecordSteps>::step),
        BulkField::words("test_type", texts::TYPE, words::<TestType>),
        BulkField::words("priority", texts::PRIORITY, words::<Priority>),
        BulkField::person("assignee", texts::ASSIGNEE),
        BulkField::day("due_on", shared::DUE_ON),
        BulkField::prose("objective", texts::OBJECTIVE),
        BulkField::prose("expected_result", texts::EXPECTED),
    ];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([
            ("priority", Priority::Medium.to_string()),
            ("programme_id", visit.query("programme_id").unwrap_or_default()),
        ])
    }

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&TestCaseRow>,
    ) -> Result<Markup, PageError> {
        let programmes = record::programme_choices(&workspace.app, visit.caller()).await?;
        let functions = functions(workspace, visit, form, before).await?;
        Ok(html! {
            (field::section(visit, shared::PART_BASICS, &html! {
                @if before.is_none() { (field::select(visit, form, "programme_id", shared::PROGRAMME, &programmes)) }
                (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
                div.columns {
                    (field::select(visit, form, "test_type", texts::TYPE, &words::<TestType>(visit)))
                    (field::select(visit, form, "priority", texts::PRIORITY, &words::<Priority>(visit)))
                    (Field::person(visit, form, "assignee", texts::ASSIGNEE).render())
                    (Field::day(visit, form, "due_on", shared::DUE_ON).optional().render())
                }
            }))
            (field::section(visit, shared::PART_DETAILS, &html! {
                (functions)
                (field::area(visit, form, "objective", texts::OBJECTIVE, None))
                (field::area(visit, form, "steps", texts::STEPS, Some(shared::ONE_PER_LINE)))
                (field::area(visit, form, "expected_result", texts::EXPECTED, None))
            }))
            (field::section(visit, shared::PART_RESULT, &html! {
                (field::area(visit, form, "actual_result", texts::ACTUAL, None))
                (field::area(visit, form, "evidence", texts::EVIDENCE, Some(texts::EVIDENCE_HINT)))
            }))
            (field::section(visit, shared::PART_LINKS, &html! {
                (pick::fields(workspace, visit, form, ("controls", shared::CONTROLS), &[PickKind("control")]).await?)
                (measures::fields(workspace, visit, form)?)
            }))
        })
    }

    async fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        before: Option<&TestCaseRow>,
    ) -> Result<TestCaseInput, Error> {
        // A new test without a choice takes the function of a programme that has one.
        let functions = match form.lines("functions") {
            Change::Set(names) if names.is_empty() && before.is_none() => Change::Keep,
            given => given,
        };
        let controls = pick::ids(workspace, visit, form, "controls", &[PickKind("control")]).await?;
        let input = TestCaseInput {
            programme_id: form.required_change("programme_id"),
            title: form.required_change("title"),
            objective: form.change("objective"),
            test_type: form.required_change("test_type"),
            functions,
            priority: form.required_change("priority"),
            assignee: form.change("assignee"),
            steps: form.lines("steps"),
            expected_result: form.change("expected_result"),
            actual_result: form.change("actual_result"),
            due_on: form.change("due_on"),
            measures: measures::entered(workspace, form)?,
            controls,
            evidence: form.lines("evidence"),
            ..TestCaseInput::default()
        };
        form.finish(Some(input))
    }

    async fn filled(
        workspace: &Workspace,
        visit: &Visit,
        row: &TestCaseRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        let lines = |items: &[Prose]| items.iter().map(Prose::as_str).collect::<Vec<_>>().join("\n");
        let controls =
            pick::labels(workspace, visit, record.controls.iter().map(ToString::to_string)).await?;
        Ok(vec![
            ("controls", controls),
            ("title", record.title.to_string()),
            ("test_type", record.test_type.to_string()),
            ("priority", record.priority.to_string()),
            ("assignee", filled(record.assignee.as_ref())),
            ("due_on", filled(record.due_on)),
            ("functions", record.functions.iter().map(Name::as_str).collect::<Vec<_>>().join("\n")),
            ("objective", filled(record.objective.as_ref())),
            ("steps", lines(&record.steps)),
            ("expected_result", filled(record.expected_result.as_ref())),
            ("actual_result", filled(record.actual_result.as_ref())),
            ("evidence", lines(&record.evidence)),
            ("measures", record.measures.join("\n")),
        ])
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: TestCaseId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}

impl RecordSteps for TestCase {
    fn step(form: &Form) -> TestCaseInput {
        TestCaseInput {
            status: form.required_change("status"),
            note: form.change("note"),
            actual_result: form.filled_change("actual_result"),
            ..TestCaseInput::default()
        }
    }
}

/// The functions of the programme to choose from; those of all arrangements while no programme is chosen.
async fn functions(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    before: Option<&TestCaseRow>,
) -> Result<Markup, PageError> {
    let chosen = form.value("programme_id").parse::<ProgrammeId>().ok();
    let programme = before.map(|row| row.record.programme_id).or(chosen);
    let names = match programme {
        Some(id) => {
            let (detail, _) = workspace.app.record::<Programme>(visit.caller(), id).await?;
            detail.record.row.record.functions.iter().map(ToString::to_string).collect()
        }
        None => workspace.app.register_functions(visit.caller()).await?,
    };
    let offered: Vec<_> = names.into_iter().map(|name| Choice::new(name, "")).collect();
    let hint = Some(texts::FUNCTIONS_HINT);
    Ok(field::suggested(visit, form, "functions", texts::FUNCTIONS, hint, &offered))
}
