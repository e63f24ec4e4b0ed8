//! Which functions fail if a provider fails. Nothing is stored.

use domain::concentration::{BlastRadius, Failing, blast_radius};

use super::{AnalysisRequest, Terms, designated, portfolio};
use crate::{Error, Result, ThirdParties, authz::Caller};

impl ThirdParties {
    /// The functions that fail with `provider`, a name or a LEI, and with its whole group if `whole_group` is set.
    /// `None` if no active arrangement or supply chain contains it.
    pub async fn blast_radius(
        &self,
        caller: &Caller,
        request: AnalysisRequest,
        provider: String,
        whole_group: bool,
    ) -> Result<Option<BlastRadius>> {
        let (scope, today, edition) = (*caller.scope(), self.clock.now().day(), self.catalogue()?);
        self.db
            .tenant(&scope)
            .read(move |r| {
                let terms = Terms::read(r, &scope, &request)?;
                let portfolio = portfolio::load(r, &scope)?;
                let designated = designated(&edition);
                let failing =
                    if whole_group { Failing::Group(&provider) } else { Failing::Provider(&provider) };
                blast_radius(&portfolio, failing, &terms.question(&request, today, &designated))
                    .map_err(|error| Error::Invalid(error.into()))
            })
            .await
    }
}
