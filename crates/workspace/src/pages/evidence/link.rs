//! Attaching evidence to records, from either page.

use app::{
    catalogue::Edition,
    evidence::{EvidenceFilter, Link},
    records::{AnyKind, PickKind},
};
use axum::extract::{Path, State};
use domain::{
    archive::Archived,
    change::Change,
    evidence::{Evidence, EvidenceComplaint, LinkType},
    page::PageRequest,
    right::{Resource, Right},
    vocabulary::Vocabulary as _,
};
use maud::{Markup, html};

use super::{address_of, source, state_badge};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{EVIDENCE_TARGETS, assessments, page_by_id, pick, record},
    respond::{self, Answer},
    route,
    texts::{evidence as texts, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
    },
};

/// The page of a record that evidence can be attached to, if there is one.
pub(super) fn page_of(edition: &Edition, id: &str) -> Option<String> {
    edition.requirements.get(id).map(assessments::address_of).or_else(|| page_by_id(id))
}

/// The evidence of a record, and links to add more.
pub(in crate::pages) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    kind: LinkType,
    id: impl std::fmt::Display,
    may_change: bool,
) -> Result<Markup, PageError> {
    let (id, t) = (id.to_string(), |label| visit.t(label));
    let attached =
        EvidenceFilter { linked_to: Some(id.clone()), archived: Archived::All, ..EvidenceFilter::default() };
    let attached = workspace
        .app
        .records
        .records::<Evidence>(visit.caller(), &attached, PageRequest::default())
        .await?
        .items;
    let existing = if may_change {
        let (form, kinds) = (Form::default(), [PickKind("evidence")]);
        pick::required_field(workspace, visit, &form, ("evidence", texts::EXISTING), &kinds).await?
    } else {
        html! {}
    };
    let upload = format!("{}?type={kind}&id={id}", route::NEW_EVIDENCE);
    let content = html! {
        @if !attached.is_empty() {
            ul.steps {
                @for evidence in &attached {
                    li {
                        div {
                            a href=(address_of(evidence.row.id)) { (evidence.row.record.title.as_str()) }
                            p.hint { (source(visit, evidence)) }
                        }
                        (state_badge(visit, evidence))
                        @if evidence.row.archived_at.is_some() { (badge(Tone::Muted, t(shared::ARCHIVED))) }
                    }
                }
            }
        }
        @if may_change {
            div.row { (ui::link_button(&upload, t(texts::UPLOAD_HERE), false)) }
            form method="post" action={ (route::EVIDENCE) "/attach" } {
                (visit.form_token())
                input type="hidden" name="type" value=(kind.as_str());
                input type="hidden" name="id" value=(id);
                (existing)
                div.row { button.button type="submit" { (t(texts::LINK)) } }
            }
        }
    };
    Ok(html! { div #evidence-links { (ui::section(t(texts::TITLE), &content)) } })
}

/// The record a form names.
pub(super) fn link_of(form: &mut Form) -> Result<Link, app::Error> {
    let kind = form.parse::<LinkType>("type");
    let target = form.value("id").trim().to_owned();
    form.finish(kind.map(|kind| Link { kind, target }))
}

/// The record that a person named. Its kind follows from its id; what is no record of the institution can be the id of
/// a requirement, whose assessment is meant.
pub(in crate::pages) async fn picked_link(
    workspace: &Workspace,
    visit: &Visit,
    form: &mut Form,
) -> Result<Link, app::Error> {
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let typed = form.value("id").trim().to_owned();
    if edition.requirements.get(&typed).is_some() {
        return form.finish(Some(Link { kind: LinkType::Assessment, target: typed }));
    }
    let picked = pick::id(workspace, visit, form, "id", &EVIDENCE_TARGETS).await?;
    let link = match picked {
        Change::Set(target) => kind_of(&target).map(|kind| Link { kind, target }),
        Change::Keep | Change::Clear => None,
    };
    if link.is_none() && form.complaints("id").is_empty() {
        form.complain("id", EvidenceComplaint::NoSuchRecord);
    }
    form.finish(link)
}

/// What the record with this id is; `None` if evidence cannot be attached to it.
fn kind_of(id: &str) -> Option<LinkType> {
    AnyKind::of_id(id).and_then(|kind| LinkType::find(kind.noun))
}

/// From the page of a record, which is shown again.
pub(super) async fn attach(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Evidence, Right::Write)?;
    let picked = pick::id(&workspace, &visit, &mut form, "evidence", &[PickKind("evidence")]).await?;
    form.finish(Some(()))?;
    let Change::Set(picked) = picked else { return Err(PageError::NotFound) };
    let id = picked.parse().map_err(|_| PageError::NotFound)?;
    let link = link_of(&mut form)?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let page = page_of(&edition, &link.target).ok_or(PageError::NotFound)?;
    workspace.app.compliance.link_evidence(visit.caller(), id, link).await?;
    respond::go_to(&format!("{page}#evidence-links"))
}

/// From the page of evidence.
pub(super) async fn add(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, record::form::id_of::<Evidence>(&id)?);
    visit.caller().require_right(Resource::Evidence, Right::Write)?;
    let linked = match picked_link(&workspace, &visit, &mut form).await {
        Ok(link) => workspace.app.compliance.link_evidence(visit.caller(), id, link).await.map(|_| ()),
        Err(error) => Err(error),
    };
    record::form::settled::<Evidence, _>(&workspace, &visit, id, form, linked, "linked").await
}

pub(super) async fn remove(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, record::form::id_of::<Evidence>(&id)?);
    visit.caller().require_right(Resource::Evidence, Right::Write)?;
    let link = link_of(&mut form)?;
    workspace.app.compliance.unlink_evidence(visit.caller(), id, link).await?;
    respond::go_to(&route::done(&address_of(id), "unlinked"))
}
