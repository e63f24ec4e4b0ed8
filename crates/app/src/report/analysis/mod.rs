//! A concentration analysis as a report: for the management body and for the supervisor.

mod attach;
mod resilience;
mod simulation;
mod words;

use domain::{
    concentration::{Basis, Dimension, Level},
    format,
    id::AnalysisId,
    money::Money,
    page::PageRequest,
    rounding::Hundredths,
    vocabulary::{Severity, Vocabulary as _},
    wording::{Label, Language},
};
use reports::document::{Align, Badge, BarChart, Cell, Column, Document, Section, Table, Tone};

use super::{File, ReportContext, words as shared};
use crate::{
    Error, Reports, Result,
    analysis::{Analysis, BreachRow, DimensionContent, RateContent, shown_name},
    authz::Caller,
};

/// The maximum number of bars; the table contains all values.
const MOST_BARS: usize = 12;
/// The maximum number of rows: further ones are far below any threshold.
const MOST_ROWS: usize = 60;

impl Reports {
    /// One analysis as a report; without an id the latest.
    pub async fn concentration_pdf(
        &self,
        caller: &Caller,
        id: Option<AnalysisId>,
        language: Language,
    ) -> Result<File> {
        let analysis = match id {
            Some(id) => self.third_parties.kept_analysis(caller, id).await?,
            None => self.third_parties.analysis(caller).await?.ok_or(Error::NotFound)?,
        }
        .spoken(language);
        let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
        let breaches = self.third_parties.breaches(caller, analysis.head.id, false, all).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let paper = Paper { ctx: &ctx, analysis: &analysis };
        let name = format!("concentration-{}", analysis.head.as_of);
        ctx.set(paper.document(&breaches.items), name).await
    }
}

/// The context shared by all parts of the report.
struct Paper<'p> {
    ctx: &'p ReportContext,
    analysis: &'p Analysis,
}

impl Paper<'_> {
    fn t(&self, label: Label) -> &'static str {
        self.ctx.t(label)
    }

    /// Hundredths of a per cent as text.
    fn percent(&self, hundredths: i64) -> String {
        format::exact_percent(self.ctx.language, Hundredths::new(hundredths))
    }

    /// A value of the basis: money, or a count.
    fn value(&self, value: u64) -> String {
        let currency = self.analysis.content.currency.as_ref().and_then(|code| code.parse().ok());
        match (self.analysis.head.basis, currency) {
            (Basis::AnnualCost, Some(currency)) => {
                let amount = i64::try_from(value).unwrap_or(i64::MAX);
                format::money(self.ctx.language, Money { amount, currency })
            }
            _ => format::count(self.ctx.language, value),
        }
    }

    fn document(&self, breaches: &[BreachRow]) -> Document {
        let (head, content) = (&self.analysis.head, &self.analysis.content);
        let as_of = format::day(self.ctx.language, head.as_of);
        let measured = format!(
            "{}: {}; {}: {}",
            self.t(words::BASIS),
            self.t(head.basis.label()),
            self.t(words::SCOPE),
            self.t(head.scope.label())
        );
        let cover = self
            .ctx
            .document(self.t(words::CONCENTRATION))
            .subtitle(format!("{} {as_of}", self.t(words::SUBTITLE)))
            .filter(measured)
            .fact(self.t(words::LEVEL), self.level().1)
            .section(self.overview())
            .section(Section::new(self.t(words::BREACHES)).table(self.breaches(breaches)));
        let dimensions = content.dimensions.iter().fold(cover, |document, dimension| {
            let label = Dimension::find(&dimension.dimension).map_or(words::DIMENSION, Dimension::label);
            document.section(self.dimension(self.t(label), dimension))
        });
        dimensions
            .section(self.dimension(self.t(words::GROUPS), &content.groups))
            .section(self.critical_functions())
            .section(self.common_nodes())
            .section(self.places())
            .section(self.designated())
            .section(Section::new(self.t(words::METHOD)).paragraph(self.t(words::METHOD_TEXT)))
    }

    fn level(&self) -> (Tone, String) {
        let word = &self.analysis.head.level;
        let level = Level::find(word);
        let tone = level.map_or(Tone::Notice, Level::tone);
        (tone, level.map_or(word.as_str(), |level| self.t(level.label())).to_owned())
    }

    fn overview(&self) -> Section {
        let (head, content, ctx) = (&self.analysis.head, &self.analysis.content, self.ctx);
        let (tone, level) = self.level();
        let mut facts = vec![
            ctx.pair(words::AS_OF, format::day(ctx.language, head.as_of)),
            ctx.pair(words::ANALYSED, ctx.moment(head.analysed_at)),
            ctx.pair(words::BASIS, self.t(head.basis.label())),
            ctx.pair(words::SCOPE, self.t(head.scope.label())),
            ctx.pair(words::TOTAL, self.value(content.total)),
            ctx.pair(words::ARRANGEMENTS, format::count(ctx.language, head.arrangements)),
            ctx.pair(words::PROVIDERS, format::count(ctx.language, content.providers.into())),
            ctx.pair(words::BREACHES, head.breaches.to_string()),
            ctx.pair(words::NEXT_REVIEW, ctx.day(content.next_review_on.parse().ok())),
        ];
        if !content.rates.is_empty() {
            facts.push(ctx.pair(words::RATES, rates(ctx, &content.rates)));
        }
        let section = Section::new(self.t(shared::OVERVIEW))
            .badges([Badge::new(tone, format!("{}: {level}", self.t(words::LEVEL)))])
            .key_values(facts);
        let section = if content.thresholds.enabled { section } else { section.note(self.t(words::OFF)) };
        let section =
            self.analysis.stale.iter().fold(section, |section, cause| section.note(self.t(cause.label())));
        section.table(self.largest())
    }

    /// The largest share of each dimension against its threshold.
    fn largest(&self) -> Table {
        let columns = [
            Column::points(self.t(words::DIMENSION), 90).row_header(),
            Column::share(self.t(words::LARGEST), 1),
            Column::points(self.t(words::SHARE), 64).align(Align::End),
            Column::points(self.t(words::THRESHOLD), 64).align(Align::End),
            Column::points(self.t(words::HHI), 64).align(Align::End),
        ];
        self.analysis.content.dimensions.iter().fold(Table::new(columns), |table, dimension| {
            let label = Dimension::find(&dimension.dimension).map_or(words::DIMENSION, Dimension::label);
            let first = dimension.entries.first();
            table.row([
                self.t(label).to_owned(),
                first.map(|entry| entry.name.clone()).unwrap_or_default(),
                first.map(|entry| self.percent(entry.share)).unwrap_or_default(),
                format!("{} %", dimension.threshold),
                self.hhi(dimension),
            ])
        })
    }

    fn hhi(&self, dimension: &DimensionContent) -> String {
        let whole = u64::try_from((dimension.hhi + 50) / 100).unwrap_or_default();
        format::count(self.ctx.language, whole)
    }

    fn breaches(&self, breaches: &[BreachRow]) -> Table {
        let columns = [
            Column::share(self.t(words::NAME), 1).row_header(),
            Column::points(self.t(words::DIMENSION), 84),
            Column::points(self.t(words::SHARE), 58).align(Align::End),
            Column::points(self.t(words::THRESHOLD), 58).align(Align::End),
            Column::points(self.t(words::EXCESS), 66).align(Align::End),
            Column::points(self.t(shared::SEVERITY), 76),
        ];
        let empty = Table::new(columns).empty_text(self.t(shared::NONE));
        breaches.iter().fold(empty, |table, breach| {
            let severity = Severity::find(&breach.severity).unwrap_or(Severity::Info);
            table.row([
                Cell::from(format!(
                    "{} ({} {})",
                    shown_name(breach.dimension, &breach.name, self.ctx.language),
                    self.t(words::SINCE).to_lowercase(),
                    format::day(self.ctx.language, breach.first_detected_at.day())
                )),
                Cell::from(self.t(breach.dimension.label())),
                Cell::from(self.percent(breach.share)),
                Cell::from(format!("{} %", breach.threshold)),
                Cell::from(format::points(self.ctx.language, Hundredths::new(breach.excess))),
                Cell::badge(severity.tone(), self.t(severity.label())),
            ])
        })
    }

    fn dimension(&self, title: &str, dimension: &DimensionContent) -> Section {
        let hhi = format!("{} {}. {}", self.t(words::HHI), self.hhi(dimension), self.t(words::HHI_NOTE));
        let section =
            Section::new(title).note(hhi).chart(self.bars(title, dimension)).table(self.entries(dimension));
        match dimension.entries.len().checked_sub(MOST_ROWS) {
            None | Some(0) => section,
            Some(rest) => section.note(format!("{rest} {}", self.t(words::MORE))),
        }
    }

    fn bars(&self, title: &str, dimension: &DimensionContent) -> BarChart {
        let tone = |breach| if breach { Tone::Critical } else { Tone::Notice };
        let chart = dimension.entries.iter().take(MOST_BARS).fold(
            BarChart::new(title).full_scale(100.0),
            |chart, entry| {
                chart.bar(&entry.name, length(entry.share), self.percent(entry.share), tone(entry.breach))
            },
        );
        if !self.analysis.content.thresholds.enabled {
            return chart;
        }
        let limit = format!("{} {} %", self.t(words::THRESHOLD), dimension.threshold);
        chart.threshold(limit, f64::from(dimension.threshold))
    }

    fn entries(&self, dimension: &DimensionContent) -> Table {
        let columns = [
            Column::share(self.t(words::NAME), 1).row_header(),
            Column::points(self.t(words::VALUE), 104).align(Align::End),
            Column::points(self.t(words::SHARE), 58).align(Align::End),
            Column::points(self.t(words::CRITICAL_FUNCTIONS), 62).align(Align::End),
            Column::points(self.t(words::OF_CRITICAL), 62).align(Align::End),
        ];
        dimension.entries.iter().take(MOST_ROWS).fold(Table::new(columns), |table, entry| {
            table.row([
                entry.name.clone(),
                self.value(entry.value),
                self.percent(entry.share),
                entry.critical_functions.to_string(),
                self.percent(entry.critical_share),
            ])
        })
    }
}

/// The exchange rates used, each with its day if it has one.
fn rates(ctx: &ReportContext, rates: &[RateContent]) -> String {
    let each = rates.iter().map(|rate| {
        let on = rate.valid_on.as_ref().and_then(|day| day.parse().ok());
        let on = on.map(|day| format!(" ({})", format::day(ctx.language, day))).unwrap_or_default();
        format!("{} {}{on}", rate.currency, rate.rate)
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Hundredths of a per cent as a length.
fn length(hundredths: i64) -> f64 {
    f64::from(i32::try_from(hundredths).unwrap_or(0)) / 100.0
}
