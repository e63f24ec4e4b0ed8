//! Programmes, test cases and findings: stored, counted and found on both engines.

use domain::{
    any_of::AnyOf,
    finding::{Acceptance, Finding, FindingStatus},
    framework::Framework,
    id::{ProgrammeId, TestCaseId, Uuid7},
    moment::Day,
    page::PageRequest,
    programme::{Programme, ProgrammeStatus},
    reference::FindingReference,
    test_case::{TestCase, TestCaseStatus},
    test_type::TestType,
    text::{Name, Prose},
    vocabulary::{Priority, Severity},
};
use store::{
    Error, Reader, Result, TenantScope, Tx, finding,
    finding::{FindingFilter, FindingRow},
    finding_age::{self, Ages},
    finding_count::{self, FindingCounts, Parent},
    history::{self, HistoryRow},
    programme::ProgrammeRow,
    record, test_case,
    test_case::TestCaseRow,
    test_case_count,
};

use crate::{Fixture, id, note, now, on_both_engines};

on_both_engines![
    rows_come_back_as_they_went_in,
    counts_are_always_those_of_the_rows,
    many_changes_add_to_each_counter_once,
    a_foreign_parent_is_refused_by_the_store_itself,
    references_count_per_tenant_and_year,
    history_keeps_its_order,
    lapsed_acceptances_are_found_across_tenants,
    open_findings_are_grouped_by_age,
    tests_to_come_are_listed_by_their_day,
    a_filter_takes_several_values_and_none,
];

async fn a_filter_takes_several_values_and_none(fixture: Fixture) {
    let scope = fixture.north;
    let made = [
        (1, Severity::Low, Some("Anna Weber")),
        (2, Severity::High, Some("Weber, Ben")),
        (3, Severity::Critical, None),
        (4, Severity::Low, None),
    ];
    for (number, severity, owner) in made {
        let mut row = finding_row(number);
        (row.record.severity, row.record.status) = (severity, FindingStatus::Open);
        row.record.owner = owner.map(|name| Name::parse(name).unwrap());
        let insert = move |tx: &mut Tx<'_>| record::insert(tx, &scope, &row);
        write(&fixture, scope, insert).await.unwrap();
    }
    let names = |names: &[&str]| AnyOf::names(names.iter().map(ToString::to_string));
    let severities = |wanted: &[Severity]| AnyOf::new(wanted.to_vec());
    let any: AnyOf<Severity> = AnyOf::default();
    for (severity, owner, expected) in [
        (any.clone(), names(&[]), vec![4, 3, 2, 1]),
        (any.clone(), names(&["Weber, Ben", "Anna Weber"]), vec![2, 1]),
        (any.clone(), names(&["none"]), vec![4, 3]),
        (any, names(&["none", "Anna Weber"]), vec![4, 3, 1]),
        (severities(&[Severity::Low, Severity::High]), names(&[]), vec![4, 2, 1]),
        (severities(&[Severity::Low, Severity::High]), names(&["none", "Nora Lind"]), vec![4]),
        (severities(&[Severity::Medium, Severity::Info]), names(&[]), vec![]),
    ] {
        let filter = FindingFilter { severity, owner, ..FindingFilter::default() };
        let asked = filter.clone();
        let list = move |r: &mut Reader<'_>| {
            record::list::<Finding>(r, &scope, &asked, None, PageRequest::default())
        };
        let page = read(&fixture, scope, list).await;
        let found: Vec<_> = page.items.iter().map(|row| row.record.reference.number()).collect();
        assert_eq!((&found, page.total), (&expected, expected.len() as u64), "{filter:?}");
    }
}

async fn open_findings_are_grouped_by_age(fixture: Fixture) {
    let scope = fixture.north;
    let day_ms = 24 * 60 * 60 * 1000;
    let made = [
        (1, 0, Severity::Low, FindingStatus::Open),
        (2, 30, Severity::Low, FindingStatus::InProgress),
        (3, 31, Severity::Low, FindingStatus::Open),
        (4, 100, Severity::Critical, FindingStatus::Open),
        (5, 400, Severity::Critical, FindingStatus::Resolved),
        (6, 400, Severity::Critical, FindingStatus::Closed),
    ];
    for (number, days, severity, status) in made {
        let mut row = finding_row(number);
        let at = now().plus_millis(-days * day_ms);
        row.id = Uuid7::from_parts(at.millis().unsigned_abs(), number.into()).into();
        row.created_at = at;
        (row.record.severity, row.record.status) = (severity, status);
        let insert = move |tx: &mut Tx<'_>| record::insert(tx, &scope, &row);
        write(&fixture, scope, insert).await.unwrap();
    }
    let since = [30, 90, 180].map(|days| now().day().plus_days(-days));
    let ages = read(&fixture, scope, move |r| finding_age::open(r, &scope, since)).await;
    let expected = [
        Ages { severity: Severity::Critical, groups: [0, 0, 1, 1] },
        Ages { severity: Severity::Low, groups: [2, 1, 0, 0] },
    ];
    assert_eq!(ages, expected);
    let foreign = fixture.south;
    assert_eq!(read(&fixture, foreign, move |r| finding_age::open(r, &foreign, since)).await, []);
}

async fn tests_to_come_are_listed_by_their_day(fixture: Fixture) {
    let (scope, today) = (fixture.north, day("2026-03-01"));
    let made = [
        (2, Some("2026-02-28"), TestCaseStatus::Ready),
        (3, Some("2026-04-01"), TestCaseStatus::Blocked),
        (4, Some("2026-03-01"), TestCaseStatus::InProgress),
        (5, Some("2026-03-02"), TestCaseStatus::Draft),
        (6, Some("2026-03-03"), TestCaseStatus::Passed),
        (7, None, TestCaseStatus::Ready),
    ];
    let insert = move |tx: &mut Tx<'_>| {
        record::insert(tx, &scope, &programme_row(1))?;
        for (number, due_on, status) in made {
            let mut row = test_case_row(number, id(1));
            (row.record.due_on, row.record.status) = (due_on.map(day), status);
            record::insert(tx, &scope, &row)?;
        }
        Ok(())
    };
    write(&fixture, scope, insert).await.unwrap();
    let next = read(&fixture, scope, move |r| test_case::next_due(r, &scope, today, 10)).await;
    assert_eq!(next.iter().map(|row| row.id).collect::<Vec<_>>(), [id(4), id(3)]);
    let one = read(&fixture, scope, move |r| test_case::next_due(r, &scope, today, 1)).await;
    assert_eq!(one.len(), 1);
    let foreign = fixture.south;
    assert_eq!(read(&fixture, foreign, move |r| test_case::next_due(r, &foreign, today, 10)).await, []);
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn prose(text: &str) -> Prose {
    Prose::parse(text).unwrap()
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn programme_row(number: u128) -> ProgrammeRow {
    let programme = Programme {
        name: name("Zahlungsverkehr – 2027 🌊"),
        description: Some(prose("Alles\nund mehr")),
        framework: Framework::MARISK,
        status: ProgrammeStatus::OnHold,
        owner: Some(name("O'Brien \"x\"")),
        starts_on: Some(day("2027-01-01")),
        ends_on: None,
        functions: vec![name("Karten"), name("Zahlungen")],
    };
    ProgrammeRow::new(id(number), programme, now())
}

fn test_case_row(number: u128, programme_id: ProgrammeId) -> TestCaseRow {
    let test_case = TestCase {
        programme_id,
        title: name("Ausfall"),
        objective: Some(prose("Ziel")),
        test_type: TestType::Tlpt,
        functions: vec![name("Karten")],
        status: TestCaseStatus::Failed,
        priority: Priority::Low,
        assignee: None,
        steps: vec![prose("eins"), prose("zwei\n")],
        expected_result: Some(prose("a")),
        actual_result: None,
        due_on: Some(day("2026-12-24")),
        executed_at: Some(now()),
        measures: vec!["m-1".into()],
        controls: vec![],
        evidence: vec![],
    };
    TestCaseRow::new(id(number), test_case, now())
}

pub(crate) fn finding_row(number: u32) -> FindingRow {
    let finding = Finding {
        reference: FindingReference::new(2026, i64::from(number)).unwrap(),
        programme_id: None,
        test_case_id: None,
        title: name("Befund"),
        description: None,
        severity: Severity::Critical,
        status: FindingStatus::RiskAccepted,
        owner: Some(name("x")),
        affected_asset: None,
        cve: Some("CVE-2026-12345".parse().unwrap()),
        cvss: Some("9.8".parse().unwrap()),
        remediation: Some(prose("r")),
        root_cause: Some(prose("c")),
        acceptance: Some(Acceptance { reason: prose("weil"), until: day("2026-12-31") }),
        measures: vec![],
        requirements: vec!["dora-art-05-01".to_owned()],
        controls: vec![],
        detected_at: now(),
        due_on: Some(day("2027-01-01")),
        due_by_rule: true,
        closed_at: None,
    };
    FindingRow::new(id(u128::from(number)), finding, now())
}

pub(crate) async fn write<T: Send + 'static>(
    fixture: &Fixture,
    scope: TenantScope,
    change: impl Fn(&mut Tx<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let noted = move |tx: &mut Tx<'_>| {
        let value = change(tx)?;
        note(tx, "test")?;
        Ok::<_, Error>(value)
    };
    fixture.db.tenant(&scope).write(noted).await
}

pub(crate) async fn read<T: Send + 'static>(
    fixture: &Fixture,
    scope: TenantScope,
    look: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
) -> T {
    fixture.db.tenant(&scope).read(look).await.unwrap()
}

async fn rows_come_back_as_they_went_in(fixture: Fixture) {
    let scope = fixture.north;
    let (programme, test_case, finding) = (programme_row(1), test_case_row(2, id(1)), finding_row(3));
    write(&fixture, scope, {
        let (programme, test_case, finding) = (programme.clone(), test_case.clone(), finding.clone());
        move |tx| {
            record::insert(tx, &scope, &programme)?;
            record::insert(tx, &scope, &test_case)?;
            record::insert(tx, &scope, &finding)
        }
    })
    .await
    .unwrap();
    let seen = read(&fixture, scope, move |r| {
        Ok((
            record::get::<Programme>(r, &scope, id(1))?,
            record::get::<TestCase>(r, &scope, id(2))?,
            record::get::<Finding>(r, &scope, id(3))?,
        ))
    })
    .await;
    assert_eq!(seen, (Some(programme), Some(test_case), Some(finding)));
    let south = fixture.south;
    let foreign = read(&fixture, south, move |r| record::get::<Finding>(r, &south, id(3))).await;
    assert_eq!(foreign, None);
}

/// The expected counts, counted row by row: open, all, and archived.
fn counted(rows: &[FindingRow], parent: Parent) -> (u64, u64, u64) {
    let of_parent = |row: &&FindingRow| match parent {
        Parent::Tenant => true,
        Parent::Programme(id) => row.record.programme_id == Some(id),
        Parent::TestCase(id) => row.record.test_case_id == Some(id),
    };
    let (archived, rows): (Vec<_>, Vec<_>) =
        rows.iter().filter(of_parent).partition(|row| row.archived_at.is_some());
    let open = rows.iter().filter(|row| row.record.status.is_open()).count();
    (open as u64, rows.len() as u64, archived.len() as u64)
}

/// The numbers of late findings and of others are known without reading a row.
async fn late_ones_are_counted(fixture: &Fixture, scope: TenantScope, rows: &[FindingRow]) {
    for today in [day("2026-01-31"), day("2026-03-01"), day("2026-12-01")] {
        for severity in [None, Some(Severity::Critical)] {
            for late in [true, false] {
                let is_late = |row: &&FindingRow| row.record.due_on.is_some_and(|due| due < today) == late;
                let current = rows.iter().filter(|row| row.archived_at.is_none());
                let open = current.filter(|row| row.record.status.is_open());
                let open = open.filter(|row| severity.is_none_or(|wanted| wanted == row.record.severity));
                let expected = open.filter(is_late).count();
                let query = FindingFilter {
                    overdue: Some((late, today)),
                    severity: severity.into(),
                    ..FindingFilter::default()
                };
                let few = PageRequest::default();
                let list = move |r: &mut Reader<'_>| record::list::<Finding>(r, &scope, &query, None, few);
                let page = read(fixture, scope, list).await;
                assert_eq!((page.total, page.items.len()), (expected as u64, expected), "{today} {late}");
            }
        }
        let next = read(fixture, scope, move |r| finding::next_due(r, &scope, today, 500)).await;
        let days: Vec<_> = next.iter().filter_map(|row| row.record.due_on).collect();
        assert!(days.iter().all(|due| *due >= today) && days.is_sorted(), "{days:?}");
    }
}

async fn counts_are_always_those_of_the_rows(fixture: Fixture) {
    let scope = fixture.north;
    write(&fixture, scope, move |tx| {
        record::insert(tx, &scope, &programme_row(1))?;
        record::insert(tx, &scope, &test_case_row(2, id(1)))
    })
    .await
    .unwrap();
    let (programme, test_case): (ProgrammeId, TestCaseId) = (id(1), id(2));
    let mut rows: Vec<FindingRow> = Vec::new();
    // A sequence that creates, moves, relinks and deletes in an order that depends on the step alone.
    for step in 0_u32..60 {
        let pick = (step.wrapping_mul(2_654_435_761) >> 16) as usize;
        if step % 3 == 0 || rows.is_empty() {
            let mut row = finding_row(100 + step);
            row.record.severity = Severity::ALL[pick % 5];
            row.record.programme_id = (pick.is_multiple_of(2)).then_some(programme);
            rows.push(row.clone());
            let insert = move |tx: &mut Tx<'_>| record::insert(tx, &scope, &row);
            write(&fixture, scope, insert).await.unwrap();
        } else if step % 7 == 5 {
            let row = rows.remove(pick % rows.len());
            let delete = move |tx: &mut Tx<'_>| record::delete(tx, &scope, &row);
            write(&fixture, scope, delete).await.unwrap();
        } else {
            let place = pick % rows.len();
            let before = rows[place].clone();
            let mut after = before.clone();
            after.record.status = FindingStatus::ALL[pick % 6];
            after.record.test_case_id = (pick.is_multiple_of(3)).then_some(test_case);
            after.archived_at = pick.is_multiple_of(5).then(now);
            after.record.due_on = [None, Some(day("2026-01-31")), Some(day("2026-06-30"))][pick % 3];
            rows[place] = FindingRow { version: before.version + 1, ..after.clone() };
            let update = move |tx: &mut Tx<'_>| {
                assert!(record::update(tx, &scope, &before, &after)?);
                Ok(())
            };
            write(&fixture, scope, update).await.unwrap();
        }
        late_ones_are_counted(&fixture, scope, &rows).await;
        let parents = [Parent::Tenant, Parent::Programme(programme), Parent::TestCase(test_case)];
        let kept =
            read(&fixture, scope, move |r| finding_count::of_many(r, &scope, parents.into_iter())).await;
        let archived = move |r: &mut Reader<'_>, parent| finding_count::archived(r, &scope, parent);
        let archived = read(&fixture, scope, move |r| {
            parents.into_iter().map(|parent| archived(r, parent)).collect::<Result<Vec<_>>>()
        });
        let kept: Vec<_> = kept
            .iter()
            .zip(archived.await)
            .map(|(counts, archived): (&FindingCounts, u64)| (counts.open(), counts.total(), archived))
            .collect();
        assert_eq!(kept, parents.map(|parent| counted(&rows, parent)), "step {step}");
    }
    let totals = read(&fixture, scope, move |r| test_case_count::of(r, &scope, Some(id(1)))).await;
    assert_eq!((totals.total(), totals.with_status(TestCaseStatus::Failed)), (1, 1));
}

/// The counters have their old values until the last change, and then the same as after single changes.
async fn many_changes_add_to_each_counter_once(fixture: Fixture) {
    let scope = fixture.north;
    let open = move |r: &mut Reader<'_>| Ok(finding_count::of(r, &scope, Parent::Tenant)?.open());
    let import = move |tx: &mut Tx<'_>| {
        let meanwhile = tx.counting(|tx| {
            for number in 1..=5 {
                let mut row = finding_row(number);
                row.record.status = FindingStatus::Open;
                record::insert(tx, &scope, &row)?;
                if number == 5 {
                    let closed = Finding { status: FindingStatus::Closed, ..row.record.clone() };
                    let after = FindingRow { record: closed, ..row.clone() };
                    assert!(tx.counting(|tx| record::update(tx, &scope, &row, &after))?);
                }
            }
            open(tx)
        })?;
        Ok((meanwhile, open(tx)?))
    };
    assert_eq!(write(&fixture, scope, import).await.unwrap(), (0, 4));
    let counts = read(&fixture, scope, move |r| finding_count::of(r, &scope, Parent::Tenant)).await;
    assert_eq!((counts.total(), counts.with_status(FindingStatus::Closed)), (5, 1));

    let refused = move |tx: &mut Tx<'_>| {
        let failed: Result<()> = tx.counting(|tx| {
            record::insert(tx, &scope, &finding_row(6))?;
            Err(Error::Unaudited)
        });
        assert!(failed.is_err());
        // What a refused change wanted to add is forgotten.
        tx.counting(|_| Ok::<_, Error>(()))?;
        open(tx)
    };
    assert_eq!(write(&fixture, scope, refused).await.unwrap(), 4);
}

async fn a_foreign_parent_is_refused_by_the_store_itself(fixture: Fixture) {
    let (north, south) = (fixture.north, fixture.south);
    write(&fixture, south, move |tx| record::insert(tx, &south, &programme_row(1))).await.unwrap();
    let linked = write(&fixture, north, move |tx| record::insert(tx, &north, &test_case_row(2, id(1)))).await;
    assert!(linked.is_err(), "a test case of one tenant in the programme of another");
}

async fn references_count_per_tenant_and_year(fixture: Fixture) {
    let mut seen = Vec::new();
    for (scope, year) in
        [(fixture.north, 2026), (fixture.north, 2026), (fixture.south, 2026), (fixture.north, 2027)]
    {
        let next = write(&fixture, scope, move |tx| finding::next_reference(tx, &scope, year)).await.unwrap();
        seen.push(next.to_string());
    }
    assert_eq!(seen, ["F-2026-0001", "F-2026-0002", "F-2026-0001", "F-2027-0001"]);
}

async fn history_keeps_its_order(fixture: Fixture) {
    let scope = fixture.north;
    let step = |from: Option<&str>, to: &str| HistoryRow {
        at: now(),
        from: from.map(Into::into),
        to: to.into(),
        actor: "operator".into(),
        note: Some(prose("warum")),
    };
    let steps = [step(None, "a"), step(Some("a"), "b"), step(Some("b"), "a"), step(Some("a"), "c")];
    for step in steps.clone() {
        write(&fixture, scope, move |tx| history::append(tx, &scope, "x", &step)).await.unwrap();
    }
    assert_eq!(read(&fixture, scope, move |r| history::of(r, &scope, "x")).await, steps);
    write(&fixture, scope, move |tx| history::delete(tx, &scope, "x")).await.unwrap();
    assert_eq!(read(&fixture, scope, move |r| history::of(r, &scope, "x")).await, []);
}

async fn lapsed_acceptances_are_found_across_tenants(fixture: Fixture) {
    for (scope, number) in [(fixture.north, 1), (fixture.south, 2)] {
        write(&fixture, scope, move |tx| record::insert(tx, &scope, &finding_row(number))).await.unwrap();
    }
    for (today, expected) in [("2026-12-31", 0), ("2027-01-01", 2)] {
        let today: Day = today.parse().unwrap();
        let found = fixture.db.platform().read(move |r| finding::lapsed(r, today, 10)).await.unwrap();
        assert_eq!(found.len(), expected, "{today}");
    }
}
