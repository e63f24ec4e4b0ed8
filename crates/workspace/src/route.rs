//! The addresses of the workspace, in one place, so that links, forms and routes cannot differ; and their places in the
//! menu and in the command palette.

use app::authz::Caller;
use domain::{
    right::{Resource, Right},
    wording::Label,
};

use crate::{
    pages::{PageKind, evidence_requests::texts as evidence_request},
    texts::{
        approval, bundle, common, drill_run, evidence, function, identity_provider, inbox, institution,
        own_framework, own_risk, palette, provider, report, sample, training, work,
    },
    ui::icon::{self, Icon},
};

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
pub(crate) const CALENDAR: &str = app::calendar::PATH;
pub(crate) const DUE_DILIGENCE: &str = app::provider::LINK_PATH;
pub(crate) const MAIL_ADDRESS: &str = app::mail_address::PATH;
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
pub(crate) const TRAININGS: &str = "/workspace/trainings";
pub(crate) const NEW_TRAINING: &str = "/workspace/trainings/new";
pub(crate) const EVIDENCE_REQUESTS: &str = "/workspace/evidence-requests";
pub(crate) const NEW_EVIDENCE_REQUEST: &str = "/workspace/evidence-requests/new";
pub(crate) const WORK: &str = "/workspace/work";
pub(crate) const TASKS: &str = "/workspace/work/tasks";
pub(crate) const PEOPLE: &str = "/workspace/work/people";
pub(crate) const RECORDS: &str = "/workspace/records";
pub(crate) const REQUIREMENT_PICKS: &str = "/workspace/records/requirements";
pub(crate) const COMMENTS: &str = "/workspace/comments";
pub(crate) const NOTES: &str = "/workspace/notes";
pub(crate) const SAMPLES: &str = "/workspace/samples";
pub(crate) const NEW_SAMPLE: &str = "/workspace/samples/new";
pub(crate) const VIEWS: &str = "/workspace/views";
pub(crate) const SEARCH: &str = "/workspace/search";
pub(crate) const API_KEYS: &str = "/workspace/api-keys";
pub(crate) const WEBHOOKS: &str = "/workspace/webhooks";
pub(crate) const EVENT_HOOKS: &str = "/workspace/event-hooks";
pub(crate) const AUDIT: &str = "/workspace/audit";
pub(crate) const BUNDLES: &str = "/workspace/bundles";
pub(crate) const REPORTS: &str = "/workspace/reports";
pub(crate) const REPORT_TEMPLATES: &str = "/workspace/reports/templates";
pub(crate) const NEW_REPORT_TEMPLATE: &str = "/workspace/reports/templates/new";
pub(crate) const USERS: &str = "/workspace/users";
pub(crate) const SETTINGS: &str = "/workspace/settings";
pub(crate) const LIMITS: &str = "/workspace/settings?tab=limits";
pub(crate) const INSTITUTION: &str = "/workspace/settings/profile";
pub(crate) const SIGN_IN_SETTINGS: &str = "/workspace/settings/sign-in";
pub(crate) const PROFILE: &str = "/workspace/profile";
pub(crate) const APPROVALS: &str = "/workspace/approvals";
pub(crate) const APPROVAL_POLICY: &str = "/workspace/settings/approvals";
pub(crate) const OWN_FIELDS: &str = "/workspace/settings/own-fields";
pub(crate) const INBOX: &str = "/workspace/inbox";
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

/// A page in the menu, or an action of the command palette.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) address: &'static str,
    pub(crate) text: Label,
    pub(crate) icon: Icon,
    /// Whether the page has any content for this caller.
    pub(crate) open_to: fn(&Caller) -> bool,
}

impl Entry {
    const fn new(address: &'static str, text: Label, icon: Icon, open_to: fn(&Caller) -> bool) -> Self {
        Self { address, text, icon, open_to }
    }
}

fn every_role(_: &Caller) -> bool {
    true
}

/// A page that needs a right, by the table of the roles.
macro_rules! needs {
    ($resource:ident, $right:ident) => {
        |caller: &Caller| caller.has(Resource::$resource, Right::$right)
    };
}

/// A page that takes a file with records of a resource.
macro_rules! needs_import {
    ($resource:ident) => {
        |caller: &Caller| caller.require_import(Resource::$resource).is_ok()
    };
}

/// A group of the menu.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) title: Option<Label>,
    /// Closed until a page in it is open, because its pages are seldom needed.
    pub(crate) folded: bool,
    pub(crate) entries: &'static [Entry],
}

impl Group {
    const fn open(title: Option<Label>, entries: &'static [Entry]) -> Self {
        Self { title, folded: false, entries }
    }

    const fn folded(title: Label, entries: &'static [Entry]) -> Self {
        Self { title: Some(title), folded: true, entries }
    }
}

/// The menu: groups by the job that a reader comes for.
pub(crate) const GROUPS: &[Group] = &[
    Group::open(
        None,
        &[
            Entry::new(HOME, common::DASHBOARD, icon::HOME, every_role),
            Entry::new(WORK, work::TITLE, icon::TASKS, every_role),
            Entry::new(APPROVALS, approval::TITLE, icon::STAMP, every_role),
            Entry::new(INBOX, inbox::TITLE, icon::INBOX, every_role),
        ],
    ),
    Group::open(
        Some(common::GROUP_RESILIENCE),
        &[
            Entry::new(INCIDENTS, common::INCIDENTS, icon::SIREN, every_role),
            Entry::new(FINDINGS, common::FINDINGS, icon::FLAG, every_role),
            Entry::new(PROGRAMMES, common::PROGRAMMES, icon::PLAN, every_role),
            Entry::new(TEST_CASES, common::TEST_CASES, icon::CHECK, every_role),
            Entry::new(DRILL_RUNS, drill_run::TITLE, icon::TARGET, every_role),
            Entry::new(CRA_REPORTS, common::CRA_REPORTS, icon::ALARM, every_role),
            Entry::new(FUNCTIONS, function::TITLE, icon::LAYERS, every_role),
        ],
    ),
    Group::open(
        Some(common::GROUP_COMPLIANCE),
        &[
            Entry::new(ASSESSMENTS, common::ASSESSMENTS, icon::SHIELD, every_role),
            Entry::new(STATEMENT, common::STATEMENT, icon::STATEMENT, every_role),
            Entry::new(CONTROLS, common::CONTROLS, icon::LOCK, every_role),
            Entry::new(RISKS, own_risk::TITLE, icon::BOLT, every_role),
            Entry::new(EVIDENCE, evidence::TITLE, icon::CLIP, every_role),
        ],
    ),
    Group::open(
        Some(common::GROUP_THIRD_PARTIES),
        &[
            Entry::new(REGISTER, common::REGISTER, icon::TABLE, every_role),
            Entry::new(ARRANGEMENTS, common::ARRANGEMENTS, icon::CONTRACT, every_role),
            Entry::new(PROVIDERS, provider::TITLE, icon::BUILDING, every_role),
            Entry::new(CONCENTRATION, common::CONCENTRATION, icon::PIE, every_role),
        ],
    ),
    Group::folded(
        common::GROUP_ADMINISTRATION,
        &[
            Entry::new(USERS, common::USERS, icon::PEOPLE, needs!(People, Read)),
            Entry::new(TRAININGS, training::TITLE, icon::CAP, every_role),
            Entry::new(OWN_FRAMEWORKS, own_framework::TITLE, icon::PENCIL, every_role),
            Entry::new(REPORTS, report::TITLE, icon::CHART, every_role),
            Entry::new(EVIDENCE_REQUESTS, evidence_request::TITLE, icon::ASK, every_role),
            Entry::new(AUDIT, common::AUDIT, icon::EYE, needs!(AuditLog, Read)),
            Entry::new(BUNDLES, bundle::TITLE, icon::BUNDLE, needs!(AuditLog, Read)),
            Entry::new(SAMPLES, sample::TITLE, icon::DICE, needs!(Samples, Read)),
            Entry::new(WEBHOOKS, common::WEBHOOKS, icon::LINK, every_role),
            Entry::new(EVENT_HOOKS, common::EVENT_HOOKS, icon::PLUG, every_role),
            Entry::new(API_KEYS, common::API_KEYS, icon::KEY, needs!(Keys, Read)),
            Entry::new(SETTINGS, common::SETTINGS, icon::SLIDERS, needs!(Settings, Read)),
        ],
    ),
    Group::folded(
        common::GROUP_LIBRARY,
        &[
            Entry::new(COMPLIANCE, common::COMPLIANCE, icon::BOOK, every_role),
            Entry::new(REQUIREMENTS, common::REQUIREMENTS, icon::PARAGRAPH, every_role),
            Entry::new(GAPS, common::GAPS, icon::GAP, every_role),
            Entry::new(RISK_REGISTER, common::RISK_REGISTER, icon::GRID, every_role),
            Entry::new(VENDOR_SCORECARD, common::VENDOR_SCORECARD, icon::SCORE, every_role),
            Entry::new(PROVIDER_QUESTIONS, common::PROVIDER_QUESTIONS, icon::QUESTION, every_role),
            Entry::new(DRILLS, common::DRILLS, icon::SCENARIO, every_role),
            Entry::new(TRAINING, common::TRAINING, icon::LESSON, every_role),
            Entry::new(TIMELINE, common::TIMELINE, icon::CLOCK, every_role),
            Entry::new(RADAR, common::RADAR, icon::RADAR, every_role),
        ],
    ),
];

/// Actions that can be started from any page.
pub(crate) const ACTIONS: &[Entry] = &[
    Entry::new(NEW_INCIDENT, palette::NEW_INCIDENT, icon::SIREN, needs!(Incidents, Write)),
    Entry::new(NEW_FINDING, palette::NEW_FINDING, icon::FLAG, needs!(Findings, Write)),
    Entry::new(NEW_CONTROL, palette::NEW_CONTROL, icon::CHECK, needs!(Controls, Own)),
    Entry::new(ADOPT_CONTROLS, palette::ADOPT_CONTROLS, icon::CHECK, needs!(Controls, Write)),
    Entry::new(NEW_TEST_CASE, palette::NEW_TEST_CASE, icon::CHECK, needs!(TestCases, Write)),
    Entry::new(NEW_PROGRAMME, palette::NEW_PROGRAMME, icon::PLAN, needs!(Programmes, Write)),
    Entry::new(NEW_OWN_FRAMEWORK, own_framework::NEW, icon::BOOK, needs!(OwnFrameworks, Write)),
    Entry::new(NEW_FUNCTION, function::NEW, icon::GRID, needs!(Functions, Write)),
    Entry::new(IMPORT_FINDINGS, palette::IMPORT_FINDINGS, icon::FLAG, needs_import!(Findings)),
    Entry::new(NEW_EVIDENCE, evidence::NEW, icon::CONTRACT, needs!(Evidence, Write)),
    Entry::new(NEW_EVIDENCE_REQUEST, evidence_request::NEW, icon::ASK, needs!(EvidenceRequests, Write)),
    Entry::new(NEW_RISK, own_risk::NEW, icon::GRID, needs!(Risks, Own)),
    Entry::new(NEW_TASK, work::NEW, icon::CHECK, needs!(Tasks, Write)),
    Entry::new(ADOPT_RISKS, own_risk::ADOPT, icon::GRID, needs!(Risks, Write)),
    Entry::new(IMPORT_INCIDENTS, palette::IMPORT_INCIDENTS, icon::SIREN, needs_import!(Incidents)),
    Entry::new(NEW_DRILL_RUN, drill_run::NEW, icon::CLOCK, needs!(DrillRuns, Write)),
    Entry::new(NEW_TRAINING, training::NEW, icon::CAP, needs!(Trainings, Write)),
    Entry::new(NEW_CRA_REPORT, palette::NEW_CRA_REPORT, icon::ALARM, needs!(CraReports, Write)),
    Entry::new(NEW_ARRANGEMENT, palette::NEW_ARRANGEMENT, icon::CONTRACT, needs!(Arrangements, Write)),
    Entry::new(IMPORT_REGISTER, palette::IMPORT_ARRANGEMENTS, icon::CONTRACT, needs_import!(Arrangements)),
    Entry::new(REGISTER_IMPORT, palette::IMPORT_REGISTER, icon::GRID, needs_import!(Register)),
    Entry::new(REGISTER_FILINGS, palette::REGISTER_FILINGS, icon::GRID, every_role),
    Entry::new(ANALYSE, palette::ANALYSE, icon::PIE, needs!(Analyses, Write)),
    Entry::new(NEW_WEBHOOK, palette::NEW_WEBHOOK, icon::BELL, needs!(Webhooks, Write)),
    Entry::new(NEW_API_KEY, palette::NEW_API_KEY, icon::KEY, needs!(Keys, Write)),
    Entry::new(INSTITUTION, institution::TITLE, icon::SLIDERS, needs!(Profile, Write)),
    Entry::new(INVITE, palette::INVITE, icon::PEOPLE, needs!(People, Write)),
    Entry::new(SIGN_IN_SETTINGS, identity_provider::OPEN, icon::KEY, needs!(SignIn, Write)),
];

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

/// Whether the page or file at this address can be shown as of a day.
pub(crate) fn shows_the_past(path: &str) -> bool {
    let assessments = path.strip_prefix(ASSESSMENTS).and_then(|rest| rest.strip_prefix('/'));
    let is_list = |path| path == STATEMENT || PageKind::at(path).is_some_and(|kind| kind.shows_the_past);
    match path.rsplit_once('.') {
        Some((list, "csv" | "xlsx" | "pdf")) => {
            (is_list(list) && list != REGISTER_FILINGS)
                || assessments.is_some_and(|rest| rest.contains("/assessments."))
        }
        _ => {
            path == ASSESSMENTS
                || is_list(path)
                || assessments.is_some_and(|rest| !rest.contains('/') && rest != "import")
        }
    }
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
