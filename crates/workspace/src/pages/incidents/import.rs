//! Imports candidates for incidents from a file: checked first, then created, with every problem by its line.

use app::{
    authz::Caller,
    finding::LineProblems,
    incident::{IncidentImportOutcome, IncidentImportReport},
    report::{Content, File},
};
use axum::extract::State;
use bytes::Bytes;
use domain::{
    incident::import::{COLUMNS, TEMPLATE},
    right::Resource,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::Visit,
    form::Form,
    pages::file,
    respond::{self, Answer},
    route,
    texts::{common, finding_import as shared, incident as texts},
    ui::{
        self,
        badge::Tone,
        notice::{complaints, notice},
        table::{Column, table},
    },
    upload::{Purpose, Uploaded, busy, import_checked},
};

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_import(Resource::Incidents)?;
    respond::page(page(&visit, &Form::default(), &html! {}))
}

pub(super) async fn template(visit: Visit) -> Answer {
    visit.caller().require_import(Resource::Incidents)?;
    file::csv(File { name: "incidents-template.csv".to_owned(), content: Content::Bytes(TEMPLATE.into()) })
}

fn page(visit: &Visit, form: &Form, outcome: &Markup) -> Markup {
    let t = |label| visit.t(label);
    let template =
        ui::link_button(&format!("{}/template.csv", route::INCIDENTS), t(shared::TEMPLATE_FILE), false);
    let headings = [Column::text(t(shared::COLUMN)), Column::text(t(shared::COLUMN_HELP))];
    let rows: Vec<_> = COLUMNS
        .iter()
        .map(|(name, _, help)| {
            vec![html! { code { (name) } @if *name == "title" { " *" } }, html! { (t(*help)) }]
        })
        .collect();
    let content = html! {
        (ui::head(t(texts::IMPORT), t(texts::IMPORT_INTRO), Some(template)))
        (complaints(visit, form, &[("file", shared::FILE)]))
        (outcome)
        form.card method="post" action=(route::IMPORT_INCIDENTS) enctype="multipart/form-data" data-busy {
            (visit.form_token())
            div.field {
                label for="file" { (t(shared::FILE)) }
                input #file type="file" name="file" required accept=".csv,.xlsx,text/csv";
            }
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(shared::CHECK)) }
                button.button type="submit" name="step" value="import" { (t(shared::IMPORT)) }
            }
            (busy(visit))
        }
        details.card { summary { (t(shared::COLUMNS)) } (table(t(shared::COLUMNS), &headings, &rows)) }
    };
    ui::layout::page(visit, t(texts::IMPORT), &content)
}

/// A file of candidates.
#[derive(Debug)]
pub(super) struct Candidates;

impl Purpose for Candidates {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_import(Resource::Incidents)
    }
}

pub(super) async fn take(State(workspace): State<Workspace>, mut uploaded: Uploaded<Candidates>) -> Answer {
    let (upload, short) = uploaded.take_file();
    let Uploaded { visit, mut form, .. } = uploaded;
    let dry_run = form.value("step") != "import";
    match workspace.app.resilience.import_incidents(visit.caller(), upload, dry_run).await {
        Ok(IncidentImportOutcome::Done(report)) => {
            respond::page(page(&visit, &form, &done(&visit, &report, short.as_ref())))
        }
        Ok(IncidentImportOutcome::Refused(problems)) => {
            respond::refused(page(&visit, &form, &refused(&visit, &problems)))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, &html! {}))
        }
    }
}

fn done(visit: &Visit, report: &IncidentImportReport, file: Option<&Bytes>) -> Markup {
    let label = if report.dry_run { texts::IMPORT_CHECKED } else { texts::IMPORTED };
    let said = visit.fill(
        texts::IMPORT_COUNTS,
        &[("lines", &report.lines), ("added", &report.added), ("skipped", &report.skipped)],
    );
    let content = html! {
        p { (said) }
        @if report.dry_run && report.added > 0 { (import_checked(visit, route::IMPORT_INCIDENTS, &[], file)) }
        @if !report.dry_run { p { a href=(route::INCIDENTS) { (visit.t(texts::TITLE)) } } }
    };
    notice(Tone::Good, visit.t(label), &content)
}

fn refused(visit: &Visit, problems: &LineProblems) -> Markup {
    let columns = [
        Column::tight(visit.t(shared::LINE)),
        Column::text(visit.t(shared::FIELD)),
        Column::text(visit.t(shared::PROBLEM)),
    ];
    let row = |problem: &app::finding::LineProblem| {
        vec![
            html! { (problem.line) },
            html! { code { (problem.field) } },
            html! { (visit.complaint(&problem.message)) },
        ]
    };
    let rows: Vec<_> = problems.first.iter().map(row).collect();
    let said = visit.fill(shared::REFUSED_HELP, &[("total", &problems.total), ("shown", &rows.len())]);
    html! {
        (notice(Tone::Critical, visit.t(shared::REFUSED), &html! { p { (said) } }))
        (table(visit.t(shared::REFUSED), &columns, &rows))
        @if problems.total > rows.len() as u64 {
            p.hint { (visit.fill(common::MORE_LINES, &[("count", &(problems.total - rows.len() as u64))])) }
        }
    }
}
