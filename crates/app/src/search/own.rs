//! What a search shows of the tenant's own records.

use catalogue::search::Asked;
use domain::{
    id::{ArrangementId, CraReportId, FindingId, ProgrammeId, TestCaseId},
    programme::Programme,
    test_case::TestCase,
};
use store::{
    Reader, TenantScope, arrangement as arrangements, cra_report as cra_reports, finding as findings, record,
};

use super::{Hit, HitKind, OwnStatus};
use crate::{Result, arrangement, cra_report, finding, records::RecordKind as _, words::Texts};

/// The record as a hit. Its id says what it is; one that is gone is no hit.
pub(super) fn hit(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
    asked: &Asked,
    worth: f32,
) -> Result<Option<Hit>> {
    let shown = |kind, title: &str, texts: &Texts<'_>, status| Hit {
        kind,
        id: id.to_owned(),
        title: title.to_owned(),
        snippet: texts.snippet(asked).to_html(),
        snippet_language: None,
        score: worth,
        status,
    };
    if let Ok(id) = id.parse::<FindingId>() {
        let row = findings::get(reader, scope, id)?;
        return Ok(row.map(|row| {
            let status = Some(OwnStatus::Finding(row.finding.status));
            shown(HitKind::Finding, row.finding.title.as_str(), &finding::texts_of(&row), status)
        }));
    }
    if let Ok(id) = id.parse::<TestCaseId>() {
        let row = record::get::<TestCase>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::TestCase(record.status));
            shown(HitKind::TestCase, record.title.as_str(), &record.texts(), status)
        }));
    }
    if let Ok(id) = id.parse::<ProgrammeId>() {
        let row = record::get::<Programme>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::Programme(record.status));
            shown(HitKind::Programme, record.name.as_str(), &record.texts(), status)
        }));
    }
    if let Ok(id) = id.parse::<CraReportId>() {
        let row = cra_reports::get(reader, scope, id)?.map(|row| row.report);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::CraReport(record.status));
            shown(HitKind::CraReport, record.title.as_str(), &cra_report::texts_of(&record), status)
        }));
    }
    if let Ok(id) = id.parse::<ArrangementId>() {
        let row = arrangements::get(reader, scope, id)?.map(|row| row.content);
        return Ok(row.map(|record| {
            let title = format!("{}: {}", record.provider.name.as_str(), record.service.as_str());
            shown(HitKind::Arrangement, &title, &arrangement::texts_of(&record), None)
        }));
    }
    Ok(None)
}
