//! The differences between two filings, or between a filing and the current register.

use app::report::TableFormat;
use axum::extract::{Path, State};
use domain::{
    id::RegisterFilingId,
    register::{
        Template,
        filing::difference::{DifferencePart, RowChangeKind, RowDifference},
    },
    register_filing::RegisterFiling,
};
use maud::{Markup, html};

use super::{address_of, filing::name_of, filing_detail::filing_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::file::table as table_file,
    respond::{self, Answer},
    texts::register_filing as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::Choice,
        filter,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

/// A heading for a filing that is compared.
async fn named(workspace: &Workspace, visit: &Visit, id: RegisterFilingId) -> Result<String, PageError> {
    let (detail, _) = workspace.app.records.record::<RegisterFiling>(visit.caller(), id).await?;
    let record = &detail.record.record;
    Ok(format!("{} ({})", name_of(visit, record), visit.t(record.status.label())))
}

/// The comparison in the address: two filings, and the requested page.
fn asked(
    id: &str,
    visit: &Visit,
) -> Result<(RegisterFilingId, Option<RegisterFilingId>, DifferencePart), PageError> {
    let to = match visit.query("to").filter(|text| !text.is_empty()) {
        Some(text) => Some(filing_id(&text)?),
        None => None,
    };
    let part = DifferencePart {
        template: visit.query("template").and_then(|text| text.parse().ok()),
        kind: filter::word(visit, "change"),
        ..DifferencePart::default()
    };
    Ok((filing_id(id)?, to, part))
}

pub(super) async fn csv(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    file(&workspace, &id, &visit, TableFormat::Csv).await
}

pub(super) async fn xlsx(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    file(&workspace, &id, &visit, TableFormat::Xlsx(visit.language)).await
}

async fn file(workspace: &Workspace, id: &str, visit: &Visit, format: TableFormat) -> Answer {
    let (from, to, part) = asked(id, visit)?;
    let (app, wanted) = (&workspace.app, (format, visit.language));
    table_file(app.report.register_changes_file(visit.caller(), from, to, part, wanted).await?, format)
}

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let (from, to, part) = asked(&id, &visit)?;
    let page = workspace
        .app
        .third_parties
        .register_difference_page(visit.caller(), from, to, part, requested(&visit))
        .await?;
    let before = named(&workspace, &visit, from).await?;
    let after = match to {
        Some(to) => named(&workspace, &visit, to).await?,
        None => visit.t(texts::TO_REGISTER).to_owned(),
    };
    let t = |label| visit.t(label);
    let columns =
        [Column::text(t(texts::ROW)), Column::tight(t(texts::CHANGE)), Column::text(t(texts::CELLS))];
    let rows: Vec<_> = page.items.iter().map(|row| cells(&visit, row)).collect();
    let intro = visit.fill(texts::DIFFERENCE_INTRO, &[("from", &before), ("to", &after)]);
    let content = html! {
        (ui::head(t(texts::DIFFERENCE), &intro, Some(filter::exports(&visit, &filter::TABLES))))
        (filters(&visit))
        @if page.items.is_empty() { (ui::empty(t(texts::SAME), t(texts::SAME_HELP), None)) }
        @else {
            (counted(&visit, page.total, texts::ONE_ROW, texts::MANY_ROWS))
            (table(t(texts::DIFFERENCE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::DIFFERENCE), &content))
}

fn filters(view: &View) -> Markup {
    let templates: Vec<_> = Template::ALL
        .iter()
        .map(|template| Choice::new(template.id(), format!("{template} {}", view.t(template.label()))))
        .collect();
    let to = view.query("to").unwrap_or_default();
    let filters = [
        filter::Filter::plain("to", texts::DIFFERENCE, html! { input type="hidden" name="to" value=(to); }),
        filter::words::<RowChangeKind>(view, "change", texts::CHANGE),
        filter::choice(view, "template", texts::TEMPLATE, &templates),
    ];
    filter::bar(view, &filters)
}

fn tone(kind: RowChangeKind) -> Tone {
    match kind {
        RowChangeKind::Added => Tone::Good,
        RowChangeKind::Gone => Tone::Critical,
        RowChangeKind::Changed => Tone::Warning,
    }
}

fn cells(view: &View, row: &RowDifference) -> Vec<Markup> {
    let key: Vec<_> = row.key.iter().map(|(_, text)| text.as_str()).filter(|text| !text.is_empty()).collect();
    vec![
        html! { a href=(address_of(row.template)) { (row.template.id()) } br; (key.join(" / ")) },
        badge(tone(row.kind), view.t(row.kind.label())),
        html! {
            div {
                @for cell in &row.cells {
                    p {
                        span.quiet { (cell.column) ": " }
                        @if !cell.before.is_empty() { del { (cell.before) } " " }
                        @if !cell.after.is_empty() { ins { (cell.after) } }
                    }
                }
            }
        },
    ]
}
