//! The outcomes of a run of a scheduled job.

use crate::vocabulary;

vocabulary! {
    /// The outcome of a run.
    JobOutcome {
        Done = "ok" ("Done", "Erledigt"),
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
        TimedOut = "timed_out" ("Took too long", "Dauerte zu lange"),
        Interrupted = "interrupted" ("Interrupted", "Unterbrochen"),
    }
}
