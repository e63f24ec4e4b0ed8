//! Reports under the Cyber Resilience Act with an outstanding stage, and the time left.

use app::cra_report::CraReport;
use maud::{Markup, html};

use super::Board;
use crate::{pages::cra_report, route, texts::dashboard as texts};

const SHOWN: usize = 2;

impl Board<'_> {
    pub(super) fn clocks(&self) -> Option<Markup> {
        if self.dashboard.cra_reports.is_empty() {
            return None;
        }
        let running = self.running_clocks();
        Some(html! {
            @if running.is_empty() { p.quiet { (self.t(texts::NO_CLOCKS)) } }
            ul.steps {
                @for report in running {
                    li {
                        div {
                            a href=(cra_report::address_of(report.row.id)) { (report.row.record.title.as_str()) }
                            div { (cra_report::next(self.view, report)) }
                        }
                    }
                }
            }
            p { a href=(route::CRA_REPORTS) { (self.t(texts::TO_CRA)) } }
        })
    }

    /// The reports with running clocks, soonest first.
    fn running_clocks(&self) -> Vec<&CraReport> {
        let due = |report: &&CraReport| cra_report::owed(report).map(|(_, _, due)| due);
        let mut reports: Vec<_> =
            self.dashboard.cra_reports.iter().filter(|report| due(report).is_some()).collect();
        reports.sort_by_key(due);
        reports.truncate(SHOWN);
        reports
    }
}
