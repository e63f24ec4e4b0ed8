//! Arrangements that stand in no template are taken over into the templates, as far as they say what the rows need.

use domain::{
    arrangement::Arrangement,
    function::Function,
    id::RegisterRowId,
    key_limits::Verb,
    page::PageRequest,
    register::{
        Template,
        filing::{Counts, NoPackage, ProblemFilter},
        sheets::SheetRow,
        taken_over,
    },
    right::{Resource, Right},
};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx, arrangement::ArrangementFilter, function::FunctionFilter, record,
    register as rows,
};

use super::{
    function,
    row::{RegisterRow, reported},
};
use crate::{Core, Error, Result, ThirdParties, author::Author, authz::Caller};

/// More arrangements than these are not read at once.
const MOST: u32 = 250_000;
/// How many of those that were left out are named.
const MOST_NAMED: usize = 200;

/// An arrangement that could not be taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub reference: String,
    /// The company that has neither a LEI nor a row in `B_05.01`.
    pub company: String,
}

/// What was taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakeOver {
    pub arrangements: u64,
    pub rows: u64,
    /// How many were left out.
    pub left: u64,
    /// The first of them.
    pub left_out: Vec<LeftOut>,
    pub readiness_pct: u8,
    pub problems: Counts,
}

impl ThirdParties {
    /// Gives every arrangement that stands in no template its rows. The arrangements stay as they are: what the rows
    /// cannot say yet is named by the checks.
    pub async fn take_over_arrangements(&self, caller: &Caller) -> Result<TakeOver> {
        caller.require_right(Resource::Register, Right::Write)?;
        caller.require_noun("arrangement", Verb::Read)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let write = move |tx: &mut Tx<'_>| {
            let sheets = rows::sheets(tx, &scope)?;
            let (entries, functions) = known(tx, &scope)?;
            let taken = taken_over(&sheets, &entries, &functions)
                .ok_or_else(|| Error::invalid("register", NoPackage::NoMaintainer))?;
            for (template, content) in &taken.rows {
                author.core.add_row(tx, &scope, *template, content)?;
            }
            if !taken.rows.is_empty() {
                rows::note_change(tx, &scope, author.now)?;
                let detail = json!({ "arrangements": taken.taken.len(), "rows": taken.rows.len() });
                author.audit(tx, "register.taken_over", scope.tenant(), &detail)?;
            }
            let sheets = function::take(&author, tx, &sheets)?;
            let report = reported(tx, &scope, &sheets, ProblemFilter::counts())?;
            let named = taken.left.iter().take(MOST_NAMED).cloned();
            Ok::<_, Error>(TakeOver {
                arrangements: taken.taken.len() as u64,
                rows: taken.rows.len() as u64,
                left: taken.left.len() as u64,
                left_out: named.map(|(reference, company)| LeftOut { reference, company }).collect(),
                readiness_pct: report.readiness(sheets.len()),
                problems: report.counts(),
            })
        };
        self.db.tenant(caller.scope()).write_alone(write).await
    }
}

impl Core {
    /// Adds a row with an id of its own.
    pub(super) fn add_row(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        template: Template,
        content: &SheetRow,
    ) -> Result<SheetRow> {
        let now = self.clock.now();
        let id: RegisterRowId = self.ids.next(now);
        let content = SheetRow { name: id.to_string().into(), cells: content.cells.clone() };
        let row = RegisterRow { id, template, content, version: 1, created_at: now, updated_at: now };
        rows::insert(tx, scope, &row)?;
        Ok(row.content)
    }
}

/// All arrangements by their reference, and all functions.
fn known(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<(Vec<Arrangement>, Vec<Function>)> {
    let whole = PageRequest::part(MOST, 0);
    let kept = record::list::<Arrangement>(reader, scope, &ArrangementFilter::default(), None, whole)?.items;
    let functions = record::list::<Function>(reader, scope, &FunctionFilter::default(), None, whole)?.items;
    let entries = kept.into_iter().map(|row| row.record).collect();
    Ok((entries, functions.into_iter().map(|row| row.record).collect()))
}
