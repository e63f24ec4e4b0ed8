//! Notices to people, and their mails.

use app::{App, pages::Precondition, session::Session};
use domain::{
    change::Change,
    inbox::{NoticeChoices, Reason, Way},
    page::PageRequest,
    task::{Task, TaskInput},
    user::Role,
};
use outbound::mail::MailSettings;
use testkit::{Mailbox, TestOptions, header};

use crate::{Bank, SHARED_NAME, on_both_engines, user_mail::tried_in_vain};

on_both_engines! {
    a_new_owner_gets_a_notice_once_and_none_of_their_own_doing,
    after_a_day_without_a_mail_server_one_mail_has_everything,
    the_daily_mail_waits_for_its_hour_and_never_means_never,
    a_deadline_reaches_its_owner_once_for_each_lead_time,
    a_mail_server_that_refuses_for_a_day_costs_no_notice_and_ends_in_one_mail,
    overdue_work_reaches_its_owner_once_for_each_day_it_had,
    a_plain_task_is_announced_to_its_owner_before_its_day,
    a_mail_names_titles_only_where_the_institution_allows_it,
    the_clock_of_a_report_reaches_owner_and_managers_at_once_and_again_when_it_has_run_out,
}

const HOUR: i64 = 3600;
const BEN: &str = "ben@north.example";
const ANNA: &str = "anna@north.example";

fn task(title: &str, owner: &str) -> TaskInput {
    TaskInput {
        title: Change::Set(title.to_owned()),
        owner: Change::Set(owner.to_owned()),
        ..TaskInput::default()
    }
}

async fn assign(app: &App, by: &Session, title: &str, owner: &str) -> String {
    let render = |made: &app::history::Detail<store::record::RecordRow<Task>>| made.record.id.to_string();
    app.records.create_record::<Task>(&by.caller, task(title, owner), None, render).await.unwrap().body
}

async fn notices(app: &App, of: &Session) -> Vec<(Reason, String)> {
    let page = app.messages.inbox(&of.caller, PageRequest::default()).await.unwrap();
    page.items.into_iter().map(|notice| (notice.reason, notice.title)).collect()
}

/// A process over the bank's store that sends its mail there.
async fn node(bank: &Bank, mail: MailSettings) -> App {
    let clock = Some(bank.test.clock.clone());
    bank.test.beside(TestOptions { mail: Some(mail), clock, ..TestOptions::default() }).await
}

/// There is no server.
fn nowhere() -> MailSettings {
    MailSettings {
        url: "smtp://127.0.0.1:1".into(),
        from: "Tidewall <tidewall@bank.example>".into(),
        allow_plain: true,
        timeout: std::time::Duration::from_secs(10),
    }
}

async fn a_new_owner_gets_a_notice_once_and_none_of_their_own_doing(bank: Bank) {
    let app = &bank.test.app;
    bank.add(BEN, Role::Contributor).await;
    let (anna, ben) = (bank.signed_in(ANNA).await, bank.signed_in(BEN).await);
    let id = assign(app, &anna, "Call", BEN).await;
    assert_eq!(notices(app, &ben).await, [(Reason::Assigned, "Call".to_owned())]);
    let renamed = TaskInput { title: Change::Set("Call again".to_owned()), ..TaskInput::default() };
    let id = id.parse().unwrap();
    app.records.change_record::<Task>(&anna.caller, id, renamed, Precondition::None).await.unwrap();
    assert_eq!(notices(app, &ben).await.len(), 1, "the owner stayed the same");
    assign(app, &anna, "Mine", ANNA).await;
    assert_eq!(notices(app, &anna).await, [], "nothing about what one did oneself");
    assign(app, &ben, "Yours", &bank.anna.id.to_string()).await;
    assert_eq!(notices(app, &anna).await, [(Reason::Assigned, "Yours".to_owned())], "by id too");
    assign(app, &anna, "Both", SHARED_NAME).await;
    assert_eq!(notices(app, &ben).await.len(), 1, "a name of two accounts means neither");

    assert_eq!(bank.signed_in(BEN).await.unread, 1);
    assert_eq!(app.messages.read_notices(&ben.caller).await.unwrap(), 1);
    assert_eq!(bank.signed_in(BEN).await.unread, 0);
    let own = app.messages.inbox(&anna.caller, PageRequest::default()).await.unwrap().items[0].id;
    assert!(app.messages.read_notice(&ben.caller, own).await.is_err(), "the notice of another person");
}

async fn after_a_day_without_a_mail_server_one_mail_has_everything(bank: Bank) {
    let away = node(&bank, nowhere()).await;
    bank.add(BEN, Role::Contributor).await;
    let anna = bank.signed_in(ANNA).await;
    for hour in 0..24 {
        assign(&away, &anna, &format!("Secret subject {hour}"), BEN).await;
        assert_eq!(away.messages.mail_notices().await.unwrap(), 1);
        bank.pass(HOUR);
    }
    drop(away);
    let mut mailbox = Mailbox::start().await;
    let later = node(&bank, mailbox.settings.clone()).await;
    assign(&later, &anna, "The last", BEN).await;
    assert_eq!(later.messages.mail_notices().await.unwrap(), 1);
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "To"), BEN);
    assert_eq!(header(&mail, "Subject"), "Bank north: 25 notices");
    let text = mail.to_string();
    assert!(text.contains("Task: assigned to you") && text.contains("/workspace/inbox/ntc_"), "{text}");
    assert!(!text.contains("Secret subject"), "a mail has no contents: {text}");
    assert_eq!(later.messages.mail_notices().await.unwrap(), 0);
    assign(&later, &anna, "After it", BEN).await;
    later.messages.mail_notices().await.unwrap();
    let next = mailbox.next_mail().await;
    assert_eq!(
        header(&next, "Subject"),
        "Bank north: Task: assigned to you",
        "what arrived does not come again"
    );
}

async fn the_daily_mail_waits_for_its_hour_and_never_means_never(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let app = node(&bank, mailbox.settings.clone()).await;
    bank.add(BEN, Role::Contributor).await;
    let (anna, ben) = (bank.signed_in(ANNA).await, bank.signed_in(BEN).await);
    let never = NoticeChoices::new(7, [(Reason::Assigned, Way::Never)]);
    app.messages.choose_notices(&ben.caller, never.clone()).await.unwrap();
    assert_eq!(app.messages.notice_choices(&ben.caller).await.unwrap(), never);
    assign(&app, &anna, "Quiet", BEN).await;
    bank.pass(30 * HOUR);
    assert_eq!(app.messages.mail_notices().await.unwrap(), 0);
    let daily = NoticeChoices::new(7, [(Reason::Assigned, Way::Daily)]);
    app.messages.choose_notices(&ben.caller, daily).await.unwrap();
    for title in ["One", "Two"] {
        assign(&app, &anna, title, BEN).await;
        assert_eq!(app.messages.mail_notices().await.unwrap(), 0, "not before its hour");
    }
    bank.pass(24 * HOUR);
    assert_eq!(app.messages.mail_notices().await.unwrap(), 1);
    assert_eq!(header(&mailbox.next_mail().await, "Subject"), "Bank north: 2 notices");
    assert_eq!(notices(&app, &ben).await.len(), 3, "the inbox has all");
}

async fn a_deadline_reaches_its_owner_once_for_each_lead_time(bank: Bank) {
    let app = &bank.test.app;
    bank.add(BEN, Role::Contributor).await;
    let ben = bank.signed_in(BEN).await;
    let programme = domain::programme::ProgrammeInput {
        name: Change::Set("Tests of the year".to_owned()),
        framework: Change::Set("dora".to_owned()),
        owner: Change::Set(BEN.to_owned()),
        ends_on: Change::Set("2026-11-24".to_owned()),
        ..domain::programme::ProgrammeInput::default()
    };
    let anna = bank.signed_in(ANNA).await;
    let render = |_: &app::history::Detail<app::programme::ProgrammeView>| String::new();
    app.records
        .create_record::<domain::programme::Programme>(&anna.caller, programme, None, render)
        .await
        .unwrap();
    let due = async || {
        app.raise_deadlines().await.unwrap();
        app.raise_deadlines().await.unwrap();
        notices(app, &ben).await.into_iter().filter(|(reason, _)| *reason == Reason::DueSoon).count()
    };
    assert_eq!(due().await, 1, "two weeks before");
    bank.pass(24 * HOUR);
    assert_eq!(due().await, 1);
    bank.pass(4 * 24 * HOUR);
    assert_eq!(due().await, 2, "a week before");
}

async fn a_mail_server_that_refuses_for_a_day_costs_no_notice_and_ends_in_one_mail(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let app = node(&bank, mailbox.settings.clone()).await;
    bank.add(BEN, Role::Contributor).await;
    let anna = bank.signed_in(ANNA).await;
    mailbox.refuse(true).await;
    for hour in 0..25 {
        assign(&app, &anna, &format!("Task {hour}"), BEN).await;
        assert_eq!(app.messages.mail_notices().await.unwrap(), 1);
        mailbox.next_refusal().await;
        // A try whose result is not stored when an hour passes would count as lost, and be made a second time.
        tried_in_vain(&bank, "about IS NOT NULL").await;
        bank.pass(HOUR);
    }
    mailbox.refuse(false).await;
    app.messages.send_user_mail().await.unwrap();
    let mail = mailbox.next_mail().await;
    let html = mail["parts"][1][1].as_str().unwrap();
    assert!(!html.contains("<img"), "nothing tells the sender that it was opened: {html}");
    let listed = html.split("/workspace/inbox/ntc_").skip(1).map(|rest| rest[..26].to_owned());
    assert_eq!(listed.collect::<std::collections::BTreeSet<_>>().len(), 25, "{html}");
    bank.pass(24 * HOUR);
    app.messages.send_user_mail().await.unwrap();
    assign(&app, &anna, "After it", BEN).await;
    app.messages.mail_notices().await.unwrap();
    let next = mailbox.next_mail().await;
    assert_eq!(
        header(&next, "Subject"),
        "Bank north: Task: assigned to you",
        "one mail for the day, not many"
    );
}

async fn due_task(app: &App, by: &Session, owner: &str, day: &str) -> domain::id::TaskId {
    let input = TaskInput { due_on: Change::Set(day.to_owned()), ..task("Call", owner) };
    let render = |made: &app::history::Detail<store::record::RecordRow<Task>>| made.record.id.to_string();
    app.records.create_record::<Task>(&by.caller, input, None, render).await.unwrap().body.parse().unwrap()
}

async fn with_reason(app: &App, of: &Session, reason: Reason) -> usize {
    notices(app, of).await.into_iter().filter(|(found, _)| *found == reason).count()
}

async fn overdue_work_reaches_its_owner_once_for_each_day_it_had(bank: Bank) {
    let app = &bank.test.app;
    bank.add(BEN, Role::Contributor).await;
    let (anna, ben) = (bank.signed_in(ANNA).await, bank.signed_in(BEN).await);
    let id = due_task(app, &anna, BEN, "2026-11-16").await;
    due_task(app, &anna, "Team without an account", "2026-11-16").await;
    app.notify_of_days().await.unwrap();
    assert_eq!(with_reason(app, &ben, Reason::Overdue).await, 0, "its day has not come");
    bank.pass(3 * 24 * HOUR);
    assert_eq!(app.notify_of_days().await.unwrap(), 2);
    assert_eq!(app.notify_of_days().await.unwrap(), 0, "said once");
    assert_eq!(with_reason(app, &ben, Reason::Overdue).await, 1);
    assert_eq!(with_reason(app, &anna, Reason::Overdue).await, 0);
    let later = TaskInput { due_on: Change::Set("2026-11-18".to_owned()), ..TaskInput::default() };
    app.records.change_record::<Task>(&anna.caller, id, later, Precondition::None).await.unwrap();
    bank.pass(2 * 24 * HOUR);
    app.notify_of_days().await.unwrap();
    assert_eq!(with_reason(app, &ben, Reason::Overdue).await, 2, "the new day has passed too");
    let done = TaskInput { status: Change::Set("done".to_owned()), ..TaskInput::default() };
    let ended = due_task(app, &anna, BEN, "2026-11-18").await;
    app.records.change_record::<Task>(&anna.caller, ended, done, Precondition::None).await.unwrap();
    app.notify_of_days().await.unwrap();
    assert_eq!(with_reason(app, &ben, Reason::Overdue).await, 2, "what is done is not overdue");
}

async fn a_plain_task_is_announced_to_its_owner_before_its_day(bank: Bank) {
    let app = &bank.test.app;
    bank.add(BEN, Role::Contributor).await;
    let (anna, ben) = (bank.signed_in(ANNA).await, bank.signed_in(BEN).await);
    due_task(app, &anna, BEN, "2026-11-24").await;
    let soon = async || {
        app.notify_of_days().await.unwrap();
        app.notify_of_days().await.unwrap();
        with_reason(app, &ben, Reason::DueSoon).await
    };
    assert_eq!(soon().await, 1, "two weeks before");
    bank.pass(24 * HOUR);
    assert_eq!(soon().await, 1);
    bank.pass(4 * 24 * HOUR);
    assert_eq!(soon().await, 2, "a week before");
}

async fn the_clock_of_a_report_reaches_owner_and_managers_at_once_and_again_when_it_has_run_out(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let app = node(&bank, mailbox.settings.clone()).await;
    bank.add(BEN, Role::Contributor).await;
    bank.add("cara@north.example", Role::Contributor).await;
    let (anna, ben) = (bank.signed_in(ANNA).await, bank.signed_in(BEN).await);
    let cara = bank.signed_in("cara@north.example").await;
    let quiet = NoticeChoices::new(7, Reason::ALL.iter().map(|reason| (*reason, Way::Never)));
    app.messages.choose_notices(&ben.caller, quiet).await.unwrap();
    let input = domain::cra_report::CraReportInput {
        kind: Change::Set("severe_incident".to_owned()),
        title: Change::Set("Leak".to_owned()),
        severity: Change::Set("high".to_owned()),
        aware_at: Change::Set("2026-11-14T13:00:00Z".to_owned()),
        owner: Change::Set(BEN.to_owned()),
        product: Change::Set(domain::cra_report::ProductInput {
            name: Change::Set("App".to_owned()),
            ..domain::cra_report::ProductInput::default()
        }),
        ..domain::cra_report::CraReportInput::default()
    };
    app.records
        .create_record::<domain::cra_report::CraReport>(&anna.caller, input, None, |_| String::new())
        .await
        .unwrap();
    bank.pass(20 * HOUR);
    app.raise_deadlines().await.unwrap();
    app.raise_deadlines().await.unwrap();
    for (person, expected) in [(&anna, 1), (&ben, 1), (&cara, 0)] {
        assert_eq!(
            with_reason(&app, person, Reason::StatutoryClock).await,
            expected,
            "{}",
            person.user.email
        );
    }
    assert_eq!(app.messages.mail_notices().await.unwrap(), 2, "at once, whatever the owner has chosen");
    let mut receivers = [mailbox.next_mail().await, mailbox.next_mail().await].map(|mail| {
        assert!(mail.to_string().contains("statutory report due"), "{mail}");
        header(&mail, "To").to_owned()
    });
    receivers.sort();
    assert_eq!(receivers, [ANNA, BEN]);
    bank.pass(10 * HOUR);
    app.notify_of_days().await.unwrap();
    app.notify_of_days().await.unwrap();
    assert_eq!(with_reason(&app, &ben, Reason::StatutoryClock).await, 2, "the first stage has run out");
    assert_eq!(with_reason(&app, &cara, Reason::StatutoryClock).await, 0);
}

async fn a_mail_names_titles_only_where_the_institution_allows_it(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let app = node(&bank, mailbox.settings.clone()).await;
    bank.add(BEN, Role::Contributor).await;
    let anna = bank.signed_in(ANNA).await;
    assert!(app.messages.allow_titles_in_mail(&bank.signed_in(BEN).await.caller, true).await.is_err());
    for (allowed, shown) in [(false, false), (true, true)] {
        app.messages.allow_titles_in_mail(&anna.caller, allowed).await.unwrap();
        assign(&app, &anna, "Console open", BEN).await;
        app.messages.mail_notices().await.unwrap();
        let mail = mailbox.next_mail().await;
        for part in [0, 1] {
            let text = mail["parts"][part][1].as_str().unwrap();
            assert_eq!(text.contains("Console open"), shown, "{text}");
            assert!(text.contains("Bank north") && text.contains("/workspace/inbox/ntc_"), "{text}");
        }
    }
}
