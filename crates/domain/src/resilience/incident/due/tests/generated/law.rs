//! Due times by the plain words of the articles, hour by hour and day by day. It shares no code with the product.

use super::{
    Situation,
    calendar::{Calendar, HOUR},
};

/// What the articles say of one report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    At(i64),
    Promptly,
    Waits,
    NotOwed,
}

use Expected::{At, NotOwed, Promptly, Waits};

/// Yes, no, or not known.
type Known = Option<bool>;

/// A regime, a stage, what is expected, and when it was sent.
pub(super) type Line = (&'static str, &'static str, Expected, Option<i64>);

pub(super) struct Law<'l> {
    pub(super) calendar: &'l Calendar,
    pub(super) case: &'l Situation,
}

fn hours(at: i64, number: i64) -> i64 {
    (0..number).fold(at, |at, _| at + HOUR)
}

fn unless(owed: Known, due: impl FnOnce() -> Expected) -> Expected {
    match owed {
        Some(true) => due(),
        Some(false) => NotOwed,
        None => Waits,
    }
}

impl Law<'_> {
    fn sent(&self, regime: &str, stage: &str) -> Vec<i64> {
        let fits = |(of, name, _): &&(&str, &str, i64)| *of == regime && *name == stage;
        self.case.sent.iter().filter(fits).map(|(_, _, at)| *at).collect()
    }

    fn first(&self, regime: &str, stage: &str) -> Option<i64> {
        self.sent(regime, stage).into_iter().min()
    }

    fn aware(&self, regime: usize) -> i64 {
        self.case.aware_of[regime].unwrap_or(self.case.aware)
    }

    fn month(&self, at: i64) -> i64 {
        let (day, _) = self.calendar.local(at, self.case.place);
        self.calendar.end(self.calendar.month_later(day), self.case.place)
    }

    fn fortnight(&self, at: i64) -> i64 {
        let (mut day, _) = self.calendar.local(at, self.case.place);
        for _ in 0..14 {
            day += 1;
        }
        self.calendar.end(day, self.case.place)
    }

    /// 2025/301 Art. 5(4): noon of the next working day. Art. 5(5) and (6) take it from some, for the earlier reports.
    fn relieved(&self, limit: i64, is_final: bool) -> i64 {
        let case = self.case;
        let Some(state) = case.place.state else { return limit };
        let (mut day, _) = self.calendar.local(limit, case.place);
        if !self.calendar.is_off(state, day) {
            return limit;
        }
        let reported = self.first("dora", "initial").unwrap_or(case.now);
        let is_decided = case.no_relief_since.is_some_and(|since| reported > since);
        let has_none =
            case.is_excluded_kind || case.is_venue || case.is_nis2 || is_decided || case.is_unknown_kind;
        if has_none && !is_final {
            return limit;
        }
        while self.calendar.is_off(state, day) {
            day += 1;
        }
        self.calendar.noon(day, case.place)
    }

    pub(super) fn dora(&self) -> Vec<Line> {
        let case = self.case;
        let of = |stage, due| ("dora", stage, due, self.first("dora", stage));
        let undecided = unless(case.is_major, || Waits);
        let is_back = case.reclassified.is_some();
        let gone = |stage, due| if is_back && self.first("dora", stage).is_none() { NotOwed } else { due };
        let initial = match case.classified {
            _ if is_back => NotOwed,
            None => undecided,
            Some(classified) => {
                let (four, day) = (hours(classified, 4), hours(self.aware(0), 24));
                At(self.relieved(if classified > day { four } else { four.min(day) }, false))
            }
        };
        let waits = if case.classified.is_some() { Waits } else { undecided };
        let intermediate = match self.first("dora", "initial") {
            Some(at) => At(self.relieved(hours(at, 72), false)),
            None => waits,
        };
        let both = [self.sent("dora", "intermediate"), self.sent("dora", "intermediate_update")].concat();
        let last = match both.iter().copied().max() {
            Some(at) => At(self.relieved(self.month(at), true)),
            None if self.first("dora", "initial").is_none() => waits,
            None => Waits,
        };
        let update = match (self.first("dora", "intermediate"), case.recovered) {
            (None, _) => waits,
            (Some(_), None) => Waits,
            (Some(_), Some(_)) => Promptly,
        };
        let updated = case.recovered.and_then(|back| both.into_iter().filter(|at| *at >= back).min());
        let clients = match case.classified {
            None => undecided,
            Some(_) => unless(case.clients, || Promptly),
        };
        let mut lines = vec![
            of("initial", initial),
            of("intermediate", gone("intermediate", intermediate)),
            ("dora", "intermediate_update", gone("intermediate_update", update), updated),
            of("final", gone("final", last)),
            of("communication", gone("communication", clients)),
        ];
        if is_back {
            lines.push(of("reclassified", Promptly));
        }
        lines
    }

    fn interim(&self, regime: &'static str, owed: Known, asked: Option<i64>) -> Line {
        let due = unless(owed, || asked.map_or(Waits, |_| Promptly));
        let answers = |at: &i64| asked.is_none_or(|asked| *at >= asked);
        (regime, "interim", due, self.sent(regime, "interim").into_iter().filter(answers).min())
    }

    pub(super) fn nis2(&self) -> Vec<Line> {
        let case = self.case;
        let owed = case.is_significant;
        let of =
            |stage, due: &dyn Fn() -> Expected| ("nis2", stage, unless(owed, due), self.first("nis2", stage));
        let later = if case.is_trust_service { 24 } else { 72 };
        let aware = self.aware(1);
        let (progress, last) = match (self.first("nis2", "notification"), case.resolved) {
            (None, _) => (Waits, Waits),
            (Some(at), None) if case.now < self.month(at) => (Waits, At(self.month(at))),
            (Some(at), None) => (At(self.month(at)), Waits),
            (Some(at), Some(resolved)) if resolved <= self.month(at) => (NotOwed, At(self.month(at))),
            (Some(at), Some(resolved)) => (At(self.month(at)), At(self.month(resolved))),
        };
        vec![
            of("early_warning", &|| At(hours(aware, 24))),
            of("notification", &|| At(hours(aware, later))),
            self.interim("nis2", owed, case.asked),
            of("progress", &|| progress),
            of("final", &|| last),
            of("communication", &|| unless(case.recipients, || Promptly)),
        ]
    }

    pub(super) fn gdpr(&self) -> Vec<Line> {
        let case = self.case;
        let all = |conditions: [Known; 2]| {
            if conditions.contains(&Some(false)) {
                Some(false)
            } else {
                conditions.iter().all(|known| *known == Some(true)).then_some(true)
            }
        };
        let notify = all([case.personal_data, case.risk.map(|risk| risk >= 1)]);
        let inform = match case.is_protected {
            Some(true) => Some(false),
            _ => all([case.personal_data, case.risk.map(|risk| risk >= 2)]),
        };
        let of = |stage, due| ("gdpr", stage, due, self.first("gdpr", stage));
        vec![
            of("notification", unless(notify, || At(hours(self.aware(2), 72)))),
            of("communication", unless(inform, || Promptly)),
        ]
    }

    pub(super) fn cra(&self) -> Vec<Line> {
        let case = self.case;
        let severe = match case.severe {
            [a, b] if a == Some(true) || b == Some(true) => Some(true),
            [Some(false), Some(false)] => Some(false),
            _ => None,
        };
        let owed = match (case.exploited, severe) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        let elsewhere = |stage, due| {
            if case.has_cra_report && self.first("cra", stage).is_none() { NotOwed } else { due }
        };
        let of = |stage, due| ("cra", stage, elsewhere(stage, due), self.first("cra", stage));
        let measured = case.measure.map_or(Waits, |at| At(self.fortnight(at)));
        let notified = self.first("cra", "notification").map_or(Waits, |at| At(self.month(at)));
        let is_vulnerability = case.exploited == Some(true);
        let aware = self.aware(3);
        let interim = self.interim("cra", owed, case.asked_cra);
        let mut lines = vec![
            of("early_warning", unless(owed, || At(hours(aware, 24)))),
            of("notification", unless(owed, || At(hours(aware, 72)))),
            ("cra", "interim", elsewhere("interim", interim.2), interim.3),
            of("final", unless(owed, || if is_vulnerability { measured } else { notified })),
        ];
        if is_vulnerability && severe == Some(true) {
            lines.push(("cra", "final_incident", notified, self.first("cra", "final_incident")));
        }
        let users = unless(owed, || unless(case.users, || Promptly));
        lines.push(("cra", "communication", users, self.first("cra", "communication")));
        lines
    }

    /// In time until the due time itself, and due soon for the twelve hours before it.
    pub(super) fn state(&self, expected: Expected, sent: Option<i64>) -> &'static str {
        let now = self.case.now;
        match (expected, sent) {
            (At(due), Some(sent)) if sent > due => "submitted_late",
            (_, Some(_)) => "submitted",
            (At(due), None) if now > due => "overdue",
            (At(due), None) if hours(now, 12) >= due => "due_soon",
            (At(_) | Promptly, None) => "pending",
            (Waits | NotOwed, None) => "not_due",
        }
    }
}
