//! Providers: their rows, what the register says about them, and which of them a company is.

use std::{collections::HashMap, sync::LazyLock};

use domain::{
    any_of::AnyOf,
    arrangement::Party,
    id::ProviderId,
    moment::Day,
    provider::{Provider, ProviderRating, ProviderSort, ReviewScores, ReviewState, SOON_DAYS},
    task::{TaskAction, TaskType},
};
use serde_json::{Value as Json, json};

pub(crate) use super::provider_link::refer_incident;
pub use super::provider_link::{Referred, forget, link_finding, make, of_arrangement, records_of, refer};
use crate::{
    Error, Reader, Result, TenantScope, params,
    record::{Kind, RecordRow},
    sql::{Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value, among},
    work::{Work, WorkDay},
};

crate::sql! {
    NEXT_REVIEW = "SELECT id, name, next_review_on FROM providers
                   WHERE tenant_id = $1 AND next_review_on <= $2 ORDER BY next_review_on, id LIMIT $3";
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
}

pub type ProviderRow = RecordRow<Provider>;

/// Which providers, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderFilter {
    /// Whether one of its arrangements supports a critical or important function.
    pub critical: Option<bool>,
    pub review: AnyOf<ReviewState>,
    /// The day that the state of reviews is computed for.
    pub today: Option<Day>,
    pub owner: AnyOf<String>,
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
        work: Some(&Work {
            table: "providers",
            task: Some(TaskType::Provider),
            id: "id",
            title: "name",
            owner: "owner",
            open: "",
            days: &[
                WorkDay::announced("next_review_on", TaskAction::Review),
            ],
        }),
        filters: &[
            Filter {
                name: "critical",
                condition: "(SELECT COALESCE(MAX(a.critical), 0) FROM provider_links l
                             JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
                             WHERE l.tenant_id = r.tenant_id AND l.provider_id = r.id AND l.kind = 'arrangement') = ?",
            },
            Filter { name: "owner", condition: "r.owner = ?" },
            // Two days, then the states that are wanted.
            Filter {
                name: "review_states",
                condition: "CAST(? AS TEXT) LIKE '%,' || CASE
                                WHEN r.next_review_on < substr(CAST(? AS TEXT), 1, 10) THEN 'overdue'
                                WHEN r.next_review_on <= substr(CAST(? AS TEXT), 12, 10) THEN 'due_soon'
                                WHEN r.last_review_on = 'none' THEN 'not_reviewed'
                                ELSE 'current' END || ',%'",
            },
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
        let state = filter.review.one().copied().zip(filter.today);
        let several = filter.today.filter(|_| filter.review.asks() && state.is_none());
        let soon = |today: Day| among(&[today, today.plus_days(SOON_DAYS)], &filter.review);
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
            .any_text("owner", &filter.owner)
            .filter_opt("review_states", several.map(soon))
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
