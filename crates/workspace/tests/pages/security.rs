//! What the owner of an account and an administrator see of attempts on it.

use std::time::Duration;

use domain::user::Role;
use testkit::{Mailbox, header};

use crate::{House, PASSWORD, browser::Browser};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

/// The page, once what is stored in the background is on it.
async fn shown(browser: &mut Browser, path: &str, text: &str) -> String {
    for _ in 0..1_000 {
        let page = browser.get(path).await.expect(200);
        if page.body.contains(text) {
            return page.body;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{path} never shows {text}");
}

#[tokio::test]
async fn refused_sign_ins_are_shown_to_the_owner_and_to_administrators() {
    let house = House::new().await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    house.browser().signed_in("ben@north.example", PASSWORD).await;
    for _ in 0..2 {
        let wrong = [("email", "ben@north.example"), ("password", "wrong-wrong-wrong")];
        house.browser().post("/workspace/sign-in", &wrong).await.expect(422);
    }
    let mut own = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let page = shown(&mut own, "/workspace/profile", "<div>2</div>").await;
    assert!(page.contains("Refused sign-ins") && page.contains("the password"), "{page}");

    let mut administrator = house.signed_in(Role::Administrator).await;
    let list = shown(&mut administrator, "/workspace/users", "the password").await;
    assert!(list.contains(&format!("/workspace/users/{}", ben.id)));
    shown(&mut administrator, &format!("/workspace/users/{}", ben.id), "the password").await;
    administrator.get("/workspace/profile").await.shows("None in the last 90 days.");

    let south = house.test.tenant("south").await;
    house.add(&south, "eve@south.example", Role::Administrator).await;
    let mut eve = house.browser().signed_in("eve@south.example", PASSWORD).await;
    eve.get("/workspace/users").await.expect(200).shows("None in the last 90 days.");
}

#[tokio::test]
async fn a_sign_in_with_a_new_browser_is_mailed_to_the_owner() {
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    house.add(&house.north, "ben@north.example", Role::Viewer).await;
    // The very first sign-in and another with the same browser cause no mail.
    let first = house.browser().signed_in("ben@north.example", PASSWORD).await;
    assert!(first.device.is_some(), "the browser is known from now on");
    let mut again = house.browser();
    again.device.clone_from(&first.device);
    again.signed_in("ben@north.example", PASSWORD).await;

    house.browser().with("user-agent", FIREFOX).signed_in("ben@north.example", PASSWORD).await;
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "Subject"), "A sign-in with a new browser (Bank north)");
    let text = mail.to_string();
    assert!(text.contains("Firefox, Linux, from the address 127.0.0.1"), "{text}");

    let stranger = "Your mailbox is locked: https://evil.example/unlock";
    house.browser().with("user-agent", stranger).signed_in("ben@north.example", PASSWORD).await;
    let text = mailbox.next_mail().await.to_string();
    assert!(text.contains("an unknown browser") && !text.contains("evil.example"), "{text}");
}

#[tokio::test]
async fn only_a_plain_request_id_is_repeated() {
    let house = House::new().await;
    let answered = async |id: &str| {
        let page = house.browser().with("x-request-id", id).get("/workspace/sign-in").await.expect(200);
        page.headers["x-request-id"].to_str().unwrap().to_owned()
    };
    assert_eq!(answered("order-7_b.2").await, "order-7_b.2");
    for odd in ["<script>alert(1)</script>", "has space", &"x".repeat(3_000)] {
        let id = answered(odd).await;
        assert!(id != odd && id.len() == 36, "{id}");
    }
}

#[tokio::test]
async fn wrong_links_are_security_events() {
    let house = House::new().await;
    let folder = house.test.scratch.dir.path().join("events");
    std::fs::create_dir(&folder).unwrap();
    let spool = app::security::spool::Spool::open(&folder, 1 << 20).unwrap();
    house.test.app.security.spool_to(std::sync::Arc::clone(&spool));
    let never = app::token::Token::random();
    for link in [never.reveal(), "no-token"] {
        house.browser().get(&format!("/workspace/link/{link}")).await.expect(404);
        house.browser().get(&format!("/due-diligence/{link}")).await.expect(404);
    }
    spool.flush();
    let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let text: String = files.map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let events = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let lines: Vec<_> =
        events.map(|event| format!("{} {} {}", event["event"], event["outcome"], event["reason"])).collect();
    let [one_time, questionnaire] =
        ["one_time", "questionnaire"].map(|reason| format!("\"link\" \"refused\" \"{reason}\""));
    assert_eq!(lines, [one_time.clone(), questionnaire.clone(), one_time, questionnaire]);
    assert!(!text.contains(never.reveal()), "the event does not repeat the link");
}
