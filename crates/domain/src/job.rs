//! How the run of a scheduled job can end.

use crate::vocabulary;

vocabulary! {
    /// What became of a run.
    JobOutcome {
        Done = "ok" ("Done", "Erledigt"),
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
        TimedOut = "timed_out" ("Took too long", "Dauerte zu lange"),
        Interrupted = "interrupted" ("Interrupted", "Unterbrochen"),
    }
}
