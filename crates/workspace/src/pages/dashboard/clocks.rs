//! Reports under the Cyber Resilience Act that still owe a stage, with the time that is left.

use app::cra_report::{CraReport, CraReportFilter};
use domain::page::PageRequest;
use maud::{Markup, html};

use super::Board;
use crate::{Workspace, oops::Oops, pages::cra_report, visit::Visit};

/// How many of the newest reports are looked at, and how many are shown.
const LOOKED_AT: u64 = 50;
const SHOWN: usize = 5;

/// The reports whose clocks run, soonest first.
pub(super) async fn running(workspace: &Workspace, visit: &Visit) -> Result<Vec<CraReport>, Oops> {
    let newest = PageRequest::new(Some(LOOKED_AT), None).unwrap_or_default();
    let (page, _) = workspace.app.cra_reports(visit.caller(), &CraReportFilter::default(), newest).await?;
    let due = |report: &CraReport| cra_report::owed(report).map(|(_, _, due)| due);
    let mut reports: Vec<_> = page.items.into_iter().filter(|report| due(report).is_some()).collect();
    reports.sort_by_key(due);
    reports.truncate(SHOWN);
    Ok(reports)
}

impl Board<'_> {
    pub(super) fn clocks(&self, reports: &[CraReport]) -> Markup {
        html! {
            ul.steps {
                @for report in reports {
                    li {
                        a href=(cra_report::address_of(report.row.id)) { (report.row.report.title.as_str()) }
                        div { (cra_report::next(self.view, report)) }
                    }
                }
            }
        }
    }
}
