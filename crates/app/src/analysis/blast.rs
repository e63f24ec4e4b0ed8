//! What goes down when a provider fails, from the register as it stands today. Nothing is kept.

use domain::concentration::{Basis, BlastRadius, Failing, blast_radius};
use store::Reader;

use super::{AnalysisRequest, Terms, designated, portfolio};
use crate::{App, Error, Result, authz::Caller};

impl App {
    /// `None` when no arrangement or supply chain of today knows the provider.
    ///
    /// Arrangements are counted, not their cost: whoever asks what fails has no exchange rates at hand.
    pub async fn blast_radius(
        &self,
        caller: &Caller,
        provider: String,
        whole_group: bool,
    ) -> Result<Option<BlastRadius>> {
        let (scope, today, edition) = (*caller.scope(), self.clock.now().day(), self.catalogue()?);
        let request = AnalysisRequest { basis: Basis::Arrangements, ..AnalysisRequest::default() };
        let look = move |r: &mut Reader<'_>| {
            let terms = Terms::read(r, &scope, &request)?;
            let portfolio = portfolio::load(r, &scope)?;
            let failing = if whole_group { Failing::Group(&provider) } else { Failing::Provider(&provider) };
            let designated = designated(&edition);
            blast_radius(&portfolio, failing, &terms.question(&request, today, &designated))
                .map_err(|error| Error::Invalid(error.into()))
        };
        self.db.tenant(&scope).read(look).await
    }
}
