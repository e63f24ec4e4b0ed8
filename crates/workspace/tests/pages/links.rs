//! The first set-up.

use testkit::{Engine, TestApp};
use tidewall_workspace::{WorkspaceOptions, link_path};

use crate::browser::Browser;

#[tokio::test]
async fn a_new_store_is_set_up_in_the_browser() {
    let test = TestApp::on(Engine::Sqlite).await;
    let options = WorkspaceOptions { public_url: "http://127.0.0.1:8080".into(), client: |_| None };
    let router = tidewall_workspace::router(&test.app, options);
    let path = link_path(&test.app.set_up_link().await.unwrap().unwrap());
    let mut browser = Browser::new(router.clone());
    browser.get(&path).await.expect(200).shows("name=\"institution\"").shows("name=\"slug\"");
    let password = "a stitch in time saves nine";
    let wrong = [
        ("institution", "North Bank AG"),
        ("slug", "North Bank"),
        ("name", "Anna"),
        ("email", "anna"),
        ("password", password),
    ];
    let page = browser.post(&path, &wrong).await.expect(422);
    page.shows("such as north-bank").shows("must be an email address").lacks(password);
    let right = [
        ("institution", "North Bank AG"),
        ("slug", "north"),
        ("name", "Anna"),
        ("email", "anna@north.example"),
        ("password", password),
    ];
    assert_eq!(browser.post(&path, &right).await.expect(303).location(), "/workspace/sign-in?done=chosen");
    browser.get(&path).await.expect(404);
    let mut inside = browser.signed_in("anna@north.example", password).await;
    inside.get("/workspace").await.expect(200).shows("North Bank AG").shows("First steps");
    inside.get("/workspace/users").await.expect(200);
    assert!(test.app.set_up_link().await.unwrap().is_none());
}

#[tokio::test]
async fn an_existing_tenant_gets_its_first_administrator() {
    let test = TestApp::on(Engine::Sqlite).await;
    test.tenant("north").await;
    let options = WorkspaceOptions { public_url: "http://127.0.0.1:8080".into(), client: |_| None };
    let mut browser = Browser::new(tidewall_workspace::router(&test.app, options));
    let path = link_path(&test.app.set_up_link().await.unwrap().unwrap());
    browser.get(&path).await.expect(200).shows("<option value=\"north\" selected>Bank north</option>");
    let fields = [
        ("tenant", "north"),
        ("name", "Anna"),
        ("email", "anna@north.example"),
        ("password", "a stitch in time saves nine"),
    ];
    browser.post(&path, &fields).await.expect(303);
}
