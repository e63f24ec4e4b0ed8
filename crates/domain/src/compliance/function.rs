//! A function of the institution: what it does for customers, its criticality, and how long it may be unavailable.
//! Programmes, test cases, arrangements and incidents refer to functions.

use crate::{
    change::{Change, Fields},
    field::fields,
    identifier::{Id, Identified},
    moment::Day,
    sentences,
    text::{Name, Prose},
    violation::Violations,
    vocabulary::vocabulary,
};

vocabulary! {
    /// Whether a function is critical or important: DORA Art. 3(22), as in template `B_06.01`.
    FunctionCriticality {
        CriticalOrImportant = "critical_or_important" ("Critical or important", "Kritisch oder wichtig"),
        Other = "other" ("Neither", "Weder noch"),
        NotAssessed = "not_assessed" ("Not assessed", "Nicht bewertet"),
    }
}

vocabulary! {
    /// The impact of discontinuing a function, as in template `B_06.01`.
    DiscontinuingImpact {
        Low = "low" ("Low", "Gering"),
        Medium = "medium" ("Medium", "Mittel"),
        High = "high" ("High", "Hoch"),
        NotAssessed = "not_assessed" ("Not assessed", "Nicht bewertet"),
    }
}

sentences! {
    /// What is wrong with a function, or with a reference to one.
    FunctionComplaint {
        Minutes =
            "must be a whole number of minutes from 0 to 525600, which is a year",
            "muss eine ganze Zahl von Minuten zwischen 0 und 525600 (ein Jahr) sein";
        NameTaken =
            "is the name of another function; each name is given once",
            "heißt schon eine andere Funktion; jeder Name wird einmal vergeben";
        NameInUse { records: u64 } =
            "cannot be changed while records refer to it by name ({records}); add another function and change those first",
            "kann nicht geändert werden, solange Datensätze sie beim Namen nennen ({records}); legen Sie eine andere Funktion an und ändern Sie zuerst diese";
        InUse { records: u64 } =
            "cannot be deleted while records refer to it ({records})",
            "kann nicht gelöscht werden, solange Datensätze sich darauf beziehen ({records})";
        ReferenceTaken =
            "is the reference of another function; each reference is given once",
            "ist schon das Kennzeichen einer anderen Funktion; jedes Kennzeichen wird einmal vergeben";
        NoSuchFunction =
            "must be the name or the id of one of your functions",
            "muss Name oder Kennung einer Ihrer Funktionen sein";
        NotOfProgramme =
            "must be a function of the test's programme; add it to the programme first",
            "muss eine Funktion des Testprogramms sein; nehmen Sie sie zuerst in das Programm auf";
    }
}

vocabulary! {
    /// The orders of a list of functions: a field, with a minus sign for descending. The first is the default.
    FunctionSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Reference = "reference" ("By reference", "Nach Kennzeichen"),
        ReferenceFalling = "-reference" ("By reference, last first", "Nach Kennzeichen, letzte zuerst"),
    }
}

/// The content of a function, without its id and its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Given in the order of creation; its reference is made of it, F1, unless the register has another identifier.
    pub number: i64,
    /// The identifier in template `B_06.01` where it is not made of the number.
    pub identifier: Option<Name>,
    pub name: Name,
    pub licensed_activity: Option<Name>,
    pub criticality: FunctionCriticality,
    pub reasons: Option<Prose>,
    pub assessed_on: Option<Day>,
    /// Recovery time objective.
    pub rto_minutes: Option<u32>,
    /// Recovery point objective.
    pub rpo_minutes: Option<u32>,
    pub impact_of_discontinuing: DiscontinuingImpact,
    pub owner: Option<Name>,
}

pub type FunctionId = Id<Function>;

impl Identified for Function {
    const PREFIX: &'static str = "fun";
}

fields! {
    /// The fields of a function.
    Function {
        REFERENCE,
        NAME,
        LICENSED_ACTIVITY = "licensed_activity" ("Licensed activity", "Erlaubnispflichtige Tätigkeit"),
        CRITICALITY = "criticality" ("Criticality", "Kritikalität"),
        REASONS = "reasons" ("Reasons", "Begründung"),
        ASSESSED_ON = "assessed_on" ("Assessed on", "Bewertet am"),
        RTO = "rto_minutes" ("RTO (minutes)", "RTO (Minuten)"),
        RPO = "rpo_minutes" ("RPO (minutes)", "RPO (Minuten)"),
        DISCONTINUING = "impact_of_discontinuing" ("Impact of discontinuing", "Auswirkung einer Einstellung"),
        OWNER,
        PROGRAMMES = "programmes" ("Programmes", "Programme"),
        ARRANGEMENTS = "arrangements" ("Arrangements", "Vereinbarungen"),
        TEST_CASES = "test_cases" ("Test cases", "Testfälle"),
        OPEN_FINDINGS = "open_findings" ("Open findings", "Offene Feststellungen"),
        INCIDENTS = "incidents" ("Incidents", "Vorfälle"),
    }
}

impl Function {
    /// A function of which only the name is known.
    pub fn named(number: i64, name: Name) -> Self {
        Self {
            number,
            identifier: None,
            name,
            licensed_activity: None,
            criticality: FunctionCriticality::NotAssessed,
            reasons: None,
            assessed_on: None,
            rto_minutes: None,
            rpo_minutes: None,
            impact_of_discontinuing: DiscontinuingImpact::NotAssessed,
            owner: None,
        }
    }

    /// The identifier in template `B_06.01`.
    pub fn reference(&self) -> String {
        match &self.identifier {
            Some(identifier) => identifier.to_string(),
            None => format!("F{}", self.number),
        }
    }

    /// The number in a reference like F12.
    pub fn number_in(reference: &str) -> Option<i64> {
        let number = reference.strip_prefix('F')?.parse::<u32>().ok().filter(|number| *number > 0)?;
        (reference == format!("F{number}")).then_some(i64::from(number))
    }

    /// The text that the list is searched by.
    pub fn words(&self) -> String {
        let owner = self.owner.as_ref().map_or("", Name::as_str);
        let activity = self.licensed_activity.as_ref().map_or("", Name::as_str);
        format!("{} {} {activity} {owner}", self.reference(), self.name).to_lowercase()
    }
}

/// A function's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FunctionInput {
    pub reference: Change<String>,
    pub name: Change<String>,
    pub licensed_activity: Change<String>,
    pub criticality: Change<String>,
    pub reasons: Change<String>,
    pub assessed_on: Change<String>,
    pub rto_minutes: Change<f64>,
    pub rpo_minutes: Change<f64>,
    pub impact_of_discontinuing: Change<String>,
    pub owner: Change<String>,
}

impl FunctionInput {
    pub fn create(&self, number: i64) -> Result<Function, Violations> {
        self.read(number, None)
    }

    /// The function after this change.
    pub fn change(&self, current: &Function) -> Result<Function, Violations> {
        self.read(current.number, Some(current))
    }

    fn read(&self, number: i64, current: Option<&Function>) -> Result<Function, Violations> {
        let mut fields = Fields::default();
        let name =
            fields.required("name", &self.name, current.map(|c| c.name.clone()), |text| Name::parse(text));
        let criticality = fields.required(
            "criticality",
            &self.criticality,
            Some(current.map_or(FunctionCriticality::NotAssessed, |c| c.criticality)),
            |text| text.parse(),
        );
        let impact = fields.required(
            "impact_of_discontinuing",
            &self.impact_of_discontinuing,
            Some(current.map_or(DiscontinuingImpact::NotAssessed, |c| c.impact_of_discontinuing)),
            |text| text.parse(),
        );
        let identifier = fields.optional(
            "reference",
            &self.reference,
            current.and_then(|c| c.identifier.clone()),
            |text| Name::parse(text),
        );
        let identifier = identifier.filter(|given: &Name| given.as_str() != format!("F{number}"));
        let licensed_activity = fields.line(
            "licensed_activity",
            &self.licensed_activity,
            current.and_then(|c| c.licensed_activity.clone()),
        );
        let reasons = fields.prose("reasons", &self.reasons, current.and_then(|c| c.reasons.clone()));
        let assessed_on =
            fields.optional("assessed_on", &self.assessed_on, current.and_then(|c| c.assessed_on), |day| {
                day.parse()
            });
        let recovery_time = fields.optional(
            "rto_minutes",
            &self.rto_minutes,
            current.and_then(|c| c.rto_minutes),
            |number| minutes(*number),
        );
        let recovery_point = fields.optional(
            "rpo_minutes",
            &self.rpo_minutes,
            current.and_then(|c| c.rpo_minutes),
            |number| minutes(*number),
        );
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let build = || {
            Some(Function {
                number,
                identifier,
                name: name?,
                licensed_activity,
                criticality: criticality?,
                reasons,
                assessed_on,
                rto_minutes: recovery_time,
                rpo_minutes: recovery_point,
                impact_of_discontinuing: impact?,
                owner,
            })
        };
        fields.finish(build())
    }
}

const YEAR: u32 = 525_600;

fn minutes(number: f64) -> Result<u32, FunctionComplaint> {
    // A whole number is printed without a point, and only then parses as one.
    let whole = number.to_string().parse::<u32>().ok();
    whole.filter(|whole| *whole <= YEAR).ok_or(FunctionComplaint::Minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Change<String> {
        Change::Set(text.to_owned())
    }

    #[test]
    fn a_name_is_enough_and_nothing_else_is_assumed() {
        let input = FunctionInput { name: set("Payments"), ..FunctionInput::default() };
        let function = input.create(3).unwrap();
        assert_eq!(function.reference(), "F3");
        assert_eq!(function.criticality, FunctionCriticality::NotAssessed);
        assert_eq!((function.rto_minutes, function.assessed_on), (None, None));
        assert_eq!(FunctionInput::default().create(1).unwrap_err().to_string(), "name is required");
        assert_eq!(FunctionInput::default().change(&function), Ok(function));
    }

    #[test]
    fn minutes_are_whole_and_at_most_a_year() {
        for (number, good) in [
            (0.0, true),
            (240.0, true),
            (525_600.0, true),
            (525_601.0, false),
            (-1.0, false),
            (1.5, false),
            (1e300, false),
            (f64::NAN, false),
        ] {
            assert_eq!(minutes(number).is_ok(), good, "{number}");
        }
    }
}
