//! Imports the register from a file in its official form: a package, a workbook or a table. It is checked first, with
//! the location of every problem, then stored.

use app::{
    authz::Caller,
    register::{ImportOptions, RegisterImport, RegisterImportOutcome},
};
use axum::extract::State;
use bytes::Bytes;
use domain::{
    id::RegisterRowId,
    import::FileComplaint,
    register::{Template, filing::Check},
    right::Resource,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, severity_badge};
use crate::{
    Workspace,
    extract::{View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, register as texts},
    ui::{
        self,
        badge::Tone,
        field::{self, Choice},
        notice::{complaints, notice},
        table::{Column, table},
    },
    upload::{Purpose, Uploaded, busy, import_checked},
};

/// A file of the register.
#[derive(Debug)]
pub(super) struct RegisterFile;

impl Purpose for RegisterFile {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_import(Resource::Register)
    }
}

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_import(Resource::Register)?;
    respond::page(page(&visit, &Form::default(), &html! {}))
}

fn page(visit: &Visit, form: &Form, outcome: &Markup) -> Markup {
    let t = |label| visit.t(label);
    let export = ui::link_button(&format!("{}/export/xlsx", route::REGISTER), t(texts::EXPORT_XLSX), false);
    let content = html! {
        (ui::head(t(texts::IMPORT_TITLE), t(texts::IMPORT_INTRO), Some(export)))
        (complaints(visit, form, &[("file", texts::FILE), ("template", texts::TEMPLATE_OF_FILE)]))
        (outcome)
        (choosing(visit, form))
    };
    ui::layout::page(visit, t(texts::IMPORT_TITLE), &content)
}

fn choosing(visit: &Visit, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    let mut templates = vec![Choice::new("", t(texts::TEMPLATE_OF_PACKAGE))];
    templates.extend(
        Template::ALL
            .into_iter()
            .map(|template| Choice::new(template.id(), format!("{template} {}", t(template.label())))),
    );
    html! {
        form.card method="post" action=(route::REGISTER_IMPORT) enctype="multipart/form-data" data-busy {
            (visit.form_token())
            div.field {
                label for="file" { (t(texts::FILE)) }
                p.hint #file-hint { (t(texts::FILE_HINT)) }
                input #file type="file" name="file" required aria-describedby="file-hint" accept=".zip,.xlsx,.csv";
            }
            (field::select(visit, form, "template", texts::TEMPLATE_OF_FILE, &templates))
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(texts::CHECK_FIRST)) }
                button.button type="submit" name="step" value="import" { (t(texts::IMPORT_NOW)) }
            }
            (busy(visit))
        }
    }
}

pub(super) async fn take(State(workspace): State<Workspace>, mut uploaded: Uploaded<RegisterFile>) -> Answer {
    let (upload, short) = uploaded.take_file();
    let Uploaded { visit, mut form, .. } = uploaded;
    let template = chosen(&mut form);
    let imported = match form.finish(Some(())) {
        Ok(()) => {
            let options =
                ImportOptions { template, dry_run: form.value("step") != "import", workbook: false };
            workspace.app.third_parties.import_register(visit.caller(), upload, options).await
        }
        Err(error) => Err(error),
    };
    match imported {
        Ok(RegisterImportOutcome::Done(import)) => {
            let outcome = if import.dry_run {
                checked(&visit, &form, &import, short.as_ref())
            } else {
                done(&visit, &import)
            };
            respond::page(page(&visit, &form, &outcome))
        }
        Ok(RegisterImportOutcome::Refused(checks)) => {
            respond::refused(page(&visit, &form, &refused(&visit, &checks)))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, &html! {}))
        }
    }
}

/// The template of a table; packages and workbooks name theirs.
fn chosen(form: &mut Form) -> Option<Template> {
    if form.value("template").is_empty() {
        return None;
    }
    form.checked("template", |name| name.parse::<Template>().map_err(|_| FileComplaint::NotATemplate))
}

/// The result of the dry run, and the button that imports.
fn checked(visit: &Visit, form: &Form, import: &RegisterImport, file: Option<&Bytes>) -> Markup {
    let fields = [("template", form.value("template"))];
    let content = html! {
        p { (counts(visit, texts::CHECKED_HELP, import)) }
        (templates(visit, import))
        (import_checked(visit, route::REGISTER_IMPORT, &fields, file))
    };
    html! {
        (notice(Tone::Good, visit.t(texts::CHECKED), &content))
        (problems(visit, import))
    }
}

fn done(visit: &Visit, import: &RegisterImport) -> Markup {
    let content = html! {
        p { (counts(visit, texts::IMPORTED_HELP, import)) }
        (templates(visit, import))
        div.row {
            (ui::link_button(route::REGISTER, visit.t(texts::TITLE), false))
            (ui::link_button(&format!("{}/problems", route::REGISTER), visit.t(texts::ALL_PROBLEMS), false))
        }
    };
    html! {
        (notice(Tone::Good, visit.t(texts::IMPORTED), &content))
        (problems(visit, import))
    }
}

fn refused(visit: &Visit, checks: &[Check]) -> Markup {
    html! {
        (notice(Tone::Critical, visit.t(texts::FILE_REFUSED),
            &html! { p { (visit.t(texts::FILE_REFUSED_HELP)) } }))
        (listed(visit, checks))
    }
}

fn counts(view: &View, label: Label, import: &RegisterImport) -> String {
    let counts: [(&str, &dyn std::fmt::Display); 3] = [
        ("refused", &import.problems.refused),
        ("noted", &import.problems.noted),
        ("advice", &import.problems.advice),
    ];
    let state = super::verdict(view, 1, import.problems.refused, import.readiness_pct < 100);
    format!("{} {state}", view.fill(label, &counts))
}

fn templates(view: &View, import: &RegisterImport) -> Markup {
    let named = import.templates.iter().map(|(template, rows)| {
        let rows = if *rows == 1 {
            view.t(texts::ONE_ROW).to_owned()
        } else {
            view.fill(texts::MANY_ROWS, &[("count", rows)])
        };
        format!("{template}: {rows}")
    });
    html! { p.hint { (named.collect::<Vec<_>>().join("; ")) } }
}

fn problems(view: &View, import: &RegisterImport) -> Markup {
    let more = import.problems.total().saturating_sub(import.checks.len() as u64);
    html! {
        @if !import.checks.is_empty() { (listed(view, &import.checks)) }
        @if more > 0 { p.hint { (view.fill(common::MORE_LINES, &[("count", &more)])) } }
    }
}

fn listed(view: &View, checks: &[Check]) -> Markup {
    let t = |label| view.t(label);
    let columns = [
        Column::text(t(texts::PLACE)),
        Column::tight(t(texts::SEVERITY)),
        Column::tight(t(texts::RULE)),
        Column::text(t(texts::PROBLEM)),
        Column::text(t(texts::REMEDY)),
    ];
    let rows: Vec<_> = checks
        .iter()
        .map(|check| {
            vec![
                place(view, check),
                severity_badge(view, check.severity),
                html! { code { (check.rule) } },
                html! { (view.complaint(&check.message)) },
                html! { (view.complaint(&check.remedy)) },
            ]
        })
        .collect();
    table(t(texts::PROBLEMS), &columns, &rows)
}

/// A stored row is linked; a row of the file is named by its number.
fn place(view: &View, check: &Check) -> Markup {
    let Some(template) = check.template else { return html! { (view.t(texts::REGISTER)) } };
    let column = check.column.map(|column| column.to_string()).unwrap_or_default();
    let stored = check.row.as_ref().filter(|row| row.parse::<RegisterRowId>().is_ok());
    html! {
        @match (stored, &check.row) {
            (Some(row), _) => a href={ (address_of(template)) "/" (row) "#" (column) } { (template.id()) " " (column) },
            (None, Some(row)) => {
                (template.id()) " " (column) br;
                span.quiet { (view.fill(texts::ROW_OF_FILE, &[("row", row)])) }
            },
            (None, None) => a href=(address_of(template)) { (template.id()) " " (column) },
        }
    }
}
