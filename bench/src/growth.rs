//! The same requests over HTTP as a store grows: in findings of the requesting tenant, and in other tenants.
//!
//! Small and large stores take turns, and the result is the median of the rounds. New findings are created in
//! between, so that no response comes from a cache only because nothing changed.

use crate::{
    filling::{self, Store},
    load::{self, FINDINGS, Pace, Side},
    report::{Report, Target, median},
};

const ROUNDS: usize = 15;

/// Each kind of request, with its queries in turn. Pages are so short that the smallest store fills them too.
fn kinds() -> [(&'static str, Vec<Call>); 8] {
    let numbers = || (0..50).map(|number| 100 + number * 17);
    let searches = |about: &str| vec![Call::Get(format!("/api/v2/search?q={about}"))];
    // A space at the end means that the word is complete.
    let rare = numbers().map(|number| Call::Get(format!("/api/v2/search?q={number}%20"))).collect();
    let single = numbers().map(|number| Call::Get(format!("{FINDINGS}/{}", filling::id(number, 0))));
    let list = |query: &str| vec![Call::Get(format!("{FINDINGS}{query}"))];
    [
        ("first page", list("")),
        ("single record", single.collect()),
        ("filtered list", list("?severity=high&status=open&limit=20")),
        ("list as of a day", list(&format!("?as_of={}&limit=20", filling::day_after()))),
        ("searched and filtered list", list("?search=ledger&severity=high&limit=10")),
        ("search, a rare word", rare),
        ("search, a word in every finding", searches("access%20")),
        ("create", vec![Call::Create]),
    ]
}

enum Call {
    Get(String),
    Create,
}

impl Call {
    fn request(&self, key: &str) -> String {
        match self {
            Self::Get(path) => load::get_with(key, path),
            Self::Create => load::new_finding(key),
        }
    }
}

/// The dimension that grows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Axis {
    Findings,
    Tenants,
}

impl Axis {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Findings => "findings",
            Self::Tenants => "tenants",
        }
    }

    /// Findings created on each connection in a round. In the smallest store of few findings they must stay few.
    fn created(self) -> usize {
        match self {
            Self::Findings => 8,
            Self::Tenants => 32,
        }
    }

    pub(crate) fn size(self, store: &Store) -> usize {
        match self {
            Self::Findings => store.shape.own,
            Self::Tenants => store.shape.others + 1,
        }
    }
}

/// The stores by size, the smallest first.
pub(crate) async fn measure(report: &mut Report, axis: Axis, stores: [&Store; 3]) {
    let mut served = Vec::new();
    for store in stores {
        served.push((load::serve(store.fixture.service()).await, &store.fixture.key));
    }
    let mut contests = Vec::new();
    for (kind, questions) in kinds() {
        let mut sides = Vec::new();
        for (address, key) in &served {
            let requests = questions.iter().map(|question| question.request(key)).collect();
            sides.push(sized(Side::new(*address, requests), kind, axis).await);
        }
        contests.push(Contest { kind, paces: vec![Vec::new(); sides.len()], sides });
    }
    for round in 0..ROUNDS {
        for contest in &mut contests {
            contest.round(round % 2 == 1).await;
        }
    }
    for contest in &contests {
        contest.add(report, axis, stores);
    }
}

/// With as many requests as take a moment; reads that find nothing would be no measure.
async fn sized(side: Side, kind: &str, axis: Axis) -> Side {
    if kind == "create" {
        return Side { times: axis.created(), ..side };
    }
    let body = load::body_of(side.address, &side.requests[0]).await;
    let body = String::from_utf8_lossy(&body);
    assert!(body.contains("fnd_"), "{kind} finds nothing: {body}");
    side.lasting(0.25).await
}

/// One kind of request at every size.
struct Contest {
    kind: &'static str,
    sides: Vec<Side>,
    paces: Vec<Vec<Pace>>,
}

impl Contest {
    /// Every second round begins with the largest, so that interruptions of the machine affect all alike.
    async fn round(&mut self, largest_first: bool) {
        let mut turns: Vec<_> = self.sides.iter().zip(&mut self.paces).collect();
        if largest_first {
            turns.reverse();
        }
        for (side, paces) in turns {
            paces.push(side.drive().await);
        }
    }

    /// How many times faster than this one the smallest is.
    fn slower(&self, size: usize) -> f64 {
        let rounds = self.paces[0].iter().zip(&self.paces[size]);
        median(rounds.map(|(smallest, this)| smallest.per_second / this.per_second).collect())
    }

    fn add(&self, report: &mut Report, axis: Axis, stores: [&Store; 3]) {
        let rates: Vec<f64> = self.paces.iter().map(|rounds| Pace::middle(rounds).per_second).collect();
        let ([few, some, many], findings) = (stores.map(|store| axis.size(store)), stores[2].shape.total());
        let note = format!(
            "{:.0}/s with {few}, {:.0}/s ({:.2} ×) with {some}, {:.0}/s with {many}; {findings} findings in all",
            rates[0],
            rates[1],
            self.slower(1),
            rates[2],
        );
        let what = format!("growth in {}: {}", axis.name(), self.kind);
        report.add(&what, self.slower(2), "×", Target::AtMost(1.3), note);
    }
}
