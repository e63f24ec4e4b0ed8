//! A test programme: what an institution plans to test in a period, and for which functions.

use crate::{
    change::{Change, Fields, without_repeats},
    field::fields,
    framework::Framework,
    identifier::{Id, Identified},
    moment::Day,
    text::{Name, Prose},
    tone::Tone,
    transition::lifecycle,
    violation::{FieldComplaint, FieldName, Violations},
    vocabulary::vocabulary,
};

lifecycle! {
    /// The status of a programme.
    ProgrammeStatus ("a programme", "ein Programm") starts at Planned {
        Planned = "planned" ("Planned", "Geplant") => [
            Active ("Start", "Starten"),
            Archived ("Archive", "Archivieren"),
        ],
        Active = "active" ("Active", "Aktiv") => [
            Completed ("Complete", "Abschließen"),
            OnHold ("Put on hold", "Pausieren"),
        ],
        OnHold = "on_hold" ("On hold", "Pausiert") => [
            Active ("Resume", "Fortsetzen"),
            Archived ("Archive", "Archivieren"),
        ],
        Completed = "completed" ("Completed", "Abgeschlossen") => [
            Archived ("Archive", "Archivieren"),
        ],
        Archived = "archived" ("Archived", "Archiviert") => [],
    }
}

impl ProgrammeStatus {
    pub fn tone(self) -> Tone {
        match self {
            Self::Planned => Tone::Notice,
            Self::Active => Tone::Running,
            Self::OnHold => Tone::Warning,
            Self::Completed => Tone::Good,
            Self::Archived => Tone::Muted,
        }
    }
}

impl ProgrammeStatus {
    /// Whether its end day is still relevant.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Planned | Self::Active | Self::OnHold)
    }
}

vocabulary! {
    /// The orders of a list of programmes: a field, with a minus sign for descending. The first is the default.
    ProgrammeSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Name = "name" ("Name", "Name"),
        NameFalling = "-name" ("Name, falling", "Name, absteigend"),
        Start = "starts_on" ("Start", "Beginn"),
        StartFalling = "-starts_on" ("Latest start first", "Spätester Beginn zuerst"),
        End = "ends_on" ("End", "Ende"),
        EndFalling = "-ends_on" ("Latest end first", "Spätestes Ende zuerst"),
    }
}

/// The content of a programme, without its id and its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programme {
    pub name: Name,
    pub description: Option<Prose>,
    pub framework: Framework,
    pub status: ProgrammeStatus,
    pub owner: Option<Name>,
    pub starts_on: Option<Day>,
    pub ends_on: Option<Day>,
    /// The functions under test, each once.
    pub functions: Vec<Name>,
}

pub type ProgrammeId = Id<Programme>;

impl Identified for Programme {
    const PREFIX: &'static str = "prg";
}

fields! {
    /// The fields of a programme.
    Programme {
        NAME,
        DESCRIPTION,
        FRAMEWORK = "framework" ("Framework", "Rahmenwerk"),
        STATUS,
        OWNER,
        STARTS_ON = "starts_on" ("Starts on", "Beginnt am"),
        ENDS_ON = "ends_on" ("Ends on", "Endet am"),
        FUNCTIONS = "functions" ("Functions under test", "Getestete Funktionen"),
        TEST_CASES = "test_cases" ("Test cases", "Testfälle"),
        FINDINGS = "findings" ("Findings", "Feststellungen"),
        OPEN_FINDINGS = "open_findings" ("Open findings", "Offene Feststellungen"),
    }
}

/// A programme's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgrammeInput {
    pub name: Change<String>,
    pub description: Change<String>,
    pub framework: Change<String>,
    pub status: Change<String>,
    pub owner: Change<String>,
    pub starts_on: Change<String>,
    pub ends_on: Change<String>,
    pub functions: Change<Vec<String>>,
    /// Why the status moves, for the history.
    pub note: Change<String>,
}

impl ProgrammeInput {
    /// Whether the request archives the programme.
    pub fn archives(&self, current: Option<&Programme>) -> bool {
        let archived = ProgrammeStatus::Archived;
        let was = current.is_some_and(|programme| programme.status == archived);
        !was && matches!(&self.status, Change::Set(word) if word == archived.as_str())
    }

    pub fn create(&self) -> Result<Programme, Violations> {
        self.read(None)
    }

    /// The programme after this change.
    pub fn change(&self, current: &Programme) -> Result<Programme, Violations> {
        self.read(Some(current))
    }

    fn read(&self, current: Option<&Programme>) -> Result<Programme, Violations> {
        let mut fields = Fields::default();
        let name =
            fields.required("name", &self.name, current.map(|c| c.name.clone()), |text| Name::parse(text));
        let description =
            fields.prose("description", &self.description, current.and_then(|c| c.description.clone()));
        let framework =
            fields.required("framework", &self.framework, current.map(|c| c.framework), |text| text.parse());
        fields.prose("note", &self.note, None);
        let status = fields.status(&self.status, current.map(|c| c.status));
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let starts_on =
            fields
                .optional("starts_on", &self.starts_on, current.and_then(|c| c.starts_on), |day| day.parse());
        let ends_on =
            fields.optional("ends_on", &self.ends_on, current.and_then(|c| c.ends_on), |day| day.parse());
        let functions =
            fields.list("functions", &self.functions, current.map(|c| c.functions.clone()), |text| {
                Name::parse(text)
            });
        in_order(&mut fields, starts_on, ends_on);
        let programme = name.zip(framework).zip(status).map(|((name, framework), status)| Programme {
            name,
            description,
            framework,
            status,
            owner,
            starts_on,
            ends_on,
            functions: without_repeats(functions),
        });
        fields.finish(programme)
    }
}

fn in_order(fields: &mut Fields, starts_on: Option<Day>, ends_on: Option<Day>) {
    if let (Some(start), Some(end)) = (starts_on, ends_on)
        && end < start
    {
        fields.refuse("ends_on", FieldComplaint::Before { field: FieldName::StartsOn, day: start });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transition::tests::{allows_exactly, is_sound};

    fn set(text: &str) -> Change<String> {
        Change::Set(text.to_owned())
    }

    fn input() -> ProgrammeInput {
        ProgrammeInput { name: set("Payments 2027"), framework: set("dora"), ..ProgrammeInput::default() }
    }

    #[test]
    fn goes_the_ways_of_the_table() {
        is_sound::<ProgrammeStatus>();
        allows_exactly::<ProgrammeStatus>(&[
            ("planned", &["active", "archived"]),
            ("active", &["completed", "on_hold"]),
            ("on_hold", &["active", "archived"]),
            ("completed", &["archived"]),
            ("archived", &[]),
        ]);
    }

    #[test]
    fn needs_a_name_and_a_framework() {
        let complaints = ProgrammeInput::default().create().unwrap_err().to_string();
        assert_eq!(complaints, "framework is required; name is required");
        let programme = input().create().unwrap();
        assert_eq!(programme.status, ProgrammeStatus::Planned);
        assert_eq!((programme.description, programme.starts_on, programme.functions), (None, None, vec![]));
    }

    #[test]
    fn ends_on_or_after_its_start_also_when_only_one_is_changed() {
        let dated = ProgrammeInput { starts_on: set("2027-01-01"), ends_on: set("2027-01-01"), ..input() };
        let programme = dated.create().unwrap();
        let earlier = ProgrammeInput { ends_on: set("2026-12-31"), ..ProgrammeInput::default() };
        let complaint = earlier.change(&programme).unwrap_err().to_string();
        assert_eq!(complaint, "ends_on must not be before starts_on (2027-01-01)");
        let open_ended = ProgrammeInput { ends_on: Change::Clear, ..ProgrammeInput::default() };
        assert_eq!(open_ended.change(&programme).unwrap().ends_on, None);
    }

    #[test]
    fn a_change_keeps_what_it_does_not_mention() {
        let full = ProgrammeInput {
            description: set("All of it"),
            owner: set("Head of IT risk"),
            functions: Change::Set(vec!["Payments".into(), "Cards".into(), "Payments".into()]),
            ..input()
        };
        let programme = full.create().unwrap();
        assert_eq!(programme.functions.len(), 2);
        assert_eq!(ProgrammeInput::default().change(&programme), Ok(programme.clone()));
        let started = ProgrammeInput { status: set("active"), ..ProgrammeInput::default() };
        let expected = Programme { status: ProgrammeStatus::Active, ..programme.clone() };
        assert_eq!(started.change(&programme), Ok(expected));
    }

    #[test]
    fn a_wrong_move_says_where_it_can_go() {
        let programme = input().create().unwrap();
        let skipped = ProgrammeInput { status: set("completed"), ..ProgrammeInput::default() };
        assert_eq!(
            skipped.change(&programme).unwrap_err().to_string(),
            "status cannot go from planned to completed; from planned a programme can go to active, archived"
        );
        let born_late = ProgrammeInput { status: set("active"), ..input() };
        assert!(born_late.create().unwrap_err().to_string().contains("must be planned"));
    }
}
