//! Violations of the rules of filing with an authority, and of archiving filed reports.

use crate::{moment::Moment, wording::sentences};

sentences! {
    /// Why a filing cannot be recorded or corrected.
    FilingComplaint {
        StaysSent =
            "is recorded as sent and stays: correct the moment instead",
            "ist als gesendet erfasst und bleibt es: bitte stattdessen den Zeitpunkt berichtigen";
        NoStage =
            "goes with a status that files a stage; correct an earlier filing under stages",
            "gehört zu einem Schritt, der eine Stufe einreicht; eine frühere Einreichung bitte dort korrigieren";
        NotAPoint =
            "is no point of this report: its contents name the points",
            "ist keine Angabe dieser Meldung: ihr Inhalt nennt die Angaben";
        NotFiled =
            "is not filed yet: move the status to record it",
            "ist noch nicht eingereicht: bitte zuerst die Stufe erfassen";
        NothingProvided =
            "is possible only after the stage before it was filed, with which its content was provided",
            "ist erst möglich, wenn die Stufe davor eingereicht ist, mit der ihr Inhalt übermittelt wurde";
        AlreadyFiled =
            "is filed already",
            "ist schon eingereicht";
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
        FindingIsKept =
            "was decided on before, so its history must be kept: close it and archive it instead of deleting it",
            "wurde schon entschieden, der Verlauf muss erhalten bleiben: bitte schließen und archivieren statt löschen";
        TestCaseIsKept =
            "was executed, so its result must be kept: archive it instead of deleting it",
            "wurde durchgeführt, das Ergebnis muss erhalten bleiben: bitte archivieren statt löschen";
        ArchivedIsKept =
            "is archived, so its history must be kept: it cannot be deleted",
            "ist archiviert, der Verlauf muss erhalten bleiben: lässt sich nicht löschen";
        FindingIsOpen =
            "is not finished: close it or mark it as a false positive before archiving it",
            "ist nicht abgeschlossen: bitte vor dem Archivieren schließen oder als Fehlalarm markieren";
        TestCaseIsPending =
            "is not finished: record its result or cancel it before archiving it",
            "ist nicht abgeschlossen: bitte vor dem Archivieren das Ergebnis festhalten oder absagen";
        IncidentIsOpen =
            "is not finished: close it before archiving it",
            "ist nicht abgeschlossen: bitte vor dem Archivieren schließen";
        OfIncident =
            "belongs to an incident and keeps its limits: remove it at the incident before deleting it",
            "gehört zu einem Vorfall und führt dessen Fristen: bitte vor dem Löschen dort entfernen";
        HasHistory =
            "has comments, evidence or results, so it is kept: finish or end it instead of deleting it",
            "hat Kommentare, Nachweise oder Ergebnisse und bleibt erhalten: bitte abschließen oder beenden statt löschen";
        ArchiveInstead =
            "has comments, evidence or results, so it is kept: once it is finished, archive it instead of deleting it",
            "hat Kommentare, Nachweise oder Ergebnisse und bleibt erhalten: bitte nach dem Abschluss archivieren statt löschen";
        ProgrammeIsActive =
            "is active: complete it or put it on hold before archiving it",
            "ist aktiv: bitte vor dem Archivieren abschließen oder pausieren";
        ArrangementRuns =
            "has not ended: enter its last day before archiving it, and archive it after that day",
            "ist nicht beendet: bitte den letzten Tag eintragen und danach archivieren";
        TaskIsOpen =
            "is not done: mark it as done before archiving it",
            "ist nicht erledigt: bitte vor dem Archivieren als erledigt kennzeichnen";
        AlreadyArchived = "is already archived", "ist schon archiviert";
        NotArchived = "is not archived", "ist nicht archiviert";
    }
}
