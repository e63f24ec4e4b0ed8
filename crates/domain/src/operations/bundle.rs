//! Audit bundles: what is asked for, and how far it is.

use crate::{
    framework::Framework,
    moment::Day,
    violation::{FieldComplaint, FieldName, Violations},
    vocabulary::vocabulary,
    wording::Language,
};

vocabulary! {
    /// How far a bundle is.
    BundleState {
        Waiting = "waiting" ("Waiting", "Wartet"),
        Making = "making" ("Being made", "Wird erstellt"),
        Made = "made" ("Ready", "Fertig"),
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
    }
}

/// What a bundle should hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleWish {
    /// Requirements and evidence of this framework alone.
    pub framework: Option<Framework>,
    /// The day at whose end everything in it holds.
    pub as_of: Day,
    /// The first day of the audit entries in it.
    pub from: Option<Day>,
    pub language: Language,
}

impl BundleWish {
    /// Refuses days that have not come yet, or in the wrong order.
    pub fn check(&self, today: Day) -> Result<(), Violations> {
        let mut violations = Violations::default();
        if self.as_of > today {
            violations.add("as_of", FieldComplaint::NotInTheFuture);
        }
        if let Some(from) = self.from.filter(|from| *from > self.as_of) {
            violations.add("as_of", FieldComplaint::Before { field: FieldName::From, day: from });
        }
        violations.or(Some(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn words_are_sound() {
        is_sound::<BundleState>();
    }

    #[test]
    fn days_to_come_and_days_in_the_wrong_order_are_refused() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let wish = |as_of: &str, from: Option<&str>| BundleWish {
            framework: None,
            as_of: day(as_of),
            from: from.map(day),
            language: Language::English,
        };
        let today = day("2026-11-18");
        assert!(wish("2026-11-18", None).check(today).is_ok());
        assert!(wish("2026-11-17", Some("2026-11-17")).check(today).is_ok());
        for refused in [wish("2026-11-19", None), wish("2026-11-17", Some("2026-11-18"))] {
            let violations = refused.check(today).unwrap_err();
            assert!(violations.fields().contains_key("as_of"));
        }
    }
}
