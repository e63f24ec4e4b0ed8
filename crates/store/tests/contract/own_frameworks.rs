//! Own frameworks: what both engines keep.

use domain::{
    assessment::Signed,
    id::OwnFrameworkId,
    own_framework::{InForce, OwnFramework, OwnFrameworkStatus, OwnRequirement},
    page::PageRequest,
    text::{Name, Prose},
};
use store::{
    Tx,
    own_framework::{self, OwnFrameworkFilter, OwnFrameworkRow},
    record,
};

use crate::{Fixture, id, note, now, on_both_engines};

on_both_engines![
    frameworks_come_back_as_they_went_in,
    sets_of_requirements_are_kept_by_their_number,
    only_what_is_in_force_is_found,
];

fn row(number: u128, key: &str, in_force: i64) -> OwnFrameworkRow {
    let name = |text: &str| Name::parse(text).unwrap();
    let record = OwnFramework {
        key: key.parse().unwrap(),
        title: name("Hausrichtlinie – IT 🌊"),
        description: Some(Prose::parse("Alles\nund mehr").unwrap()),
        edition: Some(name("2027")),
        owner: None,
        status: if in_force > 0 { OwnFrameworkStatus::Approved } else { OwnFrameworkStatus::Draft },
        content: 2,
        requirements: 7,
        in_force: (in_force > 0).then(|| InForce { title: name("Alt"), edition: None, content: in_force }),
        editors: vec!["usr_1".to_owned(), "key_2".to_owned()],
        approved: (in_force > 0).then(|| Signed { at: now(), by: "usr_3".to_owned() }),
    };
    OwnFrameworkRow::new(id::<OwnFrameworkId>(number), record, now())
}

async fn insert(fixture: &Fixture, rows: Vec<OwnFrameworkRow>) {
    let scope = fixture.north;
    let write = move |tx: &mut Tx<'_>| {
        for row in &rows {
            record::insert(tx, &scope, row)?;
        }
        note(tx, "test")
    };
    fixture.db.tenant(&scope).write(write).await.unwrap();
}

async fn frameworks_come_back_as_they_went_in(fixture: Fixture) {
    let (scope, foreign) = (fixture.north, fixture.south);
    let rows = vec![row(1, "house", 0), row(2, "group-policy", 1)];
    insert(&fixture, rows.clone()).await;
    for expected in rows {
        let id = expected.id;
        let found = fixture.db.tenant(&scope).read(move |r| record::get::<OwnFramework>(r, &scope, id)).await;
        assert_eq!(found.unwrap(), Some(expected));
        let other =
            fixture.db.tenant(&foreign).read(move |r| record::get::<OwnFramework>(r, &foreign, id)).await;
        assert_eq!(other.unwrap(), None);
    }
    let filter =
        OwnFrameworkFilter { status: OwnFrameworkStatus::Approved.into(), ..OwnFrameworkFilter::default() };
    let list = move |r: &mut store::Reader<'_>| {
        record::list::<OwnFramework>(r, &scope, &filter, None, PageRequest::default())
    };
    assert_eq!(fixture.db.tenant(&scope).read(list).await.unwrap().total, 1);
    let keys = fixture.db.tenant(&scope).read(move |r| own_framework::keys(r, &scope, 50)).await.unwrap();
    assert_eq!(keys.iter().map(|(_, key)| key.as_str()).collect::<Vec<_>>(), ["group-policy", "house"]);
    let same_key = row(3, "house", 0);
    let again = move |tx: &mut Tx<'_>| {
        record::insert(tx, &scope, &same_key)?;
        note(tx, "test")
    };
    assert!(fixture.db.tenant(&scope).write(again).await.is_err(), "a key is there once");
}

async fn sets_of_requirements_are_kept_by_their_number(fixture: Fixture) {
    let scope = fixture.north;
    let framework: OwnFrameworkId = id(1);
    let set = |count: usize| -> Vec<OwnRequirement> {
        (0..count)
            .map(|n| OwnRequirement {
                id: format!("house-{n}"),
                chapter: "Zugänge".to_owned(),
                number: n.to_string(),
                title: "Titel".to_owned(),
                text: "Zeile\nund „Zitat“".to_owned(),
                applicability: (n % 2 == 0).then(|| "Kern".to_owned()),
                measures: vec!["measure-a".to_owned(); n % 3],
                based_on: Vec::new(),
            })
            .collect()
    };
    let (one, two) = (set(1), set(700));
    let (first, second) = (one.clone(), two.clone());
    let write = move |tx: &mut Tx<'_>| {
        own_framework::add_content(tx, &scope, framework, (1, now()), &first)?;
        own_framework::add_content(tx, &scope, framework, (2, now()), &second)?;
        note(tx, "test")
    };
    fixture.db.tenant(&scope).write(write).await.unwrap();
    for (number, expected) in [(0, Vec::new()), (1, one), (2, two)] {
        let read = move |r: &mut store::Reader<'_>| own_framework::content(r, &scope, framework, number);
        assert_eq!(fixture.db.tenant(&scope).read(read).await.unwrap(), expected);
    }
    let forget = move |tx: &mut Tx<'_>| {
        own_framework::forget(tx, &scope, framework)?;
        note(tx, "test")
    };
    fixture.db.tenant(&scope).write(forget).await.unwrap();
    let read = move |r: &mut store::Reader<'_>| own_framework::content(r, &scope, framework, 2);
    assert_eq!(fixture.db.tenant(&scope).read(read).await.unwrap(), Vec::new());
}

async fn only_what_is_in_force_is_found(fixture: Fixture) {
    let (scope, foreign) = (fixture.north, fixture.south);
    insert(&fixture, vec![row(1, "house", 0), row(2, "zebra", 2), row(3, "group-policy", 1)]).await;
    let held = fixture.db.tenant(&scope).read(move |r| own_framework::in_force(r, &scope, 50)).await.unwrap();
    let found: Vec<_> = held.iter().map(|row| (row.key.as_str(), row.in_force.content)).collect();
    assert_eq!(found, [("group-policy", 1), ("zebra", 2)]);
    let other = fixture.db.tenant(&foreign).read(move |r| own_framework::in_force(r, &foreign, 50)).await;
    assert_eq!(other.unwrap(), []);
}
