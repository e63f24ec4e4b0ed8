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
};
use maud::Markup;

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
            field::{Ask, FormField, Section},
            form::{FormTexts, RecordForm, RecordSteps},
        },
    },
    route,
    texts::{record as shared, test_case as texts},
    ui::field::{Choice, words},
};

type Asked = FormField<TestCase>;

impl RecordForm for TestCase {
    const ADDRESS: &'static str = route::TEST_CASES;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const FIELDS: &'static [Section<Self>] = &[
        Section::titled(
            shared::PART_BASICS,
            &[
                Asked::chosen(
                    Self::PROGRAMME,
                    |ask| Box::pin(programmes(ask)),
                    |test| Some(test.programme_id.to_string()),
                )
                .wide()
                .fixed(),
                Asked::title(Self::TITLE, |test| &test.title),
                Asked::choice(Self::TYPE, words::<TestType>, |test| test.test_type.as_str())
                    .bulk()
                    .shown_apart(),
                Asked::choice(Self::PRIORITY, words::<Priority>, |test| test.priority.as_str())
                    .bulk()
                    .shown_apart(),
                Asked::person(Self::ASSIGNEE, |test| test.assignee.as_ref()).bulk().cell(),
                Asked::day(Self::DUE_ON, |test| test.due_on).bulk().cell().shown_apart(),
            ],
        ),
        Section::titled(
            shared::PART_DETAILS,
            &[
                Asked::suggested(
                    Self::FUNCTIONS,
                    |ask| Box::pin(functions(ask)),
                    |test| test.functions.iter().map(Name::to_string).collect(),
                )
                .hint(texts::FUNCTIONS_HINT)
                .shown_apart(),
                Asked::prose(Self::OBJECTIVE, |test| test.objective.as_ref()).bulk(),
                Asked::lines(Self::STEPS, |test| test.steps.iter().map(Prose::to_string).collect())
                    .hint(shared::ONE_PER_LINE),
                Asked::prose(Self::EXPECTED, |test| test.expected_result.as_ref()).bulk(),
            ],
        ),
        Section::titled(
            shared::PART_RESULT,
            &[
                Asked::prose(Self::ACTUAL, |test| test.actual_result.as_ref()),
                Asked::lines(Self::EVIDENCE, |test| test.evidence.iter().map(Prose::to_string).collect())
                    .hint(texts::EVIDENCE_HINT),
            ],
        ),
        Section::titled(
            shared::PART_LINKS,
            &[
                Asked::records(Self::CONTROLS, &[PickKind("control")], |test| {
                    test.controls.iter().map(ToString::to_string).collect()
                }),
                Asked::suggested(
                    Self::MEASURES,
                    |ask| Box::pin(measures::offered(ask)),
                    |test| test.measures.clone(),
                )
                .hint(shared::MEASURES_HINT)
                .shown_apart(),
            ],
        ),
    ];
    const CELLS: &'static [Cell<Self>] =
        &[Cell::step(|visit, test| cell::steps(visit, test.status, |_| true), <Self as RecordSteps>::step)];
    const BULK: &'static [BulkField<Self>] =
        &[BulkField::step(|visit| words::<TestCaseStatus>(visit), <Self as RecordSteps>::step)];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([
            ("priority", Priority::Medium.to_string()),
            ("programme_id", visit.query("programme_id").unwrap_or_default()),
        ])
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

/// The programmes that a test can belong to.
async fn programmes(ask: &Ask<'_, TestCase>) -> Result<Vec<Choice>, PageError> {
    record::programme_choices(&ask.workspace.app, ask.visit.caller()).await
}

/// The functions of the programme to choose from; those of all arrangements while no programme is chosen.
async fn functions(ask: &Ask<'_, TestCase>) -> Result<Vec<Choice>, PageError> {
    let (app, caller) = (&ask.workspace.app, ask.visit.caller());
    let chosen = ask.form.value("programme_id").parse::<ProgrammeId>().ok();
    let programme = ask.before.map(|row| row.record.programme_id).or(chosen);
    let names = match programme {
        Some(id) => {
            let (detail, _) = app.records.record::<Programme>(caller, id).await?;
            detail.record.row.record.functions.iter().map(ToString::to_string).collect()
        }
        None => app.third_parties.register_functions(caller).await?,
    };
    Ok(names.into_iter().map(|name| Choice::new(name, "")).collect())
}
