//! What happens to records, as machines are notified of it: `finding.created`, `risk.status_changed`.

use crate::vocabulary::vocabulary;

vocabulary! {
    /// What a write did to a record.
    RecordVerb {
        Created = "created" ("Created", "Angelegt"),
        Changed = "changed" ("Changed", "Geändert"),
        StatusChanged = "status_changed" ("Status changed", "Status geändert"),
        Archived = "archived" ("Archived", "Archiviert"),
        Deleted = "deleted" ("Deleted", "Gelöscht"),
    }
}

/// How long events can be read.
pub const EVENTS_KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        crate::vocabulary::tests::is_sound::<RecordVerb>();
    }
}
