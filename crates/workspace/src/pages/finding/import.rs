//! Findings come in as a file of a scanner or a spreadsheet: checked first, then stored, with every problem by its
//! line.

use app::{
    finding::{FindingImport, FindingImportOutcome, FindingImportReport, LineProblems},
    upload::{Upload, silent},
};
use axum::extract::State;
use domain::import::Format;
use maud::{Markup, html};

use crate::{
    Workspace,
    form::Form,
    respond::{self, Answer},
    route,
    texts::finding_import as texts,
    ui::{
        self,
        badge::Tone,
        field::{self, Choice},
        notice::{complaints, notice},
        table::{Column, table},
    },
    upload::Uploaded,
    visit::Visit,
};

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    respond::page(page(&visit, &Form::default(), &html! {}))
}

fn page(visit: &Visit, form: &Form, outcome: &Markup) -> Markup {
    let t = |label| visit.t(label);
    let mut formats = vec![Choice::new("", t(texts::FIND_OUT))];
    formats.extend(Format::ALL.iter().map(|format| Choice::new(format.as_str(), t(format.label()))));
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        (complaints(visit, form, &[("file", texts::FILE), ("format", texts::FORMAT)]))
        (outcome)
        form.card method="post" action={ (route::FINDINGS) "/import" } enctype="multipart/form-data" {
            (visit.form_token())
            div.field {
                label for="file" { (t(texts::FILE)) }
                p.hint #file-hint { (t(texts::FILE_HINT)) }
                input #file type="file" name="file" required aria-describedby="file-hint"
                    accept=".csv,.json,.sarif,text/csv,application/json";
            }
            (field::select(visit, form, "format", texts::FORMAT, &formats))
            (field::switch(visit, form, "close_missing", texts::CLOSE_MISSING, Some(texts::CLOSE_MISSING_HELP)))
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(texts::CHECK)) }
                button.button type="submit" name="step" value="import" { (t(texts::IMPORT)) }
            }
        }
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
}

pub(super) async fn take(State(workspace): State<Workspace>, uploaded: Uploaded) -> Answer {
    let Uploaded { visit, mut form, file } = uploaded;
    let format: Option<Format> = form.parse_optional("format");
    let imported = match form.finish(Some(())) {
        Ok(()) => {
            let options = FindingImport {
                format,
                close_missing: form.is_checked("close_missing"),
                dry_run: form.value("step") != "import",
                ..FindingImport::default()
            };
            workspace.app.import_findings(visit.caller(), Upload::bytes(file), options, silent()).await
        }
        Err(error) => Err(error),
    };
    match imported {
        Ok(FindingImportOutcome::Done(report)) => respond::page(page(&visit, &form, &done(&visit, &report))),
        Ok(FindingImportOutcome::Refused(problems)) => {
            respond::refused(page(&visit, &form, &refused(&visit, &problems)))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, &html! {}))
        }
    }
}

fn done(visit: &Visit, report: &FindingImportReport) -> Markup {
    let (title, help) = if report.dry_run {
        (texts::CHECKED, texts::CHECKED_HELP)
    } else {
        (texts::IMPORTED, texts::IMPORTED_HELP)
    };
    let counts = [
        (texts::ADDED, report.added),
        (texts::CHANGED, report.changed),
        (texts::REOPENED, report.reopened),
        (texts::CLOSED, report.closed),
        (texts::UNCHANGED, report.unchanged),
        (texts::SKIPPED, report.skipped),
        (texts::REPEATED, report.repeated),
    ];
    let told = html! {
        p { (visit.t(help)) }
        dl.facts {
            dt { (visit.t(texts::FORMAT)) } dd { (visit.t(report.format.label())) }
            dt { (visit.t(texts::RESULTS)) } dd { (report.results) }
            @for (label, count) in counts { @if count > 0 { dt { (visit.t(label)) } dd { (count) } } }
        }
        @if !report.dry_run { p { a href=(route::FINDINGS) { (visit.t(crate::texts::finding::TITLE)) } } }
    };
    notice(Tone::Good, visit.t(title), &told)
}

fn refused(visit: &Visit, problems: &LineProblems) -> Markup {
    let columns = [
        Column::tight(visit.t(texts::LINE)),
        Column::text(visit.t(texts::FIELD)),
        Column::text(visit.t(texts::PROBLEM)),
    ];
    let rows: Vec<_> = problems
        .first
        .iter()
        .map(|problem| {
            vec![
                html! { (problem.line) },
                html! { code { (problem.field) } },
                html! { (visit.complaint(&problem.message)) },
            ]
        })
        .collect();
    let told = visit.fill(texts::REFUSED_HELP, &[("total", &problems.total), ("shown", &rows.len())]);
    html! {
        (notice(Tone::Critical, visit.t(texts::REFUSED), &html! { p { (told) } }))
        (table(visit.t(texts::REFUSED), &columns, &rows))
    }
}
