//! Actions of the audit log as sentences.
//!
//! The log stores the short word. A sentence is the name of the author followed by the label, in which `{subject}` is
//! the record. What every kind of record has is composed of its noun; an action without a sentence is shown by its word.

pub use crate::noun::AuditKind;
use crate::{
    noun::{NOUNS, Noun},
    vocabulary::{Vocabulary as _, vocabulary},
    wording::Label,
};

vocabulary! {
    /// An action in the audit log.
    AuditAction {
        UserCreated = "user.created" ("added the account {subject}", "hat das Konto {subject} angelegt"),
        UserInvited = "user.invited" ("invited {subject}", "hat {subject} eingeladen"),
        UserChanged = "user.changed" ("changed the account {subject}", "hat das Konto {subject} geändert"),
        UserRemoved = "user.removed" ("removed the account {subject}: it is closed and has no password any more", "hat das Konto {subject} entfernt: Es ist geschlossen und hat kein Passwort mehr"),
        UserProfileChanged = "user.profile_changed" ("changed their own profile", "hat das eigene Profil geändert"),
        UserSignedIn = "user.signed_in" ("signed in", "hat sich angemeldet"),
        UserSignedOut = "user.signed_out" ("signed a browser of {subject} out", "hat einen Browser von {subject} abgemeldet"),
        UserSignedOutElsewhere = "user.signed_out_elsewhere" ("signed out all other browsers", "hat alle anderen Browser abgemeldet"),
        UserProved = "user.proved" ("confirmed their identity", "hat die eigene Identität bestätigt"),
        UserCodeRefused = "user.code_refused" ("refused a wrong code for the account {subject}", "hat einen falschen Code für das Konto {subject} abgewiesen"),
        UserPasswordChanged = "user.password_changed" ("changed the password", "hat das Passwort geändert"),
        UserPasswordChosen = "user.password_chosen" ("chose a password through a one-time link", "hat über einen einmaligen Link ein Passwort gewählt"),
        UserLinkIssued = "user.link_issued" ("issued a one-time link for {subject}", "hat einen einmaligen Link für {subject} ausgestellt"),
        UserSecondFactorOn = "user.second_factor_on" ("turned the second factor on", "hat den zweiten Faktor eingeschaltet"),
        UserSecondFactorOff = "user.second_factor_off" ("turned the second factor off", "hat den zweiten Faktor ausgeschaltet"),
        UserFactorRemovalAsked = "user.factor_removal_asked" ("asked for the removal of the second factor and the passkeys of {subject}; another administrator has to confirm it", "hat beantragt, den zweiten Faktor und die Passkeys von {subject} zu entfernen; eine weitere Person der Administration muss es bestätigen"),
        UserFactorsRemoved = "user.factors_removed" ("confirmed the removal of the second factor and the passkeys of {subject}", "hat bestätigt, dass der zweite Faktor und die Passkeys von {subject} entfernt werden"),
        UserRecoveryCodesRenewed = "user.recovery_codes_renewed" ("renewed the recovery codes", "hat die Wiederherstellungscodes erneuert"),
        UserPasskeyAdded = "user.passkey_added" ("added a passkey", "hat einen Passkey hinzugefügt"),
        UserPasskeyRemoved = "user.passkey_removed" ("removed a passkey", "hat einen Passkey entfernt"),
        UserIdentityLinked = "user.identity_linked" ("linked the account {subject} to the identity provider", "hat das Konto {subject} mit dem Identitätsanbieter verknüpft"),
        UserIdentityUnlinked = "user.identity_unlinked" ("unlinked the account {subject} from the identity provider", "hat die Verknüpfung des Kontos {subject} mit dem Identitätsanbieter gelöst"),
        UserWorkHandedOver = "user.work_handed_over" ("handed over the open work of {subject}", "hat die offene Arbeit von {subject} übergeben"),
        UserCalendarMade = "user.calendar_made" ("created a calendar address", "hat eine Kalenderadresse angelegt"),
        UserCalendarRevoked = "user.calendar_revoked" ("revoked the calendar address", "hat die Kalenderadresse widerrufen"),
        AuditKeyed = "audit.keyed" ("began to protect the audit log with a key", "hat begonnen, das Prüfprotokoll mit einem Schlüssel zu sichern"),
        BundleAsked = "bundle.asked" ("asked for an audit bundle", "hat ein Prüfungspaket angefordert"),
        BundleMade = "bundle.made" ("made an audit bundle", "hat ein Prüfungspaket erstellt"),
        BundleFailed = "bundle.failed" ("could not make an audit bundle", "konnte ein Prüfungspaket nicht erstellen"),
        BundleDeleted = "bundle.deleted" ("deleted an audit bundle", "hat ein Prüfungspaket gelöscht"),
        ReportAsked = "report.asked" ("asked for a report", "hat einen Bericht angefordert"),
        ReportMade = "report.made" ("made a report", "hat einen Bericht erstellt"),
        ReportFailed = "report.failed" ("could not make a report", "konnte einen Bericht nicht erstellen"),
        ReportReleased = "report.released" ("released a report", "hat einen Bericht freigegeben"),
        ManagementReviewKept = "management_review.kept" ("kept the approved management review", "hat die freigegebene Managementbewertung abgelegt"),
        ReportDeleted = "report.deleted" ("deleted a report", "hat einen Bericht gelöscht"),
        ReportTemplateCreated = "report_template.created" ("added the template of reports {subject}", "hat die Berichtsvorlage {subject} angelegt"),
        ReportTemplateChanged = "report_template.changed" ("changed the template of reports {subject}", "hat die Berichtsvorlage {subject} geändert"),
        ReportTemplateDeleted = "report_template.deleted" ("deleted the template of reports {subject}", "hat die Berichtsvorlage {subject} gelöscht"),
        KeyCreated = "key.created" ("created the API key {subject}", "hat den API-Schlüssel {subject} angelegt"),
        KeyRevoked = "key.revoked" ("revoked the API key {subject}", "hat den API-Schlüssel {subject} widerrufen"),
        KeyRotated = "key.rotated" ("rotated the API key {subject}", "hat den API-Schlüssel {subject} durch einen neuen abgelöst"),
        IncidentCreated = "incident.created" ("opened the incident {subject}", "hat den Vorfall {subject} angelegt"),
        IncidentLogged = "incident.logged" ("wrote into the log of the incident {subject}", "hat in das Protokoll des Vorfalls {subject} geschrieben"),
        FindingAcceptanceExpired = "finding.acceptance_expired" ("opened the finding {subject} again, because its accepted risk ran out", "hat die Feststellung {subject} wieder geöffnet, weil die Risikoakzeptanz abgelaufen ist"),
        FindingsImported = "findings.imported" ("imported findings", "hat Feststellungen importiert"),
        RecordsImported = "records.imported" ("imported records from a table", "hat Einträge aus einer Tabelle importiert"),
        EvidenceCreated = "evidence.created" ("added the evidence {subject}", "hat den Nachweis {subject} angelegt"),
        EvidenceLinked = "evidence.linked" ("attached the evidence {subject} to a record", "hat den Nachweis {subject} mit einem Eintrag verknüpft"),
        EvidenceUnlinked = "evidence.unlinked" ("detached the evidence {subject} from a record", "hat den Nachweis {subject} von einem Eintrag gelöst"),
        EvidenceRefused = "evidence.refused" ("refused an infected file", "hat eine infizierte Datei abgewiesen"),
        RiskAcceptanceExpired = "risk.acceptance_expired" ("opened the risk {subject} again, because its acceptance ran out", "hat das Risiko {subject} wieder geöffnet, weil die Risikoakzeptanz abgelaufen ist"),
        RiskAppetiteChanged = "risk_appetite.changed" ("changed the risk appetite", "hat den Risikoappetit geändert"),
        ApprovalCreated = "approval.created" ("asked for the approval {subject}", "hat die Freigabe {subject} angefragt"),
        ApprovalGranted = "approval.granted" ("granted the approval {subject}", "hat die Freigabe {subject} erteilt"),
        ApprovalRefused = "approval.refused" ("refused the approval {subject}", "hat die Freigabe {subject} abgelehnt"),
        ApprovalWithdrawn = "approval.withdrawn" ("withdrew the request for the approval {subject}", "hat die Anfrage der Freigabe {subject} zurückgezogen"),
        ApprovalLapsed = "approval.lapsed" ("let the approval {subject} lapse by changing the record", "hat durch eine Änderung des Datensatzes die Freigabe {subject} verfallen lassen"),
        ApprovalPolicyChanged = "approval_policy.changed" ("changed the approval policy", "hat die Freigaberichtlinie geändert"),
        FindingRetested = "finding.retested" ("recorded a retest of the finding {subject}", "hat einen Nachtest der Feststellung {subject} erfasst"),
        ControlPerformed = "control.performed" ("recorded that the control {subject} was performed", "hat die Durchführung der Kontrolle {subject} erfasst"),
        ControlsAdopted = "controls.adopted" ("adopted measures as controls", "hat Maßnahmen als Kontrollen übernommen"),
        AssessmentChanged = "assessment.changed" ("changed the assessment of {subject}", "hat die Bewertung von {subject} geändert"),
        AssessmentApproved = "assessment.approved" ("approved the assessment of {subject}", "hat die Bewertung von {subject} freigegeben"),
        EvidenceApproved = "evidence.approved" ("approved the evidence {subject}", "hat den Nachweis {subject} freigegeben"),
        StatementApproved = "statement.approved" ("approved the statement of applicability", "hat die Erklärung zur Anwendbarkeit freigegeben"),
        StatementKept = "statement.kept" ("kept the document of the approved statement of applicability", "hat das Dokument der freigegebenen Erklärung zur Anwendbarkeit abgelegt"),
        AssessmentCarried = "assessment.carried" ("carried an answer over to {subject}", "hat eine Bewertung auf {subject} übertragen"),
        ControlCorrected = "control.corrected" ("corrected a performance of the control {subject}", "hat eine Durchführung der Kontrolle {subject} korrigiert"),
        CraReportCorrected = "cra_report.corrected" ("corrected a stage recorded as sent of the CRA report {subject}", "hat eine als gesendet erfasste Stufe der CRA-Meldung {subject} korrigiert"),
        IncidentCorrected = "incident.corrected" ("corrected a report recorded as sent of the incident {subject}", "hat eine als gesendet erfasste Meldung des Vorfalls {subject} korrigiert"),
        TrainingCorrected = "training.corrected" ("corrected the result of the training {subject}", "hat das Ergebnis der Schulung {subject} korrigiert"),
        RegisterFilingCorrected = "register_filing.corrected" ("corrected the submission of the filing {subject}", "hat die Übermittlung der Einreichung {subject} korrigiert"),
        DrillRunCreated = "drill_run.created" ("planned the drill run {subject}", "hat die Übung {subject} geplant"),
        DrillRunLogged = "drill_run.logged" ("wrote into the decision log of the drill run {subject}", "hat in das Entscheidungsprotokoll der Übung {subject} geschrieben"),
        TrainingCreated = "training.created" ("assigned the training {subject}", "hat die Schulung {subject} zugewiesen"),
        EvidenceRequestCreated = "evidence_request.created" ("asked for evidence with {subject}", "hat mit {subject} Nachweise angefordert"),
        EvidenceRequestAnswered = "evidence_request.answered" ("answered the request for evidence {subject}", "hat die Nachweisanforderung {subject} beantwortet"),
        EvidenceRequestClosed = "evidence_request.closed" ("closed the request for evidence {subject}", "hat die Nachweisanforderung {subject} abgeschlossen"),
        EvidenceRequestReopened = "evidence_request.reopened" ("opened the request for evidence {subject} again", "hat die Nachweisanforderung {subject} wieder geöffnet"),
        SampleDrawn = "sample.drawn" ("drew a sample of records", "hat eine Stichprobe von Datensätzen gezogen"),
        ArrangementCreated = "arrangement.created" ("added the ICT arrangement {subject}", "hat die IKT-Vereinbarung {subject} angelegt"),
        RegisterRowCreated = "register.row_created" ("added the row {subject} to the register", "hat im Register die Zeile {subject} angelegt"),
        RegisterRowChanged = "register.row_changed" ("changed the row {subject} of the register", "hat im Register die Zeile {subject} geändert"),
        RegisterRowDeleted = "register.row_deleted" ("deleted the row {subject} of the register", "hat im Register die Zeile {subject} gelöscht"),
        RegisterImported = "register.imported" ("imported the register of ICT arrangements", "hat das Register der IKT-Vereinbarungen importiert"),
        RegisterTakenOver = "register.taken_over" ("took arrangements over into the templates of the register", "hat Vereinbarungen in die Vorlagen des Registers übernommen"),
        RegisterLeisLoaded = "register.leis_loaded" ("compared the LEIs of the register with the golden copy of GLEIF", "hat die LEI des Registers mit der Golden Copy von GLEIF abgeglichen"),
        RegisterFilingCreated = "register_filing.created" ("froze the register of information as the filing {subject}", "hat das Informationsregister als Einreichung {subject} eingefroren"),
        RegisterFilingChanged = "register_filing.changed" ("changed the filing {subject} of the register", "hat die Einreichung {subject} des Registers geändert"),
        RegisterFilingDeleted = "register_filing.deleted" ("deleted the drafted filing {subject} of the register", "hat den Entwurf {subject} einer Registereinreichung gelöscht"),
        ConcentrationAnalysed = "concentration.analysed" ("analysed the concentration risk", "hat das Konzentrationsrisiko analysiert"),
        SimulationKept = "simulation.kept" ("kept a simulation", "hat eine Simulation gespeichert"),
        SimulationDeleted = "simulation.deleted" ("deleted a simulation", "hat eine Simulation gelöscht"),
        ThresholdsChanged = "thresholds.changed" ("changed the concentration thresholds", "hat die Konzentrationsschwellen geändert"),
        RatesChanged = "rates.changed" ("changed the exchange rates", "hat die Wechselkurse geändert"),
        WebhookCreated = "webhook.created" ("created the webhook {subject}", "hat den Webhook {subject} angelegt"),
        WebhookChanged = "webhook.changed" ("changed the webhook {subject}", "hat den Webhook {subject} geändert"),
        WebhookDeleted = "webhook.deleted" ("deleted the webhook {subject}", "hat den Webhook {subject} gelöscht"),
        WebhookTested = "webhook.tested" ("sent a test through the webhook {subject}", "hat über den Webhook {subject} einen Test gesendet"),
        WebhookReplayed = "webhook.replayed" ("sent missed events through the webhook {subject} again", "hat versäumte Ereignisse über den Webhook {subject} erneut gesendet"),
        WebhookSwitchedOff = "webhook.switched_off" ("switched off the webhook {subject}, because its destination is dead", "hat den Webhook {subject} abgeschaltet, weil sein Ziel nicht mehr antwortet"),
        EventHookCreated = "event_hook.created" ("created the event hook {subject}", "hat den Ereignis-Hook {subject} angelegt"),
        EventHookChanged = "event_hook.changed" ("changed the event hook {subject}", "hat den Ereignis-Hook {subject} geändert"),
        EventHookDeleted = "event_hook.deleted" ("deleted the event hook {subject}", "hat den Ereignis-Hook {subject} gelöscht"),
        EventHookRotated = "event_hook.secret_rotated" ("made a new secret for the event hook {subject}", "hat ein neues Geheimnis für den Ereignis-Hook {subject} erzeugt"),
        EventHookReplayed = "event_hook.replayed" ("sent missed events to the event hook {subject} again", "hat versäumte Ereignisse erneut an den Ereignis-Hook {subject} gesendet"),
        EventHookSwitchedOff = "event_hook.switched_off" ("switched off the event hook {subject}, because its destination is dead", "hat den Ereignis-Hook {subject} abgeschaltet, weil sein Ziel nicht mehr antwortet"),
        DeliveryRetried = "delivery.retried" ("sent a delivery again", "hat eine Zustellung wiederholt"),
        CommentAdded = "comment.added" ("commented on {subject}", "hat {subject} kommentiert"),
        CommentEdited = "comment.edited" ("changed a comment on {subject}", "hat einen Kommentar zu {subject} geändert"),
        CommentDeleted = "comment.deleted" ("deleted a comment on {subject} soon after writing it", "hat einen Kommentar zu {subject} kurz nach dem Schreiben gelöscht"),
        CommentWithdrawn = "comment.withdrawn" ("withdrew a comment on {subject}", "hat einen Kommentar zu {subject} zurückgezogen"),
        CommentResolved = "comment.resolved" ("marked a comment on {subject} as resolved", "hat einen Kommentar zu {subject} als erledigt markiert"),
        TagsChanged = "tags.changed" ("changed the tags of {subject}", "hat die Schlagwörter von {subject} geändert"),
        ViewCreated = "view.created" ("saved a view of a list", "hat eine Ansicht einer Liste gespeichert"),
        ViewChanged = "view.changed" ("changed a saved view of a list", "hat eine gespeicherte Ansicht geändert"),
        ViewDeleted = "view.deleted" ("deleted a saved view of a list", "hat eine gespeicherte Ansicht gelöscht"),
        CustomFieldCreated = "custom_field.created" ("defined an own field", "hat ein eigenes Feld angelegt"),
        CustomFieldChanged = "custom_field.changed" ("changed an own field", "hat ein eigenes Feld geändert"),
        CustomFieldDeleted = "custom_field.deleted" ("deleted an own field", "hat ein eigenes Feld gelöscht"),
        TenantCreated = "tenant.created" ("created the institution", "hat das Institut angelegt"),
        TenantChanged = "tenant.changed" ("changed the settings of the institution", "hat die Einstellungen des Instituts geändert"),
        IdentityProviderChanged = "identity_provider.changed" ("changed how the institution signs in with its identity provider", "hat die Anmeldung über den Identitätsanbieter des Instituts geändert"),
        IdentityProviderRemoved = "identity_provider.removed" ("removed the sign-in with the identity provider", "hat die Anmeldung über den Identitätsanbieter entfernt"),
        TenantClosed = "tenant.closed" ("closed the institution", "hat das Institut geschlossen"),
        TenantOpened = "tenant.opened" ("opened the institution again", "hat das Institut wieder geöffnet"),
        ProviderCreated = "provider.created" ("added the provider {subject}", "hat den Dienstleister {subject} angelegt"),
        ProviderClausesChanged = "provider.clauses_changed" ("recorded contract clauses of the provider {subject}", "hat Vertragsklauseln des Dienstleisters {subject} erfasst"),
        ReviewCreated = "review.created" ("began the due-diligence review {subject}", "hat die Dienstleisterprüfung {subject} begonnen"),
        ReviewSent = "review.sent" ("created a link to the due-diligence review {subject}", "hat einen Link zur Dienstleisterprüfung {subject} erstellt"),
        ReviewFileAdded = "review.file_added" ("took a file of the provider to the review {subject} through its link", "hat über den Link eine Datei des Dienstleisters zur Prüfung {subject} entgegengenommen"),
        ReviewAnswered = "review.answered" ("took answers of the provider to the review {subject} through its link", "hat über den Link Antworten des Dienstleisters zur Prüfung {subject} entgegengenommen"),
        ProfileChanged = "profile.changed" ("changed the profile of the institution", "hat das Profil des Instituts geändert"),
        LeadTimesChanged = "lead_times.changed" ("changed the lead times of deadlines", "hat die Vorlaufzeiten der Fristen geändert"),
        DueDaysChanged = "due_days.changed" ("changed the due days of findings", "hat die Fristen für Feststellungen geändert"),
        MailTested = "mail.tested" ("sent a test mail", "hat eine Testmail gesendet"),
        MailAddressAsked = "mail_address.asked" ("asked the owner of a mail address outside the institution to confirm it", "hat um die Bestätigung einer E-Mail-Adresse außerhalb des Instituts gebeten"),
        MailAddressConfirmed = "mail_address.confirmed" ("noted that the owner of a mail address confirmed it", "hat die Bestätigung einer E-Mail-Adresse vermerkt"),
        DeadlinesAnnounced = "deadlines.announced" ("announced deadlines", "hat Fristen angekündigt"),
        DeadlinesMissed = "deadlines.missed" ("noted that reports were due and are not recorded as sent", "hat vermerkt, dass fällige Meldungen nicht als gesendet erfasst sind"),
        TimelineSynchronised = "timeline.synchronised" ("synchronised the timeline", "hat den Zeitplan abgeglichen"),
        ScanStored = "scan.stored" ("stored a vulnerability scan", "hat einen Schwachstellenscan gespeichert"),
        VaultRotated = "vault.rotated" ("replaced the vault key", "hat den Schlüssel des Tresors ausgetauscht"),
        VaultAdopted = "vault.adopted" ("began again with a new vault key", "hat mit einem neuen Schlüssel des Tresors neu begonnen"),
        StoreRestored = "store.restored" ("restored the store from a backup", "hat den Datenbestand aus einer Sicherung wiederhergestellt"),
    }
}

impl AuditKind {
    /// The kind of an action, by the noun before its dot.
    pub fn of(action: &str) -> Self {
        let word = action.split('.').next().unwrap_or_default();
        if let Some(noun) = Noun::of(word) {
            return noun.group;
        }
        match word {
            "user" => Self::Accounts,
            "key" => Self::Keys,
            "findings" => Self::Findings,
            "controls" | "assessment" | "statement" => Self::Controls,
            "sample" => Self::Audits,
            "risk_appetite" => Self::Risks,
            "approval_policy" => Self::Approvals,
            "register" => Self::Register,
            "concentration" | "simulation" | "thresholds" | "rates" => Self::Concentration,
            "webhook" | "event_hook" | "delivery" => Self::Webhooks,
            "comment" => Self::Comments,
            "tags" | "view" => Self::Lists,
            "tenant" | "identity_provider" | "profile" | "lead_times" | "due_days" | "mail"
            | "mail_address" | "custom_field" => Self::Settings,
            _ => Self::Service,
        }
    }
}

/// Whether the entries of an action describe fields before and after: `{"field": [before, after]}`. In any other
/// entry a list is a list.
pub fn is_change(action: &str) -> bool {
    let verb = action.rsplit('.').next().unwrap_or_default();
    let pairs = verb.ends_with("changed")
        || ["archived", "restored", "approved", "carried", "corrected"].contains(&verb)
        || ["granted", "refused", "withdrawn", "lapsed"].contains(&verb) && action.starts_with("approval.")
        || ["answered", "closed", "reopened"].contains(&verb) && action.starts_with("evidence_request.");
    // A webhook and an event hook only name the fields that changed, because their addresses are secrets.
    pairs && !["webhook.changed", "event_hook.changed"].contains(&action)
}

impl AuditAction {
    /// The action by its word in the log.
    pub fn known(word: &str) -> Option<Self> {
        Self::find(word)
    }
}

/// The sentence of an action, by its word in the log.
pub fn sentence(action: &str) -> Option<Label> {
    let own = AuditAction::known(action).map(AuditAction::label);
    own.or_else(|| shared().find(|(word, _)| *word == action).map(|(_, sentence)| sentence))
}

/// The sentences that every kind of record has.
fn shared() -> impl Iterator<Item = (&'static str, Label)> {
    NOUNS.iter().flat_map(|noun| noun.sentences)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_name_the_same_subject() {
        let own = AuditAction::ALL.iter().map(|action| (action.as_str(), action.label()));
        for (action, label) in own.chain(shared()) {
            assert_eq!(label.en.contains("{subject}"), label.de.contains("{subject}"), "{action}");
            assert!(!label.en.ends_with('.') && !label.de.ends_with('.'), "{action}");
        }
    }

    #[test]
    fn a_kind_has_the_shared_sentences_unless_its_own_differ() {
        let text = |action: &str| sentence(action).map(|label| (label.en, label.de));
        let composed = ("changed the test case {subject}", "hat den Testfall {subject} geändert");
        assert_eq!(text("test_case.changed"), Some(composed));
        let own = ("planned the drill run {subject}", "hat die Übung {subject} geplant");
        assert_eq!(text("drill_run.created"), Some(own));
        assert_eq!(text("ship_log.created"), None);
    }

    #[test]
    fn only_changes_have_values_before_and_after() {
        for action in ["finding.changed", "register.row_changed", "assessment.approved", "finding.archived"] {
            assert!(is_change(action), "{action}");
        }
        for action in [
            "programme.created",
            "finding.deleted",
            "controls.adopted",
            "webhook.changed",
            "event_hook.changed",
        ] {
            assert!(!is_change(action), "{action}");
        }
    }

    #[test]
    fn every_kind_has_actions() {
        let own = AuditAction::ALL.iter().map(|action| action.as_str());
        let used: Vec<AuditKind> = own.chain(shared().map(|(word, _)| word)).map(AuditKind::of).collect();
        for kind in AuditKind::ALL {
            assert!(used.contains(kind), "{kind}");
        }
    }
}
