//! The data of a provider's page.

use std::collections::HashMap;

use domain::{
    finding::Finding,
    id::{ArrangementId, FindingId, IncidentId, ProviderId},
    incident::Incident,
    moment::Day,
    page::PageRequest,
    provider::{ClauseStatement, Provider, Review},
};
use store::{
    Reader, Revision, arrangement,
    arrangement::ArrangementRow,
    finding::FindingRow,
    incident::IncidentRow,
    provider as rows, provider_clause,
    provider_review::{ReviewFilter, ReviewRow},
    record,
};

use super::{ContractClauses, ProviderView, Subcontractor, subcontractor};
use crate::{Error, Result, ThirdParties, authz::Caller, records};

/// More arrangements, incidents, findings or reviews than these are not shown on one page.
pub(super) const MOST: u32 = 200;

/// An arrangement with the provider.
#[derive(Debug, Clone)]
pub struct Contract {
    pub row: ArrangementRow,
    /// The last day on which notice can be given for its end.
    pub notice_by: Option<Day>,
    pub clauses: ContractClauses,
}

/// A provider with everything that belongs to it.
#[derive(Debug, Clone)]
pub struct ProviderPage {
    pub provider: ProviderView,
    pub contracts: Vec<Contract>,
    /// The companies behind it in the supply chains of these contracts.
    pub subcontractors: Vec<Subcontractor>,
    pub incidents: Vec<IncidentRow>,
    pub findings: Vec<FindingRow>,
    /// Newest first.
    pub reviews: Vec<ReviewRow>,
}

impl ThirdParties {
    pub async fn provider_page(&self, caller: &Caller, id: ProviderId) -> Result<(ProviderPage, Revision)> {
        let (this, scope, edition) = (self.clone(), *caller.scope(), self.catalogue()?);
        let read = move |reader: &mut Reader<'_>| {
            let provider = records::detail::<Provider>(&this, reader, &scope, id)?.record;
            let mut said: HashMap<ArrangementId, Vec<ClauseStatement>> = HashMap::new();
            for (arrangement, statement) in provider_clause::of_provider(reader, &scope, id)? {
                said.entry(arrangement).or_default().push(statement);
            }
            let contract = |row: ArrangementRow| Contract {
                notice_by: row
                    .record
                    .facts
                    .notice_by(row.record.contract.ends_on, provider.row.record.notice_days),
                clauses: ContractClauses::of(
                    &edition,
                    &row,
                    said.get(&row.id).map(Vec::as_slice).unwrap_or_default(),
                ),
                row,
            };
            let rows = arrangement::of_provider(reader, &scope, id, MOST)?;
            let subcontractors = subcontractor::of_contracts(reader, &scope, &rows)?;
            let contracts = rows.into_iter().map(contract).collect();
            let ids = rows::records_of(reader, &scope, id, "incident", MOST)?;
            let ids: Vec<IncidentId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
            let mut incidents = record::get_many::<Incident>(reader, &scope, &ids)?;
            incidents.sort_by_key(|row| std::cmp::Reverse(row.id));
            let ids = rows::records_of(reader, &scope, id, "finding", MOST)?;
            let ids: Vec<FindingId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
            let mut findings = record::get_many::<Finding>(reader, &scope, &ids)?;
            findings.sort_by_key(|row| std::cmp::Reverse(row.id));
            let filter = ReviewFilter { provider: Some(id), ..ReviewFilter::default() };
            let some = PageRequest::new(Some(u64::from(MOST)), None).unwrap_or_default();
            let reviews = record::list::<Review>(reader, &scope, &filter, None, some)?.items;
            Ok::<_, Error>(ProviderPage { provider, contracts, subcontractors, incidents, findings, reviews })
        };
        self.db.tenant(&scope).read_at(read).await
    }
}
