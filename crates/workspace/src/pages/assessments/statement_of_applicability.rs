//! The statement of applicability: for Annex A of ISO/IEC 27001, or for another framework.

use app::{
    assessment::{AssessmentView, Justification, STATEMENT},
    catalogue::Edition,
    report::TableFormat,
};
use axum::extract::State;
use domain::{
    approval::ApprovalAction,
    assessment::{Assessment, JustificationSource, StatedApplicability},
    framework::Framework,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, approval_badge, edition, statement_versions, status_badge};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::{approvals, controls, file},
    respond::{self, Answer},
    texts::{assessment as texts, common, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        table::{Column, table},
    },
};

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace, &visit).await?;
    let framework = framework_of(&visit, &edition)?;
    let views = workspace
        .app
        .compliance
        .statement_of_applicability(visit.caller(), framework, filter::as_of(&visit), visit.language)
        .await?;
    let approval = if framework == Framework::ISO_27001 && filter::as_of(&visit).is_none() {
        approval_part(&workspace, &visit).await?
    } else {
        html! {}
    };
    let t = |label| visit.t(label);
    let actions = exports(&visit);
    let intro = match framework {
        Framework::ISO_27001 => t(texts::STATEMENT_INTRO).to_owned(),
        other => visit.fill(texts::STATEMENT_OF, &[("framework", &other.name())]),
    };
    let columns = [
        Column::text(t(match framework {
            Framework::ISO_27001 => texts::ANNEX_CONTROL,
            _ => texts::REQUIREMENT,
        })),
        Column::tight(t(Assessment::APPLIES.label)),
        Column::text(t(texts::JUSTIFICATION)),
        Column::tight(t(common::STATUS)),
        Column::person(t(shared::OWNER)),
        Column::text(t(texts::OWN_CONTROLS)),
    ];
    let rows: Vec<_> = views.iter().filter_map(|view| cells(&visit, &edition, view)).collect();
    let content = html! {
        (ui::head(t(texts::STATEMENT), &intro, Some(actions)))
        form.filters method="get" action=(visit.path()) data-live {
            input type="hidden" name="framework" value=(framework);
            (filter::as_of_field(&visit))
            button.button type="submit" data-live-submit { (t(shared::APPLY)) }
        }
        (filter::as_of_notice(&visit))
        p { (counted(&visit, &views)) }
        (approval)
        (table(t(texts::STATEMENT), &columns, &rows))
    };
    respond::page(ui::layout::page(&visit, t(texts::STATEMENT), &content))
}

/// Which version was approved, and the way to ask for the approval of this one.
async fn approval_part(workspace: &Workspace, visit: &Visit) -> Result<Markup, PageError> {
    let may_ask = visit.may(Resource::Assessments, Right::Write);
    let asked = may_ask.then_some(ApprovalAction::Approve);
    Ok(html! {
        (approvals::approved(workspace, visit, STATEMENT).await?)
        (approvals::offer(workspace, visit, STATEMENT.to_owned(), asked).await?)
        (statement_versions::section(workspace, visit).await?)
    })
}

/// The tables, and the draft as a document.
fn exports(view: &View) -> Markup {
    let query = view.address.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
    let files = html! {
        @for (suffix, name) in filter::TABLES {
            li { a href={ (view.path()) "." (suffix) (query) } { (name) } }
        }
        @if filter::as_of(view).is_none() {
            li { a href={ (view.path()) ".pdf" (query) } { (view.t(texts::DRAFT_PDF)) } }
        }
    };
    filter::export_menu(view, &files)
}

/// How many lines say what.
fn counted(view: &View, views: &[AssessmentView]) -> String {
    let count = |stated| views.iter().filter(|item| item.stated() == stated).count();
    let (yes, no) = (count(StatedApplicability::Applies), count(StatedApplicability::DoesNotApply));
    let open = count(StatedApplicability::NotDecided);
    view.fill(texts::STATED, &[("yes", &yes), ("no", &no), ("open", &open)])
}

fn stated_badge(view: &View, stated: StatedApplicability) -> Markup {
    let tone = match stated {
        StatedApplicability::Applies => Tone::Good,
        StatedApplicability::DoesNotApply => Tone::Neutral,
        StatedApplicability::NotDecided => Tone::Notice,
    };
    badge(tone, view.t(stated.label()))
}

pub(super) async fn csv(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    table_file(&workspace, &visit, TableFormat::Csv).await
}

pub(super) async fn xlsx(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    table_file(&workspace, &visit, TableFormat::Xlsx(visit.language)).await
}

/// The statement as it is now, marked as a draft.
pub(super) async fn pdf(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let framework = framework_of(&visit, &*edition(&workspace, &visit).await?)?;
    file::pdf(workspace.app.report.statement_draft(visit.caller(), framework, visit.language).await?)
}

async fn table_file(workspace: &Workspace, visit: &Visit, format: TableFormat) -> Answer {
    let framework = framework_of(visit, &*edition(workspace, visit).await?)?;
    file::table(
        workspace
            .app
            .report
            .statement_file(visit.caller(), (framework, filter::as_of(visit)), format, visit.language)
            .await?,
        format,
    )
}

/// The framework in the address; ISO/IEC 27001 unless it names one.
fn framework_of(view: &View, edition: &Edition) -> Result<Framework, PageError> {
    match view.query("framework").filter(|name| !name.is_empty()) {
        Some(name) => edition.framework_named(&name).map_err(|_| PageError::NotFound),
        None => Ok(Framework::ISO_27001),
    }
}

fn cells(view: &View, edition: &Edition, item: &AssessmentView) -> Option<Vec<Markup>> {
    let requirement = edition.requirements.get(&item.row.requirement)?;
    let said = &item.row.assessment;
    let Justification { text, source } = item.justification(view.language);
    let is_proposed = source == JustificationSource::Proposed;
    Some(vec![
        html! {
            a href=(address_of(requirement)) { (requirement.number) " " (requirement.title.get(view.language)) }
        },
        stated_badge(view, item.stated()),
        html! {
            @if is_proposed { span.quiet { (view.t(source.label())) ": " (text) } } @else { (text) }
        },
        html! {
            (status_badge(view, said.status))
            (approval_badge(view, item))
        },
        view.person(said.owner.as_ref()),
        html! {
            div.references {
                @for row in &item.controls {
                    a href=(controls::address_of(row.id)) { (row.reference.to_string()) } " "
                }
            }
        },
    ])
}
