//! The institution's assessments of requirements. A requirement that was never assessed has no row.

use domain::{
    assessment::{AppliesOverride, Assessment, CarriedFrom, Signed},
    framework::Framework,
    moment::{Day, Moment},
    text::{Name, Prose},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Row, Value},
};

crate::sql! {
    GET = "SELECT requirement_id, version, created_at, updated_at, status, applies, applies_reason, maturity,
                  rationale, owner, due_on, next_review_on, assessed_at, assessed_by, approved_at, approved_by,
                  changed_by, carried_from, crosswalk, editors
           FROM assessments WHERE tenant_id = $1 AND requirement_id = $2";
    GET_MANY = differs("each engine has its own way to bind a list",
        sqlite "SELECT a.requirement_id, a.version, a.created_at, a.updated_at, a.status, a.applies, a.applies_reason,
                       a.maturity, a.rationale, a.owner, a.due_on, a.next_review_on, a.assessed_at, a.assessed_by,
                       a.approved_at, a.approved_by, a.changed_by, a.carried_from, a.crosswalk, a.editors
                FROM json_each($2) CROSS JOIN assessments a
                WHERE a.tenant_id = $1 AND a.requirement_id = json_each.value",
        postgres "SELECT requirement_id, version, created_at, updated_at, status, applies, applies_reason, maturity,
                         rationale, owner, due_on, next_review_on, assessed_at, assessed_by, approved_at, approved_by,
                         changed_by, carried_from, crosswalk, editors
                  FROM assessments WHERE tenant_id = $1
                      AND requirement_id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))");
    ALL = "SELECT requirement_id, version, created_at, updated_at, status, applies, applies_reason, maturity,
                  rationale, owner, due_on, next_review_on, assessed_at, assessed_by, approved_at, approved_by,
                  changed_by, carried_from, crosswalk, editors
           FROM assessments WHERE tenant_id = $1";
    OF_FRAMEWORK = "SELECT requirement_id, version, created_at, updated_at, status, applies, applies_reason, maturity,
                           rationale, owner, due_on, next_review_on, assessed_at, assessed_by, approved_at,
                           approved_by, changed_by, carried_from, crosswalk, editors
                    FROM assessments WHERE tenant_id = $1 AND framework = $2";
    INSERT = "INSERT INTO assessments (tenant_id, requirement_id, framework, version, created_at, updated_at, status,
                                       applies, applies_reason, maturity, rationale, owner, due_on, next_review_on,
                                       assessed_at, assessed_by, approved_at, approved_by, changed_by, carried_from,
                                       crosswalk, editors)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                      $22)";
    UPDATE = "UPDATE assessments SET updated_at = $4, status = $5, applies = $6, applies_reason = $7, maturity = $8,
                                     rationale = $9, owner = $10, due_on = $11, next_review_on = $12,
                                     assessed_at = $13, assessed_by = $14, approved_at = $15, approved_by = $16,
                                     changed_by = $17, carried_from = $18, crosswalk = $19, editors = $20, version = version + 1
              WHERE tenant_id = $1 AND requirement_id = $2 AND version = $3";
    /// The state at a moment of those that changed after it.
    EARLIER = "SELECT v.record_id, v.version, v.valid_from, v.content FROM assessments a
               JOIN record_versions v ON v.tenant_id = a.tenant_id AND v.record_id = a.requirement_id
               WHERE a.tenant_id = $1 AND a.updated_at > $2 AND v.valid_from <= $2 AND v.valid_until > $2";
    KEEP_DAY = "INSERT INTO assessment_days (tenant_id, part, day, applicable, met, approved)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (tenant_id, part, day) DO UPDATE SET applicable = excluded.applicable, met = excluded.met,
                    approved = excluded.approved";
    DAYS = "SELECT part, day, applicable, met, approved FROM assessment_days
            WHERE tenant_id = $1 AND part >= $2 AND part < $3 AND day >= $4 ORDER BY part, day";
    FIRST_DAY = "SELECT part, day, applicable, met, approved FROM assessment_days
                 WHERE tenant_id = $1 AND part = $2 AND day >= $3 ORDER BY day LIMIT 1";
}

/// An assessment as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssessmentRow {
    pub requirement: String,
    pub assessment: Assessment,
    /// Zero before it was ever changed.
    pub version: i64,
    pub created_at: Moment,
    pub updated_at: Moment,
}

fn read(row: &Row<'_>) -> Result<AssessmentRow> {
    let signed = |at: usize| -> Result<Option<Signed>> {
        let by: Option<String> = row.get(at + 1)?;
        Ok(row.get::<Option<Moment>>(at)?.zip(by).map(|(at, by)| Signed { at, by }))
    };
    let applies = row.get::<Option<i64>>(5)?.map(|word| word != 0);
    let reason = row.check_opt(6, Prose::parse)?;
    let carried = row.get::<Option<String>>(17)?.zip(row.get::<Option<String>>(18)?);
    let (approved, changed_by) = (signed(14)?, row.get::<Option<String>>(16)?);
    let mut editors: Vec<String> = row.json(19)?;
    // A row of an earlier version names the last editor alone.
    if editors.is_empty() && approved.is_none() {
        editors.extend(changed_by.clone());
    }
    Ok(AssessmentRow {
        requirement: row.get(0)?,
        version: row.get(1)?,
        created_at: row.get(2)?,
        updated_at: row.get(3)?,
        assessment: Assessment {
            status: row.parse(4)?,
            applies: applies.zip(reason).map(|(applies, reason)| AppliesOverride { applies, reason }),
            maturity: row.get::<Option<i64>>(7)?.and_then(|level| u8::try_from(level).ok()),
            rationale: row.check_opt(8, Prose::parse)?,
            owner: row.check_opt(9, Name::parse)?,
            due_on: row.day(10)?,
            next_review_on: row.day(11)?,
            assessed: signed(12)?,
            approved,
            changed_by,
            editors,
            carried_from: carried.map(|(requirement, crosswalk)| CarriedFrom { requirement, crosswalk }),
        },
    })
}

/// The values of an assessment, in the order of both statements.
fn values(assessment: &Assessment) -> Vec<Value<'_>> {
    let signed = |signed: &'_ Option<Signed>| {
        [Value::from(signed.as_ref().map(|s| s.at)), Value::from(signed.as_ref().map(|s| s.by.clone()))]
    };
    let applies = assessment.applies.as_ref();
    let mut values = vec![
        Value::from(assessment.status.as_str()),
        Value::from(applies.map(|word| word.applies)),
        Value::from(applies.map(|word| &word.reason)),
        Value::from(assessment.maturity),
        Value::from(assessment.rationale.as_ref()),
        Value::from(assessment.owner.as_ref()),
        Value::day(assessment.due_on),
        Value::day(assessment.next_review_on),
    ];
    values.extend(signed(&assessment.assessed));
    values.extend(signed(&assessment.approved));
    values.push(Value::from(assessment.changed_by.as_deref()));
    let carried = assessment.carried_from.as_ref();
    values.push(Value::from(carried.map(|from| from.requirement.as_str())));
    values.push(Value::from(carried.map(|from| from.crosswalk.as_str())));
    values.push(Value::json(&assessment.editors));
    values
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, requirement: &str) -> Result<Option<AssessmentRow>> {
    reader.query_opt(&GET, params![scope.tenant(), requirement], read)
}

/// The assessments of those of these requirements that have one, in any order.
pub fn get_many(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    requirements: &[&str],
) -> Result<Vec<AssessmentRow>> {
    reader.query(&GET_MANY, params![scope.tenant(), Value::json(requirements)], read)
}

/// Every assessment, of one framework or of all.
pub fn all(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Option<Framework>,
) -> Result<Vec<AssessmentRow>> {
    match framework {
        Some(framework) => reader.query(&OF_FRAMEWORK, params![scope.tenant(), framework.as_str()], read),
        None => reader.query(&ALL, params![scope.tenant()], read),
    }
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, framework: Framework, row: &AssessmentRow) -> Result<()> {
    let mut all = vec![
        Value::from(scope.tenant()),
        Value::from(&row.requirement),
        Value::from(framework.as_str()),
        Value::from(row.version),
        Value::from(row.created_at),
        Value::from(row.updated_at),
    ];
    all.extend(values(&row.assessment));
    tx.execute(&INSERT, &all)?;
    Ok(())
}

/// Stores the change if the version is still the one that was read.
pub fn update(tx: &mut Tx<'_>, scope: &TenantScope, before: i64, after: &AssessmentRow) -> Result<bool> {
    let mut all = vec![
        Value::from(scope.tenant()),
        Value::from(&after.requirement),
        Value::from(before),
        Value::from(after.updated_at),
    ];
    all.extend(values(&after.assessment));
    Ok(tx.execute(&UPDATE, &all)? > 0)
}

/// The state of an assessment at a moment before its latest change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierRow {
    pub requirement: String,
    pub version: i64,
    pub from: Moment,
    pub content: String,
}

/// The states at a moment of the assessments that changed after it. One that was created after it has none.
pub fn earlier(reader: &mut Reader<'_>, scope: &TenantScope, at: Moment) -> Result<Vec<EarlierRow>> {
    reader.query(&EARLIER, params![scope.tenant(), at], |row| {
        Ok(EarlierRow {
            requirement: row.get(0)?,
            version: row.get(1)?,
            from: row.get(2)?,
            content: row.get(3)?,
        })
    })
}

/// How far a framework or a section was met on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssessmentDay {
    /// The id of a framework or of a section.
    pub part: String,
    pub day: Day,
    pub applicable: u64,
    pub met: u64,
    pub approved: u64,
}

/// Stores a day's values, replacing those stored for it before.
pub fn keep_day(tx: &mut Tx<'_>, scope: &TenantScope, kept: &AssessmentDay) -> Result<()> {
    let AssessmentDay { part, day, applicable, met, approved } = kept;
    tx.execute(&KEEP_DAY, params![scope.tenant(), part, *day, *applicable, *met, *approved])?;
    Ok(())
}

/// The days since a given one, of a framework and its sections, whose ids all begin with the framework's id; of all
/// frameworks if none is given.
pub fn days(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Option<Framework>,
    from: Day,
) -> Result<Vec<AssessmentDay>> {
    // Ids consist of lower-case letters, digits and hyphens, all of which sort before the tilde.
    let first = framework.map(|framework| framework.to_string()).unwrap_or_default();
    let last = format!("{first}~");
    reader.query(&DAYS, params![scope.tenant(), first, last, from], read_day)
}

/// The first stored day of a whole framework since a given one.
pub fn first_day(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Framework,
    from: Day,
) -> Result<Option<AssessmentDay>> {
    reader.query_opt(&FIRST_DAY, params![scope.tenant(), framework.to_string(), from], read_day)
}

fn read_day(row: &Row<'_>) -> Result<AssessmentDay> {
    Ok(AssessmentDay {
        part: row.get(0)?,
        day: row.parse(1)?,
        applicable: row.get(2)?,
        met: row.get(3)?,
        approved: row.get(4)?,
    })
}
