//! Texts that an adopted record shares with the library. They are shown in the reader's language until a person edits
//! them; from then on they are the institution's own.

use catalogue::language::{LANGUAGES, Text};
use domain::{
    control::Control,
    risk::Risk,
    text::{Name, Prose},
    wording::Language,
};

use crate::catalogue::Edition;

/// The fields of a record whose texts are still those of the library.
pub type LibraryTexts = Vec<&'static str>;

fn name_in(source: &Text, language: Language) -> Option<Name> {
    Name::fitted(source.get(language))
}

fn prose_in(source: &Text, language: Language) -> Option<Prose> {
    Prose::fitted(source.get(language))
}

fn is_name(own: &Name, source: &Text) -> bool {
    LANGUAGES.iter().any(|language| name_in(source, *language).as_ref() == Some(own))
}

fn is_prose(own: Option<&Prose>, source: &Text) -> bool {
    own.is_some() && LANGUAGES.iter().any(|language| prose_in(source, *language).as_ref() == own)
}

/// The fields for which the condition holds.
fn fields<const N: usize>(found: [(&'static str, bool); N]) -> LibraryTexts {
    found.into_iter().filter_map(|(field, is_shared)| is_shared.then_some(field)).collect()
}

pub(crate) fn of_risk(edition: &Edition, risk: &Risk) -> LibraryTexts {
    let Some(source) = risk.adopted_from.as_deref().and_then(|id| edition.risks.get(id)) else {
        return LibraryTexts::new();
    };
    fields([
        ("title", is_name(&risk.title, &source.title)),
        ("event", is_prose(risk.event.as_ref(), &source.summary)),
    ])
}

pub(crate) fn of_control(edition: &Edition, control: &Control) -> LibraryTexts {
    let Some(source) = control.measure_id.as_deref().and_then(|id| edition.measures.get(id)) else {
        return LibraryTexts::new();
    };
    fields([
        ("title", is_name(&control.title, &source.title)),
        ("description", is_prose(control.description.as_ref(), &source.action)),
    ])
}

/// Replaces what a risk shares with the library by the same in this language.
pub(crate) fn translate_risk(edition: &Edition, risk: &mut Risk, language: Language) {
    let shared = of_risk(edition, risk);
    let Some(source) = risk.adopted_from.as_deref().and_then(|id| edition.risks.get(id)) else { return };
    if shared.contains(&"title")
        && let Some(title) = name_in(&source.title, language)
    {
        risk.title = title;
    }
    if shared.contains(&"event") {
        risk.event = prose_in(&source.summary, language);
    }
}

/// Replaces what a control shares with its measure by the same in this language.
pub(crate) fn translate_control(edition: &Edition, control: &mut Control, language: Language) {
    let shared = of_control(edition, control);
    let Some(source) = control.measure_id.as_deref().and_then(|id| edition.measures.get(id)) else { return };
    if shared.contains(&"title")
        && let Some(title) = name_in(&source.title, language)
    {
        control.title = title;
    }
    if shared.contains(&"description") {
        control.description = prose_in(&source.action, language);
    }
}

/// The title of a control in short, in this language while it is that of its measure.
pub fn control_title(edition: &Edition, measure: Option<&str>, title: &str, language: Language) -> String {
    let source = measure.and_then(|id| edition.measures.get(id)).map(|measure| &measure.title);
    let shared = source.filter(|source| Name::parse(title).is_ok_and(|own| is_name(&own, source)));
    shared
        .and_then(|source| name_in(source, language))
        .map_or_else(|| title.to_owned(), |name| name.to_string())
}
