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
}

/// All three conditions must be met; one of the cases of the third is enough.
#[must_use]
pub fn is_significant(facts: &ThreatFacts) -> Met {
    let could_meet = Met::any(
        [facts.could_be_critical, facts.could_meet_clients, facts.could_meet_geography].map(Met::from),
    );
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
    }
}
