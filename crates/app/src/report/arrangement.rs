//! The register as a table with the columns of the importable one, so that it can be imported again.

use domain::{
    arrangement::{AnnualCost, Entry, Facts, Party, Place, SupplyStep},
    money::Money,
    page::Reading,
    register::FLAT_COLUMNS,
    wording::Label,
};

use super::{File, TableFormat, column::TableColumn, words::word};
use crate::{
    App, Result,
    arrangement::{ArrangementFilter, ArrangementRow},
    authz::Caller,
};

/// Separates the items of one cell, as the import reads them.
const BETWEEN: &str = "|";

impl App {
    /// The arrangements that a page with these filters lists, as they are now or as of the end of a day.
    pub async fn arrangements_file(
        &self,
        caller: &Caller,
        filter: &ArrangementFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let columns = FLAT_COLUMNS.map(|column| column_of(column.name));
        let load = self.record_pages_as_of::<Entry>(caller, filter, reading);
        let cells = |row: &ArrangementRow| FLAT_COLUMNS.map(|column| cell(&row.record, column.name));
        let file = self.table(caller, "ict-arrangements", format, columns, load, cells).await?;
        Ok(file.named_as_of(reading))
    }
}

/// A column with the headings that the import reads, too. Its words are those of the table, which are the same in both
/// languages.
fn column_of(name: &'static str) -> TableColumn {
    let label = label(name);
    match name {
        "annual_cost" | "notice_days" => TableColumn::number(name, label),
        "starts_on" | "ends_on" => TableColumn::day(name, label),
        _ => TableColumn::text(name, label),
    }
}

fn label(name: &'static str) -> Label {
    match name {
        "reference" => word("Reference", "Referenz"),
        "provider_name" => word("Provider name", "Dienstleister"),
        "provider_lei" => word("Provider LEI", "LEI des Dienstleisters"),
        "provider_country" => word("Provider country", "Land des Dienstleisters"),
        "provider_sector" => word("Provider sector", "Branche des Dienstleisters"),
        "parent_name" => word("Parent name", "Konzernspitze"),
        "parent_lei" => word("Parent LEI", "LEI der Konzernspitze"),
        "service" => word("Service", "Dienst"),
        "service_type" => word("Service type", "Art des Dienstes"),
        "technology" => word("Technology", "Technologie"),
        "region" => word("Region", "Region"),
        "critical_functions" => word("Critical functions", "Kritische Funktionen"),
        "other_functions" => word("Other functions", "Weitere Funktionen"),
        "substitutability" => word("Substitutability", "Ersetzbarkeit"),
        "exit_plan" => word("Exit plan", "Ausstiegsplan"),
        "annual_cost" => word("Annual cost", "Jährliche Kosten"),
        "currency" => word("Currency", "Währung"),
        "starts_on" => word("Starts on", "Beginnt am"),
        "ends_on" => word("Ends on", "Endet am"),
        "notice_days" => word("Notice days", "Kündigungsfrist in Tagen"),
        "provision_countries" => word("Provision countries", "Länder der Erbringung"),
        "storage_countries" => word("Storage countries", "Länder der Speicherung"),
        "processing_countries" => word("Processing countries", "Länder der Verarbeitung"),
        "subcontractors" => word("Subcontractors", "Unterauftragnehmer"),
        other => word(other, other),
    }
}

fn cell(entry: &Entry, column: &str) -> String {
    let Entry { arrangement: content, facts } = entry;
    let lei = |lei: Option<domain::lei::Lei>| lei.map(|lei| lei.to_string()).unwrap_or_default();
    let functions = |critical: bool| {
        let named = content.functions.iter().filter(|function| function.critical == critical);
        named.map(|function| function.name.as_str()).collect::<Vec<_>>().join(BETWEEN)
    };
    let parent = facts.ultimate_parent.as_ref();
    match column {
        "reference" => content.reference.to_string(),
        "provider_name" => content.provider.name.to_string(),
        "provider_lei" => lei(content.provider.lei),
        "provider_country" => content.provider.country.to_string(),
        "provider_sector" => content.provider.sector.to_string(),
        "parent_name" => parent.map(|parent| parent.name.to_string()).unwrap_or_default(),
        "parent_lei" => lei(parent.and_then(|parent| parent.lei)),
        "service" => content.service.to_string(),
        "service_type" => content.service_type.to_string(),
        "technology" => content.technology.to_string(),
        "region" => content.region.to_string(),
        "critical_functions" => functions(true),
        "other_functions" => functions(false),
        "substitutability" => content.substitutability.to_string(),
        "exit_plan" => facts.exit_plan.map_or("", |plan| if plan { "yes" } else { "no" }).to_owned(),
        "annual_cost" => cost(content.annual_cost),
        "currency" => content.annual_cost.money().currency.to_string(),
        "starts_on" => content.starts_on.to_string(),
        "ends_on" => content.ends_on.map(|day| day.to_string()).unwrap_or_default(),
        "notice_days" => facts.notice_days.map(|days| days.to_string()).unwrap_or_default(),
        "provision_countries" => countries(facts, Place::Provision),
        "storage_countries" => countries(facts, Place::Storage),
        "processing_countries" => countries(facts, Place::Processing),
        "subcontractors" => {
            chains(&facts.chain, &Party { name: content.provider.name.clone(), lei: content.provider.lei })
        }
        _ => String::new(),
    }
}

/// The amount in major units; empty if the register gives it with another contract.
fn cost(cost: AnnualCost) -> String {
    match cost {
        AnnualCost::Elsewhere(_) => String::new(),
        AnnualCost::Own(money) => amount(money),
    }
}

fn amount(money: Money) -> String {
    let written = money.to_string();
    written.split(' ').next().unwrap_or_default().to_owned()
}

fn countries(facts: &Facts, of: Place) -> String {
    let there = facts.places.iter().filter(|(place, _)| *place == of);
    there.map(|(_, country)| country.to_string()).collect::<Vec<_>>().join(BETWEEN)
}

/// Every path from the direct provider to the end of its supply chain.
fn chains(steps: &[SupplyStep], provider: &Party) -> String {
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
    use domain::term::Term;

    use super::*;

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
