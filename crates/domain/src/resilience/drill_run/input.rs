//! The input of a run, and the rules that turn it into a run.

use super::{
    DrillRun, DrillRunComplaint, DrillRunReference, DrillRunStatus, MAX_PARTICIPANTS, ScenarioFacts,
};
use crate::{
    change::{Change, Fields, without_repeats},
    finding::NoSuchTestCase,
    programme::ProgrammeId,
    test_case::{NoSuchProgramme, TestCaseId},
    text::Name,
    violation::{FieldComplaint, FixedField, Violations},
    wording::Language,
};

/// The input of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrillRunInput {
    pub scenario: Change<String>,
    /// The title of the scenario by default.
    pub title: Change<String>,
    pub planned_for: Change<String>,
    pub lead: Change<String>,
    pub participants: Change<Vec<String>>,
    pub programme_id: Change<String>,
    pub test_case_id: Change<String>,
    pub status: Change<String>,
    /// Why the status moves, for the history.
    pub note: Change<String>,
    /// The language of the scenario's title.
    pub language: Language,
}

/// The tenant's records that a request names, looked up before its rules run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DrillRunLinks {
    pub programme: Option<ProgrammeId>,
    /// A test case with its programme, and whether a run can be its execution.
    pub test_case: Option<(TestCaseId, ProgrammeId, bool)>,
}

impl DrillRunInput {
    /// The scenario to look up, when the request names one.
    pub fn named_scenario(&self) -> Option<&str> {
        match &self.scenario {
            Change::Set(id) => Some(id),
            Change::Keep | Change::Clear => None,
        }
    }

    pub fn named_programme(&self) -> Option<ProgrammeId> {
        named(&self.programme_id)
    }

    /// The test case of the run after the request, which determines its programme.
    pub fn test_case(&self, current: Option<TestCaseId>) -> Option<TestCaseId> {
        match &self.test_case_id {
            Change::Keep => current,
            change => named(change),
        }
    }

    /// A new run of `scenario`, which is `None` if the catalogue has none with that id.
    pub fn create(
        &self,
        reference: DrillRunReference,
        scenario: Option<&ScenarioFacts>,
        links: &DrillRunLinks,
    ) -> Result<DrillRun, Violations> {
        let mut fields = Fields::default();
        let known = |id: &String| scenario.map(|_| id.clone()).ok_or(DrillRunComplaint::NoScenario);
        let id = fields.required("scenario", &self.scenario, None, known);
        let usual = scenario.and_then(|scenario| Name::fitted(&scenario.title));
        // A missing scenario was reported already.
        let title = fields.required("title", &self.title, usual.or_else(|| Some(Name::untitled())), |text| {
            Name::parse(text)
        });
        let planned_for = fields.required("planned_for", &self.planned_for, None, |text| text.parse());
        let participants = self.read_participants(&mut fields, None);
        let lead = self.read_lead(&mut fields, None, &participants);
        let (programme_id, test_case_id) = self.read_links(&mut fields, (None, None), links);
        fields.prose("note", &self.note, None);
        let status: Option<DrillRunStatus> = fields.status(&self.status, None);
        let build = || {
            Some(DrillRun {
                reference,
                scenario: id?,
                title: title?,
                planned_for: planned_for?,
                lead,
                participants,
                programme_id,
                test_case_id,
                status: status?,
                started_at: None,
                finished_at: None,
                steps: Vec::new(),
                classification: Vec::new(),
                reports: Vec::new(),
                criteria: vec![None; scenario?.criteria],
                outcome: None,
                findings: Vec::new(),
            })
        };
        fields.finish(build())
    }

    /// The run after this change. The day and the links are fixed from the start on; a finished run cannot be
    /// changed.
    pub fn change(&self, current: &DrillRun, links: &DrillRunLinks) -> Result<DrillRun, Violations> {
        if !current.status.is_open() {
            return Err(Violations::one("drill_run", DrillRunComplaint::Ended));
        }
        let mut fields = Fields::default();
        let same = |id: &String| Ok::<_, DrillRunComplaint>(id.clone());
        fields.fixed(
            "scenario",
            &self.scenario,
            Some(current.scenario.clone()),
            same,
            FixedField::ScenarioOfDrillRun,
        );
        let title =
            fields.required("title", &self.title, Some(current.title.clone()), |text| Name::parse(text));
        let planned_for =
            fields.required("planned_for", &self.planned_for, Some(current.planned_for), |text| text.parse());
        let participants = self.read_participants(&mut fields, Some(&current.participants));
        let lead = self.read_lead(&mut fields, current.lead.clone(), &participants);
        let before = (current.programme_id, current.test_case_id);
        let (programme_id, test_case_id) = self.read_links(&mut fields, before, links);
        if current.status == DrillRunStatus::Running {
            let moved = [
                ("planned_for", planned_for.is_some_and(|day| day != current.planned_for)),
                ("programme_id", programme_id != current.programme_id),
                ("test_case_id", test_case_id != current.test_case_id),
            ];
            for (field, _) in moved.into_iter().filter(|(_, moved)| *moved) {
                fields.refuse(field, DrillRunComplaint::Started);
            }
        }
        fields.prose("note", &self.note, None);
        let status = self.read_status(&mut fields, current);
        let build = || {
            Some(DrillRun {
                title: title?,
                planned_for: planned_for?,
                lead,
                participants,
                programme_id,
                test_case_id,
                status: status?,
                ..current.clone()
            })
        };
        fields.finish(build())
    }

    /// Starting and finishing a run have routes of their own, because they do more than change the status.
    fn read_status(&self, fields: &mut Fields, current: &DrillRun) -> Option<DrillRunStatus> {
        let status = fields.status(&self.status, Some(current.status))?;
        let route = match status {
            DrillRunStatus::Running if current.status != status => "start",
            DrillRunStatus::Finished => "finish",
            _ => return Some(status),
        };
        fields.refuse("status", DrillRunComplaint::OwnRoute { route });
        None
    }

    fn read_lead(&self, fields: &mut Fields, before: Option<Name>, participants: &[Name]) -> Option<Name> {
        let lead = fields.line("lead", &self.lead, before);
        if lead.as_ref().is_some_and(|lead| participants.contains(lead)) {
            fields.refuse("lead", DrillRunComplaint::LeadTakesPart);
        }
        lead
    }

    fn read_participants(&self, fields: &mut Fields, current: Option<&[Name]>) -> Vec<Name> {
        if let Change::Set(names) = &self.participants
            && names.len() > MAX_PARTICIPANTS
        {
            let (most, found) = (MAX_PARTICIPANTS, names.len());
            fields.refuse("participants", FieldComplaint::TooManyItems { most, found });
            return Vec::new();
        }
        let names = fields.list(
            "participants",
            &self.participants,
            current.map(<[Name]>::to_vec),
            |name: &String| Name::parse(name),
        );
        without_repeats(names)
    }

    /// A test case determines the programme.
    fn read_links(
        &self,
        fields: &mut Fields,
        (programme, test_case): (Option<ProgrammeId>, Option<TestCaseId>),
        links: &DrillRunLinks,
    ) -> (Option<ProgrammeId>, Option<TestCaseId>) {
        let programme = fields.optional("programme_id", &self.programme_id, programme, |text| {
            text.parse().ok().filter(|id| links.programme == Some(*id)).ok_or(NoSuchProgramme)
        });
        let found = |id: TestCaseId| links.test_case.filter(|(found, ..)| *found == id);
        let test_case = fields.optional("test_case_id", &self.test_case_id, test_case, |text| {
            text.parse().ok().filter(|id| found(*id).is_some()).ok_or(NoSuchTestCase)
        });
        let Some((_, of_test_case, fits)) = test_case.and_then(found) else {
            return (programme, test_case);
        };
        if !fits && matches!(self.test_case_id, Change::Set(_)) {
            fields.refuse("test_case_id", DrillRunComplaint::NotScenarioBased);
        }
        if matches!(self.programme_id, Change::Set(_)) && programme.is_some_and(|id| id != of_test_case) {
            fields.refuse("programme_id", DrillRunComplaint::OtherProgramme);
        }
        (Some(of_test_case), test_case)
    }
}

fn named<Id: std::str::FromStr>(change: &Change<String>) -> Option<Id> {
    match change {
        Change::Set(text) => text.parse().ok(),
        Change::Keep | Change::Clear => None,
    }
}
