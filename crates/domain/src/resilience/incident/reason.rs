//! Why a condition is met, not met or open: the observed value, the limit, and which facts would decide.

use crate::{
    currency::Currency,
    format,
    money::Money,
    rounding::Hundredths,
    vocabulary::Word,
    wording::{Label, Reader, Shown, sentence, sentences},
};

use super::{
    met::Met,
    range::Range,
    words::{Criterion, Fact, Reputation},
};

/// One condition of one article, compared with the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Act and article, such as `2024/1772 Art. 9(1)(a)`.
    pub article: &'static str,
    pub criterion: Criterion,
    pub value: Observed,
    pub threshold: Limit,
    pub met: Met,
    /// The facts that would decide an unknown condition; empty when it is decided.
    pub needs: Vec<Fact>,
}

/// The readings that are ours where the text of an article leaves something open.
const READINGS: [(&str, Label); 2] = [
    (
        "2024/1772 Art. 9(4)",
        Label::new(
            "Our reading: the own Member State is counted. Art. 4 assesses the impact in other Member States, and Art. 9(4) asks for two or more without saying whether the own one is among them.",
            "Unsere Lesart: Der eigene Mitgliedstaat zählt mit. Art. 4 betrachtet die Auswirkungen in anderen Mitgliedstaaten, und Art. 9 Abs. 4 verlangt mindestens zwei, ohne zu sagen, ob der eigene dazugehört.",
        ),
    ),
    (
        "2024/1772 Art. 9(5)(b)",
        Label::new(
            "Our reading: malicious access that did lead to losses of data still counts here.",
            "Unsere Lesart: Ein böswilliger Zugriff, der zu Datenverlusten geführt hat, zählt hier weiterhin.",
        ),
    ),
];

impl Reason {
    /// What is our reading in this condition rather than the text of the law.
    pub fn reading(&self) -> Option<Label> {
        READINGS.into_iter().find(|(article, _)| *article == self.article).map(|(_, label)| label)
    }

    /// What would decide it, as a sentence. `None` if it is decided.
    pub fn open(&self) -> Option<Decides> {
        (!self.needs.is_empty())
            .then(|| Decides { facts: self.needs.iter().map(|fact| Word::of(*fact)).collect() })
    }
}

sentence! {
    /// The facts that would decide an open condition.
    Decides { facts: Vec<Word> } =
        "still open; it would be decided by: {facts}",
        "noch offen; entscheidend: {facts}";
}

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Count,
    Seconds,
    Millis,
    /// Minor units.
    Amount(Currency),
}

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    pub value: u64,
    pub unit: Unit,
}

impl Shown for Quantity {
    fn shown(&self, reader: Reader) -> String {
        let money = |currency| Money { amount: i64::try_from(self.value).unwrap_or(i64::MAX), currency };
        match (self.unit, reader) {
            (Unit::Count, Reader::Program) => self.value.to_string(),
            (Unit::Count, Reader::Person(language)) => format::count(language, self.value),
            (Unit::Seconds, Reader::Program) => clock_time(self.value),
            (Unit::Seconds, Reader::Person(language)) => format::span(language, self.value / 60),
            (Unit::Millis, _) => format!("{} ms", self.value),
            (Unit::Amount(currency), Reader::Program) => money(currency).to_string(),
            (Unit::Amount(currency), Reader::Person(language)) => format::money(language, money(currency)),
        }
    }
}

/// Hours, minutes and, where there are any, seconds: `24 h 0 min`.
fn clock_time(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let rest = if rest == 0 { String::new() } else { format!(" {rest} s") };
    format!("{hours} h {minutes} min{rest}")
}

/// A percentage, as whole per mille.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PerMille(pub u64);

impl Shown for PerMille {
    fn shown(&self, reader: Reader) -> String {
        let number = Hundredths::of(self.0.into(), 10);
        match reader {
            Reader::Program => format!("{number} %"),
            Reader::Person(language) => format::percent(language, number),
        }
    }
}

sentences! {
    /// The observed value of a condition.
    Observed {
        Unknown = "unknown", "unbekannt";
        Yes = "yes", "ja";
        No = "no", "nein";
        /// Not stated, but inferred from another fact.
        Concluded { from: Word } =
            "yes, concluded from: {from}; state it to say otherwise",
            "ja, geschlossen aus: {from}; für das Gegenteil bitte ausdrücklich angeben";
        Exactly(quantity: Quantity) = "{quantity}", "{quantity}";
        AtLeast(quantity: Quantity) = "at least {quantity}", "mindestens {quantity}";
        AtMost(quantity: Quantity) = "at most {quantity}", "höchstens {quantity}";
        Between(least: Quantity, most: Quantity) = "{least} to {most}", "{least} bis {most}";
        Of(part: Box<Observed>, whole: Box<Observed>) = "{part} of {whole}", "{part} von {whole}";
        And(one: Box<Observed>, other: Box<Observed>) = "{one}; {other}", "{one}; {other}";
        Effects(effects: Vec<Word>) = "{effects}", "{effects}";
    }

    /// The limit in the text.
    Limit {
        MoreThan(limit: Quantity) = "more than {limit}", "mehr als {limit}";
        AtLeast(limit: Quantity) = "{limit} or more", "{limit} oder mehr";
        MoreThanShare { share: PerMille } = "more than {share}", "mehr als {share}";
        /// The smaller of the two.
        ShareOrNumber { share: PerMille, number: Quantity } =
            "more than {share} or more than {number}, whichever is less",
            "mehr als {share} oder mehr als {number}, je nachdem, was weniger ist";
        ShareOrNumberFor { share: PerMille, number: Quantity, time: Quantity } =
            "more than {share} or more than {number}, whichever is less, for more than {time}",
            "mehr als {share} oder mehr als {number}, je nachdem, was weniger ist, länger als {time}";
        SlowFor { average: Quantity, time: Quantity } =
            "more than {average} on average for more than {time}",
            "im Durchschnitt mehr als {average} länger als {time}";
        Any = "any of them", "eines davon";
        Holds = "yes", "ja";
    }
}

impl Observed {
    pub fn range(range: Range, unit: Unit) -> Self {
        let quantity = |value| Quantity { value, unit };
        match (range.least, range.most) {
            (0, None) => Self::Unknown,
            (least, None) => Self::AtLeast(quantity(least)),
            (least, Some(most)) if least == most => Self::Exactly(quantity(most)),
            (0, Some(most)) => Self::AtMost(quantity(most)),
            (least, Some(most)) => Self::Between(quantity(least), quantity(most)),
        }
    }

    pub fn flag(met: Met) -> Self {
        match met {
            Met::Yes => Self::Yes,
            Met::No => Self::No,
            Met::Unknown => Self::Unknown,
        }
    }

    pub fn share(part: Range, whole: Range, unit: Unit) -> Self {
        Self::Of(Box::new(Self::range(part, unit)), Box::new(Self::range(whole, unit)))
    }

    pub fn both(one: Self, other: Self) -> Self {
        Self::And(Box::new(one), Box::new(other))
    }

    pub fn effects(effects: Option<&[Reputation]>) -> Self {
        match effects {
            None => Self::Unknown,
            Some([]) => Self::No,
            Some(effects) => Self::Effects(effects.iter().map(|effect| Word::of(*effect)).collect()),
        }
    }
}

/// The facts among these that are not known exactly.
pub(super) fn inexact(facts: &[(Fact, Range)]) -> Vec<Fact> {
    facts.iter().filter(|(_, range)| range.exact().is_none()).map(|(fact, _)| *fact).collect()
}

/// The needs of a condition: none once it is decided.
pub(super) fn needs(met: Met, facts: Vec<Fact>) -> Vec<Fact> {
    if met.is_unknown() { facts } else { Vec::new() }
}

/// A condition that is a plain yes or no.
pub(super) fn flag(article: &'static str, criterion: Criterion, fact: Fact, stated: Option<bool>) -> Reason {
    let met = Met::from(stated);
    Reason {
        article,
        criterion,
        value: Observed::flag(met),
        threshold: Limit::Holds,
        met,
        needs: needs(met, vec![fact]),
    }
}
