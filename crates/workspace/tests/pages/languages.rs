//! Which language a reader gets, and assets.

use domain::user::Role;

use crate::House;

#[tokio::test]
async fn strangers_read_what_their_browser_asks_for() {
    let house = House::new().await;
    for (header, shown) in [
        ("de-DE,de;q=0.9,en;q=0.5", "<html lang=\"de\""),
        ("fr", "<html lang=\"en\""),
        ("en-US, de;q=0.9", "<html lang=\"en\""),
    ] {
        house.browser().with("accept-language", header).get("/workspace/sign-in").await.shows(shown);
    }
    let mut german = house.browser().with("accept-language", "de");
    german.get("/workspace/nowhere").await.expect(404).shows("Hier ist nichts");
    let fields = [("email", "x"), ("password", "y")];
    german.post("/workspace/sign-in", &fields).await.shows("passen nicht zusammen");
}

#[tokio::test]
async fn assets_are_kept_for_ever_and_change_their_name() {
    let house = House::new().await;
    let mut browser = house.browser();
    let page = browser.get("/workspace/sign-in").await;
    for (before, kind) in [("rel=\"stylesheet\" href=\"", "text/css"), ("<script src=\"", "text/javascript")]
    {
        let path = page.between(before, "\"").to_owned();
        let asset = browser.get(&path).await.expect(200);
        assert!(asset.headers["content-type"].to_str().unwrap().starts_with(kind));
        assert_eq!(asset.headers["cache-control"], "public, max-age=31536000, immutable");
    }
    browser.get("/workspace/assets/style.css").await.expect(404);
}

#[tokio::test]
async fn what_people_type_is_never_markup() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let nasty = "<img src=x onerror=alert(1)>\"'";
    let fields = [("name", nasty), ("language", ""), ("theme", "device")];
    browser.submit("/workspace/profile", "/workspace/profile", &fields).await.expect(303);
    for path in ["/workspace", "/workspace/profile", "/workspace/users", "/workspace/audit"] {
        browser.get(path).await.expect(200).lacks("<img").shows("&lt;img src=x onerror=alert(1)&gt;&quot;");
    }
    let next = "/workspace?\"><script>alert(1)</script>";
    let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
    house.browser().get(&format!("/workspace/sign-in?{query}")).await.expect(200).lacks("<script>alert");
}
