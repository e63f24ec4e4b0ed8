//! Two lists of the institution: the types of files it accepts as evidence, and the domains of its mail addresses.

use axum::extract::State;
use domain::{evidence::FileTypes, mail_domain::MailDomains, wording::Label};
use maud::{Markup, html};

use super::refused;
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::field::Field,
};

pub(super) const TYPES: &str = "evidence_types";
pub(super) const DOMAINS: &str = "mail_domains";
pub(super) const NAMES: [(&str, Label); 2] =
    [(TYPES, texts::EVIDENCE_TYPES_FIELD), (DOMAINS, texts::MAIL_DOMAINS_FIELD)];
const MAX_TEXT: usize = 2000;

pub(super) fn types_part(visit: &Visit, form: &Form, types: &FileTypes) -> Markup {
    let labels = (texts::EVIDENCE_TYPES_HELP, texts::EVIDENCE_TYPES_FIELD);
    part(visit, form, (TYPES, "evidence-types"), labels, &types.to_string())
}

pub(super) fn domains_part(visit: &Visit, form: &Form, domains: &MailDomains) -> Markup {
    let labels = (texts::MAIL_DOMAINS_HELP, texts::MAIL_DOMAINS_FIELD);
    part(visit, form, (DOMAINS, "mail-domains"), labels, &domains.to_string())
}

fn part(
    visit: &Visit,
    form: &Form,
    (name, path): (&str, &str),
    (help, label): (Label, Label),
    stored: &str,
) -> Markup {
    let before = Form::filled([(name, stored.to_owned())]);
    let form = if form.is_checked(name) { form } else { &before };
    html! {
        p { (visit.t(help)) }
        @if visit.caller().may_administer() {
            form method="post" action={ (route::SETTINGS) "/" (path) } {
                (visit.form_token())
                (Field::text(visit, form, name, label).optional().hint(texts::LIST_HINT).at_most(MAX_TEXT).render())
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else { p { strong { (stored) } } }
    }
}

pub(super) async fn change_types(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_administrator()?;
    match chosen(&mut form, TYPES, FileTypes::parse) {
        Ok(types) => {
            workspace.app.compliance.set_evidence_types(visit.caller(), types).await?;
            respond::go_to(&route::done(route::SETTINGS, "evidence-types"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}

pub(super) async fn change_domains(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_administrator()?;
    match chosen(&mut form, DOMAINS, MailDomains::parse) {
        Ok(domains) => {
            workspace.app.messages.set_mail_domains(visit.caller(), domains).await?;
            respond::go_to(&route::done(route::SETTINGS, "mail-domains"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}

/// The list that was entered; nothing for the default.
fn chosen<T, E: Into<domain::violation::Complaint>>(
    form: &mut Form,
    name: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, app::Error> {
    if form.value(name).trim().is_empty() {
        return Ok(None);
    }
    let list = form.checked(name, parse);
    form.finish(list).map(Some)
}
