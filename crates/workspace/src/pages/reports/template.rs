//! Templates of reports: the list, and the form for a new one and for changes, with the logo as a file.

use app::{
    authz::Caller,
    period_report::{LogoChange, ReportTemplateChange, ReportTemplateRow},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    change::Change,
    page::PageRequest,
    period_report::{Covered, ReportKind, ReportPart},
    report_template::{ParagraphInput, ReportTemplateId, ReportTemplateInput, ScheduleInput, SignatoryInput},
    right::{Resource, Right},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::languages;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, report as texts},
    ui::{
        self, Confirm,
        field::{self, Choice, Field},
        filter,
        notice::complaints,
        table::{Column, table},
    },
    upload::{Purpose, Uploaded},
};

/// How many people a form lists.
const MOST_PEOPLE: u32 = 200;
/// How many paragraphs a template can have, and a form shows at least.
const PARAGRAPHS: usize = 10;
const SHOWN: usize = 3;

pub(super) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::REPORT_TEMPLATES, get(list).post(create))
        .route(route::NEW_REPORT_TEMPLATE, get(ask))
        .route(&format!("{}/{{id}}", route::REPORT_TEMPLATES), get(show).post(change))
        .route(&format!("{}/{{id}}/delete", route::REPORT_TEMPLATES), post(delete))
}

/// Who sends a logo.
#[derive(Debug)]
pub(super) struct Templates;

impl Purpose for Templates {
    fn require(caller: &Caller) -> app::Result<()> {
        caller.require_right(Resource::Reports, Right::Decide)
    }
}

const NAMES: [(&str, Label); 12] = [
    ("name", common::NAME),
    ("classification", texts::CLASSIFICATION),
    ("parts", texts::PARTS),
    ("paragraphs", texts::PARAGRAPHS),
    ("signatories", texts::SIGNATORIES),
    ("logo", texts::LOGO),
    ("schedule.cron", texts::CRON),
    ("schedule.covers", texts::COVERS),
    ("schedule.kind", texts::KIND),
    ("schedule.framework", texts::FRAMEWORK),
    ("schedule.language", texts::LANGUAGE),
    ("schedule.people", texts::PEOPLE),
];

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let t = |label| visit.t(label);
    let templates = workspace.app.period_report.report_templates(visit.caller()).await?;
    let columns = [
        Column::text(t(common::NAME)),
        Column::text(t(texts::CLASSIFICATION)),
        Column::text(t(texts::SCHEDULE)),
        Column::text(t(texts::NEXT_RUN)),
    ];
    let row = |row: &ReportTemplateRow| {
        let content = &row.template.content;
        vec![
            html! { a href=(address(row.id)) { (row.template.name) } },
            visit.or_none(content.classification.as_ref().map(ToString::to_string)),
            visit.or_none(content.schedule.as_ref().map(|schedule| schedule.cron.to_string())),
            html! { @if let Some(at) = row.next_run_at { (visit.time(at)) } },
        ]
    };
    let rows: Vec<_> = templates.iter().map(row).collect();
    let may_decide = visit.may(Resource::Reports, Right::Decide);
    let new = may_decide.then(|| ui::link_button(route::NEW_REPORT_TEMPLATE, t(texts::NEW_TEMPLATE), true));
    let done = [("saved", texts::WAS_SAVED), ("deleted", texts::TEMPLATE_DELETED)];
    let content = html! {
        (ui::head(t(texts::TEMPLATES), t(texts::TEMPLATES_INTRO), new))
        (ui::notice::done(&visit, &done))
        @if templates.is_empty() { (ui::empty(t(texts::NO_TEMPLATES), t(texts::NO_TEMPLATES_HELP), None)) }
        @else { (table(t(texts::TEMPLATES), &columns, &rows)) }
        p { a href=(route::REPORTS) { (t(texts::TITLE)) } }
    };
    respond::page(ui::layout::page(&visit, t(texts::TEMPLATES), &content))
}

fn address(id: ReportTemplateId) -> String {
    format!("{}/{id}", route::REPORT_TEMPLATES)
}

fn template_id(id: &str) -> Result<ReportTemplateId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Reports, Right::Decide)?;
    let form = Form::filled([
        ("schedule.kind", ReportKind::Board.as_str().to_owned()),
        ("schedule.covers", Covered::Quarter.as_str().to_owned()),
        ("schedule.language", visit.language.as_str().to_owned()),
    ]);
    respond::page(page(&workspace, &visit, &form, None).await?)
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let row = workspace.app.period_report.report_template(visit.caller(), template_id(&id)?).await?;
    respond::page(page(&workspace, &visit, &filled(&visit, &row), Some(&row)).await?)
}

/// The form of a new template, or of one with its name above it.
async fn page(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    row: Option<&ReportTemplateRow>,
) -> Result<Markup, PageError> {
    let may_decide = visit.may(Resource::Reports, Right::Decide);
    let title = row.map_or(visit.t(texts::NEW_TEMPLATE), |row| row.template.name.as_str());
    let action = row.map_or_else(|| route::REPORT_TEMPLATES.to_owned(), |row| address(row.id));
    let content = html! {
        (ui::head(title, visit.t(texts::TEMPLATES_INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(action) enctype="multipart/form-data" {
            (visit.form_token())
            fieldset disabled[!may_decide] { (fields(workspace, visit, form, row).await?) }
            @if may_decide {
                div.form-end {
                    button.button.primary type="submit" { (visit.t(texts::SAVE)) }
                    a.button href=(route::REPORT_TEMPLATES) { (visit.t(common::CANCEL)) }
                }
            }
        }
        @if let (Some(row), true) = (row, may_decide) { (deleting(visit, row)) }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn deleting(visit: &Visit, row: &ReportTemplateRow) -> Markup {
    let name = row.template.name.as_str();
    Confirm {
        action: &format!("{}/delete", address(row.id)),
        opener: common::DELETE,
        about: name,
        question: visit.fill(texts::TEMPLATE_DELETE_ASK, &[("name", &name)]),
        sure: texts::TEMPLATE_DELETE_SURE,
    }
    .render(visit)
}

async fn fields(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    row: Option<&ReportTemplateRow>,
) -> Result<Markup, PageError> {
    let places: Vec<Choice> = places(visit);
    Ok(html! {
        (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).render())
        (Field::text(visit, form, "classification", texts::CLASSIFICATION)
            .hint(texts::CLASSIFICATION_HINT).optional().at_most(Name::MAX).render())
        div.field {
            label for="logo" { (visit.t(texts::LOGO)) }
            input #logo type="file" name="logo" accept="image/png" aria-describedby="logo-hint";
            p.hint #logo-hint { (visit.t(texts::LOGO_HINT)) }
        }
        @if row.is_some_and(|row| row.logo.is_some()) {
            (field::switch(visit, form, "no_logo", texts::NO_LOGO, None))
        }
        (field::area(visit, form, "parts", texts::PARTS, Some(texts::PARTS_HINT)))
        p.hint { @for part in ReportKind::Board.parts() { code { (part.as_str()) } " " (visit.t(part.label())) ". " } }
        @for number in 1..=shown(form) {
            (field::section(visit, texts::PARAGRAPH, &html! {
                (field::select(visit, form, &format!("before_{number}"), texts::BEFORE, &places))
                (Field::text(visit, form, &format!("title_{number}"), texts::HEADING).optional().at_most(Name::MAX).render())
                (field::area(visit, form, &format!("text_{number}"), texts::TEXT, None))
            }))
        }
        (field::area(visit, form, "signatories", texts::SIGNATORIES, Some(texts::SIGNATORIES_HINT)))
        (field::section(visit, texts::SCHEDULE, &schedule(workspace, visit, form).await?))
    })
}

/// How many paragraphs the form shows: those that are filled in, and one more.
fn shown(form: &Form) -> usize {
    let is_filled = |number: &usize| {
        ["title", "text"].iter().any(|name| !form.value(&format!("{name}_{number}")).is_empty())
    };
    let last = (1..=PARAGRAPHS).rev().find(is_filled).unwrap_or(0);
    (last + 1).clamp(SHOWN, PARAGRAPHS)
}

/// Where a paragraph can stand.
fn places(visit: &Visit) -> Vec<Choice> {
    let end = Choice::new("", visit.t(texts::AT_THE_END));
    std::iter::once(end).chain(field::words::<ReportPart>(visit)).collect()
}

async fn schedule(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let mut frameworks = vec![Choice::new("", visit.t(texts::NO_FRAMEWORK))];
    frameworks.extend(filter::framework_choices(&*workspace.app.edition_of(visit.caller()).await?));
    let people = workspace.app.people.people_page(visit.caller(), PageRequest::part(MOST_PEOPLE, 0)).await?;
    let people: Vec<Choice> =
        people.items.iter().map(|person| Choice::new(person.id.to_string(), person.name.as_str())).collect();
    Ok(html! {
        (Field::text(visit, form, "schedule.cron", texts::CRON).hint(texts::CRON_HINT).optional().at_most(60).render())
        (field::select(visit, form, "schedule.covers", texts::COVERS, &field::words::<Covered>(visit)))
        (field::select(visit, form, "schedule.kind", texts::KIND, &field::words::<ReportKind>(visit)))
        (field::select(visit, form, "schedule.framework", texts::FRAMEWORK, &frameworks))
        (field::select(visit, form, "schedule.language", texts::LANGUAGE, &languages()))
        (field::choices(visit, form, "schedule.people", texts::PEOPLE, true, &people))
    })
}

fn filled(visit: &Visit, row: &ReportTemplateRow) -> Form {
    let content = &row.template.content;
    let parts: Vec<&str> = content.parts.iter().map(|part| part.as_str()).collect();
    let signatories: Vec<String> =
        content.signatories.iter().map(|one| format!("{}; {}", one.name, one.function)).collect();
    let mut pairs = vec![
        ("name".to_owned(), row.template.name.to_string()),
        (
            "classification".to_owned(),
            content.classification.as_ref().map(ToString::to_string).unwrap_or_default(),
        ),
        ("parts".to_owned(), parts.join("\n")),
        ("signatories".to_owned(), signatories.join("\n")),
    ];
    for (number, paragraph) in (1..).zip(&content.paragraphs) {
        let before = paragraph.before.map_or("", ReportPart::as_str).to_owned();
        pairs.push((format!("before_{number}"), before));
        pairs.push((format!("title_{number}"), paragraph.title.to_string()));
        pairs.push((format!("text_{number}"), paragraph.text.to_string()));
    }
    match &content.schedule {
        None => pairs.push(("schedule.language".to_owned(), visit.language.as_str().to_owned())),
        Some(schedule) => {
            let framework = schedule.framework.map(|framework| framework.to_string()).unwrap_or_default();
            pairs.push(("schedule.cron".to_owned(), schedule.cron.to_string()));
            pairs.push(("schedule.covers".to_owned(), schedule.covers.to_string()));
            pairs.push(("schedule.kind".to_owned(), schedule.kind.to_string()));
            pairs.push(("schedule.framework".to_owned(), framework));
            pairs.push(("schedule.language".to_owned(), schedule.language.as_str().to_owned()));
            pairs.extend(
                schedule.people.iter().map(|person| ("schedule.people".to_owned(), person.to_string())),
            );
        }
    }
    Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

fn lines(form: &Form, name: &str) -> Vec<String> {
    match form.lines(name) {
        Change::Set(lines) => lines,
        Change::Keep | Change::Clear => Vec::new(),
    }
}

/// One person on each line, with the function after a semicolon.
pub(super) fn signatories(form: &Form) -> Vec<SignatoryInput> {
    let signatory = |line: String| {
        let (name, function) = line.split_once(';').unwrap_or((&line, ""));
        SignatoryInput { name: name.trim().to_owned(), function: function.trim().to_owned() }
    };
    lines(form, "signatories").into_iter().map(signatory).collect()
}

/// The template as it was typed in.
fn entered(form: &Form) -> ReportTemplateInput {
    let text = |name: &str| form.value(name).trim().replace("\r\n", "\n");
    let paragraphs = (1..=PARAGRAPHS).map(|number| ParagraphInput {
        before: Some(text(&format!("before_{number}"))),
        title: text(&format!("title_{number}")),
        text: text(&format!("text_{number}")),
    });
    let paragraphs = paragraphs.filter(|one| !one.title.is_empty() || !one.text.is_empty());
    let schedule = ScheduleInput {
        cron: text("schedule.cron"),
        covers: text("schedule.covers"),
        kind: text("schedule.kind"),
        framework: Some(text("schedule.framework")),
        language: text("schedule.language"),
        people: form.all("schedule.people").map(str::to_owned).collect(),
    };
    ReportTemplateInput {
        name: form.required_change("name"),
        classification: form.change("classification"),
        parts: Change::Set(lines(form, "parts")),
        paragraphs: Change::Set(paragraphs.collect()),
        signatories: Change::Set(signatories(form)),
        schedule: if schedule.cron.is_empty() { Change::Clear } else { Change::Set(schedule) },
    }
}

/// The change of the form, with the logo if one was sent.
fn sent(uploaded: &mut Uploaded<Templates>) -> ReportTemplateChange {
    // A file that is not kept in the page is larger than any logo.
    let (_, short) = uploaded.take_file();
    let logo = match short {
        Some(bytes) if !bytes.is_empty() => LogoChange::Set(bytes.to_vec()),
        None => LogoChange::too_large(),
        Some(_) if uploaded.form.is_checked("no_logo") => LogoChange::Clear,
        Some(_) => LogoChange::Keep,
    };
    ReportTemplateChange { input: entered(&uploaded.form), logo }
}

async fn create(State(workspace): State<Workspace>, mut uploaded: Uploaded<Templates>) -> Answer {
    let change = sent(&mut uploaded);
    let Uploaded { visit, mut form, .. } = uploaded;
    match workspace
        .app
        .period_report
        .create_report_template(visit.caller(), change, None, |_| String::new())
        .await
    {
        Ok(_) => respond::go_to(&route::done(route::REPORT_TEMPLATES, "saved")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form, None).await?)
        }
    }
}

async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    mut uploaded: Uploaded<Templates>,
) -> Answer {
    let id = template_id(&id)?;
    let change = sent(&mut uploaded);
    let Uploaded { visit, mut form, .. } = uploaded;
    match workspace.app.period_report.change_report_template(visit.caller(), id, change).await {
        Ok(_) => respond::go_to(&route::done(route::REPORT_TEMPLATES, "saved")),
        Err(error) => {
            form.refuse(error)?;
            let row = workspace.app.period_report.report_template(visit.caller(), id).await?;
            respond::refused(page(&workspace, &visit, &form, Some(&row)).await?)
        }
    }
}

async fn delete(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    workspace.app.period_report.delete_report_template(posted.visit.caller(), template_id(&id)?).await?;
    respond::go_to(&route::done(route::REPORT_TEMPLATES, "deleted"))
}
