//! Violations of the facts and times of an incident.

use crate::{currency::Currency, moment::Moment, vocabulary::Word, wording::sentences};

sentences! {
    /// Why an incident cannot be stored.
    IncidentComplaint {
        Negative = "must not be negative", "darf nicht negativ sein";
        TooLarge { most: u64 } = "must be at most {most}", "darf höchstens {most} betragen";
        MoreThanAll { whole: Word, all: u64 } =
            "must not be more than {whole} ({all}): correct one of the two",
            "darf nicht größer sein als „{whole}“ ({all}): bitte einen der beiden Werte berichtigen";
        Before { other: Word, at: Moment } =
            "must not be before {other} ({at})",
            "darf nicht vor „{other}“ ({at}) liegen";
        After { other: Word, at: Moment } =
            "must not be after {other} ({at})",
            "darf nicht nach „{other}“ ({at}) liegen";
        NotAMemberState { code: String } =
            "names {code}, which is no state of the European Economic Area: the threshold counts Member States only",
            "nennt {code}, das kein Staat des Europäischen Wirtschaftsraums ist: Die Schwelle zählt nur Mitgliedstaaten";
        OtherCurrency { expected: Currency } =
            "must be in {expected}, like every amount of this incident: convert it, or change the currency of all",
            "muss wie jeder Betrag dieses Vorfalls in {expected} sein: bitte umrechnen oder die Währung aller Beträge ändern";
        RateForEuro =
            "is only for amounts in another currency than the euro: leave it out",
            "gilt nur für Beträge in einer anderen Währung als dem Euro: bitte weglassen";
        FunctionWithoutService =
            "cannot be true while critical_services is false: a service that supports a critical or important function is critical",
            "kann nicht Ja sein, solange keine kritischen Dienste betroffen sind: Ein Dienst für eine kritische oder wichtige Funktion ist kritisch";
        LossWithoutData =
            "names what happened to data although data_loss is false: clear one of the two",
            "nennt, was mit Daten geschah, obwohl es keine Datenverluste gab: bitte eines von beiden leeren";
        NoRegime =
            "must name at least one of dora, nis2, gdpr, cra",
            "muss mindestens eines nennen: DORA, NIS2, DSGVO, CRA";
        NoReason =
            "is required when the result is not the one the facts give: say why",
            "fehlt: Weicht das Ergebnis von dem der Angaben ab, bitte begründen";
        StageFiled =
            "is filed already: what was sent stays as it is; send a later stage to correct it",
            "ist schon eingereicht: Gesendetes bleibt, wie es ist; zum Berichtigen bitte eine spätere Stufe senden";
        Incomplete { missing: String } =
            "must be true to record a report as sent that lacks mandatory fields: {missing}",
            "muss bestätigt werden, um eine Meldung ohne diese Pflichtfelder als gesendet zu erfassen: {missing}";
        NotProvided =
            "is only for the notification and the final reports under the CRA, after an earlier stage was sent that contained their information",
            "gilt nur für die Meldung und die Abschlussberichte nach dem CRA, nachdem eine frühere Stufe mit deren Angaben gesendet wurde";
        StillOwed { reports: Vec<Word> } =
            "cannot be closed while reports are owed: {reports}; record them as sent first",
            "ist nicht möglich, solange Meldungen ausstehen: {reports}; bitte zuerst als gesendet erfassen";
        NoSuchFinding =
            "is no finding of this institution",
            "ist keine Feststellung dieses Instituts";
        NoSuchControl =
            "is no control of this institution",
            "ist keine Kontrolle dieses Instituts";
        NoSuchProvider =
            "is no provider of this institution",
            "ist kein Dienstleister dieses Instituts";
        NoSuchCraReport =
            "is no CRA report of this institution",
            "ist keine CRA-Meldung dieses Instituts";
        CraReportTaken { reference: String } =
            "belongs to the incident {reference} already: remove it there first",
            "gehört schon zum Vorfall {reference}: bitte zuerst dort entfernen";
        HasCraReport =
            "is there already: open the CRA report of this incident",
            "gibt es schon: bitte die CRA-Meldung dieses Vorfalls öffnen";
        NoReasonToReclassify =
            "is required when a classification as major is taken back or made again: say why",
            "fehlt: Wird eine Klassifizierung als schwerwiegend zurückgenommen oder erneut vorgenommen, bitte begründen";
        ClassifiedTooOften { most: usize } =
            "cannot be stored: this incident was classified {most} times already",
            "lässt sich nicht speichern: Dieser Vorfall wurde schon {most}-mal klassifiziert";
        FiledTooOften { most: usize } =
            "cannot be recorded: this incident has {most} reports already",
            "lässt sich nicht erfassen: Zu diesem Vorfall gibt es schon {most} Meldungen";
        NotReclassified =
            "can be filed only after a report was sent and the incident was then classified as not major",
            "lässt sich erst einreichen, wenn eine Meldung gesendet und der Vorfall danach als nicht schwerwiegend klassifiziert wurde";
        NotClassified =
            "can be filed only after the incident was classified as major",
            "lässt sich erst einreichen, wenn der Vorfall als schwerwiegend klassifiziert ist";
    }
}
