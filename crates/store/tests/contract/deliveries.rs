//! The queue of deliveries: nothing twice, nothing lost, and only the holder of a lease may store results.

use domain::{
    delivery::{AttemptClass, DeliveryState, Health, Medium},
    event::EventKind,
    id::{DeliveryId, TenantId, WebhookId},
    moment::Moment,
    page::PageRequest,
    text::Name,
    webhook::{Channel, Events},
};
use store::{
    Error, Reader, Result, TenantScope, Tx,
    delivery::{self, NewDelivery, Settlement, Standing, Try},
    delivery_log,
    destination::{self, Lease, Returned, Wake},
    event::{self, EventRow},
    outbox, webhook,
    webhook::WebhookRow,
};

use crate::{Fixture, id, note, now, on_both_engines};

on_both_engines![
    an_event_is_new_until_it_is_fanned_out,
    one_delivery_for_each_event_and_webhook,
    due_deliveries_come_in_the_order_of_their_events,
    only_the_holder_of_the_lease_writes_the_result,
    a_destination_is_ready_when_something_is_due_and_it_is_left_in_peace_otherwise,
    a_delivery_added_while_a_message_is_under_way_is_not_forgotten,
    a_lease_never_given_back_runs_out,
    tenants_take_turns,
    what_was_missed_can_be_replayed_and_the_rest_cannot,
    deliveries_go_with_their_tries_when_their_time_is_over,
    the_log_of_one_tenant_is_closed_to_another,
    the_queue_knows_its_length_and_its_oldest,
];

const HOUR: i64 = 3_600_000;

async fn write<T: Send + 'static>(
    fixture: &Fixture,
    write: impl Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
) -> T {
    fixture.db.platform().bookkeep(write).await.unwrap()
}

async fn read<T: Send + 'static>(
    fixture: &Fixture,
    read: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
) -> T {
    fixture.db.platform().read(read).await.unwrap()
}

/// A webhook of the tenant whose URL has this hash.
async fn add_webhook(
    fixture: &Fixture,
    scope: TenantScope,
    number: u128,
    url_hash: &'static str,
) -> WebhookId {
    let row = WebhookRow {
        id: id(number),
        name: Name::parse("Lage").unwrap(),
        channel: Channel::Slack,
        sealed_url: "sealed".into(),
        url_hash: Some(url_hash.into()),
        events: Events::parse("finding.created").unwrap(),
        active: true,
        pending: false,
        version: 1,
        created_at: now(),
        updated_at: now(),
        health: Health::default(),
        last_try: None,
        switched_off_at: None,
    };
    let webhook = row.id;
    fixture
        .db
        .tenant(&scope)
        .write(move |tx| {
            webhook::insert(tx, &scope, &row)?;
            note(tx, "webhook.created")
        })
        .await
        .unwrap();
    webhook
}

fn sample(scope: TenantScope, webhook: WebhookId, number: u128, occurred_at: Moment) -> NewDelivery {
    NewDelivery {
        id: id(number),
        tenant: scope.tenant(),
        webhook: webhook.into(),
        event: id(number),
        kind: EventKind::FindingCreated.to_string(),
        occurred_at,
        state: DeliveryState::Waiting,
    }
}

async fn add(fixture: &Fixture, delivery: NewDelivery) -> bool {
    write(fixture, move |tx| delivery::insert(tx, std::slice::from_ref(&delivery), now())).await == 1
}

fn lease(token: &str) -> Lease {
    Lease { token: token.into(), until: now().plus_millis(HOUR), not_before: now().plus_millis(1000) }
}

async fn take(fixture: &Fixture, number: u128, token: &'static str) -> bool {
    write(fixture, move |tx| delivery::take(tx, &[(id(number), &lease(token))], now())).await == [true]
}

async fn settle(fixture: &Fixture, number: u128, token: &'static str, state: DeliveryState) -> bool {
    let tenant = fixture.north.tenant();
    let tried =
        Try { at: now(), latency_ms: 12, class: AttemptClass::Transient, reason: "timed_out", status: None };
    let next_attempt_at = (state == DeliveryState::Waiting).then(|| now().plus_millis(5000));
    write(fixture, move |tx| {
        let standing = Standing { state, next_attempt_at };
        let result = Settlement { tenant, id: id(number), token, tried: &tried, standing, now: now() };
        delivery::settle(tx, &[result])
    })
    .await
        == [true]
}

async fn give_back(fixture: &Fixture, token: &str, hold: Option<Moment>) -> bool {
    let returned = Returned { url_hash: "a".into(), token: token.into(), hold };
    write(fixture, move |tx| destination::give_back(tx, std::slice::from_ref(&returned))).await == [true]
}

async fn ready(fixture: &Fixture, owner: TenantId, at: Moment) -> Vec<(String, Option<String>)> {
    let ready = write(fixture, move |tx| destination::ready(tx, Medium::Chat, owner, at, 10)).await;
    ready.into_iter().map(|ready| (ready.url_hash, ready.expired_lease)).collect()
}

async fn wake(fixture: &Fixture, url_hash: &'static str, owner: TenantId, at: Moment) {
    let wake = Wake { url_hash: url_hash.into(), medium: Medium::Chat, owner, at };
    write(fixture, move |tx| destination::wake(tx, std::slice::from_ref(&wake))).await;
}

async fn an_event_is_new_until_it_is_fanned_out(fixture: Fixture) {
    let scope = fixture.north;
    for number in 1..=3 {
        let event = EventRow {
            id: id(number),
            kind: EventKind::FindingCreated,
            occurred_at: now(),
            subject: "fnd_x".into(),
            dedupe_key: None,
            payload: "{}".into(),
        };
        fixture
            .db
            .tenant(&scope)
            .write(move |tx| {
                event::insert(tx, &scope, &event)?;
                note(tx, "finding.created")
            })
            .await
            .unwrap();
    }
    let fresh = |r: &mut Reader<'_>| outbox::fresh(r, 2);
    let first = read(&fixture, fresh).await;
    assert_eq!(first.iter().map(|event| event.id).collect::<Vec<_>>(), [id(1), id(2)]);
    assert_eq!((first[0].tenant, first[0].kind), (scope.tenant(), EventKind::FindingCreated));
    write(&fixture, move |tx| {
        assert!(outbox::lock(tx)?);
        outbox::done(tx, &first, now())
    })
    .await;
    assert_eq!(read(&fixture, fresh).await.iter().map(|event| event.id).collect::<Vec<_>>(), [id(3)]);
}

async fn one_delivery_for_each_event_and_webhook(fixture: Fixture) {
    let webhook = add_webhook(&fixture, fixture.north, 1, "a").await;
    let other = add_webhook(&fixture, fixture.north, 2, "b").await;
    assert!(add(&fixture, sample(fixture.north, webhook, 1, now())).await);
    let again = NewDelivery { id: id(7), ..sample(fixture.north, webhook, 1, now()) };
    assert!(!add(&fixture, again).await, "the same event to the same webhook");
    let elsewhere = NewDelivery { id: id(8), ..sample(fixture.north, other, 1, now()) };
    assert!(add(&fixture, elsewhere).await);
}

async fn due_deliveries_come_in_the_order_of_their_events(fixture: Fixture) {
    let webhook = add_webhook(&fixture, fixture.north, 1, "a").await;
    for (number, offset) in [(1, -10), (2, -30), (3, -20), (4, HOUR)] {
        add(&fixture, sample(fixture.north, webhook, number, now().plus_millis(offset))).await;
    }
    let due = |limit| read(&fixture, move |r| delivery::due(r, &[(webhook.into(), limit)], now()));
    let ids = |due: Vec<Vec<delivery::DueDelivery>>| {
        due.into_iter().flatten().map(|due| due.id).collect::<Vec<DeliveryId>>()
    };
    // An event from a clock that runs ahead is due at once all the same.
    assert_eq!(ids(due(10).await), [id(2), id(3), id(1), id(4)]);
    assert_eq!(ids(due(2).await), [id(2), id(3)]);
    assert!(take(&fixture, 2, "t").await);
    assert_eq!(ids(due(10).await), [id(3), id(1), id(4)]);
    assert!(settle(&fixture, 2, "t", DeliveryState::Waiting).await);
    assert_eq!(ids(due(10).await), [id(3), id(1), id(4)], "a later try does not hold back the rest");
}

async fn only_the_holder_of_the_lease_writes_the_result(fixture: Fixture) {
    let webhook = add_webhook(&fixture, fixture.north, 1, "a").await;
    add(&fixture, sample(fixture.north, webhook, 1, now())).await;
    assert!(take(&fixture, 1, "first").await);
    assert!(!take(&fixture, 1, "second").await, "it is being sent");
    assert!(!settle(&fixture, 1, "second", DeliveryState::Delivered).await);
    let abandoned = read(&fixture, |r| delivery::leased(r, "first")).await;
    assert_eq!((abandoned[0].id, abandoned[0].attempt), (id(1), 1));
    assert!(settle(&fixture, 1, "first", DeliveryState::Waiting).await);
    assert!(!settle(&fixture, 1, "first", DeliveryState::Delivered).await, "it was given back");
    let scope = fixture.north;
    let row = read(&fixture, move |r| delivery_log::get(r, &scope, webhook, id(1))).await.unwrap();
    assert_eq!((row.state, row.attempt, row.attempts.len()), (DeliveryState::Waiting, 1, 1));
    assert_eq!(row.next_attempt_at, Some(now().plus_millis(5000)));
    let tried = &row.attempts[0];
    assert_eq!(
        (tried.class, tried.reason.as_str(), tried.latency_ms),
        (AttemptClass::Transient, "timed_out", 12)
    );
}

async fn a_destination_is_ready_when_something_is_due_and_it_is_left_in_peace_otherwise(fixture: Fixture) {
    let north = fixture.north.tenant();
    let webhook = add_webhook(&fixture, fixture.north, 1, "a").await;
    add(&fixture, sample(fixture.north, webhook, 1, now())).await;
    add(&fixture, sample(fixture.north, webhook, 2, now())).await;
    wake(&fixture, "a", north, now()).await;
    wake(&fixture, "a", north, now().plus_millis(HOUR)).await;
    assert_eq!(ready(&fixture, north, now()).await, [("a".to_owned(), None)], "the earlier time counts");
    write(&fixture, |tx| destination::lease(tx, &[("a", &lease("t"))])).await;
    take(&fixture, 1, "t").await;
    assert_eq!(ready(&fixture, north, now().plus_millis(2000)).await, [], "it is leased");
    settle(&fixture, 1, "t", DeliveryState::Delivered).await;
    assert!(!give_back(&fixture, "other", None).await);
    assert!(give_back(&fixture, "t", None).await);
    assert_eq!(ready(&fixture, north, now().plus_millis(999)).await, [], "one message a second");
    assert_eq!(ready(&fixture, north, now().plus_millis(1000)).await.len(), 1);
    let next = read(&fixture, |r| destination::next_ready(r, Medium::Chat, now())).await;
    assert_eq!(next, Some(now().plus_millis(1000)));
    // It asks for an hour: deliveries added meanwhile wait too.
    write(&fixture, |tx| destination::lease(tx, &[("a", &lease("u"))])).await;
    give_back(&fixture, "u", Some(now().plus_millis(HOUR))).await;
    wake(&fixture, "a", north, now()).await;
    assert_eq!(ready(&fixture, north, now().plus_millis(HOUR - 1)).await, []);
    assert_eq!(ready(&fixture, north, now().plus_millis(HOUR)).await.len(), 1);
    // Nothing left to do.
    take(&fixture, 2, "v").await;
    write(&fixture, |tx| destination::rest(tx, &["a"])).await;
    assert_eq!(ready(&fixture, north, now().plus_millis(9 * HOUR)).await, []);
    assert_eq!(write(&fixture, |tx| destination::prune(tx, now().plus_millis(2 * HOUR))).await, 1);
}

async fn a_delivery_added_while_a_message_is_under_way_is_not_forgotten(fixture: Fixture) {
    let north = fixture.north.tenant();
    let webhook = add_webhook(&fixture, fixture.north, 1, "a").await;
    wake(&fixture, "a", north, now()).await;
    write(&fixture, |tx| destination::lease(tx, &[("a", &lease("t"))])).await;
    add(&fixture, sample(fixture.north, webhook, 1, now())).await;
    wake(&fixture, "a", north, now()).await;
    give_back(&fixture, "t", None).await;
    assert_eq!(ready(&fixture, north, now().plus_millis(1000)).await, [("a".to_owned(), None)]);
}

async fn a_lease_never_given_back_runs_out(fixture: Fixture) {
    let north = fixture.north.tenant();
    wake(&fixture, "a", north, now()).await;
    write(&fixture, |tx| destination::lease(tx, &[("a", &lease("t"))])).await;
    assert_eq!(ready(&fixture, north, now().plus_millis(HOUR - 1)).await, []);
    let expired = ready(&fixture, north, now().plus_millis(HOUR)).await;
    assert_eq!(expired, [("a".to_owned(), Some("t".to_owned()))]);
}

async fn tenants_take_turns(fixture: Fixture) {
    let (north, south) = (fixture.north.tenant(), fixture.south.tenant());
    for url_hash in ["a", "b", "c"] {
        wake(&fixture, url_hash, north, now()).await;
    }
    wake(&fixture, "d", south, now()).await;
    wake(&fixture, "e", south, now().plus_millis(HOUR)).await;
    let owners =
        |after, limit| read(&fixture, move |r| destination::owners(r, Medium::Chat, now(), after, limit));
    assert_eq!(owners(None, 10).await, [north, south]);
    assert_eq!(owners(None, 1).await, [north]);
    assert_eq!(owners(Some(north), 10).await, [south]);
    assert_eq!(owners(Some(south), 10).await, []);
    let mail = read(&fixture, |r| destination::owners(r, Medium::Mail, now(), None, 10)).await;
    assert_eq!(mail, []);
    assert_eq!(ready(&fixture, south, now()).await, [("d".to_owned(), None)]);
}

async fn what_was_missed_can_be_replayed_and_the_rest_cannot(fixture: Fixture) {
    let scope = fixture.north;
    let webhook = add_webhook(&fixture, scope, 1, "a").await;
    let states = [
        DeliveryState::Delivered,
        DeliveryState::Failed,
        DeliveryState::Dead,
        DeliveryState::Skipped,
        DeliveryState::Waiting,
    ];
    for (number, state) in (1..).zip(states) {
        let delivery = NewDelivery { state, ..sample(scope, webhook, number, now()) };
        add(&fixture, delivery).await;
    }
    let old =
        NewDelivery { state: DeliveryState::Dead, ..sample(scope, webhook, 6, now().plus_millis(-HOUR)) };
    add(&fixture, old).await;
    let later = now().plus_millis(HOUR);
    for (number, again) in [(1, false), (2, true), (5, true)] {
        let retry = move |tx: &mut Tx<'_>| delivery_log::retry(tx, &scope, webhook, id(number), later);
        assert_eq!(write(&fixture, retry).await, again, "{number}");
    }
    let replay = move |tx: &mut Tx<'_>| delivery_log::replay(tx, &scope, webhook, now(), later);
    assert_eq!(write(&fixture, replay).await, 2, "the dead and the skipped one");
    let list = move |state| {
        move |r: &mut Reader<'_>| delivery_log::list(r, &scope, webhook, state, PageRequest::default())
    };
    let waiting = read(&fixture, list(Some(DeliveryState::Waiting))).await;
    assert_eq!((waiting.total, waiting.items.len()), (4, 4));
    assert!(waiting.items.iter().all(|row| row.next_attempt_at == Some(later) && row.attempt == 0));
    assert_eq!(read(&fixture, list(None)).await.total, 6);
    write(&fixture, move |tx| delivery::skip_waiting(tx, webhook, later)).await;
    assert_eq!(read(&fixture, list(Some(DeliveryState::Skipped))).await.total, 4);
}

async fn deliveries_go_with_their_tries_when_their_time_is_over(fixture: Fixture) {
    let scope = fixture.north;
    let webhook = add_webhook(&fixture, scope, 1, "a").await;
    for number in 1..=3 {
        add(&fixture, sample(scope, webhook, number, now())).await;
        take(&fixture, number, "t").await;
    }
    settle(&fixture, 1, "t", DeliveryState::Delivered).await;
    settle(&fixture, 2, "t", DeliveryState::Dead).await;
    let prune = |before: Moment, limit| write(&fixture, move |tx| delivery::prune(tx, before, limit));
    assert_eq!(prune(now(), 10).await, 0, "not old enough");
    assert_eq!(prune(now().plus_millis(HOUR), 1).await, 1);
    assert_eq!(prune(now().plus_millis(HOUR), 10).await, 1, "not what is being sent");
    let left =
        read(&fixture, move |r| delivery_log::list(r, &scope, webhook, None, PageRequest::default())).await;
    assert_eq!(left.items.iter().map(|row| row.id).collect::<Vec<_>>(), [id(3)]);
}

async fn the_log_of_one_tenant_is_closed_to_another(fixture: Fixture) {
    let (north, south) = (fixture.north, fixture.south);
    let webhook = add_webhook(&fixture, north, 1, "a").await;
    add(&fixture, sample(north, webhook, 1, now())).await;
    take(&fixture, 1, "t").await;
    settle(&fixture, 1, "t", DeliveryState::Dead).await;
    let list = |scope| {
        move |r: &mut Reader<'_>| delivery_log::list(r, &scope, webhook, None, PageRequest::default())
    };
    assert_eq!(fixture.db.tenant(&north).read(list(north)).await.unwrap().total, 1);
    assert_eq!(fixture.db.tenant(&south).read(list(south)).await.unwrap().total, 0);
    if fixture.db.is_shared() {
        let behind_the_wall = fixture.db.tenant(&south).read(list(north)).await.unwrap();
        assert_eq!(behind_the_wall.total, 0, "row-level security must hide it");
    }
    let retry = move |tx: &mut Tx<'_>| {
        let again = delivery_log::retry(tx, &south, webhook, id(1), now())?;
        note(tx, "delivery.retried")?;
        Ok::<_, Error>(again)
    };
    assert!(!fixture.db.tenant(&south).write(retry).await.unwrap());
}

async fn the_queue_knows_its_length_and_its_oldest(fixture: Fixture) {
    let empty = read(&fixture, delivery::queue).await;
    assert_eq!((empty.waiting, empty.oldest), (0, None));
    let webhook = add_webhook(&fixture, fixture.north, 1, "a").await;
    for (number, offset) in [(1, -10), (2, -30), (3, -20)] {
        add(&fixture, sample(fixture.north, webhook, number, now().plus_millis(offset))).await;
    }
    let queue = read(&fixture, delivery::queue).await;
    assert_eq!((queue.waiting, queue.oldest), (3, Some(now().plus_millis(-30))));
}
