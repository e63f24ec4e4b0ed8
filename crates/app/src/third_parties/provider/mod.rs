//! Providers: created from the register, maintained by users.
//!
//! The record is created together with the first arrangement that names a provider (`store::provider` contains the
//! rule) and never by a request. Computed values follow from the arrangements at the time of reading.

mod answered;
mod clause;
mod compare;
mod link;
mod link_file;
mod page;
mod review;
mod subcontractor;

use std::sync::Arc;

use catalogue::vendor::Vendor;
use domain::{
    change::Change,
    id::ProviderId,
    lei::Lei,
    moment::Day,
    provider::{Provider, ProviderComplaint, ProviderInput, ReviewScores, ReviewState},
    right::Resource,
    rounding::Hundredths,
    tag::Tag,
    text::{Name, Prose},
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx,
    arrangement::ArrangementRow,
    contract_notice::{self, ContractNotice, Terms},
    document, evidence_link, provider as rows, provider_clause,
    record::{self, RecordRow},
    tag,
};

use crate::{
    Core, Error, Result, analysis,
    author::Author,
    catalogue::Edition,
    records::{Announced, RecordKind, RecordRequest, words_of},
    words::{Kind, Texts},
};

pub use self::{
    clause::{ClauseLine, Clauses, ContractClauses},
    compare::{AnswerDifference, ReviewComparison, ScoreDifference},
    link::{LINK_DAYS, PATH as LINK_PATH, Questionnaire, SentReview},
    page::{Contract, ProviderPage},
    review::{AskedQuestion, NewReview, ReviewChange, ReviewView},
    subcontractor::Subcontractor,
};
pub use store::{
    provider::{ProviderFacts, ProviderFilter, ProviderRow},
    provider_review::{ReviewFilter, ReviewRow},
};

/// A provider with values from the register and other records.
#[derive(Debug, Clone)]
pub struct ProviderView {
    pub row: ProviderRow,
    pub facts: ProviderFacts,
    /// Share of the annual cost of all arrangements active today, by the rule of the concentration analysis. `None`
    /// if it cannot be computed, for example because an exchange rate is missing.
    pub share: Option<Hundredths>,
    pub state: ReviewState,
    pub clauses: Clauses,
    pub edition: Arc<Edition>,
}

impl ProviderView {
    pub fn is_critical(&self) -> bool {
        self.facts.critical_arrangements > 0
    }

    /// The archetype of the catalogue it is held against; nothing if none is chosen or the catalogue dropped it.
    pub fn archetype(&self) -> Option<&Vendor> {
        self.edition.vendors.get(self.row.record.archetype.as_ref()?.as_str())
    }
}

impl RecordKind for Provider {
    type Input = ProviderInput;
    type New = ProviderInput;
    type Change = ProviderInput;
    type View = ProviderView;

    const NOUN: &'static str = "provider";
    const LIST: &'static str = "providers";
    const WORDS: Kind = Kind::new('v');
    const FOUND: Option<&'static str> = Some("own_provider");
    const RESOURCE: Resource = Resource::Providers;

    /// Providers are created from the register alone.
    fn create(_: &Author, _: &mut Tx<'_>, _: &ProviderInput) -> Result<Self> {
        Err(Error::NotFound)
    }

    fn change(author: &Author, _: &mut Tx<'_>, before: &ProviderRow, input: &ProviderInput) -> Result<Self> {
        let after = input.change(&before.record)?;
        let named = after.archetype.as_ref().filter(|_| after.archetype != before.record.archetype);
        match named {
            Some(id) if author.core.catalogue()?.vendors.get(id.as_str()).is_none() => {
                Err(Error::invalid("archetype", ProviderComplaint::NotAnArchetype))
            }
            _ => Ok(after),
        }
    }

    fn status(&self) -> Option<&'static str> {
        None
    }

    fn fields(&self) -> Value {
        json!({
            "name": self.name.as_str(),
            "lei": self.lei.map(|lei| lei.to_string()),
            "country": self.country.to_string(),
            "owner": self.owner.as_ref().map(Name::as_str),
            "rating": self.rating,
            "archetype": self.archetype.as_ref().map(Name::as_str),
            "contact": self.contact.as_ref().map(ToString::to_string),
            "review_months": self.review_months,
            "notice_days": self.notice_days,
            "note": self.note.as_ref().map(Prose::as_str),
            "last_review_on": self.last_review_on,
            "next_review_on": self.next_review_on,
            "scores": self.scores.as_ref().map(scores_fields),
        })
    }

    fn shown_as(&self) -> String {
        self.name.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let mut heading = vec![self.name.as_str().into()];
        heading.extend(self.lei.map(|lei| lei.to_string().into()));
        let body = [self.owner.as_ref().map(Name::as_str), self.note.as_ref().map(Prose::as_str)];
        Texts { heading, body: body.into_iter().flatten().collect() }
    }

    /// The list has a search of its own, because providers created by earlier versions have no index entry.
    fn search_text(_: &ProviderFilter) -> Option<&str> {
        None
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<ProviderRow>,
    ) -> Result<Vec<ProviderView>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let (edition, today) = (core.catalogue()?, core.clock.now().day());
        let ids: Vec<ProviderId> = rows.iter().map(|row| row.id).collect();
        let mut facts = rows::facts_of(reader, scope, &ids)?;
        let counts = provider_clause::counts_of(reader, scope, &ids)?;
        let shares = Shares::read(reader, scope, today, &edition)?;
        let view = |row: ProviderRow| {
            let facts = facts.remove(&row.id).unwrap_or_default();
            let counts = counts.get(&row.id).map(Vec::as_slice).unwrap_or_default();
            ProviderView {
                state: row.record.review_state(today),
                share: shares.of(&row.record),
                clauses: Clauses::of(&edition, &facts, counts),
                edition: Arc::clone(&edition),
                facts,
                row,
            }
        };
        Ok(rows.into_iter().map(view).collect())
    }

    fn row(view: &ProviderView) -> &ProviderRow {
        &view.row
    }

    /// Another notice period or owner moves the days of all contracts.
    fn changed(author: &Author, tx: &mut Tx<'_>, before: &ProviderRow, after: &ProviderRow) -> Result<()> {
        let (old, new) = (terms(&before.record), terms(&after.record));
        if old == new {
            return Ok(());
        }
        Ok(contract_notice::keep_all(tx, author.scope(), after.id, &new, author.now.day())?)
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(ProviderInput { owner: Change::Set(heir.to_string()), ..ProviderInput::default() })
    }

    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        row.record.next_review_on.map(|due| (due, summary(row.id, &row.record)))
    }

    /// A provider is deleted with its last arrangement, never by a request.
    fn release(_: &Author, _: &mut Tx<'_>, _: &ProviderRow) -> Result<()> {
        Err(Error::NotFound)
    }
}

impl RecordRequest<Provider> for ProviderInput {}

/// What decides about the days of its contracts.
fn terms(provider: &Provider) -> Terms {
    Terms {
        name: provider.name.to_string(),
        notice_days: provider.notice_days,
        owner: provider.owner.as_ref().map(ToString::to_string),
    }
}

pub(crate) fn scores_fields(scores: &ReviewScores) -> Value {
    let mut fields = serde_json::Map::new();
    for dimension in domain::provider::Dimension::ALL {
        fields.insert(dimension.to_string(), json!(scores.get(*dimension)));
    }
    fields.insert("overall".to_owned(), json!(scores.overall));
    Value::Object(fields)
}

/// The fields of a provider in events.
pub(crate) fn summary(id: ProviderId, provider: &Provider) -> Value {
    json!({
        "id": id,
        "title": provider.name.as_str(),
        "lei": provider.lei.map(|lei| lei.to_string()),
        "owner": provider.owner.as_ref().map(Name::as_str),
        "next_review_on": provider.next_review_on,
    })
}

/// What an event says of a contract that has to be terminated or goes on.
pub(crate) fn notice_summary(notice: &ContractNotice) -> Value {
    json!({
        "id": notice.id,
        "title": notice.title,
        "provider_id": notice.provider,
        "owner": notice.owner,
        "notice_by": notice.notice_on,
        "ends_on": notice.ends_on,
    })
}

/// The share of each provider in today's register.
#[derive(Debug, Default)]
struct Shares(Vec<(String, Option<Lei>, Hundredths)>);

impl Shares {
    fn read(reader: &mut Reader<'_>, scope: &TenantScope, today: Day, edition: &Edition) -> Result<Self> {
        match analysis::provider_shares(reader, scope, today, edition) {
            Ok(shares) => Ok(Self(shares)),
            // Errors of an analysis, such as a missing rate, are shown on the page of the analysis.
            Err(Error::Invalid(_)) => Ok(Self::default()),
            Err(other) => Err(other),
        }
    }

    fn of(&self, provider: &Provider) -> Option<Hundredths> {
        let fits = |(name, lei, _): &&(String, Option<Lei>, Hundredths)| match provider.lei {
            Some(_) => *lei == provider.lei,
            None => lei.is_none() && name == provider.name.as_str(),
        };
        let found = self.0.iter().find(fits).map(|(.., share)| *share);
        // If the register could be analysed, a provider without an active arrangement has a share of zero.
        found.or_else(|| (!self.0.is_empty()).then(Hundredths::default))
    }
}

/// Stores which provider an arrangement belongs to, and updates its search tokens.
pub(crate) fn refer(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<()> {
    let referred = rows::refer(tx, scope, row)?;
    if let Some(gone) = referred.gone {
        forget_provider(tx, scope, gone)?;
    }
    if !referred.is_changed {
        return Ok(());
    }
    let Some(provider) = record::get::<Provider>(tx, scope, referred.id)? else { return Ok(()) };
    let id = provider.id;
    // Its name may be another one now, and stands in the titles of all its contracts.
    contract_notice::keep_all(tx, scope, id, &terms(&provider.record), row.updated_at.day())?;
    let tags = tag::of(tx, scope, &id.to_string())?;
    let words = words_of(&provider).and(tags.iter().map(Tag::as_str));
    let tokens = words.tokens(scope.tenant(), Provider::WORDS);
    document::update(tx, scope, &id.to_string(), &tokens).map_err(Error::from)
}

/// The same for a changed arrangement, which may leave its former provider with nothing that refers to it.
pub(crate) fn refer_again(author: &Author, tx: &mut Tx<'_>, row: &ArrangementRow) -> Result<()> {
    let former = provider_of(tx, author.scope(), row)?;
    refer(tx, author.scope(), row)?;
    keep_deleted(author, tx, former)
}

/// Handles a deleted arrangement: its clauses are deleted, and its provider if nothing was recorded about it.
pub(crate) fn forget(author: &Author, tx: &mut Tx<'_>, row: &ArrangementRow) -> Result<()> {
    let (scope, former) = (author.scope(), provider_of(tx, author.scope(), row)?);
    provider_clause::forget(tx, scope, row.id)?;
    if let Some(gone) = rows::forget(tx, scope, &row.id.to_string())? {
        forget_provider(tx, scope, gone)?;
    }
    keep_deleted(author, tx, former)
}

fn provider_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    row: &ArrangementRow,
) -> Result<Option<RecordRow<Provider>>> {
    match rows::of_arrangement(reader, scope, &row.id.to_string())? {
        Some(id) => Ok(record::get::<Provider>(reader, scope, id)?),
        None => Ok(None),
    }
}

/// Keeps the last version of a provider that is no longer there, as of every deleted record.
fn keep_deleted(author: &Author, tx: &mut Tx<'_>, former: Option<RecordRow<Provider>>) -> Result<()> {
    match former {
        Some(former) if record::get::<Provider>(tx, author.scope(), former.id)?.is_none() => {
            author.keep_version(tx, &former)
        }
        _ => Ok(()),
    }
}

fn forget_provider(tx: &mut Tx<'_>, scope: &TenantScope, gone: ProviderId) -> Result<()> {
    let subject = gone.to_string();
    evidence_link::forget_target(tx, scope, &subject)?;
    tag::forget(tx, scope, &subject)?;
    document::delete(tx, scope, &subject).map_err(Error::from)
}
