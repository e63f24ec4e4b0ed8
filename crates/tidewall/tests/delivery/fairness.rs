//! No tenant has to wait for another one's slow destinations or long queues.

use std::time::Duration;

use app::jobs::delivery::{DeliveryOptions, Dispatcher};
use domain::event::EventKind;
use testkit::{ChatSink, Engine, Reply, TestApp};

use super::{exact, happens, new_webhook, options};

#[tokio::test]
async fn a_tenant_with_many_slow_destinations_leaves_room_for_others() {
    let sink = ChatSink::start().await;
    let app = TestApp::with(Engine::Sqlite, options(&sink)).await;
    let (greedy, modest) = (app.tenant("greedy").await, app.tenant("modest").await);
    let client = app.client(&app.key(&greedy, "write").await);
    for number in 0..20 {
        let path = format!("/greedy/{number}");
        sink.always(&path, Reply::Slow(Duration::from_millis(250)));
        new_webhook(&client, "slack", &sink.url(&path)).await;
    }
    let client = app.client(&app.key(&modest, "write").await);
    new_webhook(&client, "slack", &sink.url("/modest")).await;
    happens(&app, &greedy, EventKind::FindingCreated).await;
    let mut dispatcher = Dispatcher::new(app.app.clone(), DeliveryOptions { chat_in_flight: 6, ..exact() });
    dispatcher.fan_out().await.unwrap();
    let first = dispatcher.claim().await.unwrap();
    assert_eq!(first.len(), 3, "half of the places, because another tenant may come");
    // The places of the greedy tenant are taken; the other one's message is still claimed.
    happens(&app, &modest, EventKind::FindingCreated).await;
    dispatcher.fan_out().await.unwrap();
    let second = dispatcher.claim().await.unwrap();
    assert_eq!(second.len(), 1);
}

#[tokio::test]
async fn a_long_queue_of_one_tenant_does_not_stand_before_anothers() {
    let sink = ChatSink::start().await;
    let app = TestApp::with(Engine::Sqlite, options(&sink)).await;
    let tenants = [app.tenant("a").await, app.tenant("b").await, app.tenant("c").await];
    for (tenant, webhooks) in tenants.iter().zip([40, 3, 3]) {
        let client = app.client(&app.key(tenant, "write").await);
        for number in 0..webhooks {
            new_webhook(&client, "slack", &sink.url(&format!("/{}/{number}", tenant.slug))).await;
        }
        happens(&app, tenant, EventKind::FindingCreated).await;
    }
    let mut dispatcher = Dispatcher::new(app.app.clone(), DeliveryOptions { chat_in_flight: 8, ..exact() });
    for _ in 0..2 {
        dispatcher.round().await.unwrap();
    }
    let of = |slug: &str| {
        sink.messages().iter().filter(|message| message.path.starts_with(&format!("/{slug}/"))).count()
    };
    assert_eq!((of("b"), of("c")), (3, 3), "done after two rounds");
    assert!(of("a") < 10, "{} of the long queue", of("a"));
}
