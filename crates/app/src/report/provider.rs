//! Providers as a table.

use domain::{
    page::Reading,
    provider::{Dimension, Provider, ProviderInput, ProviderRating, ReviewState},
    wording::Label,
};

use super::{
    File, TableFormat,
    column::{RecordColumn, TableColumn, cell, cells, columns, of},
    words::word,
};
use crate::{
    Reports, Result,
    authz::Caller,
    provider::{ProviderFilter, ProviderView},
    records::{Exchanged, Given},
};

const SHARE: Label = word("Share of the cost in percent", "Anteil an den Kosten in Prozent");
const SECURITY: Label = word("Score: security", "Punkte: Sicherheit");
const RESILIENCE: Label = word("Score: resilience", "Punkte: Resilienz");
const COMPLIANCE: Label = word("Score: compliance", "Punkte: Compliance");
const CONCENTRATION: Label = word("Score: concentration", "Punkte: Konzentration");
const EXIT: Label = word("Score: exit", "Punkte: Ausstieg");
const REQUIRED: Label = word("Clauses required", "Geforderte Klauseln");
const PRESENT: Label = word("Clauses present", "Vorhandene Klauseln");

pub(super) const COLUMNS: &[RecordColumn<ProviderView>] = &[
    (TableColumn::id(), |provider| provider.row.id.to_string()),
    (of::text(Provider::NAME).unread(), |provider| provider.row.record.name.to_string()),
    (of::text(Provider::LEI).unread(), |provider| cell(provider.row.record.lei)),
    (of::text(Provider::COUNTRY).unread(), |provider| provider.row.record.country.to_string()),
    (of::text(Provider::PARENT).unread(), |provider| {
        cell(provider.facts.parent.as_ref().map(|(name, _)| name))
    }),
    (of::flag(Provider::CRITICAL).unread(), |provider| provider.is_critical().to_string()),
    (of::number(Provider::ARRANGEMENTS).unread(), |provider| provider.facts.arrangements.to_string()),
    (of::number(Provider::FUNCTIONS).unread(), |provider| provider.facts.functions.len().to_string()),
    (of::number(Provider::SHARE.called(SHARE)).unread(), |provider| cell(provider.share)),
    (of::number(Provider::INCIDENTS).unread(), |provider| provider.facts.incidents.to_string()),
    (of::number(Provider::OPEN_FINDINGS).unread(), |provider| provider.facts.open_findings.to_string()),
    (of::text(Provider::OWNER), |provider| cell(provider.row.record.owner.as_ref())),
    (of::word::<ProviderRating>(Provider::RATING), |provider| cell(provider.row.record.rating)),
    (of::number(Provider::NOTICE_DAYS), |provider| cell(provider.row.record.notice_days)),
    (of::number(Provider::REVIEW_MONTHS), |provider| cell(provider.row.record.review_months)),
    (of::day(Provider::LAST_REVIEW_ON).unread(), |provider| cell(provider.row.record.last_review_on)),
    (of::day(Provider::NEXT_REVIEW_ON), |provider| cell(provider.row.record.next_review_on)),
    (of::word::<ReviewState>(Provider::REVIEW_STATE).unread(), |provider| provider.state.to_string()),
    (TableColumn::number("security", SECURITY).unread(), |provider| score(provider, Dimension::Security)),
    (TableColumn::number("resilience", RESILIENCE).unread(), |provider| {
        score(provider, Dimension::Resilience)
    }),
    (TableColumn::number("compliance", COMPLIANCE).unread(), |provider| {
        score(provider, Dimension::Compliance)
    }),
    (TableColumn::number("concentration", CONCENTRATION).unread(), |provider| {
        score(provider, Dimension::Concentration)
    }),
    (TableColumn::number("exit", EXIT).unread(), |provider| score(provider, Dimension::Exit)),
    (TableColumn::number("clauses_required", REQUIRED).unread(), |provider| {
        provider.clauses.required.to_string()
    }),
    (TableColumn::number("clauses_present", PRESENT).unread(), |provider| {
        provider.clauses.present.to_string()
    }),
];

impl Reports {
    /// The providers a page with these filters lists.
    pub async fn providers_file(
        &self,
        caller: &Caller,
        filter: &ProviderFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let load = self.records.record_pages_as_of::<Provider>(caller, filter, reading);
        self.record_file::<Provider>(caller, "providers", format, COLUMNS, load).await
    }
}

fn score(provider: &ProviderView, dimension: Dimension) -> String {
    cell(provider.row.record.scores.and_then(|scores| scores.get(dimension)))
}

impl Exchanged for Provider {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = None;

    fn cells(provider: &ProviderView) -> Vec<String> {
        cells(COLUMNS, provider)
    }

    fn input(given: &Given) -> Self::Input {
        ProviderInput {
            owner: given.text("owner"),
            rating: given.text("rating"),
            notice_days: given.number("notice_days"),
            review_months: given.number("review_months"),
            next_review_on: given.text("next_review_on"),
            ..ProviderInput::default()
        }
    }
}
