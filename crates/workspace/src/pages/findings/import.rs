//! Imports findings from a file of a scanner or a spreadsheet: checked first, then stored, with every problem by its
//! line.

use app::{
    authz::Caller,
    finding::{
        FindingImport, FindingImportLine, FindingImportOutcome, FindingImportReport, FindingLineOutcome,
        LineProblems,
    },
    report::{Content, File},
    upload::silent,
};
use axum::extract::State;
use bytes::Bytes;
use domain::{
    finding::Finding,
    import::{
        Format, SourceName,
        csv::{COLUMNS, EXPORT_COLUMNS, TEMPLATE, UNREAD_COLUMNS},
    },
    right::Resource,
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::Visit,
    form::Form,
    pages::{
        file,
        record::{self, form::label_of},
    },
    respond::{self, Answer},
    route,
    texts::{common, finding_import as texts},
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        notice::{complaints, notice},
        table::{Column, table},
    },
    upload::{Purpose, Uploaded, busy, import_checked},
};

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_import(Resource::Findings)?;
    respond::page(page(&visit, &Form::default(), &html! {}))
}

fn page(visit: &Visit, form: &Form, outcome: &Markup) -> Markup {
    let t = |label| visit.t(label);
    let mut formats = vec![Choice::new("", t(texts::FIND_OUT))];
    // A report of OSV-Scanner is a scan of the platform, which the operator imports.
    let offered = Format::ALL.iter().filter(|format| **format != Format::OsvScanner);
    formats.extend(offered.map(|format| Choice::new(format.as_str(), t(format.label()))));
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(
            ui::link_button(&format!("{}/template.csv", route::FINDINGS), t(texts::TEMPLATE_FILE), false))))
        (complaints(visit, form, &[("file", texts::FILE), ("format", texts::FORMAT), ("source", texts::SOURCE)]))
        (outcome)
        form.card method="post" action={ (route::FINDINGS) "/import" } enctype="multipart/form-data" data-busy {
            (visit.form_token())
            div.field {
                label for="file" { (t(texts::FILE)) }
                p.hint #file-hint { (t(texts::FILE_HINT)) }
                input #file type="file" name="file" required aria-describedby="file-hint"
                    accept=".csv,.xlsx,.json,.sarif,text/csv,application/json";
            }
            (field::select(visit, form, "format", texts::FORMAT, &formats))
            (Field::text(visit, form, "source", texts::SOURCE)
                .hint(texts::SOURCE_HINT).optional().at_most(SourceName::MAX).render())
            (field::switch(visit, form, "close_missing", texts::CLOSE_MISSING, Some(texts::CLOSE_MISSING_HELP)))
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(texts::CHECK)) }
                button.button type="submit" name="step" value="import" { (t(texts::IMPORT)) }
            }
            (busy(visit))
        }
        (columns(visit))
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
}

pub(super) async fn template(visit: Visit) -> Answer {
    visit.caller().require_import(Resource::Findings)?;
    file::csv(File { name: "findings-template.csv".to_owned(), content: Content::Bytes(TEMPLATE.into()) })
}

/// How to fill in the table.
fn columns(visit: &Visit) -> Markup {
    let headings = [Column::text(visit.t(texts::COLUMN)), Column::text(visit.t(texts::COLUMN_HELP))];
    let rows: Vec<_> = COLUMNS
        .iter()
        .chain(&EXPORT_COLUMNS)
        .map(|column| {
            let name = html! { code { (column.name) } @if column.required { " *" } };
            vec![name, html! { (visit.t(column.help)) }]
        })
        .collect();
    html! {
        details.card {
            summary { (visit.t(texts::COLUMNS)) }
            p.hint { (visit.fill(texts::COLUMNS_HELP, &[("unread", &UNREAD_COLUMNS.join(", "))])) }
            (table(visit.t(texts::COLUMNS), &headings, &rows))
        }
    }
}

/// A file of findings.
#[derive(Debug)]
pub(super) struct Findings;

impl Purpose for Findings {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_import(Resource::Findings)
    }
}

pub(super) async fn take(State(workspace): State<Workspace>, mut uploaded: Uploaded<Findings>) -> Answer {
    let (upload, short) = uploaded.take_file();
    let Uploaded { visit, mut form, .. } = uploaded;
    let format: Option<Format> = form.parse_optional("format");
    let source: Option<SourceName> = form.parse_optional("source");
    let imported = match form.finish(Some(())) {
        Ok(()) => {
            let options = FindingImport {
                format,
                source,
                close_missing: form.is_checked("close_missing"),
                dry_run: form.value("step") != "import",
                ..FindingImport::default()
            };
            workspace.app.resilience.import_findings(visit.caller(), upload, options, silent()).await
        }
        Err(error) => Err(error),
    };
    match imported {
        Ok(FindingImportOutcome::Done(report)) => {
            respond::page(page(&visit, &form, &done(&visit, &form, &report, short.as_ref())))
        }
        Ok(FindingImportOutcome::Refused(problems)) => {
            respond::refused(page(&visit, &form, &refused(&visit, &problems)))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, &html! {}))
        }
    }
}

fn done(visit: &Visit, form: &Form, report: &FindingImportReport, file: Option<&Bytes>) -> Markup {
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
        (texts::LEFT_OPEN, report.left_open),
        (texts::UNCHANGED, report.unchanged),
        (texts::SKIPPED, report.skipped),
        (texts::REPEATED, report.repeated),
    ];
    let sentence = html! {
        p { (visit.t(help)) }
        dl.facts {
            dt { (visit.t(texts::FORMAT)) } dd { (visit.t(report.format.label())) }
            dt { (visit.t(texts::SOURCE)) } dd { (report.source.shown(visit.language)) }
            dt { (visit.t(texts::RESULTS)) } dd { (report.results) }
            @for (label, count) in counts { @if count > 0 { dt { (visit.t(label)) } dd { (count) } } }
        }
        @if report.dry_run { (take_over(visit, form, file)) }
        @else { p { a href=(route::FINDINGS) { (visit.t(crate::texts::finding::TITLE)) } } }
    };
    html! {
        (notice(Tone::Good, visit.t(title), &sentence))
        @if report.dry_run { (lines(visit, report)) }
    }
}

/// The button that imports the checked file with the same options.
fn take_over(visit: &Visit, form: &Form, file: Option<&Bytes>) -> Markup {
    let mut fields = vec![("format", form.value("format")), ("source", form.value("source"))];
    if form.is_checked("close_missing") {
        fields.push(("close_missing", "1"));
    }
    import_checked(visit, &format!("{}/import", route::FINDINGS), &fields, file)
}

fn lines(visit: &Visit, report: &FindingImportReport) -> Markup {
    let columns = [
        Column::tight(visit.t(texts::LINE)),
        Column::text(visit.t(texts::FINDING)),
        Column::tight(visit.t(Finding::SEVERITY.label)),
        Column::text(visit.t(texts::WHAT_HAPPENS)),
    ];
    let rows: Vec<_> = report.lines.iter().map(|line| line_cells(visit, line)).collect();
    html! {
        @if !rows.is_empty() { (table(visit.t(texts::WHAT_HAPPENS), &columns, &rows)) }
        @if report.more_lines() > 0 {
            p.hint { (visit.fill(common::MORE_LINES, &[("count", &report.more_lines())])) }
        }
    }
}

fn line_cells(visit: &Visit, line: &FindingImportLine) -> Vec<Markup> {
    let outcome = match &line.outcome {
        FindingLineOutcome::Added => badge(Tone::Good, visit.t(texts::ADDED)),
        FindingLineOutcome::Unchanged => badge(Tone::Muted, visit.t(texts::UNCHANGED)),
        FindingLineOutcome::Reopened => badge(Tone::Warning, visit.t(texts::REOPENED)),
        FindingLineOutcome::LeftOpen => badge(Tone::Warning, visit.t(texts::LEFT_OPEN)),
        FindingLineOutcome::Closed => badge(Tone::Neutral, visit.t(texts::CLOSED)),
        FindingLineOutcome::Changed(fields) => html! {
            (badge(Tone::Notice, visit.t(texts::CHANGED))) " " span.hint {
                (fields.iter().map(|field| field_name(visit, field)).collect::<Vec<_>>().join(", "))
            }
        },
    };
    vec![
        html! { @match line.line { Some(number) => (number), None => "–" } },
        html! {
            @match line.finding {
                Some(id) => { a href={ (route::FINDINGS) "/" (id.to_string()) } { (line.title) } }
                None => { (line.title) }
            }
        },
        record::severity_badge(visit, line.severity),
        outcome,
    ]
}

/// The field as its form calls it; a column that has no field in the form by its own name.
fn field_name(visit: &Visit, field: &str) -> String {
    label_of::<Finding>(field).map_or_else(|| field.to_owned(), |label| visit.t(label).to_owned())
}

/// The remedy for a violation of this field.
fn remedy(field: &str) -> Label {
    match field {
        "title" => texts::REMEDY_TITLE,
        "severity" => texts::REMEDY_SEVERITY,
        "cve" => texts::REMEDY_CVE,
        "cvss" => texts::REMEDY_CVSS,
        "measures" => texts::REMEDY_MEASURES,
        "requirements" => texts::REMEDY_REQUIREMENTS,
        "controls" => texts::REMEDY_CONTROLS,
        "detected_at" => texts::REMEDY_DETECTED,
        "due_on" => texts::REMEDY_DUE,
        "reference" | "id" => texts::REMEDY_KNOWN,
        "programme_id" | "test_case_id" => texts::REMEDY_LINK,
        "line" => texts::REMEDY_LINE,
        _ => texts::REMEDY_TEXT,
    }
}

fn refused(visit: &Visit, problems: &LineProblems) -> Markup {
    let columns = [
        Column::tight(visit.t(texts::LINE)),
        Column::text(visit.t(texts::FIELD)),
        Column::text(visit.t(texts::PROBLEM)),
        Column::text(visit.t(texts::REMEDY)),
    ];
    let rows: Vec<_> = problems
        .first
        .iter()
        .map(|problem| {
            vec![
                html! { (problem.line) },
                html! { (field_name(visit, &problem.field)) },
                html! { (visit.complaint(&problem.message)) },
                html! { (visit.t(remedy(&problem.field))) },
            ]
        })
        .collect();
    let sentence = visit.fill(texts::REFUSED_HELP, &[("total", &problems.total), ("shown", &rows.len())]);
    html! {
        (notice(Tone::Critical, visit.t(texts::REFUSED), &html! { p { (sentence) } }))
        (table(visit.t(texts::REFUSED), &columns, &rows))
        @if problems.total > rows.len() as u64 {
            p.hint { (visit.fill(common::MORE_LINES, &[("count", &(problems.total - rows.len() as u64))])) }
        }
    }
}
