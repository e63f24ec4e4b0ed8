//! The addresses of the workspace, in one place, so that links, forms and routes cannot differ.

pub(crate) const HOME: &str = "/workspace";
pub(crate) const SIGN_IN: &str = "/workspace/sign-in";
pub(crate) const FORGOTTEN: &str = "/workspace/sign-in/forgotten";
pub(crate) const SIGN_IN_CODE: &str = "/workspace/sign-in/code";
pub(crate) const PROVIDER_SIGN_IN: &str = "/workspace/sign-in/oidc";
pub(crate) const PASSKEY_SIGN_IN: &str = "/workspace/sign-in/passkey";
pub(crate) const CALLBACK: &str = app::identity_provider::CALLBACK;
pub(crate) const SIGN_OUT: &str = "/workspace/sign-out";
pub(crate) const LINK: &str = app::one_time_link::PATH;
pub(crate) const PROGRAMMES: &str = "/workspace/programmes";
pub(crate) const TEST_CASES: &str = "/workspace/test-cases";
pub(crate) const FINDINGS: &str = "/workspace/findings";
pub(crate) const CONTROLS: &str = "/workspace/controls";
pub(crate) const ASSESSMENTS: &str = "/workspace/assessments";
pub(crate) const STATEMENT: &str = "/workspace/statement-of-applicability";
pub(crate) const OWN_FRAMEWORKS: &str = "/workspace/own-frameworks";
pub(crate) const FUNCTIONS: &str = "/workspace/functions";
pub(crate) const CRA_REPORTS: &str = "/workspace/cra-reports";
pub(crate) const INCIDENTS: &str = "/workspace/incidents";
pub(crate) const ARRANGEMENTS: &str = "/workspace/ict-arrangements";
pub(crate) const REGISTER: &str = "/workspace/register";
pub(crate) const REGISTER_FILINGS: &str = "/workspace/register/filings";
pub(crate) const PROVIDERS: &str = "/workspace/providers";
pub(crate) const DUE_DILIGENCE: &str = app::provider::LINK_PATH;
pub(crate) const REGISTER_IMPORT: &str = "/workspace/register/import";
pub(crate) const CONCENTRATION: &str = "/workspace/concentration-risk";
pub(crate) const COMPLIANCE: &str = "/workspace/compliance";
pub(crate) const REQUIREMENTS: &str = "/workspace/requirements";
pub(crate) const GAPS: &str = "/workspace/gaps";
pub(crate) const TIMELINE: &str = "/workspace/timeline";
pub(crate) const RADAR: &str = "/workspace/radar";
pub(crate) const DRILLS: &str = "/workspace/drills";
pub(crate) const EVIDENCE: &str = "/workspace/evidence";
pub(crate) const RISKS: &str = "/workspace/risks";
pub(crate) const RISK_REGISTER: &str = "/workspace/risk-register";
pub(crate) const VENDOR_SCORECARD: &str = "/workspace/vendor-scorecard";
pub(crate) const PROVIDER_QUESTIONS: &str = "/workspace/provider-questions";
pub(crate) const TRAINING: &str = "/workspace/training";
pub(crate) const WORK: &str = "/workspace/work";
pub(crate) const TASKS: &str = "/workspace/work/tasks";
pub(crate) const PEOPLE: &str = "/workspace/work/people";
pub(crate) const SEARCH: &str = "/workspace/search";
pub(crate) const API_KEYS: &str = "/workspace/api-keys";
pub(crate) const WEBHOOKS: &str = "/workspace/webhooks";
pub(crate) const AUDIT: &str = "/workspace/audit";
pub(crate) const USERS: &str = "/workspace/users";
pub(crate) const SETTINGS: &str = "/workspace/settings";
pub(crate) const INSTITUTION: &str = "/workspace/settings/profile";
pub(crate) const SIGN_IN_SETTINGS: &str = "/workspace/settings/sign-in";
pub(crate) const PROFILE: &str = "/workspace/profile";
pub(crate) const SECOND_FACTOR: &str = "/workspace/profile/second-factor";
pub(crate) const PASSKEYS: &str = "/workspace/profile/passkeys";
pub(crate) const PASSKEY_PROOF: &str = "/workspace/profile/passkeys/options";
pub(crate) const DESIGN: &str = "/workspace/design";

pub(crate) const RISK_MATRIX: &str = "/workspace/risks/matrix";
pub(crate) const RISK_APPETITE: &str = "/workspace/risks/appetite";
pub(crate) const ADOPT_RISKS: &str = "/workspace/risks/adopt";

// Targets of the command palette.
pub(crate) const NEW_PROGRAMME: &str = "/workspace/programmes/new";
pub(crate) const NEW_TEST_CASE: &str = "/workspace/test-cases/new";
pub(crate) const NEW_CONTROL: &str = "/workspace/controls/new";
pub(crate) const ADOPT_CONTROLS: &str = "/workspace/controls/adopt";
pub(crate) const NEW_FINDING: &str = "/workspace/findings/new";
pub(crate) const NEW_OWN_FRAMEWORK: &str = "/workspace/own-frameworks/new";
pub(crate) const NEW_FUNCTION: &str = "/workspace/functions/new";
pub(crate) const IMPORT_FINDINGS: &str = "/workspace/findings/import";
pub(crate) const NEW_EVIDENCE: &str = "/workspace/evidence/new";
pub(crate) const NEW_RISK: &str = "/workspace/risks/new";
pub(crate) const NEW_TASK: &str = "/workspace/work#new-task";
pub(crate) const DRILL_RUNS: &str = "/workspace/drill-runs";
pub(crate) const NEW_DRILL_RUN: &str = "/workspace/drill-runs/new";
pub(crate) const BOARD_REPORT: &str = "/workspace/board-report.pdf";
pub(crate) const NEW_INCIDENT: &str = "/workspace/incidents/new";
pub(crate) const IMPORT_INCIDENTS: &str = "/workspace/incidents/import";
pub(crate) const NEW_CRA_REPORT: &str = "/workspace/cra-reports/new";
pub(crate) const NEW_ARRANGEMENT: &str = "/workspace/ict-arrangements/new";
pub(crate) const IMPORT_REGISTER: &str = "/workspace/ict-arrangements/import";
pub(crate) const ANALYSE: &str = "/workspace/concentration-risk#analyse";
pub(crate) const NEW_WEBHOOK: &str = "/workspace/webhooks/new";
pub(crate) const NEW_API_KEY: &str = "/workspace/api-keys/new";
pub(crate) const PROFILE_GUIDE: &str = "/workspace/settings/profile?question=1";
pub(crate) const INVITE: &str = "/workspace/users/new";

/// The address to return to after signing in: only a page of the workspace itself, in plain form.
///
/// An address that a browser might read as another site (`//evil.example`, `/\evil.example`) never starts like one of
/// ours, and a control character ends a header line.
pub(crate) fn own(next: &str) -> Option<&str> {
    let rest = next.strip_prefix(HOME)?;
    let ours = rest.is_empty() || rest.starts_with(['/', '?']);
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    (ours && plain && !next.starts_with(SIGN_IN)).then_some(next)
}

/// Whether the page is open to a user who must set up a second factor first.
pub(crate) fn sets_up_factor(path: &str) -> bool {
    let confirms = path.strip_prefix(SECOND_FACTOR).is_some_and(|rest| matches!(rest, "" | "/confirm"));
    // The set-up may ask for a fresh proof, which a passkey can give.
    confirms || path == SIGN_OUT || path == PASSKEY_PROOF
}

/// The address with a word that says what was done, for the message on its page.
pub(crate) fn done(path: &str, what: &str) -> String {
    format!("{path}?done={what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_workspace_are_returned_to() {
        for good in ["/workspace", "/workspace?x=1", "/workspace/findings?status=open&q=a%20b", "/workspace/"]
        {
            assert_eq!(own(good), Some(good));
        }
        for bad in [
            "",
            "/",
            "//evil.example",
            "https://evil.example",
            "/workspaces",
            "/workspace.evil.example",
            "/workspace/\\evil.example",
            "/workspace/\r\nSet-Cookie: x",
            "/api/v1/keys",
            "/workspace/sign-in",
            "/workspace/ü",
            " /workspace",
        ] {
            assert_eq!(own(bad), None, "{bad:?}");
        }
    }
}
