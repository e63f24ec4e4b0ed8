//! Invitations, new passwords and the first set-up.

use app::{
    Error,
    one_time_link::{FirstTenant, FirstUser, Link, Purpose},
    sign_in::SignInResult,
    token::Token,
};
use domain::{password::Password, text::Name, user::Role};
use test_case::test_case;
use testkit::{Engine, TestApp};

use crate::{Bank, PASSWORD, draft, on_both_engines, visitor};

on_both_engines! {
    an_invitation_lets_a_person_choose_their_password_once,
    links_end,
    a_reset_replaces_the_password_and_ends_sessions,
    a_newer_link_makes_older_ones_void,
    a_store_with_users_needs_no_set_up,
}

const CHOSEN: &str = "a stitch in time saves nine";

async fn an_invitation_lets_a_person_choose_their_password_once(bank: Bank) {
    let app = &bank.test.app;
    let invited = draft("ben@north.example", Role::Contributor);
    let (ben, token) = app.access.invite_user(&bank.tenant.caller, invited).await.unwrap();
    assert!(!ben.has_password);
    assert!(matches!(bank.try_sign_in("ben@north.example", "").await, SignInResult::Refused));
    let Some(Link::Password { purpose, email, tenant_name, .. }) = app.access.link(&token).await.unwrap()
    else {
        panic!("a password link")
    };
    assert_eq!((purpose, email.as_str()), (Purpose::Invitation, "ben@north.example"));
    assert_eq!(tenant_name.as_str(), "Bank north");
    let weak = app.access.use_link(&token, None, "short", &visitor()).await;
    assert!(matches!(weak, Err(Error::Invalid(_))), "{weak:?}");
    app.access.use_link(&token, None, CHOSEN, &visitor()).await.unwrap();
    assert!(matches!(bank.try_sign_in("ben@north.example", CHOSEN).await, SignInResult::Open(_)));
    assert!(matches!(app.access.use_link(&token, None, PASSWORD, &visitor()).await, Err(Error::NotFound)));
    assert_eq!(app.access.link(&token).await.unwrap(), None);
    assert_eq!(app.access.link(&Token::random()).await.unwrap(), None);
}

async fn links_end(bank: Bank) {
    let app = &bank.test.app;
    let invited = draft("ben@north.example", Role::Viewer);
    let (ben, invitation) = app.access.invite_user(&bank.tenant.caller, invited).await.unwrap();
    bank.pass(7 * 24 * 3600);
    assert!(matches!(app.access.use_link(&invitation, None, CHOSEN, &visitor()).await, Err(Error::NotFound)));
    let (_, again) = app.access.reset_user(&bank.tenant.caller, ben.id, false).await.unwrap();
    let Some(Link::Password { purpose, .. }) = app.access.link(&again).await.unwrap() else { panic!() };
    assert_eq!(purpose, Purpose::Invitation);
    let closed = app::user::UserPatch { active: Some(false), ..Default::default() };
    app.people.change_user(&bank.tenant.caller, ben.id, closed).await.unwrap();
    assert_eq!(app.access.link(&again).await.unwrap(), None, "a closed account cannot be opened with a link");
    let refused = app.access.reset_user(&bank.tenant.caller, ben.id, false).await;
    assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
}

async fn a_reset_replaces_the_password_and_ends_sessions(bank: Bank) {
    let app = &bank.test.app;
    let session = bank.sign_in("anna@north.example").await;
    let (_, token) = app.access.reset_user(&bank.tenant.caller, bank.anna.id, false).await.unwrap();
    bank.sign_in("anna@north.example").await;
    app.access.use_link(&token, None, CHOSEN, &visitor()).await.unwrap();
    assert!(bank.session(&session).await.is_none());
    assert!(matches!(bank.try_sign_in("anna@north.example", PASSWORD).await, SignInResult::Refused));
    assert!(matches!(bank.try_sign_in("anna@north.example", CHOSEN).await, SignInResult::Open(_)));
}

async fn a_newer_link_makes_older_ones_void(bank: Bank) {
    let app = &bank.test.app;
    let (_, older) = app.access.reset_user(&bank.tenant.caller, bank.anna.id, false).await.unwrap();
    let (_, newer) = app.access.reset_user(&bank.tenant.caller, bank.anna.id, false).await.unwrap();
    assert_eq!(app.access.link(&older).await.unwrap(), None);
    assert!(app.access.link(&newer).await.unwrap().is_some());
    let session = bank.signed_in("anna@north.example").await;
    app.access
        .change_password(&session, (Password::presented(PASSWORD), ""), CHOSEN, &visitor())
        .await
        .unwrap();
    assert_eq!(app.access.link(&newer).await.unwrap(), None, "changing the password oneself does the same");
}

async fn a_store_with_users_needs_no_set_up(bank: Bank) {
    assert!(bank.test.app.access.set_up_link().await.unwrap().is_none());
}

fn first(tenant: FirstTenant) -> FirstUser {
    FirstUser {
        tenant,
        email: "founder@north.example".parse().unwrap(),
        name: Name::parse("Founder").unwrap(),
        password: Password::presented(CHOSEN),
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_store_is_founded_by_whoever_holds_the_link(engine: Engine) {
    let test = TestApp::on(engine).await;
    let (one, other) =
        (test.app.access.set_up_link().await.unwrap(), test.app.access.set_up_link().await.unwrap());
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(test.app.access.link(&other).await.unwrap(), Some(Link::SetUp { tenants: vec![] }));
    let slug: domain::tenant::Slug = "north".parse().unwrap();
    let missing = test.app.access.set_up(&one, first(FirstTenant::Existing(slug.clone()))).await;
    assert!(matches!(missing, Err(Error::Invalid(_))), "{missing:?}");
    let new = FirstTenant::New { slug, name: Name::parse("North Bank AG").unwrap() };
    let user = test.app.access.set_up(&one, first(new.clone())).await.unwrap();
    assert_eq!(user.role, Role::Administrator);
    let again = test.app.access.set_up(&other, first(new)).await;
    assert!(matches!(again, Err(Error::NotFound)), "the other link is void now: {again:?}");
    assert_eq!(test.app.access.link(&other).await.unwrap(), None);
}
