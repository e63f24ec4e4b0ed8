//! Analyses and breaches as values, for whoever shows them otherwise than as JSON.

use domain::{
    concentration::Dimension,
    page::{Page, PageRequest},
};
use store::{Reader, analysis as rows};

use super::{Analysis, AnalysisHead, BreachRow};
use crate::{App, Error, Result, authz::Caller};

impl App {
    /// The latest analysis; none before the first.
    pub async fn analysis(&self, caller: &Caller) -> Result<Option<Analysis>> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| {
            let Some((head, result)) = rows::latest(r, &scope)? else { return Ok(None) };
            let content = serde_json::from_str(&result).map_err(Error::internal)?;
            Ok(Some(Analysis { head, content }))
        };
        self.db.tenant(&scope).read(load).await
    }

    /// All analyses, newest first.
    pub async fn analyses(&self, caller: &Caller, request: PageRequest) -> Result<Page<AnalysisHead>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, request)).await.map_err(Error::from)
    }

    /// The breaches of the latest analysis; none before the first.
    pub async fn breaches(
        &self,
        caller: &Caller,
        dimension: Option<Dimension>,
        request: PageRequest,
    ) -> Result<Page<BreachRow>> {
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| {
            let Some((head, _)) = rows::latest(r, &scope)? else {
                return Ok(Page { items: Vec::new(), total: 0, request });
            };
            Ok(rows::breaches(r, &scope, head.id, dimension, false, request)?)
        };
        self.db.tenant(&scope).read(load).await
    }
}
