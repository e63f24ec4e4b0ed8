//! How many days a finding of each severity may take, as set by an institution. By default none is set.

use crate::{
    moment::{Day, Moment},
    vocabulary::Severity,
    wording::sentence,
};

/// The days from the detection of a finding to its due day, by severity; none means no due day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DueDays([Option<u16>; Severity::ALL.len()]);

sentence! {
    /// The number of days is out of bounds.
    BadDueDays { max: u16 } =
        "must be a whole number of days from 1 to {max}, or empty for none",
        "muss eine ganze Zahl von 1 bis {max} Tagen sein, oder leer für keine Frist";
}

impl DueDays {
    /// Ten years.
    pub const MAX: u16 = 3650;

    /// The number of days in a text; `None` if it is empty.
    pub fn parse(text: &str) -> Result<Option<u16>, BadDueDays> {
        match text.trim() {
            "" => Ok(None),
            number => {
                let days = number.parse().ok().filter(|days| (1..=Self::MAX).contains(days));
                days.map(Some).ok_or(BadDueDays { max: Self::MAX })
            }
        }
    }

    #[must_use]
    pub fn with(mut self, severity: Severity, days: Option<u16>) -> Self {
        self.0[severity as usize] = days;
        self
    }

    pub fn of(&self, severity: Severity) -> Option<u16> {
        self.0[severity as usize]
    }

    /// The day a finding is due that was detected then.
    pub fn due(&self, severity: Severity, detected_at: Moment) -> Option<Day> {
        self.of(severity).map(|days| detected_at.day().plus_days(i64::from(days)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_due_day_follows_from_severity_and_detection() {
        let days = DueDays::default().with(Severity::Critical, Some(30)).with(Severity::Info, None);
        let detected: Moment = "2026-11-14T14:00:00Z".parse().unwrap();
        assert_eq!(days.due(Severity::Critical, detected), "2026-12-14".parse().ok());
        assert_eq!(days.due(Severity::High, detected), None);
        assert_eq!(DueDays::default().due(Severity::Critical, detected), None);
    }

    #[test]
    fn days_are_whole_numbers_or_nothing() {
        assert_eq!(DueDays::parse(" 30 "), Ok(Some(30)));
        assert_eq!(DueDays::parse(""), Ok(None));
        for wrong in ["0", "-1", "3651", "1.5", "soon"] {
            assert_eq!(DueDays::parse(wrong), Err(BadDueDays { max: DueDays::MAX }), "{wrong}");
        }
    }
}
