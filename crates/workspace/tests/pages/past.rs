//! A past state is shown with its day, or refused: never ignored.

use domain::user::Role;

use crate::{
    House, PASSWORD,
    records::create,
    role_table::{OPEN, PAGES},
};

#[tokio::test]
async fn every_page_shows_a_past_state_or_refuses_it() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let pages = PAGES.iter().flat_map(|(_, _, paths)| *paths).chain(OPEN);
    let mut shown = 0;
    for path in pages.filter(|path| !path.contains('{')) {
        let address = format!("/workspace{path}?as_of=2026-06-30");
        if path.contains('.') {
            let is_shown = path.starts_with("/statement-of-applicability.");
            browser.fetch(&address).await.expect(if is_shown { 200 } else { 422 });
            continue;
        }
        let page = browser.get(&address).await;
        if page.status == 200 {
            page.shows("as they were at the end of 30 Jun 2026");
            shown += 1;
        } else {
            page.expect(422).shows("cannot be shown as of that day").shows("2026-06-30");
        }
    }
    assert!(shown >= 14, "{shown} pages are too few");
}

#[tokio::test]
async fn a_past_state_has_no_forms_and_shows_what_was_deleted_since() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let new = [("name", "Payments 2027"), ("framework", "dora")];
    let programme = create(&mut browser, "/workspace/programmes", &new).await;
    create(&mut browser, "/workspace/findings", &[("title", "Old cipher"), ("severity", "low")]).await;
    house.pass(26 * 3600);
    let mut browser = house.browser().signed_in("manager@north.example", PASSWORD).await;
    browser.submit(&programme, &format!("{programme}/delete"), &[]).await.expect(303);
    browser.get("/workspace/programmes").await.lacks("Payments 2027");
    browser.get("/workspace/programmes?as_of=2026-11-14").await.shows("Payments 2027");
    let past = browser.get("/workspace/findings?as_of=2026-11-14").await.shows("Old cipher");
    past.lacks("type=\"checkbox\"").lacks("<a class=\"button primary\" href=\"/workspace/findings/new\"");
    let past = browser.get("/workspace/assessments/dora?as_of=2026-11-14").await.expect(200);
    past.shows("as they were at the end of 14 Nov 2026").lacks("name=\"requirements\"");
    browser.get("/workspace/findings?as_of=yesterday").await.expect(422);
    browser.get("/workspace/programmes?as_of=").await.expect(200);
}
