//! The profile of an institution, and the input of its changes.

use crate::{
    change::{Change, Fields, without_repeats},
    country::Country,
    currency::Currency,
    entity_kind::{EntityKind, OperatorRole},
    incident::{due::Filer, holidays::has_calendar, report},
    lei::Lei,
    moment::Day,
    sentences,
    text::{Name, Prose},
    time_zone::TimeZone,
    violation::{Complaint, Violations},
};

use super::{DoraRegime, Facts, RegimeReason, ScopeFacts, Size, derive_regime};

sentences! {
    /// Violations of a profile.
    ProfileComplaint {
        NoCalendar { country: Country } =
            "must be a Member State of the Union, whose bank holidays are known; {country} is none",
            "muss ein Mitgliedstaat der Union sein, dessen Bankfeiertage bekannt sind; {country} ist keiner";
        ReasonMissing =
            "needs a reason, because it takes the place of what follows from the kind of entity",
            "braucht eine Begründung, weil es an die Stelle dessen tritt, was aus der Art des Unternehmens folgt";
    }
}

/// The profile. Facts that are not stated are unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub legal_name: Name,
    pub lei: Option<Lei>,
    pub country: Option<Country>,
    pub kind: Option<EntityKind>,
    pub roles: Option<Vec<OperatorRole>>,
    pub size: Option<Size>,
    pub significant: Option<bool>,
    pub time_zone: TimeZone,
    /// The country whose bank holidays apply, if it is another one.
    pub calendar: Option<Country>,
    pub currency: Currency,
    pub authority: Option<Name>,
    /// Whether it is an essential or important entity under NIS2 Art. 3.
    pub nis2_entity: Option<bool>,
    /// Whether it operates a trading venue, which banks and investment firms may do as well (2025/301 Art. 5(5)).
    pub trading_venue_operator: Option<bool>,
    /// The day on which the authority's decision was notified that there is no relief at weekends (2025/301 Art. 5(6)).
    pub relief_excluded_since: Option<Day>,
    /// The regime a person set, with the reason.
    pub set_regime: Option<(DoraRegime, Prose)>,
    pub scope: ScopeFacts,
}

/// The regime in force, and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regime {
    /// `None` while it is unknown.
    pub value: Option<DoraRegime>,
    pub because: RegimeSource,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegimeSource {
    /// It follows from the kind of entity and its size.
    Derived(RegimeReason),
    /// A person set it.
    Person(Prose),
}

impl Profile {
    pub fn regime(&self) -> Regime {
        if let Some((value, reason)) = &self.set_regime {
            return Regime { value: Some(*value), because: RegimeSource::Person(reason.clone()) };
        }
        let derived = derive_regime(self.kind, self.size);
        Regime { value: derived.value, because: RegimeSource::Derived(derived.reason) }
    }

    /// The country whose bank holidays apply: the chosen one, or else the institution's, if it has a calendar here.
    pub fn holidays(&self) -> Option<Country> {
        self.calendar.or_else(|| self.country.filter(|country| has_calendar(*country)))
    }

    /// The facts that decide what applies, as far as the profile knows them.
    pub fn facts(&self) -> Facts {
        Facts {
            kind: self.kind,
            size: self.size,
            significant: self.significant,
            country: self.country,
            roles: self.roles.clone(),
            regime: self.regime().value,
            scope: self.scope,
            critical_functions: None,
            trading_venue_operator: self.trading_venue_operator,
        }
    }

    /// The institution as the reporting entity of an incident.
    pub fn filer(&self) -> Filer {
        let zone = &self.time_zone;
        let excluded = self.relief_excluded_since;
        Filer {
            kind: self.kind,
            member_state: self.holidays(),
            is_nis2_entity: self.nis2_entity == Some(true),
            operates_trading_venue: self.trading_venue_operator == Some(true),
            no_relief_since: excluded.map(|day| zone.read(&format!("{day}T00:00")).unwrap_or(day.start())),
            zone: zone.clone(),
        }
    }

    /// The code of field 1.4; exempted institutions (Art. 16(1)) have codes of their own.
    fn entity_type(&self, kind: EntityKind) -> Option<&'static str> {
        match (kind, self.regime().value) {
            (EntityKind::PaymentInstitution, Some(DoraRegime::Simplified)) => {
                Some("exempted_payment_institution")
            }
            (EntityKind::ElectronicMoneyInstitution, Some(DoraRegime::Simplified)) => {
                Some("exempted_electronic_money_institution")
            }
            _ => report::entity_type(kind),
        }
    }

    /// The institution's data for a report to the authority.
    pub fn reporter(&self) -> report::Profile {
        report::Profile {
            name: Some(self.legal_name.to_string()),
            code: self.lei.as_ref().map(ToString::to_string),
            entity_types: self.kind.and_then(|kind| self.entity_type(kind)).into_iter().collect(),
            ..report::Profile::default()
        }
    }
}

/// A profile's fields as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileInput {
    pub legal_name: Change<String>,
    pub lei: Change<String>,
    pub country: Change<String>,
    pub entity_kind: Change<String>,
    pub roles: Change<Vec<String>>,
    pub size: Change<String>,
    pub significant: Change<bool>,
    pub time_zone: Change<String>,
    pub holidays: Change<String>,
    pub currency: Change<String>,
    pub authority: Change<String>,
    pub nis2_entity: Change<bool>,
    pub trading_venue_operator: Change<bool>,
    pub relief_excluded_since: Change<String>,
    /// Nothing goes back to what follows from the kind of entity.
    pub regime: Change<RegimeInput>,
    pub tlpt_identified: Change<bool>,
    pub large_investment_firm: Change<bool>,
    pub npl_from_5_percent: Change<bool>,
    pub real_estate_thresholds: Change<bool>,
    pub small_non_complex: Change<bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegimeInput {
    pub value: Change<String>,
    pub reason: Change<String>,
}

impl ProfileInput {
    /// The profile after this change.
    pub fn change(&self, current: &Profile) -> Result<Profile, Violations> {
        let mut fields = Fields::default();
        let legal_name =
            fields.required("legal_name", &self.legal_name, Some(current.legal_name.clone()), |text| {
                Name::parse(text)
            });
        let time_zone =
            fields
                .required("time_zone", &self.time_zone, Some(current.time_zone.clone()), |text| text.parse());
        let currency =
            fields.required("currency", &self.currency, Some(current.currency), |text| text.parse());
        let changed = Profile {
            legal_name: legal_name.unwrap_or_else(|| current.legal_name.clone()),
            lei: fields.optional("lei", &self.lei, current.lei, |text| text.trim().parse()),
            country: fields.optional("country", &self.country, current.country, |text| text.parse()),
            kind: fields.optional("entity_kind", &self.entity_kind, current.kind, |text| text.parse()),
            roles: self.read_roles(&mut fields, current),
            size: fields.optional("size", &self.size, current.size, |text| text.parse()),
            significant: flag(&self.significant, current.significant),
            time_zone: time_zone.unwrap_or_else(|| current.time_zone.clone()),
            calendar: fields.optional("holidays", &self.holidays, current.calendar, |text| calendar(text)),
            currency: currency.unwrap_or(current.currency),
            authority: fields.line("authority", &self.authority, current.authority.clone()),
            nis2_entity: flag(&self.nis2_entity, current.nis2_entity),
            trading_venue_operator: flag(&self.trading_venue_operator, current.trading_venue_operator),
            relief_excluded_since: fields.optional(
                "relief_excluded_since",
                &self.relief_excluded_since,
                current.relief_excluded_since,
                |text| text.parse(),
            ),
            set_regime: self.read_regime(&mut fields, current),
            scope: self.read_scope(current.scope),
        };
        fields.finish(Some(changed))
    }

    fn read_roles(&self, fields: &mut Fields, current: &Profile) -> Option<Vec<OperatorRole>> {
        match &self.roles {
            Change::Keep => current.roles.clone(),
            Change::Clear => None,
            Change::Set(_) => {
                Some(without_repeats(fields.list("roles", &self.roles, None, |text| text.parse())))
            }
        }
    }

    fn read_scope(&self, current: ScopeFacts) -> ScopeFacts {
        ScopeFacts {
            tlpt_identified: flag(&self.tlpt_identified, current.tlpt_identified),
            large_investment_firm: flag(&self.large_investment_firm, current.large_investment_firm),
            npl_from_5_percent: flag(&self.npl_from_5_percent, current.npl_from_5_percent),
            real_estate_thresholds: flag(&self.real_estate_thresholds, current.real_estate_thresholds),
            small_non_complex: flag(&self.small_non_complex, current.small_non_complex),
        }
    }

    fn read_regime(&self, fields: &mut Fields, current: &Profile) -> Option<(DoraRegime, Prose)> {
        let input = match &self.regime {
            Change::Keep => return current.set_regime.clone(),
            Change::Clear => return None,
            Change::Set(input) => input,
        };
        let value = fields.required("regime.value", &input.value, None, |text| text.parse());
        let reason = fields.prose("regime.reason", &input.reason, None);
        if reason.is_none() {
            fields.refuse("regime.reason", ProfileComplaint::ReasonMissing);
        }
        value.zip(reason)
    }
}

fn flag(change: &Change<bool>, current: Option<bool>) -> Option<bool> {
    match change {
        Change::Keep => current,
        Change::Clear => None,
        Change::Set(answer) => Some(*answer),
    }
}

/// A country whose bank holidays are known here.
fn calendar(text: &str) -> Result<Country, Complaint> {
    let country: Country = text.parse()?;
    if has_calendar(country) { Ok(country) } else { Err(ProfileComplaint::NoCalendar { country }.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<T>(value: T) -> Change<T> {
        Change::Set(value)
    }

    fn empty() -> Profile {
        Profile {
            legal_name: Name::parse("North Bank AG").unwrap(),
            lei: None,
            country: None,
            kind: None,
            roles: None,
            size: None,
            significant: None,
            time_zone: TimeZone::default(),
            calendar: None,
            currency: "EUR".parse().unwrap(),
            authority: None,
            nis2_entity: None,
            trading_venue_operator: None,
            relief_excluded_since: None,
            set_regime: None,
            scope: ScopeFacts::default(),
        }
    }

    #[test]
    fn what_is_not_said_stays_unknown() {
        let profile = empty();
        assert_eq!(profile.facts(), Facts::default());
        assert_eq!(profile.holidays(), None);
        assert_eq!(profile.filer(), Filer::unknown(TimeZone::default()));
        assert_eq!(profile.regime().because, RegimeSource::Derived(RegimeReason::KindUnknown));
    }

    #[test]
    fn the_country_gives_the_calendar_unless_another_is_chosen() {
        let country = ProfileInput { country: set("AT".to_owned()), ..ProfileInput::default() };
        let austrian = country.change(&empty()).unwrap();
        assert_eq!(austrian.holidays(), "AT".parse().ok());
        let chosen = ProfileInput { holidays: set("DE".to_owned()), ..ProfileInput::default() };
        assert_eq!(chosen.change(&austrian).unwrap().holidays(), "DE".parse().ok());
        let outside = ProfileInput { holidays: set("CH".to_owned()), ..ProfileInput::default() };
        let complaint = outside.change(&austrian).unwrap_err().to_string();
        assert!(complaint.starts_with("holidays must be a Member State"), "{complaint}");
        let swiss = ProfileInput { country: set("CH".to_owned()), ..ProfileInput::default() };
        assert_eq!(swiss.change(&empty()).unwrap().holidays(), None, "no calendar, and none is guessed");
    }

    #[test]
    fn who_has_no_relief_at_weekends_is_said_in_the_profile() {
        let input = ProfileInput {
            nis2_entity: set(true),
            relief_excluded_since: set("2026-07-01".to_owned()),
            ..ProfileInput::default()
        };
        let filer = input.change(&empty()).unwrap().filer();
        let midnight = "2026-06-30T22:00:00Z".parse().ok();
        assert_eq!((filer.is_nis2_entity, filer.no_relief_since), (true, midnight), "in Berlin");
        let wrong =
            ProfileInput { relief_excluded_since: set("2026-02-30".to_owned()), ..ProfileInput::default() };
        assert!(wrong.change(&empty()).unwrap_err().to_string().starts_with("relief_excluded_since"));
    }

    #[test]
    fn a_person_sets_the_regime_only_with_a_reason() {
        let bare = RegimeInput { value: set("simplified".to_owned()), reason: Change::Keep };
        let input = ProfileInput { regime: set(bare), ..ProfileInput::default() };
        let complaint = input.change(&empty()).unwrap_err().to_string();
        assert!(complaint.starts_with("regime.reason needs a reason"), "{complaint}");
        let said = RegimeInput { value: set("simplified".to_owned()), reason: set("Exempted".to_owned()) };
        let input = ProfileInput {
            entity_kind: set("payment-institution".to_owned()),
            regime: set(said),
            ..ProfileInput::default()
        };
        let profile = input.change(&empty()).unwrap();
        assert_eq!(profile.facts().regime, Some(DoraRegime::Simplified));
        let back = ProfileInput { regime: Change::Clear, ..ProfileInput::default() };
        assert_eq!(back.change(&profile).unwrap().facts().regime, Some(DoraRegime::Full));
    }

    #[test]
    fn every_complaint_comes_at_once() {
        let input = ProfileInput {
            legal_name: Change::Clear,
            lei: set("short".to_owned()),
            country: set("Germany".to_owned()),
            entity_kind: set("bank".to_owned()),
            ..ProfileInput::default()
        };
        let complaints = input.change(&empty()).unwrap_err().to_string();
        for field in ["country", "entity_kind", "legal_name", "lei"] {
            assert!(complaints.contains(field), "{complaints}");
        }
    }
}
