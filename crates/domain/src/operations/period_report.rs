//! Reports over a period: what is asked for, how far it is, and the parts that a report is made of.

use serde::{Deserialize, Deserializer};

use crate::{
    framework::Framework,
    identifier::{Id, Identified},
    moment::Day,
    own_text::OwnText,
    report_template::ReportTemplateId,
    violation::{FieldComplaint, FieldName, Violations},
    vocabulary::vocabulary,
    wording::{Label, Language, sentences},
};

/// The longest period of a report, in days: three years.
pub const LONGEST_DAYS: i64 = 1_100;

sentences! {
    /// Why a report or a template of reports was refused.
    PeriodReportComplaint {
        NotMade = "is not made yet: ask again in a moment", "ist noch nicht fertig: bitte gleich noch einmal versuchen";
        InTheMaking =
            "is being made: delete it once it is finished",
            "wird gerade erstellt: bitte löschen, sobald er fertig ist";
        Released =
            "is released: its bytes are kept for ever, and it cannot be deleted",
            "ist freigegeben: seine Bytes bleiben für immer erhalten, und er lässt sich nicht löschen";
        TooManyInHand { most: u64 } =
            "cannot be asked for yet: {most} reports of the institution wait or are being made",
            "lässt sich noch nicht anfordern: {most} Berichte des Instituts warten oder werden gerade erstellt";
        TooManyUnreleased { most: u64 } =
            "cannot be asked for: the institution keeps {most} reports that are not released; delete some first",
            "lässt sich nicht anfordern: Das Institut bewahrt {most} nicht freigegebene Berichte auf; bitte zuerst einige löschen";
        TooLong { days: i64 } = "must be at most {days} days after the first day", "darf höchstens {days} Tage nach dem ersten Tag liegen";
        OnlyOfAFramework =
            "is only for a report on a framework",
            "gilt nur für einen Bericht über ein Rahmenwerk";
        TooManyTemplates { most: usize } =
            "an institution can have {most} templates: delete one that is no longer used",
            "Ein Institut kann {most} Vorlagen haben: bitte eine löschen, die nicht mehr gebraucht wird";
        BadCron = "must be a schedule such as 0 7 5 * * (minute, hour, day, month, weekday)", "muss ein Zeitplan sein wie 0 7 5 * * (Minute, Stunde, Tag, Monat, Wochentag)";
        TooOften = "must come at most once a day", "darf höchstens einmal am Tag eintreten";
        NotAPerson = "must be the id of a person of the institution", "muss die Kennung einer Person des Instituts sein";
        NotAPng =
            "must be a PNG image that is complete and not interlaced",
            "muss ein vollständiges PNG-Bild ohne Zeilensprung sein";
        LargeLogo { bytes: usize, width: u32, height: u32 } =
            "must have at most {bytes} bytes and {width} by {height} pixels",
            "darf höchstens {bytes} Bytes und {width} mal {height} Bildpunkte haben";
    }
}

vocabulary! {
    /// What a report is about.
    ReportKind {
        Board = "board" ("Report to the management body", "Bericht an das Leitungsorgan"),
        Framework = "framework" ("Report on a framework", "Bericht über ein Rahmenwerk"),
        ThirdParties = "third_parties" ("Third parties and concentration", "Drittparteien und Konzentration"),
        Incidents = "incidents" ("Incidents and clocks", "Vorfälle und Meldefristen"),
        Testing = "testing" ("Testing programme", "Testprogramm"),
        /// As ISO/IEC 27001, clause 9.3 has it.
        ManagementReview = "management_review" ("Management review", "Managementbewertung"),
    }
}

vocabulary! {
    /// How far a report is.
    ReportState {
        Waiting = "waiting" ("Waiting", "Wartet"),
        Making = "making" ("Being made", "Wird erstellt"),
        Made = "made" ("Ready", "Fertig"),
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
    }
}

vocabulary! {
    /// A part of a report, in the order in which a report shows them.
    ReportPart {
        Decisions = "decisions" ("Decisions asked for", "Erbetene Entscheidungen"),
        Frameworks = "frameworks" ("State of compliance by framework", "Erfüllungsstand je Rahmenwerk"),
        Risks = "risks" ("Risks above the appetite", "Risiken über dem Risikoappetit"),
        Incidents = "incidents" ("Incidents and clocks", "Vorfälle und Meldefristen"),
        Findings = "findings" ("Findings", "Feststellungen"),
        Testing = "testing" ("Tests and coverage", "Tests und Abdeckung"),
        ThirdParties = "third_parties" ("Third parties, concentration and filings", "Drittparteien, Konzentration und Einreichungen"),
        Trainings = "trainings" ("Trainings of the management body", "Schulungen des Leitungsorgans"),
        /// From here on the parts of a management review.
        EarlierActions = "earlier_actions" ("Actions from earlier reviews", "Maßnahmen aus früheren Bewertungen"),
        Issues = "issues" ("Changes inside and outside the institution", "Veränderungen innerhalb und außerhalb des Instituts"),
        InterestedParties = "interested_parties" ("Interested parties: needs and feedback", "Interessierte Parteien: Erwartungen und Rückmeldungen"),
        Monitoring = "monitoring" ("Monitoring and measurement", "Überwachung und Messung"),
        Audits = "audits" ("Audit results", "Prüfungsergebnisse"),
        Objectives = "objectives" ("Objectives of information security", "Ziele der Informationssicherheit"),
        Improvement = "improvement" ("Opportunities for improvement", "Möglichkeiten zur Verbesserung"),
        Resolutions = "resolutions" ("Decisions of the review", "Beschlüsse der Bewertung"),
    }
}

vocabulary! {
    /// The period that a scheduled report covers: the last one that is over.
    Covered {
        Month = "month" ("The month before", "Der Monat davor"),
        Quarter = "quarter" ("The quarter before", "Das Quartal davor"),
        Year = "year" ("The year before", "Das Jahr davor"),
    }
}

impl ReportKind {
    /// The parts of a report of this kind.
    pub fn parts(self) -> &'static [ReportPart] {
        match self {
            Self::Board => &[
                ReportPart::Decisions,
                ReportPart::Frameworks,
                ReportPart::Risks,
                ReportPart::Incidents,
                ReportPart::Findings,
                ReportPart::Testing,
                ReportPart::ThirdParties,
                ReportPart::Trainings,
            ],
            Self::Framework => &[ReportPart::Frameworks],
            Self::ThirdParties => &[ReportPart::ThirdParties],
            Self::Incidents => &[ReportPart::Incidents],
            Self::Testing => &[ReportPart::Testing, ReportPart::Findings],
            Self::ManagementReview => &[
                ReportPart::EarlierActions,
                ReportPart::Issues,
                ReportPart::InterestedParties,
                ReportPart::Findings,
                ReportPart::Monitoring,
                ReportPart::Incidents,
                ReportPart::Audits,
                ReportPart::Frameworks,
                ReportPart::Objectives,
                ReportPart::Risks,
                ReportPart::Improvement,
                ReportPart::Resolutions,
            ],
        }
    }

    /// What a part is called in a report of this kind.
    pub fn title_of(self, part: ReportPart) -> Label {
        match (self, part) {
            (Self::ManagementReview, ReportPart::Findings) => NONCONFORMITIES,
            (Self::ManagementReview, ReportPart::Risks) => RISK_TREATMENT,
            _ => part.label(),
        }
    }
}

const NONCONFORMITIES: Label =
    Label::new("Findings and their correction", "Feststellungen und ihre Behebung");
const RISK_TREATMENT: Label = Label::new("Risks and their treatment", "Risiken und ihre Behandlung");

impl ReportPart {
    /// Whether the institution alone says what stands in it.
    pub fn is_stated(self) -> bool {
        matches!(
            self,
            Self::Issues | Self::InterestedParties | Self::Objectives | Self::Improvement | Self::Resolutions
        )
    }

    /// The parts of a management review that the institution alone fills.
    pub fn stated() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|part| part.is_stated())
    }
}

impl Covered {
    /// The first and the last day of the latest period that is over on a day.
    pub fn before(self, today: Day) -> (Day, Day) {
        let months = match self {
            Self::Month => 1,
            Self::Quarter => 3,
            Self::Year => 12,
        };
        let month = (today.month() - 1) / months * months + 1;
        let begun = Day::new(today.year(), month, 1).unwrap_or(today);
        let until = begun.plus_days(-1);
        let month = (until.month() - 1) / months * months + 1;
        (Day::new(until.year(), month, 1).unwrap_or(until), until)
    }
}

/// A report over a period.
#[derive(Debug)]
pub enum PeriodReport {}

pub type PeriodReportId = Id<PeriodReport>;

impl Identified for PeriodReport {
    const PREFIX: &'static str = "rep";
}

/// What a report should hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportWish {
    pub kind: ReportKind,
    /// Of a report on a framework.
    pub framework: Option<Framework>,
    pub from: Day,
    pub until: Day,
    pub language: Language,
    pub template: Option<ReportTemplateId>,
    /// What the institution says in this one, beside what the template says.
    pub own: OwnText,
}

impl ReportWish {
    /// Refuses days that have not come yet or are in the wrong order, and a framework in the wrong place.
    pub fn check(&self, today: Day) -> Result<(), Violations> {
        let mut violations = Violations::default();
        if self.until > today {
            violations.add("until", FieldComplaint::NotInTheFuture);
        }
        if self.from > self.until {
            violations.add("until", FieldComplaint::Before { field: FieldName::From, day: self.from });
        } else if self.from.days_until(self.until) > LONGEST_DAYS {
            violations.add("until", PeriodReportComplaint::TooLong { days: LONGEST_DAYS });
        }
        check_framework(&mut violations, "framework", self.kind, self.framework);
        violations.or(Some(()))
    }
}

/// A report on a framework needs one, and no other report has one.
pub(crate) fn check_framework(
    violations: &mut Violations,
    field: &str,
    kind: ReportKind,
    framework: Option<Framework>,
) {
    match (kind, framework) {
        (ReportKind::Framework, None) => violations.add(field, FieldComplaint::Required),
        (ReportKind::Framework, Some(_)) | (_, None) => {}
        (_, Some(_)) => violations.add(field, PeriodReportComplaint::OnlyOfAFramework),
    }
}

/// Words in stored JSON.
macro_rules! read_from_json {
    ($($name:ty),*) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

read_from_json!(ReportKind, ReportPart, Covered);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    #[test]
    fn words_are_sound() {
        is_sound::<ReportKind>();
        is_sound::<ReportState>();
        is_sound::<ReportPart>();
        is_sound::<Covered>();
    }

    #[test]
    fn the_period_before_is_the_last_one_that_is_over() {
        for (covered, today, from, until) in [
            (Covered::Month, "2026-11-18", "2026-10-01", "2026-10-31"),
            (Covered::Month, "2026-01-01", "2025-12-01", "2025-12-31"),
            (Covered::Quarter, "2026-11-18", "2026-07-01", "2026-09-30"),
            (Covered::Quarter, "2026-02-28", "2025-10-01", "2025-12-31"),
            (Covered::Year, "2026-11-18", "2025-01-01", "2025-12-31"),
        ] {
            assert_eq!(covered.before(day(today)), (day(from), day(until)), "{covered} {today}");
        }
    }

    #[test]
    fn days_and_frameworks_are_checked() {
        let wish = |kind, from: &str, until: &str, framework| ReportWish {
            kind,
            framework,
            from: day(from),
            until: day(until),
            language: Language::English,
            template: None,
            own: OwnText::default(),
        };
        let today = day("2026-11-18");
        assert!(wish(ReportKind::Board, "2026-07-01", "2026-11-18", None).check(today).is_ok());
        assert!(
            wish(ReportKind::Framework, "2026-07-01", "2026-07-01", Some(Framework::DORA))
                .check(today)
                .is_ok()
        );
        for (refused, field) in [
            (wish(ReportKind::Board, "2026-07-01", "2026-11-19", None), "until"),
            (wish(ReportKind::Board, "2026-07-02", "2026-07-01", None), "until"),
            (wish(ReportKind::Board, "2020-07-02", "2026-07-01", None), "until"),
            (wish(ReportKind::Framework, "2026-07-01", "2026-07-01", None), "framework"),
            (wish(ReportKind::Testing, "2026-07-01", "2026-07-01", Some(Framework::DORA)), "framework"),
        ] {
            assert!(refused.check(today).unwrap_err().fields().contains_key(field), "{refused:?}");
        }
    }
}
