//! Planning and changing a run.

use app::{Error, drill_run::DrillRunRow, test_case::TestCaseFilter};
use domain::{
    change::Change,
    drill_run::{DrillRun, DrillRunInput},
    id::DrillRunId,
    page::PageRequest,
    test_case::TestCase,
    test_type::TestType,
    text::Name,
};
use maud::Markup;

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        record::{
            self,
            field::{Ask, FormField, Section},
            form::{FormTexts, RecordForm, RecordSteps},
        },
        reference::edition,
    },
    route,
    texts::drill_run as texts,
    ui::field::Choice,
};

type Asked = FormField<DrillRun>;

impl RecordForm for DrillRun {
    const ADDRESS: &'static str = route::DRILL_RUNS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::PLAN,
        intro: texts::INTRO,
    };
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::chosen(Self::SCENARIO, |ask| Box::pin(scenarios(ask)), |run| Some(run.scenario.clone()))
            .wide()
            .fixed(),
        Asked::title(Self::TITLE, |run| &run.title).hint(texts::HEADING_HINT).kept(),
        Asked::day(Self::PLANNED_FOR, |run| Some(run.planned_for)).required().wide().bulk().cell(),
        Asked::person(Self::LEAD, |run| run.lead.as_ref()).hint(texts::LEAD_HINT).wide().bulk(),
        Asked::lines(Self::PARTICIPANTS, |run| run.participants.iter().map(Name::to_string).collect())
            .hint(texts::PARTICIPANTS_HINT)
            .shown_apart(),
        Asked::chosen(
            Self::PROGRAMME,
            |ask| Box::pin(record::programmes_or_none(ask)),
            |run| run.programme_id.map(|id| id.to_string()),
        )
        .hint(texts::PROGRAMME_HINT),
        Asked::chosen(
            Self::TEST_CASE,
            |ask| Box::pin(test_cases(ask)),
            |run| run.test_case_id.map(|id| id.to_string()),
        ),
    ])];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([("scenario", visit.query("scenario").unwrap_or_default())])
    }

    /// A programme that follows from the test case need not be chosen as well.
    async fn input(
        _: &Workspace,
        visit: &Visit,
        form: &mut Form,
        _: Option<&DrillRunRow>,
    ) -> Result<DrillRunInput, Error> {
        let test_case_id = form.change("test_case_id");
        let programme_id = match (&test_case_id, form.change("programme_id")) {
            (Change::Set(_), _) => Change::Keep,
            (_, chosen) => chosen,
        };
        Ok(DrillRunInput {
            scenario: form.change("scenario"),
            title: form.filled_change("title"),
            planned_for: form.required_change("planned_for"),
            lead: form.change("lead"),
            participants: form.lines("participants"),
            programme_id,
            test_case_id,
            language: visit.language,
            ..DrillRunInput::default()
        })
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: DrillRunId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        detail::page(workspace, visit, id, form).await
    }
}

impl RecordSteps for DrillRun {
    fn step(form: &Form) -> DrillRunInput {
        DrillRunInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..DrillRunInput::default()
        }
    }
}

/// The scenarios of the catalogue.
#[expect(clippy::unused_async, reason = "a form waits for what a field offers; the catalogue is in memory")]
async fn scenarios(ask: &Ask<'_, DrillRun>) -> Result<Vec<Choice>, PageError> {
    let edition = edition(ask.workspace)?;
    let drills = edition.drills.iter();
    Ok(drills.map(|drill| Choice::new(drill.id.to_string(), drill.title.get(ask.visit.language))).collect())
}

/// The test cases that a run can execute.
async fn test_cases(ask: &Ask<'_, DrillRun>) -> Result<Vec<Choice>, PageError> {
    let Ask { workspace, visit, .. } = ask;
    let filter = TestCaseFilter { test_type: TestType::ScenarioBasedTest.into(), ..Default::default() };
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let page = workspace.app.records.records::<TestCase>(visit.caller(), &filter, all).await?;
    let mut choices = vec![Choice::new("", visit.t(texts::NO_TEST_CASE))];
    choices.extend(
        page.items
            .into_iter()
            .map(|found| Choice::new(found.row.id.to_string(), found.row.record.title.as_str())),
    );
    Ok(choices)
}
