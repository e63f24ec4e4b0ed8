//! The events webhooks can subscribe to.

use crate::vocabulary::vocabulary;

vocabulary! {
    EventKind {
        FindingCreated = "finding.created" ("A finding is created", "Eine Feststellung entsteht"),
        FindingStatusChanged = "finding.status_changed" ("A finding changes its status", "Eine Feststellung ändert ihren Status"),
        TestCaseStatusChanged = "test_case.status_changed" ("A test case changes its status", "Ein Testfall ändert seinen Status"),
        DeadlineApproaching = "deadline.approaching" ("A deadline is approaching", "Eine Frist rückt näher"),
    }
}
