//! The vault key must match the store.

use app::{vault::Vault, vault_key};
use domain::{
    event::EventKind,
    text::Name,
    webhook::{Channel, Events, WebhookDraft},
};
use store::Db;
use testkit::{Intruder, TestOptions};

use crate::{Bank, on_both_engines};

on_both_engines! {
    a_node_with_another_key_is_refused,
    one_text_that_does_not_open_leaves_the_list,
    everything_is_sealed_anew_with_a_new_key,
}

async fn webhook(bank: &Bank, name: &str) {
    let app = &bank.test.app;
    let destination = app.messages.check_destination(Channel::Email, "mailto:a@bank.example").unwrap();
    let draft = WebhookDraft {
        name: Name::parse(name).unwrap(),
        channel: Channel::Email,
        destination,
        events: Events::new(vec![EventKind::FindingCreated]).unwrap(),
    };
    app.messages.create_webhook(&bank.tenant.caller, draft, None, |_| String::new()).await.unwrap();
}

async fn urls(app: &app::App, bank: &Bank) -> Vec<String> {
    let page =
        app.messages.webhooks(&bank.tenant.caller, domain::page::PageRequest::default()).await.unwrap();
    page.items.into_iter().map(|webhook| webhook.url).collect()
}

async fn a_node_with_another_key_is_refused(bank: Bank) {
    webhook(&bank, "one").await;
    let db = Db::open(&bank.test.scratch.location).await.unwrap();
    let own = bank.test.app.vault.id().to_owned();
    let refused = vault_key::agreed(&db, Vault::new([8; 32])).await.unwrap_err().to_string();
    assert!(refused.contains(&own) && refused.contains("put the right key file in place"), "{refused}");
    assert_eq!(vault_key::wanted_key(&db).await.unwrap(), Some(own));
    assert!(vault_key::agreed(&db, Vault::new([7; 32])).await.is_ok());
    // A store of an earlier version has no fingerprint: its webhooks show which key it is.
    let mut intruder = Intruder::at(&bank.test.scratch.location);
    intruder.run("DELETE FROM store_meta WHERE name = 'vault'");
    assert!(vault_key::agreed(&db, Vault::new([8; 32])).await.is_err());
    assert_eq!(vault_key::wanted_key(&db).await.unwrap().as_deref(), Some("unknown"));
    assert!(vault_key::agreed(&db, Vault::new([7; 32])).await.is_ok());
}

async fn one_text_that_does_not_open_leaves_the_list(bank: Bank) {
    webhook(&bank, "one").await;
    webhook(&bank, "two").await;
    let mut intruder = Intruder::at(&bank.test.scratch.location);
    if bank.test.app.db.is_shared() {
        intruder.run("SELECT set_config('tidewall.tenant', '*', false)");
    }
    intruder.run("UPDATE webhooks SET url = 'v1.00000000.AAAA.AAAA' WHERE name = 'one'");
    let urls = urls(&bank.test.app, &bank).await;
    assert_eq!(urls.len(), 2);
    assert!(urls.contains(&app::webhook::UNREADABLE.to_owned()), "{urls:?}");
    assert!(urls.contains(&"mailto:a@bank.example".to_owned()), "{urls:?}");
}

async fn everything_is_sealed_anew_with_a_new_key(bank: Bank) {
    webhook(&bank, "one").await;
    let ring = Vault::from_bytes(&[[9; 32], [7; 32]].concat()).unwrap();
    let done = bank.test.app.operations.reseal(&ring).await.unwrap();
    assert_eq!((done.urls, done.unreadable), (1, 0));
    let db = Db::open(&bank.test.scratch.location).await.unwrap();
    assert!(vault_key::agreed(&db, Vault::new([7; 32])).await.is_err(), "the old key alone is not enough");
    let options = TestOptions { vault: Vault::new([9; 32]), ..TestOptions::default() };
    let node = bank.test.beside(options).await;
    assert_eq!(urls(&node, &bank).await, ["mailto:a@bank.example"]);
    assert_eq!(node.operations.sealed_before().await.unwrap(), 0);
}
