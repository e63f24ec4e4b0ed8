//! Providers, and which arrangements, incidents and findings belong to them.
//!
//! A provider is created together with the first arrangement that names it, in the same transaction, so that the
//! register stays the only source of name, LEI and country. One LEI is one provider, whatever name accompanies it; a
//! name without a LEI belongs to the provider with that name, as in the concentration analysis. A provider that gets
//! its LEI later keeps its record. One that no arrangement names any more is deleted unless something was recorded
//! about it.

use std::{collections::HashMap, sync::LazyLock};

use domain::{
    arrangement::Party,
    country::Country,
    id::ProviderId,
    lei::Lei,
    moment::{Day, Moment},
    provider::{Provider, ProviderRating, ProviderSort, ReviewScores, ReviewState, SOON_DAYS},
};
use serde_json::{Value as Json, json};

use crate::{
    Error, Reader, Result, TenantScope, Tx,
    arrangement::ArrangementRow,
    contract_notice::{self, Terms},
    function::made_of,
    params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Row, Table, TableColumn, TableStatements, Value},
};

crate::sql! {
    BY_LEI = "SELECT id, lei, notice_days, owner FROM providers WHERE tenant_id = $1 AND lei = $2 ORDER BY id LIMIT 1";
    BY_NAME = "SELECT id, lei, notice_days, owner FROM providers WHERE tenant_id = $1 AND name = $2 ORDER BY id LIMIT 3";
    NEXT_REVIEW = "SELECT id, name, next_review_on FROM providers
                   WHERE tenant_id = $1 AND next_review_on <= $2 ORDER BY next_review_on, id LIMIT $3";
    ENSURE = "INSERT INTO providers (id, tenant_id, name, lei, country, last_review_on, next_review_on, scores, words,
                                     version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, 'none', 'none', 'null', $6, 1, $7, $7)
              ON CONFLICT (id) DO NOTHING";
    RENAME = "UPDATE providers SET name = $3, lei = COALESCE(CAST($4 AS TEXT), lei), country = $5,
                                   words = CAST($6 AS TEXT) || ' ' || LOWER(COALESCE(owner, '')), updated_at = $7
              WHERE tenant_id = $1 AND id = $2
                AND (name <> $3 OR country <> $5 OR COALESCE(lei, '') <> COALESCE(CAST($4 AS TEXT), lei, ''))";
    OF_RECORD = "SELECT provider_id FROM provider_links WHERE tenant_id = $1 AND record_id = $2 LIMIT 1";
    UNLINK = "DELETE FROM provider_links WHERE tenant_id = $1 AND record_id = $2";
    LINK = "INSERT INTO provider_links (tenant_id, provider_id, kind, record_id) VALUES ($1, $2, $3, $4)
            ON CONFLICT (tenant_id, record_id, provider_id) DO NOTHING";
    LINK_ID = "INSERT INTO provider_links (tenant_id, provider_id, kind, record_id)
               SELECT p.tenant_id, p.id, 'incident', $2 FROM providers p WHERE p.tenant_id = $1 AND p.id = $3
               ON CONFLICT (tenant_id, record_id, provider_id) DO NOTHING";
    LINK_NAME = "INSERT INTO provider_links (tenant_id, provider_id, kind, record_id)
                 SELECT p.tenant_id, p.id, 'incident', $2 FROM providers p WHERE p.tenant_id = $1 AND p.name = $3
                 ON CONFLICT (tenant_id, record_id, provider_id) DO NOTHING";
    FORGET = "DELETE FROM providers WHERE tenant_id = $1 AND id = $2
                AND owner IS NULL AND rating IS NULL AND review_months IS NULL AND notice_days IS NULL
                AND note IS NULL AND archetype IS NULL AND contact IS NULL
                AND last_review_on = 'none' AND next_review_on = 'none'
                AND NOT EXISTS (SELECT 1 FROM provider_links l WHERE l.tenant_id = $1 AND l.provider_id = $2)
                AND NOT EXISTS (SELECT 1 FROM provider_reviews v WHERE v.tenant_id = $1 AND v.provider_id = $2)";
    FACTS = differs("the portable dialect has no list parameters",
        sqlite "SELECT l.provider_id, a.functions, a.critical, a.facts FROM provider_links l
                JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
                WHERE l.tenant_id = $1 AND l.provider_id IN (SELECT value FROM json_each($2))
                  AND l.kind = 'arrangement'",
        postgres "SELECT l.provider_id, a.functions, a.critical, a.facts FROM provider_links l
                  JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
                  WHERE l.tenant_id = $1
                    AND l.provider_id IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))
                    AND l.kind = 'arrangement'");
    COUNTS = differs("the portable dialect has no list parameters",
        sqlite "SELECT l.provider_id, 'incident', CAST(COUNT(*) AS BIGINT) FROM provider_links l
                WHERE l.tenant_id = $1 AND l.provider_id IN (SELECT value FROM json_each($2))
                  AND l.kind = 'incident'
                GROUP BY l.provider_id
                UNION ALL
                SELECT l.provider_id, 'finding', CAST(COUNT(*) AS BIGINT) FROM provider_links l
                JOIN findings f ON f.tenant_id = l.tenant_id AND f.id = l.record_id
                WHERE l.tenant_id = $1 AND l.provider_id IN (SELECT value FROM json_each($2))
                  AND l.kind = 'finding' AND f.status IN ('open', 'in_progress', 'resolved')
                GROUP BY l.provider_id",
        postgres "SELECT l.provider_id, 'incident', CAST(COUNT(*) AS BIGINT) FROM provider_links l
                  WHERE l.tenant_id = $1
                    AND l.provider_id IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))
                    AND l.kind = 'incident'
                  GROUP BY l.provider_id
                  UNION ALL
                  SELECT l.provider_id, 'finding', CAST(COUNT(*) AS BIGINT) FROM provider_links l
                  JOIN findings f ON f.tenant_id = l.tenant_id AND f.id = l.record_id
                  WHERE l.tenant_id = $1
                    AND l.provider_id IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))
                    AND l.kind = 'finding' AND f.status IN ('open', 'in_progress', 'resolved')
                  GROUP BY l.provider_id");
    KNOWN = differs("the portable dialect has no list parameters",
        sqlite "SELECT p.id, p.name, p.lei FROM providers p
                WHERE p.tenant_id = $1 AND p.name IN (SELECT value FROM json_each($2))
                UNION
                SELECT p.id, p.name, p.lei FROM providers p
                WHERE p.tenant_id = $1 AND p.lei IN (SELECT value FROM json_each($3))",
        postgres "SELECT p.id, p.name, p.lei FROM providers p
                  WHERE p.tenant_id = $1
                    AND p.name IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))
                  UNION
                  SELECT p.id, p.name, p.lei FROM providers p
                  WHERE p.tenant_id = $1
                    AND p.lei IN (SELECT json_array_elements_text(CAST(CAST($3 AS TEXT) AS JSON)))");
    RECORDS = "SELECT record_id FROM provider_links
               WHERE tenant_id = $1 AND provider_id = $2 AND kind = $3 ORDER BY record_id DESC LIMIT $4";
}

pub type ProviderRow = RecordRow<Provider>;

/// Which providers, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderFilter {
    /// Whether one of its arrangements supports a critical or important function.
    pub critical: Option<bool>,
    pub review: Option<ReviewState>,
    /// The day that the state of reviews is computed for.
    pub today: Option<Day>,
    pub owner: Option<String>,
    pub search: Option<String>,
    pub sort: Option<ProviderSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Provider::TABLE));

impl Kind for Provider {
    type Id = ProviderId;
    type Filter = ProviderFilter;

    const TABLE: Table<Self> = Table {
        name: "providers",
        prefix: ProviderId::PREFIX,
        columns: &[
            TableColumn::fixed("name", |provider| Value::from(&provider.name)),
            TableColumn::fixed("lei", |provider| Value::from(provider.lei.map(|lei| lei.to_string()))),
            TableColumn::fixed("country", |provider| Value::Owned(provider.country.to_string())),
            TableColumn::new("owner", |provider| Value::from(provider.owner.as_ref())),
            TableColumn::new("rating", |provider| Value::from(provider.rating.map(ProviderRating::as_str))),
            TableColumn::new("archetype", |provider| Value::from(provider.archetype.as_ref())),
            TableColumn::new("contact", |provider| {
                Value::from(provider.contact.as_ref().map(ToString::to_string))
            }),
            TableColumn::new("review_months", |provider| Value::from(provider.review_months)),
            TableColumn::new("notice_days", |provider| Value::from(provider.notice_days)),
            TableColumn::new("note", |provider| Value::from(provider.note.as_ref())),
            TableColumn::new("last_review_on", |provider| Value::day(provider.last_review_on)),
            TableColumn::new("next_review_on", |provider| Value::day(provider.next_review_on)),
            TableColumn::new("scores", |provider| Value::Owned(scores_json(provider.scores).to_string())),
            TableColumn::derived("words", |provider| Value::Owned(provider.words())),
        ],
        archives: false,
        filters: &[
            Filter {
                name: "critical",
                condition: "(SELECT COALESCE(MAX(a.critical), 0) FROM provider_links l
                             JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
                             WHERE l.tenant_id = r.tenant_id AND l.provider_id = r.id AND l.kind = 'arrangement') = ?",
            },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter { name: "review_before", condition: "r.next_review_on < ?" },
            Filter { name: "review_from", condition: "r.next_review_on >= ?" },
            Filter {
                name: "reviewed",
                condition: "(CASE WHEN r.last_review_on = 'none' THEN 0 ELSE 1 END) = ?",
            },
            Filter { name: "search", condition: "r.words LIKE ?" },
        ],
        sorts: &[("name", "r.name"), ("next_review_on", "r.next_review_on")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        let number = |number: Option<i64>| number.map(u32::try_from).transpose().map_err(Error::corrupt);
        Ok(Self {
            name: cells.name("name")?,
            lei: cells.parse_opt("lei")?,
            country: cells.parse("country")?,
            owner: cells.name_opt("owner")?,
            rating: cells.parse_opt("rating")?,
            archetype: cells.name_opt("archetype")?,
            contact: cells.parse_opt("contact")?,
            review_months: number(cells.get("review_months")?)?,
            notice_days: number(cells.get("notice_days")?)?,
            note: cells.prose_opt("note")?,
            last_review_on: cells.day("last_review_on")?,
            next_review_on: cells.day("next_review_on")?,
            scores: scores(&cells.json("scores")?)?,
        })
    }

    fn narrow<'q>(filter: &'q ProviderFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        // Wildcards of a pattern are removed: no provider name that people search for contains them.
        let pattern = |text: &String| format!("%{}%", text.to_lowercase().replace(['%', '_', '\\'], ""));
        let state = filter.review.zip(filter.today);
        let later = |(_, today): (ReviewState, Day)| today.plus_days(SOON_DAYS + 1);
        // Days that are not set are stored as a text that sorts after every day.
        let (before, from, reviewed) = match state {
            None => (None, None, None),
            Some((ReviewState::Overdue, today)) => (Some(today), None, None),
            Some((ReviewState::DueSoon, today)) => (state.map(later), Some(today), None),
            Some((ReviewState::Current, _)) => (None, state.map(later), Some(true)),
            Some((ReviewState::NotReviewed, _)) => (None, state.map(later), Some(false)),
        };
        list.filter_opt("critical", filter.critical)
            .filter_opt("owner", filter.owner.as_deref())
            .filter_opt("review_before", before)
            .filter_opt("review_from", from)
            .filter_opt("reviewed", reviewed)
            .filter_opt("search", filter.search.as_ref().map(pattern))
            .order_opt(filter.sort.map(ProviderSort::as_str))
    }
}

pub(crate) fn scores_json(scores: Option<ReviewScores>) -> Json {
    scores.map_or(Json::Null, |scores| json!({ "d": scores.dimensions, "o": scores.overall }))
}

pub(crate) fn scores(kept: &Json) -> Result<Option<ReviewScores>> {
    if kept.is_null() {
        return Ok(None);
    }
    let score = |value: &Json| value.as_u64().and_then(|score| u8::try_from(score).ok());
    let mut scores = ReviewScores { overall: score(&kept["o"]), ..ReviewScores::default() };
    let kept =
        kept["d"].as_array().ok_or_else(|| Error::corrupt("a provider with scores that cannot be read"))?;
    for (place, value) in scores.dimensions.iter_mut().zip(kept) {
        *place = score(value);
    }
    Ok(Some(scores))
}

/// The effect of a reference to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Referred {
    pub id: ProviderId,
    /// It is new, or its data in the register changed.
    pub is_changed: bool,
    /// The provider that was deleted because nothing refers to it any more.
    pub gone: Option<ProviderId>,
}

/// Stores which provider an arrangement belongs to, and creates a new one if needed.
pub fn refer(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<Referred> {
    let (provider, record, now) = (&row.record.arrangement.provider, row.id.to_string(), row.updated_at);
    let (name, lei) = (provider.name.as_str(), provider.lei.map(|lei| lei.to_string()));
    let before: Option<ProviderId> =
        tx.query_opt(&OF_RECORD, params![scope.tenant(), &record], |row| row.parse(0))?;
    let words = format!("{name} {}", lei.as_deref().unwrap_or_default()).to_lowercase();
    let country = provider.country.to_string();
    let mut terms = Terms { name: name.to_owned(), ..Terms::default() };
    let (id, is_changed) = if let Some(found) = find(tx, scope, name, provider.lei)? {
        let values = params![scope.tenant(), found.id, name, lei.as_deref(), &country, &words, now];
        (terms.notice_days, terms.owner) = (found.notice_days, found.owner);
        (found.id, tx.execute(&RENAME, values)? > 0)
    } else {
        let id = ProviderId::from(made_of(&record, &words, now));
        tx.execute(&ENSURE, params![id, scope.tenant(), name, lei.as_deref(), &country, &words, now])?;
        (id, true)
    };
    // A new arrangement without a notice period, its own or its provider's, has no day to keep or to forget.
    if before.is_some() || terms.notice_days.or(row.record.facts.notice_days).is_some() {
        contract_notice::keep(tx, scope, (id, &terms), row)?;
    }
    if before == Some(id) {
        return Ok(Referred { id, is_changed, gone: None });
    }
    tx.execute(&UNLINK, params![scope.tenant(), &record])?;
    tx.execute(&LINK, params![scope.tenant(), id, "arrangement", &record])?;
    let gone = before.map(|before| forget_unused(tx, scope, before)).transpose()?.flatten();
    Ok(Referred { id, is_changed, gone })
}

/// A provider that is there, with what decides about the days of its contracts.
#[derive(Debug, Clone)]
struct Found {
    id: ProviderId,
    lei: Option<String>,
    notice_days: Option<u32>,
    owner: Option<String>,
}

fn found(row: &Row<'_>) -> Result<Found> {
    let days: Option<i64> = row.get(2)?;
    Ok(Found {
        id: row.parse(0)?,
        lei: row.get(1)?,
        notice_days: days.map(u32::try_from).transpose().map_err(Error::corrupt)?,
        owner: row.get(3)?,
    })
}

/// The provider that a name and a LEI mean, if there is one.
fn find(tx: &mut Tx<'_>, scope: &TenantScope, name: &str, lei: Option<Lei>) -> Result<Option<Found>> {
    if let Some(lei) = lei {
        let lei = lei.to_string();
        let known = tx.query_opt(&BY_LEI, params![scope.tenant(), &lei], found)?;
        if known.is_some() {
            return Ok(known);
        }
    }
    let bearers: Vec<Found> = tx.query(&BY_NAME, params![scope.tenant(), name], found)?;
    let (with, without): (Vec<_>, Vec<_>) = bearers.into_iter().partition(|found| found.lei.is_some());
    let is_only = lei.is_none() && with.len() == 1;
    Ok(if is_only { with } else { without }.into_iter().next())
}

/// A provider with the day of its next review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextReview {
    pub id: ProviderId,
    pub name: String,
    pub on: Day,
}

/// The providers that are to be reviewed first, at most so many.
pub fn next_reviews(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<NextReview>> {
    reader.query(&NEXT_REVIEW, params![scope.tenant(), Day::LAST, limit], |row| {
        Ok(NextReview { id: row.parse(0)?, name: row.get(1)?, on: row.parse(2)? })
    })
}

/// Deletes the reference of a deleted arrangement. Returns the provider that was deleted with it.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, arrangement: &str) -> Result<Option<ProviderId>> {
    let before = tx.query_opt(&OF_RECORD, params![scope.tenant(), arrangement], |row| row.parse(0))?;
    tx.execute(&UNLINK, params![scope.tenant(), arrangement])?;
    contract_notice::forget(tx, scope, arrangement)?;
    before.map(|before| forget_unused(tx, scope, before)).transpose().map(Option::flatten)
}

fn forget_unused(tx: &mut Tx<'_>, scope: &TenantScope, id: ProviderId) -> Result<Option<ProviderId>> {
    let gone = tx.execute(&FORGET, params![scope.tenant(), id])?;
    Ok((gone > 0).then_some(id))
}

/// Stores which providers an incident names, by id or by name. Unknown names are ignored.
pub(crate) fn refer_incident(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    incident: &str,
    providers: &[String],
) -> Result<()> {
    tx.execute(&UNLINK, params![scope.tenant(), incident])?;
    for text in providers {
        let statement = if text.parse::<ProviderId>().is_ok() { &LINK_ID } else { &LINK_NAME };
        tx.execute(statement, params![scope.tenant(), incident, text])?;
    }
    Ok(())
}

/// Records that a finding is about a provider.
pub fn link_finding(tx: &mut Tx<'_>, scope: &TenantScope, id: ProviderId, finding: &str) -> Result<()> {
    tx.execute(&LINK, params![scope.tenant(), id, "finding", finding])?;
    Ok(())
}

/// The combined facts of one provider's arrangements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderFacts {
    pub arrangements: u64,
    pub critical_arrangements: u64,
    /// Different functions by name, each with whether it is critical.
    pub functions: std::collections::BTreeMap<String, bool>,
    /// Name and LEI of the head of its group.
    pub parent: Option<(String, Option<String>)>,
    pub incidents: u64,
    pub open_findings: u64,
}

/// The facts about these providers from the register and other records, in two statements.
pub fn facts_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[ProviderId],
) -> Result<HashMap<ProviderId, ProviderFacts>> {
    let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let values = [Value::from(scope.tenant()), Value::json(&texts)];
    let mut all: HashMap<ProviderId, ProviderFacts> = HashMap::new();
    reader.for_each(&FACTS, &values, |row| {
        let facts = all.entry(row.parse(0)?).or_default();
        facts.arrangements += 1;
        facts.critical_arrangements += u64::from(row.get::<bool>(2)?);
        for (name, critical) in crate::arrangement::FunctionsText(row.text(1)?).read()? {
            *facts.functions.entry(name.into_owned()).or_default() |= critical;
        }
        if facts.parent.is_none() {
            let parent = crate::arrangement::FactsText(row.text(3)?).read()?.ultimate_parent;
            facts.parent =
                parent.map(|parent| (parent.name.to_string(), parent.lei.map(|lei| lei.to_string())));
        }
        Ok(())
    })?;
    let counts: Vec<(ProviderId, String, u64)> =
        reader.query(&COUNTS, &values, |row| Ok((row.parse(0)?, row.get(1)?, row.get(2)?)))?;
    for (id, kind, count) in counts {
        let facts = all.entry(id).or_default();
        if kind == "incident" {
            facts.incidents = count;
        } else {
            facts.open_findings = count;
        }
    }
    Ok(all)
}

/// The providers that bear one of the names or LEIs of these companies.
pub fn known<'p>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    parties: impl Iterator<Item = &'p Party>,
) -> Result<Vec<KnownProvider>> {
    let (mut names, mut leis) = (Vec::new(), Vec::new());
    for party in parties {
        names.push(party.name.to_string());
        leis.extend(party.lei.map(|lei| lei.to_string()));
    }
    if names.is_empty() {
        return Ok(Vec::new());
    }
    reader.query(&KNOWN, &[Value::from(scope.tenant()), Value::json(&names), Value::json(&leis)], |row| {
        Ok(KnownProvider { id: row.parse(0)?, name: row.get(1)?, lei: row.get(2)? })
    })
}

/// A provider by what companies are recognised by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownProvider {
    pub id: ProviderId,
    pub name: String,
    pub lei: Option<String>,
}

/// Which of these a company is, by the rule of the register: a LEI decides, a name only where there is none.
pub fn meant(known: &[KnownProvider], party: &Party) -> Option<ProviderId> {
    let lei = party.lei.map(|lei| lei.to_string());
    if let Some(found) = known.iter().find(|one| lei.is_some() && one.lei == lei) {
        return Some(found.id);
    }
    let mut named = known.iter().filter(|one| one.name == party.name.as_str());
    let found = match lei {
        // A name with another LEI is another company.
        Some(_) => named.find(|one| one.lei.is_none()),
        None => named.next(),
    };
    found.map(|one| one.id)
}

/// Makes a record of a company that is no party to an arrangement.
pub fn make(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    party: &Party,
    country: Country,
    now: Moment,
) -> Result<ProviderId> {
    let lei = party.lei.map(|lei| lei.to_string());
    let (name, country) = (party.name.as_str(), country.to_string());
    let words = format!("{name} {}", lei.as_deref().unwrap_or_default()).to_lowercase();
    let id = ProviderId::from(made_of(&scope.tenant().to_string(), &words, now));
    tx.execute(&ENSURE, params![id, scope.tenant(), name, lei.as_deref(), &country, &words, now])?;
    Ok(id)
}

/// The ids of what belongs to a provider, newest first, at most so many. `kind` is `incident` or `finding`.
pub fn records_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ProviderId,
    kind: &str,
    most: u32,
) -> Result<Vec<String>> {
    reader.query(&RECORDS, params![scope.tenant(), id, kind, i64::from(most)], |row| row.get(0))
}

/// The provider an arrangement belongs to.
pub fn of_arrangement(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    arrangement: &str,
) -> Result<Option<ProviderId>> {
    reader.query_opt(&OF_RECORD, params![scope.tenant(), arrangement], |row| row.parse(0))
}
