//! Measures of the catalogue on records: chosen from suggestions, shown by their title.

use app::Error;
use domain::{change::Change, finding::Finding, id::ControlId};
use maud::{Markup, html};

use super::{
    names::Names,
    record::{field::Ask, form::RecordForm},
    reference::{edition, measure_address},
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    texts::record as texts,
    ui::{field::Choice, filter},
};

/// The measures under their heading, each with its title and a link; one that the catalogue no longer has by its id.
pub(super) fn linked(workspace: &Workspace, view: &View, measures: &[String]) -> Result<Markup, PageError> {
    if measures.is_empty() {
        return Ok(html! {});
    }
    let edition = edition(workspace)?;
    Ok(html! {
        h2.part { (view.t(Finding::MEASURES.label)) }
        ul.bullets {
            @for id in measures {
                li {
                    @match edition.measures.get(id) {
                        Some(measure) => { a href=(measure_address(id)) { (measure.title.get(view.language)) } }
                        None => { (id) }
                    }
                }
            }
        }
    })
}

/// The institution's own controls under their heading, by their names.
pub(super) async fn controls(
    workspace: &Workspace,
    visit: &Visit,
    controls: &[ControlId],
) -> Result<Markup, PageError> {
    let ids: Vec<String> = controls.iter().map(ToString::to_string).collect();
    let names = Names::of(workspace, visit, &ids).await?;
    Ok(html! {
        @if !ids.is_empty() {
            h2.part { (visit.t(Finding::CONTROLS.label)) }
            ul.bullets { @for id in &ids { li { (names.link(id)) } } }
        }
    })
}

/// The filter for the own control in the address; `None` while there is none.
pub(super) async fn control_filter(
    workspace: &Workspace,
    visit: &Visit,
) -> Result<Option<filter::Filter>, PageError> {
    let Some(id) = visit.query("control").filter(|id| id.parse::<ControlId>().is_ok()) else {
        return Ok(None);
    };
    let names = Names::of(workspace, visit, std::slice::from_ref(&id)).await?;
    let name = names.get(&id).unwrap_or_else(|| visit.t(texts::CONTROL).to_owned());
    Ok(Some(filter::choice(visit, "control", texts::CONTROL, &[Choice::new(id, name)])))
}

/// Every measure of the catalogue, as a suggestion.
#[expect(clippy::unused_async, reason = "a form waits for what a field offers; the catalogue is in memory")]
pub(super) async fn offered<K: RecordForm>(ask: &Ask<'_, K>) -> Result<Vec<Choice>, PageError> {
    let edition = edition(ask.workspace)?;
    let measures = edition.measures.iter();
    Ok(measures
        .map(|measure| Choice::new(measure.id.to_string(), measure.title.get(ask.visit.language)))
        .collect())
}

/// The entered measures by id; a title that was typed in full is replaced by the id.
pub(super) fn entered(workspace: &Workspace, form: &Form) -> Result<Change<Vec<String>>, Error> {
    let Change::Set(lines) = form.lines("measures") else { return Ok(Change::Keep) };
    let edition = workspace.app.catalogue()?;
    let id_of = |line: String| app::measure::named(&edition, &line).unwrap_or(line);
    Ok(Change::Set(lines.into_iter().map(id_of).collect()))
}
