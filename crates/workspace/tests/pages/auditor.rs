//! Auditors, accounts with a last day, and sessions that an administrator ends.

use domain::user::Role;

use crate::{House, PASSWORD};

#[tokio::test]
async fn an_auditor_reads_the_log_and_the_accounts_and_is_offered_no_change() {
    let house = House::new().await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    let menu = auditor.get("/workspace").await.expect(200);
    menu.shows("href=\"/workspace/audit\"")
        .shows("href=\"/workspace/users\"")
        .shows("href=\"/workspace/api-keys\"")
        .lacks("href=\"/workspace/api-keys/new\"");
    auditor.get("/workspace/audit").await.expect(200).shows("added the account ").shows("ben@north.example");
    let list = auditor.get("/workspace/users").await.expect(200).shows("ben@north.example");
    list.lacks("/workspace/users/new").lacks(&format!("/workspace/users/{}", ben.id));
    auditor.get(&format!("/workspace/users/{}", ben.id)).await.expect(403);
    auditor.get("/workspace/findings").await.expect(200).lacks("/workspace/findings/new");
    // They can still change their own account.
    let fields = [("name", "Rita"), ("language", "en"), ("theme", "light")];
    auditor.submit("/workspace/profile", "/workspace/profile", &fields).await.expect(303);
}

#[tokio::test]
async fn an_account_is_shut_after_its_last_day() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let fields =
        [("name", "Rita"), ("email", "rita@audit.example"), ("role", "auditor"), ("ends_on", "2026-11-15")];
    let page = administrator.submit("/workspace/users/new", "/workspace/users", &fields).await.expect(200);
    let link = format!("/workspace/link/{}", page.between("/workspace/link/", "<"));
    house.browser().post(&link, &[("password", PASSWORD)]).await.expect(303);
    administrator.get("/workspace/users").await.shows("until 15 Nov 2026");
    let mut rita = house.browser().signed_in("rita@audit.example", PASSWORD).await;
    rita.get("/workspace/audit").await.expect(200);

    // The clock stands at 15:00 on the 14th in Berlin: the last day ends after 33 hours.
    house.pass(32 * 60 * 60);
    let mut rita = house.browser().signed_in("rita@audit.example", PASSWORD).await;
    rita.get("/workspace/audit").await.expect(200);
    for _ in 0..2 {
        house.pass(29 * 60);
        rita.get("/workspace/audit").await.expect(200);
    }
    house.pass(3 * 60);
    rita.get("/workspace/audit").await.expect(303);
    let again = [("email", "rita@audit.example"), ("password", PASSWORD)];
    house.browser().post("/workspace/sign-in", &again).await.expect(422);

    // A later last day opens it again.
    let mut administrator = house.browser().signed_in("administrator@north.example", PASSWORD).await;
    let list = administrator.get("/workspace/users").await.shows("Closed");
    let path = list.body.match_indices("/workspace/users/usr_").map(|(at, _)| &list.body[at..at + 47]);
    let path = path.last().unwrap().to_owned();
    let fields = [("name", "Rita"), ("role", "auditor"), ("ends_on", "2026-12-31")];
    administrator.submit(&path, &path, &fields).await.expect(303);
    house.browser().signed_in("rita@audit.example", PASSWORD).await;
}

#[tokio::test]
async fn an_administrator_sees_where_people_are_signed_in_and_ends_it() {
    let house = House::new().await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    let mut his = house
        .browser()
        .with("user-agent", "Firefox/130.0 Linux")
        .signed_in("ben@north.example", PASSWORD)
        .await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let path = format!("/workspace/users/{}", ben.id);
    let page = administrator.get(&path).await.expect(200).shows("Firefox, Linux");
    let session = format!("{path}/sessions/{}", page.between(&format!("{path}/sessions/"), "\""));
    let mut manager = house.signed_in(Role::Manager).await;
    manager.submit("/workspace", &session, &[]).await.expect(403);
    his.get("/workspace").await.expect(200);
    administrator.submit(&path, &session, &[]).await.expect(303);
    his.get("/workspace").await.expect(303);
    administrator.get(&path).await.shows("Not signed in anywhere.");
    administrator.submit(&path, &session, &[]).await.expect(404);

    let south = house.test.tenant("south").await;
    house.add(&south, "eve@south.example", Role::Administrator).await;
    let mut eve = house.browser().signed_in("eve@south.example", PASSWORD).await;
    let hers = administrator.get("/workspace/profile").await.expect(200);
    assert!(hers.body.contains("this browser"));
    eve.submit("/workspace", &session, &[]).await.expect(404);
}
