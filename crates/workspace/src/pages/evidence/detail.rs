//! One record of evidence: its file, its validity, its links, and its history.

use app::{archive::Removal, catalogue::Edition, evidence::EvidenceView, history::Detail};
use axum::extract::{Path, State};
use domain::{
    approval::ApprovalAction,
    evidence::Evidence,
    id::EvidenceId,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{DONE, address_of, link, size, state_badge};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{EVIDENCE_TARGETS, approvals, file, names::Names, past, pick, record},
    respond::Answer,
    texts::{common, evidence as texts, record as shared},
    ui::{self, notice::complaints},
};

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: EvidenceId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record: evidence, history: steps, .. }, _) =
        workspace.app.records.record::<Evidence>(visit.caller(), id).await?;
    let past = past::section(workspace, visit, id, &steps, |_| html! {}).await?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let linked = evidence.links.iter().map(|link| link.target.clone());
    let mentioned: Vec<String> = linked.chain([evidence.row.record.uploaded_by.clone()]).collect();
    let names = Names::of(workspace, visit, mentioned).await?;
    let removal = workspace.app.records.removal::<Evidence>(visit.caller(), id).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Evidence, Right::Write) && evidence.row.archived_at.is_none();
    let may_decide = visit.may(Resource::Evidence, Right::Decide);
    let archive = (removal == Removal::Archive && !may_decide).then_some(ApprovalAction::Archive);
    let asked = [ApprovalAction::Approve].into_iter().chain(archive).filter(|_| may_write);
    let approval = html! {
        (approvals::approved(workspace, visit, &id.to_string()).await?)
        (approvals::offer(workspace, visit, id.to_string(), asked).await?)
    };
    let (address, title) = (address_of(id), evidence.row.record.title.as_str());
    let actions = html! {
        @if evidence.row.record.file.is_some() {
            a.button href={ (address) "/content" } { (t(texts::DOWNLOAD)) }
        }
        @if may_write { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let asked = if may_write {
        let field = ("id", texts::LINK_ID);
        Some(pick::required_field(workspace, visit, form, field, &EVIDENCE_TARGETS).await?)
    } else {
        None
    };
    let content = html! {
        (ui::head(title, t(texts::EVIDENCE), Some(actions)))
        (ui::notice::done(visit, &DONE))
        (record::archived(visit, &address, evidence.row.archived_at, visit.may(Resource::Evidence, Right::Decide)))
        (complaints(visit, form, &[("evidence", texts::EVIDENCE),
            ("id", texts::LINK_ID)]))
        div.split {
            div {
                section.card { (facts(visit, &names, &evidence)) (record::field::passages(visit, &evidence.row.record)) }
                (ui::section(t(Evidence::LINKS.label), &links((&edition, &names), visit, &evidence, asked.as_ref())))
            }
            div {
                (approval)
                (past)
                @if visit.may(Resource::Evidence, Right::Decide) { div #evidence { (record::removal(visit, &address, title, removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn facts(visit: &Visit, names: &Names, evidence: &EvidenceView) -> Markup {
    let (record, t) = (&evidence.row.record, |label| visit.t(label));
    html! {
        div.row { (state_badge(visit, evidence)) }
        dl.facts {
            @if let Some(file) = &record.file {
                dt { (t(Evidence::FILE.label)) }
                dd { a href={ (address_of(evidence.row.id)) "/content" } { (file.name.as_str()) } }
                dt { (t(texts::SIZE)) } dd { (size(visit, file.bytes)) " · " (file.media_type) }
                dt { (t(Evidence::SHA256.label)) } dd { code { (file.sha256) } }
            }
            @if let Some(url) = &record.url {
                dt { (t(Evidence::URL.label)) } dd { a href=(url) rel="noopener noreferrer nofollow" { (url) } }
            }
            dt { (t(Evidence::KIND.label)) } dd { (visit.or_none(record.kind.as_ref().map(|kind| names.get(kind).unwrap_or_else(|| kind.clone())))) }
            (record::field::facts(visit, record))
            dt { (t(Evidence::UPLOADED_BY.label)) } dd { (names.link(&record.uploaded_by)) }
            dt { (t(common::CHANGED)) } dd { (visit.time(evidence.row.updated_at)) }
        }
    }
}

fn links(
    (edition, names): (&Edition, &Names),
    visit: &Visit,
    evidence: &EvidenceView,
    asked: Option<&Markup>,
) -> Markup {
    let (address, t) = (address_of(evidence.row.id), |label| visit.t(label));
    html! {
        @if evidence.links.is_empty() { p.quiet { (t(texts::NO_LINKS)) } }
        ul.steps {
            @for attached in &evidence.links {
                li {
                    div { (t(attached.kind.label())) " "
                        @match link::page_of(edition, &attached.target) {
                            Some(page) => a href=(page) {
                                (names.get(&attached.target).unwrap_or_else(|| attached.target.clone()))
                            },
                            None => (attached.target),
                        }
                    }
                    @if asked.is_some() {
                        form.inline method="post" action={ (address) "/unlink" } {
                            (visit.form_token())
                            input type="hidden" name="type" value=(attached.kind.as_str());
                            input type="hidden" name="id" value=(attached.target);
                            button.button type="submit" { (t(texts::UNLINK)) }
                        }
                    }
                }
            }
        }
        @if let Some(asked) = asked {
            form method="post" action={ (address) "/links" } {
                (visit.form_token())
                (asked)
                div.row { button.button type="submit" { (t(texts::LINK)) } }
            }
        }
    }
}

/// The file as a download.
pub(super) async fn content(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    visit: Visit,
) -> Answer {
    let id = record::form::id_of::<Evidence>(&id)?;
    file::download(workspace.app.compliance.evidence_content(visit.caller(), id).await?).await
}
