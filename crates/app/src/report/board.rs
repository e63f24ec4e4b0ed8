//! The report to the management body on a period and the period before. It only contains what follows from the
//! institution's own records, and says so where there is nothing.

use domain::{
    currency::Currency,
    format,
    incident::{CostKind, Outcome, due::DueReport},
    moment::Day,
    money::Money,
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Align, Cell, Column, Section, Table};

use super::{File, ReportContext, training, words as shared, words::word};
use crate::{
    Reports, Result,
    authz::Caller,
    incident::{IncidentPeriod, IncidentView, Period},
};

const REPORT: Label = word("Report to the management body", "Bericht an das Leitungsorgan");
const PERIOD_BEFORE: Label = word("Period before", "Zeitraum davor");
const INCIDENTS: Label = word("Incidents", "Vorfälle");
const INCIDENT: Label = word("Incident", "Vorfall");
const NONE_DETECTED: Label =
    word("No incident was detected in this period.", "In diesem Zeitraum wurde kein Vorfall entdeckt.");
const DETECTED_COUNT: Label =
    word("Incidents detected in this period", "Entdeckte Vorfälle in diesem Zeitraum");
const BEFORE_COUNT: Label = word("in the period before", "im Zeitraum davor");
const BY_RESULT: Label = word("By classification", "Nach Klassifizierung");
const CLASSIFICATION: Label = word("Classification", "Klassifizierung");
const TOTAL: Label = word("Total", "Summe");
const THIS_PERIOD: Label = word("This period", "Dieser Zeitraum");
const CHANGE: Label = word("Change", "Veränderung");
const OPEN_MAJOR: Label = word("Open major incidents", "Offene schwerwiegende Vorfälle");
const NO_OPEN_MAJOR: Label = word("No major incident is open.", "Es ist kein schwerwiegender Vorfall offen.");
const AWARE: Label = word("Aware since", "Bekannt seit");
const CLOCKS: Label = word("Running clocks", "Laufende Fristen");
const NO_CLOCK: Label = word("no report is owed", "keine Meldung offen");
const PROMPTLY: Label = word("without undue delay", "unverzüglich");
const REPORTS: Label = word("Reports on these incidents", "Meldungen zu diesen Vorfällen");
const IN_TIME: Label = word("Filed in time", "Fristgerecht eingereicht");
const LATE: Label = word("Filed late", "Verspätet eingereicht");
const OWED: Label = word("Still due", "Noch ausstehend");
const COSTS: Label = word("Costs and losses", "Kosten und Verluste");
const NO_COSTS: Label = word(
    "No costs are recorded for the incidents of either period.",
    "Zu den Vorfällen beider Zeiträume sind keine Kosten erfasst.",
);
const KIND: Label = word("Kind", "Art");
const LESSONS: Label = word("Root causes and lessons", "Ursachen und Lehren");
const NO_LESSONS: Label = word(
    "No root cause and no lesson is recorded for the incidents of this period.",
    "Zu den Vorfällen dieses Zeitraums ist weder eine Ursache noch eine Lehre erfasst.",
);
const WITHOUT_LESSONS: Label = word("Incidents without either", "Vorfälle ohne Ursache und Lehre");
const ROOT_CAUSE: Label = word("Root cause", "Grundursache");
const LESSON: Label = word("Lessons", "Lehren");
const COUNTED: Label = word(
    "Counted by the day of detection, from the records of the institution; what turned out to be no incident is left out. Costs are gross and not converted.",
    "Gezählt nach dem Tag der Entdeckung, aus den Aufzeichnungen des Instituts; was sich als kein Vorfall herausgestellt hat, fehlt. Kosten brutto und ohne Umrechnung.",
);
const CUT: Label =
    word("There are more incidents than are counted here.", "Es gibt mehr Vorfälle, als hier gezählt sind.");

impl Reports {
    /// The report on the days from one to another, both included; by default the current quarter to date.
    pub async fn board_report_pdf(
        &self,
        caller: &Caller,
        from: Option<Day>,
        until: Option<Day>,
        language: Language,
    ) -> Result<File> {
        let ctx = ReportContext::new(self, caller, language).await?;
        let today = ctx.zone.local(self.clock.now()).day;
        let until = until.unwrap_or(today);
        let period = Period::new(from.unwrap_or_else(|| quarter_start(until)), until)?;
        let summary = self.resilience.incident_period(caller, period, &ctx.zone).await?;
        let trainings = self.compliance.training_totals(caller).await?;
        let document = ctx
            .document(ctx.t(REPORT))
            .filter(format!("{}: {}", ctx.t(shared::PERIOD), span(&ctx, summary.period)))
            .fact(ctx.t(PERIOD_BEFORE), span(&ctx, summary.period_before))
            .section(incidents(&ctx, &summary))
            .section(training::figures(&ctx, &trainings));
        ctx.set(document, format!("board-report-{}-{}", period.from, period.until)).await
    }
}

/// The first day of the quarter that a day is in.
pub fn quarter_start(day: Day) -> Day {
    Day::new(day.year(), (day.month() - 1) / 3 * 3 + 1, 1).unwrap_or(day)
}

fn span(ctx: &ReportContext, period: Period) -> String {
    format!("{} – {}", ctx.day(Some(period.from)), ctx.day(Some(period.until)))
}

/// The incidents of a period and of the one before.
pub(super) fn incidents(ctx: &ReportContext, summary: &IncidentPeriod) -> Section {
    let (now, before) = (&summary.figures, &summary.figures_before);
    let section = Section::new(ctx.t(INCIDENTS));
    let section = if now.total == 0 {
        section.lead(ctx.t(NONE_DETECTED))
    } else {
        section.lead(format!(
            "{}: {}; {}: {}.",
            ctx.t(DETECTED_COUNT),
            now.total,
            ctx.t(BEFORE_COUNT),
            before.total
        ))
    };
    let section = if summary.is_cut { section.note(ctx.t(CUT)) } else { section };
    let section = open_major(ctx, section, summary);
    if now.total == 0 && before.total == 0 {
        return section.note(ctx.t(COUNTED));
    }
    let section = section.heading(ctx.t(BY_RESULT)).table(by_result(ctx, summary));
    let section = section.heading(ctx.t(REPORTS)).table(reports(ctx, summary));
    let section = costs(ctx, section, summary);
    let section = if now.total == 0 { section } else { lessons(ctx, section, summary) };
    section.note(ctx.t(COUNTED))
}

/// A figure of this period, of the one before, and the difference.
fn figures(now: u64, before: u64) -> [Cell; 3] {
    let change = i128::from(now) - i128::from(before);
    let change = if change == 0 { "±0".to_owned() } else { format!("{change:+}") };
    [Cell::from(now.to_string()), Cell::from(before.to_string()), Cell::from(change)]
}

fn compared(ctx: &ReportContext, first: Label, has_change: bool) -> Table {
    let figure = |label, points| Column::points(ctx.t(label), points).align(Align::End);
    let mut columns =
        vec![Column::share(ctx.t(first), 1).row_header(), figure(THIS_PERIOD, 96), figure(PERIOD_BEFORE, 96)];
    if has_change {
        columns.push(figure(CHANGE, 76));
    }
    Table::new(columns)
}

fn by_result(ctx: &ReportContext, summary: &IncidentPeriod) -> Table {
    let (now, before) = (&summary.figures, &summary.figures_before);
    let row = |label: Label, (now, before): (u64, u64)| {
        [Cell::from(ctx.t(label))].into_iter().chain(figures(now, before))
    };
    let table = Outcome::ALL.iter().fold(compared(ctx, CLASSIFICATION, true), |table, outcome| {
        table.row(row(outcome.label(), (now.of(*outcome), before.of(*outcome))))
    });
    table.row(row(TOTAL, (now.total, before.total)))
}

fn reports(ctx: &ReportContext, summary: &IncidentPeriod) -> Table {
    let (now, before) = (&summary.figures, &summary.figures_before);
    let rows = [
        (IN_TIME, now.reports_in_time, before.reports_in_time),
        (LATE, now.reports_late, before.reports_late),
        (OWED, now.reports_owed, before.reports_owed),
    ];
    rows.into_iter().fold(compared(ctx, REPORTS, true), |table, (label, now, before)| {
        table.row([Cell::from(ctx.t(label))].into_iter().chain(figures(now, before)))
    })
}

fn open_major(ctx: &ReportContext, section: Section, summary: &IncidentPeriod) -> Section {
    let section = section.heading(ctx.t(OPEN_MAJOR));
    if summary.open_major.is_empty() {
        return section.paragraph(ctx.t(NO_OPEN_MAJOR));
    }
    let columns = [
        Column::share(ctx.t(INCIDENT), 2).row_header(),
        Column::points(ctx.t(shared::OWNER), 84),
        Column::points(ctx.t(AWARE), 84),
        Column::share(ctx.t(CLOCKS), 3),
    ];
    section.table(summary.open_major.iter().fold(Table::new(columns), |table, incident| {
        let record = &incident.row.record;
        table.row([
            format!("{} {}", record.reference, record.title),
            record.owner.as_ref().map_or_else(|| "–".to_owned(), Name::to_string),
            ctx.moment(record.times.aware_at),
            clocks(ctx, incident),
        ])
    }))
}

/// The outstanding reports, each with its due time and its state.
fn clocks(ctx: &ReportContext, incident: &IncidentView) -> String {
    let line = |report: &&DueReport| {
        let due = report.due.moment().map_or_else(|| ctx.t(PROMPTLY).to_owned(), |at| ctx.moment(at));
        let (regime, stage) = (ctx.t(report.regime.label()), ctx.t(report.name()));
        format!("{regime}, {stage}: {due} ({})", ctx.t(report.state.label()))
    };
    let owed: Vec<String> = incident.owed().iter().map(line).collect();
    if owed.is_empty() { ctx.t(NO_CLOCK).to_owned() } else { owed.join("\n") }
}

fn costs(ctx: &ReportContext, section: Section, summary: &IncidentPeriod) -> Section {
    let (now, before) = (&summary.figures.costs, &summary.figures_before.costs);
    let mut keys: Vec<(Currency, CostKind)> = now.keys().chain(before.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    let section = section.heading(ctx.t(COSTS));
    if keys.is_empty() {
        return section.paragraph(ctx.t(NO_COSTS));
    }
    let money = |currency: Currency, amount: u64| {
        let amount = i64::try_from(amount).unwrap_or(i64::MAX);
        format::money(ctx.language, Money { amount, currency })
    };
    let mut table = compared(ctx, KIND, false);
    let mut currencies: Vec<Currency> = keys.iter().map(|(currency, _)| *currency).collect();
    currencies.dedup();
    for currency in currencies {
        let (mut sum, mut sum_before) = (0_u64, 0_u64);
        for key in keys.iter().filter(|(of, _)| *of == currency) {
            let of = |costs: &std::collections::BTreeMap<_, u64>| costs.get(key).copied().unwrap_or(0);
            let (amount, amount_before) = (of(now), of(before));
            sum = sum.saturating_add(amount);
            sum_before = sum_before.saturating_add(amount_before);
            let label = ctx.t(key.1.label()).to_owned();
            table = table.row([label, money(currency, amount), money(currency, amount_before)]);
        }
        let label = format!("{} ({})", ctx.t(TOTAL), currency.as_str());
        table = table.row([label, money(currency, sum), money(currency, sum_before)]);
    }
    section.table(table)
}

fn lessons(ctx: &ReportContext, section: Section, summary: &IncidentPeriod) -> Section {
    let section = section.heading(ctx.t(LESSONS));
    if summary.lessons.is_empty() {
        return section.paragraph(ctx.t(NO_LESSONS));
    }
    let columns = [
        Column::share(ctx.t(INCIDENT), 2).row_header(),
        Column::share(ctx.t(ROOT_CAUSE), 2),
        Column::share(ctx.t(LESSON), 3),
    ];
    let table = summary.lessons.iter().fold(Table::new(columns), |table, lesson| {
        table.row([
            lesson.incident.as_str(),
            lesson.root_cause.as_ref().map_or("–", Name::as_str),
            lesson.lessons.as_ref().map_or("–", Prose::as_str),
        ])
    });
    let section = section.table(table);
    match summary.without_lessons {
        0 => section,
        count => section.paragraph(format!("{}: {count}", ctx.t(WITHOUT_LESSONS))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_begin_in_january_april_july_and_october() {
        for (day, first) in [
            ("2026-01-01", "2026-01-01"),
            ("2026-03-31", "2026-01-01"),
            ("2026-04-01", "2026-04-01"),
            ("2026-11-16", "2026-10-01"),
            ("2026-12-31", "2026-10-01"),
        ] {
            assert_eq!(quarter_start(day.parse().unwrap()), first.parse().unwrap(), "{day}");
        }
    }
}
