//! Analyses and breaches as values, for the workspace and the reports.

use domain::{
    concentration::Cause,
    id::AnalysisId,
    page::{Page, PageRequest},
};
use store::{
    Reader, TenantScope, analysis as rows,
    register_change::{self, RegisterChange},
};

use super::{Analysis, AnalysisHead, BreachRow, Content};
use crate::{Error, Result, ThirdParties, authz::Caller};

impl ThirdParties {
    /// The latest analysis; `None` before the first.
    pub async fn analysis(&self, caller: &Caller) -> Result<Option<Analysis>> {
        let scope = *caller.scope();
        let load =
            move |r: &mut Reader<'_>| rows::latest(r, &scope)?.map(|kept| read(r, &scope, kept)).transpose();
        self.db.tenant(&scope).read(load).await
    }

    /// One of the tenant's stored analyses.
    pub async fn kept_analysis(&self, caller: &Caller, id: AnalysisId) -> Result<Analysis> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| {
            let kept = rows::get(r, &scope, id)?.ok_or(Error::NotFound)?;
            read(r, &scope, kept)
        };
        self.db.tenant(&scope).read(load).await
    }

    /// All analyses, newest first.
    pub async fn analyses(&self, caller: &Caller, request: PageRequest) -> Result<Page<AnalysisHead>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, request)).await.map_err(Error::from)
    }

    /// The breaches of one analysis in all dimensions, providers as legal entities or as groups.
    pub async fn breaches(
        &self,
        caller: &Caller,
        analysis: AnalysisId,
        by_group: bool,
        request: PageRequest,
    ) -> Result<Page<BreachRow>> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| rows::breaches(r, &scope, analysis, None, by_group, request);
        self.db.tenant(&scope).read(load).await.map_err(Error::from)
    }
}

/// A stored analysis, and its inputs that changed since.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (head, result): (AnalysisHead, String),
) -> Result<Analysis> {
    let content: Content = serde_json::from_str(&result).map_err(Error::internal)?;
    let revision = rows::revision(reader, scope, head.id)?;
    let since = |change: &RegisterChange| match revision {
        Some(revision) => change.revision > revision,
        None => change.changed_at > head.analysed_at,
    };
    // Rates given in the request do not become stale when the tenant's rates change.
    let rests_on = |cause| cause != Cause::Rates || content.rates.iter().any(|rate| rate.valid_on.is_some());
    let changes = register_change::all(reader, scope)?.into_iter().filter(since).map(|change| change.cause);
    let mut stale: Vec<_> = changes.filter(|cause| rests_on(*cause)).collect();
    stale.sort_unstable();
    Ok(Analysis { head, content, stale })
}
