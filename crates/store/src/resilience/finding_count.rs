//! How many findings there are, updated with every change, so that no list and no parent has to count rows.

use std::collections::BTreeMap;

use domain::{
    any_of::AnyOf,
    finding::FindingStatus,
    id::{ProgrammeId, TestCaseId},
    moment::Day,
    vocabulary::Severity,
};

use crate::{
    Reader, Result, TenantScope, Tx,
    finding::FindingRow,
    params,
    sql::{Row, Value},
};

crate::sql! {
    ADD = "INSERT INTO finding_counts (tenant_id, parent, status, severity, n) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (tenant_id, parent, status, severity) DO UPDATE SET n = finding_counts.n + excluded.n";
    OF = "SELECT parent, status, severity, n FROM finding_counts WHERE tenant_id = $1 AND parent = $2";
    OF_MANY = differs("the portable dialect has no list parameters",
        sqlite "SELECT parent, status, severity, n FROM finding_counts
                WHERE tenant_id = $1 AND parent IN (SELECT value FROM json_each($2))",
        postgres "SELECT parent, status, severity, n FROM finding_counts
                  WHERE tenant_id = $1 AND parent IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))");
    OF_DAYS = "SELECT status, severity, CAST(SUM(n) AS BIGINT) FROM finding_counts
               WHERE tenant_id = $1 AND parent >= $2 AND parent < $3 GROUP BY status, severity";
    FORGET = "DELETE FROM finding_counts WHERE tenant_id = $1 AND parent = $2";
}

/// The counts of one parent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindingCounts(BTreeMap<(FindingStatus, Severity), i64>);

impl FindingCounts {
    fn sum(&self, keep: impl Fn(FindingStatus, Severity) -> bool) -> u64 {
        let kept = self.0.iter().filter(|((status, severity), _)| keep(*status, *severity));
        u64::try_from(kept.map(|(_, n)| n).sum::<i64>()).unwrap_or(0)
    }

    pub fn total(&self) -> u64 {
        self.sum(|_, _| true)
    }

    /// These counts minus those of a subset.
    #[must_use]
    pub fn without(mut self, part: &Self) -> Self {
        for (place, n) in &part.0 {
            *self.0.entry(*place).or_default() -= n;
        }
        self
    }

    pub fn open(&self) -> u64 {
        self.sum(|status, _| status.is_open())
    }

    pub fn with_status(&self, wanted: FindingStatus) -> u64 {
        self.sum(|status, _| status == wanted)
    }

    pub fn with_severity(&self, wanted: Severity) -> u64 {
        self.sum(|_, severity| severity == wanted)
    }

    /// The sum of the counts that match both filters.
    pub fn matching(
        &self,
        status: impl Fn(FindingStatus) -> bool,
        severity: impl Into<AnyOf<Severity>>,
    ) -> u64 {
        let severity = severity.into();
        self.sum(|have_status, have| status(have_status) && severity.allows(&have))
    }
}

/// What a counter belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Parent {
    Tenant,
    Programme(ProgrammeId),
    TestCase(TestCaseId),
}

impl Parent {
    fn key(self) -> String {
        match self {
            Self::Tenant => String::new(),
            Self::Programme(id) => id.to_string(),
            Self::TestCase(id) => id.to_string(),
        }
    }

    fn archive_key(self) -> String {
        format!("archived:{}", self.key())
    }
}

/// The day that open findings are additionally counted by. Those that are not open have no age and are never late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Days {
    Made,
    Due,
}

impl Days {
    fn key(self, day: Day) -> String {
        format!("{}:{day}", self.name())
    }

    /// The lowest and the highest key of these days.
    fn ends(self) -> (String, String) {
        (format!("{}:", self.name()), format!("{};", self.name()))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Due => "due",
        }
    }
}

/// What one change adds to the counts. A change that touches none of them adds nothing.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<(String, FindingStatus, Severity), i64>);

impl Tally {
    /// `before` is `None` for a new finding, `after` for a deleted one.
    pub(crate) fn between(before: Option<&FindingRow>, after: Option<&FindingRow>) -> Self {
        let mut tally = Self::default();
        for (row, by) in [(before, -1), (after, 1)] {
            if let Some(row) = row {
                tally.count(row, by);
            }
        }
        tally
    }

    /// Archived findings have counters of their own, so that all other counters leave them out.
    fn count(&mut self, row: &FindingRow, by: i64) {
        let finding = &row.record;
        let programme = finding.programme_id.map(Parent::Programme);
        let test_case = finding.test_case_id.map(Parent::TestCase);
        let parents = [Some(Parent::Tenant), programme, test_case];
        if row.archived_at.is_some() {
            for parent in parents.into_iter().flatten() {
                *self.0.entry((parent.archive_key(), finding.status, finding.severity)).or_default() += by;
            }
            return;
        }
        let parents = parents.map(|parent| parent.map(Parent::key));
        let days = [(Days::Made, Some(row.created_at.day())), (Days::Due, finding.due_on)];
        let days = days.map(|(days, day)| day.filter(|_| finding.status.is_open()).map(|day| days.key(day)));
        for key in parents.into_iter().chain(days).flatten() {
            *self.0.entry((key, finding.status, finding.severity)).or_default() += by;
        }
    }

    pub(crate) fn write(self, tx: &mut Tx<'_>, scope: &TenantScope) -> Result<()> {
        for ((parent, status, severity), by) in self.0.into_iter().filter(|(_, by)| *by != 0) {
            let severity = Value::rank(severity);
            tx.count(&ADD, params![scope.tenant(), parent, status.as_str(), severity], by)?;
        }
        Ok(())
    }
}

fn read(row: &Row<'_>) -> Result<(String, FindingStatus, Severity, i64)> {
    Ok((row.get(0)?, row.parse(1)?, row.rank(2)?, row.get(3)?))
}

pub fn of(reader: &mut Reader<'_>, scope: &TenantScope, parent: Parent) -> Result<FindingCounts> {
    let mut counts = FindingCounts::default();
    for (_, status, severity, n) in reader.query(&OF, params![scope.tenant(), parent.key()], read)? {
        counts.0.insert((status, severity), n);
    }
    Ok(counts)
}

/// How many archived findings a parent has.
pub fn archived(reader: &mut Reader<'_>, scope: &TenantScope, parent: Parent) -> Result<u64> {
    let rows = reader.query(&OF, params![scope.tenant(), parent.archive_key()], read)?;
    Ok(u64::try_from(rows.iter().map(|(.., n)| n).sum::<i64>()).unwrap_or(0))
}

/// The open findings from the first day (inclusive) to the second (exclusive).
pub fn of_days(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    days: Days,
    from: Option<Day>,
    to: Option<Day>,
) -> Result<FindingCounts> {
    let (first, last) = days.ends();
    let (from, to) = (from.map_or(first, |day| days.key(day)), to.map_or(last, |day| days.key(day)));
    let mut counts = FindingCounts::default();
    let read = |row: &Row<'_>| Ok((row.parse(0)?, row.rank(1)?, row.get(2)?));
    for (status, severity, n) in reader.query(&OF_DAYS, params![scope.tenant(), from, to], read)? {
        counts.0.insert((status, severity), n);
    }
    Ok(counts)
}

/// The counts of several parents in one query, in their order.
pub fn of_many(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    parents: impl Iterator<Item = Parent>,
) -> Result<Vec<FindingCounts>> {
    let keys: Vec<String> = parents.map(Parent::key).collect();
    let mut found: BTreeMap<String, FindingCounts> = BTreeMap::new();
    if !keys.is_empty() {
        let rows = reader.query(&OF_MANY, params![scope.tenant(), Value::json(&keys)], read)?;
        for (parent, status, severity, n) in rows {
            found.entry(parent).or_default().0.insert((status, severity), n);
        }
    }
    Ok(keys.iter().map(|key| found.remove(key).unwrap_or_default()).collect())
}

/// Deletes the counts of a deleted parent.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, parent: Parent) -> Result<()> {
    for key in [parent.key(), parent.archive_key()] {
        tx.execute(&FORGET, params![scope.tenant(), key])?;
    }
    Ok(())
}
