//! Notices to administrators about keys that end soon, and mail about keys that were replaced.

use app::api_key::{KeyRequest, NewKey, Overlap};
use domain::{
    inbox::Reason, moment::Moment, page::PageRequest, permission::Permissions, text::Name, user::Role,
};
use testkit::{Mailbox, START, TestOptions, header};

use crate::{Bank, on_both_engines};

on_both_engines! {
    a_key_is_announced_two_weeks_and_a_day_before_its_end,
    administrators_get_a_mail_when_a_key_is_replaced,
}

const DAY: i64 = 24 * 3600;

async fn a_key_is_announced_two_weeks_and_a_day_before_its_end(bank: Bank) {
    bank.add("ben@north.example", Role::Manager).await;
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
        app.people.create_key(&bank.tenant.caller, request, None, Box::new(id)).await.unwrap();
    }
    let notices = async || {
        app.people.notice_ending_keys().await.unwrap() + other.people.notice_ending_keys().await.unwrap()
    };
    bank.test.clock.advance(45 * DAY * 1000);
    assert_eq!(notices().await, 0);
    bank.test.clock.advance(DAY * 1000);
    assert_eq!(notices().await, 2, "two weeks before, by one of the nodes");
    assert_eq!(notices().await, 0, "once");
    let anna = bank.signed_in("anna@north.example").await;
    let inbox = app.messages.inbox(&anna.caller, PageRequest::default()).await.unwrap().items;
    let mut names: Vec<_> = inbox.iter().map(|notice| (notice.reason, notice.title.as_str())).collect();
    names.sort_by_key(|(_, name)| *name);
    assert_eq!(
        names,
        [Reason::KeyExpiring, Reason::KeyExpiring]
            .into_iter()
            .zip(["Reporting", "https://evil.example"])
            .collect::<Vec<_>>()
    );
    let ben = bank.signed_in("ben@north.example").await;
    assert_eq!(
        app.messages.inbox(&ben.caller, PageRequest::default()).await.unwrap().total,
        0,
        "administrators only"
    );
    assert_eq!(app.messages.mail_notices().await.unwrap(), 0, "in the daily mail");
    bank.test.clock.advance(DAY * 1000);
    assert_eq!(app.messages.mail_notices().await.unwrap(), 1);
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "To"), "anna@north.example");
    assert_eq!(header(&mail, "Subject"), "Bank north: 2 notices");
    let text = mail.to_string();
    assert!(text.contains("API key expires (due ") && text.contains("tw_"), "{text}");
    assert!(!text.contains("evil.example"), "a name can look like a link: {text}");
    bank.test.clock.advance(12 * DAY * 1000);
    assert_eq!(notices().await, 2, "the day before");
    assert_eq!(notices().await, 0);
    assert_eq!(app.messages.inbox(&anna.caller, PageRequest::default()).await.unwrap().total, 4);
}

async fn administrators_get_a_mail_when_a_key_is_replaced(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let clock = Some(bank.test.clock.clone());
    let options = TestOptions { mail: Some(mailbox.settings.clone()), clock, ..TestOptions::default() };
    let app = bank.test.beside(options).await;
    let caller = &bank.tenant.caller;
    let request = KeyRequest::new(Name::parse("Reporting").unwrap(), Permissions::all());
    let both = |new: &NewKey| format!("{} {}", new.record.id, new.key.reveal());
    let made = app.people.create_key(caller, request, None, Box::new(both)).await.unwrap().body;
    let (id, key) = made.split_once(' ').unwrap();
    let own = app.people.authenticate(Some(key), [127, 0, 0, 1].into()).await.unwrap().caller;
    let overlap = Overlap::hours(0).unwrap();
    let rotate = |new: &NewKey| new.record.id.to_string();
    app.people.rotate_key(&own, id.parse().unwrap(), overlap, None, Box::new(rotate)).await.unwrap();
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "To"), "anna@north.example");
    assert_eq!(header(&mail, "Subject"), "An API key was replaced (Bank north)");
    let text = mail.to_string();
    assert!(text.contains("the key itself replaced") && text.contains("Reporting tw_"), "{text}");
}
