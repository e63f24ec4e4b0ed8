//! Requirements on records: chosen from suggestions, shown by framework, number and title.

use app::{
    Error,
    catalogue::{Edition, framework::Requirement},
    control::Keys,
};
use axum::{Json, Router, extract::State, response::IntoResponse as _, routing::get};
use domain::{
    change::Change, finding::Finding, id::ControlId, violation::RecordComplaint, wording::Language,
    words::words_of,
};
use maud::{Markup, html};

use super::assessments;
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    respond::Answer,
    route,
    texts::record as texts,
    ui::{field::Choice, filter, picker::Picker},
};

/// How many requirements are suggested.
const SUGGESTED: usize = 20;
/// How many requirements are shown unfolded.
const FEW: usize = 5;

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::REQUIREMENT_PICKS, get(suggest))
}

/// Requirements that contain the typed words, as JSON. Those that contain them as they were typed come first.
async fn suggest(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let typed = visit.query("q").unwrap_or_default().trim().to_lowercase();
    let words = words_of(&typed);
    let labels = edition.requirements.iter().map(|one| (one, label(one, visit.language)));
    let found = labels.filter(|(one, label)| {
        let own = words_of(&format!("{label} {}", one.id));
        words.iter().all(|word| own.iter().any(|own| own.starts_with(word.as_str())))
    });
    let mut found: Vec<String> = found.map(|(_, label)| label).collect();
    found.sort_by_key(|label| !label.to_lowercase().contains(&typed));
    found.truncate(SUGGESTED);
    Ok(Json(found).into_response())
}

/// How people name a requirement: by its framework, its number and its title.
fn label(requirement: &Requirement, language: Language) -> String {
    format!("{}: {}", numbered(requirement), requirement.title.get(language))
}

fn numbered(requirement: &Requirement) -> String {
    format!("{} {}", requirement.framework.name(), requirement.number)
}

/// The fields for requirements, with suggestions while one types.
pub(super) fn fields(visit: &Visit, form: &Form) -> Markup {
    Picker {
        name: "requirements",
        label: Finding::REQUIREMENTS.label,
        hint: texts::REQUIREMENTS_HINT,
        several: true,
        required: false,
        newest: &[],
        source: &format!("{}?kinds=requirement", route::REQUIREMENT_PICKS),
    }
    .render(visit, form)
}

/// The ids of the entered requirements. What names none or several is complained about beside its field.
pub(super) async fn entered(
    workspace: &Workspace,
    visit: &Visit,
    form: &mut Form,
) -> Result<Change<Vec<String>>, Error> {
    let Change::Set(lines) = form.lines("requirements") else { return Ok(Change::Keep) };
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let mut ids = Vec::with_capacity(lines.len());
    for typed in lines {
        match named(&edition, &typed, visit.language) {
            Ok(id) => ids.push(id),
            Err(complaint) => form.complain("requirements", complaint),
        }
    }
    Ok(Change::Set(ids))
}

fn named(edition: &Edition, typed: &str, language: Language) -> Result<String, RecordComplaint> {
    // An id is left for the rules to judge: the record may name a requirement that has ended since.
    if edition.requirements.get(typed).is_some() || !typed.contains(' ') {
        return Ok(typed.to_owned());
    }
    let same = |text: &str| text.to_lowercase() == typed.to_lowercase();
    let mut found =
        edition.requirements.iter().filter(|one| same(&label(one, language)) || same(&numbered(one)));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one.id.to_string()),
        (Some(_), Some(_)) => Err(RecordComplaint::SeveralRequirements { typed: typed.to_owned() }),
        (None, _) => Err(RecordComplaint::NoSuchRequirement { typed: typed.to_owned() }),
    }
}

/// The requirements by their names, one per line, as the form shows them.
pub(super) async fn labels(
    workspace: &Workspace,
    visit: &Visit,
    ids: &[String],
) -> Result<String, PageError> {
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let shown = |id: &String| {
        let one = edition.requirements.get(id);
        // A name that several have would be refused when the form is sent again.
        let name = one.map(|one| label(one, visit.language));
        name.filter(|name| named(&edition, name, visit.language).as_ref() == Ok(id))
            .unwrap_or_else(|| id.clone())
    };
    Ok(ids.iter().map(shown).collect::<Vec<_>>().join("\n"))
}

/// The requirements under their heading, each with a link to its page; one that has ended since by its id.
pub(super) async fn linked(
    workspace: &Workspace,
    visit: &Visit,
    requirements: &[String],
) -> Result<Markup, PageError> {
    if requirements.is_empty() {
        return Ok(html! {});
    }
    let edition = workspace.app.edition_of(visit.caller()).await?;
    Ok(html! {
        h2.part { (visit.t(Finding::REQUIREMENTS.label)) }
        ul.bullets {
            @for id in requirements {
                li {
                    @match edition.requirements.get(id) {
                        Some(one) => { a href=(assessments::address_of(one)) { (label(one, visit.language)) } }
                        None => { (id) }
                    }
                }
            }
        }
    })
}

/// The requirements behind the measures and own controls of a record, folded when there are many.
pub(super) async fn behind(
    workspace: &Workspace,
    visit: &Visit,
    measures: &[String],
    controls: &[ControlId],
) -> Result<Markup, PageError> {
    let ids = workspace.app.compliance.requirements_behind(visit.caller(), measures, controls).await?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let known: Vec<&Requirement> = ids.iter().filter_map(|id| edition.requirements.get(id)).collect();
    Ok(html! {
        @if !known.is_empty() {
            details open[known.len() <= FEW] {
                summary { (visit.t(texts::REQUIREMENTS_BEHIND)) " " span.quiet { (known.len()) } }
                ul.bullets {
                    @for one in &known {
                        li { a href=(assessments::address_of(one)) { (label(one, visit.language)) } }
                    }
                }
            }
        }
    })
}

/// What records can name to belong to the requirement in the address; `None` without one.
pub(super) async fn keys(workspace: &Workspace, visit: &Visit) -> Result<Option<Keys>, PageError> {
    match visit.query("requirement").filter(|id| !id.is_empty()) {
        Some(id) => Ok(Some(workspace.app.compliance.proof_keys(visit.caller(), &id).await?)),
        None => Ok(None),
    }
}

/// The filter for the requirement in the address; `None` while there is none.
pub(super) async fn filter(
    workspace: &Workspace,
    visit: &Visit,
) -> Result<Option<filter::Filter>, PageError> {
    let Some(id) = visit.query("requirement").filter(|id| !id.is_empty()) else { return Ok(None) };
    let edition = workspace.app.edition_of(visit.caller()).await?;
    let name = edition.requirements.get(&id).map_or_else(|| id.clone(), |one| label(one, visit.language));
    let choices = [Choice::new(id, name)];
    Ok(Some(filter::choice(visit, "requirement", texts::REQUIREMENT, &choices)))
}
