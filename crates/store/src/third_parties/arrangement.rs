//! ICT arrangements. The analysis reads them through [`for_each_compact`], row by row, without collecting them.

use std::{borrow::Cow, collections::BTreeSet, sync::LazyLock};

use domain::{
    any_of::AnyOf,
    arrangement::{
        AnnualCost, Arrangement, ArrangementSort, Contract, Facts, Party, Place, Provider, ServiceType,
        Substitutability, SupplyStep, SupportedFunction,
    },
    currency::Currency,
    id::{ArrangementId, ProviderId},
    lei::Lei,
    moment::Day,
    money::Money,
    term::Term,
    words::words_of,
};
use serde::{Deserialize, Serialize};

use crate::{
    Reader, Result, TenantScope, Tx,
    function::{self, Referrer},
    params,
    record::{self, Kind, RecordRow},
    sql::{ARCHIVED, Cells, Error, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
};

crate::sql! {
    OF_PROVIDER = "SELECT record_id FROM provider_links
                   WHERE tenant_id = $1 AND provider_id = $2 AND kind = 'arrangement' ORDER BY record_id LIMIT $3";
    ALL = "SELECT id, reference, provider_name, provider_lei, provider_sector, technology, region, functions,
                  substitutability, cost_amount, cost_currency, starts_on, ends_on, facts
           FROM arrangements WHERE tenant_id = $1 ORDER BY id";
    REGIONS = "SELECT region FROM arrangements WHERE tenant_id = $1 AND archived = 0
               GROUP BY region ORDER BY region LIMIT $2";
    ANY = "SELECT 1 FROM arrangements WHERE tenant_id = $1 LIMIT 1";
}

pub type ArrangementRow = RecordRow<Arrangement>;

/// Which arrangements, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrangementFilter {
    pub provider: AnyOf<String>,
    pub region: AnyOf<String>,
    pub service_type: AnyOf<ServiceType>,
    pub substitutability: AnyOf<Substitutability>,
    pub critical: Option<bool>,
    /// Running on that day.
    pub active_on: Option<Day>,
    /// Only archived ones, or only the others.
    pub archived: Option<bool>,
    pub search: Option<String>,
    /// By reference if none is named.
    pub sort: Option<ArrangementSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> =
    LazyLock::new(|| TableStatements::of(&Arrangement::TABLE).with_key("reference").with_stamps());

impl Kind for Arrangement {
    type Id = ArrangementId;
    type Filter = ArrangementFilter;

    const TABLE: Table<Self> = Table {
        name: "arrangements",
        prefix: ArrangementId::PREFIX,
        columns: &[
            TableColumn::new("reference", |entry| Value::from(entry.contract.reference.as_str())),
            TableColumn::new("provider_name", |entry| Value::from(entry.contract.provider.name.as_str())),
            TableColumn::new("provider_lei", |entry| {
                Value::from(entry.contract.provider.lei.map(|lei| lei.to_string()))
            }),
            TableColumn::new("provider_country", |entry| {
                Value::Owned(entry.contract.provider.country.to_string())
            }),
            TableColumn::new("provider_sector", |entry| Value::from(entry.contract.provider.sector.as_str())),
            TableColumn::new("service", |entry| Value::from(entry.contract.service.as_str())),
            TableColumn::new("service_type", |entry| Value::from(entry.contract.service_type.as_str())),
            TableColumn::new("technology", |entry| Value::from(entry.contract.technology.as_str())),
            TableColumn::new("region", |entry| Value::from(entry.contract.region.as_str())),
            TableColumn::new("functions", |entry| Value::Owned(functions_text(&entry.contract.functions))),
            TableColumn::derived("critical", |entry| Value::from(entry.contract.is_critical())),
            TableColumn::new("substitutability", |entry| {
                Value::from(entry.contract.substitutability.as_str())
            }),
            TableColumn::new("cost_amount", |entry| Value::from(entry.contract.annual_cost.money().amount)),
            TableColumn::new("cost_currency", |entry| {
                Value::Owned(entry.contract.annual_cost.money().currency.to_string())
            }),
            TableColumn::new("starts_on", |entry| Value::from(entry.contract.starts_on)),
            TableColumn::new("ends_on", |entry| Value::day(entry.contract.ends_on)),
            TableColumn::new("facts", |entry| Value::Owned(facts_text(&entry.facts))),
            TableColumn::derived("words", |entry| Value::Owned(entry.contract.words())),
        ],
        archives: true,
        work: None,
        filters: &[
            Filter { name: "provider", condition: "r.provider_name = ?" },
            Filter { name: "region", condition: "r.region = ?" },
            Filter { name: "service_type", condition: "r.service_type = ?" },
            Filter { name: "substitutability", condition: "r.substitutability = ?" },
            Filter { name: "critical", condition: "r.critical = ?" },
            Filter { name: "active_from", condition: "r.starts_on <= ?" },
            Filter { name: "active_to", condition: "r.ends_on >= ?" },
            Filter { name: "search", condition: "r.words LIKE ?" },
            ARCHIVED,
        ],
        sorts: &[("reference", "r.reference"), ("-annual_cost", "r.cost_amount DESC")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        let contract = Contract {
            reference: cells.check("reference", Term::parse)?,
            provider: Provider {
                name: cells.check("provider_name", Term::parse)?,
                lei: cells.parse_opt("provider_lei")?,
                country: cells.parse("provider_country")?,
                sector: cells.check("provider_sector", Term::parse)?,
            },
            service: cells.check("service", Term::parse)?,
            service_type: cells.parse("service_type")?,
            technology: cells.check("technology", Term::parse)?,
            region: cells.check("region", Term::parse)?,
            functions: cells.check("functions", supported)?,
            substitutability: cells.parse("substitutability")?,
            annual_cost: cost(cells.get("cost_amount")?, cells.parse("cost_currency")?)?,
            starts_on: cells.parse("starts_on")?,
            ends_on: cells.day("ends_on")?,
        };
        Ok(Self { contract, facts: cells.check("facts", read_facts)? })
    }

    fn narrow<'q>(filter: &'q ArrangementFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_text("provider", &filter.provider)
            .any_text("region", &filter.region)
            .any_word("service_type", &filter.service_type)
            .any_word("substitutability", &filter.substitutability)
            .filter_opt("critical", filter.critical)
            .filter_opt("active_from", filter.active_on)
            .filter_opt("active_to", filter.active_on)
            .filter_opt("search", filter.search.as_deref().map(pattern))
            .filter_opt("archived", filter.archived)
            .order_opt(Some(filter.sort.unwrap_or(ArrangementSort::Reference).as_str()))
    }

    /// Stores which functions the arrangement supports.
    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&ArrangementRow>,
        after: Option<&ArrangementRow>,
    ) -> Result<()> {
        let Some(after) = after else {
            return before.map_or(Ok(()), |gone| function::forget(tx, scope, &gone.id.to_string()));
        };
        let functions = &after.record.contract.functions;
        if before.is_some_and(|before| before.record.contract.functions == *functions) {
            return Ok(());
        }
        let names = functions.iter().map(|each| (each.name.as_str(), each.critical));
        let record = after.id.to_string();
        function::refer(tx, scope, (Referrer::Arrangement, record.as_str()), names, after.updated_at)
    }
}

/// The pattern that finds the [words](Contract::words) of an arrangement in which each word of the query is the
/// prefix of a word.
///
/// The words are in alphabetical order, so one pattern in that order is enough. A word that is a prefix of the next
/// one is left out, because every match of the longer one also matches the shorter one.
fn pattern(question: &str) -> String {
    let wanted: BTreeSet<String> = words_of(question).into_iter().collect();
    let wanted: Vec<String> = wanted.into_iter().collect();
    let mut text = String::new();
    for (index, word) in wanted.iter().enumerate() {
        if wanted.get(index + 1).is_none_or(|next| !next.starts_with(word)) {
            text.push_str("% ");
            text.push_str(word);
        }
    }
    // A query without words finds nothing, like the empty pattern.
    if text.is_empty() { text } else { text + "%" }
}

/// One arrangement as the analysis reads it, borrowed from the engine's row.
#[derive(Debug)]
pub struct Compact<'r> {
    pub id: ArrangementId,
    pub reference: &'r str,
    pub provider: (&'r str, Option<Lei>),
    pub sector: &'r str,
    pub technology: &'r str,
    pub region: &'r str,
    pub functions: FunctionsText<'r>,
    pub substitutability: Substitutability,
    pub annual_cost: AnnualCost,
    pub starts_on: Day,
    pub ends_on: Option<Day>,
    pub facts: FactsText<'r>,
}

/// Functions as stored. Equal texts are equal functions, so a caller that reads many can parse each text once.
#[derive(Debug, Clone, Copy)]
pub struct FunctionsText<'r>(pub &'r str);

impl<'r> FunctionsText<'r> {
    pub fn read(self) -> Result<Vec<(Cow<'r, str>, bool)>> {
        read_functions(self.0)
    }

    pub fn supported(self) -> Result<Vec<SupportedFunction>> {
        supported(self.0)
    }
}

/// Facts as stored. Equal texts are equal facts.
#[derive(Debug, Clone, Copy)]
pub struct FactsText<'r>(pub &'r str);

impl FactsText<'_> {
    pub fn read(self) -> Result<Facts> {
        read_facts(self.0)
    }
}

/// Facts as stored, with short field names because a register has many of them.
#[derive(Debug, Default, Serialize, Deserialize)]
struct KeptFacts<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exit_plan: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice_days: Option<u32>,
    #[serde(default, borrow, skip_serializing_if = "Vec::is_empty")]
    places: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Supplier and recipient.
    #[serde(default, borrow, skip_serializing_if = "Vec::is_empty")]
    chain: Vec<(KeptParty<'a>, KeptParty<'a>)>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    parent: Option<KeptParty<'a>>,
}

/// Name and LEI.
type KeptParty<'a> = (Cow<'a, str>, Option<Cow<'a, str>>);

const NO_FACTS: &str = "{}";

fn facts_text(facts: &Facts) -> String {
    fn party(party: &Party) -> KeptParty<'_> {
        (party.name.as_str().into(), party.lei.map(|lei| lei.to_string().into()))
    }
    let kept = KeptFacts {
        exit_plan: facts.exit_plan,
        notice_days: facts.notice_days,
        places: facts
            .places
            .iter()
            .map(|(place, country)| (place.as_str().into(), country.to_string().into()))
            .collect(),
        chain: facts.chain.iter().map(|step| (party(&step.supplier), party(&step.recipient))).collect(),
        parent: facts.ultimate_parent.as_ref().map(party),
    };
    serde_json::to_string(&kept).unwrap_or_else(|_| NO_FACTS.to_owned())
}

fn read_facts(text: &str) -> Result<Facts> {
    if text == NO_FACTS {
        return Ok(Facts::default());
    }
    let party = |(name, lei): &KeptParty<'_>| -> Result<Party> {
        let lei = lei.as_ref().map(|lei| lei.parse::<Lei>().map_err(Error::corrupt)).transpose()?;
        Ok(Party { name: Term::parse(name).map_err(Error::corrupt)?, lei })
    };
    let place = |(place, country): &(Cow<'_, str>, Cow<'_, str>)| {
        let known = Place::ALL.iter().copied().find(|known| known.as_str() == place);
        let known = known.ok_or_else(|| Error::corrupt("an arrangement with an unknown kind of place"))?;
        Ok((known, country.parse().map_err(Error::corrupt)?))
    };
    let kept: KeptFacts<'_> = serde_json::from_str(text).map_err(Error::corrupt)?;
    let step = |(supplier, recipient): &(KeptParty<'_>, KeptParty<'_>)| {
        Ok(SupplyStep { supplier: party(supplier)?, recipient: party(recipient)? })
    };
    Ok(Facts {
        exit_plan: kept.exit_plan,
        notice_days: kept.notice_days,
        places: kept.places.iter().map(place).collect::<Result<_>>()?,
        chain: kept.chain.iter().map(step).collect::<Result<_>>()?,
        ultimate_parent: kept.parent.as_ref().map(party).transpose()?,
    })
}

fn functions_text(functions: &[SupportedFunction]) -> String {
    let pairs: Vec<_> = functions.iter().map(|each| (each.name.as_str(), each.critical)).collect();
    serde_json::to_string(&pairs).unwrap_or_else(|_| "[]".to_owned())
}

fn read_functions(text: &str) -> Result<Vec<(Cow<'_, str>, bool)>> {
    /// `Cow` in a tuple always copies; this borrows what has no escapes.
    #[derive(Deserialize)]
    struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>, bool);
    let pairs: Vec<Borrowed<'_>> = serde_json::from_str(text).map_err(Error::corrupt)?;
    Ok(pairs.into_iter().map(|Borrowed(name, critical)| (name, critical)).collect())
}

fn supported(text: &str) -> Result<Vec<SupportedFunction>> {
    let function = |(name, critical): &(Cow<'_, str>, bool)| {
        Ok(SupportedFunction { name: Term::parse(name).map_err(Error::corrupt)?, critical: *critical })
    };
    read_functions(text)?.iter().map(function).collect()
}

fn cost(amount: i64, currency: Currency) -> Result<AnnualCost> {
    AnnualCost::stored(Money { amount, currency }).map_err(Error::corrupt)
}

pub fn by_reference(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    reference: &str,
) -> Result<Option<ArrangementRow>> {
    record::by_key::<Arrangement>(reader, scope, reference)
}

/// The arrangements with a provider, oldest first, at most so many.
pub fn of_provider(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    provider: ProviderId,
    most: u32,
) -> Result<Vec<ArrangementRow>> {
    let values = params![scope.tenant(), provider, i64::from(most)];
    let ids = reader.query(&OF_PROVIDER, values, |row| row.parse(0))?;
    let mut rows = record::get_many::<Arrangement>(reader, scope, &ids)?;
    rows.sort_by_key(|row| row.id);
    Ok(rows)
}

/// The regions of the arrangements in the register, in alphabetical order.
pub fn regions(reader: &mut Reader<'_>, scope: &TenantScope, most: u32) -> Result<Vec<String>> {
    reader.query(&REGIONS, params![scope.tenant(), i64::from(most)], |row| row.get(0))
}

/// Whether the tenant has any arrangement.
pub fn any(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<bool> {
    Ok(reader.query_opt(&ANY, params![scope.tenant()], |_| Ok(()))?.is_some())
}

/// Calls `each` for every arrangement of the tenant, oldest first.
pub fn for_each_compact(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    mut each: impl FnMut(Compact<'_>) -> Result<()>,
) -> Result<()> {
    reader.for_each(&ALL, params![scope.tenant()], |row| {
        each(Compact {
            id: row.parse(0)?,
            reference: row.text(1)?,
            provider: (row.text(2)?, row.parse_opt(3)?),
            sector: row.text(4)?,
            technology: row.text(5)?,
            region: row.text(6)?,
            functions: FunctionsText(row.text(7)?),
            substitutability: row.parse(8)?,
            annual_cost: cost(row.get(9)?, row.parse(10)?)?,
            starts_on: row.parse(11)?,
            ends_on: row.day(12)?,
            facts: FactsText(row.text(13)?),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_becomes_one_pattern_in_alphabetical_order() {
        assert_eq!(pattern("Süd cloud CLO"), "% cloud% sud%");
        assert_eq!(pattern("100%_"), "% 100%");
        assert_eq!(pattern(" !? "), "");
    }
}
