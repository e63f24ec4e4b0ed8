//! Notices about comments, and what watchers get of them.

use app::{App, Error, comment::Subject, session::Session};
use domain::{
    change::Change,
    comment::CommentInput,
    id::{CommentId, UserId},
    inbox::Reason,
    page::PageRequest,
    task::{Task, TaskInput},
    user::Role,
};
use outbound::mail::MailSettings;
use testkit::{Mailbox, TestOptions, header};

use crate::{Bank, on_both_engines};

on_both_engines! {
    owner_and_watchers_get_one_notice_of_each_comment_and_its_author_none,
    a_mention_counts_more_than_owning_or_watching,
    a_changed_comment_notifies_only_those_newly_mentioned,
    what_a_person_watched_is_handed_over_with_their_work,
    a_mail_about_a_comment_has_none_of_its_text,
    readers_and_auditors_comment_and_resolve_their_own_only,
}

const ANNA: &str = "anna@north.example";
const BEN: &str = "ben@north.example";
const CARLA: &str = "carla@north.example";

/// A task of Ben's, made by Anna.
async fn task(app: &App, by: &Session, owner: &str) -> String {
    let input = TaskInput {
        title: Change::Set("Call".to_owned()),
        owner: Change::Set(owner.to_owned()),
        ..TaskInput::default()
    };
    let render = |made: &app::history::Detail<store::record::RecordRow<Task>>| made.record.id.to_string();
    app.records.create_record::<Task>(&by.caller, input, None, render).await.unwrap().body
}

fn said(text: &str, mentions: &[UserId]) -> CommentInput {
    let mentions = mentions.iter().map(ToString::to_string).collect();
    CommentInput { text: Change::Set(text.to_owned()), mentions: Change::Set(mentions) }
}

async fn comment(app: &App, by: &Session, record: &str, text: &str, mentions: &[UserId]) -> CommentId {
    let subject = Subject::new(record);
    let made =
        app.records.create_comment(&by.caller, subject, said(text, mentions), None, |_| String::new()).await;
    made.unwrap().subject.parse().unwrap()
}

/// The reasons of the person's notices about comments, newest first.
async fn notices(app: &App, of: &Session) -> Vec<Reason> {
    let page = app.messages.inbox(&of.caller, PageRequest::default()).await.unwrap();
    let reasons = page.items.into_iter().map(|notice| notice.reason);
    reasons.filter(|reason| matches!(reason, Reason::Mentioned | Reason::Commented)).collect()
}

async fn owner_and_watchers_get_one_notice_of_each_comment_and_its_author_none(bank: Bank) {
    let app = &bank.test.app;
    bank.add(BEN, Role::Contributor).await;
    bank.add(CARLA, Role::Viewer).await;
    let (anna, ben, carla) =
        (bank.signed_in(ANNA).await, bank.signed_in(BEN).await, bank.signed_in(CARLA).await);
    let record = task(app, &anna, BEN).await;
    app.records.watch(&carla.caller, Subject::new(record.as_str()), true).await.unwrap();
    app.records.watch(&ben.caller, Subject::new(record.as_str()), true).await.unwrap();
    comment(app, &anna, &record, "One", &[]).await;
    comment(app, &anna, &record, "Two", &[]).await;
    assert_eq!(notices(app, &ben).await, [Reason::Commented; 2], "the owner, who watches too");
    assert_eq!(notices(app, &carla).await, [Reason::Commented; 2]);
    comment(app, &carla, &record, "Three", &[]).await;
    assert_eq!(notices(app, &carla).await.len(), 2, "none of what one did oneself");
    assert_eq!(notices(app, &anna).await, [], "who only commented");
    app.records.watch(&carla.caller, Subject::new(record.as_str()), false).await.unwrap();
    comment(app, &anna, &record, "Four", &[]).await;
    assert_eq!(notices(app, &carla).await.len(), 2, "who stopped watching");
}

async fn a_mention_counts_more_than_owning_or_watching(bank: Bank) {
    let app = &bank.test.app;
    let ben_id = bank.add(BEN, Role::Contributor).await.id;
    let (anna, ben) = (bank.signed_in(ANNA).await, bank.signed_in(BEN).await);
    let record = task(app, &anna, BEN).await;
    app.records.watch(&ben.caller, Subject::new(record.as_str()), true).await.unwrap();
    comment(app, &anna, &record, "Look", &[ben_id, bank.anna.id]).await;
    assert_eq!(notices(app, &ben).await, [Reason::Mentioned]);
    assert_eq!(notices(app, &anna).await, [], "who mentions themselves");
}

async fn a_changed_comment_notifies_only_those_newly_mentioned(bank: Bank) {
    let app = &bank.test.app;
    let ben_id = bank.add(BEN, Role::Contributor).await.id;
    let carla_id = bank.add(CARLA, Role::Viewer).await.id;
    let (anna, ben, carla) =
        (bank.signed_in(ANNA).await, bank.signed_in(BEN).await, bank.signed_in(CARLA).await);
    let record = task(app, &anna, ANNA).await;
    let id = comment(app, &anna, &record, "Look", &[ben_id]).await;
    let input = said("Look again", &[ben_id, carla_id]);
    app.records.change_comment(&anna.caller, id, input).await.unwrap();
    assert_eq!(notices(app, &ben).await, [Reason::Mentioned]);
    assert_eq!(notices(app, &carla).await, [Reason::Mentioned]);
}

async fn what_a_person_watched_is_handed_over_with_their_work(bank: Bank) {
    let app = &bank.test.app;
    let ben_id = bank.add(BEN, Role::Contributor).await.id;
    let carla_id = bank.add(CARLA, Role::Contributor).await.id;
    let (anna, ben, carla) =
        (bank.signed_in(ANNA).await, bank.signed_in(BEN).await, bank.signed_in(CARLA).await);
    let record = task(app, &anna, ANNA).await;
    app.records.watch(&ben.caller, Subject::new(record.as_str()), true).await.unwrap();
    app.people.close_user(&anna.caller, ben_id, Some(carla_id), false).await.unwrap();
    comment(app, &anna, &record, "Look", &[]).await;
    assert_eq!(notices(app, &carla).await, [Reason::Commented]);
    let mentioned = app
        .records
        .create_comment(&anna.caller, Subject::new(record.as_str()), said("Look", &[ben_id]), None, |_| {
            String::new()
        })
        .await;
    let refused = mentioned.unwrap_err().to_string();
    assert!(refused.contains(&ben_id.to_string()), "who has left is not mentioned: {refused}");
}

async fn a_mail_about_a_comment_has_none_of_its_text(bank: Bank) {
    let mut mailbox = Mailbox::start().await;
    let settings: MailSettings = mailbox.settings.clone();
    let clock = Some(bank.test.clock.clone());
    let app = bank.test.beside(TestOptions { mail: Some(settings), clock, ..TestOptions::default() }).await;
    let ben_id = bank.add(BEN, Role::Contributor).await.id;
    let anna = bank.signed_in(ANNA).await;
    let record = task(&app, &anna, ANNA).await;
    comment(&app, &anna, &record, "Seegurkensalat", &[ben_id]).await;
    assert_eq!(app.messages.mail_notices().await.unwrap(), 1);
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "To"), BEN);
    let text = mail.to_string();
    assert!(text.contains("you are mentioned"), "{text}");
    assert!(!text.contains("Seegurken"), "{text}");
}

async fn readers_and_auditors_comment_and_resolve_their_own_only(bank: Bank) {
    let app = &bank.test.app;
    let anna = bank.signed_in(ANNA).await;
    let record = task(app, &anna, ANNA).await;
    let question = comment(app, &anna, &record, "Done?", &[]).await;
    for (address, role) in [(BEN, Role::Viewer), (CARLA, Role::Auditor)] {
        bank.add(address, role).await;
        let reader = bank.signed_in(address).await;
        let own = comment(app, &reader, &record, "Where is the evidence?", &[]).await;
        app.records.resolve_comment(&reader.caller, own).await.unwrap();
        let refused = app.records.resolve_comment(&reader.caller, question).await.unwrap_err();
        assert!(matches!(refused, Error::RoleNeeded(Role::Contributor)), "{role}: {refused:?}");
        assert!(matches!(
            app.records.withdraw_comment(&reader.caller, question).await,
            Err(Error::NotAuthor)
        ));
    }
    bank.pass(15 * 60);
    app.records.withdraw_comment(&anna.caller, question).await.unwrap();
    for (address, sees) in [(BEN, false), (CARLA, true), (ANNA, true)] {
        let reader = bank.signed_in(address).await;
        let seen = app.records.comment(&reader.caller, question).await.unwrap().text;
        assert_eq!(seen.is_some(), sees, "{address}");
    }
}
