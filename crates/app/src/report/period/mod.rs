//! Reports over a period on paper: the chosen parts with their figures, each beside that of the period before and with
//! the day it holds for.
//!
//! The figures come from the same lists, counters and rules as those of the pages and the API. Where no figure of a past
//! day can be had, the report says which day it holds for.

mod decisions;
mod figures;
mod findings;
mod frameworks;
mod incidents;
mod past;
mod review;
mod review_figures;
mod risks;
mod testing;
mod third_parties;
mod trainings;
mod words;

use std::sync::Arc;

use domain::{
    format,
    moment::Day,
    period_report::{ReportKind, ReportPart, ReportWish},
    report_template::{OwnParagraph, ReportTemplate},
    wording::{self, Label},
};
use reports::document::{Align, Cell, Column, Cover, Document, Section, Table};
use store::Reader;

use self::figures::{Compared, Figures};
use super::{File, ReportContext, words::word};
use crate::{Reports, Result, authz::Caller, incident::Period};

/// How many entries a list shows in a report over everything, and in one about them.
const FEW: usize = 12;
const MANY: usize = 200;

const PERIOD: Label = word("Period", "Zeitraum");
const COMPARED_WITH: Label = word("Compared with", "Verglichen mit");
const ABOUT: Label = word("About this report", "Zu diesem Bericht");
const PART: Label = word("Part", "Teil");
const HOLDS_FOR: Label = word("Holds for", "Gilt für");
const READ_ON: Label = word(
    "The records were read on {day}. Figures of an earlier day are those of the versions in force at its end, in the time zone of the institution; incidents and their reports are counted by the day of detection as they stand today. The risk appetite, the profile, the critical functions and the results of tests are those of today.",
    "Die Datensätze wurden am {day} gelesen. Zahlen eines früheren Tages sind die der Fassungen, die an seinem Ende galten, in der Zeitzone des Instituts; Vorfälle und ihre Meldungen zählen nach dem Tag der Entdeckung mit ihrem heutigen Stand. Risikoappetit, Profil, kritische Funktionen und Testergebnisse sind die heutigen.",
);
const BASIS: Label = word("Basis", "Grundlage");
const CLAUSE: Label = word("ISO/IEC 27001, clause 9.3", "ISO/IEC 27001, Abschnitt 9.3");
const RELEASED: Label = word(
    "A second person releases this review. The number of its version, the approval and the signature are kept beside the file.",
    "Eine zweite Person gibt diese Bewertung frei. Die Nummer der Version, die Freigabe und die Signatur werden bei der Datei aufbewahrt.",
);
const SIGNATURES: Label = word("Signatures", "Unterschriften");
const NAME: Label = word("Name", "Name");
const FUNCTION: Label = word("Function", "Funktion");
const SIGNED: Label = word("Place, day and signature", "Ort, Datum und Unterschrift");

/// What a template puts on a report.
pub(crate) struct Dress {
    pub(crate) template: ReportTemplate,
    pub(crate) logo: Option<Arc<reports::logo::Logo>>,
}

impl Reports {
    /// Makes a report as a PDF.
    pub(crate) async fn period_report_pdf(
        &self,
        caller: &Caller,
        wish: &ReportWish,
        dress: Option<Dress>,
    ) -> Result<File> {
        let mut ctx = ReportContext::new(self, caller, wish.language).await?;
        let period = Period::new(wish.from, wish.until)?;
        let (this, reader, zone) = (self.clone(), caller.clone(), ctx.zone.clone());
        let edition = Arc::clone(&ctx.edition);
        let is_review = wish.kind == ReportKind::ManagementReview;
        let read = move |r: &mut Reader<'_>| {
            Figures::read(&this.resilience, &reader, r, &edition, (period, zone.clone(), is_review))
        };
        let figures = self.db.tenant(caller.scope()).read(read).await?.spoken(wish.language);
        let template = dress.as_ref().map(|dress| &dress.template);
        if let Some(own) = template.and_then(|template| template.content.classification.as_ref()) {
            ctx.classification = own.to_string();
        }
        let mut document = Paper { ctx: &ctx, figures: &figures, wish }.document(template);
        document.logo = dress.as_ref().and_then(|dress| dress.logo.clone());
        ctx.set(
            document,
            format!("{}-report-{}-{}", wish.kind.as_str().replace('_', "-"), wish.from, wish.until),
        )
        .await
    }
}

/// What all parts of a report need.
struct Paper<'p> {
    ctx: &'p ReportContext,
    figures: &'p Figures,
    wish: &'p ReportWish,
}

impl Paper<'_> {
    fn t(&self, label: Label) -> &'static str {
        self.ctx.t(label)
    }

    /// A text with its values.
    fn fill(&self, label: Label, values: &[(&str, &str)]) -> String {
        let value_of = |place: &str| values.iter().find(|(name, _)| *name == place);
        wording::filled(self.t(label), |place| value_of(place).map(|(_, value)| (*value).to_owned()))
    }

    fn count(&self, number: u64) -> String {
        format::count(self.ctx.language, number)
    }

    fn span(&self, period: Period) -> String {
        format!("{} – {}", self.day(period.from), self.day(period.until))
    }

    fn day(&self, day: Day) -> String {
        format::day(self.ctx.language, day)
    }

    /// Whether the report is about one subject, in more depth.
    fn is_deep(&self) -> bool {
        !self.is_review() && self.wish.kind != ReportKind::Board
    }

    fn is_review(&self) -> bool {
        self.wish.kind == ReportKind::ManagementReview
    }

    /// How many entries of a list are shown.
    fn most(&self) -> usize {
        if self.is_deep() { MANY } else { FEW }
    }

    fn document(&self, template: Option<&ReportTemplate>) -> Document {
        let kind = self.wish.kind;
        let parts = template.map_or_else(|| kind.parts().to_vec(), |template| template.parts_of(kind));
        let mut title = self.t(kind.label()).to_owned();
        if let Some(framework) = self.wish.framework {
            title = format!("{title}: {}", framework.name());
        }
        let mut sections = Vec::new();
        for part in &parts {
            sections.extend(self.own(template, Some(*part)));
            sections.push(self.part(*part));
        }
        // What stands before a part that is left out goes to the end, so that no text of the institution is lost.
        for part in ReportPart::ALL.iter().filter(|part| !parts.contains(part)) {
            sections.extend(self.own(template, Some(*part)));
        }
        sections.extend(self.own(template, None));
        sections.push(self.about(&parts));
        sections.extend(self.signatures(template));
        let mut document =
            self.ctx.document(title).cover(Cover::Always).subtitle(self.span(self.figures.period));
        if self.is_review() {
            document = document.fact(self.t(BASIS), self.t(CLAUSE));
        }
        let document = document
            .fact(self.t(PERIOD), self.span(self.figures.period))
            .fact(self.t(COMPARED_WITH), self.span(self.figures.before))
            .contents_depth(1);
        sections.into_iter().fold(document, Document::section)
    }

    fn part(&self, part: ReportPart) -> Section {
        let section = Section::new(self.t(self.wish.kind.title_of(part)));
        let section = match part {
            ReportPart::Decisions => self.decisions(section),
            ReportPart::Frameworks => self.frameworks(section),
            ReportPart::Risks => self.risks(section),
            ReportPart::Incidents => self.incidents(),
            ReportPart::Findings => self.findings(section),
            ReportPart::Testing => self.testing(section),
            ReportPart::ThirdParties => self.third_parties(section),
            ReportPart::Trainings => self.trainings(section),
            ReportPart::EarlierActions => self.earlier_actions(section),
            ReportPart::Monitoring => self.monitoring(section),
            ReportPart::Audits => self.audits(section),
            ReportPart::Issues
            | ReportPart::InterestedParties
            | ReportPart::Objectives
            | ReportPart::Improvement
            | ReportPart::Resolutions => section,
        };
        if self.is_review() { self.with_own(section, part) } else { section }
    }

    /// Which day each part holds for.
    fn about(&self, parts: &[ReportPart]) -> Section {
        let columns = [
            Column::share(self.t(PART), 2).row_header(),
            Column::share(self.t(HOLDS_FOR), 1),
            Column::share(self.t(COMPARED_WITH), 1),
        ];
        let figures = self.figures;
        let computed = parts.iter().filter(|part| !part.is_stated());
        let table = computed.fold(Table::new(columns), |table, part| {
            let (now, before) = match part {
                ReportPart::Incidents => (self.span(figures.period), self.span(figures.before)),
                _ => (self.day(figures.period.until), self.day(figures.before.until)),
            };
            table.row([self.t(self.wish.kind.title_of(*part)).to_owned(), now, before])
        });
        let section = Section::new(self.t(ABOUT)).table(table);
        let section = section.paragraph(self.fill(READ_ON, &[("day", &self.day(figures.today))]));
        let section = if self.is_review() { section.paragraph(self.t(RELEASED)) } else { section };
        if figures.is_cut { section.note(self.t(words::CUT)) } else { section }
    }

    /// Those of the template and of this report. A management review keeps both.
    fn signatures(&self, template: Option<&ReportTemplate>) -> Option<Section> {
        let of_template = template.filter(|_| !self.is_review());
        let of_template = of_template.into_iter().flat_map(|template| &template.content.signatories);
        let people: Vec<_> = of_template.chain(&self.wish.own.signatories).collect();
        if people.is_empty() {
            return None;
        }
        let columns = [
            Column::share(self.t(NAME), 2).row_header(),
            Column::share(self.t(FUNCTION), 2),
            Column::share(self.t(SIGNED), 3),
        ];
        let table = people.iter().fold(Table::new(columns), |table, person| {
            table.row([person.name.as_str(), person.function.as_str(), "\n\n"])
        });
        Some(Section::new(self.t(SIGNATURES)).table(table))
    }

    /// The day that the figures of a part hold for.
    fn holds(&self) -> String {
        let (day, before) = (self.day(self.figures.period.until), self.day(self.figures.before.until));
        self.fill(words::HOLDS, &[("day", &day), ("before", &before)])
    }

    /// Rows of a figure at the end of the period, of the one before, and the difference.
    fn of_days(&self, first: Label, rows: &[(String, Compared<u64>)]) -> Table {
        let heads = [self.day(self.figures.period.until), self.day(self.figures.before.until)];
        self.compared(first, heads, rows)
    }

    /// The same for what happened in the periods.
    fn of_periods(&self, first: Label, rows: &[(String, Compared<u64>)]) -> Table {
        let heads = [self.t(words::THIS_PERIOD).to_owned(), self.t(words::PERIOD_BEFORE).to_owned()];
        self.compared(first, heads, rows)
    }

    fn compared(&self, first: Label, [now, before]: [String; 2], rows: &[(String, Compared<u64>)]) -> Table {
        let figure = |head: String, points| Column::points(head, points).align(Align::End);
        let columns = [
            Column::share(self.t(first), 1).row_header(),
            figure(now, 96),
            figure(before, 96),
            figure(self.t(words::CHANGE).to_owned(), 76),
        ];
        rows.iter().fold(Table::new(columns), |table, (label, figure)| {
            let Compared { now, before } = *figure;
            let change = i128::from(now) - i128::from(before);
            let change = if change == 0 { "±0".to_owned() } else { format!("{change:+}") };
            let cells = [label.clone(), self.count(now), self.count(before), change];
            table.row(cells.map(Cell::from))
        })
    }

    /// Adds how many entries a list leaves out.
    fn and_more(&self, section: Section, all: usize, shown: usize) -> Section {
        match all.saturating_sub(shown) {
            0 => section,
            more => section.note(self.fill(words::MORE, &[("count", &self.count(more as u64))])),
        }
    }

    /// The paragraphs of the institution that stand before a part, or at the end.
    fn own(&self, template: Option<&ReportTemplate>, before: Option<ReportPart>) -> Vec<Section> {
        // Those about a part of a management review stand within it.
        if self.is_review() && before.is_some_and(|part| self.wish.kind.parts().contains(&part)) {
            return Vec::new();
        }
        let of_template = template.filter(|_| !self.is_review());
        let of_template = of_template.into_iter().flat_map(|template| &template.content.paragraphs);
        let of_template = of_template.filter(|paragraph| paragraph.before == before);
        let section = |paragraph: &OwnParagraph| {
            let section = Section::new(paragraph.title.as_str()).paragraph(paragraph.text.as_str());
            if self.is_review() { section.note(self.t(review::OWN)) } else { section }
        };
        of_template.chain(self.wish.own.of(before)).map(section).collect()
    }
}
