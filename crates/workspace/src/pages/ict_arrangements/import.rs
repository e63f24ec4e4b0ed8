//! Imports the register from a file: checked first, with every line and the location of every problem, then stored.

use std::sync::Arc;

use app::{
    authz::Caller,
    register::{ImportLine, ImportOptions, ImportOutcome, ImportReport, LineOutcome},
    report::{Content, File},
};
use axum::extract::State;
use bytes::Bytes;
use domain::{
    arrangement::Arrangement,
    import::FileComplaint,
    register::{FLAT_COLUMNS, FLAT_TEMPLATE, Problems, Template},
    right::Resource,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::{View, Visit},
    form::Form,
    pages::file,
    respond::{self, Answer},
    route,
    texts::{arrangement as texts, common},
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice},
        notice::{complaints, notice},
        table::{Column, table},
    },
    upload::{Purpose, Uploaded, busy, import_checked},
};

/// The maximum number of problems listed.
const MOST_PROBLEMS: usize = 200;

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_import(Resource::Arrangements)?;
    respond::page(page(&visit, &Form::default(), &html! {}))
}

pub(super) async fn template(visit: Visit) -> Answer {
    visit.caller().require_import(Resource::Arrangements)?;
    let content = Content::Bytes(FLAT_TEMPLATE.into());
    file::csv(File { name: "ict-arrangements-template.csv".to_owned(), content })
}

fn page(visit: &Visit, form: &Form, outcome: &Markup) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::IMPORT_TITLE), t(texts::IMPORT_INTRO), Some(
            ui::link_button(&format!("{}/template.csv", route::ARRANGEMENTS), t(texts::TEMPLATE_FILE), false))))
        (complaints(visit, form, &[("file", texts::FILE), ("template", texts::TEMPLATE)]))
        (outcome)
        (choosing(visit, form))
        (columns(visit))
    };
    ui::layout::page(visit, t(texts::IMPORT_TITLE), &content)
}

fn choosing(visit: &Visit, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    let mut templates = vec![Choice::new("", t(texts::TEMPLATE_OWN))];
    templates.extend(
        Template::READ
            .into_iter()
            .map(|template| Choice::new(template.id(), format!("{} {}", template.id(), template.title()))),
    );
    html! {
        form.card method="post" action={ (route::ARRANGEMENTS) "/import" } enctype="multipart/form-data" data-busy {
            (visit.form_token())
            div.field {
                label for="file" { (t(texts::FILE)) }
                input #file type="file" name="file" required accept=".csv,.xlsx,.zip,text/csv,application/zip";
            }
            (field::select(visit, form, "template", texts::TEMPLATE, &templates))
            p.hint { (t(texts::TEMPLATE_HINT)) }
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(texts::CHECK)) }
                button.button type="submit" name="step" value="import" { (t(texts::IMPORT_SUBMIT)) }
            }
            (busy(visit))
        }
    }
}

/// How to fill in the table.
fn columns(view: &View) -> Markup {
    let headings = [Column::text(view.t(texts::COLUMN)), Column::text(view.t(texts::COLUMN_HELP))];
    let rows: Vec<_> = FLAT_COLUMNS
        .iter()
        .map(|column| {
            let name = html! { code { (column.name) } @if column.required { " *" } };
            vec![name, html! { (view.t(column.help)) }]
        })
        .collect();
    html! {
        details.card {
            summary { (view.t(texts::COLUMNS)) }
            (table(view.t(texts::COLUMNS), &headings, &rows))
        }
    }
}

/// A file of arrangements.
#[derive(Debug)]
pub(super) struct Register;

impl Purpose for Register {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_import(Resource::Arrangements)
    }
}

pub(super) async fn take(State(workspace): State<Workspace>, mut uploaded: Uploaded<Register>) -> Answer {
    let (upload, short) = uploaded.take_file();
    let Uploaded { visit, mut form, .. } = uploaded;
    let template = chosen(&mut form);
    let imported = match form.finish(Some(())) {
        Ok(()) => {
            let options =
                ImportOptions { template, dry_run: form.value("step") != "import", workbook: false };
            workspace
                .app
                .third_parties
                .import_arrangements(visit.caller(), upload, options, Arc::new(|_, _| ()))
                .await
        }
        Err(error) => Err(error),
    };
    match imported {
        Ok(ImportOutcome::Done(report)) => {
            let outcome = if report.dry_run {
                checked(&visit, &form, &report, short.as_ref())
            } else {
                done(&visit, &report)
            };
            respond::page(page(&visit, &form, &outcome))
        }
        Ok(ImportOutcome::Refused(problems)) => {
            respond::refused(page(&visit, &form, &refused(&visit, &problems)))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, &html! {}))
        }
    }
}

fn chosen(form: &mut Form) -> Option<Template> {
    if form.value("template").is_empty() {
        return None;
    }
    form.checked("template", |name| Template::from_name(name).ok_or(FileComplaint::NotATemplate))
}

/// The result of the dry run, line by line, and the button that imports.
fn checked(visit: &Visit, form: &Form, report: &ImportReport, file: Option<&Bytes>) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        p { (counts(visit, texts::CHECKED_HELP, report)) }
        (unused(visit, report))
        (notices(visit, report))
        (import_checked(visit, &format!("{}/import", route::ARRANGEMENTS), &[("template", form.value("template"))], file))
    };
    html! {
        (notice(Tone::Good, t(texts::CHECKED), &content))
        (lines(visit, report))
    }
}

fn lines(view: &View, report: &ImportReport) -> Markup {
    let columns = [
        Column::tight(view.t(texts::LINE)),
        Column::text(view.t(Arrangement::REFERENCE.label)),
        Column::text(view.t(Arrangement::PROVIDER.label)),
        Column::text(view.t(Arrangement::SERVICE.label)),
        Column::text(view.t(texts::WHAT_HAPPENS)),
    ];
    let rows: Vec<_> = report.lines.iter().map(|line| line_cells(view, line)).collect();
    html! {
        (table(view.t(texts::WHAT_HAPPENS), &columns, &rows))
        (more(view, report.arrangements - report.lines.len() as u64))
    }
}

fn more(view: &View, count: u64) -> Markup {
    html! { @if count > 0 { p.hint { (view.fill(common::MORE_LINES, &[("count", &count)])) } } }
}

fn line_cells(view: &View, line: &ImportLine) -> Vec<Markup> {
    let outcome = match &line.outcome {
        LineOutcome::Added => badge(Tone::Good, view.t(texts::ADDED)),
        LineOutcome::Unchanged => badge(Tone::Muted, view.t(texts::UNCHANGED)),
        LineOutcome::Changed(fields) => html! {
            (badge(Tone::Notice, view.t(texts::CHANGED))) " " span.hint { (fields.join(", ")) }
        },
    };
    vec![
        html! { @match line.line { Some(number) => (number), None => "–" } },
        html! { (line.reference) },
        html! { (line.provider) },
        html! { (line.service) },
        outcome,
    ]
}

fn counts(view: &View, label: domain::wording::Label, report: &ImportReport) -> String {
    let counts: [(&str, &dyn std::fmt::Display); 3] =
        [("added", &report.added), ("changed", &report.changed), ("unchanged", &report.unchanged)];
    view.fill(label, &counts)
}

/// Accepted, but worth knowing.
fn notices(view: &View, report: &ImportReport) -> Markup {
    html! {
        @if !report.notices.is_empty() {
            p { (view.t(texts::NOTICES)) }
            ul.bullets { @for notice in &report.notices { li { (notice.text(view.language)) } } }
        }
    }
}

fn unused(view: &View, report: &ImportReport) -> Markup {
    html! {
        @if !report.unused_contracts.is_empty() {
            p { (view.t(texts::UNUSED)) }
            ul.bullets { @for contract in &report.unused_contracts { li { (contract) } } }
        }
    }
}

fn done(visit: &Visit, report: &ImportReport) -> Markup {
    let content = html! {
        p { (counts(visit, texts::IMPORTED_HELP, report)) }
        (unused(visit, report))
        (notices(visit, report))
        div.row {
            (ui::link_button(route::ARRANGEMENTS, visit.t(texts::TITLE), false))
            (ui::link_button(route::CONCENTRATION, visit.t(common::CONCENTRATION), false))
        }
    };
    notice(Tone::Good, visit.t(texts::IMPORTED), &content)
}

fn refused(visit: &Visit, problems: &Problems) -> Markup {
    let columns = [
        Column::tight(visit.t(texts::LINE)),
        Column::text(visit.t(texts::TEMPLATE)),
        Column::text(visit.t(texts::COLUMN)),
        Column::tight(visit.t(texts::RULE)),
        Column::text(visit.t(texts::PROBLEM)),
        Column::text(visit.t(texts::REMEDY)),
    ];
    let rows: Vec<_> = problems
        .iter()
        .take(MOST_PROBLEMS)
        .map(|problem| {
            vec![
                html! { @match problem.row { Some(row) => (row), None => "–" } },
                html! { (problem.table.to_string()) },
                html! { (problem.column.as_deref().unwrap_or("–")) },
                html! { code { (problem.rule) } },
                html! { (visit.complaint(&problem.finding)) },
                html! { (visit.complaint(&problem.remedy)) },
            ]
        })
        .collect();
    html! {
        (notice(Tone::Critical, visit.t(texts::REFUSED),
            &html! { p { (visit.fill(texts::REFUSED_HELP, &[("total", &problems.total())])) } }))
        (table(visit.t(texts::PROBLEM), &columns, &rows))
        (more(visit, problems.total() - rows.len() as u64))
    }
}
