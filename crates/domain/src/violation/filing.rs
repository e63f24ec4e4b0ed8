//! What the rules of filing with an authority, and of archiving what was filed, refuse.

use crate::{moment::Moment, violation::sentences};

sentences! {
    /// Why a filing cannot be recorded or corrected as asked.
    FilingComplaint {
        NoStage =
            "goes with a status that files a stage; correct an earlier filing under stages",
            "gehört zu einem Schritt, der eine Stufe einreicht; eine frühere Einreichung bitte dort korrigieren";
        NotFiled =
            "is not filed yet: move the status to record it",
            "ist noch nicht eingereicht: bitte zuerst die Stufe erfassen";
        NoReason =
            "cannot be corrected without a reason: give it in note",
            "lässt sich nur mit Begründung korrigieren: bitte den Grund angeben";
        StartWithoutReason =
            "cannot be changed without a reason: give it in note",
            "lässt sich nur mit Begründung ändern: bitte den Grund angeben";
        StartFiled =
            "cannot be changed once a stage is filed",
            "lässt sich nicht mehr ändern, sobald eine Stufe eingereicht ist";
        BeforeAware { at: Moment } =
            "must not be before aware_at ({at})",
            "darf nicht vor „Bekannt seit“ ({at}) liegen";
        MeasureFirst =
            "is required before the final report on a vulnerability: it starts its clock",
            "fehlt: Sie ist vor dem Abschlussbericht zu einer Schwachstelle nötig, weil sie dessen Frist startet";
        MeasureUsed =
            "cannot be removed once the final report is filed",
            "lässt sich nicht mehr entfernen, sobald der Abschlussbericht eingereicht ist";
        NotAFinding =
            "must be the id of one of your findings",
            "muss eine Ihrer Feststellungen sein";
    }

    /// Why a record cannot be archived, restored, changed or deleted.
    #[derive(Copy)]
    ArchiveComplaint {
        Filed =
            "has a filed stage and cannot be deleted: archive it",
            "hat eine eingereichte Stufe und lässt sich nicht löschen: bitte archivieren";
        Archived =
            "is archived: restore it before changing it",
            "ist archiviert: bitte vor einer Änderung wiederherstellen";
        AlreadyArchived = "is already archived", "ist schon archiviert";
        NotArchived = "is not archived", "ist nicht archiviert";
    }
}
