//! Incidents that are major only together: Delegated Regulation (EU) 2024/1772, Art. 8(2).
//!
//! At least two within six months, with the same apparent root cause, none of them major by itself, together meeting
//! the conditions of Art. 8(1). The act does not define how several incidents are combined. Here numbers of events,
//! times and costs are added; for people, who may have been affected twice, only bounds are known, so the result
//! stays open where it depends on that. Not for microenterprises and entities of DORA Art. 16(1).

use crate::{
    calendar::moment_months_after,
    moment::Moment,
    profile::{self, DoraRegime},
};

use super::{
    dora::{Assessment, Measures, assess},
    facts::Facts,
    met::Met,
    nis2::direct_loss,
    range::Range,
    reason::Reason,
    words::Outcome,
};

const MONTHS: i32 = 6;

/// Whether the institution has to compare its incidents: not a microenterprise, nor an entity of DORA Art. 16(1). What is
/// not known excludes nothing.
#[must_use]
pub fn has_duty(institution: &profile::Facts) -> bool {
    institution.is_micro() != Some(true) && institution.regime != Some(DoraRegime::Simplified)
}

/// One incident that may be part of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    pub at: Moment,
    /// The common cause of a series; compared without regard to case and outer spaces.
    pub root_cause: String,
    pub measures: Measures,
}

/// Incidents within six months with the same apparent root cause, and their combined assessment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Indices in the given list, by time.
    pub members: Vec<usize>,
    pub together: Assessment,
}

/// Every series, each as long as six months allow. Incidents that are major by themselves are left out, because they
/// are reported anyway.
#[must_use]
pub fn series(occurrences: &[Occurrence]) -> Vec<Series> {
    let mut found: Vec<Series> = Vec::new();
    let mut order: Vec<usize> = (0..occurrences.len())
        .filter(|place| {
            let occurrence = &occurrences[*place];
            !occurrence.root_cause.trim().is_empty() && assess(&occurrence.measures).outcome != Outcome::Major
        })
        .collect();
    order.sort_by_key(|place| (occurrences[*place].at, *place));
    for (rank, first) in order.iter().enumerate() {
        let first = &occurrences[*first];
        let until = moment_months_after(first.at, MONTHS);
        let members: Vec<usize> = order[rank..]
            .iter()
            .copied()
            .filter(|place| occurrences[*place].at <= until && same_cause(&occurrences[*place], first))
            .collect();
        let is_part = |known: &Series| members.iter().all(|member| known.members.contains(member));
        if members.len() < 2 || found.iter().any(is_part) {
            continue;
        }
        let measures = members.iter().map(|place| &occurrences[*place].measures);
        if let Some(together) = collected(measures) {
            found.push(Series { members, together: assess(&together) });
        }
    }
    found
}

fn same_cause(one: &Occurrence, other: &Occurrence) -> bool {
    one.root_cause.trim().to_lowercase() == other.root_cause.trim().to_lowercase()
}

/// Several incidents combined.
pub fn collected<'m>(measures: impl IntoIterator<Item = &'m Measures>) -> Option<Measures> {
    measures.into_iter().cloned().reduce(|sum, next| pair(&sum, &next))
}

fn pair(a: &Measures, b: &Measures) -> Measures {
    let people = |a: (Range, Range), b: (Range, Range)| Range::within(a.0.merged(b.0), a.1.either(b.1));
    let events = |a: (Range, Range), b: (Range, Range)| (a.0.plus(b.0), a.1.either(b.1));
    // Amounts of two currencies cannot be added, so their sum is unknown.
    let amount =
        if a.currency == b.currency { events(a.amount, b.amount) } else { (Range::UNKNOWN, Range::UNKNOWN) };
    Measures {
        clients: people(a.clients, b.clients),
        counterparts: people(a.counterparts, b.counterparts),
        transactions: events(a.transactions, b.transactions),
        amount,
        currency: a.currency,
        relevant_client: a.relevant_client.or(b.relevant_client),
        reputation: union(a.reputation.as_deref(), b.reputation.as_deref()),
        duration: a.duration.plus(b.duration),
        downtime: supported(a).plus(supported(b)),
        function: either_function(a.function, b.function),
        states: (merged(&a.states.0, &b.states.0), a.states.1 && b.states.1),
        data_loss: a.data_loss.or(b.data_loss),
        access: a.access.or(b.access),
        access_may_lose_data: match (a.access_may_lose_data, b.access_may_lose_data) {
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        services: a.services.or(b.services),
        costs: a.costs.plus(b.costs),
        rate_missing: a.rate_missing || b.rate_missing,
    }
}

/// The direct losses of several incidents of a listed provider, compared together with the threshold of one
/// (Implementing Regulation (EU) 2024/2690, Art. 4 with Art. 3(1)(a)). Losses in other currencies than the first are
/// unknown.
pub fn losses_together(incidents: &[&Facts]) -> Option<Reason> {
    let (first, _) = incidents.split_first()?;
    let loss = |facts: &&Facts| {
        let known = facts.nis2.direct_loss.filter(|_| facts.currency == first.currency);
        Range::from(known)
    };
    let sum = incidents.iter().map(loss).fold(Range::exactly(0), Range::plus);
    Some(Reason { article: "2024/2690 Art. 4", ..direct_loss(first, sum) })
}

/// Downtime counts for services that support critical or important functions only (Art. 9(3)(b)).
fn supported(measures: &Measures) -> Range {
    match measures.function.0 {
        Met::Yes => measures.downtime,
        Met::No => Range::exactly(0),
        Met::Unknown => Range { least: 0, ..measures.downtime },
    }
}

fn either_function(a: (Met, bool), b: (Met, bool)) -> (Met, bool) {
    (a.0.or(b.0), a.1 || b.1)
}

/// The union of effects. Unknown while one is open and none is known.
fn union<T: Copy + PartialEq>(a: Option<&[T]>, b: Option<&[T]>) -> Option<Vec<T>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(merged(a, b)),
        (Some(known), None) | (None, Some(known)) if !known.is_empty() => Some(known.to_vec()),
        _ => None,
    }
}

fn merged<T: Copy + PartialEq>(a: &[T], b: &[T]) -> Vec<T> {
    let mut all = a.to_vec();
    all.extend(b.iter().filter(|item| !a.contains(item)));
    all
}

#[cfg(test)]
#[path = "recurrence_tests.rs"]
mod tests;
