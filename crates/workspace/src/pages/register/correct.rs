//! Correcting what was recorded about the submission of a filing.

use axum::extract::{Path, State};
use domain::{
    correction::CorrectedField,
    register_filing::{RegisterFiling, Submission},
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{
    filing::address_of,
    filing_detail::{self, filing_id},
};
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    pages::record::{self, correction, correction::Now},
    respond::{self, Answer},
    route,
};

const PREFIX: &str = "submission";

fn now(sent: &Submission) -> Vec<Now> {
    let reference = sent.reference.as_ref().map(ToString::to_string);
    vec![Now::At(sent.at), Now::Line(CorrectedField::Reference, reference)]
}

/// The form, once the filing was submitted.
pub(super) fn form(visit: &Visit, address: &str, filing: &RegisterFiling, form: &Form) -> Markup {
    let Some(sent) = &filing.submission else { return html! {} };
    correction::form(visit, form, (PREFIX, &format!("{address}/correct")), &now(sent), false)
}

pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Register, Right::Decide)?;
    let id = filing_id(&id)?;
    let (detail, _) = workspace.app.records.record::<RegisterFiling>(visit.caller(), id).await?;
    let now = detail.record.record.submission.as_ref().map(now).unwrap_or_default();
    let inputs = correction::inputs(&visit, &mut form, PREFIX, &now);
    let app = &workspace.app;
    let saved = match form.finish(Some(inputs)) {
        Ok(inputs) => {
            let precondition = record::precondition(&form);
            app.records.correct_record::<RegisterFiling>(visit.caller(), id, (), inputs, precondition).await
        }
        Err(error) => Err(error),
    };
    match saved {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "corrected")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(filing_detail::page(&workspace, &visit, id, Some(&form)).await?)
        }
    }
}
