//! Reports under CRA Art. 14: what is kept of a filing, what an archived report is left out of, and the link to a
//! finding.

use domain::{
    cra_report::{CraReport, CraReportKind, CraReportStatus, Product, Submission, Submissions},
    page::PageRequest,
    text::Name,
    vocabulary::Severity,
};
use store::{
    cra_report::{self, CraReportQuery, CraReportRow},
    finding,
    finding_count::Tally,
};

use crate::{
    Fixture, id, now, on_both_engines,
    work::{finding_row, read, write},
};

on_both_engines![filings_come_back_as_they_went_in, archived_reports_rest, a_deleted_finding_is_unlinked];

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn row(number: u128) -> CraReportRow {
    let report = CraReport {
        kind: CraReportKind::SevereIncident,
        product: Product { name: name("Vault"), version: None },
        title: name("Leak"),
        description: None,
        cve: None,
        severity: Severity::High,
        member_states: vec![],
        aware_at: now(),
        corrective_measure_at: None,
        finding: None,
        status: CraReportStatus::Draft,
        submissions: Submissions::default(),
    };
    CraReportRow {
        id: id(number),
        report,
        archived_at: None,
        version: 1,
        created_at: now(),
        updated_at: now(),
    }
}

async fn filings_come_back_as_they_went_in(fixture: Fixture) {
    let scope = fixture.north;
    let filed = Submission {
        submitted_at: now(),
        recorded_at: now().plus_seconds(3600),
        reference: Some(name("CSIRT-4711")),
    };
    let mut after = row(1);
    after.report.aware_at = now().plus_seconds(-60);
    after.report.status = CraReportStatus::EarlyWarningSent;
    after.report.submissions.early_warning = Some(filed);
    let changed = after.clone();
    let stored = write(&fixture, scope, move |tx| {
        cra_report::insert(tx, &scope, &row(1))?;
        cra_report::update(tx, &scope, &changed)
    });
    assert!(stored.await.unwrap());
    let seen = read(&fixture, scope, move |r| cra_report::get(r, &scope, id(1))).await;
    assert_eq!(seen, Some(CraReportRow { version: 2, ..after }));
}

async fn archived_reports_rest(fixture: Fixture) {
    let scope = fixture.north;
    write(&fixture, scope, move |tx| {
        for number in [1, 2] {
            cra_report::insert(tx, &scope, &row(number))?;
        }
        cra_report::update(tx, &scope, &CraReportRow { archived_at: Some(now()), ..row(2) })
    })
    .await
    .unwrap();
    for (archived, ids) in [(None, vec![2, 1]), (Some(false), vec![1]), (Some(true), vec![2])] {
        let query = CraReportQuery { archived, ..CraReportQuery::default() };
        let list =
            move |r: &mut store::Reader<'_>| cra_report::list(r, &scope, &query, PageRequest::default());
        let page = read(&fixture, scope, list).await;
        assert_eq!(
            page.items.iter().map(|row| row.id).collect::<Vec<_>>(),
            ids.into_iter().map(id).collect::<Vec<_>>()
        );
    }
    let running = fixture.db.platform().read(cra_report::running).await.unwrap();
    assert_eq!(running.into_iter().map(|(_, row)| row.id).collect::<Vec<_>>(), [id(1)]);
}

async fn a_deleted_finding_is_unlinked(fixture: Fixture) {
    let scope = fixture.north;
    write(&fixture, scope, move |tx| {
        let mut tally = Tally::default();
        finding::insert(tx, &scope, &finding_row(7), &mut tally)?;
        tally.write(tx, &scope)?;
        let mut linked = row(1);
        linked.report.finding = Some(id(7));
        cra_report::insert(tx, &scope, &linked)
    })
    .await
    .unwrap();
    let linked = move |r: &mut store::Reader<'_>| cra_report::get(r, &scope, id(1));
    assert_eq!(read(&fixture, scope, linked).await.unwrap().report.finding, Some(id(7)));
    let reference = finding_row(7).reference;
    let found = read(&fixture, scope, move |r| finding::by_reference(r, &scope, reference)).await;
    assert_eq!(found.map(|row| row.id), Some(id(7)));
    write(&fixture, scope, move |tx| {
        let mut tally = Tally::default();
        finding::delete(tx, &scope, &finding_row(7), &mut tally)?;
        tally.write(tx, &scope)
    })
    .await
    .unwrap();
    assert_eq!(read(&fixture, scope, linked).await.unwrap().report.finding, None);
}
