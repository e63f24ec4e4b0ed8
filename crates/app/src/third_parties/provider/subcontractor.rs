//! Companies behind a provider, from the supply chains of its contracts. One that is no party to an arrangement has no
//! record of its own until a person makes one.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    arrangement::Party,
    country::Country,
    id::ProviderId,
    page::PageRequest,
    provider::{Provider, ProviderComplaint},
    register::{Template, columns::providers},
    right::{Resource, Right},
    violation::FieldComplaint,
};
use serde_json::json;
use store::{
    Reader, Revision, TenantScope, Tx, arrangement, arrangement::ArrangementRow, document, provider as rows,
    record, register,
};

use super::ProviderView;
use crate::{
    Error, Result, ThirdParties,
    author::Author,
    authz::Caller,
    history::Detail,
    records::{RecordKind as _, words_of},
};

/// More subcontractors than these are not shown on one page.
const MOST: usize = 100;
/// More rows of a template than these are not looked through for a country.
const MOST_ROWS: u32 = 250_000;

/// A company in the supply chains of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subcontractor {
    pub party: Party,
    /// The references of the contracts it stands behind.
    pub contracts: BTreeSet<String>,
    /// Its own record, if it has one.
    pub record: Option<ProviderId>,
}

/// The subcontractors in these contracts, by name.
pub(super) fn of_contracts(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    contracts: &[ArrangementRow],
) -> Result<Vec<Subcontractor>> {
    let mut parties: BTreeMap<Party, BTreeSet<String>> = BTreeMap::new();
    for row in contracts {
        for step in &row.record.facts.chain {
            let behind = parties.entry(step.supplier.clone()).or_default();
            behind.insert(row.record.contract.reference.to_string());
        }
    }
    let known = rows::known(reader, scope, parties.keys().take(MOST))?;
    let subcontractor = |(party, contracts): (Party, BTreeSet<String>)| Subcontractor {
        record: rows::meant(&known, &party),
        party,
        contracts,
    };
    Ok(parties.into_iter().take(MOST).map(subcontractor).collect())
}

impl ThirdParties {
    /// Makes a record of a subcontractor that stands in the supply chains of a provider. Its country comes from template
    /// `B_05.01`, or from the request where that does not name it.
    pub async fn create_subcontractor(
        &self,
        caller: &Caller,
        provider: ProviderId,
        name: String,
        country: Option<Country>,
    ) -> Result<(Detail<ProviderView>, Revision)> {
        caller.require_right(Resource::Providers, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let scope = *author.scope();
            record::get::<Provider>(tx, &scope, provider)?.ok_or(Error::NotFound)?;
            let contracts = arrangement::of_provider(tx, &scope, provider, super::page::MOST)?;
            let mut found = of_contracts(tx, &scope, &contracts)?.into_iter();
            let found = found.find(|one| one.party.name.as_str() == name);
            let found = found.ok_or_else(|| Error::invalid("name", ProviderComplaint::NotASubcontractor))?;
            if let Some(known) = found.record {
                return Ok(known);
            }
            let country = match country {
                Some(country) => country,
                None => country_of(tx, &scope, &found.party)?
                    .ok_or_else(|| Error::invalid("country", FieldComplaint::Required))?,
            };
            let id = rows::make(tx, &scope, &found.party, country, author.now)?;
            let row = record::get::<Provider>(tx, &scope, id)?.ok_or(Error::NotFound)?;
            let tokens = words_of(&row).tokens(scope.tenant(), Provider::WORDS);
            document::update(tx, &scope, &id.to_string(), &tokens)?;
            let detail = json!({ "name": found.party.name.as_str(), "behind": provider });
            author.audit(tx, "provider.created", id, &detail)?;
            Ok::<_, Error>(id)
        };
        let id = self.db.tenant(caller.scope()).write(write).await?;
        self.records.record::<Provider>(caller, id).await
    }
}

/// The country that `B_05.01` names for a company.
fn country_of(reader: &mut Reader<'_>, scope: &TenantScope, party: &Party) -> Result<Option<Country>> {
    let lei = party.lei.map(|lei| lei.to_string());
    let all = register::list(reader, scope, Template::Providers, PageRequest::part(MOST_ROWS, 0))?.items;
    let row = all.iter().find(|row| match &lei {
        Some(lei) => row.content.at(providers::CODE) == lei,
        None => row.content.at(providers::NAME) == party.name.as_str(),
    });
    let text = row.and_then(|row| row.content.at(providers::COUNTRY).strip_prefix("eba_GA:"));
    Ok(text.and_then(|text| text.parse().ok()))
}
