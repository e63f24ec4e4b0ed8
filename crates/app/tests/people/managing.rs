//! What an administrator may do, and what not.

use app::{
    Error,
    user::{ProfileChange, UserPatch},
};
use domain::{
    page::PageRequest,
    password::Password,
    text::Name,
    user::{Role, Theme},
    wording::Language,
};

use crate::{Bank, PASSWORD, add, draft, on_both_engines, visitor};

on_both_engines! {
    only_administrators_manage_people,
    one_administrator_always_remains,
    a_closed_tenant_keeps_people_and_keys_out,
    an_address_belongs_to_one_person_of_a_tenant,
    nobody_reaches_into_another_tenant,
    people_change_their_own_profile_and_password,
}

async fn only_administrators_manage_people(bank: Bank) {
    for role in [Role::Viewer, Role::Contributor, Role::Manager] {
        let email = format!("{role}@north.example");
        bank.add(&email, role).await;
        let session = bank.signed_in(&email).await;
        let (app, caller) = (&bank.test.app, &session.caller);
        let refused = [
            app.people.users(caller, PageRequest::default()).await.map(|_| ()),
            app.people.user(caller, bank.anna.id).await.map(|_| ()),
            app.people
                .create_user(caller, draft("x@north.example", role), Password::presented(PASSWORD))
                .await
                .map(|_| ()),
            app.access.invite_user(caller, draft("x@north.example", role)).await.map(|_| ()),
            app.access.reset_user(caller, bank.anna.id, true).await.map(|_| ()),
            app.people
                .change_user(
                    caller,
                    session.user.id,
                    UserPatch { role: Some(Role::Administrator), ..Default::default() },
                )
                .await
                .map(|_| ()),
        ];
        for (number, refused) in refused.into_iter().enumerate() {
            assert!(matches!(refused, Err(Error::NotAdministrator)), "{role} {number}: {refused:?}");
        }
    }
    let people = bank.test.app.people.users(&bank.tenant.caller, PageRequest::default()).await.unwrap();
    assert_eq!(people.total, 4);
}

async fn one_administrator_always_remains(bank: Bank) {
    let (app, caller, anna) = (&bank.test.app, &bank.tenant.caller, bank.anna.id);
    let invited = draft("ben@north.example", Role::Administrator);
    let (ben, _) = app.access.invite_user(caller, invited).await.unwrap();
    let (demoted, closed) = (
        UserPatch { role: Some(Role::Viewer), ..UserPatch::default() },
        UserPatch { active: Some(false), ..UserPatch::default() },
    );
    for patch in [demoted.clone(), closed.clone()] {
        let refused = app.people.change_user(caller, anna, patch).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "an invited one is not enough: {refused:?}");
    }
    app.people.change_user(caller, ben.id, demoted.clone()).await.unwrap();
    bank.add("cleo@north.example", Role::Administrator).await;
    let changed = app.people.change_user(caller, anna, demoted).await.unwrap();
    assert_eq!((changed.role, changed.version), (Role::Viewer, 2));
    app.people.change_user(caller, anna, closed).await.unwrap();
}

async fn a_closed_tenant_keeps_people_and_keys_out(bank: Bank) {
    let (app, caller) = (&bank.test.app, &bank.tenant.caller);
    let key = bank.test.key(&bank.tenant, "read").await;
    let here = visitor().address;
    let token = bank.sign_in("anna@north.example").await;
    let (_, link) = app.access.invite_user(caller, draft("ben@north.example", Role::Viewer)).await.unwrap();
    app.people.authenticate(Some(&key), here).await.unwrap();
    let by_person = app.people.close_tenant(&bank.session(&token).await.unwrap().caller).await;
    assert!(matches!(by_person, Err(Error::NotAdministrator)), "only the operator closes: {by_person:?}");
    let tenant = app.tenant_of(caller).await.unwrap();
    let operator = app::authz::Caller::operator(&tenant);
    app.people.close_tenant(&operator).await.unwrap();
    assert!(bank.session(&token).await.is_none());
    let refused = bank.try_sign_in("anna@north.example", PASSWORD).await;
    assert!(matches!(refused, app::sign_in::SignInResult::Refused), "{refused:?}");
    assert!(matches!(app.people.authenticate(Some(&key), here).await, Err(Error::Unauthenticated)));
    assert_eq!(app.access.link(&link).await.unwrap(), None);
    app.people.open_tenant(&operator).await.unwrap();
    bank.sign_in("anna@north.example").await;
    app.people.authenticate(Some(&key), here).await.unwrap();
    assert!(app.access.link(&link).await.unwrap().is_some());
}

async fn an_address_belongs_to_one_person_of_a_tenant(bank: Bank) {
    let twice = bank
        .test
        .app
        .access
        .invite_user(&bank.tenant.caller, draft("ANNA@north.example", Role::Viewer))
        .await;
    assert!(matches!(twice, Err(Error::Invalid(_))), "{twice:?}");
}

async fn nobody_reaches_into_another_tenant(bank: Bank) {
    let south = bank.test.tenant("south").await;
    add(&bank.test, &south, "sue@south.example", Role::Administrator).await;
    let sue = bank.signed_in("sue@south.example").await;
    let (app, anna) = (&bank.test.app, bank.anna.id);
    let missing = [
        app.people.user(&sue.caller, anna).await.map(|_| ()),
        app.access.reset_user(&sue.caller, anna, false).await.map(|_| ()),
        app.people
            .change_user(&sue.caller, anna, UserPatch { active: Some(false), ..Default::default() })
            .await
            .map(|_| ()),
    ];
    for missing in missing {
        assert!(matches!(missing, Err(Error::NotFound)), "{missing:?}");
    }
    let people = app.people.users(&sue.caller, PageRequest::default()).await.unwrap();
    assert_eq!(
        people.items.iter().map(|user| user.email.as_str()).collect::<Vec<_>>(),
        ["sue@south.example"]
    );
}

async fn people_change_their_own_profile_and_password(bank: Bank) {
    let app = &bank.test.app;
    let session = bank.signed_in("anna@north.example").await;
    let other = bank.sign_in("anna@north.example").await;
    let change = ProfileChange {
        name: Name::parse("Anna Weber").unwrap(),
        language: Some(Language::German),
        theme: Theme::Dark,
        time_zone: None,
    };
    app.people.change_profile(&session, change.clone()).await.unwrap();
    app.people.change_profile(&session, change).await.unwrap();
    let seen = bank.session(&other).await.unwrap().user;
    assert_eq!((seen.language, seen.theme, seen.version), (Some(Language::German), Theme::Dark, 2));

    let chosen = "a stitch in time saves nine";
    for (current, new) in [("wrong", chosen), (PASSWORD, "short")] {
        let refused =
            app.access.change_password(&session, (Password::presented(current), ""), new, &visitor()).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
    }
    app.access
        .change_password(&session, (Password::presented(PASSWORD), ""), chosen, &visitor())
        .await
        .unwrap();
    assert!(bank.session(&other).await.is_none(), "signed out everywhere else");
}
