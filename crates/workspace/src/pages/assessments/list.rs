//! The requirements of a framework, chapter by chapter, and bulk changes.

use app::{
    assessment::{AssessmentFilter, AssessmentView},
    catalogue::{Edition, framework::Requirement},
    report::TableFormat,
};
use axum::extract::{Path, State};
use domain::{
    assessment::{Assessment, AssessmentInput, AssessmentStatus},
    framework::Framework,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{
    address_of, applies_badge, approval_badge, cell, confirm_badge, edition, figure, form::complaints,
    framework_address, import_link, status_badge,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{file, record},
    respond::{self, Answer},
    route,
    texts::{assessment as texts, common, count, record as shared},
    ui::{
        self,
        badge::Tone,
        field::{Choice, Field},
        filter,
        notice::notice,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
};

fn filter_of(view: &View, framework: Framework) -> AssessmentFilter {
    let flag = |name: &str| match view.query(name).as_deref() {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
    let filled = |name: &str| view.query(name).filter(|text| !text.trim().is_empty());
    AssessmentFilter {
        framework: framework.into(),
        section: filled("section"),
        status: filter::any(view, "status"),
        owner: filter::any_name(view, "owner"),
        due_before: filter::any_day(view, "due_before"),
        applies: flag("applies"),
        approved: flag("approved"),
        search: filter::search(view),
        as_of: filter::as_of(view),
    }
}

pub(super) async fn show(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    respond::page(page(&workspace, &visit, &name, &Form::default(), None).await?)
}

pub(super) async fn csv(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    table_file(&workspace, &visit, &name, TableFormat::Csv).await
}

pub(super) async fn xlsx(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    visit: Visit,
) -> Answer {
    table_file(&workspace, &visit, &name, TableFormat::Xlsx(visit.language)).await
}

async fn table_file(workspace: &Workspace, visit: &Visit, name: &str, format: TableFormat) -> Answer {
    let framework =
        edition(workspace, visit).await?.framework_named(name).map_err(|_| PageError::NotFound)?;
    let filter = filter_of(visit, framework);
    let made = workspace.app.report.assessments_file(visit.caller(), &filter, format, visit.language).await?;
    file::table(made, format)
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    name: &str,
    form: &Form,
    message: Option<String>,
) -> Result<Markup, PageError> {
    let edition = edition(workspace, visit).await?;
    let framework = edition.framework_named(name).map_err(|_| PageError::NotFound)?;
    let opened = cell::opened(workspace, visit, &edition, framework).await?;
    let visit = opened.as_ref().unwrap_or(visit);
    let wanted = filter_of(visit, framework);
    let (page, _) = workspace
        .app
        .compliance
        .assessments(visit.caller(), &wanted, requested(visit), visit.language)
        .await?;
    let summary =
        workspace.app.compliance.assessment_summary(visit.caller(), Some(framework), wanted.as_of).await?;
    let (title, may_write) =
        (framework.name(), visit.may(Resource::Assessments, Right::Write) && wanted.as_of.is_none());
    let t = |label| visit.t(label);
    let actions = html! {
        (filter::exports_of(visit, "/assessments", &filter::TABLES))
        (import_link(visit))
        (ui::link_button(&format!("{}?framework={framework}", route::STATEMENT), t(texts::STATEMENT), false))
    };
    let bare = AssessmentFilter { framework: framework.into(), ..AssessmentFilter::default() };
    let content = html! {
        (ui::head(&title, t(texts::FRAMEWORK_INTRO), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (record::cell::left_over_of(visit, |id| page.items.iter().any(|item| item.row.requirement == id)))
        @if let Some(message) = message { (notice(Tone::Good, &message, &html! {})) }
        (complaints(visit, form))
        (filter::as_of_notice(visit))
        @for one in &summary { section.card { (figure(visit, &title, &one.whole)) } }
        (filters(visit, &edition, framework))
        @if page.items.is_empty() {
            (record::nothing(visit, wanted != bare, (shared::NOTHING, shared::NOTHING_HELP)))
        } @else {
            (counted(visit, page.total, count::REQUIREMENT, count::REQUIREMENTS))
            (chapters(visit, &edition, &page.items, may_write))
            (pager(visit, &page))
            @if may_write { (bulk(visit, framework)) }
        }
    };
    Ok(ui::layout::page(visit, &title, &content))
}

fn filters(view: &View, edition: &Edition, framework: Framework) -> Markup {
    let applies =
        [Choice::new("true", view.t(texts::APPLIES_ONLY)), Choice::new("false", view.t(texts::NOT_APPLYING))];
    let approved = [
        Choice::new("true", view.t(texts::APPROVED_ONLY)),
        Choice::new("false", view.t(texts::NOT_APPROVED)),
    ];
    filter::bar(
        view,
        &[
            filter::sections(view, edition, framework),
            filter::any_words::<AssessmentStatus>(view, "status", common::STATUS),
            filter::choice(view, "applies", Assessment::APPLIES.label, &applies),
            filter::choice(view, "approved", texts::APPROVAL, &approved),
            filter::any_person(view, "owner", shared::OWNER),
            filter::before(view, "due_before", shared::DUE_BEFORE),
            filter::as_of_field(view),
        ],
    )
}

/// A table for each chapter on this page.
fn chapters(view: &Visit, edition: &Edition, items: &[AssessmentView], may_write: bool) -> Markup {
    let found =
        items.iter().filter_map(|item| Some((edition.requirements.get(&item.row.requirement)?, item)));
    let found: Vec<(&Requirement, &AssessmentView)> = found.collect();
    let groups = found.chunk_by(|(one, _), (other, _)| one.section == other.section);
    let mut columns = Vec::new();
    if may_write {
        columns.push(Column::choose(view.t(texts::CHOOSE)));
    }
    columns.extend([
        Column::text(view.t(texts::REQUIREMENT)),
        Column::tight(view.t(common::STATUS)),
        Column::tight(view.t(Assessment::PROPOSED_STATUS.label)),
        Column::person(view.t(shared::OWNER)),
        Column::tight(view.t(shared::DUE_ON)),
        Column::number(view.t(texts::CONTROLS)),
        Column::number(view.t(texts::FINDINGS)),
    ]);
    html! {
        @for group in groups {
            @let section = group.first().and_then(|(requirement, _)| edition.sections.get(&requirement.section));
            @let title = section.map(|section| section.title.get(view.language)).unwrap_or_default();
            @let rows: Vec<_> = group.iter().map(|(requirement, item)| cells(view, requirement, item, may_write)).collect();
            h2 { (title) }
            (table(title, &columns, &rows))
        }
    }
}

fn cells(view: &Visit, requirement: &Requirement, item: &AssessmentView, may_write: bool) -> Vec<Markup> {
    let said = &item.row.assessment;
    let mut cells = Vec::new();
    if may_write {
        cells.push(html! {
            input type="checkbox" form="bulk" name="requirements" value=(requirement.id)
                aria-label={ (view.t(texts::CHOOSE)) " " (requirement.number) };
        });
    }
    let late = said.due_on.is_some_and(|day| day < view.now.day());
    let in_place = |column: &str, shown: Markup| cell::shown(view, (requirement, said), column, shown);
    let address = address_of(requirement);
    cells.extend([
        html! {
            a href=(address) data-edit=(address) {
                (requirement.number) " " (requirement.title.get(view.language))
            }
        },
        html! {
            (in_place("status", status_badge(view, said.status)))
            (approval_badge(view, item))
            (applies_badge(view, item))
            (confirm_badge(view, item))
        },
        html! { span.quiet { (view.t(item.proposal.status.label())) } },
        in_place("owner", view.person(said.owner.as_ref())),
        in_place("due_on", html! { span.late[late] { (view.day_or_none(said.due_on)) } }),
        html! { (item.controls.len()) },
        html! { (item.open_findings) },
    ]);
    cells
}

/// The bulk form below the list; the boxes of the list belong to it.
fn bulk(visit: &Visit, framework: Framework) -> Markup {
    let (t, empty) = (|label| visit.t(label), Form::default());
    html! {
        details.card.bulk {
            summary { (t(texts::BULK)) " " span.quiet data-chosen=(t(texts::CHOSEN)) {} }
            form.stack #bulk method="post" action=(framework_address(framework)) {
                (visit.form_token())
                p.hint { (t(texts::BULK_HELP)) }
                div.columns {
                    div.field {
                        label for="bulk-status" { (t(common::STATUS)) }
                        select #bulk-status name="status" {
                            option value="" { (t(texts::BULK_KEEP)) }
                            @for status in AssessmentStatus::ALL {
                                option value=(status.as_str()) { (t(status.label())) }
                            }
                        }
                    }
                    (Field::person(visit, &empty, "owner", shared::OWNER).render())
                    (Field::day(visit, &empty, "due_on", shared::DUE_ON).optional().render())
                    (Field::text(visit, &empty, "rationale", Assessment::RATIONALE.label).optional().render())
                }
                div.form-end { button.button type="submit" { (t(texts::BULK_SUBMIT)) } }
            }
        }
    }
}

/// An empty field means no change, so that a bulk change clears nothing by accident.
fn input(form: &Form) -> AssessmentInput {
    AssessmentInput {
        status: form.filled_change("status"),
        owner: form.filled_change("owner"),
        due_on: form.filled_change("due_on"),
        rationale: form.filled_change("rationale"),
        ..AssessmentInput::default()
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(name): Path<String>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let chosen: Vec<String> = form.all("requirements").map(str::to_owned).collect();
    match workspace.app.compliance.change_assessments(visit.caller(), chosen, input(&form)).await {
        Ok(changed) => {
            let message = visit.fill(texts::BULK_DONE, &[("count", &changed)]);
            respond::page(page(&workspace, &visit, &name, &Form::default(), Some(message)).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &name, &form, None).await?)
        }
    }
}
