//! What the kinds of records are called: by programs, in scopes of keys, in the audit log and in messages.
//!
//! A kind has its line in `nouns!`, and in [`TaskType`] if its records are work until a day, and in [`LinkType`] if
//! evidence can be attached to them. Modules of kinds do not stand on this table; they only pass on its vocabularies.

use crate::{vocabulary::vocabulary, wording::Label};

vocabulary! {
    /// The kind of record a task belongs to.
    TaskType {
        Finding = "finding" ("Finding", "Feststellung"),
        TestCase = "test_case" ("Test case", "Testfall"),
        Control = "control" ("Control", "Kontrolle"),
        Assessment = "assessment" ("Assessment", "Bewertung"),
        Evidence = "evidence" ("Evidence", "Nachweis"),
        Risk = "risk" ("Risk", "Risiko"),
        Incident = "incident" ("Incident", "Vorfall"),
        CraReport = "cra_report" ("CRA report", "CRA-Meldung"),
        RegisterFiling = "register_filing" ("Filing of the register", "Einreichung des Registers"),
        Programme = "programme" ("Programme", "Programm"),
        Provider = "provider" ("Provider", "Dienstleister"),
        Arrangement = "arrangement" ("ICT arrangement", "IKT-Vereinbarung"),
        Training = "training" ("Training", "Schulung"),
        EvidenceRequest = "evidence_request" ("Request for evidence", "Nachweisanforderung"),
        Task = "task" ("Task", "Aufgabe"),
    }
}

vocabulary! {
    /// What evidence can be attached to.
    LinkType {
        Control = "control" ("Control", "Kontrolle"),
        Assessment = "assessment" ("Assessment", "Bewertung"),
        TestCase = "test_case" ("Test case", "Testfall"),
        Finding = "finding" ("Finding", "Feststellung"),
        Risk = "risk" ("Risk", "Risiko"),
        Incident = "incident" ("Incident", "Vorfall"),
        Arrangement = "arrangement" ("ICT arrangement", "IKT-Vereinbarung"),
        DrillRun = "drill_run" ("Drill run", "Übung"),
        Provider = "provider" ("Provider", "Dienstleister"),
        CraReport = "cra_report" ("CRA report", "CRA-Meldung"),
        Training = "training" ("Training", "Schulung"),
        EvidenceRequest = "evidence_request" ("Request for evidence", "Nachweisanforderung"),
    }
}

vocabulary! {
    /// The subject of an action in the audit log.
    AuditKind {
        Accounts = "accounts" ("Accounts and sign-ins", "Konten und Anmeldungen"),
        Keys = "keys" ("API keys", "API-Schlüssel"),
        Findings = "findings" ("Findings", "Feststellungen"),
        TestCases = "test_cases" ("Test cases", "Testfälle"),
        Programmes = "programmes" ("Programmes", "Programme"),
        Controls = "controls" ("Controls and assessments", "Kontrollen und Bewertungen"),
        Evidence = "evidence" ("Evidence", "Nachweise"),
        Audits = "audits" ("Audits", "Prüfungen"),
        Risks = "risks" ("Risks", "Risiken"),
        Tasks = "tasks" ("Tasks", "Aufgaben"),
        Approvals = "approvals" ("Approvals", "Freigaben"),
        Functions = "functions" ("Functions", "Funktionen"),
        CraReports = "cra_reports" ("CRA reports", "CRA-Meldungen"),
        Incidents = "incidents" ("Incidents", "Vorfälle"),
        DrillRuns = "drill_runs" ("Drill runs", "Übungen"),
        Trainings = "trainings" ("Trainings", "Schulungen"),
        Register = "register" ("ICT arrangements", "IKT-Vereinbarungen"),
        Providers = "providers" ("Providers", "Dienstleister"),
        Concentration = "concentration" ("Concentration risk", "Konzentrationsrisiko"),
        Webhooks = "webhooks" ("Webhooks", "Webhooks"),
        Comments = "comments" ("Comments", "Kommentare"),
        Lists = "lists" ("Tags and saved views", "Schlagwörter und gespeicherte Ansichten"),
        Settings = "settings" ("Settings", "Einstellungen"),
        Service = "service" ("The service itself", "Der Dienst selbst"),
    }
}

/// What a kind of record is called.
#[derive(Debug)]
pub struct Noun {
    /// As programs write it, such as `test_case`.
    pub word: &'static str,
    /// The address of its list below the version of the API, such as `cra/reports`.
    pub path: &'static str,
    /// Its group in the audit log.
    pub group: AuditKind,
    /// What a message about its deadline calls it, if its deadlines are announced.
    pub due: Option<Label>,
    /// What the audit log says of the actions that every kind has. [`AuditAction`](crate::audit_action::AuditAction) has
    /// the sentences that differ.
    pub(crate) sentences: [(&'static str, Label); 5],
}

impl Noun {
    pub fn of(word: &str) -> Option<&'static Self> {
        NOUNS.iter().find(|noun| noun.word == word)
    }

    /// The address of its list below the workspace: that of the API, except for reports under the CRA.
    pub fn page(&self) -> &'static str {
        if self.word == "cra_report" { "cra-reports" } else { self.path }
    }

    /// The resource that scopes of keys name: the first part of the path.
    pub fn resource(&self) -> &'static str {
        self.path.split('/').next().unwrap_or(self.path)
    }
}

macro_rules! due {
    () => {
        None
    };
    ($en:literal, $de:literal) => {
        Some(Label::new($en, $de))
    };
}

/// Declares the nouns: the word, the path, the group in the audit log, what a sentence calls a record in English and, in
/// the accusative, in German, and what a message about a deadline calls it.
macro_rules! nouns {
    ($($word:literal $path:literal $group:ident ($en:literal, $de:literal) $(due ($($due:literal),+))?;)*) => {
        /// Every kind of record.
        pub static NOUNS: &[Noun] = &[$(Noun {
            word: $word,
            path: $path,
            group: AuditKind::$group,
            due: due!($($($due),+)?),
            sentences: [
                (
                    concat!($word, ".created"),
                    Label::new(concat!("created the ", $en, " {subject}"), concat!("hat ", $de, " {subject} angelegt")),
                ),
                (
                    concat!($word, ".changed"),
                    Label::new(concat!("changed the ", $en, " {subject}"), concat!("hat ", $de, " {subject} geändert")),
                ),
                (
                    concat!($word, ".deleted"),
                    Label::new(concat!("deleted the ", $en, " {subject}"), concat!("hat ", $de, " {subject} gelöscht")),
                ),
                (
                    concat!($word, ".archived"),
                    Label::new(concat!("archived the ", $en, " {subject}"), concat!("hat ", $de, " {subject} archiviert")),
                ),
                (
                    concat!($word, ".restored"),
                    Label::new(
                        concat!("restored the ", $en, " {subject} from the archive"),
                        concat!("hat ", $de, " {subject} aus dem Archiv geholt"),
                    ),
                ),
            ],
        }),*];
    };
}

nouns! {
    "finding" "findings" Findings ("finding", "die Feststellung") due ("Finding", "Feststellung");
    "test_case" "test-cases" TestCases ("test case", "den Testfall") due ("Test case", "Testfall");
    "programme" "programmes" Programmes ("programme", "das Programm") due ("Programme", "Testprogramm");
    "control" "controls" Controls ("control", "die Kontrolle") due ("Control", "Kontrolle");
    "provider" "providers" Providers ("provider", "den Dienstleister")
        due ("Review of a provider", "Prüfung eines Dienstleisters");
    "arrangement" "ict-arrangements" Register ("ICT arrangement", "die IKT-Vereinbarung")
        due ("Last day to terminate a contract", "Letzter Kündigungstag eines Vertrags");
    "cra_report" "cra/reports" CraReports ("CRA report", "die CRA-Meldung") due ("CRA report", "CRA-Meldung");
    "evidence" "evidence" Evidence ("evidence", "den Nachweis") due ("Evidence", "Nachweis");
    "incident" "incidents" Incidents ("incident", "den Vorfall") due ("Incident", "Vorfall");
    "register_filing" "register/filings" Register ("filing", "die Einreichung")
        due ("Filing of the register of information", "Einreichung des Informationsregisters");
    "training" "trainings" Trainings ("training", "die Schulung") due ("Training", "Schulung");
    "own_framework" "own-frameworks" Controls ("own framework", "das eigene Rahmenwerk");
    "drill_run" "drill-runs" DrillRuns ("drill run", "die Übung");
    "risk" "risks" Risks ("risk", "das Risiko");
    "task" "tasks" Tasks ("task", "die Aufgabe");
    "function" "functions" Functions ("function", "die Funktion");
    "review" "providers/{id}/reviews" Providers ("due-diligence review", "die Dienstleisterprüfung");
    "approval" "approvals" Approvals ("approval", "die Freigabe");
    "evidence_request" "evidence-requests" Audits ("request for evidence", "die Nachweisanforderung");
}
