//! Imports records of a list from a table: the file, its columns, what would happen to each line, and then the import.

use std::marker::PhantomData;

use app::{
    Error,
    authz::Caller,
    records::{
        Exchanged, Importable, ImportedLine, LineOutcome, Mapping, PlannedColumn, RecordImport,
        RecordImportReport, require_import,
    },
    report::{Assessments, TableColumn},
    upload::{MAX_BYTES, Upload},
};
use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    routing::get,
};
use bytes::Bytes;
use domain::{custom_field::CustomField, right::Resource, violation::Violations, wording::Label};
use maud::{Markup, html};

use super::form::RecordForm;
use crate::{
    Workspace,
    extract::Visit,
    form::Form,
    pages::custom_field,
    respond::{self, Answer},
    route,
    texts::{assessment, common, finding_import as shared, record_import as texts},
    ui::{
        self,
        badge::{Tone, badge},
        notice::{complaints, notice},
        table::{Column, table},
    },
    upload::{Purpose, Uploaded, busy, import_checked, kept_field},
};

/// The maximum number of lines that a page shows.
const MOST_LINES: usize = 200;
/// The size of a form with a file, whose fields are small beside it.
const MAX_FORM: usize = 2 * 1024 * 1024;

/// A list with a page for its import.
pub(crate) trait ImportPage: Importable {
    /// What the list is called.
    const LIST_TITLE: Label;
    /// Its address.
    const LIST_ADDRESS: &'static str;

    /// The address of a record.
    fn address_of(id: &str) -> Option<String> {
        Some(format!("{}/{id}", Self::LIST_ADDRESS))
    }
}

impl<K: RecordForm + Exchanged> ImportPage for K {
    const LIST_TITLE: Label = K::TEXTS.list;
    const LIST_ADDRESS: &'static str = K::ADDRESS;
}

impl ImportPage for Assessments {
    const LIST_TITLE: Label = assessment::TITLE;
    const LIST_ADDRESS: &'static str = route::ASSESSMENTS;

    // The address of an assessment names its framework, too.
    fn address_of(_: &str) -> Option<String> {
        None
    }
}

/// A table of records of a kind.
#[derive(Debug)]
pub(crate) struct TableOf<T>(PhantomData<T>);

impl<T: Importable> Purpose for TableOf<T> {
    fn require(caller: &Caller) -> app::Result<()> {
        require_import::<T>(caller)
    }
}

pub(crate) fn router<K: ImportPage>() -> Router<Workspace> {
    let most = usize::try_from(MAX_BYTES).unwrap_or(usize::MAX).saturating_add(MAX_FORM);
    let pages = get(ask::<K>).post(take::<K>).layer(DefaultBodyLimit::max(most));
    Router::new().route(&address::<K>(), pages)
}

fn address<K: ImportPage>() -> String {
    below(K::LIST_ADDRESS)
}

fn below(list: &str) -> String {
    format!("{list}/import")
}

/// The link to the import, for those who may import records of the list.
pub(crate) fn button<K: RecordForm>(visit: &Visit) -> Markup {
    link(visit, K::ADDRESS, K::RESOURCE)
}

pub(crate) fn link(visit: &Visit, list: &str, resource: Resource) -> Markup {
    html! {
        @if visit.caller().require_import(resource).is_ok() {
            (ui::link_button(&below(list), visit.t(texts::IMPORT), false))
        }
    }
}

async fn ask<K: ImportPage>(visit: Visit) -> Answer {
    require_import::<K>(visit.caller())?;
    respond::page(first_page::<K>(&visit, &Form::default()))
}

async fn take<K: ImportPage>(
    State(workspace): State<Workspace>,
    mut uploaded: Uploaded<TableOf<K>>,
) -> Answer {
    let (upload, short) = uploaded.take_file();
    let Uploaded { visit, mut form, .. } = uploaded;
    let file = short.as_ref().filter(|file| !file.is_empty());
    let answer = match form.value("step") {
        "check" | "import" => imported::<K>(&workspace, &visit, &form, upload, file).await,
        _ => columns::<K>(&workspace, &visit, upload, file).await,
    };
    match answer {
        Ok((page, false)) => respond::page(page),
        Ok((page, true)) => respond::refused(page),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(first_page::<K>(&visit, &form))
        }
    }
}

fn page<K: ImportPage>(visit: &Visit, form: &Form, content: &Markup) -> Markup {
    let list = visit.t(K::LIST_TITLE);
    let title = visit.fill(texts::TITLE, &[("list", &list)]);
    let intro = if K::CREATES { texts::INTRO } else { texts::INTRO_CHANGES };
    let content = html! {
        (ui::head(&title, visit.t(intro), None))
        (complaints(visit, form, &[("file", shared::FILE), ("mapping", texts::COLUMNS)]))
        (content)
    };
    ui::layout::page(visit, &title, &content)
}

fn first_page<K: ImportPage>(visit: &Visit, form: &Form) -> Markup {
    let content = html! {
        form.card method="post" action=(address::<K>()) enctype="multipart/form-data" data-busy {
            (visit.form_token())
            div.field {
                label for="file" { (visit.t(shared::FILE)) }
                p.hint #file-hint { (visit.t(texts::FILE_HINT)) }
                input #file type="file" name="file" required aria-describedby="file-hint"
                    accept=".csv,.xlsx,text/csv";
            }
            div.form-end {
                button.button.primary type="submit" name="step" value="columns" { (visit.t(texts::NEXT)) }
            }
            (busy(visit))
        }
    };
    page::<K>(visit, form, &content)
}

async fn columns<K: ImportPage>(
    workspace: &Workspace,
    visit: &Visit,
    upload: Upload,
    file: Option<&Bytes>,
) -> Result<(Markup, bool), Error> {
    let plan = workspace.app.records.plan_import::<K>(visit.caller(), upload).await?;
    let content = column_form::<K>(visit, (&plan.columns, &plan.own), plan.lines, file);
    Ok((page::<K>(visit, &Form::default(), &content), false))
}

/// The columns of the file with those of the records that they are assigned to.
fn column_form<K: ImportPage>(
    visit: &Visit,
    (columns, own): (&[PlannedColumn], &[CustomField]),
    lines: usize,
    file: Option<&Bytes>,
) -> Markup {
    let t = |label| visit.t(label);
    let headings =
        [Column::text(t(texts::HEADING)), Column::text(t(texts::EXAMPLE)), Column::text(t(texts::COLUMN))];
    let rows: Vec<_> = columns
        .iter()
        .map(|column| {
            vec![html! { (column.heading) }, html! { (column.example) }, choice::<K>(visit, column, own)]
        })
        .collect();
    html! {
        form.card method="post" action=(address::<K>()) enctype="multipart/form-data" data-busy {
            (visit.form_token())
            (kept_field(file))
            p.hint { (visit.fill(texts::COLUMNS_HELP, &[("count", &lines)])) }
            (table(t(texts::COLUMNS), &headings, &rows))
            @if file.is_none() {
                div.field {
                    label for="file" { (t(texts::AGAIN)) }
                    p.hint #file-hint { (t(texts::AGAIN_HINT)) }
                    input #file type="file" name="file" required aria-describedby="file-hint"
                        accept=".csv,.xlsx,text/csv";
                }
            }
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(shared::CHECK)) }
                @if file.is_none() {
                    button.button type="submit" name="step" value="import" { (t(shared::IMPORT)) }
                }
            }
            (busy(visit))
        }
    }
}

fn choice<K: ImportPage>(visit: &Visit, column: &PlannedColumn, own: &[CustomField]) -> Markup {
    let is_chosen = |name: &str| column.column.as_deref() == Some(name);
    html! {
        select name="column" aria-label=(column.heading) {
            option value="" selected[column.column.is_none()] { (visit.t(texts::LEAVE_OUT)) }
            @for known in K::COLUMNS {
                option value=(known.name) selected[is_chosen(known.name)] { (name_of::<K>(visit, known)) }
            }
            @for field in own {
                option value=(field.name()) selected[is_chosen(&field.name())] { (field.label.text(visit.language)) }
            }
        }
    }
}

/// A column as a workbook calls it, and whether an import leaves it alone.
fn name_of<K: ImportPage>(visit: &Visit, column: &TableColumn) -> String {
    let label = visit.t(column.label);
    let names_record = [K::KEY, "reference"].contains(&column.name);
    if column.is_read || names_record {
        label.to_owned()
    } else {
        visit.fill(texts::NOT_READ, &[("column", &label)])
    }
}

async fn imported<K: ImportPage>(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    upload: Upload,
    file: Option<&Bytes>,
) -> Result<(Markup, bool), Error> {
    let columns: Vec<String> = form.all("column").map(str::to_owned).collect();
    let dry_run = form.value("step") != "import";
    let mapping = Some(Mapping::ByPlace(columns)).filter(|_| form.all("column").next().is_some());
    let options = RecordImport { dry_run, mapping, language: visit.language };
    let report = workspace.app.records.import_records::<K>(visit.caller(), upload, options).await?;
    let content = html! {
        (said::<K>(visit, &report, file))
        (line_table::<K>(visit, &report))
        @if dry_run || report.is_refused() {
            (column_form::<K>(visit, (&report.columns, &report.own), report.lines.len(), file))
        }
    };
    Ok((page::<K>(visit, &Form::default(), &content), report.is_refused()))
}

/// What the import did or would do, with the button that does it.
fn said<K: ImportPage>(visit: &Visit, report: &RecordImportReport, file: Option<&Bytes>) -> Markup {
    let counts = ["created", "changed", "unchanged", "refused"].map(|word| report.count(word));
    let [created, changed, unchanged, refused] = &counts;
    let sentence = visit.fill(
        texts::COUNTS,
        &[("created", created), ("changed", changed), ("unchanged", unchanged), ("refused", refused)],
    );
    let columns: Vec<_> = report
        .columns
        .iter()
        .map(|column| ("column", column.column.as_deref().unwrap_or_default()))
        .collect();
    let (tone, title) = match (report.is_refused(), report.dry_run) {
        (true, _) => (Tone::Critical, texts::CHECKED_REFUSED),
        (false, true) => (Tone::Good, texts::CHECKED),
        (false, false) => (Tone::Good, shared::IMPORTED),
    };
    let content = html! {
        p { (sentence) }
        @if report.is_refused() { p { (visit.t(texts::REFUSED_HELP)) } }
        @else if !report.dry_run { p { a href=(K::LIST_ADDRESS) { (visit.t(K::LIST_TITLE)) } } }
        @else if created + changed > 0 { (import_checked(visit, &address::<K>(), &columns, file)) }
    };
    notice(tone, visit.t(title), &content)
}

/// The lines that something happens to, first those that are refused.
fn line_table<K: ImportPage>(visit: &Visit, report: &RecordImportReport) -> Markup {
    let columns = [
        Column::tight(visit.t(shared::LINE)),
        Column::text(visit.t(texts::RECORD)),
        Column::text(visit.t(shared::WHAT_HAPPENS)),
    ];
    let is = |line: &ImportedLine, refused: bool| matches!(line.outcome, LineOutcome::Refused(_)) == refused;
    let lines = report.lines.iter().filter(|line| line.outcome != LineOutcome::Unchanged);
    let (refused, others): (Vec<_>, Vec<_>) = lines.partition(|line| is(line, true));
    let all: Vec<_> = refused.into_iter().chain(others).collect();
    let rows: Vec<_> =
        all.iter().take(MOST_LINES).map(|line| line_cells::<K>(visit, &report.own, line)).collect();
    let more = all.len() - rows.len();
    html! {
        @if !rows.is_empty() { (table(visit.t(shared::WHAT_HAPPENS), &columns, &rows)) }
        @if more > 0 { p.hint { (visit.fill(common::MORE_LINES, &[("count", &more)])) } }
    }
}

fn line_cells<K: ImportPage>(visit: &Visit, own: &[CustomField], line: &ImportedLine) -> Vec<Markup> {
    let name = if line.name.is_empty() { "–" } else { line.name.as_str() };
    vec![
        html! { (line.line) },
        html! {
            @match line.id.as_deref().and_then(K::address_of) {
                Some(address) => { a href=(address) { (name) } }
                None => { (name) }
            }
        },
        outcome::<K>(visit, own, &line.outcome),
    ]
}

fn outcome<K: ImportPage>(visit: &Visit, own: &[CustomField], outcome: &LineOutcome) -> Markup {
    match outcome {
        LineOutcome::Created => badge(Tone::Good, visit.t(texts::CREATED)),
        LineOutcome::Unchanged => badge(Tone::Muted, visit.t(shared::UNCHANGED)),
        LineOutcome::Changed(names) => html! {
            (badge(Tone::Notice, visit.t(shared::CHANGED))) " "
            span.hint { (names.iter().map(|name| label::<K>(visit, own, name)).collect::<Vec<_>>().join(", ")) }
        },
        LineOutcome::Refused(violations) => html! {
            (badge(Tone::Critical, visit.t(texts::REFUSED))) " " (reasons::<K>(visit, own, violations))
        },
    }
}

fn reasons<K: ImportPage>(visit: &Visit, own: &[CustomField], violations: &Violations) -> Markup {
    html! {
        @for (field, messages) in violations.fields() {
            @for message in messages {
                span { (label::<K>(visit, own, field)) ": " (visit.complaint(message)) } " "
            }
        }
    }
}

/// A field as its column is called.
fn label<K: ImportPage>(visit: &Visit, own: &[CustomField], name: &str) -> String {
    if name == "line" {
        return visit.t(shared::LINE).to_owned();
    }
    let column = K::COLUMNS.iter().find(|column| column.name == name);
    match column {
        Some(column) => visit.t(column.label).to_owned(),
        None => custom_field::name_of(visit, own, name).unwrap_or(name).to_owned(),
    }
}
