//! The frame of every page: the link back to a list, the count, and error pages.

use domain::user::Role;
use tidewall_workspace::WorkspaceOptions;

use crate::{House, PASSWORD, browser::Browser, records::create};

#[tokio::test]
async fn a_wrong_address_keeps_the_menu_and_is_named() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let page = browser.get("/workspace/findings/nothing").await.expect(404).shows("Page not found");
    page.shows("<nav class=\"side\"").shows("<dd>Findings</dd>").lacks("Whom to ask");
    let page = house.browser().get("/workspace/nowhere").await.expect(404).shows("Page not found");
    page.lacks("<nav class=\"side\"");
}

#[tokio::test]
async fn a_refusal_keeps_the_menu_and_names_whom_to_ask() {
    let house = House::new().await;
    house.add(&house.north, "ada@north.example", Role::Administrator).await;
    let south = house.test.tenant("south").await;
    house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let page = browser.get("/workspace/users").await.expect(403).shows("Your role does not allow this");
    let page = page.shows("<nav class=\"side\"").shows("<dd>Users</dd>").shows("<dd>Contributor</dd>");
    page.shows("href=\"mailto:ada@north.example\"").lacks("sue@south.example");
}

#[tokio::test]
async fn a_record_leads_back_to_the_list_as_it_was_filtered() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let fields = [("title", "Backups"), ("severity", "low")];
    let finding = create(&mut browser, "/workspace/findings", &fields).await;
    let trail = |page: &crate::browser::Page| page.between("<nav class=\"trail\"", "</nav>").to_owned();
    let plain = trail(&browser.get(&finding).await);
    assert!(plain.contains("href=\"/workspace/findings\"") && plain.contains("Findings"), "{plain}");
    let list = "http://127.0.0.1:8080/workspace/findings?severity=low&sort=due_on";
    let filtered = trail(&browser.with("referer", list).get(&finding).await);
    assert!(filtered.contains("href=\"/workspace/findings?severity=low&amp;sort=due_on\""), "{filtered}");
    for other in ["https://evil.example/workspace/users?x", "http://127.0.0.1:8080/elsewhere", "nonsense"] {
        let back = trail(&browser.with("referer", other).get(&finding).await);
        assert!(back.contains("href=\"/workspace/findings\""), "{other}: {back}");
    }
    browser.get("/workspace/findings").await.lacks("class=\"trail\"");
}

#[tokio::test]
async fn a_list_says_how_much_is_in_it_and_leads_to_its_ends() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    for number in 0..5 {
        let title = format!("Finding {number}");
        create(&mut browser, "/workspace/findings", &[("title", title.as_str()), ("severity", "low")]).await;
        if number == 0 {
            browser.get("/workspace/findings").await.shows("1 finding</p>");
        }
    }
    browser.get("/workspace/findings").await.shows("5 findings</p>").lacks("<nav class=\"pager\"");
    let middle = browser.get("/workspace/findings?severity=low&limit=2&offset=2").await;
    let pager = middle.between("<nav class=\"pager\"", "</nav>").to_owned();
    let links: Vec<_> = pager.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let at = |offset: &str| format!("/workspace/findings?severity=low&amp;limit=2{offset}");
    assert_eq!(links, [at(""), at(""), at("&amp;offset=4"), at("&amp;offset=4")]);
    let mut german = browser.with("accept-language", "de");
    german.get("/workspace/findings").await.shows("5 Feststellungen</p>");
}

#[tokio::test]
async fn the_design_system_is_for_development() {
    let house = House::new().await;
    let mut shown = house.signed_in(Role::Viewer).await;
    shown.get("/workspace/design").await.expect(200);
    shown.get("/workspace").await.shows("href=\"/workspace/design\"");
    let options = WorkspaceOptions {
        public_url: "http://127.0.0.1:8080".into(),
        client: |_| None,
        design: false,
        security_contact: None,
    };
    let router = tidewall_workspace::router(&house.test.app, options);
    let mut browser = Browser::new(router).signed_in("viewer@north.example", PASSWORD).await;
    browser.get("/workspace/design").await.expect(404);
    browser.get("/workspace").await.lacks("/workspace/design");
}

#[tokio::test]
async fn where_weaknesses_are_reported_is_said_if_it_is_set() {
    let house = House::new().await;
    let path = "/.well-known/security.txt";
    house.browser().get(path).await.expect(404);
    let options = WorkspaceOptions {
        public_url: "https://tidewall.bank.example".into(),
        client: |_| None,
        design: false,
        security_contact: Some("mailto:security@bank.example".into()),
    };
    let mut browser = Browser::new(tidewall_workspace::router(&house.test.app, options));
    let page = browser.get(path).await.expect(200);
    assert_eq!(
        page.body,
        "Contact: mailto:security@bank.example\nExpires: 2027-05-13T14:00:00Z\nPreferred-Languages: en, de\n\
         Canonical: https://tidewall.bank.example/.well-known/security.txt\n"
    );
}
