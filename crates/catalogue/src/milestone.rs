//! Milestones of the compliance timeline. Whether one is past, near or far depends on the current day.

use domain::{moment::Day, vocabulary};

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    proof::Proof,
    record::{Record, Wording},
    vocabulary::FrameworkId,
};

vocabulary! {
    /// The kind of event.
    MilestoneCategory {
        Application = "application" ("Application", "Anwendung"),
        Reporting = "reporting" ("Reporting", "Meldung"),
        Consultation = "consultation" ("Consultation", "Konsultation"),
        Transition = "transition" ("Transition", "Übergang"),
        Review = "review" ("Review", "Überprüfung"),
    }
}

vocabulary! {
    /// The status of a milestone on a given day.
    MilestoneStatus {
        Completed = "completed" ("Completed", "Abgeschlossen"),
        DueSoon = "due_soon" ("Due soon", "Bald fällig"),
        Upcoming = "upcoming" ("Upcoming", "Bevorstehend"),
    }
}

#[derive(Debug, Clone)]
pub struct Milestone {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    /// `None` for acts outside the frameworks, written `other`.
    pub framework: Option<FrameworkId>,
    pub category: MilestoneCategory,
    pub authority: Box<str>,
    pub date: Day,
    pub reference: Box<str>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
    pub proof: Proof,
}

impl MilestoneStatus {
    /// From this many days before the date on, a milestone is due soon.
    pub const DUE_SOON_DAYS: i64 = 90;

    /// The day itself is still due soon; the day after, the milestone is completed.
    #[must_use]
    pub fn on(today: Day, date: Day) -> Self {
        match today.days_until(date) {
            ..0 => Self::Completed,
            0..=Self::DUE_SOON_DAYS => Self::DueSoon,
            _ => Self::Upcoming,
        }
    }
}

impl Milestone {
    /// The word for the framework of a milestone outside the frameworks.
    pub const OTHER: &'static str = "other";

    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Milestone),
            title: block.text("title"),
            summary: block.text("summary"),
            framework: block.framework_or("framework", Self::OTHER),
            category: block.word("category"),
            authority: block.line("authority"),
            date: block.day("date"),
            reference: block.line("reference"),
            cite: block.cite(),
            source: block.optional_line("source"),
            proof: Proof::read(block),
        }
    }

    pub fn status(&self, today: Day) -> MilestoneStatus {
        MilestoneStatus::on(today, self.date)
    }

    /// The framework as written in the catalogue and in JSON.
    pub fn framework_word(&self) -> &str {
        self.framework.as_ref().map_or(Self::OTHER, FrameworkId::as_str)
    }
}

/// The filters of the timeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct MilestoneFilter {
    pub status: Option<MilestoneStatus>,
    pub category: Option<MilestoneCategory>,
}

impl MilestoneFilter {
    pub fn keeps(self, milestone: &Milestone, today: Day) -> bool {
        self.status.is_none_or(|status| status == milestone.status(today))
            && self.category.is_none_or(|category| category == milestone.category)
    }
}

impl Record for Milestone {
    fn kind(&self) -> Kind {
        Kind::Milestone
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(&self.authority));
        visit(Wording::One(&self.reference));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_follows_from_the_day() {
        let date: Day = "2026-09-11".parse().unwrap();
        let on = |day: &str| MilestoneStatus::on(day.parse().unwrap(), date);
        assert_eq!(on("2026-06-12"), MilestoneStatus::Upcoming);
        assert_eq!(on("2026-06-13"), MilestoneStatus::DueSoon);
        assert_eq!(on("2026-09-11"), MilestoneStatus::DueSoon);
        assert_eq!(on("2026-09-12"), MilestoneStatus::Completed);
    }
}
