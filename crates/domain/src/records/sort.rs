//! The sort orders of lists: a field, with a minus sign for descending. The first is the default.

use crate::vocabulary::vocabulary;

vocabulary! {
    ArrangementSort {
        Reference = "reference" ("Reference", "Vertragsnummer"),
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Costliest = "-annual_cost" ("Costliest first", "Teuerste zuerst"),
    }
}

vocabulary! {
    ProgrammeSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Name = "name" ("Name", "Name"),
        NameFalling = "-name" ("Name, falling", "Name, absteigend"),
        Start = "starts_on" ("Start", "Beginn"),
        StartFalling = "-starts_on" ("Latest start first", "Spätester Beginn zuerst"),
        End = "ends_on" ("End", "Ende"),
        EndFalling = "-ends_on" ("Latest end first", "Spätestes Ende zuerst"),
    }
}

vocabulary! {
    TestCaseSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-due_on" ("Due last first", "Zuletzt fällige zuerst"),
        Priority = "priority" ("Most important first", "Wichtigste zuerst"),
        PriorityFalling = "-priority" ("Least important first", "Unwichtigste zuerst"),
    }
}

vocabulary! {
    FindingSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Severity = "severity" ("Worst first", "Schlimmste zuerst"),
        SeverityFalling = "-severity" ("Least severe first", "Harmloseste zuerst"),
        Due = "due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-due_on" ("Due last first", "Zuletzt fällige zuerst"),
        Urgency = "urgency" ("Worst first, then by due day", "Schlimmste zuerst, dann nach Fälligkeit"),
        Detected = "detected_at" ("Longest known first", "Am längsten bekannte zuerst"),
        DetectedFalling = "-detected_at" ("Latest detected first", "Zuletzt entdeckte zuerst"),
    }
}

vocabulary! {
    ControlSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "next_due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-next_due_on" ("Due last first", "Zuletzt fällige zuerst"),
    }
}

vocabulary! {
    CraReportSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Aware = "aware_at" ("Known longest first", "Am längsten bekannte zuerst"),
        AwareFalling = "-aware_at" ("Latest known first", "Zuletzt bekannte zuerst"),
    }
}

vocabulary! {
    DrillRunSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Planned = "planned_for" ("Earliest day first", "Frühester Termin zuerst"),
        PlannedFalling = "-planned_for" ("Latest day first", "Spätester Termin zuerst"),
    }
}

vocabulary! {
    RegisterFilingSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Due = "due_on" ("Due first", "Zuerst fällige"),
        DueFalling = "-due_on" ("Due last first", "Zuletzt fällige zuerst"),
    }
}

vocabulary! {
    FunctionSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Reference = "reference" ("By reference", "Nach Kennzeichen"),
        ReferenceFalling = "-reference" ("By reference, last first", "Nach Kennzeichen, letzte zuerst"),
    }
}

vocabulary! {
    ProviderSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Name = "name" ("By name", "Nach Name"),
        NameFalling = "-name" ("By name, last first", "Nach Name, letzte zuerst"),
        Review = "next_review_on" ("Review first", "Zuerst zu prüfende"),
        ReviewFalling = "-next_review_on" ("Review last first", "Zuletzt zu prüfende zuerst"),
    }
}

vocabulary! {
    IncidentSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Detected = "detected_at" ("Longest known first", "Am längsten bekannte zuerst"),
        DetectedFalling = "-detected_at" ("Latest detected first", "Zuletzt entdeckte zuerst"),
    }
}

vocabulary! {
    EvidenceSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Expiry = "valid_until" ("Expiring first", "Zuerst ablaufende"),
        ExpiryFalling = "-valid_until" ("Expiring last first", "Zuletzt ablaufende zuerst"),
    }
}

vocabulary! {
    RiskSort {
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Oldest = "created_at" ("Oldest first", "Älteste zuerst"),
        Level = "level" ("Gravest first", "Schwerste zuerst"),
        LevelFalling = "-level" ("Least grave first", "Geringste zuerst"),
        Review = "review_on" ("Review first", "Zuerst zu prüfende"),
        ReviewFalling = "-review_on" ("Review last first", "Zuletzt zu prüfende zuerst"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn every_order_has_a_word_and_a_label() {
        is_sound::<ProgrammeSort>();
        is_sound::<TestCaseSort>();
        is_sound::<FindingSort>();
        is_sound::<ControlSort>();
        is_sound::<CraReportSort>();
        is_sound::<DrillRunSort>();
        is_sound::<EvidenceSort>();
        is_sound::<FunctionSort>();
        is_sound::<IncidentSort>();
        is_sound::<ProviderSort>();
        is_sound::<RiskSort>();
    }
}
