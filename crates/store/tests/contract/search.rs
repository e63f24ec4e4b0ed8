//! Search on both engines, where cached results never hide a change.

use std::collections::BTreeMap;

use domain::{
    any_of::AnyOf,
    finding::{Finding, FindingSort, FindingStatus},
    page::PageRequest,
    vocabulary::Severity,
};
use store::{
    Db, Reader, Result, TenantScope, Tx, document,
    finding::{FindingFilter, FindingRow, States},
    record,
    sql::{Location, Mark, Search, Term, Tokens},
};

use crate::{
    Fixture, on_both_engines,
    work::{finding_row, read, write},
};

on_both_engines![
    words_lead_only_to_the_tenants_own_records,
    words_find_records_newest_first,
    a_search_shows_every_change_at_once,
    joining_the_pieces_of_the_index_ends_and_loses_nothing,
];

async fn words_lead_only_to_the_tenants_own_records(fixture: Fixture) {
    for (scope, number) in [(fixture.north, 1), (fixture.north, 2), (fixture.south, 3)] {
        write(&fixture, scope, move |tx| {
            let row = finding_row(number);
            record::insert(tx, &scope, &row)?;
            let mark = Mark::new(scope.tenant(), 'f');
            let words = if number == 1 { "grüße firewall" } else { "firewalls" };
            let tokens = Tokens::default().with(&mark, words.split(' '));
            document::insert(tx, &scope, &row.id.to_string(), &tokens)
        })
        .await
        .unwrap();
    }
    let scope = fixture.north;
    let all = move |search: Option<Search>| {
        let filter = FindingFilter { states: States::All, ..FindingFilter::default() };
        move |r: &mut Reader<'_>| {
            record::list::<Finding>(r, &scope, &filter, search.clone(), PageRequest::default())
        }
    };
    for (words, expected) in [
        (vec!["firewall"], vec![2, 1]),
        (vec!["fire"], vec![2, 1]),
        (vec!["firewalls"], vec![2]),
        (vec!["grü", "firewall"], vec![1]),
        (vec!["wall"], vec![]),
        (vec![], vec![]),
    ] {
        let words: Vec<String> = words.into_iter().map(String::from).collect();
        let search = Some(Search::new(&Mark::new(scope.tenant(), 'f'), &words));
        let page = read(&fixture, scope, all(search)).await;
        let found: Vec<_> = page.items.iter().map(|row| row.record.reference.number()).collect();
        assert_eq!((found.as_slice(), page.total), (expected.as_slice(), expected.len() as u64), "{words:?}");
        // The mark of another tenant matches its words, but not its rows.
        let foreign = Some(Search::new(&Mark::new(fixture.south.tenant(), 'f'), &words));
        let page = read(&fixture, scope, all(foreign)).await;
        assert_eq!((page.items.len(), page.total), (0, 0));
    }
}

async fn words_find_records_newest_first(fixture: Fixture) {
    let mut ids = Vec::new();
    for (scope, number, words) in [
        (fixture.north, 1, "tls cipher"),
        (fixture.north, 2, "tls"),
        (fixture.south, 3, "tls"),
        (fixture.north, 4, "tlsv1 cipher"),
        (fixture.north, 5, "tls"),
    ] {
        let row = finding_row(number);
        ids.push(row.id.to_string());
        write(&fixture, scope, move |tx| {
            record::insert(tx, &scope, &row)?;
            let tokens = Tokens::default().with(&Mark::new(scope.tenant(), 's'), words.split(' '));
            document::insert(tx, &scope, &row.id.to_string(), &tokens)
        })
        .await
        .unwrap();
    }
    let (scope, gone) = (fixture.north, ids[4].clone());
    write(&fixture, scope, move |tx| document::delete(tx, &scope, &gone)).await.unwrap();
    let mark = Mark::new(scope.tenant(), 's');
    let (tls, beginning) = (Term::whole(&mark, "tls"), Term::beginning(&mark, "tls"));
    for (search, expected) in [
        (Search::all([vec![tls.clone()]]), vec![2, 1]),
        (Search::all([vec![beginning.clone()]]), vec![4, 2, 1]),
        (Search::all([vec![tls.clone(), Term::whole(&mark, "tlsv1")]]), vec![4, 2, 1]),
        (Search::all([vec![beginning], vec![Term::whole(&mark, "cipher")]]), vec![4, 1]),
        (Search::all([]), vec![]),
    ] {
        let expected: Vec<String> =
            expected.into_iter().map(|number: usize| ids[number - 1].clone()).collect();
        let asked = search.clone();
        let (found, rest, total) = read(&fixture, scope, move |r| {
            let documents = document::find(r, &scope, &asked)?;
            let found = document::records(r, &scope, &documents, 10, 0)?;
            let rest = document::records(r, &scope, &documents, 1, 1)?;
            Ok((found, rest, documents.len()))
        })
        .await;
        assert_eq!((&found, total), (&expected, expected.len() as u64), "{search:?}");
        assert_eq!(rest, expected.into_iter().skip(1).take(1).collect::<Vec<_>>(), "{search:?}");
        // Another tenant's words find nothing.
        let south = fixture.south;
        let foreign = read(&fixture, south, move |r| document::find(r, &south, &search)).await;
        assert!(foreign.is_empty());
    }
}

/// The expected findings: the row, and its words.
#[derive(Clone, Default)]
struct Model(BTreeMap<u32, (FindingRow, String)>);

/// Pseudo-random numbers that are the same in every run.
struct Lot(u64);

impl Lot {
    fn draw(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.draw(of.len())]
    }

    fn words(&mut self) -> String {
        let rare = format!("rare{}", self.draw(40));
        if self.draw(3) == 0 { format!("restore {rare}") } else { format!("firewall restored {rare}") }
    }

    fn settle(&mut self, row: &mut FindingRow) {
        row.record.status = self.one(FindingStatus::ALL);
        row.record.severity = self.one(Severity::ALL);
        row.record.due_on = Some(crate::now().day().plus_days(i64::try_from(self.draw(5)).unwrap()));
    }
}

/// More findings than one index seek covers, then changes of every kind, each followed by searches that must show it;
/// another process writes too.
async fn a_search_shows_every_change_at_once(fixture: Fixture) {
    let (mut model, mut lot) = (Model::default(), Lot(2026));
    let elsewhere = Db::open(&fixture.scratch.location).await.unwrap();
    let scope = fixture.north;
    let first: Vec<_> = (1..=900).map(|number| (number, made(number, &mut lot))).collect();
    model.0.extend(first.clone());
    write(&fixture, scope, move |tx| first.iter().try_for_each(|(_, made)| insert(tx, &scope, made)))
        .await
        .unwrap();
    agree(&fixture, &model).await;
    for step in 0..8_u32 {
        let db = if step % 3 == 0 { &elsewhere } else { &fixture.db };
        let number = u32::try_from(lot.draw(900) + 1).unwrap();
        let before = model.0.get(&number).cloned();
        let after = match (step % 4, &before) {
            (0, _) => Some(made(1000 + step, &mut lot)),
            (1, Some((row, _))) => Some((row.clone(), lot.words())),
            (2, _) => None,
            (_, Some((row, words))) => {
                let mut row = row.clone();
                lot.settle(&mut row);
                Some((row, words.clone()))
            }
            (_, None) => continue,
        };
        let key = if step % 4 == 0 { 1000 + step } else { number };
        let before = if step % 4 == 0 { None } else { before };
        change(db, scope, before, after.clone()).await;
        match after {
            Some((mut row, words)) => {
                row.version += i64::from(step % 4 != 0);
                model.0.insert(key, (row, words));
            }
            None => drop(model.0.remove(&key)),
        }
        agree(&fixture, &model).await;
    }
    // Changes far apart need several seeks.
    for number in [1, 900] {
        let (row, words) = model.0[&number].clone();
        let other = if words.contains("firewall") { "restore" } else { "firewall restored" };
        let mut after = (row.clone(), other.to_owned());
        change(&fixture.db, scope, Some((row, words)), Some(after.clone())).await;
        after.0.version += 1;
        model.0.insert(number, after);
    }
    agree(&fixture, &model).await;
}

async fn joining_the_pieces_of_the_index_ends_and_loses_nothing(fixture: Fixture) {
    let (mut model, mut lot) = (Model::default(), Lot(90));
    let scope = fixture.north;
    for number in 1..=90 {
        let made = made(number, &mut lot);
        model.0.insert(number, made.clone());
        write(&fixture, scope, move |tx| insert(tx, &scope, &made)).await.unwrap();
    }
    agree(&fixture, &model).await;
    let mut steps = 0;
    while fixture.db.platform().bookkeep(|tx| document::merge(tx, 1)).await.unwrap() {
        steps += 1;
        assert!(steps < 1000, "it never ends");
    }
    assert_eq!(steps > 0, matches!(fixture.scratch.location, Location::File { .. }), "{steps} steps");
    agree(&fixture, &model).await;
}

fn made(number: u32, lot: &mut Lot) -> (FindingRow, String) {
    let mut row = finding_row(number);
    lot.settle(&mut row);
    (row, lot.words())
}

fn tokens(scope: TenantScope, words: &str) -> Tokens {
    Tokens::default().with(&Mark::new(scope.tenant(), 'f'), words.split(' '))
}

fn insert(tx: &mut Tx<'_>, scope: &TenantScope, (row, words): &(FindingRow, String)) -> Result<()> {
    record::insert(tx, scope, row)?;
    document::insert(tx, scope, &row.id.to_string(), &tokens(*scope, words))
}

async fn change(
    db: &Db,
    scope: TenantScope,
    before: Option<(FindingRow, String)>,
    after: Option<(FindingRow, String)>,
) {
    let change = move |tx: &mut Tx<'_>| {
        match (&before, &after) {
            (None, Some(made)) => insert(tx, &scope, made)?,
            (Some((before, _)), None) => {
                record::delete(tx, &scope, before)?;
                document::delete(tx, &scope, &before.id.to_string())?;
            }
            (Some((before, words)), Some((after, new_words))) => {
                assert!(record::update(tx, &scope, before, after)?);
                if words != new_words {
                    document::update(tx, &scope, &after.id.to_string(), &tokens(scope, new_words))?;
                }
            }
            (None, None) => {}
        }
        crate::note(tx, "test")
    };
    db.tenant(&scope).write(change).await.unwrap();
}

/// Many and few hits, with and without filters, in every order, first page and last.
async fn agree(fixture: &Fixture, model: &Model) {
    let scope = fixture.north;
    let several = States::Any(AnyOf::new([FindingStatus::Open, FindingStatus::Closed]));
    for words in [&["resto"][..], &["firewall", "restored"], &["rare7"], &["nothing"]] {
        for (states, severity) in [
            (States::All, AnyOf::default()),
            (States::Open, AnyOf::default()),
            (States::Open, Severity::High.into()),
            (several.clone(), AnyOf::new([Severity::High, Severity::Low])),
        ] {
            for sort in [None, Some(FindingSort::Severity), Some(FindingSort::DueFalling)] {
                let asked: Vec<String> = words.iter().map(ToString::to_string).collect();
                let search = Some(Search::new(&Mark::new(scope.tenant(), 'f'), &asked));
                let query = FindingFilter {
                    states: states.clone(),
                    severity: severity.clone(),
                    sort,
                    ..FindingFilter::default()
                };
                let expected = model.expected(words, &query);
                for offset in [0, expected.len().saturating_sub(25)] {
                    let request = PageRequest::new(Some(20), Some(offset as u64)).unwrap();
                    let (asked, search) = (query.clone(), search.clone());
                    let list = move |r: &mut Reader<'_>| {
                        record::list::<Finding>(r, &scope, &asked, search.clone(), request)
                    };
                    let page = read(fixture, scope, list).await;
                    let found: Vec<_> = page.items.iter().map(|row| row.record.reference.number()).collect();
                    let wanted: Vec<_> = expected.iter().skip(offset).take(20).copied().collect();
                    assert_eq!((found, page.total), (wanted, expected.len() as u64), "{words:?} {query:?}");
                }
            }
        }
    }
}

impl Model {
    fn expected(&self, words: &[&str], query: &FindingFilter) -> Vec<i64> {
        let wanted = |row: &FindingRow| match &query.states {
            States::All => true,
            States::Open => row.record.status.is_open(),
            States::Any(wanted) => wanted.allows(&row.record.status),
        };
        let mut rows: Vec<_> = self
            .0
            .values()
            .filter(|(row, _)| wanted(row) && query.severity.allows(&row.record.severity))
            .filter(|(_, text)| words.iter().all(|word| text.split(' ').any(|found| found.starts_with(word))))
            .map(|(row, _)| row)
            .collect();
        rows.sort_by_key(|row| row.id);
        match query.sort {
            None => rows.reverse(),
            Some(FindingSort::Severity) => rows.sort_by_key(|row| rank(row.record.severity)),
            Some(FindingSort::DueFalling) => {
                rows.sort_by_key(|row| row.record.due_on);
                rows.reverse();
            }
            // In the order of creation.
            _ => {}
        }
        rows.iter().map(|row| row.record.reference.number()).collect()
    }
}

fn rank(severity: Severity) -> Option<usize> {
    Severity::ALL.iter().position(|other| *other == severity)
}
