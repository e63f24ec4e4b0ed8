//! Providers as a table.

use domain::{
    page::Reading,
    provider::{Dimension, Provider, ProviderInput, ProviderRating, ReviewState},
    text::Name,
};

use super::{
    File, TableFormat,
    column::TableColumn,
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    provider::{ProviderFilter, ProviderView},
    records::{Exchanged, Given},
};

const COLUMNS: [TableColumn; 25] = [
    TableColumn::id(),
    TableColumn::text("name", word("Name", "Name")).unread(),
    TableColumn::text("lei", word("LEI", "LEI")).unread(),
    TableColumn::text("country", word("Country", "Land")).unread(),
    TableColumn::text("parent", word("Parent company", "Mutterunternehmen")).unread(),
    TableColumn::flag("critical", word("Supports critical functions", "Stützt kritische Funktionen"))
        .unread(),
    TableColumn::number("arrangements", word("Arrangements", "Vereinbarungen")).unread(),
    TableColumn::number("functions", word("Functions", "Funktionen")).unread(),
    TableColumn::number("share_pct", word("Share of the cost in percent", "Anteil an den Kosten in Prozent"))
        .unread(),
    TableColumn::number("incidents", word("Incidents", "Vorfälle")).unread(),
    TableColumn::number("open_findings", words::OPEN_FINDINGS).unread(),
    TableColumn::text("owner", words::OWNER),
    TableColumn::word::<ProviderRating>("rating", word("Rating", "Bewertung")),
    TableColumn::number("notice_days", word("Notice in days", "Kündigungsfrist in Tagen")),
    TableColumn::number("review_months", word("Months between reviews", "Monate zwischen Prüfungen")),
    TableColumn::day("last_review_on", word("Last review on", "Zuletzt geprüft am")).unread(),
    TableColumn::day("next_review_on", word("Next review on", "Nächste Prüfung am")),
    TableColumn::word::<ReviewState>("review_state", word("Due diligence", "Due Diligence")).unread(),
    TableColumn::number("security", word("Score: security", "Punkte: Sicherheit")).unread(),
    TableColumn::number("resilience", word("Score: resilience", "Punkte: Resilienz")).unread(),
    TableColumn::number("compliance", word("Score: compliance", "Punkte: Compliance")).unread(),
    TableColumn::number("concentration", word("Score: concentration", "Punkte: Konzentration")).unread(),
    TableColumn::number("exit", word("Score: exit", "Punkte: Ausstieg")).unread(),
    TableColumn::number("clauses_required", word("Clauses required", "Geforderte Klauseln")).unread(),
    TableColumn::number("clauses_present", word("Clauses present", "Vorhandene Klauseln")).unread(),
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
        let load = self.record_pages_as_of::<Provider>(caller, filter, reading);
        self.record_table::<Provider, _>(caller, "providers", format, COLUMNS, load, cells).await
    }
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn cells(provider: &ProviderView) -> [String; COLUMNS.len()] {
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

impl Exchanged for Provider {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;
    const CREATES: bool = false;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
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
