//! Providers as a table.

use domain::{
    page::Reading,
    provider::{Dimension, Provider as Record},
    text::Name,
};
use reports::csv::ColumnKind::{self, Number, Text};

use super::{File, TableFormat};
use crate::{
    App, Result,
    authz::Caller,
    provider::{Provider, ProviderFilter},
};

const COLUMNS: [(&str, ColumnKind); 25] = [
    ("id", Text),
    ("name", Text),
    ("lei", Text),
    ("country", Text),
    ("parent", Text),
    ("critical", Text),
    ("arrangements", Number),
    ("functions", Number),
    ("share_pct", Number),
    ("incidents", Number),
    ("open_findings", Number),
    ("owner", Text),
    ("rating", Text),
    ("notice_days", Number),
    ("review_months", Number),
    ("last_review_on", Text),
    ("next_review_on", Text),
    ("review_state", Text),
    ("security", Number),
    ("resilience", Number),
    ("compliance", Number),
    ("concentration", Number),
    ("exit", Number),
    ("clauses_required", Number),
    ("clauses_present", Number),
];

impl App {
    /// The providers a page with these filters lists.
    pub async fn providers_file(
        &self,
        caller: &Caller,
        filter: &ProviderFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Record>(caller, filter, reading);
        self.table(caller, "providers", format, COLUMNS, load, cells).await
    }
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn cells(provider: &Provider) -> [String; COLUMNS.len()] {
    let (record, facts) = (&provider.row.record, &provider.facts);
    let score = |dimension| text(record.scores.and_then(|scores| scores.get(dimension)));
    [
        provider.row.id.to_string(),
        record.name.to_string(),
        text(record.lei),
        record.country.to_string(),
        text(facts.parent.as_ref().map(|(name, _)| name)),
        provider.is_critical().to_string(),
        facts.arrangements.to_string(),
        facts.functions.len().to_string(),
        text(provider.share),
        facts.incidents.to_string(),
        facts.open_findings.to_string(),
        text(record.owner.as_ref().map(Name::as_str)),
        text(record.rating),
        text(record.notice_days),
        text(record.review_months),
        text(record.last_review_on),
        text(record.next_review_on),
        provider.state.to_string(),
        score(Dimension::Security),
        score(Dimension::Resilience),
        score(Dimension::Compliance),
        score(Dimension::Concentration),
        score(Dimension::Exit),
        provider.clauses.required.to_string(),
        provider.clauses.present.to_string(),
    ]
}
