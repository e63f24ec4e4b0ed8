//! What each role may do with each resource: the one table that use cases, pages, the manual and the tests follow.

use crate::{
    permission::{Permission, Permissions},
    user::Role,
    vocabulary::vocabulary,
    wording::Language,
};

vocabulary! {
    /// What a role may do with a resource. Each right includes the ones before it.
    Right {
        Nothing = "nothing" ("–", "–"),
        Read = "read" ("reads", "liest"),
        /// Creates records under the own name, and changes those of which one is the owner.
        Own = "own" ("writes own", "schreibt eigene"),
        /// Creates and changes.
        Write = "write" ("writes", "schreibt"),
        /// Also approves, accepts, classifies, records as sent, submits, archives and deletes.
        Decide = "decide" ("decides", "entscheidet"),
    }
}

vocabulary! {
    /// What rights are about: the kinds of records, and what else an institution has.
    Resource {
        Programmes = "programmes" ("programmes", "Programme"),
        TestCases = "test_cases" ("test cases", "Testfälle"),
        Findings = "findings" ("findings", "Feststellungen"),
        Tasks = "tasks" ("tasks", "Aufgaben"),
        Evidence = "evidence" ("evidence", "Nachweise"),
        Performances = "performances" ("performances of controls", "Durchführungen von Kontrollen"),
        DrillRuns = "drill_runs" ("drill runs", "Übungen"),
        /// Of all people: each person sees and takes their own.
        Trainings = "trainings" ("trainings of all people", "Schulungen aller Personen"),
        /// With their facts, their log and the contents of their reports.
        Incidents = "incidents" ("incidents", "Vorfälle"),
        Assessments = "assessments" ("assessments", "Bewertungen"),
        Controls = "controls" ("controls", "Kontrollen"),
        Risks = "risks" ("risks", "Risiken"),
        Functions = "functions" ("functions", "Funktionen"),
        OwnFrameworks = "own_frameworks" ("own frameworks", "eigene Rahmenwerke"),
        CraReports = "cra_reports" ("CRA reports", "CRA-Meldungen"),
        /// With their reviews, contract clauses and subcontractors.
        Providers = "providers" ("providers", "Dienstleister"),
        Arrangements = "arrangements" ("ICT arrangements", "IKT-Vereinbarungen"),
        /// With its filings and the exchange rates.
        Register = "register" ("register of information", "Informationsregister"),
        Analyses = "analyses" ("concentration analyses", "Konzentrationsanalysen"),
        Profile = "profile" ("profile of the institution", "Profil des Instituts"),
        Thresholds = "thresholds" ("thresholds", "Schwellen"),
        Webhooks = "webhooks" ("webhooks", "Webhooks"),
        /// On records of every kind. Only their authors change and withdraw them.
        Comments = "comments" ("comments", "Kommentare"),
        /// Asked, closed and opened again.
        EvidenceRequests = "evidence_requests" ("requests for evidence", "Nachweisanforderungen"),
        /// The owner of a request is the owner of its answer.
        EvidenceAnswers = "evidence_answers" ("answers to requests for evidence", "Antworten auf Nachweisanforderungen"),
        /// Drawn from lists and recorded for ever.
        Samples = "samples" ("samples", "Stichproben"),
        /// Seen by auditors alone, until their author releases one as a comment.
        Notes = "notes" ("working notes of auditors", "Arbeitsnotizen der Prüfung"),
        Appetite = "risk_appetite" ("risk appetite", "Risikoappetit"),
        /// Over a period, and their templates.
        Reports = "reports" ("reports over a period", "Berichte über einen Zeitraum"),
        Imports = "imports" ("imports", "Importe"),
        AuditLog = "audit_log" ("audit log", "Prüfprotokoll"),
        People = "people" ("accounts", "Konten"),
        Keys = "keys" ("API keys", "API-Schlüssel"),
        SignIn = "sign_in" ("sign-in", "Anmeldung"),
        /// Requests for a decision. Who decides follows from the policy.
        Approvals = "approvals" ("approvals", "Freigaben"),
        ApprovalPolicy = "approval_policy" ("approval policy", "Freigaberichtlinie"),
        /// Which there are. Their values belong to the records.
        OwnFields = "own_fields" ("own fields", "eigene Felder"),
        Settings = "settings" ("settings", "Einstellungen"),
    }
}

/// The rights of the roles, in the order of `Role`.
type Row = [Right; Role::ALL.len()];

impl Resource {
    /// Viewer, auditor, contributor, manager, administrator.
    const fn row(self) -> Row {
        use Right::{Decide, Nothing, Own, Read, Write};
        match self {
            Self::Programmes
            | Self::TestCases
            | Self::Findings
            | Self::Tasks
            | Self::Evidence
            | Self::Performances
            | Self::DrillRuns
            | Self::Incidents
            | Self::Approvals => [Read, Read, Write, Decide, Decide],
            Self::Assessments | Self::Controls | Self::Risks | Self::EvidenceAnswers => {
                [Read, Read, Own, Decide, Decide]
            }
            Self::Functions
            | Self::OwnFrameworks
            | Self::CraReports
            | Self::Providers
            | Self::Arrangements
            | Self::Register
            | Self::Analyses
            | Self::Profile
            | Self::Thresholds
            | Self::Webhooks => [Read, Read, Read, Decide, Decide],
            Self::Appetite | Self::ApprovalPolicy | Self::OwnFields => [Read, Read, Read, Read, Decide],
            Self::Comments => [Own, Own, Own, Decide, Decide],
            Self::EvidenceRequests | Self::Reports => [Read, Write, Read, Decide, Decide],
            Self::Samples => [Nothing, Write, Nothing, Decide, Decide],
            Self::Notes => [Nothing, Own, Nothing, Nothing, Nothing],
            Self::Trainings => [Nothing, Read, Nothing, Decide, Decide],
            Self::Imports => [Nothing, Nothing, Nothing, Decide, Decide],
            Self::AuditLog => [Nothing, Read, Nothing, Read, Read],
            // Managers change the thresholds on the page of the settings.
            Self::Settings => [Nothing, Read, Nothing, Read, Decide],
            Self::People | Self::Keys => [Nothing, Read, Nothing, Nothing, Decide],
            Self::SignIn => [Nothing, Nothing, Nothing, Nothing, Decide],
        }
    }

    /// The right that the permissions of an API key give. Accounts are reached over SCIM by keys whose scopes name
    /// them, which is decided there.
    pub fn right_of_key(self, permissions: Permissions) -> Right {
        let given = |permission, right, otherwise| {
            if permissions.contains(permission) { right } else { otherwise }
        };
        match self {
            Self::Keys => given(Permission::ManageKeys, Right::Decide, Right::Nothing),
            Self::AuditLog => given(Permission::ManageKeys, Right::Read, Right::Nothing),
            // A key stands for no auditor.
            Self::People | Self::SignIn | Self::Settings | Self::Notes => Right::Nothing,
            Self::Appetite => Right::Read,
            // Only administrators can give a key this permission.
            Self::ApprovalPolicy | Self::OwnFields => {
                given(Permission::ManageKeys, Right::Decide, Right::Read)
            }
            Self::Approvals => given(Permission::Write, Right::Write, Right::Read),
            _ => given(Permission::Write, Right::Decide, Right::Read),
        }
    }

    /// The first role that has this right. Auditors are named only for what no other role has.
    pub fn least_role(self, right: Right) -> Option<Role> {
        let others = Role::ALL.iter().copied().filter(|role| *role != Role::Auditor);
        others.chain([Role::Auditor]).find(|role| role.right(self) >= right)
    }

    /// Whether every role reads it: the records of the institution, in contrast to its administration.
    pub fn is_record(self) -> bool {
        self.row().iter().all(|right| *right >= Right::Read)
    }
}

impl Role {
    pub fn right(self, resource: Resource) -> Right {
        let place = Self::ALL.iter().position(|role| *role == self);
        place.and_then(|place| resource.row().get(place).copied()).unwrap_or(Right::Nothing)
    }

    /// The resources of which the role has exactly this right, in the order of the table.
    pub fn resources(self, right: Right) -> impl Iterator<Item = Resource> {
        Resource::ALL.iter().copied().filter(move |resource| self.right(*resource) == right)
    }
}

/// The table as the manual shows it, with what a key with all permissions may do in the last column.
pub fn markdown(language: Language) -> String {
    let (first, key) = match language {
        Language::English => ("Resource", "API key"),
        Language::German => ("Ressource", "API-Schlüssel"),
    };
    let roles: Vec<_> = Role::ALL.iter().map(|role| role.as_str()).collect();
    let mut lines = vec![
        format!("| {first} | {} | {key} |", roles.join(" | ")),
        format!("|{}", "---|".repeat(roles.len() + 2)),
    ];
    lines.extend(Resource::ALL.iter().map(|resource| {
        let rights = resource.row().into_iter().chain([resource.right_of_key(Permissions::all())]);
        let cells: Vec<_> = rights.map(|right| right.label().text(language)).collect();
        format!("| {} | {} |", resource.label().text(language), cells.join(" | "))
    }));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn words_are_sound() {
        is_sound::<Right>();
        is_sound::<Resource>();
    }

    #[test]
    fn a_contributor_decides_nothing_and_readers_write_comments_and_what_audits_need_only() {
        for resource in Resource::ALL {
            assert!(Role::Contributor.right(*resource) < Right::Decide, "{resource}");
            for reader in [Role::Viewer, Role::Auditor] {
                let most = match (reader, *resource) {
                    (_, Resource::Comments) | (Role::Auditor, Resource::Notes) => Right::Own,
                    (Role::Auditor, Resource::EvidenceRequests | Resource::Reports | Resource::Samples) => {
                        Right::Write
                    }
                    _ => Right::Read,
                };
                assert!(reader.right(*resource) <= most, "{reader} {resource}");
            }
        }
    }

    #[test]
    fn each_role_but_the_auditor_includes_the_one_before() {
        let ranks = [Role::Viewer, Role::Contributor, Role::Manager, Role::Administrator];
        for pair in ranks.windows(2) {
            for resource in Resource::ALL {
                assert!(pair[0].right(*resource) <= pair[1].right(*resource), "{pair:?} {resource}");
            }
        }
    }

    #[test]
    fn the_least_role_is_named() {
        assert_eq!(Resource::Findings.least_role(Right::Write), Some(Role::Contributor));
        assert_eq!(Resource::Findings.least_role(Right::Decide), Some(Role::Manager));
        assert_eq!(Resource::Risks.least_role(Right::Own), Some(Role::Contributor));
        assert_eq!(Resource::AuditLog.least_role(Right::Read), Some(Role::Manager));
        assert_eq!(Resource::People.least_role(Right::Write), Some(Role::Administrator));
        assert_eq!(Resource::AuditLog.least_role(Right::Write), None);
        assert_eq!(Resource::Notes.least_role(Right::Own), Some(Role::Auditor));
    }

    #[test]
    fn a_key_writes_with_its_permission_only() {
        assert_eq!(Resource::Findings.right_of_key(Permissions::READ_ONLY), Right::Read);
        assert_eq!(Resource::Keys.right_of_key(Permissions::READ_ONLY), Right::Nothing);
        assert_eq!(Resource::Findings.right_of_key(Permissions::all()), Right::Decide);
        assert_eq!(Resource::Settings.right_of_key(Permissions::all()), Right::Nothing);
    }
}
