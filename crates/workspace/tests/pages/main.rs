//! The pages as a browser sees them, without a network: who can sign in, who may do what, and what is refused.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod approvals;
mod approving;
mod archive;
mod audit_log;
mod audit_notes;
mod auditor;
mod board_report;
mod browser;
mod bulk;
mod bundles;
mod calendar;
mod cells;
mod comments;
mod concentration;
mod corrections;
mod cra_reports;
mod dashboard;
mod dashboard_roles;
mod deciding;
mod drill_runs;
mod event_hooks;
mod evidence;
mod evidence_requests;
mod exports;
mod factor_policy;
mod filings;
mod finding_list;
mod forgery;
mod frame;
mod functions;
mod identity_lies;
mod identity_provider;
mod identity_settings;
mod ids;
mod importing;
mod inbox;
mod incident_links;
mod incidents;
mod institution;
mod keys;
mod languages;
mod links;
mod look;
mod odd_text;
mod own_compliance;
mod own_fields;
mod own_frameworks;
mod own_risks;
mod passkey_lies;
mod passkeys;
mod past;
mod people;
mod period_reports;
mod picking;
mod profile;
mod proof;
mod providers;
mod records;
mod reference;
mod register;
mod register_table;
mod reports;
mod retests;
mod role_table;
mod roles;
mod round_trip;
mod samples;
mod searching;
mod security;
mod session_limit;
mod settings;
mod sign_in_rules;
mod sign_in_safety;
mod signing_in;
mod tags;
mod tenants;
mod third_parties;
mod trainings;
mod views;
mod webhooks;
mod week;
mod work;

use app::user::{UserDraft, UserRow};
use browser::Browser;
use domain::{password::Password, text::Name, user::Role};
use testkit::{Engine, Mailbox, TestApp, TestOptions, TestTenant};
use tidewall_workspace::WorkspaceOptions;

const PASSWORD: &str = "the north wind doth blow";

/// The pages over a fresh store with one tenant.
struct House {
    test: TestApp,
    north: TestTenant,
    router: axum::Router,
}

impl House {
    async fn new() -> Self {
        Self::at("http://127.0.0.1:8080").await
    }

    async fn at(public_url: &str) -> Self {
        Self::of(TestApp::on(Engine::Sqlite).await, public_url).await
    }

    /// The pages of a service that sends its mail there.
    async fn mailing_to(mailbox: &Mailbox) -> Self {
        let options = TestOptions { mail: Some(mailbox.settings.clone()), ..TestOptions::default() };
        Self::of(TestApp::with(Engine::Sqlite, options).await, "http://127.0.0.1:8080").await
    }

    async fn of(test: TestApp, public_url: &str) -> Self {
        let north = test.tenant("north").await;
        let options = WorkspaceOptions {
            public_url: public_url.to_owned(),
            client: |_| None,
            design: true,
            security_contact: None,
        };
        let router = tidewall_workspace::router(&test.app, options);
        Self { test, north, router }
    }

    async fn add(&self, tenant: &TestTenant, email: &str, role: Role) -> UserRow {
        let name = Name::parse(email.split('@').next().unwrap()).unwrap();
        let draft = UserDraft { email: email.parse().unwrap(), name, role };
        self.test.app.people.create_user(&tenant.caller, draft, Password::presented(PASSWORD)).await.unwrap()
    }

    fn browser(&self) -> Browser {
        Browser::new(self.router.clone())
    }

    /// A browser signed in as a new user of the first tenant.
    async fn signed_in(&self, role: Role) -> Browser {
        let email = format!("{role}@north.example");
        self.add(&self.north, &email, role).await;
        self.browser().signed_in(&email, PASSWORD).await
    }

    fn pass(&self, seconds: i64) {
        self.test.clock.advance(seconds * 1000);
    }
}
