//! Whether the same event must be reported under the GDPR or the CRA.

use crate::vocabulary::Word;

use super::{
    facts::{CraFacts, GdprFacts},
    met::Met,
    reason::{Limit, Observed, Reason, flag, needs},
    words::{Criterion, Fact, PersonalRisk},
};

/// GDPR Art. 33 (to the authority) and Art. 34 (to the persons concerned).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalDataBreach {
    pub notification: Met,
    pub communication: Met,
    pub reasons: Vec<Reason>,
}

/// Without an assessment of the risk the notification stays undetermined: Art. 33(1) exempts only breaches that are
/// unlikely to result in a risk.
#[must_use]
pub(super) fn personal_data_breach(facts: GdprFacts) -> PersonalDataBreach {
    let breach = flag("2016/679 Art. 33(1)", Criterion::Other, Fact::PersonalData, facts.personal_data);
    let risk = |article, from: PersonalRisk| {
        let met = Met::from(facts.personal_risk.map(|risk| risk >= from));
        let value =
            facts.personal_risk.map_or(Observed::Unknown, |risk| Observed::Effects(vec![Word::of(risk)]));
        let open = needs(met, vec![Fact::PersonalRisk]);
        Reason { article, criterion: Criterion::Other, value, threshold: Limit::Holds, met, needs: open }
    };
    let likely = risk("2016/679 Art. 33(1)", PersonalRisk::Likely);
    let high = risk("2016/679 Art. 34(1)", PersonalRisk::High);
    // The exceptions have to be claimed; otherwise they do not apply.
    let protected = Met::from(facts.persons_protected.unwrap_or(false));
    let notification = breach.met.and(likely.met);
    let communication = breach.met.and(high.met).and(protected.not());
    let mut reasons = vec![breach, likely, high];
    if protected.is_yes() {
        reasons.push(flag(
            "2016/679 Art. 34(3)(a), (b)",
            Criterion::Other,
            Fact::PersonsProtected,
            facts.persons_protected,
        ));
    }
    PersonalDataBreach { notification, communication, reasons }
}

/// CRA Art. 14: an actively exploited vulnerability (1), or a severe incident (3) as paragraph 5 describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductEvent {
    pub exploited_vulnerability: Met,
    pub severe_incident: Met,
    pub reasons: Vec<Reason>,
}

impl ProductEvent {
    pub fn notifiable(&self) -> Met {
        self.exploited_vulnerability.or(self.severe_incident)
    }
}

#[must_use]
pub(super) fn product_event(facts: &CraFacts) -> ProductEvent {
    let other = Criterion::Other;
    let reasons = vec![
        flag("2024/2847 Art. 14(1)", other, Fact::ExploitedVulnerability, facts.exploited_vulnerability),
        flag("2024/2847 Art. 14(5)(a)", other, Fact::ProductSecurity, facts.product_security),
        flag("2024/2847 Art. 14(5)(b)", other, Fact::ProductMaliciousCode, facts.product_malicious_code),
    ];
    ProductEvent {
        exploited_vulnerability: reasons[0].met,
        severe_incident: reasons[1].met.or(reasons[2].met),
        reasons,
    }
}
