//! Facts about an arrangement beyond its flat record, and their input: exit plan, notice period, places, supply chain,
//! group. All of them may be missing.

use super::ArrangementComplaint;
use crate::{
    change::{Change, Fields},
    country::Country,
    lei::Lei,
    moment::Day,
    supply_chain::{ChainDefect, inspect},
    term::Term,
    violation::{Complaint, FieldName, RecordComplaint},
    vocabulary::vocabulary,
};

/// The longest notice period, in days: five years.
pub const MOST_NOTICE_DAYS: u32 = 1825;

vocabulary! {
    /// The activity at a place.
    Place {
        Provision = "provision" ("Provision", "Erbringung"),
        Storage = "storage" ("Storage", "Speicherung"),
        Processing = "processing" ("Processing", "Verarbeitung"),
    }
}

/// A company in a supply chain or at the top of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Party {
    pub name: Term,
    pub lei: Option<Lei>,
}

/// One step of a supply chain: `supplier` delivers to `recipient`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupplyStep {
    pub supplier: Party,
    pub recipient: Party,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// `None` if unknown.
    pub exit_plan: Option<bool>,
    /// How many days before its end the institution has to give notice; `None` if the contract does not say it, so that
    /// the notice period of its provider counts.
    pub notice_days: Option<u32>,
    pub places: Vec<(Place, Country)>,
    /// The steps behind the direct provider.
    pub chain: Vec<SupplyStep>,
    /// The ultimate parent of the provider's group.
    pub ultimate_parent: Option<Party>,
}

impl Facts {
    /// The last day on which notice can be given for a contract that ends on that day: by its own notice period, or by
    /// the one of its provider.
    pub fn notice_by(&self, ends_on: Option<Day>, of_provider: Option<u32>) -> Option<Day> {
        let days = self.notice_days.or(of_provider)?;
        Some(ends_on?.plus_days(-i64::from(days)))
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactsInput {
    pub exit_plan: Change<bool>,
    /// In days.
    pub notice_days: Change<f64>,
    pub places: Change<PlacesInput>,
    pub supply_chain: Change<Vec<StepInput>>,
    pub ultimate_parent: Change<PartyInput>,
}

/// Country codes; each list can be changed on its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlacesInput {
    pub provision: Change<Vec<String>>,
    pub storage: Change<Vec<String>>,
    pub processing: Change<Vec<String>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartyInput {
    pub name: String,
    pub lei: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepInput {
    pub supplier: PartyInput,
    /// The direct provider unless another one is named.
    pub recipient: Option<PartyInput>,
}

impl FactsInput {
    /// The facts after this change. Without a provider, which is reported separately, the chain is parsed but not
    /// checked.
    pub(super) fn read(&self, fields: &mut Fields, before: &Facts, provider: Option<&Party>) -> Facts {
        let exit_plan = match self.exit_plan {
            Change::Keep => before.exit_plan,
            Change::Clear => None,
            Change::Set(plan) => Some(plan),
        };
        let notice_days = fields.optional("notice_days", &self.notice_days, before.notice_days, |number| {
            notice_days_of(&number.to_string())
        });
        let ultimate_parent = fields.optional(
            "ultimate_parent",
            &self.ultimate_parent,
            before.ultimate_parent.clone(),
            PartyInput::party,
        );
        Facts {
            exit_plan,
            notice_days,
            places: self.read_places(fields, before),
            chain: self.read_chain(fields, before, provider),
            ultimate_parent,
        }
    }

    fn read_places(&self, fields: &mut Fields, before: &Facts) -> Vec<(Place, Country)> {
        let input = match &self.places {
            Change::Keep => return before.places.clone(),
            Change::Clear => return Vec::new(),
            Change::Set(input) => input,
        };
        let mut places = Vec::new();
        for (place, change) in [
            (Place::Provision, &input.provision),
            (Place::Storage, &input.storage),
            (Place::Processing, &input.processing),
        ] {
            let known = before.places.iter().filter(|(kind, _)| *kind == place);
            let known = known.map(|(_, country)| *country).collect();
            let name = format!("places.{place}");
            let mut countries = fields.list(&name, change, Some(known), |code| code.trim().parse());
            countries.sort_unstable();
            countries.dedup();
            places.extend(countries.into_iter().map(|country| (place, country)));
        }
        places
    }

    fn read_chain(&self, fields: &mut Fields, before: &Facts, provider: Option<&Party>) -> Vec<SupplyStep> {
        let read = |step: &StepInput| step.read(provider);
        let mut chain = fields.list("supply_chain", &self.supply_chain, Some(before.chain.clone()), read);
        let mut seen = Vec::with_capacity(chain.len());
        chain.retain(|step| {
            let first = !seen.contains(step);
            seen.push(step.clone());
            first
        });
        if let Some(provider) = provider {
            follow(fields, provider, &chain);
        }
        chain
    }
}

/// Every step must be reachable from the direct provider, and none may form a cycle.
fn follow(fields: &mut Fields, provider: &Party, chain: &[SupplyStep]) {
    let ends = |step: &'_ SupplyStep| (step.recipient.name.clone(), step.supplier.name.clone());
    let names: Vec<_> = chain.iter().map(ends).collect();
    let trouble = inspect(provider.name.as_str(), &names, |(recipient, supplier)| {
        (recipient.as_str(), supplier.as_str())
    });
    match trouble {
        None => {}
        Some(ChainDefect::Circle(names)) => {
            fields.refuse("supply_chain", RecordComplaint::Circle { path: names.join(" → ") });
        }
        Some(ChainDefect::Loose(position)) => {
            let recipient = chain[position].recipient.name.to_string();
            let loose = RecordComplaint::LooseStep { recipient };
            fields.refuse("supply_chain", Complaint::item(position, loose));
        }
    }
}

impl StepInput {
    fn read(&self, provider: Option<&Party>) -> Result<SupplyStep, Complaint> {
        let supplier = self.supplier.named(FieldName::SupplierName, FieldName::SupplierLei)?;
        let direct = || provider.cloned().unwrap_or_else(|| supplier.clone());
        let recipient = match &self.recipient {
            None => direct(),
            Some(recipient) => recipient.named(FieldName::RecipientName, FieldName::RecipientLei)?,
        };
        // The direct provider named without its LEI is still the same company.
        let recipient = match provider {
            Some(provider) if provider.name == recipient.name && recipient.lei.is_none() => provider.clone(),
            _ => recipient,
        };
        Ok(SupplyStep { supplier, recipient })
    }
}

impl PartyInput {
    fn party(&self) -> Result<Party, Complaint> {
        self.named(FieldName::Name, FieldName::Lei)
    }

    /// The company; violations name its fields.
    fn named(&self, name_field: FieldName, lei_field: FieldName) -> Result<Party, Complaint> {
        let name = Term::parse(&self.name).map_err(|error| Complaint::part(name_field, error))?;
        let lei = self.lei.as_deref().map(str::parse::<Lei>).transpose();
        Ok(Party { name, lei: lei.map_err(|error| Complaint::part(lei_field, error))? })
    }
}

/// A notice period in days. A whole number is printed without a point, and only then parses as one.
pub(crate) fn notice_days_of(text: &str) -> Result<u32, ArrangementComplaint> {
    let days = text.parse::<u32>().ok().filter(|days| *days <= MOST_NOTICE_DAYS);
    days.ok_or(ArrangementComplaint::NoticeDays)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::Violations;

    fn party(name: &str) -> PartyInput {
        PartyInput { name: name.into(), lei: None }
    }

    fn step(supplier: &str, recipient: Option<&str>) -> StepInput {
        StepInput { supplier: party(supplier), recipient: recipient.map(party) }
    }

    fn provider() -> Party {
        Party { name: Term::parse("Nordlicht Cloud SE").unwrap(), lei: None }
    }

    fn read(input: &FactsInput, before: &Facts) -> Result<Facts, Violations> {
        let mut fields = Fields::default();
        let facts = input.read(&mut fields, before, Some(&provider()));
        fields.finish(Some(facts))
    }

    fn chain(steps: Vec<StepInput>) -> Result<Facts, Violations> {
        read(&FactsInput { supply_chain: Change::Set(steps), ..FactsInput::default() }, &Facts::default())
    }

    #[test]
    fn a_step_without_a_recipient_delivers_to_the_direct_provider() {
        let facts = chain(vec![step("Rhein RZ", None), step("Elbe Strom", Some("Rhein RZ"))]).unwrap();
        assert_eq!(facts.chain[0].recipient, provider());
        assert_eq!(facts.chain[1].recipient, facts.chain[0].supplier);
    }

    #[test]
    fn a_circle_and_a_loose_step_are_refused_with_their_names() {
        let circle = chain(vec![step("Rhein RZ", None), step("Nordlicht Cloud SE", Some("Rhein RZ"))]);
        let message = circle.unwrap_err().fields()["supply_chain"][0].clone();
        assert!(
            message.to_string().contains("Nordlicht Cloud SE → Rhein RZ → Nordlicht Cloud SE"),
            "{message}"
        );
        let loose = chain(vec![step("Elbe Strom", Some("Nobody"))]);
        let message = loose.unwrap_err().fields()["supply_chain"][0].clone();
        assert!(message.to_string().contains("item 1 delivers to Nobody"), "{message}");
    }

    #[test]
    fn what_is_left_out_stays_and_null_empties() {
        let mut before = chain(vec![step("Rhein RZ", None)]).unwrap();
        before.exit_plan = Some(true);
        before.notice_days = Some(90);
        before.places = vec![(Place::Storage, "DE".parse().unwrap())];
        assert_eq!(read(&FactsInput::default(), &before), Ok(before.clone()));
        let places = PlacesInput {
            processing: Change::Set(vec!["US".into(), "DE".into(), "US".into()]),
            ..PlacesInput::default()
        };
        let change = FactsInput {
            exit_plan: Change::Clear,
            notice_days: Change::Clear,
            places: Change::Set(places),
            supply_chain: Change::Clear,
            ultimate_parent: Change::Set(party("Polar Holding Oyj")),
        };
        let after = read(&change, &before).unwrap();
        assert_eq!((after.exit_plan, after.notice_days), (None, None));
        let places: Vec<_> = after.places.iter().map(|(place, at)| format!("{place} {at}")).collect();
        assert_eq!(places, ["storage DE", "processing DE", "processing US"]);
        assert!(after.chain.is_empty());
        assert_eq!(after.ultimate_parent.unwrap().name.as_str(), "Polar Holding Oyj");
    }

    #[test]
    fn wrong_periods_countries_and_identifiers_are_named() {
        let bad = FactsInput {
            notice_days: Change::Set(89.5),
            places: Change::Set(PlacesInput {
                storage: Change::Set(vec!["Germany".into()]),
                ..PlacesInput::default()
            }),
            supply_chain: Change::Set(vec![step(" ", None)]),
            ultimate_parent: Change::Set(PartyInput { name: "P".into(), lei: Some("X".into()) }),
            ..FactsInput::default()
        };
        let wrong = read(&bad, &Facts::default()).unwrap_err();
        let fields: Vec<_> = wrong.fields().keys().map(String::as_str).collect();
        assert_eq!(fields, ["notice_days", "places.storage", "supply_chain", "ultimate_parent"]);
        for (days, is_taken) in
            [(0.0, true), (1825.0, true), (1826.0, false), (-1.0, false), (f64::NAN, false)]
        {
            let input = FactsInput { notice_days: Change::Set(days), ..FactsInput::default() };
            assert_eq!(read(&input, &Facts::default()).is_ok(), is_taken, "{days}");
        }
    }

    #[test]
    fn notice_is_counted_back_from_the_end_and_the_contract_comes_before_its_provider() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let end = Some(day("2027-03-31"));
        let (silent, own) = (Facts::default(), Facts { notice_days: Some(30), ..Facts::default() });
        assert_eq!(silent.notice_by(end, Some(90)), Some(day("2026-12-31")));
        assert_eq!(own.notice_by(end, Some(90)), Some(day("2027-03-01")));
        assert_eq!(own.notice_by(end, None), Some(day("2027-03-01")));
        assert_eq!(own.notice_by(None, Some(90)), None, "a contract without an end");
        assert_eq!(silent.notice_by(end, None), None);
    }
}
