//! Planning and changing a run.

use app::{
    Error,
    drill_run::{DrillRunChange, DrillRunRow},
    test_case::TestCaseFilter,
};
use domain::{
    change::Change,
    drill_run::{DrillRun, DrillRunInput},
    id::DrillRunId,
    page::PageRequest,
    test_case::TestCase,
    test_type::TestType,
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::detail;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        record::{
            self,
            bulk_field::BulkField,
            cell::Cell,
            form::{FormTexts, RecordForm, RecordSteps, filled},
        },
        reference::edition,
    },
    route,
    texts::{drill_run as texts, record as shared},
    ui::field::{self, Choice, Field},
};

impl RecordForm for DrillRun {
    const ADDRESS: &'static str = route::DRILL_RUNS;
    const TEXTS: FormTexts =
        FormTexts { new: texts::NEW, edit: texts::EDIT, create: texts::PLAN, intro: texts::INTRO };
    const NAMES: &'static [(&'static str, Label)] = &[
        ("scenario", texts::SCENARIO),
        ("title", texts::HEADING),
        ("planned_for", texts::PLANNED_FOR),
        ("lead", texts::LEAD),
        ("participants", texts::PARTICIPANTS),
        ("programme_id", shared::PROGRAMME),
        ("test_case_id", texts::TEST_CASE),
    ];
    const CELLS: &'static [Cell<Self>] =
        &[Cell::required_day(("planned_for", "planned_for"), texts::PLANNED_FOR, |run| {
            Some(run.planned_for)
        })];
    const BULK: &'static [BulkField<Self>] = &[
        BulkField::day("planned_for", texts::PLANNED_FOR).required(),
        BulkField::person("lead", texts::LEAD),
    ];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([("scenario", visit.query("scenario").unwrap_or_default())])
    }

    async fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&DrillRunRow>,
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
        Ok(html! {
            @if before.is_none() { (field::select(visit, form, "scenario", texts::SCENARIO, &scenarios)) }
            (Field::text(visit, form, "title", texts::HEADING).hint(texts::HEADING_HINT).optional()
                .at_most(Name::MAX).render())
            (Field::day(visit, form, "planned_for", texts::PLANNED_FOR).render())
            (Field::person(visit, form, "lead", texts::LEAD).hint(texts::LEAD_HINT).render())
            (field::area(visit, form, "participants", texts::PARTICIPANTS, Some(texts::PARTICIPANTS_HINT)))
            p.hint { (visit.t(texts::PROGRAMME_HINT)) }
            div.columns {
                (field::select(visit, form, "programme_id", shared::PROGRAMME, &programmes))
                (field::select(visit, form, "test_case_id", texts::TEST_CASE, &test_cases))
            }
        })
    }

    /// A programme that follows from the test case need not be chosen as well.
    async fn input(
        _: &Workspace,
        visit: &Visit,
        form: &mut Form,
        _: Option<&DrillRunRow>,
    ) -> Result<DrillRunChange, Error> {
        let test_case_id = form.change("test_case_id");
        let programme_id = match (&test_case_id, form.change("programme_id")) {
            (Change::Set(_), _) => Change::Keep,
            (_, chosen) => chosen,
        };
        Ok(DrillRunChange::Fields(Box::new(DrillRunInput {
            scenario: form.change("scenario"),
            title: form.filled_change("title"),
            planned_for: form.required_change("planned_for"),
            lead: form.change("lead"),
            participants: form.lines("participants"),
            programme_id,
            test_case_id,
            language: visit.language,
            ..DrillRunInput::default()
        })))
    }

    async fn filled(
        _: &Workspace,
        _: &Visit,
        row: &DrillRunRow,
    ) -> Result<Vec<(&'static str, String)>, PageError> {
        let record = &row.record;
        let names: Vec<&str> = record.participants.iter().map(Name::as_str).collect();
        Ok(vec![
            ("title", record.title.to_string()),
            ("planned_for", record.planned_for.to_string()),
            ("lead", filled(record.lead.as_ref())),
            ("participants", names.join("\n")),
            ("programme_id", filled(record.programme_id)),
            ("test_case_id", filled(record.test_case_id)),
        ])
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
    fn step(form: &Form) -> DrillRunChange {
        DrillRunChange::Fields(Box::new(DrillRunInput {
            status: form.required_change("status"),
            note: form.change("note"),
            ..DrillRunInput::default()
        }))
    }
}

/// The test cases that a run can execute.
async fn test_cases(workspace: &Workspace, visit: &Visit) -> Result<Vec<Choice>, PageError> {
    let filter = TestCaseFilter { test_type: TestType::ScenarioBasedTest.into(), ..Default::default() };
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
