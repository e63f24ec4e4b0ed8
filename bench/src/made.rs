//! Asks for what is made in the background, and waits until it is there.

use std::time::{Duration, Instant};

use app::{App, authz::Caller, clock::Clock};
use domain::{
    bundle::{BundleState, BundleWish},
    own_text::OwnText,
    page::PageRequest,
    period_report::{ReportKind, ReportState, ReportWish},
    wording::Language,
};

const LONGEST: Duration = Duration::from_mins(30);

/// An audit bundle of everything; the seconds that it took.
pub(crate) async fn bundle(app: &App, caller: &Caller) -> f64 {
    let as_of = Clock::system().now().day().plus_days(-1);
    let wish = BundleWish { framework: None, as_of, from: None, language: Language::English };
    let begun = Instant::now();
    app.bundle.ask_for_bundle(caller, wish, None, |_| String::new()).await.unwrap();
    loop {
        let newest = app.bundle.bundles(caller, PageRequest::default()).await.unwrap().items.remove(0);
        match newest.state {
            BundleState::Made => return begun.elapsed().as_secs_f64(),
            BundleState::Failed => panic!("{:?}", newest.problem),
            BundleState::Waiting | BundleState::Making => pause(begun).await,
        }
    }
}

/// A report to the management body over three months.
pub(crate) async fn report(app: &App, caller: &Caller) {
    let until = Clock::system().now().day().plus_days(-1);
    let wish = ReportWish {
        kind: ReportKind::Board,
        framework: None,
        from: until.plus_days(-90),
        until,
        language: Language::English,
        template: None,
        own: OwnText::default(),
    };
    let begun = Instant::now();
    app.period_report.ask_for_report(caller, wish, None, |_| String::new()).await.unwrap();
    loop {
        let newest = app.period_report.reports(caller, PageRequest::default()).await.unwrap().items.remove(0);
        match newest.state {
            ReportState::Made => return,
            ReportState::Failed => panic!("{:?}", newest.problem),
            ReportState::Waiting | ReportState::Making => pause(begun).await,
        }
    }
}

async fn pause(begun: Instant) {
    assert!(begun.elapsed() < LONGEST, "it is not made");
    tokio::time::sleep(Duration::from_millis(2)).await;
}
