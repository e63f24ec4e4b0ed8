//! Fields that identify: the id of the record itself, the ids of other records, frameworks, and the article cited.

use domain::framework::Framework;

use crate::{
    kind::Kind,
    notes::{Citation, Mention, SourcePosition},
};

use super::Block;

impl Block<'_, '_> {
    pub(crate) fn id(&mut self, kind: Kind) -> Box<str> {
        let Some((id, place)) = self.string("id") else { return Box::default() };
        if !is_id(id) {
            self.notes.fault(place, format!("id {id:?} must be lower-case letters, digits and hyphens"));
        }
        self.notes.defined.push(Mention { kind, id: id.into(), place, field: "id" });
        id.into()
    }

    /// The act and article the record rests on.
    pub(crate) fn cite(&mut self) -> Box<str> {
        let Some((cite, place)) = self.string("cite") else { return Box::default() };
        let (secondary, linked) = (self.table.contains_key("source"), self.table.contains_key("url"));
        self.notes.cited.push(Citation { place, cite: cite.into(), secondary, linked });
        cite.into()
    }

    /// The id of another record.
    pub(crate) fn reference(&mut self, field: &'static str, kind: Kind) -> Box<str> {
        let Some((id, place)) = self.string(field) else { return Box::default() };
        self.notes.used.push(Mention { kind, id: id.into(), place, field });
        id.into()
    }

    /// The ids of other records, none of them twice. May be empty.
    pub(crate) fn references(&mut self, field: &'static str, kind: Kind) -> Vec<Box<str>> {
        let mut ids: Vec<Box<str>> = Vec::new();
        for (id, place) in self.lines(field).unwrap_or_default() {
            if ids.iter().any(|known| **known == *id) {
                self.notes.fault(place, format!("{field} names {id} twice"));
                continue;
            }
            self.notes.used.push(Mention { kind, id: id.into(), place, field });
            ids.push(id.into());
        }
        ids
    }

    /// Like `references`; empty if the field is left out.
    pub(crate) fn optional_reference(&mut self, field: &'static str, kind: Kind) -> Option<Box<str>> {
        self.present(field).then(|| self.reference(field, kind))
    }

    pub(crate) fn optional_references(&mut self, field: &'static str, kind: Kind) -> Vec<Box<str>> {
        if self.present(field) { self.references(field, kind) } else { Vec::new() }
    }

    /// A framework of the catalogue.
    pub(crate) fn framework(&mut self, field: &'static str) -> Framework {
        let Some((id, place)) = self.string(field) else { return Framework::DORA };
        self.known_framework(field, id, place)
    }

    /// A framework of the catalogue; `None` if the field has this word instead.
    pub(crate) fn framework_or(&mut self, field: &'static str, none: &str) -> Option<Framework> {
        let (id, place) = self.string(field)?;
        (id != none).then(|| self.known_framework(field, id, place))
    }

    /// At least one framework, none of them twice.
    pub(crate) fn frameworks(&mut self, field: &'static str) -> Vec<Framework> {
        let lines = self.lines(field);
        if lines.as_ref().is_some_and(Vec::is_empty) {
            self.fault(field, "must not be empty");
        }
        let mut frameworks = Vec::new();
        for (id, place) in lines.unwrap_or_default() {
            let framework = self.known_framework(field, id, place);
            if frameworks.contains(&framework) {
                self.notes.fault(place, format!("{field} names {id} twice"));
            }
            frameworks.push(framework);
        }
        frameworks
    }

    /// Like `frameworks`; empty if the field is left out.
    pub(crate) fn optional_frameworks(&mut self, field: &'static str) -> Vec<Framework> {
        if self.present(field) { self.frameworks(field) } else { Vec::new() }
    }

    fn known_framework(&mut self, field: &'static str, id: &str, place: SourcePosition) -> Framework {
        match id.parse() {
            Ok(framework) => {
                self.notes.used.push(Mention { kind: Kind::Framework, id: id.into(), place, field });
                framework
            }
            Err(error) => {
                self.notes.fault(place, format!("{field} {error}, not {id:?}"));
                Framework::DORA
            }
        }
    }
}

fn is_id(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.chars().all(plain) && !text.starts_with('-') && !text.ends_with('-') && !text.contains("--")
}
