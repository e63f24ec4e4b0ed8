//! The tenant's own records as search results.

use catalogue::search::Asked;
use domain::{
    arrangement::Entry,
    control::Control,
    cra_report::CraReport,
    drill_run::DrillRun,
    evidence::Evidence,
    finding::Finding,
    id::{
        ArrangementId, ControlId, CraReportId, DrillRunId, EvidenceId, FindingId, IncidentId, OwnFrameworkId,
        ProgrammeId, ProviderId, RiskId, TaskId, TestCaseId,
    },
    incident::Incident,
    own_framework::OwnFramework,
    programme::Programme,
    provider::Provider,
    risk::Risk,
    task::Task,
    test_case::TestCase,
};
use store::{Reader, TenantScope, record};

use super::{Hit, HitKind, OwnStatus};
use crate::{Result, records::RecordKind as _, words::Texts};

/// The record as a result. Its id gives its kind; `None` if it was deleted.
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
        let row = record::get::<Finding>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::Finding(record.status));
            shown(HitKind::Finding, record.title.as_str(), &record.texts(), status)
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
    if let Ok(id) = id.parse::<ControlId>() {
        let row = record::get::<Control>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::Control(record.status));
            shown(HitKind::Control, record.title.as_str(), &record.texts(), status)
        }));
    }
    if let Ok(id) = id.parse::<CraReportId>() {
        let row = record::get::<CraReport>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::CraReport(record.status));
            shown(HitKind::CraReport, record.title.as_str(), &record.texts(), status)
        }));
    }
    if let Ok(id) = id.parse::<DrillRunId>() {
        let row = record::get::<DrillRun>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::DrillRun(record.status));
            shown(HitKind::DrillRun, record.title.as_str(), &record.texts(), status)
        }));
    }
    if let Ok(id) = id.parse::<ArrangementId>() {
        let row = record::get::<Entry>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let content = &record.arrangement;
            let title = format!("{}: {}", content.provider.name.as_str(), content.service.as_str());
            shown(HitKind::Arrangement, &title, &record.texts(), None)
        }));
    }
    if let Ok(id) = id.parse::<ProviderId>() {
        let row = record::get::<Provider>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| shown(HitKind::Provider, record.name.as_str(), &record.texts(), None)));
    }
    if let Ok(id) = id.parse::<RiskId>() {
        let row = record::get::<Risk>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::Risk(record.status));
            shown(HitKind::Risk, record.title.as_str(), &record.texts(), status)
        }));
    }
    if let Ok(id) = id.parse::<EvidenceId>() {
        let row = record::get::<Evidence>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| shown(HitKind::Evidence, record.title.as_str(), &record.texts(), None)));
    }
    if let Ok(id) = id.parse::<TaskId>() {
        let row = record::get::<Task>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| shown(HitKind::Task, record.title.as_str(), &record.texts(), None)));
    }
    if let Ok(id) = id.parse::<OwnFrameworkId>() {
        let row = record::get::<OwnFramework>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::OwnFramework(record.status));
            shown(HitKind::OwnFramework, record.title.as_str(), &record.texts(), status)
        }));
    }
    if let Ok(id) = id.parse::<IncidentId>() {
        let row = record::get::<Incident>(reader, scope, id)?.map(|row| row.record);
        return Ok(row.map(|record| {
            let status = Some(OwnStatus::Incident(record.status));
            shown(HitKind::Incident, record.title.as_str(), &record.texts(), status)
        }));
    }
    Ok(None)
}
