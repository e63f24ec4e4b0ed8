//! Analyses and breaches as values, for whoever shows them otherwise than as JSON.

use domain::{
    id::AnalysisId,
    page::{Page, PageRequest},
};
use store::{Reader, analysis as rows};

use super::{Analysis, AnalysisHead, BreachRow};
use crate::{App, Error, Result, authz::Caller};

impl App {
    /// The latest analysis; none before the first.
    pub async fn analysis(&self, caller: &Caller) -> Result<Option<Analysis>> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| rows::latest(r, &scope)?.map(read).transpose();
        self.db.tenant(&scope).read(load).await
    }

    /// One of the tenant's analyses, as it was made.
    pub async fn kept_analysis(&self, caller: &Caller, id: AnalysisId) -> Result<Analysis> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| read(rows::get(r, &scope, id)?.ok_or(Error::NotFound)?);
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

pub(crate) fn read((head, result): (AnalysisHead, String)) -> Result<Analysis> {
    let content = serde_json::from_str(&result).map_err(Error::internal)?;
    Ok(Analysis { head, content })
}
