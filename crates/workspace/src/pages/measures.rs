//! Measures of the catalogue on the records that name them: picked from suggestions, shown by their title.

use domain::change::Change;
use maud::{Markup, html};

use super::reference::{edition, measure_address};
use crate::{
    Workspace,
    form::Form,
    oops::Oops,
    texts::record as texts,
    ui::field::{self, Choice},
    visit::View,
};

/// The measures under their heading, each with its title and a link; one the catalogue no longer has goes by its id.
pub(super) fn linked(workspace: &Workspace, view: &View, measures: &[String]) -> Result<Markup, Oops> {
    if measures.is_empty() {
        return Ok(html! {});
    }
    let edition = edition(workspace)?;
    Ok(html! {
        h2.part { (view.t(texts::MEASURES)) }
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

/// The fields that take measures, with every measure of the catalogue as a suggestion.
pub(super) fn fields(workspace: &Workspace, view: &View, form: &Form) -> Result<Markup, Oops> {
    let edition = edition(workspace)?;
    let suggestions: Vec<_> = edition
        .measures
        .iter()
        .map(|measure| Choice::new(measure.id.to_string(), measure.title.get(view.language)))
        .collect();
    let hint = Some(texts::MEASURES_HINT);
    Ok(field::suggested(view, form, "measures", texts::MEASURES, hint, &suggestions))
}

/// What was entered, by id; a title that was typed in full stands for its measure.
pub(super) fn entered(workspace: &Workspace, form: &Form) -> Result<Change<Vec<String>>, Oops> {
    let Change::Set(lines) = form.lines("measures") else { return Ok(Change::Keep) };
    let edition = edition(workspace)?;
    let id_of = |line: String| app::measure::named(&edition, &line).unwrap_or(line);
    Ok(Change::Set(lines.into_iter().map(id_of).collect()))
}
