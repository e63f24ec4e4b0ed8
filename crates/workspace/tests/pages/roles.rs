//! Which role sees and changes what: every address of the router, in every role, against the table of rights.

use std::collections::BTreeSet;

use domain::{
    id::Uuid7,
    right::{Resource, Right},
    user::Role,
};

use crate::{
    House,
    browser::{Browser, Page},
    role_table::{ACCOUNT, FORMS, IDS, OPEN, PAGES, UPLOADS},
};

/// The addresses of the router below `/workspace`.
pub(crate) fn addresses(house: &House) -> BTreeSet<String> {
    let shown = format!("{:?}", house.router);
    let paths = shown.split("RouteId(").filter_map(|part| part.split_once("): \"")?.1.split('"').next());
    let ours = paths.filter_map(|path| path.strip_prefix("/workspace"));
    let ours = ours.filter(|path| !path.contains("{*") && *path != "/" && !path.starts_with("/assets"));
    let found: BTreeSet<_> = ours.map(str::to_owned).collect();
    assert!(found.len() > 200, "{found:?}");
    found
}

/// The address with values in its places: records that do not exist, and things of the catalogue that do.
pub(crate) fn filled(path: &str) -> String {
    let id = |prefix: &str| Uuid7::from_parts(1, 1).to_id(prefix);
    let own = IDS.iter().find(|(list, _)| path.starts_with(list)).map_or("tst", |(_, prefix)| prefix);
    let requirement = if path.starts_with("/own-frameworks") { "a-1" } else { "dora-art-05-02-a" };
    let places = [
        ("{id}", id(own)),
        ("{arrangement}", id("arr")),
        ("{review}", id("ddq")),
        ("{delivery}", id("dlv")),
        ("{session}", id("ses")),
        ("{framework}", "dora".to_owned()),
        ("{requirement}", requirement.to_owned()),
        ("{template}", "B_02.01".to_owned()),
        ("{regime}", "dora".to_owned()),
        ("{stage}", "initial".to_owned()),
        ("{number}", "1".to_owned()),
        ("{kind}", "xlsx".to_owned()),
        ("{language}", "en".to_owned()),
    ];
    let path = places.iter().fold(path.to_owned(), |path, (place, value)| path.replace(place, value));
    assert!(!path.contains('{'), "no value for {path}");
    format!("/workspace{path}")
}

fn need(table: &[(Resource, Right, &[&str])], path: &str) -> Option<(Resource, Right)> {
    let row = table.iter().find(|(_, _, paths)| paths.contains(&path));
    row.map(|(resource, right, _)| (*resource, *right))
}

fn lies_below(path: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| {
        let rest = path.strip_prefix(part);
        rest.is_some_and(|rest| rest.is_empty() || (!part.is_empty() && rest.starts_with(['/', '.'])))
    })
}

/// Sends an empty form of this session, or one with an empty file.
async fn send(browser: &mut Browser, path: &str, hidden: &[(String, String)]) -> Page {
    let hidden: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    if UPLOADS.contains(&path) {
        return browser.upload_raw(&filled(path), &hidden, "").await;
    }
    browser.post(&filled(path), &hidden).await
}

/// Whether the address takes this request at all; what is sent is no form of ours.
async fn takes_form(browser: &mut Browser, path: &str) -> bool {
    browser.post(&filled(path), &[]).await.status != 405
}

#[tokio::test]
async fn every_form_is_open_to_the_roles_of_the_table_only() {
    let house = House::new().await;
    let mut stranger = house.browser();
    let mut forms = BTreeSet::new();
    for path in addresses(&house) {
        if !lies_below(&path, ACCOUNT) && takes_form(&mut stranger, &path).await {
            assert!(need(FORMS, &path).is_some(), "the form at {path} stands in no table of roles");
            forms.insert(path);
        }
    }
    for path in FORMS.iter().flat_map(|(_, _, paths)| *paths) {
        assert!(forms.contains(*path), "there is no form at {path}");
    }
    for role in Role::ALL {
        let mut browser = house.signed_in(*role).await;
        let hidden = browser.get("/workspace").await.hidden();
        for path in &forms {
            let (resource, right) = need(FORMS, path).unwrap();
            let page = send(&mut browser, path, &hidden).await;
            let may = role.right(resource) >= right;
            assert_eq!(page.status != 403, may, "{role} at {path}: {} {}", page.status, page.body);
            assert!(page.status.as_u16() < 500, "{role} at {path}: {}", page.status);
        }
    }
}

#[tokio::test]
async fn every_page_is_open_to_the_roles_of_the_table_only() {
    let house = House::new().await;
    let mut stranger = house.browser();
    let mut pages = BTreeSet::new();
    for path in addresses(&house) {
        let outside = lies_below(&path, &["/sign-in", "/sign-out", "/link"]);
        if !outside && stranger.fetch(&filled(&path)).await.status != 405 {
            let known = need(PAGES, &path).is_some() || lies_below(&path, OPEN);
            assert!(known, "the page at {path} stands in no table of roles");
            pages.insert(path);
        }
    }
    for path in PAGES.iter().flat_map(|(_, _, paths)| *paths) {
        assert!(pages.contains(*path), "there is no page at {path}");
    }
    for role in Role::ALL {
        let mut browser = house.signed_in(*role).await;
        for path in &pages {
            let status = browser.fetch(&filled(path)).await.status.as_u16();
            let may = need(PAGES, path).is_none_or(|(resource, right)| role.right(resource) >= right);
            assert_eq!(status != 403, may, "{role} at {path}: {status}");
            assert!(status < 500, "{role} at {path}: {status}");
        }
    }
    for path in pages.iter().filter(|path| !path.contains('{')) {
        house.browser().fetch(&filled(path)).await.expect(303);
    }
}

#[tokio::test]
async fn the_menu_offers_only_what_opens() {
    let house = House::new().await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer
        .get("/workspace")
        .await
        .lacks("/workspace/users")
        .lacks("/workspace/api-keys")
        .lacks("/workspace/findings/new")
        .lacks("/workspace/concentration-risk#analyse")
        .lacks("href=\"/workspace/settings\"")
        .shows("/workspace/webhooks");
    let mut contributor = house.signed_in(Role::Contributor).await;
    let page = contributor.get("/workspace").await;
    let actions = page.between("id=\"palette-list\"", "</ul>").to_owned();
    let at = |address: &str| actions.find(&format!("href=\"{address}\""));
    assert!(at("/workspace/findings/new") < at("/workspace/findings"), "actions first: {actions}");
    assert!(at("/workspace/risks/new").is_some() && at("/workspace/risks/adopt").is_none());
    assert!(at("/workspace/findings/import").is_none() && at("/workspace/functions/new").is_none());
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get("/workspace").await.shows("/workspace/findings/import").shows("/workspace/audit");
    let mut administrator = house.signed_in(Role::Administrator).await;
    administrator.get("/workspace").await.shows("/workspace/users").shows("/workspace/api-keys");
}
