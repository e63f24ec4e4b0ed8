//! Requirements out of an OSCAL catalogue (1.0 to 1.2) in JSON. A control becomes a requirement, the title of its group
//! the chapter, the prose of its statement the text; parameters stand there by their labels.
//!
//! What other tools write besides is left alone and named, so that nothing is lost without a word.
//!
//! Parameters insert parameters, so that a short file can stand for a text without end. Each text, and all of them
//! together, have a bound that is checked while they are put together.

use std::collections::{BTreeSet, HashMap};

use domain::{
    change::Change,
    own_framework::{MOST_REQUIREMENTS, OwnFrameworkComplaint, OwnRequirementInput, slug},
    text::Prose,
};
use serde_json::Value;

use super::import::{Incoming, Line};
use crate::{
    Error, Result,
    budget::{Budget, Limits},
    costly::WorkContext,
    json,
};

/// Whose names the properties are that say more than OSCAL knows.
pub(super) const NAMESPACE: &str = "urn:tidewall:oscal";
/// Groups and controls nest no deeper in any catalogue that is published.
const DEEPEST: usize = 16;
/// How often a parameter may lead to another one.
const MOST_STEPS: usize = 4;
/// What a document may hold. A catalogue has some forty bytes for each of its values.
const DOCUMENT: Limits = Limits { bytes: 8 * 1024 * 1024, cells: 0, entries: 200_000 };
/// What its parameters may be filled into, in all; each insert is an entry.
const FILLED: Limits = Limits { bytes: 16 * 1024 * 1024, cells: 0, entries: 2_000_000 };
/// A text is not filled beyond the length that is refused.
const LONGEST: usize = Prose::MAX;
/// So many names of what was left alone are listed.
const MOST_IGNORED: usize = 50;

pub(super) fn read(bytes: &[u8], key: &str, context: &WorkContext) -> Result<Incoming> {
    let not_oscal = || Error::invalid("file", OwnFrameworkComplaint::NotOscal);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let document = json::tree(bytes, &mut Budget::new(DOCUMENT, context), not_oscal)?;
    let catalog = document.get("catalog").filter(|catalog| catalog.is_object()).ok_or_else(not_oscal)?;
    let mut params = HashMap::new();
    gather(catalog, &mut params, 0)?;
    let budget = Budget::new(FILLED, context);
    let mut reader = Reader { key, params, lines: Vec::new(), ignored: BTreeSet::new(), budget };
    reader.note("catalog", catalog, &["uuid", "metadata", "params", "controls", "groups"]);
    reader.group(catalog, "", 0)?;
    if reader.lines.is_empty() {
        return Err(not_oscal());
    }
    let ignored = reader.ignored.into_iter().take(MOST_IGNORED).collect();
    Ok(Incoming { lines: reader.lines, ignored })
}

struct Reader<'d> {
    key: &'d str,
    params: HashMap<&'d str, &'d Value>,
    lines: Vec<Line>,
    ignored: BTreeSet<String>,
    budget: Budget,
}

fn list<'d>(value: &'d Value, name: &str) -> &'d [Value] {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn text<'d>(value: &'d Value, name: &str) -> Option<&'d str> {
    value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

fn too_deep() -> Error {
    Error::invalid("file", OwnFrameworkComplaint::TooDeep)
}

/// Every parameter by its id.
fn gather<'d>(value: &'d Value, params: &mut HashMap<&'d str, &'d Value>, depth: usize) -> Result<()> {
    if depth > DEEPEST {
        return Err(too_deep());
    }
    for param in list(value, "params") {
        if let Some(id) = text(param, "id") {
            params.insert(id, param);
        }
    }
    for inner in list(value, "groups").iter().chain(list(value, "controls")) {
        gather(inner, params, depth + 1)?;
    }
    Ok(())
}

impl<'d> Reader<'d> {
    /// Names the members that are not read.
    fn note(&mut self, of: &str, value: &Value, read: &[&str]) {
        let others = value.as_object().into_iter().flat_map(|members| members.keys());
        let others = others.filter(|name| !read.contains(&name.as_str()));
        self.ignored.extend(others.map(|name| format!("{of}.{name}")).take(MOST_IGNORED));
    }

    fn group(&mut self, group: &'d Value, chapter: &str, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(too_deep());
        }
        for control in list(group, "controls") {
            self.control(control, chapter, depth + 1)?;
        }
        for inner in list(group, "groups") {
            self.note("group", inner, &["id", "class", "title", "params", "props", "controls", "groups"]);
            self.group(inner, text(inner, "title").unwrap_or(chapter), depth + 1)?;
        }
        Ok(())
    }

    fn control(&mut self, control: &'d Value, chapter: &str, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(too_deep());
        }
        self.note("control", control, &["id", "class", "title", "params", "props", "parts", "controls"]);
        let id = text(control, "id").unwrap_or_default();
        if property(control, "status", None) == Some("withdrawn") {
            self.ignored.insert(format!("control {id} (withdrawn)"));
        } else {
            self.take(control, id, chapter)?;
        }
        for inner in list(control, "controls") {
            self.control(inner, chapter, depth + 1)?;
        }
        Ok(())
    }

    fn take(&mut self, control: &'d Value, id: &str, chapter: &str) -> Result<()> {
        if self.lines.len() >= MOST_REQUIREMENTS {
            let most = MOST_REQUIREMENTS;
            return Err(Error::invalid("file", OwnFrameworkComplaint::TooManyRequirements { most }));
        }
        let title = text(control, "title").map(one_line);
        let statement = self.statement(control)?.or_else(|| title.clone());
        let applicability = self.prose_of(control, "applicability")?;
        let set = |text: Option<String>| text.map_or(Change::Keep, Change::Set);
        let own_id = id.strip_prefix(self.key).is_some_and(|rest| rest.starts_with('-'));
        let id = if own_id { id.to_owned() } else { format!("{}-{}", self.key, slug(id)) };
        let label = property(control, "label", None).map(one_line);
        let input = OwnRequirementInput {
            number: set(label.or_else(|| text(control, "id").map(str::to_uppercase))),
            id: Change::Set(id),
            chapter: set(Some(one_line(chapter)).filter(|chapter| !chapter.is_empty())),
            title: set(title),
            text: set(statement),
            applicability: set(applicability),
            measures: Change::Set(properties(control, "measure")),
            based_on: Change::Set(properties(control, "based-on")),
        };
        let line = self.lines.len() as u64 + 1;
        self.lines.push(Line { number: line, input, troubles: Vec::new() });
        Ok(())
    }

    /// The prose of the statement with its points; of the first part that has any where none is called so.
    fn statement(&mut self, control: &'d Value) -> Result<Option<String>> {
        let parts = list(control, "parts");
        let named = parts.iter().find(|part| text(part, "name") == Some("statement"));
        let others = parts.iter().filter(|part| !named.is_some_and(|taken| std::ptr::eq(*part, taken)));
        let unread = others.filter_map(|part| text(part, "name")).filter(|name| *name != "applicability");
        let unread: Vec<String> = unread.map(|name| format!("part {name}")).collect();
        self.ignored.extend(unread);
        let found = named.or_else(|| parts.iter().find(|part| text(part, "prose").is_some()));
        let mut filled = Filled::default();
        if let Some(found) = found {
            self.lines_of(found, &mut filled, 0)?;
        }
        Ok(filled.finish())
    }

    fn prose_of(&mut self, control: &'d Value, name: &str) -> Result<Option<String>> {
        let part = list(control, "parts").iter().find(|part| text(part, "name") == Some(name));
        let mut filled = Filled::default();
        if let Some(prose) = part.and_then(|part| text(part, "prose")) {
            self.fill(prose, &mut filled)?;
        }
        Ok(filled.finish())
    }

    fn lines_of(&mut self, part: &'d Value, filled: &mut Filled<'d>, depth: usize) -> Result<()> {
        let (label, prose) = (property(part, "label", None), text(part, "prose"));
        if (label.is_some() || prose.is_some()) && !filled.text.is_empty() {
            filled.push("\n", &mut self.budget)?;
        }
        if let Some(label) = label {
            filled.push(label, &mut self.budget)?;
        }
        if let Some(prose) = prose {
            if label.is_some() {
                filled.push(" ", &mut self.budget)?;
            }
            self.fill(prose, filled)?;
        }
        if depth < DEEPEST {
            for inner in list(part, "parts") {
                self.lines_of(inner, filled, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Adds the prose with every `{{ insert: param, id }}` replaced.
    fn fill(&mut self, prose: &'d str, filled: &mut Filled<'d>) -> Result<()> {
        let mut rest = prose;
        while !filled.is_full() {
            let Some((before, after)) = rest.split_once("{{") else { break };
            filled.push(before, &mut self.budget)?;
            let Some((insert, behind)) = after.split_once("}}") else {
                // No later one has an end either.
                filled.push("{{", &mut self.budget)?;
                rest = after;
                break;
            };
            self.budget.entry()?;
            let id = insert.rsplit(',').next().unwrap_or_default().trim();
            filled.push("[", &mut self.budget)?;
            self.param(id, filled)?;
            filled.push("]", &mut self.budget)?;
            rest = behind;
        }
        filled.push(rest, &mut self.budget)
    }

    /// Adds what a parameter says; its id where it says nothing, or would be inside itself.
    fn param(&mut self, id: &'d str, filled: &mut Filled<'d>) -> Result<()> {
        let ends = filled.within.len() >= MOST_STEPS || filled.within.contains(&id);
        let param = self.params.get(id).copied().filter(|_| !ends);
        let label = param.and_then(|param| text(param, "label"));
        let choices = param.and_then(|param| param.get("select")).map(|select| list(select, "choice"));
        let values = param.map(|param| list(param, "values")).unwrap_or_default();
        let words = choices.unwrap_or_default().iter().chain(values).filter_map(Value::as_str);
        filled.within.push(id);
        let mut count = 0;
        for word in label.into_iter().chain(words.filter(|_| label.is_none())) {
            if filled.is_full() {
                break;
            }
            if count > 0 {
                filled.push("; ", &mut self.budget)?;
            }
            self.budget.entry()?;
            self.fill(word, filled)?;
            count += 1;
        }
        filled.within.pop();
        if count == 0 {
            filled.push(id, &mut self.budget)?;
        }
        Ok(())
    }
}

/// A text that is being put together.
#[derive(Default)]
struct Filled<'d> {
    text: String,
    letters: usize,
    /// The parameters that are being filled in, each inside the one before.
    within: Vec<&'d str>,
}

impl Filled<'_> {
    /// Whether the text is longer than any that is taken. It stays so, and is refused with its place in the file.
    fn is_full(&self) -> bool {
        self.letters > LONGEST
    }

    fn push(&mut self, piece: &str, budget: &mut Budget) -> Result<()> {
        let room = (LONGEST + 1).saturating_sub(self.letters);
        let end = piece.char_indices().nth(room).map_or(piece.len(), |(end, _)| end);
        let piece = &piece[..end];
        budget.bytes(piece.len())?;
        self.letters += piece.chars().count();
        self.text.push_str(piece);
        Ok(())
    }

    fn finish(self) -> Option<String> {
        Some(self.text).filter(|text| !text.is_empty())
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of a property; one without a class goes before the others.
fn property<'d>(value: &'d Value, name: &str, namespace: Option<&str>) -> Option<&'d str> {
    let fits = |property: &&Value| {
        text(property, "name") == Some(name) && namespace.is_none_or(|ns| text(property, "ns") == Some(ns))
    };
    let found: Vec<&Value> = list(value, "props").iter().filter(fits).collect();
    let plain = found.iter().find(|property| property.get("class").is_none());
    plain.or_else(|| found.first()).and_then(|property| text(property, "value"))
}

/// The values of our own properties of this name.
fn properties(value: &Value, name: &str) -> Vec<String> {
    let own = list(value, "props").iter().filter(|property| text(property, "ns") == Some(NAMESPACE));
    let named = own.filter(|property| text(property, "name") == Some(name));
    named.filter_map(|property| text(property, "value")).map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "oscal_tests.rs"]
mod tests;
