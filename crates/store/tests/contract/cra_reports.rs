//! Reports under CRA Art. 14: the stored data of a filing, what leaves an archived report out, and the link to a
//! finding.

use domain::{
    archive::Archived,
    cra_report::{
        CraContents, CraReport, CraReportKind, CraReportStatus, Interim, Product, Submission, Submissions,
    },
    page::PageRequest,
    text::{Name, Prose},
    vocabulary::Severity,
};
use store::{
    cra_report::{self, CraReportFilter, CraReportRow},
    finding, record,
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
        owner: None,
        finding: None,
        status: CraReportStatus::Draft,
        submissions: Submissions::default(),
        interim: Interim::default(),
        contents: CraContents::default(),
    };
    CraReportRow::new(id(number), report, now())
}

async fn filings_come_back_as_they_went_in(fixture: Fixture) {
    let scope = fixture.north;
    let filed = Submission {
        submitted_at: now(),
        recorded_at: now().plus_seconds(3600),
        reference: Some(name("CSIRT-4711")),
        already_provided: None,
    };
    let mut after = row(1);
    after.record.aware_at = now().plus_seconds(-60);
    after.record.status = CraReportStatus::EarlyWarningSent;
    after.record.contents.entered.insert("nature".to_owned(), "A flaw".to_owned());
    after
        .record
        .contents
        .filed
        .insert("early_warning".to_owned(), [("member_states".to_owned(), "DE".to_owned())].into());
    after.record.submissions.early_warning = Some(filed.clone());
    after.record.submissions.notification =
        Some(Submission { already_provided: Some(Prose::parse("In the warning").unwrap()), ..filed.clone() });
    after.record.interim = Interim { requested_at: Some(now()), sent: Some(filed) };
    let changed = after.clone();
    let stored = write(&fixture, scope, move |tx| {
        record::insert(tx, &scope, &row(1))?;
        record::update(tx, &scope, &row(1), &changed)
    });
    assert!(stored.await.unwrap());
    let seen = read(&fixture, scope, move |r| record::get::<CraReport>(r, &scope, id(1))).await;
    assert_eq!(seen, Some(CraReportRow { version: 2, ..after }));
}

async fn archived_reports_rest(fixture: Fixture) {
    let scope = fixture.north;
    write(&fixture, scope, move |tx| {
        for number in [1, 2] {
            record::insert(tx, &scope, &row(number))?;
        }
        record::update(tx, &scope, &row(2), &CraReportRow { archived_at: Some(now()), ..row(2) })
    })
    .await
    .unwrap();
    for (archived, ids) in
        [(Archived::All, vec![2, 1]), (Archived::Without, vec![1]), (Archived::Only, vec![2])]
    {
        let filter = CraReportFilter { archived, ..CraReportFilter::default() };
        let list = move |r: &mut store::Reader<'_>| {
            record::list::<CraReport>(r, &scope, &filter, None, PageRequest::default())
        };
        let page = read(&fixture, scope, list).await;
        assert_eq!(
            page.items.iter().map(|row| row.id).collect::<Vec<_>>(),
            ids.into_iter().map(id).collect::<Vec<_>>()
        );
    }
    let running = fixture.db.platform().read(cra_report::running).await.unwrap();
    assert_eq!(running.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), [id(1)]);
}

async fn a_deleted_finding_is_unlinked(fixture: Fixture) {
    let scope = fixture.north;
    write(&fixture, scope, move |tx| {
        record::insert(tx, &scope, &finding_row(7))?;
        let mut linked = row(1);
        linked.record.finding = Some(id(7));
        record::insert(tx, &scope, &linked)
    })
    .await
    .unwrap();
    let linked = move |r: &mut store::Reader<'_>| record::get::<CraReport>(r, &scope, id(1));
    assert_eq!(read(&fixture, scope, linked).await.unwrap().record.finding, Some(id(7)));
    let reference = finding_row(7).record.reference;
    let found = read(&fixture, scope, move |r| finding::by_reference(r, &scope, reference)).await;
    assert_eq!(found, Some(id(7)));
    write(&fixture, scope, move |tx| record::delete(tx, &scope, &finding_row(7))).await.unwrap();
    assert_eq!(read(&fixture, scope, linked).await.unwrap().record.finding, None);
}
