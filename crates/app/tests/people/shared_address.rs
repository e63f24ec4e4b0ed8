//! The same address in two institutions: neither learns of the other, and both can be signed in to.

use app::{App, link_mail::Forgotten, sign_in::SignInResult, user::UserDraft};
use domain::{page::PageRequest, password::Password, user::Role};
use testkit::{Mailbox, TestOptions, TestTenant};

use crate::{Bank, PASSWORD, draft, on_both_engines, visitor};

on_both_engines! {
    the_same_address_signs_in_at_two_institutions,
    a_forgotten_password_is_mailed_for_each_institution,
}

const ANNA: &str = "anna@north.example";
const OTHER: &str = "the south wind doth blow at last";

fn anna() -> UserDraft {
    draft(ANNA, Role::Administrator)
}

async fn with_south(bank: &Bank) -> TestTenant {
    let south = bank.test.tenant("south").await;
    bank.test.app.people.create_user(&south.caller, anna(), Password::presented(OTHER)).await.unwrap();
    south
}

/// The institution that is entered, if one is.
async fn entered(app: &App, institution: Option<&str>, password: &str) -> Option<String> {
    match app.access.sign_in(ANNA, institution, Password::presented(password), &visitor()).await.unwrap() {
        SignInResult::Open(token) => {
            Some(app.access.session(&token).await.unwrap().unwrap().tenant_name.to_string())
        }
        SignInResult::Refused => None,
        other => panic!("{other:?}"),
    }
}

async fn the_same_address_signs_in_at_two_institutions(bank: Bank) {
    let (app, south) = (&bank.test.app, with_south(&bank).await);
    for (institution, password, wanted) in [
        (None, PASSWORD, Some("Bank north")),
        (Some(""), PASSWORD, Some("Bank north")),
        (Some("north"), PASSWORD, Some("Bank north")),
        (Some("south"), OTHER, Some("Bank south")),
        (Some(" BANK South "), OTHER, Some("Bank south")),
        (Some("south"), PASSWORD, None),
        (Some("north"), OTHER, None),
        (Some("west"), PASSWORD, None),
        // The account that was there first does not stand before another one whose password it is.
        (None, OTHER, Some("Bank south")),
        (None, "wrong wrong wrong", None),
    ] {
        assert_eq!(
            entered(app, institution, password).await.as_deref(),
            wanted,
            "{institution:?} {password}"
        );
        bank.pass(3600);
    }
    let people = app.people.users(&south.caller, PageRequest::default()).await.unwrap();
    assert_eq!(people.items.iter().map(|user| user.email.as_str()).collect::<Vec<_>>(), [ANNA]);
    for tenant in [&south, &bank.tenant] {
        let again =
            app.people.create_user(&tenant.caller, anna(), Password::presented(OTHER)).await.unwrap_err();
        assert!(format!("{again:?}").contains("AddressTaken"), "{again:?}");
    }
    assert_eq!(app.people.find_users(&ANNA.parse().unwrap()).await.unwrap().len(), 2);
}

async fn a_forgotten_password_is_mailed_for_each_institution(bank: Bank) {
    with_south(&bank).await;
    let mut mailbox = Mailbox::start().await;
    let (mail, clock) = (Some(mailbox.settings.clone()), Some(bank.test.clock.clone()));
    let app = bank.test.beside(TestOptions { mail, clock, ..TestOptions::default() }).await;
    assert_eq!(app.messages.forgotten_password(ANNA, visitor().address).await.unwrap(), Forgotten::Noted);
    let mut mails = [mailbox.next_mail().await.to_string(), mailbox.next_mail().await.to_string()];
    mails.sort_by_key(|mail| mail.contains("(Bank south)"));
    assert!(mails[0].contains("(Bank north)") && mails[1].contains("(Bank south)"), "{mails:?}");
}
