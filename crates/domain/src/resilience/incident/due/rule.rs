//! Why a report is due when it is, and what a clock that has not started waits for.

use crate::{
    clock::Span,
    moment::Moment,
    vocabulary::Word,
    wording::{Label, Language, Reader, Shown, sentences},
};

impl Shown for Span {
    fn shown(&self, reader: Reader) -> String {
        let (number, one, many) = match *self {
            Self::Hours(number) => (number, Label::new("hour", "Stunde"), Label::new("hours", "Stunden")),
            Self::Days(number) => (number, Label::new("day", "Tag"), Label::new("days", "Tage")),
            Self::Months(number) => (number, Label::new("month", "Monat"), Label::new("months", "Monate")),
        };
        let unit = if number == 1 { one } else { many };
        let language: Language = reader.language();
        format!("{number} {}", unit.text(language))
    }
}

sentences! {
    /// The rule for a due time.
    DueRule {
        AfterClassification { span: Span, at: Moment } =
            "{span} after the classification as major ({at})",
            "{span} nach der Klassifizierung als schwerwiegend ({at})";
        AfterAwarenessAtLatest { span: Span, at: Moment } =
            "{span} after awareness ({at}), which comes before the limit that runs from the classification",
            "{span} nach Kenntnis ({at}), was vor der Frist ab der Klassifizierung liegt";
        AfterLateClassification { span: Span, at: Moment } =
            "{span} after the classification as major ({at}), which came later than 24 hours after awareness",
            "{span} nach der Klassifizierung als schwerwiegend ({at}), die später als 24 Stunden nach Kenntnis kam";
        AfterInitial { span: Span, at: Moment } =
            "{span} after the initial notification ({at}), even if nothing has changed",
            "{span} nach der Erstmeldung ({at}), auch wenn sich nichts geändert hat";
        AfterIntermediate { span: Span, at: Moment } =
            "{span} after the intermediate report or its last update ({at})",
            "{span} nach der Zwischenmeldung oder ihrer letzten Aktualisierung ({at})";
        AfterAwareness { span: Span, at: Moment } =
            "{span} after awareness ({at})",
            "{span} nach Kenntnis ({at})";
        AfterNotification { span: Span, at: Moment } =
            "{span} after the notification ({at})",
            "{span} nach der Meldung ({at})";
        AfterHandling { span: Span, at: Moment } =
            "{span} after the end of the handling of the incident ({at})",
            "{span} nach Ende der Bewältigung des Vorfalls ({at})";
        AfterMeasure { span: Span, at: Moment } =
            "{span} after a corrective or mitigating measure became available ({at})",
            "{span} nach Verfügbarkeit einer Korrektur- oder Minderungsmaßnahme ({at})";
        OnRecovery { at: Moment } =
            "without undue delay, as regular activities are back ({at})",
            "unverzüglich, da der Normalbetrieb wiederhergestellt ist ({at})";
        OnRequest { at: Moment } =
            "without undue delay, as the authority asked for it ({at})",
            "unverzüglich, da die Behörde es verlangt hat ({at})";
        OnReclassification { at: Moment } =
            "without undue delay, as the incident was classified again as not major ({at})",
            "unverzüglich, da der Vorfall neu als nicht schwerwiegend klassifiziert ist ({at})";
        WithoutDelay { at: Moment } =
            "without undue delay; no number of hours is set (known since {at})",
            "unverzüglich; eine Frist in Stunden gibt es nicht (bekannt seit {at})";
    }

    /// What a clock waits for before it starts.
    Waiting {
        Facts =
            "waits for the facts that decide whether this must be reported",
            "wartet auf die Angaben, die entscheiden, ob zu melden ist";
        Classification =
            "waits for the classification as major",
            "wartet auf die Klassifizierung als schwerwiegend";
        InitialNotification =
            "waits for the initial notification to be sent",
            "wartet auf die Übermittlung der Erstmeldung";
        IntermediateReport =
            "waits for the intermediate report to be sent",
            "wartet auf die Übermittlung der Zwischenmeldung";
        Recovery =
            "waits for regular activities to be back; then an updated intermediate report is due without undue delay",
            "wartet auf die Wiederherstellung des Normalbetriebs; dann ist unverzüglich eine aktualisierte Zwischenmeldung fällig";
        Notification =
            "waits for the notification to be sent",
            "wartet auf die Übermittlung der Meldung";
        Handling =
            "waits for the end of the handling of the incident",
            "wartet auf das Ende der Bewältigung des Vorfalls";
        StillOngoing { at: Moment } =
            "is due only if the incident is still going on when the final report is due ({at})",
            "ist nur fällig, wenn der Vorfall bei Fälligkeit der Abschlussmeldung ({at}) noch andauert";
        Measure =
            "waits for a corrective or mitigating measure to be available",
            "wartet auf die Verfügbarkeit einer Korrektur- oder Minderungsmaßnahme";
        Answer { fact: Word } =
            "waits for the fact that decides it: {fact}",
            "wartet auf die Angabe, die darüber entscheidet: {fact}";
        Request =
            "is due only at the request of the CSIRT or authority",
            "ist nur auf Verlangen des CSIRT oder der Behörde fällig";
    }

    /// Why nothing is due.
    NotOwed {
        NotNotifiable =
            "by the facts known, this need not be reported",
            "nach den bekannten Angaben ist nicht zu melden";
        NoHighRisk =
            "no high risk to the persons concerned, or they are protected",
            "kein hohes Risiko für die betroffenen Personen, oder sie sind geschützt";
        NotConcerned =
            "by the facts known, there is no one to be informed",
            "nach den bekannten Angaben ist niemand zu unterrichten";
        FinalInstead =
            "the incident ended before the final report was due, so no progress report is needed",
            "der Vorfall endete vor Fälligkeit der Abschlussmeldung, eine Fortschrittsmeldung entfällt";
        Reclassified =
            "the incident was classified again as not major: send the reclassification instead",
            "der Vorfall ist neu als nicht schwerwiegend klassifiziert: stattdessen ist die Neuklassifizierung zu senden";
        AtCraReport =
            "is kept at the CRA report that belongs to this incident, with its limit",
            "wird mit ihrer Frist an der CRA-Meldung geführt, die zu diesem Vorfall gehört";
        NoClock =
            "the catalogue has no clock for it",
            "der Katalog hat dafür keine Frist";
    }

    /// The effect of weekends and bank holidays on a limit (2025/301 Art. 5(4) to (6)).
    Relief {
        Weekend { limit: Moment } =
            "moved to noon of the next working day, because the limit ({limit}) falls on a weekend (2025/301 Art. 5(4))",
            "auf 12 Uhr des nächsten Arbeitstags verschoben, weil die Frist ({limit}) auf ein Wochenende fällt (2025/301 Art. 5 Abs. 4)";
        Holiday { limit: Moment, name: Label, state: Label } =
            "moved to noon of the next working day, because the limit ({limit}) falls on a bank holiday in {state}: {name} (2025/301 Art. 5(4)); by the service's own calendar, which is no official list",
            "auf 12 Uhr des nächsten Arbeitstags verschoben, weil die Frist ({limit}) auf einen Bankfeiertag fällt ({state}: {name}; 2025/301 Art. 5 Abs. 4); nach dem Kalender dieses Dienstes, der keine amtliche Liste ist";
        FinalReport { limit: Moment } =
            "moved to noon of the next working day, because the limit ({limit}) falls on a weekend or a bank holiday (2025/301 Art. 5(4); holidays by the service's own calendar, which is no official list); that entities without relief for the earlier reports have it for the final report is our reading of Art. 5(5) and (6), which do not name it",
            "auf 12 Uhr des nächsten Arbeitstags verschoben, weil die Frist ({limit}) auf ein Wochenende oder einen Bankfeiertag fällt (2025/301 Art. 5 Abs. 4; Feiertage nach dem eigenen Kalender dieses Dienstes, der keine amtliche Liste ist); dass Unternehmen ohne Erleichterung für die früheren Meldungen sie für die Abschlussmeldung haben, ist unsere Lesart von Art. 5 Abs. 5 und 6, die diese nicht nennen";
        Excluded { why: Exclusion } =
            "not moved although it falls on a day off, because {why}",
            "nicht verschoben, obwohl sie auf einen freien Tag fällt, weil {why}";
    }

    /// Who has no relief for the initial notification and the intermediate report.
    #[derive(Copy)]
    Exclusion {
        Unknown =
            "the kind of entity or its Member State is not known here, and some kinds have no relief (2025/301 Art. 5(5))",
            "die Art des Unternehmens oder sein Mitgliedstaat hier nicht bekannt ist und manche Arten keine Erleichterung haben (2025/301 Art. 5 Abs. 5)";
        EntityKind =
            "credit institutions, central counterparties and operators of trading venues have no relief (2025/301 Art. 5(5))",
            "Kreditinstitute, zentrale Gegenparteien und Betreiber von Handelsplätzen keine Erleichterung haben (2025/301 Art. 5 Abs. 5)";
        Nis2Entity =
            "essential and important entities under NIS2 have no relief (2025/301 Art. 5(5))",
            "wesentliche und wichtige Einrichtungen nach NIS2 keine Erleichterung haben (2025/301 Art. 5 Abs. 5)";
        Decision =
            "the authority decided that there is no relief for this entity (2025/301 Art. 5(6))",
            "die Behörde für dieses Unternehmen die Erleichterung ausgeschlossen hat (2025/301 Art. 5 Abs. 6)";
    }
}

impl DueRule {
    /// The length of the period, where there is one.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::AfterClassification { span, .. }
            | Self::AfterAwarenessAtLatest { span, .. }
            | Self::AfterLateClassification { span, .. }
            | Self::AfterInitial { span, .. }
            | Self::AfterIntermediate { span, .. }
            | Self::AfterAwareness { span, .. }
            | Self::AfterNotification { span, .. }
            | Self::AfterHandling { span, .. }
            | Self::AfterMeasure { span, .. } => Some(*span),
            Self::OnRecovery { .. }
            | Self::OnRequest { .. }
            | Self::OnReclassification { .. }
            | Self::WithoutDelay { .. } => None,
        }
    }
}

/// How periods of days and months are counted, which the acts do not say.
pub const WHOLE_DAYS: Label = Label::new(
    "Counted by the days of your time zone and to the end of the last day: our reading, after Regulation (EEC, Euratom) No 1182/71, Art. 3(2).",
    "Nach Tagen Ihrer Zeitzone und bis zum Ende des letzten Tages gerechnet: unsere Lesart nach Art. 3 Abs. 2 der Verordnung (EWG, Euratom) Nr. 1182/71.",
);

/// What to do when a limit of DORA cannot be kept.
pub const DELAY_NOTICE: Label = Label::new(
    "If it cannot be sent in time, inform the authority before this time and explain why (2025/301 Art. 5(3)).",
    "Kann die Frist nicht gehalten werden, ist die Behörde vor deren Ablauf mit Begründung zu unterrichten (2025/301 Art. 5 Abs. 3).",
);
