//! Removing a report: deleted while nothing was filed, archived afterwards.

use app::cra_report::CraReportView;
use domain::{
    cra_report::CraReport,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::address_of;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    pages::record,
    texts::{cra_report as texts, record as shared},
    ui::{self, badge::Tone, notice::notice},
};

/// The removal that the report allows.
pub(super) async fn part(
    workspace: &Workspace,
    visit: &Visit,
    report: &CraReportView,
) -> Result<Markup, PageError> {
    let address = address_of(report.row.id);
    if !visit.may(Resource::CraReports, Right::Decide) || report.row.archived_at.is_some() {
        return Ok(html! {});
    }
    if !report.row.record.submissions.any() {
        let names = (address.as_str(), report.row.record.title.as_str());
        return record::deletable::<CraReport>(workspace, visit, report.row.id, names).await;
    }
    Ok(ui::section(
        visit.t(texts::KEEP),
        &html! {
            p.hint { (visit.t(texts::KEEP_HELP)) }
            (ui::post_button(visit, &format!("{address}/archive"), visit.t(shared::ARCHIVE)))
        },
    ))
}

/// The notice above an archived report.
pub(super) fn notice_of(visit: &Visit, report: &CraReportView) -> Markup {
    let Some(since) = report.row.archived_at else { return html! {} };
    let restore = format!("{}/restore", address_of(report.row.id));
    let content = html! {
        p { (visit.t(texts::ARCHIVED_HELP)) }
        p.hint { (visit.t(shared::ARCHIVED)) ": " (visit.time(since)) }
        @if visit.may(Resource::CraReports, Right::Decide) {
            (ui::post_button(visit, &restore, visit.t(shared::RESTORE)))
        }
    };
    notice(Tone::Notice, visit.t(shared::ARCHIVED), &content)
}
