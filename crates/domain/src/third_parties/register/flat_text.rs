//! How the cells of the simple table are written, so that they can be read again.

use crate::arrangement::{AnnualCost, Arrangement, Party, Place, SupplyStep};

/// Separates the items of one cell.
pub(super) const BETWEEN: &str = "|";

pub(super) fn filled(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

pub(super) fn functions(entry: &Arrangement, critical: bool) -> String {
    let named = entry.contract.functions.iter().filter(|function| function.critical == critical);
    named.map(|function| function.name.as_str()).collect::<Vec<_>>().join(BETWEEN)
}

/// The amount in major units; empty if the register gives it with another contract.
pub(super) fn annual_cost(cost: AnnualCost) -> String {
    match cost {
        AnnualCost::Elsewhere(_) => String::new(),
        AnnualCost::Own(money) => money.to_string().split(' ').next().unwrap_or_default().to_owned(),
    }
}

pub(super) fn countries(entry: &Arrangement, of: Place) -> String {
    let there = entry.facts.places.iter().filter(|(place, _)| *place == of);
    there.map(|(_, country)| country.to_string()).collect::<Vec<_>>().join(BETWEEN)
}

/// Every path from the direct provider to the end of its supply chain.
pub(super) fn chains(steps: &[SupplyStep], provider: &Party) -> String {
    let mut ends = Vec::new();
    follow(steps, provider, &mut Vec::new(), &mut ends);
    ends.join(BETWEEN)
}

fn follow<'s>(steps: &'s [SupplyStep], at: &Party, path: &mut Vec<&'s Party>, ends: &mut Vec<String>) {
    // A party that is already on the path would create a cycle.
    let next: Vec<_> = steps
        .iter()
        .filter(|step| step.recipient == *at && !path.contains(&&step.supplier))
        .map(|step| &step.supplier)
        .collect();
    if next.is_empty() && !path.is_empty() {
        ends.push(path.iter().map(|party| named(party)).collect::<Vec<_>>().join(" > "));
    }
    for supplier in next {
        path.push(supplier);
        follow(steps, supplier, path, ends);
        path.pop();
    }
}

fn named(party: &Party) -> String {
    match party.lei {
        Some(lei) => format!("{} [{lei}]", party.name),
        None => party.name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Term;

    fn party(name: &str) -> Party {
        Party { name: Term::parse(name).unwrap(), lei: None }
    }

    fn step(recipient: &str, supplier: &str) -> SupplyStep {
        SupplyStep { supplier: party(supplier), recipient: party(recipient) }
    }

    #[test]
    fn chains_are_written_from_the_provider_to_the_end() {
        let steps = [step("Cloud", "Data centre"), step("Data centre", "Power"), step("Cloud", "Fibre")];
        assert_eq!(chains(&steps, &party("Cloud")), "Data centre > Power|Fibre");
        assert_eq!(chains(&[], &party("Cloud")), "");
    }

    #[test]
    fn a_circle_ends_where_it_closes() {
        let steps = [step("Cloud", "A"), step("A", "B"), step("B", "A")];
        assert_eq!(chains(&steps, &party("Cloud")), "A > B");
    }
}
