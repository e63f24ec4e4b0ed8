//! Requirements out of a file: compared first, then taken, with every problem by its row.

use app::{
    authz::Caller,
    finding::{LineProblem, LineProblems},
    own_framework::{
        COLUMNS, Comparison, Content, OwnFrameworkImport, OwnFrameworkImportOutcome, OwnFrameworkRow,
    },
    pages::Precondition,
};
use axum::extract::{Path, State};
use bytes::Bytes;
use domain::{own_framework::OwnFramework, right::Resource, wording::Label};
use maud::{Markup, html};

use super::address_of;
use crate::{
    Workspace,
    extract::Visit,
    form::Form,
    pages::record::form::id_of,
    respond::{self, Answer},
    texts::{common, finding_import as shared, own_framework as texts},
    ui::{
        self,
        badge::Tone,
        notice::{complaints, notice},
        table::{Column, table},
    },
    upload::{Purpose, Uploaded, busy, import_checked},
};

/// So many ids of each kind are named.
const NAMED: usize = 50;

/// A file of requirements.
#[derive(Debug)]
pub(super) struct Requirements;

impl Purpose for Requirements {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_import(Resource::OwnFrameworks)
    }
}

pub(super) async fn ask(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_import(Resource::OwnFrameworks)?;
    let (row, _) = workspace
        .app
        .compliance
        .own_framework(visit.caller(), id_of::<OwnFramework>(&id)?, Content::Draft)
        .await?;
    respond::page(page(&visit, &row, &Form::default(), &html! {}))
}

pub(super) async fn take(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    mut uploaded: Uploaded<Requirements>,
) -> Answer {
    let (upload, short) = uploaded.take_file();
    let Uploaded { visit, mut form, .. } = uploaded;
    let id = id_of::<OwnFramework>(&id)?;
    let (row, _) = workspace.app.compliance.own_framework(visit.caller(), id, Content::Draft).await?;
    let dry_run = form.value("step") != "import";
    let import = workspace.app.compliance.import_own_framework(
        visit.caller(),
        id,
        upload,
        dry_run,
        Precondition::None,
    );
    match import.await {
        Ok(OwnFrameworkImportOutcome::Done(import)) => {
            respond::page(page(&visit, &row, &form, &done(&visit, &row, &import, short.as_ref())))
        }
        Ok(OwnFrameworkImportOutcome::Refused(problems)) => {
            respond::refused(page(&visit, &row, &form, &refused(&visit, &problems)))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &row, &form, &html! {}))
        }
    }
}

fn page(visit: &Visit, row: &OwnFrameworkRow, form: &Form, outcome: &Markup) -> Markup {
    let t = |label| visit.t(label);
    let address = address_of(row.id);
    let columns: Vec<String> =
        COLUMNS.iter().map(|(english, german)| format!("{english} / {german}")).collect();
    let back = ui::link_button(&address, row.record.title.as_str(), false);
    let content = html! {
        (ui::head(t(texts::IMPORT), t(texts::IMPORT_INTRO), Some(back)))
        (complaints(visit, form, &[("file", shared::FILE), ("requirements", OwnFramework::REQUIREMENTS.label),
            ("status", common::STATUS)]))
        (outcome)
        form.card method="post" action={ (address) "/import" } enctype="multipart/form-data" data-busy {
            (visit.form_token())
            div.field {
                label for="file" { (t(shared::FILE)) }
                p.hint #file-hint { (t(texts::IMPORT_COLUMNS)) }
                input #file type="file" name="file" required accept=".xlsx,.json,application/json"
                    aria-describedby="file-hint";
            }
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(shared::CHECK)) }
                button.button type="submit" name="step" value="import" { (t(shared::IMPORT)) }
            }
            (busy(visit))
        }
        details.card {
            summary { (t(shared::COLUMNS)) }
            ul { @for column in columns { li { code { (column) } } } }
        }
    };
    ui::layout::page(visit, t(texts::IMPORT), &content)
}

fn done(visit: &Visit, row: &OwnFrameworkRow, import: &OwnFrameworkImport, file: Option<&Bytes>) -> Markup {
    let OwnFrameworkImport { comparison, ignored, dry_run } = import;
    let label = if *dry_run { texts::CHECKED } else { texts::IMPORTED };
    let address = address_of(row.id);
    let content = html! {
        (compared(visit, comparison))
        @if !ignored.is_empty() { p.hint { (visit.t(texts::IGNORED)) ": " (ignored.join(", ")) } }
        @if *dry_run { (import_checked(visit, &format!("{address}/import"), &[], file)) }
        @else { p { a href=(address) { (row.record.title.as_str()) } } }
    };
    notice(Tone::Good, visit.t(label), &content)
}

fn compared(visit: &Visit, comparison: &Comparison) -> Markup {
    let Comparison { created, changed, removed, unchanged } = comparison;
    let named = |label: Label, ids: &[String]| {
        let first: Vec<&str> = ids.iter().take(NAMED).map(String::as_str).collect();
        html! {
            dt { (visit.t(label)) " " span.quiet { (ids.len()) } }
            dd {
                (visit.or_none((!first.is_empty()).then(|| first.join(", "))))
                @if ids.len() > NAMED { " … " (visit.fill(texts::ALL_OF_THEM, &[("count", &ids.len())])) }
            }
        }
    };
    html! {
        dl.facts {
            (named(texts::CREATED_COUNT, created))
            (named(texts::CHANGED_COUNT, changed))
            (named(texts::REMOVED_COUNT, removed))
            dt { (visit.t(texts::UNCHANGED_COUNT)) } dd { (unchanged) }
        }
    }
}

fn refused(visit: &Visit, problems: &LineProblems) -> Markup {
    let columns = [
        Column::tight(visit.t(shared::LINE)),
        Column::text(visit.t(shared::FIELD)),
        Column::text(visit.t(shared::PROBLEM)),
    ];
    let row = |problem: &LineProblem| {
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
    }
}
