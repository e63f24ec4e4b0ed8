//! Inputs of analyses, exchange rates and saved simulations.

use std::collections::BTreeMap;

use domain::{concentration::Cause, currency::Currency, id::SimulationId, page::PageRequest};
use store::{
    Reader, Tx,
    exchange_rate::{self, RatesRow},
    register_change,
    simulation::{self, SimulationHead},
};

use crate::{Fixture, id, note, now, on_both_engines};

on_both_engines![
    a_change_is_known_by_the_revision_that_made_it,
    rates_are_replaced_together,
    simulations_stay_with_their_tenant,
];

async fn a_change_is_known_by_the_revision_that_made_it(fixture: Fixture) {
    let (scope, south) = (fixture.north, fixture.south);
    let all = move |r: &mut Reader<'_>| register_change::all(r, &scope);
    assert_eq!(fixture.db.tenant(&scope).read(all).await.unwrap(), []);
    for cause in [Cause::Register, Cause::Rates, Cause::Register] {
        let put = move |tx: &mut Tx<'_>| {
            register_change::put(tx, &scope, cause, now())?;
            note(tx, "x")
        };
        fixture.db.tenant(&scope).write(put).await.unwrap();
        let (changes, revision) = fixture.db.tenant(&scope).read_at(all).await.unwrap();
        let change = changes.iter().find(|change| change.cause == cause).unwrap();
        assert_eq!((change.revision, change.changed_at), (revision.0, now()));
    }
    let (changes, revision) = fixture.db.tenant(&scope).read_at(all).await.unwrap();
    assert_eq!(changes.iter().filter(|change| change.revision < revision.0).count(), 1, "{changes:?}");
    let theirs = fixture.db.tenant(&south).read(move |r| register_change::all(r, &south)).await.unwrap();
    assert_eq!(theirs, []);
}

async fn rates_are_replaced_together(fixture: Fixture) {
    let scope = fixture.north;
    let get = move |r: &mut Reader<'_>| exchange_rate::get(r, &scope);
    assert_eq!(fixture.db.tenant(&scope).read(get).await.unwrap(), None);
    for codes in [&["USD", "GBP"][..], &["CHF"]] {
        let rates: BTreeMap<_, _> =
            codes.iter().map(|code| ((*code).to_owned(), "0.92".to_owned())).collect();
        let row = RatesRow { base: Currency::EUR, valid_on: now().day(), rates, updated_at: now() };
        let kept = row.clone();
        let put = move |tx: &mut Tx<'_>| {
            exchange_rate::put(tx, &scope, &row)?;
            note(tx, "rates.changed")
        };
        fixture.db.tenant(&scope).write(put).await.unwrap();
        assert_eq!(fixture.db.tenant(&scope).read(get).await.unwrap(), Some(kept));
    }
    let delete = move |tx: &mut Tx<'_>| {
        exchange_rate::delete(tx, &scope)?;
        note(tx, "rates.changed")
    };
    fixture.db.tenant(&scope).write(delete).await.unwrap();
    assert_eq!(fixture.db.tenant(&scope).read(get).await.unwrap(), None);
}

async fn simulations_stay_with_their_tenant(fixture: Fixture) {
    let (scope, south) = (fixture.north, fixture.south);
    let head = |number: u128| SimulationHead {
        id: id::<SimulationId>(number),
        name: format!("Simulation {number} – Überblick"),
        made_at: now(),
        made_by: "operator".to_owned(),
        level_before: "low".to_owned(),
        level_after: String::new(),
    };
    for number in [1, 2] {
        let head = head(number);
        let insert = move |tx: &mut Tx<'_>| {
            simulation::insert(tx, &scope, &head, "{}")?;
            note(tx, "simulation.kept")
        };
        fixture.db.tenant(&scope).write(insert).await.unwrap();
    }
    let listed = move |r: &mut Reader<'_>| simulation::list(r, &scope, PageRequest::default());
    assert_eq!(fixture.db.tenant(&scope).read(listed).await.unwrap().items, [head(2), head(1)]);
    let one = head(1).id;
    let get = move |r: &mut Reader<'_>| simulation::get(r, &scope, one);
    assert_eq!(fixture.db.tenant(&scope).read(get).await.unwrap(), Some((head(1), "{}".to_owned())));
    let theirs = fixture.db.tenant(&south).read(move |r| simulation::get(r, &south, one)).await.unwrap();
    assert_eq!(theirs, None);
    let delete = move |tx: &mut Tx<'_>| {
        assert!(simulation::delete(tx, &scope, one)?);
        note(tx, "simulation.deleted")
    };
    fixture.db.tenant(&scope).write(delete).await.unwrap();
    assert_eq!(fixture.db.tenant(&scope).read(get).await.unwrap(), None);
}
