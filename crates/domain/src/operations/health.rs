//! The status of a health check.

use crate::vocabulary;

vocabulary! {
    /// Best first, so that the largest is the worst.
    HealthStatus {
        Fine = "ok" ("Well", "In Ordnung"),
        Degraded = "degraded" ("Impaired", "Beeinträchtigt"),
        Down = "down" ("Down", "Ausgefallen"),
    }
}
