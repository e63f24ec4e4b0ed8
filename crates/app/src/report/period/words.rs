//! The texts that several parts of a report share.

use domain::wording::Label;

use crate::report::words::word;

pub(super) const THIS_PERIOD: Label = word("This period", "Dieser Zeitraum");
pub(super) const PERIOD_BEFORE: Label = word("Period before", "Zeitraum davor");
pub(super) const CHANGE: Label = word("Change", "Veränderung");
pub(super) const TOTAL: Label = word("Total", "Summe");
pub(super) const COUNT: Label = word("Number", "Anzahl");
pub(super) const MORE: Label = word("And {count} more.", "Und {count} weitere.");
pub(super) const OWNER: Label = word("Owner", "Verantwortlich");
pub(super) const STATUS: Label = word("Status", "Status");
pub(super) const LEVEL: Label = word("Level", "Stufe");
pub(super) const DUE: Label = word("Due on", "Fällig am");
pub(super) const UNTIL: Label = word("Until", "Bis");
pub(super) const HOLDS: Label = word(
    "State at the end of {day}, compared with the end of {before}.",
    "Stand am Ende des {day}, verglichen mit dem Ende des {before}.",
);
pub(super) const CUT: Label =
    word("There are more records than were counted.", "Es gibt mehr Datensätze, als gezählt wurden.");
