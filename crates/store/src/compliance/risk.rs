//! Risks of the institution. Their references are counted per tenant.

use std::{collections::BTreeSet, sync::LazyLock};

use domain::{
    any_of::AnyOf,
    archive::Archived,
    id::{RiskId, TenantId},
    moment::Day,
    risk::{Acceptance, Rating, Risk, RiskCategory, RiskLevel, RiskReference, RiskSort, RiskStatus},
    task::{TaskAction, TaskType},
    text::Prose,
};
use serde_json::{Value as Json, json};

use crate::{
    Error, Reader, Result, TenantScope, Tx,
    control::Keys,
    params, proof_link,
    record::{Kind, RecordRow},
    sql::{ARCHIVED, Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
    work::{Work, WorkDay},
};

crate::sql! {
    NUMBER = "INSERT INTO risk_numbers (tenant_id, last) VALUES ($1, 1)
              ON CONFLICT (tenant_id) DO UPDATE SET last = risk_numbers.last + 1
              RETURNING last";
    ADOPTED = "SELECT adopted_from FROM risks WHERE tenant_id = $1 AND adopted_from IS NOT NULL AND archived = 0";
    LAPSED = "SELECT tenant_id, id FROM risks WHERE acceptance_until < $1
              ORDER BY acceptance_until, tenant_id, id LIMIT $2";
    CELLS = "SELECT inherent_likelihood, inherent_impact, residual_likelihood, residual_impact, COUNT(*)
             FROM risks WHERE tenant_id = $1 AND status <> 'closed' AND archived = 0
             GROUP BY inherent_likelihood, inherent_impact, residual_likelihood, residual_impact";
    ABOVE = "SELECT r.id FROM risk_appetite a JOIN risks r
                 ON r.tenant_id = a.tenant_id AND r.level < a.level AND r.category = a.category
             WHERE a.tenant_id = $1 AND r.active = 1 AND r.archived = 0
             ORDER BY r.level, r.id LIMIT $2";
}

pub type RiskRow = RecordRow<Risk>;

/// Which risks, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RiskFilter {
    pub status: AnyOf<RiskStatus>,
    /// The residual level.
    pub level: AnyOf<RiskLevel>,
    pub category: AnyOf<RiskCategory>,
    pub owner: AnyOf<String>,
    /// The ids of functions.
    pub function: AnyOf<String>,
    /// Those that name one of these own controls.
    pub keys: Option<Keys>,
    /// Only those whose review day is before this one.
    pub review_before: AnyOf<Day>,
    /// Only one cell of the matrix: by inherent rating if true, otherwise by residual rating.
    pub cell: Option<(bool, Rating)>,
    /// Only open ones whose residual level is above the appetite of their category.
    pub above_appetite: bool,
    /// Whether archived records are listed.
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<RiskSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Risk::TABLE));

/// A step of a rating; 0 if there is none.
fn step(rating: Option<Rating>, step: fn(Rating) -> u8) -> Value<'static> {
    Value::from(i64::from(rating.map_or(0, step)))
}

/// The place of the level, highest first. A risk without a rating is below all levels.
fn level(rating: Option<Rating>) -> Value<'static> {
    rating.map_or_else(|| Value::from(RiskLevel::ALL.len() as u64 + 1), |rating| Value::rank(rating.level()))
}

impl Kind for Risk {
    type Id = RiskId;
    type Filter = RiskFilter;

    const TABLE: Table<Self> = Table {
        name: "risks",
        prefix: RiskId::PREFIX,
        columns: &[
            TableColumn::fixed("number", |risk| Value::from(risk.reference.number())),
            TableColumn::fixed("adopted_from", |risk| Value::from(risk.adopted_from.as_deref())),
            TableColumn::new("title", |risk| Value::from(&risk.title)),
            TableColumn::new("cause", |risk| Value::from(risk.cause.as_ref())),
            TableColumn::new("event", |risk| Value::from(risk.event.as_ref())),
            TableColumn::new("effect", |risk| Value::from(risk.effect.as_ref())),
            TableColumn::new("category", |risk| Value::from(risk.category.as_str())),
            TableColumn::new("owner", |risk| Value::from(risk.owner.as_ref())),
            TableColumn::new("functions", |risk| Value::json(&risk.functions)),
            TableColumn::new("controls", |risk| Value::json(&risk.controls)),
            TableColumn::new("findings", |risk| {
                let ids: Vec<String> = risk.findings.iter().map(ToString::to_string).collect();
                Value::json(&ids)
            }),
            TableColumn::new("inherent_likelihood", |risk| step(risk.inherent, Rating::likelihood)),
            TableColumn::new("inherent_impact", |risk| step(risk.inherent, Rating::impact)),
            TableColumn::new("residual_likelihood", |risk| step(risk.residual, Rating::likelihood)),
            TableColumn::new("residual_impact", |risk| step(risk.residual, Rating::impact)),
            TableColumn::new("target_likelihood", |risk| Value::from(risk.target.map(Rating::likelihood))),
            TableColumn::new("target_impact", |risk| Value::from(risk.target.map(Rating::impact))),
            TableColumn::derived("level", |risk| level(risk.residual)),
            TableColumn::new("treatment", |risk| Value::from(risk.treatment.as_str())),
            TableColumn::new("acceptance", |risk| {
                Value::Owned(risk.acceptance.as_ref().map_or(Json::Null, acceptance_json).to_string())
            }),
            TableColumn::derived("acceptance_until", |risk| Value::from(risk.accepted_until())),
            TableColumn::new("status", |risk| Value::from(risk.status.as_str())),
            TableColumn::derived("active", |risk| Value::from(risk.status.is_active())),
            TableColumn::new("review_on", |risk| Value::day(risk.review_on)),
            TableColumn::new("editors", |risk| Value::json(&risk.editors)),
        ],
        archives: true,
        work: Some(&Work {
            table: "risks",
            task: Some(TaskType::Risk),
            id: "id",
            title: "title",
            owner: "owner",
            open: "r.status <> 'closed'",
            days: &[
                WorkDay::new("review_on", TaskAction::Review),
                WorkDay::new("acceptance_until", TaskAction::Decide).only("r.acceptance_until IS NOT NULL"),
            ],
        }),
        filters: &[
            ARCHIVED,
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "level", condition: "r.level = ?" },
            Filter { name: "category", condition: "r.category = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
            Filter { name: "function", condition: "r.functions LIKE ?" },
            Filter { name: "keys", condition: proof_link::NAMING },
            Filter { name: "review_before", condition: "r.review_on < ?" },
            Filter {
                name: "inherent_cell",
                condition: "r.inherent_likelihood * 10 + r.inherent_impact = ? AND r.status <> 'closed'",
            },
            Filter {
                name: "residual_cell",
                condition: "r.residual_likelihood * 10 + r.residual_impact = ? AND r.status <> 'closed'",
            },
            Filter {
                name: "above_appetite",
                condition: "r.active = ? AND r.level < (SELECT a.level FROM risk_appetite a
                            WHERE a.tenant_id = r.tenant_id AND a.category = r.category)",
            },
        ],
        sorts: &[("level", "r.level"), ("review_on", "r.review_on")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            reference: RiskReference::new(cells.get("number")?).map_err(Error::corrupt)?,
            adopted_from: cells.get("adopted_from")?,
            title: cells.name("title")?,
            cause: cells.prose_opt("cause")?,
            event: cells.prose_opt("event")?,
            effect: cells.prose_opt("effect")?,
            category: cells.parse("category")?,
            owner: cells.name_opt("owner")?,
            functions: cells.json("functions")?,
            controls: cells.json("controls")?,
            findings: cells.texts("findings", str::parse)?,
            inherent: rating(cells.get("inherent_likelihood")?, cells.get("inherent_impact")?)?,
            residual: rating(cells.get("residual_likelihood")?, cells.get("residual_impact")?)?,
            target: target(cells.get("target_likelihood")?, cells.get("target_impact")?)?,
            treatment: cells.parse("treatment")?,
            acceptance: acceptance(&cells.json("acceptance")?)?,
            status: cells.parse("status")?,
            review_on: cells.day("review_on")?,
            editors: editors(cells.get("editors")?)?,
        })
    }

    fn narrow<'q>(filter: &'q RiskFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("status", &filter.status)
            .any("level", &filter.level, |level| Value::rank(*level))
            .any_word("category", &filter.category)
            .any_text("owner", &filter.owner)
            .any("function", &filter.function, |id| format!("%\"{id}\"%"))
            .filter_opt("keys", filter.keys.as_ref().map(Keys::as_str))
            .before("review_before", &filter.review_before)
            .filter_opt("inherent_cell", filter.cell.filter(|cell| cell.0).map(|cell| number(cell.1)))
            .filter_opt("residual_cell", filter.cell.filter(|cell| !cell.0).map(|cell| number(cell.1)))
            .filter_opt("above_appetite", filter.above_appetite.then_some(true))
            .filter_opt("archived", filter.archived.wanted())
            .order_opt(filter.sort.map(RiskSort::as_str))
    }

    fn count(
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        before: Option<&RiskRow>,
        after: Option<&RiskRow>,
    ) -> Result<()> {
        let keys = |row: Option<&RiskRow>| -> BTreeSet<String> {
            row.map(|row| row.record.controls.iter().cloned().collect()).unwrap_or_default()
        };
        let id = before.or(after).map(|row| row.id.to_string()).unwrap_or_default();
        proof_link::put(tx, scope, &id, &keys(before), &keys(after))
    }
}

/// The number of a matrix cell that the filters compare.
fn number(rating: Rating) -> i64 {
    i64::from(rating.likelihood()) * 10 + i64::from(rating.impact())
}

/// The next reference. The counter advances only if the transaction commits, so there are no gaps.
pub fn next_reference(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<RiskReference> {
    let number = tx.query_one(&NUMBER, params![scope.tenant()], |row| row.get(0))?;
    RiskReference::new(number).map_err(Error::corrupt)
}

/// The risks of the catalogue that were adopted already.
pub fn adopted(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<String>> {
    reader.query(&ADOPTED, params![scope.tenant()], |row| row.get(0))
}

/// Risks of all tenants whose acceptance ended before `today`, longest over first.
pub fn lapsed(reader: &mut Reader<'_>, today: Day, limit: u32) -> Result<Vec<(TenantId, RiskId)>> {
    reader.query(&LAPSED, params![today, limit], |row| Ok((row.parse(0)?, row.parse(1)?)))
}

/// An inherent and a residual rating, and how many risks have both.
pub type RatedCount = (Option<Rating>, Option<Rating>, u64);

/// How many risks that are not closed have these ratings: inherent, residual.
pub fn cells(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<RatedCount>> {
    reader.query(&CELLS, params![scope.tenant()], |row| {
        let inherent = rating(row.get(0)?, row.get(1)?)?;
        Ok((inherent, rating(row.get(2)?, row.get(3)?)?, row.get(4)?))
    })
}

/// The open risks whose residual level is above the appetite of their category, gravest first.
pub fn above_appetite(reader: &mut Reader<'_>, scope: &TenantScope, limit: u32) -> Result<Vec<RiskId>> {
    reader.query(&ABOVE, params![scope.tenant(), limit], |row| row.parse(0))
}

/// Versions from before the column have none.
fn editors(kept: Option<String>) -> Result<Vec<String>> {
    kept.map_or(Ok(Vec::new()), |text| serde_json::from_str(&text).map_err(Error::corrupt))
}

/// Zeros stand for a risk that is not rated yet.
fn rating(likelihood: i64, impact: i64) -> Result<Option<Rating>> {
    if (likelihood, impact) == (0, 0) {
        return Ok(None);
    }
    let wrong = || Error::corrupt(format_args!("a rating of {likelihood} and {impact}"));
    Rating::new(likelihood, impact).map(Some).ok_or_else(wrong)
}

fn target(likelihood: Option<i64>, impact: Option<i64>) -> Result<Option<Rating>> {
    likelihood.zip(impact).map_or(Ok(None), |(likelihood, impact)| rating(likelihood, impact))
}

fn acceptance_json(acceptance: &Acceptance) -> Json {
    json!({
        "reason": acceptance.reason.as_str(),
        "until": acceptance.until,
        "proposed_by": acceptance.proposed_by,
        "approved_by": acceptance.approved_by,
    })
}

fn acceptance(kept: &Json) -> Result<Option<Acceptance>> {
    if kept.is_null() {
        return Ok(None);
    }
    let text = |name: &str| {
        kept[name].as_str().ok_or_else(|| Error::corrupt(format_args!("an acceptance without {name}")))
    };
    Ok(Some(Acceptance {
        reason: Prose::parse(text("reason")?).map_err(Error::corrupt)?,
        until: text("until")?.parse().map_err(Error::corrupt)?,
        proposed_by: text("proposed_by")?.to_owned(),
        approved_by: kept["approved_by"].as_str().map(str::to_owned),
    }))
}
