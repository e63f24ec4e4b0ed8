//! When a cyber threat is significant: Delegated Regulation (EU) 2024/1772, Art. 10. Its notification is voluntary
//! (DORA Art. 19(2)).

use super::met::Met;

/// The known facts of a threat that has not become an incident.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThreatFacts {
    /// (a): could affect critical or important functions, other entities, providers, clients or counterparts.
    pub could_affect: Option<bool>,
    /// (b): highly probable to materialise here or at other financial entities.
    pub high_probability: Option<bool>,
    /// (c)(i): could affect critical services in the sense of Art. 6.
    pub could_be_critical: Option<bool>,
    /// (c)(ii): could meet the threshold of Art. 9(1).
    pub could_meet_clients: Option<bool>,
    /// (c)(iii): could meet the threshold of Art. 9(4).
    pub could_meet_geography: Option<bool>,
    /// Last sentence: the thresholds of Art. 9(2), (3), (5) and (6), which may be considered as well.
    pub could_meet_reputation: Option<bool>,
    pub could_meet_duration: Option<bool>,
    pub could_meet_data_losses: Option<bool>,
    pub could_meet_costs: Option<bool>,
}

/// All three conditions must be met; one of the cases of the third is enough. The thresholds that only may be considered
/// count where they could be met, and leave nothing open where they are unknown.
#[must_use]
pub fn is_significant(facts: &ThreatFacts) -> Met {
    let required = [facts.could_be_critical, facts.could_meet_clients, facts.could_meet_geography];
    let considered = [
        facts.could_meet_reputation,
        facts.could_meet_duration,
        facts.could_meet_data_losses,
        facts.could_meet_costs,
    ];
    let considered = Met::from(considered.contains(&Some(true)));
    let could_meet = Met::any(required.map(Met::from)).or(considered);
    Met::from(facts.could_affect).and(facts.high_probability.into()).and(could_meet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_conditions_are_needed() {
        let all = ThreatFacts {
            could_affect: Some(true),
            high_probability: Some(true),
            could_meet_geography: Some(true),
            ..ThreatFacts::default()
        };
        assert_eq!(is_significant(&all), Met::Yes);
        assert_eq!(is_significant(&ThreatFacts { high_probability: Some(false), ..all }), Met::No);
        assert_eq!(is_significant(&ThreatFacts { could_meet_geography: None, ..all }), Met::Unknown);
        let none = ThreatFacts {
            could_be_critical: Some(false),
            could_meet_clients: Some(false),
            could_meet_geography: Some(false),
            ..all
        };
        assert_eq!(is_significant(&none), Met::No);
        for considered in [
            ThreatFacts { could_meet_reputation: Some(true), ..none },
            ThreatFacts { could_meet_duration: Some(true), ..none },
            ThreatFacts { could_meet_data_losses: Some(true), ..none },
            ThreatFacts { could_meet_costs: Some(true), ..none },
        ] {
            assert_eq!(is_significant(&considered), Met::Yes, "{considered:?}");
        }
        let denied = ThreatFacts { could_meet_costs: Some(false), could_meet_clients: None, ..none };
        assert_eq!(is_significant(&denied), Met::Unknown, "what may be considered decides nothing by itself");
    }
}
