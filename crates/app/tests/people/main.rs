//! Users: how they sign in, how they are refused, and how administrators manage them. On both engines.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

extern crate tidewall_app as app;

mod approval_chances;
mod approvals;
mod comments;
mod guessing;
mod inbox;
mod key_notices;
mod links;
mod managing;
mod proof;
mod second_factor;
mod shared_address;
mod signing_in;
mod user_mail;
mod vault;

use app::{
    session::{Session, Visitor},
    sign_in::SignInResult,
    token::Token,
    user::{UserDraft, UserRow},
};
use domain::{password::Password, text::Name, user::Role};
use testkit::{Engine, TestApp, TestTenant};

const PASSWORD: &str = "the north wind doth blow";
/// Every account of these tests has the same name.
const SHARED_NAME: &str = "Alex Example";

/// Runs each listed case on both engines.
macro_rules! on_both_engines {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(crate::Bank::new(testkit::Engine::Sqlite).await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(crate::Bank::new(testkit::Engine::Postgres).await).await;
            })*
        }
    };
}
pub(crate) use on_both_engines;

/// A tenant with one administrator.
pub(crate) struct Bank {
    pub(crate) test: TestApp,
    pub(crate) tenant: TestTenant,
    pub(crate) anna: UserRow,
}

impl Bank {
    pub(crate) async fn new(engine: Engine) -> Self {
        let test = TestApp::on(engine).await;
        let tenant = test.tenant("north").await;
        let anna = add(&test, &tenant, "anna@north.example", Role::Administrator).await;
        Self { test, tenant, anna }
    }

    pub(crate) async fn add(&self, email: &str, role: Role) -> UserRow {
        add(&self.test, &self.tenant, email, role).await
    }

    pub(crate) async fn try_sign_in(&self, email: &str, password: &str) -> SignInResult {
        self.test.app.access.sign_in(email, None, Password::presented(password), &visitor()).await.unwrap()
    }

    pub(crate) async fn sign_in(&self, email: &str) -> Token {
        match self.try_sign_in(email, PASSWORD).await {
            SignInResult::Open(token) => token,
            other => panic!("{email}: {other:?}"),
        }
    }

    pub(crate) async fn session(&self, token: &Token) -> Option<Session> {
        self.test.app.access.session(token).await.unwrap()
    }

    pub(crate) async fn signed_in(&self, email: &str) -> Session {
        let token = self.sign_in(email).await;
        self.session(&token).await.unwrap()
    }

    pub(crate) fn pass(&self, seconds: i64) {
        self.test.clock.advance(seconds * 1000);
    }

    /// The actions in the tenant's audit log, oldest first.
    pub(crate) async fn audited(&self) -> Vec<String> {
        let chain = self.tenant.caller.tenant().to_string();
        let entries = self.test.app.operations.audit_after(&chain, 0).await.unwrap();
        entries.into_iter().map(|row| row.entry.action).collect()
    }
}

pub(crate) async fn add(test: &TestApp, tenant: &TestTenant, email: &str, role: Role) -> UserRow {
    let password = Password::presented(PASSWORD);
    test.app.people.create_user(&tenant.caller, draft(email, role), password).await.unwrap()
}

pub(crate) fn draft(email: &str, role: Role) -> UserDraft {
    UserDraft { email: email.parse().unwrap(), name: Name::parse(SHARED_NAME).unwrap(), role }
}

pub(crate) fn visitor() -> Visitor {
    Visitor { address: "198.51.100.7".parse().unwrap(), agent: "Browser\n of a test".into(), device: None }
}
