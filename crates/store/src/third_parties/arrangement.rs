//! ICT arrangements. The analysis reads them through [`for_each_compact`], row by row, without collecting them.

use std::borrow::Cow;

use domain::{
    arrangement::{
        AnnualCost, Arrangement, Entry, Facts, Party, Place, Provider, ServiceType, Substitutability,
        SupplyStep, SupportedFunction,
    },
    id::{ArrangementId, ProviderId},
    lei::Lei,
    moment::{Day, Moment},
    money::Money,
    page::{Page, PageRequest},
    term::Term,
};
use serde::{Deserialize, Serialize};

use crate::{
    Reader, Result, TenantScope, Tx,
    function::{self, Referrer},
    params,
    sql::{Error, Filter, List, Order, Row, Value, walk},
};

crate::sql! {
    INSERT = "INSERT INTO arrangements (id, tenant_id, reference, provider_name, provider_lei, provider_country,
                                        provider_sector, service, service_type, technology, region, functions,
                                        critical, substitutability, cost_amount, cost_currency, starts_on, ends_on,
                                        facts, words, version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
                      $21, $22, $23)";
    GET = "SELECT id, reference, provider_name, provider_lei, provider_country, provider_sector, service,
                  service_type, technology, region, functions, substitutability, cost_amount, cost_currency,
                  starts_on, ends_on, facts, version, created_at, updated_at
           FROM arrangements WHERE tenant_id = $1 AND id = $2";
    BY_REFERENCE = "SELECT id, reference, provider_name, provider_lei, provider_country, provider_sector, service,
                           service_type, technology, region, functions, substitutability, cost_amount,
                           cost_currency, starts_on, ends_on, facts, version, created_at, updated_at
                    FROM arrangements WHERE tenant_id = $1 AND reference = $2";
    OF_PROVIDER = "SELECT a.id, a.reference, a.provider_name, a.provider_lei, a.provider_country, a.provider_sector,
                          a.service, a.service_type, a.technology, a.region, a.functions, a.substitutability,
                          a.cost_amount, a.cost_currency, a.starts_on, a.ends_on, a.facts, a.version, a.created_at,
                          a.updated_at
                   FROM provider_links l
                   JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
                   WHERE l.tenant_id = $1 AND l.provider_id = $2 AND l.kind = 'arrangement'
                   ORDER BY l.record_id LIMIT $3";
    ALL = "SELECT id, reference, provider_name, provider_lei, provider_sector, technology, region, functions,
                  substitutability, cost_amount, cost_currency, starts_on, ends_on, facts
           FROM arrangements WHERE tenant_id = $1 ORDER BY id";
    ANY = "SELECT 1 FROM arrangements WHERE tenant_id = $1 LIMIT 1";
    UPDATE = "UPDATE arrangements SET reference = $4, provider_name = $5, provider_lei = $6, provider_country = $7,
                                      provider_sector = $8, service = $9, service_type = $10, technology = $11,
                                      region = $12, functions = $13, critical = $14, substitutability = $15,
                                      cost_amount = $16, cost_currency = $17, starts_on = $18, ends_on = $19,
                                      facts = $20, words = $21, version = version + 1, updated_at = $22
              WHERE tenant_id = $1 AND id = $2 AND version = $3";
    DELETE = "DELETE FROM arrangements WHERE tenant_id = $1 AND id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "arrangements",
    columns:
        "a.id, a.reference, a.provider_name, a.provider_lei, a.provider_country, a.provider_sector, a.service,
              a.service_type, a.technology, a.region, a.functions, a.substitutability, a.cost_amount,
              a.cost_currency, a.starts_on, a.ends_on, a.facts, a.version, a.created_at, a.updated_at",
    stamps: None,
    from: "arrangements a",
    base: "a.tenant_id = $1",
    filters: &[
        Filter { name: "provider", condition: "a.provider_name = ?" },
        Filter { name: "service_type", condition: "a.service_type = ?" },
        Filter { name: "substitutability", condition: "a.substitutability = ?" },
        Filter { name: "critical", condition: "a.critical = ?" },
        Filter { name: "active_from", condition: "a.starts_on <= ?" },
        Filter { name: "active_to", condition: "a.ends_on >= ?" },
        Filter { name: "search", condition: "a.words LIKE ?" },
    ],
    orders: &[
        Order { name: "reference", by: "a.reference", back: "a.reference DESC" },
        Order { name: "-created_at", by: "a.id DESC", back: "a.id" },
        Order { name: "-annual_cost", by: "a.cost_amount DESC, a.id", back: "a.cost_amount, a.id DESC" },
    ],
    found: None,
    walk: walk!("a.id", ArrangementId, "a.updated_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrangementRow {
    pub id: ArrangementId,
    pub content: Arrangement,
    pub facts: Facts,
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

impl ArrangementRow {
    /// The content of the row, without its id and version.
    pub fn entry(&self) -> Entry {
        Entry { arrangement: self.content.clone(), facts: self.facts.clone() }
    }
}

/// Which arrangements, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrangementQuery {
    pub provider: Option<String>,
    pub service_type: Option<ServiceType>,
    pub substitutability: Option<Substitutability>,
    pub critical: Option<bool>,
    /// Running on that day.
    pub active_on: Option<Day>,
    /// A pattern over the folded words.
    pub search: Option<String>,
    pub sort: Option<&'static str>,
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

fn cost(row: &Row<'_>, amount: usize) -> Result<AnnualCost> {
    let money = Money { amount: row.get(amount)?, currency: row.parse(amount + 1)? };
    AnnualCost::stored(money).map_err(Error::corrupt)
}

fn read(row: &Row<'_>) -> Result<ArrangementRow> {
    let label = |index| row.check(index, Term::parse);
    let function = |(name, critical): &(Cow<'_, str>, bool)| {
        Ok(SupportedFunction { name: Term::parse(name).map_err(Error::corrupt)?, critical: *critical })
    };
    Ok(ArrangementRow {
        id: row.parse(0)?,
        content: Arrangement {
            reference: label(1)?,
            provider: Provider {
                name: label(2)?,
                lei: row.parse_opt(3)?,
                country: row.parse(4)?,
                sector: label(5)?,
            },
            service: label(6)?,
            service_type: row.parse(7)?,
            technology: label(8)?,
            region: label(9)?,
            functions: read_functions(row.text(10)?)?.iter().map(function).collect::<Result<_>>()?,
            substitutability: row.parse(11)?,
            annual_cost: cost(row, 12)?,
            starts_on: row.parse(14)?,
            ends_on: row.day(15)?,
        },
        facts: read_facts(row.text(16)?)?,
        version: row.get(17)?,
        created_at: row.get(18)?,
        updated_at: row.get(19)?,
    })
}

/// The parameters that insert and update share, in the order of the columns.
fn content_params<'a>(row: &'a ArrangementRow, words: &'a str) -> [Value<'a>; 18] {
    let content = &row.content;
    let money = content.annual_cost.money();
    [
        content.reference.as_str().into(),
        content.provider.name.as_str().into(),
        content.provider.lei.map(|lei| lei.to_string()).into(),
        content.provider.country.to_string().into(),
        content.provider.sector.as_str().into(),
        content.service.as_str().into(),
        content.service_type.as_str().into(),
        content.technology.as_str().into(),
        content.region.as_str().into(),
        functions_text(&content.functions).into(),
        content.is_critical().into(),
        content.substitutability.as_str().into(),
        money.amount.into(),
        money.currency.to_string().into(),
        content.starts_on.into(),
        Value::day(content.ends_on),
        facts_text(&row.facts).into(),
        words.into(),
    ]
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow, words: &str) -> Result<()> {
    let mut params = params![row.id, scope.tenant()].to_vec();
    params.extend(content_params(row, words));
    params.extend_from_slice(params![row.version, row.created_at, row.updated_at]);
    tx.execute(&INSERT, &params)?;
    refer(tx, scope, row)
}

/// Stores which functions the arrangement supports.
fn refer(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<()> {
    let names = row.content.functions.iter().map(|each| (each.name.as_str(), each.critical));
    let record = row.id.to_string();
    function::refer(tx, scope, (Referrer::Arrangement, record.as_str()), names, row.updated_at)
}

/// Stores the changed arrangement if its version is still the one it was read with.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow, words: &str) -> Result<bool> {
    let mut params = params![scope.tenant(), row.id, row.version].to_vec();
    params.extend(content_params(row, words));
    params.extend_from_slice(params![row.updated_at]);
    if tx.execute(&UPDATE, &params)? == 0 {
        return Ok(false);
    }
    refer(tx, scope, row)?;
    Ok(true)
}

pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ArrangementId,
) -> Result<Option<ArrangementRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}

pub fn by_reference(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    reference: &str,
) -> Result<Option<ArrangementRow>> {
    reader.query_opt(&BY_REFERENCE, params![scope.tenant(), reference], read)
}

/// The arrangements with a provider, oldest first, at most so many.
pub fn of_provider(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    provider: ProviderId,
    most: u32,
) -> Result<Vec<ArrangementRow>> {
    reader.query(&OF_PROVIDER, params![scope.tenant(), provider, i64::from(most)], read)
}

/// Whether the tenant has any arrangement.
pub fn any(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<bool> {
    Ok(reader.query_opt(&ANY, params![scope.tenant()], |_| Ok(()))?.is_some())
}

pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    query: &ArrangementQuery,
    request: PageRequest,
) -> Result<Page<ArrangementRow>> {
    LIST.query(scope)
        .filter_opt("provider", query.provider.clone())
        .filter_opt("service_type", query.service_type.map(ServiceType::as_str))
        .filter_opt("substitutability", query.substitutability.map(Substitutability::as_str))
        .filter_opt("critical", query.critical)
        .filter_opt("active_from", query.active_on)
        .filter_opt("active_to", query.active_on)
        .filter_opt("search", query.search.clone())
        .order_opt(query.sort)
        .page(reader, request, read)
}

pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, id: ArrangementId) -> Result<bool> {
    function::forget(tx, scope, &id.to_string())?;
    Ok(tx.execute(&DELETE, params![scope.tenant(), id])? > 0)
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
            annual_cost: cost(row, 9)?,
            starts_on: row.parse(11)?,
            ends_on: row.day(12)?,
            facts: FactsText(row.text(13)?),
        })
    })
}
