//! The official wording of a requirement beside its summary.

use app::catalogue::{Edition, framework::Requirement, wording::OfficialWording};
use domain::wording::{Label, Language};
use maud::{Markup, html};

use crate::{extract::View, texts::reference as texts};

/// The wording in the reader's language, or else in the other one, marked as such. Without any, the reason.
pub(in crate::pages) fn wording(view: &View, edition: &Edition, requirement: &Requirement) -> Markup {
    let mut found = edition.official_wording(requirement);
    found.sort_by_key(|wording| wording.language != view.language);
    let missing = edition.why_no_wording(requirement);
    html! {
        @if let Some(wording) = found.first() {
            section.card {
                h2 { (view.t(texts::OFFICIAL_WORDING)) }
                @if let Some(label) = foreign(view, wording) { p.hint { (view.t(label)) } }
                p.prose lang=(wording.language.as_str()) { (wording.text) }
                @if let Some(note) = &wording.note { p.hint { (note.get(view.language)) } }
                (source(view, wording))
            }
        } @else if let Some(reason) = missing {
            section.card {
                h2 { (view.t(texts::OFFICIAL_WORDING)) }
                p.hint { (reason.get(view.language)) }
            }
        }
    }
}

/// Says that the wording is not in the reader's language.
fn foreign(view: &View, wording: &OfficialWording<'_>) -> Option<Label> {
    (wording.language != view.language).then_some(match wording.language {
        Language::English => texts::ENGLISH_WORDING,
        Language::German => texts::GERMAN_WORDING,
    })
}

/// Act, print, place and hash, with a link to the official text in the reader's language.
fn source(view: &View, wording: &OfficialWording<'_>) -> Markup {
    let link = wording.act.eli(view.language).unwrap_or_else(|| wording.act.url(view.language));
    let is_foreign = view.language == Language::German && wording.language == Language::English;
    let label = if is_foreign { texts::OFFICIAL_GERMAN_TEXT } else { texts::OFFICIAL_TEXT };
    html! {
        dl.facts {
            dt { (view.t(texts::LEGAL_SOURCE)) } dd { (wording.act.number) ", " (wording.at) }
            dt { (view.t(texts::VERSION)) } dd { (wording.version) }
            dt { (view.t(label)) } dd.where { a href=(link) rel="noreferrer" { (link) } }
            dt { (view.t(texts::FINGERPRINT)) } dd.where { (wording.sha256) }
        }
    }
}
