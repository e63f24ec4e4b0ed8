//! Mail to administrators about keys that end soon.

use app::api_key::{KeyRequest, NewKey, Overlap};
use domain::{moment::Moment, permission::Permissions, text::Name};
use testkit::{Mailbox, START, TestOptions, header};

use crate::{Bank, on_both_engines};

on_both_engines! {
    a_key_is_announced_two_weeks_and_a_day_before_its_end,
    administrators_get_a_mail_when_a_key_is_replaced,
}

const DAY: i64 = 24 * 3600;

async fn a_key_is_announced_two_weeks_and_a_day_before_its_end(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let clock = Some(bank.test.clock.clone());
    let options = || TestOptions {
        mail: Some(mailbox.settings.clone()),
        clock: clock.clone(),
        ..TestOptions::default()
    };
    let (app, other) = (bank.test.beside(options()).await, bank.test.beside(options()).await);
    let end = |days: i64| Some(Moment::from_millis(START).plus_seconds(days * DAY));
    for (name, days) in [("Reporting", 60), ("https://evil.example", 60), ("Later", 200), ("Short", 5)] {
        let request = KeyRequest::new(Name::parse(name).unwrap(), Permissions::READ_ONLY).until(end(days));
        let id = |new: &NewKey| new.record.prefix.clone();
        app.create_key(&bank.tenant.caller, request, None, Box::new(id)).await.unwrap();
    }
    let notices =
        async || app.notice_ending_keys().await.unwrap() + other.notice_ending_keys().await.unwrap();
    bank.test.clock.advance(45 * DAY * 1000);
    assert_eq!(notices().await, 0);
    bank.test.clock.advance(DAY * 1000);
    assert_eq!(notices().await, 2, "two weeks before, by one of the nodes");
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "To"), "anna@north.example");
    assert_eq!(header(&mail, "Subject"), "API keys end soon (Bank north)");
    let text = mail.to_string();
    assert!(text.contains("Reporting tw_") && !text.contains("evil.example"), "{text}");
    assert_eq!(notices().await, 0, "once");
    bank.test.clock.advance(13 * DAY * 1000);
    assert_eq!(notices().await, 2, "the day before");
    mailbox.next_mail().await;
    assert_eq!(notices().await, 0);
}

async fn administrators_get_a_mail_when_a_key_is_replaced(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let clock = Some(bank.test.clock.clone());
    let options = TestOptions { mail: Some(mailbox.settings.clone()), clock, ..TestOptions::default() };
    let app = bank.test.beside(options).await;
    let caller = &bank.tenant.caller;
    let request = KeyRequest::new(Name::parse("Reporting").unwrap(), Permissions::all());
    let both = |new: &NewKey| format!("{} {}", new.record.id, new.key.reveal());
    let made = app.create_key(caller, request, None, Box::new(both)).await.unwrap().body;
    let (id, key) = made.split_once(' ').unwrap();
    let own = app.authenticate(Some(key), [127, 0, 0, 1].into()).await.unwrap().caller;
    let overlap = Overlap::hours(0).unwrap();
    let rotate = |new: &NewKey| new.record.id.to_string();
    app.rotate_key(&own, id.parse().unwrap(), overlap, None, Box::new(rotate)).await.unwrap();
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "To"), "anna@north.example");
    assert_eq!(header(&mail, "Subject"), "An API key was replaced (Bank north)");
    let text = mail.to_string();
    assert!(text.contains("the key itself replaced") && text.contains("Reporting tw_"), "{text}");
}
