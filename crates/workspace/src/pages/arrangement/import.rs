//! The register comes in as a file: checked first if wanted, then stored, with every problem by its line.

use std::sync::Arc;

use app::{
    register::{ImportOptions, ImportOutcome, ImportReport},
    upload::Upload,
};
use axum::extract::State;
use domain::{
    permission::Permission,
    register::{Problems, Template},
};
use maud::{Markup, html};

use crate::{
    Workspace,
    form::Form,
    respond::{self, Answer},
    route,
    texts::arrangement as texts,
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
    visit.caller().require(Permission::Write)?;
    respond::page(page(&visit, &Form::default(), &html! {}))
}

fn page(visit: &Visit, form: &Form, outcome: &Markup) -> Markup {
    let t = |label| visit.t(label);
    let mut templates = vec![Choice::new("", t(texts::TEMPLATE_OWN))];
    templates.extend(
        Template::read().map(|template| Choice::new(template.id(), format!("{} {}", template.id(), template.title()))),
    );
    let content = html! {
        (ui::head(t(texts::IMPORT_TITLE), t(texts::IMPORT_INTRO), None))
        (complaints(visit, form, &[("file", texts::FILE), ("template", texts::TEMPLATE)]))
        (outcome)
        form.card method="post" action={ (route::ARRANGEMENTS) "/import" } enctype="multipart/form-data" {
            (visit.form_token())
            div.field {
                label for="file" { (t(texts::FILE)) }
                input #file type="file" name="file" required accept=".csv,.zip,text/csv,application/zip";
            }
            (field::select(visit, form, "template", texts::TEMPLATE, &templates))
            p.hint { (t(texts::TEMPLATE_HINT)) }
            div.form-end {
                button.button.primary type="submit" name="step" value="check" { (t(texts::CHECK)) }
                button.button type="submit" name="step" value="import" { (t(texts::IMPORT_SUBMIT)) }
            }
        }
    };
    ui::layout::page(visit, t(texts::IMPORT_TITLE), &content)
}

pub(super) async fn take(State(workspace): State<Workspace>, uploaded: Uploaded) -> Answer {
    let Uploaded { visit, mut form, file } = uploaded;
    let template = match form.value("template") {
        "" => None,
        name => {
            let found = Template::from_name(name).ok_or("is none of the official templates");
            form.checked("template", |_| found)
        }
    };
    let imported = match form.finish(Some(())) {
        Ok(()) => {
            let options = ImportOptions { template, dry_run: form.value("step") != "import" };
            let quietly = Arc::new(|_, _| ());
            workspace.app.import_arrangements(visit.caller(), Upload::bytes(file), options, quietly).await
        }
        Err(error) => Err(error),
    };
    match imported {
        Ok(ImportOutcome::Done(report)) => respond::page(page(&visit, &form, &done(&visit, &report))),
        Ok(ImportOutcome::Refused(problems)) => {
            respond::refused(page(&visit, &form, &refused(&visit, &problems)))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, &html! {}))
        }
    }
}

fn done(visit: &Visit, report: &ImportReport) -> Markup {
    let (title, help) = if report.dry_run {
        (texts::CHECKED, texts::CHECKED_HELP)
    } else {
        (texts::IMPORTED, texts::IMPORTED_HELP)
    };
    let counts: [(&str, &dyn std::fmt::Display); 3] =
        [("added", &report.added), ("changed", &report.changed), ("unchanged", &report.unchanged)];
    let told = html! {
        p { (visit.fill(help, &counts)) }
        @if !report.unused_contracts.is_empty() {
            p { (visit.t(texts::UNUSED)) }
            ul.bullets { @for contract in &report.unused_contracts { li { (contract) } } }
        }
    };
    notice(Tone::Good, visit.t(title), &told)
}

fn refused(visit: &Visit, problems: &Problems) -> Markup {
    let columns = [
        Column::tight(visit.t(texts::LINE)),
        Column::text(visit.t(texts::TEMPLATE)),
        Column::text(visit.t(texts::COLUMN)),
        Column::text(visit.t(texts::PROBLEM)),
        Column::text(visit.t(texts::REMEDY)),
    ];
    let rows: Vec<_> = problems
        .iter()
        .map(|problem| {
            vec![
                html! { @match problem.row { Some(row) => (row), None => "–" } },
                html! { (problem.table.to_string()) },
                html! { (problem.column.as_deref().unwrap_or("–")) },
                html! { (problem.finding) },
                html! { (problem.remedy) },
            ]
        })
        .collect();
    html! {
        (notice(Tone::Critical, visit.t(texts::REFUSED),
            &html! { p { (visit.fill(texts::REFUSED_HELP, &[("total", &problems.total())])) } }))
        (table(visit.t(texts::PROBLEM), &columns, &rows))
    }
}
