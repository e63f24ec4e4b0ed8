//! The latest scan, by severity.

use app::scan::ScanGlance;
use domain::{
    finding::Finding,
    scan::{ScanSeverity, ScanStatus, Summary},
};
use maud::{Markup, html};

use super::Board;
use crate::{
    texts::dashboard as texts,
    ui::{
        badge::{Tone, badge},
        chart::{self, Bar},
    },
};

fn tone(severity: ScanSeverity) -> Tone {
    match severity {
        ScanSeverity::Critical => Tone::Critical,
        ScanSeverity::High => Tone::Warning,
        ScanSeverity::Medium => Tone::Notice,
        ScanSeverity::Low => Tone::Neutral,
        ScanSeverity::Unknown => Tone::Muted,
    }
}

fn count(summary: Summary, severity: ScanSeverity) -> u64 {
    let count = match severity {
        ScanSeverity::Critical => summary.critical,
        ScanSeverity::High => summary.high,
        ScanSeverity::Medium => summary.medium,
        ScanSeverity::Low => summary.low,
        ScanSeverity::Unknown => summary.unknown,
    };
    count.into()
}

impl Board<'_> {
    pub(super) fn vulnerabilities(&self) -> Markup {
        let Some(scan) = &self.dashboard.scan else {
            return html! { p.quiet { (self.t(texts::NO_SCAN)) } };
        };
        let (view, summary) = (self.view, scan.summary);
        let of = |severity: &ScanSeverity| count(summary, *severity);
        let all: u64 = ScanSeverity::ALL.iter().map(of).sum();
        let bars: Vec<_> = ScanSeverity::ALL
            .iter()
            .map(|severity| Bar {
                label: self.t(severity.label()).to_owned(),
                percent: chart::percent(of(severity), all),
                shown: of(severity).to_string(),
                tone: if of(severity) == 0 { Tone::Muted } else { tone(*severity) },
            })
            .collect();
        let heading = [self.t(Finding::SEVERITY.label), self.t(texts::VULNERABILITIES)];
        html! {
            @if scan.status == ScanStatus::Failed { p { (badge(Tone::Warning, self.t(texts::SCAN_FAILED))) } }
            @else if all == 0 { p { (badge(Tone::Good, self.t(texts::SCAN_CLEAN))) } }
            @else {
                (chart::bar_figure(view, self.t(texts::VULNERABILITIES), heading, &bars))
                (self.oldest_critical(scan))
                p { (view.fill(texts::IN_PACKAGES, &[("count", &scan.packages)])) }
                ul.bullets {
                    @for one in &scan.worst {
                        li { strong { (one.package) " " (one.version) } ", " code { (one.id) } ": " (one.title) }
                    }
                }
            }
            p.hint {
                (view.fill(texts::SCANNED, &[("scanner", &scan.scanner), ("target", &scan.target)])) " "
                (view.time(scan.finished_at))
            }
        }
    }

    /// How long the oldest critical vulnerability has been known.
    fn oldest_critical(&self, scan: &ScanGlance) -> Markup {
        let Some((one, since)) = &scan.oldest_critical else {
            return html! { p { (self.t(texts::NO_CRITICAL)) } };
        };
        let (view, day) = (self.view, self.view.day(since.day()));
        let days = since.day().days_until(view.now.day());
        let sentence = if days > 1 { texts::OLDEST_CRITICAL } else { texts::OLDEST_CRITICAL_NEW };
        html! {
            p {
                (view.fill(sentence, &[("days", &days), ("day", &day)])) " "
                strong { (one.package) " " (one.version) } ", " code { (one.id) }
            }
        }
    }
}
