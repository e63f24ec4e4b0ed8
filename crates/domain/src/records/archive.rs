//! Records that are kept permanently but hidden from lists.

use crate::vocabulary::vocabulary;

vocabulary! {
    /// Whether a list includes archived records: by default it does not.
    #[derive(Default)]
    Archived {
        #[default]
        Without = "false" ("Without archived ones", "Ohne archivierte"),
        Only = "true" ("Archived ones only", "Nur archivierte"),
        All = "all" ("With archived ones", "Mit archivierten"),
    }
}

impl Archived {
    /// The state a record must have to be listed, if it matters.
    pub fn wanted(self) -> Option<bool> {
        match self {
            Self::Without => Some(false),
            Self::Only => Some(true),
            Self::All => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn archived_records_are_left_out_unless_asked_for() {
        is_sound::<Archived>();
        assert_eq!(Archived::default().wanted(), Some(false));
        assert_eq!(Archived::All.wanted(), None);
    }
}
