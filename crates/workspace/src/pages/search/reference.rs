//! A record that is asked for by its reference: one result, whatever else mentions it.

use app::{
    records::{AnyKind, PickKind},
    search::HitKind,
};
use domain::wording::Label;
use maud::{Markup, html};

use super::kind_name;
use crate::{Workspace, error::PageError, extract::Visit, pages::page_by_id, texts::search as texts};

/// The record with a reference.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) title: String,
    pub(super) kind: Label,
    pub(super) address: String,
}

impl Named {
    pub(super) fn section(&self, visit: &Visit) -> Markup {
        html! {
            section.card {
                h2 { (visit.t(texts::BY_REFERENCE)) }
                p { a href=(self.address) { (self.title) } " " span.quiet { (visit.t(self.kind)) } }
            }
        }
    }
}

/// Letters, digits and hyphens, such as `I-2026-0001`, `C-0003` and `ICT-004`. Other texts are not looked up.
fn is_like_a_reference(text: &str) -> bool {
    let known = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let (begins, ends) = (
        text.starts_with(|letter: char| letter.is_ascii_alphabetic()),
        text.ends_with(|letter: char| letter.is_ascii_digit()),
    );
    known && begins && ends && text.contains('-') && text.len() <= 30
}

/// The record that the reader may see and that has this reference.
pub(super) async fn named(
    workspace: &Workspace,
    visit: &Visit,
    typed: &str,
) -> Result<Option<Named>, PageError> {
    let (app, caller, typed) = (&workspace.app, visit.caller(), typed.trim());
    if !is_like_a_reference(typed) {
        return Ok(None);
    }
    // Approvals have the names of the records they are about, and no reference of their own.
    let kinds: Vec<_> = PickKind::all().into_iter().filter(|kind| kind.word() != "approval").collect();
    let found = app.records.picked(caller, &kinds, vec![typed.to_owned()]).await?;
    let Some(Ok(id)) = found.into_iter().next() else { return Ok(None) };
    let title = app.records.name_of_record(caller, id.clone()).await?;
    let kind = AnyKind::of_id(&id).and_then(|kind| kind.found).map(HitKind::Own);
    let Some(((title, kind), address)) = title.zip(kind).zip(page_by_id(&id)) else { return Ok(None) };
    Ok(Some(Named { title, kind: kind_name(kind), address }))
}

#[cfg(test)]
mod tests {
    use super::is_like_a_reference;

    #[test]
    fn only_what_looks_like_a_reference_is_looked_up() {
        for text in ["I-2026-0001", "C-0003", "ict-004", "TR-1"] {
            assert!(is_like_a_reference(text), "{text}");
        }
        for text in ["", "backup", "C-", "-3", "C 0003", "C-0003 alarm", "2026-11-14", "ü-1", "multi-factor"]
        {
            assert!(!is_like_a_reference(text), "{text}");
        }
    }
}
