//! The input of an arrangement, and how it becomes an arrangement.

use crate::{
    change::{Change, Fields},
    currency::Currency,
    moment::Day,
    money::Money,
    term::Term,
    text::TextError,
    violation::{Complaint, FieldComplaint, FieldName, RecordComplaint, Violations},
};

use super::{AnnualCost, Arrangement, Contract, Facts, FactsInput, Party, Provider, SupportedFunction};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ArrangementInput {
    pub reference: Change<String>,
    pub provider: Change<ProviderInput>,
    pub service: Change<String>,
    pub service_type: Change<String>,
    pub technology: Change<String>,
    pub region: Change<String>,
    pub functions: Change<Vec<FunctionInput>>,
    pub substitutability: Change<String>,
    pub annual_cost: Change<CostInput>,
    pub starts_on: Change<String>,
    pub ends_on: Change<String>,
    pub facts: FactsInput,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderInput {
    pub name: Change<String>,
    pub lei: Change<String>,
    pub country: Change<String>,
    pub sector: Change<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionInput {
    pub name: String,
    /// The default is not critical: the bank makes the assessment, and none is presumed.
    pub critical: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CostInput {
    /// In minor units.
    pub amount: Change<i64>,
    pub currency: Change<String>,
}

impl ArrangementInput {
    pub fn create(&self) -> Result<Arrangement, Violations> {
        self.read(None)
    }

    /// The arrangement after this change.
    pub fn change(&self, current: &Arrangement) -> Result<Arrangement, Violations> {
        self.read(Some(current))
    }

    fn read(&self, entry: Option<&Arrangement>) -> Result<Arrangement, Violations> {
        let mut fields = Fields::default();
        let current = entry.map(|entry| &entry.contract);
        let reference = term(&mut fields, "reference", &self.reference, current.map(|c| &c.reference));
        let provider = self.read_provider(&mut fields, current);
        let service = term(&mut fields, "service", &self.service, current.map(|c| &c.service));
        let service_type =
            fields.required("service_type", &self.service_type, current.map(|c| c.service_type), |text| {
                text.parse()
            });
        let technology = term(&mut fields, "technology", &self.technology, current.map(|c| &c.technology));
        let region = term(&mut fields, "region", &self.region, current.map(|c| &c.region));
        let functions = self.read_functions(&mut fields, current);
        let substitutability = fields.required(
            "substitutability",
            &self.substitutability,
            current.map(|c| c.substitutability),
            |text| text.parse(),
        );
        let annual_cost = self.read_cost(&mut fields, current);
        let starts_on =
            fields.required("starts_on", &self.starts_on, current.map(|c| c.starts_on), |text| text.parse());
        let ends_on = self.read_end(&mut fields, current, starts_on);
        let facts = self.read_facts(&mut fields, entry, provider.as_ref());
        let build = || {
            let contract = Contract {
                reference: reference?,
                provider: provider?,
                service: service?,
                service_type: service_type?,
                technology: technology?,
                region: region?,
                functions,
                substitutability: substitutability?,
                annual_cost: annual_cost?,
                starts_on: starts_on?,
                ends_on,
            };
            Some(Arrangement { contract, facts })
        };
        fields.finish(build())
    }

    /// If the provider is renamed, its supply chain is renamed too.
    fn read_facts(
        &self,
        fields: &mut Fields,
        entry: Option<&Arrangement>,
        provider: Option<&Provider>,
    ) -> Facts {
        let new = provider.map(|provider| Party { name: provider.name.clone(), lei: provider.lei });
        let mut before = entry.map(|entry| entry.facts.clone()).unwrap_or_default();
        if let (Some(entry), Some(new)) = (entry, &new) {
            let old = entry.contract.direct_provider();
            for step in before.chain.iter_mut().filter(|step| step.recipient == old) {
                step.recipient = new.clone();
            }
        }
        self.facts.read(fields, &before, new.as_ref())
    }

    /// A provider's fields can be changed one by one.
    fn read_provider(&self, fields: &mut Fields, current: Option<&Contract>) -> Option<Provider> {
        let before = current.map(|c| &c.provider);
        let input = part(fields, "provider", &self.provider)?;
        let name = term(fields, "provider.name", &input.name, before.map(|p| &p.name));
        let lei =
            fields.optional("provider.lei", &input.lei, before.and_then(|p| p.lei), |text| text.parse());
        let country =
            fields
                .required("provider.country", &input.country, before.map(|p| p.country), |text| text.parse());
        let sector = term(fields, "provider.sector", &input.sector, before.map(|p| &p.sector));
        Some(Provider { name: name?, lei, country: country?, sector: sector? })
    }

    fn read_functions(&self, fields: &mut Fields, current: Option<&Contract>) -> Vec<SupportedFunction> {
        let parse = |input: &FunctionInput| -> Result<_, TextError> {
            Ok(SupportedFunction { name: Term::parse(&input.name)?, critical: input.critical })
        };
        let functions =
            fields.list("functions", &self.functions, current.map(|c| c.functions.clone()), parse);
        for (index, function) in functions.iter().enumerate() {
            if functions[..index].iter().any(|before| before.name == function.name) {
                fields.refuse("functions", Complaint::item(index, RecordComplaint::RepeatedFunction));
            }
        }
        functions
    }

    /// Amount and currency can be changed one by one; a cost that a register gives as zero stays zero until a user
    /// sets it.
    fn read_cost(&self, fields: &mut Fields, current: Option<&Contract>) -> Option<AnnualCost> {
        let before = current.map(|c| c.annual_cost);
        let input = part(fields, "annual_cost", &self.annual_cost)?;
        if let (Change::Keep, Change::Keep, Some(before)) = (&input.amount, &input.currency, before) {
            return Some(before);
        }
        let money = before.map(AnnualCost::money);
        let currency =
            fields.required("annual_cost.currency", &input.currency, money.map(|m| m.currency), |text| {
                text.parse::<Currency>()
            });
        let amount =
            fields.required("annual_cost.amount", &input.amount, money.map(|m| m.amount), |amount| {
                // The permitted amounts do not depend on the currency.
                AnnualCost::own(Money { amount: *amount, currency: Currency::EUR }).map(|_| *amount)
            });
        AnnualCost::stored(Money { amount: amount?, currency: currency? }).ok()
    }

    fn read_end(
        &self,
        fields: &mut Fields,
        current: Option<&Contract>,
        starts_on: Option<Day>,
    ) -> Option<Day> {
        let ends_on = fields
            .optional("ends_on", &self.ends_on, current.and_then(|c| c.ends_on), |text| text.parse::<Day>());
        // Registers write the last day of the calendar for "no end".
        let ends_on = ends_on.filter(|day| *day != Day::LAST)?;
        if let Some(first) = starts_on.filter(|first| ends_on < *first) {
            fields.refuse("ends_on", FieldComplaint::BeforeStart { field: FieldName::StartsOn, day: first });
        }
        Some(ends_on)
    }
}

fn term(fields: &mut Fields, name: &str, change: &Change<String>, current: Option<&Term>) -> Option<Term> {
    fields.required(name, change, current.cloned(), |text| Term::parse(text))
}

/// A nested object of the input: if left out it changes nothing, and its missing fields are reported.
fn part<T: Clone + Default>(fields: &mut Fields, name: &str, change: &Change<T>) -> Option<T> {
    fields
        .required(name, change, Some(T::default()), |input| Ok::<_, std::convert::Infallible>(input.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::{PartyInput, StepInput};

    fn set(text: &str) -> Change<String> {
        Change::Set(text.to_owned())
    }

    fn cost(amount: i64) -> Change<CostInput> {
        Change::Set(CostInput { amount: Change::Set(amount), currency: set("EUR") })
    }

    fn function(name: &str, critical: bool) -> FunctionInput {
        FunctionInput { name: name.to_owned(), critical }
    }

    fn provider() -> ProviderInput {
        ProviderInput {
            name: set("Nordlicht Cloud SE"),
            lei: set("529900D6BF99LW9R2E68"),
            country: set("DE"),
            sector: set("Cloud"),
        }
    }

    fn input() -> ArrangementInput {
        ArrangementInput {
            reference: set("C-2026-001"),
            provider: Change::Set(provider()),
            service: set("Core banking hosting"),
            service_type: set("S17"),
            technology: set("Kubernetes"),
            region: set("Frankfurt"),
            functions: Change::Set(vec![function("Payments", true)]),
            substitutability: set("hard"),
            annual_cost: cost(125_000),
            starts_on: set("2026-01-01"),
            ends_on: Change::Clear,
            facts: FactsInput::default(),
        }
    }

    fn wrong_fields(input: &ArrangementInput) -> Vec<String> {
        input.create().unwrap_err().fields().keys().cloned().collect()
    }

    #[test]
    fn reads_a_complete_input() {
        let Arrangement { contract, .. } = input().create().unwrap();
        assert!(contract.is_critical());
        assert!(contract.is_active("2026-01-01".parse().unwrap()));
        assert!(!contract.is_active("2025-12-31".parse().unwrap()));
    }

    #[test]
    fn an_empty_input_names_everything_it_lacks() {
        let missing = wrong_fields(&ArrangementInput::default());
        let expected = "annual_cost.amount annual_cost.currency provider.country provider.name provider.sector \
                        reference region service service_type starts_on substitutability technology";
        assert_eq!(missing, expected.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn every_wrong_value_is_named_at_once() {
        let bad = ArrangementInput {
            provider: Change::Set(ProviderInput { lei: set("529900D6BF99LW9R2E69"), ..provider() }),
            service_type: set("S20"),
            functions: Change::Set(vec![function("Payments", false), function(" Payments ", false)]),
            annual_cost: Change::Clear,
            ends_on: set("2025-12-31"),
            ..input()
        };
        assert_eq!(
            wrong_fields(&bad),
            ["annual_cost", "ends_on", "functions", "provider.lei", "service_type"]
        );
    }

    #[test]
    fn costs_are_above_zero() {
        for amount in [i64::MIN, -1, 0, i64::MAX] {
            let bad = ArrangementInput { annual_cost: cost(amount), ..input() };
            assert_eq!(wrong_fields(&bad), ["annual_cost.amount"], "{amount}");
        }
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        let before = input().create().unwrap();
        assert_eq!(ArrangementInput::default().change(&before), Ok(before.clone()));
        let change = ArrangementInput {
            provider: Change::Set(ProviderInput { lei: Change::Clear, ..ProviderInput::default() }),
            ends_on: set("9999-12-31"),
            annual_cost: Change::Set(CostInput { amount: Change::Set(7), currency: Change::Keep }),
            ..ArrangementInput::default()
        };
        let after = change.change(&before).unwrap().contract;
        assert_eq!((after.provider.lei, &after.provider.name), (None, &before.contract.provider.name));
        assert_eq!(after.ends_on, None);
        assert_eq!(after.annual_cost.money().to_string(), "0.07 EUR");
        let backwards = ArrangementInput { ends_on: set("2025-01-01"), ..ArrangementInput::default() };
        assert!(backwards.change(&before).unwrap_err().fields().contains_key("ends_on"));
    }

    #[test]
    fn a_cost_that_stands_elsewhere_survives_other_changes() {
        let mut before = input().create().unwrap();
        before.contract.annual_cost = AnnualCost::Elsewhere(Currency::EUR);
        let change = ArrangementInput { region: set("Bonn"), ..ArrangementInput::default() };
        let after = change.change(&before).unwrap();
        assert_eq!(after.contract.annual_cost, before.contract.annual_cost);
    }

    #[test]
    fn the_supply_chain_follows_a_renamed_provider() {
        let mut named = input();
        named.facts.supply_chain = Change::Set(vec![StepInput {
            supplier: PartyInput { name: "Rhein RZ".into(), lei: None },
            recipient: None,
        }]);
        let before = named.create().unwrap();
        let rename = ProviderInput { name: set("Polarlicht Cloud SE"), ..ProviderInput::default() };
        let change = ArrangementInput { provider: Change::Set(rename), ..ArrangementInput::default() };
        let after = change.change(&before).unwrap();
        assert_eq!(after.facts.chain[0].recipient, after.contract.direct_provider());
    }
}
