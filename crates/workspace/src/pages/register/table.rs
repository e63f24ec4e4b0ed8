//! The rows of a template as an editable table: many cells at once, saved together or not at all. It is a plain form;
//! a script adds keyboard control, pasting and undo.

use std::collections::HashMap;

use app::register::{TableChecks, TableFilter, row_mark};
use axum::extract::{Path, State};
use domain::{
    page::{Page, PageRequest},
    register::{
        Template,
        filing::Check,
        release::{ClosedList, Column},
        sheets::SheetRow,
    },
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{
    address_of, rows, severity_badge,
    table_form::{Entered, NEW, edits, entered, field},
    template_of,
};
use crate::{
    Workspace, assets,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    texts::{record as shared, register as texts},
    ui::{
        self,
        badge::Tone,
        notice::notice,
        pager::{counted, pager},
    },
};

/// The default number of rows on a page.
const ROWS: u64 = 100;
/// Empty rows below, for new ones.
const EMPTY_ROWS: usize = 3;

/// What the user did before the page is shown.
#[derive(Default)]
struct Attempt {
    rows: Vec<Entered>,
    form: Form,
    /// The results of the checks for the entered rows.
    checks: Option<TableChecks>,
}

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path(template): Path<String>,
    visit: Visit,
) -> Answer {
    visit.caller().require_right(Resource::Register, Right::Write)?;
    let template = template_of(&template)?;
    respond::page(page(&workspace, &visit, template, &Attempt::default()).await?)
}

pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path(template): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, template) = (posted, template_of(&template)?);
    visit.caller().require_right(Resource::Register, Right::Write)?;
    let rows = entered(template, &form)?;
    let is_check = form.value("step") == "check";
    let outcome = match edits(template, &mut form, &rows) {
        Ok(edits) if is_check => {
            workspace.app.third_parties.check_register_edits(visit.caller(), template, edits).await.map(Some)
        }
        Ok(edits) => workspace
            .app
            .third_parties
            .edit_register_rows(visit.caller(), template, edits)
            .await
            .map(|_| None),
        Err(error) => Err(error),
    };
    match outcome {
        Ok(None) => respond::go_to(&address(&visit, Some("saved"))),
        Ok(checks) => {
            let attempt = Attempt { rows, form, checks };
            respond::page(page(&workspace, &visit, template, &attempt).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            let attempt = Attempt { rows, form, checks: None };
            respond::refused(page(&workspace, &visit, template, &attempt).await?)
        }
    }
}

/// This page with its filters, and what was done.
fn address(view: &View, done: Option<&str>) -> String {
    let query = view.address.split_once('?').map_or("", |(_, query)| query);
    let kept = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "done");
    let done = done.map(|done| ("done".into(), done.into()));
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(kept.chain(done)).finish();
    if query.is_empty() { view.path().to_owned() } else { format!("{}?{query}", view.path()) }
}

fn filter_of(view: &View, template: Template) -> TableFilter {
    TableFilter {
        column: view.query("column").and_then(|code| template.position(&code)),
        text: view.query("search").filter(|text| !text.trim().is_empty()),
        with_problems: view.query("problems").is_some_and(|text| !text.is_empty()),
    }
}

fn requested(view: &View) -> PageRequest {
    let number = |name: &str| view.query(name).and_then(|text| text.parse().ok());
    PageRequest::new(Some(number("limit").unwrap_or(ROWS)), number("offset")).unwrap_or_default()
}

async fn page(
    workspace: &Workspace,
    visit: &Visit,
    template: Template,
    attempt: &Attempt,
) -> Result<Markup, PageError> {
    let filter = filter_of(visit, template);
    let is_filtered = filter != TableFilter::default();
    let (page, stored) = workspace
        .app
        .third_parties
        .register_table(visit.caller(), template, filter, requested(visit))
        .await?;
    let t = |label| visit.t(label);
    let title = format!("{template} {}", t(template.label()));
    let back = ui::link_button(&address_of(template), t(texts::ROWS), false);
    let grid =
        Grid { view: visit, template, lists: lists(template), page: &page, stored: &stored.checks, attempt };
    let content = html! {
        (ui::head(&title, t(texts::TABLE_INTRO), Some(back)))
        (ui::notice::done(visit, &[("saved", texts::TABLE_SAVED)]))
        (outcome(visit, attempt))
        (filters(visit, template))
        @if page.items.is_empty() && is_filtered {
            (ui::empty(t(texts::NOTHING_FITS), t(texts::NOTHING_FITS_HELP), None))
        } @else {
            (counted(visit, page.total, texts::ONE_ROW, texts::MANY_ROWS))
        }
        form.grid-form method="post" action=(address(visit, None)) autocomplete="off" data-grid
            data-changed=(t(texts::CHANGED_CELLS)) data-left-out=(t(texts::NOT_FITTING))
            data-new=(t(texts::NEW_ROW_NUMBER)) {
            (visit.form_token())
            (grid.render())
            p role="status" data-grid-counts { (counts(visit, attempt.checks.as_ref().unwrap_or(&stored))) }
            p.hint { (t(texts::TABLE_KEYS)) }
            div.form-end {
                button.button.primary type="submit" name="step" value="save" { (t(texts::TABLE_SAVE)) }
                button.button type="submit" name="step" value="check" { (t(texts::TABLE_CHECK)) }
                button.button type="button" data-grid-undo hidden { (t(texts::UNDO)) }
                p.quiet role="status" data-grid-status {}
            }
        }
        (pager(visit, &page))
        script src=(assets::GRID_SCRIPT.path()) defer {}
    };
    Ok(ui::layout::page(visit, &title, &content))
}

/// How many problems there are with what was entered; the script repeats the check after each step.
fn counts(view: &View, checks: &TableChecks) -> String {
    let (here, all) = (&checks.of_template, &checks.of_register);
    let numbers: [(&str, &dyn std::fmt::Display); 5] = [
        ("refused", &here.refused),
        ("noted", &here.noted),
        ("advice", &here.advice),
        ("all_refused", &all.refused),
        ("all_noted", &all.noted),
    ];
    view.fill(texts::TABLE_COUNTS, &numbers)
}

/// The result of the attempt.
fn outcome(visit: &Visit, attempt: &Attempt) -> Markup {
    let t = |label| visit.t(label);
    if attempt.checks.is_some() {
        let help = html! { p { (t(texts::TABLE_CHECKED_HELP)) } };
        return notice(Tone::Notice, t(texts::TABLE_CHECKED), &help);
    }
    if attempt.form.violations().is_empty() {
        return html! {};
    }
    let said = attempt.form.violations().fields().iter().flat_map(|(name, messages)| {
        messages.iter().map(move |message| (place_of(visit, attempt, name), message))
    });
    let help = html! {
        p { (t(texts::TABLE_REFUSED_HELP)) }
        ul { @for (place, message) in said { li { (place) " " (visit.complaint(message)) } } }
    };
    notice(Tone::Critical, t(texts::TABLE_REFUSED), &help)
}

/// The subject of a violation: a cell as a link to its field, a row by its number.
fn place_of(view: &View, attempt: &Attempt, name: &str) -> Markup {
    let row = name.strip_prefix("row-").and_then(|place| place.parse::<usize>().ok());
    let number = match row {
        Some(place) => attempt.rows.get(place).map(|row| row.number),
        None => name.split('.').next().and_then(|number| number.parse().ok()),
    };
    let Some(number) = number else { return html! { (view.t(texts::TABLE)) } };
    let code = name.split_once('.').map_or("", |(_, code)| code);
    let shown = view.fill(texts::ROW_NUMBER, &[("number", &(number + 1))]);
    html! { a href={ "#r-" (number) } { (shown) @if !code.is_empty() { " " (code) } } }
}

fn filters(view: &View, template: Template) -> Markup {
    let current = view.query("column").unwrap_or_default();
    html! {
        form.filters method="get" action=(view.path()) {
            div.field.search {
                label for="search" { (view.t(texts::CELL_TEXT)) }
                input #search type="search" name="search" value=(view.query("search").unwrap_or_default());
            }
            div.field {
                label for="column" { (view.t(texts::COLUMN)) }
                select #column name="column" {
                    option value="" { (view.t(texts::ANY_COLUMN)) }
                    @for column in template.columns() {
                        @let code = column.code().to_string();
                        option value=(code) selected[current == code] { (code) " " (view.t(column.label())) }
                    }
                }
            }
            div.choice {
                input #problems type="checkbox" name="problems" value="1"
                    checked[view.query("problems").is_some_and(|text| !text.is_empty())];
                label for="problems" { (view.t(texts::ONLY_PROBLEMS)) }
            }
            button.button type="submit" { (view.t(shared::APPLY)) }
        }
    }
}

/// The closed lists of a template, each once.
fn lists(template: Template) -> Vec<&'static ClosedList> {
    let mut lists: Vec<&'static ClosedList> = Vec::new();
    for list in template.columns().iter().filter_map(Column::list) {
        if lists.iter().all(|known| known.name != list.name) {
            lists.push(list);
        }
    }
    lists
}

/// The problems of one row.
fn named<'c>(checks: &'c [Check], name: &str) -> Vec<&'c Check> {
    checks.iter().filter(|check| check.row.as_deref() == Some(name)).collect()
}

/// The table of inputs.
struct Grid<'g> {
    view: &'g View,
    template: Template,
    lists: Vec<&'static ClosedList>,
    page: &'g Page<SheetRow>,
    /// The results of the checks for the stored rows.
    stored: &'g [Check],
    attempt: &'g Attempt,
}

/// A row as shown: stored, entered or both.
struct Shown<'s> {
    number: usize,
    stored: Option<&'s SheetRow>,
    entered: Option<&'s Entered>,
    checks: Vec<&'s Check>,
}

impl Grid<'_> {
    fn render(&self) -> Markup {
        let name = format!("{} {}", self.template, self.view.t(self.template.label()));
        html! {
            @for (number, list) in self.lists.iter().enumerate() {
                datalist id={ "list-" (number) } {
                    @for (code, label) in &list.options { option value=(code) { (label) } }
                }
            }
            div.grid-scroll tabindex="0" role="region" aria-label=(name) {
                table.grid spellcheck="false" {
                    caption.unseen { (name) }
                    thead {
                        tr {
                            th scope="col" { (self.view.t(texts::ROW)) }
                            @for column in self.template.columns() {
                                th scope="col" id={ "h-" (column.code()) } {
                                    (column.code()) br; span { (self.view.t(column.label())) }
                                }
                            }
                        }
                    }
                    tbody { @for row in self.rows() { (self.row(&row)) } }
                }
            }
        }
    }

    fn rows(&self) -> Vec<Shown<'_>> {
        let stored = self.attempt.rows.iter().filter_map(|row| Some((row.row.as_ref()?.0.to_string(), row)));
        let by_id: HashMap<String, &Entered> = stored.collect();
        let checks = self.attempt.checks.as_ref().map(|checks| checks.checks.as_slice());
        let mut rows = Vec::new();
        for (number, row) in self.page.items.iter().enumerate() {
            let entered = by_id.get(&*row.name).copied();
            // Rows that were checked with the entries show that result, the others the stored one.
            let source = checks.filter(|_| entered.is_some()).unwrap_or(self.stored);
            let checks = named(source, &row.name);
            rows.push(Shown { number, stored: Some(row), entered, checks });
        }
        for (place, entered) in self.attempt.rows.iter().enumerate().filter(|(_, row)| row.row.is_none()) {
            let checks = named(checks.unwrap_or_default(), &format!("row-{place}"));
            rows.push(Shown { number: rows.len(), stored: None, entered: Some(entered), checks });
        }
        for _ in 0..EMPTY_ROWS {
            rows.push(Shown { number: rows.len(), stored: None, entered: None, checks: Vec::new() });
        }
        rows
    }

    fn row(&self, row: &Shown<'_>) -> Markup {
        let number = row.number;
        let first = self.page.request.offset() + 1;
        let id = row.stored.map_or_else(|| NEW.to_owned(), |row| format!("{}:{}", row.name, row_mark(row)));
        let named = first + number as u64;
        html! {
            tr data-new[row.stored.is_none()] {
                th scope="row" id={ "r-" (number) } {
                    @match row.stored {
                        Some(stored) => a href={ (address_of(self.template)) "/" (stored.name) } {
                            (self.view.fill(texts::ROW_NUMBER, &[("number", &named)]))
                        },
                        None => (self.view.fill(texts::NEW_ROW_NUMBER, &[("number", &(number + 1 - self.page.items.len()))])),
                    }
                    input type="hidden" name={ "id." (number) } value=(id);
                    @for check in row.checks.iter().filter(|check| check.column.is_none()) {
                        p.grid-problem { (rows::problem(self.view, check)) }
                    }
                }
                @for (position, column) in self.template.columns().iter().enumerate() {
                    td { (self.cell(row, position, column)) }
                }
            }
        }
    }

    fn cell(&self, row: &Shown<'_>, position: usize, column: &Column) -> Markup {
        let stored = row.stored.map_or("", |row| row.cell(position));
        let value =
            row.entered.and_then(|entered| entered.cells.get(&position)).map_or(stored, String::as_str);
        let name = field(self.template, row.number, position);
        // A refused entry has the number that the row had when it was sent.
        let complaints = row
            .entered
            .map(|entered| self.attempt.form.complaints(&field(self.template, entered.number, position)))
            .unwrap_or_default();
        let problems: Vec<&&Check> =
            row.checks.iter().filter(|check| check.column == Some(column.code())).collect();
        let is_wrong = !complaints.is_empty() || !problems.is_empty();
        let about = is_wrong.then(|| format!("p-{}-{}", row.number, column.code()));
        let label = format!("h-{} r-{}", column.code(), row.number);
        let was = (value != stored).then_some(stored);
        let list = column
            .list()
            .and_then(|list| self.lists.iter().position(|known| known.name == list.name))
            .map(|number| format!("list-{number}"));
        html! {
            @if value.contains(['\n', '\r']) || stored.contains(['\n', '\r']) {
                // A field of one line would lose the line ends; the first line end within an element is dropped.
                textarea name=(name) rows="1" aria-labelledby=(label) data-was=[was]
                    aria-invalid=[is_wrong.then_some("true")] aria-describedby=[about.as_deref()] { "\n" (value) }
            } @else {
                input type="text" name=(name) value=(value) list=[list] aria-labelledby=(label) data-was=[was]
                    aria-invalid=[is_wrong.then_some("true")] aria-describedby=[about.as_deref()];
            }
            @if let Some(about) = &about {
                div.grid-problem id=(about) {
                    @for complaint in complaints { p.wrong { (self.view.complaint(complaint)) } }
                    @for check in problems {
                        p title=(self.view.complaint(&check.remedy)) {
                            (severity_badge(self.view, check.severity)) " " code { (check.rule) } " "
                            (self.view.complaint(&check.message))
                        }
                    }
                }
            }
        }
    }
}
