//! Names for ids: what a text of the audit log or of a history means by the id of a person, a record or an entry of
//! the catalogue.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use app::catalogue::Edition;
use domain::{id::Uuid7, wording::Language};
use maud::{Markup, html};
use serde_json::Value;

use super::{assessments, page_by_id};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    texts::{fill, record as texts},
};

/// The names behind the ids of one page.
pub(in crate::pages) struct Names {
    /// Each with whether it is archived.
    known: HashMap<String, (String, bool)>,
    edition: Arc<Edition>,
    language: Language,
}

impl Names {
    /// Looks up every id in the texts.
    pub(in crate::pages) async fn of(
        workspace: &Workspace,
        visit: &Visit,
        texts: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, PageError> {
        let mut ids = BTreeSet::new();
        for text in texts {
            ids.extend(ids_in(text.as_ref()).map(str::to_owned));
        }
        let known = workspace.app.operations.names_of(visit.caller(), ids).await?;
        let edition = workspace.app.edition_of(visit.caller()).await?;
        Ok(Self { known, edition, language: visit.language })
    }

    /// What the text stands for; `None` for one that is no id, and for what was deleted.
    pub(in crate::pages) fn get(&self, text: &str) -> Option<String> {
        let own = ids_in(text).find_map(|id| self.known.get(id)).map(|(name, archived)| {
            if *archived {
                fill(texts::ARCHIVED_NAME.text(self.language), &[("name", name)])
            } else {
                name.clone()
            }
        });
        own.or_else(|| text.split(':').find_map(|part| self.edition.title_of(part, self.language)))
    }

    /// The name as a link to its page where it has one; words for a record that is gone, and any other text unchanged.
    pub(in crate::pages) fn link(&self, id: &str) -> Markup {
        let Some(name) = self.get(id) else {
            let is_id = Uuid7::of_id(id).is_some();
            return html! { @if is_id { (texts::UNNAMED.text(self.language)) } @else { (id) } };
        };
        let own = self.edition.requirements.get(id).map(assessments::address_of);
        html! {
            @match own.or_else(|| page_by_id(id)) {
                Some(page) => a href=(page) { (name) },
                None => (name),
            }
        }
    }
}

/// The ids in a text: the text itself, or a part of a deadline's name such as `finding:fnd_…`.
fn ids_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(':').filter(|part| Uuid7::of_id(part).is_some())
}

/// Every text in a value.
pub(in crate::pages) fn texts_in(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts_in).collect(),
        Value::Object(parts) => parts.values().flat_map(texts_in).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}
