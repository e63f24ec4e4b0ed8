//! The latest concentration analysis as a report.

use domain::{
    concentration::{Dimension, Level},
    exact::Hundredths,
    page::PageRequest,
    vocabulary::{Severity, Vocabulary as _},
    wording::Language,
    written,
};
use reports::document::{Badge, BarChart, Cell, Column, Section, Table, Tone};

use super::{Desk, File, set, severity_tone, words};
use crate::{
    App, Error, Result,
    analysis::{Analysis, BreachRow, DimensionContent},
    authz::Caller,
};

/// Bars beyond these are told by the table alone.
const MOST_BARS: usize = 12;

impl App {
    pub async fn concentration_pdf(&self, caller: &Caller, language: Language) -> Result<File> {
        let analysis = self.analysis(caller).await?.ok_or(Error::NotFound)?;
        let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
        let breaches = self.breaches(caller, None, all).await?;
        let desk = Desk::new(self, caller, language).await?;
        let document = analysis.content.dimensions.iter().fold(
            desk.document(desk.t(words::CONCENTRATION))
                .section(overview(&desk, &analysis))
                .section(Section::new(desk.t(words::BREACHES)).table(breach_table(&desk, &breaches.items))),
            |document, dimension| document.section(described(&desk, &analysis, dimension)),
        );
        set(document, format!("concentration-{}", analysis.head.as_of)).await
    }
}

fn percent(desk: &Desk, hundredths: i64) -> String {
    written::percent(desk.language, Hundredths::new(hundredths))
}

fn overview(desk: &Desk, analysis: &Analysis) -> Section {
    let (head, content) = (&analysis.head, &analysis.content);
    let level = Level::find(&head.level);
    let tone = match level {
        Some(Level::Low) => Tone::Positive,
        Some(Level::Moderate) | None => Tone::Info,
        Some(Level::High) => Tone::Warning,
        Some(Level::Critical) => Tone::Critical,
    };
    let name = level.map_or(head.level.as_str(), |level| desk.t(level.label()));
    let facts = [
        desk.pair(words::AS_OF, written::day(desk.language, head.as_of)),
        desk.pair(words::BASIS, desk.t(head.basis.label())),
        desk.pair(words::SCOPE, desk.t(head.scope.label())),
        desk.pair(words::ARRANGEMENTS, head.arrangements.to_string()),
        desk.pair(words::PROVIDERS, content.providers.to_string()),
        desk.pair(words::BREACHES, head.breaches.to_string()),
        desk.pair(words::NEXT_REVIEW, desk.day(content.next_review_on.parse().ok())),
    ];
    Section::new(desk.t(words::OVERVIEW)).badges([Badge::new(tone, name)]).key_values(facts)
}

fn breach_table(desk: &Desk, breaches: &[BreachRow]) -> Table {
    let columns = [
        Column::share(desk.t(words::NAME), 2).row_header(),
        Column::share(desk.t(words::DIMENSION), 1),
        Column::points(desk.t(words::SHARE), 64),
        Column::points(desk.t(words::THRESHOLD), 64),
        Column::points(desk.t(words::SEVERITY), 82),
    ];
    let empty = Table::new(columns).empty_text(desk.t(words::NONE));
    breaches.iter().fold(empty, |table, breach| {
        let severity = Severity::find(&breach.severity).unwrap_or(Severity::Info);
        table.row([
            Cell::from(breach.name.as_str()),
            Cell::from(desk.t(breach.dimension.label())),
            Cell::from(percent(desk, breach.share)),
            Cell::from(percent(desk, breach.threshold)),
            Cell::badge(severity_tone(severity), desk.t(severity.label())),
        ])
    })
}

fn described(desk: &Desk, analysis: &Analysis, dimension: &DimensionContent) -> Section {
    let label = Dimension::find(&dimension.dimension).map_or(words::DIMENSION, Dimension::label);
    let title = desk.t(label);
    let tone = |breach| if breach { Tone::Critical } else { Tone::Positive };
    let share = |hundredths: i64| f64::from(i32::try_from(hundredths).unwrap_or(0)) / 100.0;
    let mut chart = BarChart::new(title).full_scale(100.0);
    for entry in dimension.entries.iter().take(MOST_BARS) {
        chart = chart.bar(&entry.name, share(entry.share), percent(desk, entry.share), tone(entry.breach));
    }
    if analysis.content.thresholds.enabled {
        let limit = format!("{} {} %", desk.t(words::THRESHOLD), dimension.threshold);
        chart = chart.threshold(limit, f64::from(dimension.threshold));
    }
    let columns = [
        Column::share(desk.t(words::NAME), 1).row_header(),
        Column::points(desk.t(words::SHARE), 64),
        Column::points(desk.t(words::ARRANGEMENTS), 96),
        Column::points(desk.t(words::CRITICAL_FUNCTIONS), 110),
    ];
    let table = dimension.entries.iter().fold(Table::new(columns), |table, entry| {
        table.row([
            Cell::from(entry.name.as_str()),
            Cell::from(percent(desk, entry.share)),
            Cell::from(entry.arrangements.to_string()),
            Cell::from(entry.critical_functions.to_string()),
        ])
    });
    let hhi = format!("{} {}", desk.t(words::HHI), written::decimal(desk.language, Hundredths::new(dimension.hhi)));
    Section::new(title).note(hhi).chart(chart).table(table)
}
