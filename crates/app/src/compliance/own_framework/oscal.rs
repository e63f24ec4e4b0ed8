//! Requirements out of an OSCAL catalogue (1.0 to 1.2) in JSON. A control becomes a requirement, the title of its group
//! the chapter, the prose of its statement the text; parameters stand there by their labels.
//!
//! What other tools write besides is left alone and named, so that nothing is lost without a word.

use std::collections::{BTreeSet, HashMap};

use domain::{
    change::Change,
    own_framework::{MOST_REQUIREMENTS, OwnFrameworkComplaint, OwnRequirementInput, slug},
};
use serde_json::Value;

use super::import::{Incoming, Line};
use crate::{Error, Result};

/// Whose names the properties are that say more than OSCAL knows.
pub(super) const NAMESPACE: &str = "urn:tidewall:oscal";
/// Groups and controls nest no deeper in any catalogue that is published.
const DEEPEST: usize = 16;
/// How often a parameter may lead to another one.
const MOST_STEPS: usize = 4;
/// So many names of what was left alone are listed.
const MOST_IGNORED: usize = 50;

pub(super) fn read(bytes: &[u8], key: &str) -> Result<Incoming> {
    let not_oscal = || Error::invalid("file", OwnFrameworkComplaint::NotOscal);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let document: Value = serde_json::from_slice(bytes).map_err(|_| not_oscal())?;
    let catalog = document.get("catalog").filter(|catalog| catalog.is_object()).ok_or_else(not_oscal)?;
    let mut params = HashMap::new();
    gather(catalog, &mut params, 0)?;
    let mut reader = Reader { key, params, lines: Vec::new(), ignored: BTreeSet::new() };
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
        let statement = self.statement(control).or_else(|| title.clone());
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
            applicability: set(self.prose_of(control, "applicability")),
            measures: Change::Set(properties(control, "measure")),
            based_on: Change::Set(properties(control, "based-on")),
        };
        let line = self.lines.len() as u64 + 1;
        self.lines.push(Line { number: line, input, troubles: Vec::new() });
        Ok(())
    }

    /// The prose of the statement with its points; of the first part that has any where none is called so.
    fn statement(&mut self, control: &'d Value) -> Option<String> {
        let parts = list(control, "parts");
        let named = parts.iter().find(|part| text(part, "name") == Some("statement"));
        let others = parts.iter().filter(|part| !named.is_some_and(|taken| std::ptr::eq(*part, taken)));
        let unread = others.filter_map(|part| text(part, "name")).filter(|name| *name != "applicability");
        let unread: Vec<String> = unread.map(|name| format!("part {name}")).collect();
        self.ignored.extend(unread);
        let found = named.or_else(|| parts.iter().find(|part| text(part, "prose").is_some()))?;
        let mut lines = Vec::new();
        self.lines_of(found, &mut lines, 0);
        Some(lines.join("\n")).filter(|text| !text.is_empty())
    }

    fn prose_of(&self, control: &'d Value, name: &str) -> Option<String> {
        let part = list(control, "parts").iter().find(|part| text(part, "name") == Some(name))?;
        text(part, "prose").map(|prose| self.filled(prose, 0))
    }

    fn lines_of(&self, part: &'d Value, lines: &mut Vec<String>, depth: usize) {
        let prose = text(part, "prose").map(|prose| self.filled(prose, 0));
        match (property(part, "label", None), prose) {
            (Some(label), Some(prose)) => lines.push(format!("{label} {prose}")),
            (None, Some(prose)) => lines.push(prose),
            (Some(label), None) => lines.push(label.to_owned()),
            (None, None) => {}
        }
        if depth < DEEPEST {
            for inner in list(part, "parts") {
                self.lines_of(inner, lines, depth + 1);
            }
        }
    }

    /// The text with every `{{ insert: param, id }}` replaced.
    fn filled(&self, prose: &str, steps: usize) -> String {
        let (mut filled, mut rest) = (String::with_capacity(prose.len()), prose);
        while let Some((before, after)) = rest.split_once("{{") {
            filled.push_str(before);
            let Some((insert, behind)) = after.split_once("}}") else {
                filled.push_str("{{");
                rest = after;
                continue;
            };
            let id = insert.rsplit(',').next().unwrap_or_default().trim();
            filled.push_str(&self.param(id, steps));
            rest = behind;
        }
        filled.push_str(rest);
        filled
    }

    fn param(&self, id: &str, steps: usize) -> String {
        let Some(param) = self.params.get(id).filter(|_| steps < MOST_STEPS) else {
            return format!("[{id}]");
        };
        if let Some(label) = text(param, "label") {
            return format!("[{}]", self.filled(label, steps + 1));
        }
        let choices = param.get("select").map(|select| list(select, "choice")).unwrap_or_default();
        let words = choices.iter().chain(list(param, "values")).filter_map(Value::as_str);
        let words: Vec<String> = words.map(|word| self.filled(word, steps + 1)).collect();
        if words.is_empty() { format!("[{id}]") } else { format!("[{}]", words.join("; ")) }
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
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(document: &Value) -> Result<Incoming> {
        read(document.to_string().as_bytes(), "house")
    }

    fn set(change: &Change<String>) -> &str {
        match change {
            Change::Set(text) => text,
            Change::Keep | Change::Clear => "",
        }
    }

    #[test]
    fn groups_controls_parts_and_parameters_are_read() {
        let document = json!({ "catalog": {
            "uuid": "x", "metadata": {}, "x-private": 1, "back-matter": {},
            "groups": [{ "id": "ac", "title": "Access", "tool-data": {}, "controls": [{
                "id": "ac-1", "title": "Policy\n and rules", "x-note": "ours",
                "params": [
                    { "id": "ac-1_prm_1", "label": "roles" },
                    { "id": "ac-1_prm_2", "select": { "choice": ["weekly", "at {{ insert: param, ac-1_prm_1 }}"] } },
                ],
                "props": [
                    { "name": "label", "class": "zero-padded", "value": "AC-01" },
                    { "name": "label", "value": "AC-1" },
                ],
                "parts": [
                    { "name": "statement", "prose": "Tell {{ insert: param, ac-1_prm_1 }}:", "parts": [
                        { "name": "item", "props": [{ "name": "label", "value": "a." }],
                          "prose": "{{ insert: param, ac-1_prm_2 }}, {{ insert: param, none }} {{ open" },
                    ] },
                    { "name": "guidance", "prose": "Long" },
                ],
                "controls": [
                    { "id": "ac-1.1", "title": "More" },
                    { "id": "ac-1.2", "title": "Gone", "props": [{ "name": "status", "value": "withdrawn" }] },
                ],
            }] }],
        } });
        let Incoming { lines, ignored } = read_json(&document).unwrap();
        assert_eq!(lines.len(), 2);
        let first = &lines[0].input;
        assert_eq!((set(&first.id), set(&first.number)), ("house-ac-1", "AC-1"));
        assert_eq!((set(&first.chapter), set(&first.title)), ("Access", "Policy and rules"));
        assert_eq!(set(&first.text), "Tell [roles]:\na. [weekly; at [roles]], [none] {{ open");
        assert_eq!((set(&lines[1].input.id), set(&lines[1].input.text)), ("house-ac-1-1", "More"));
        for name in ["catalog.x-private", "group.tool-data", "control.x-note", "part guidance"] {
            assert!(ignored.iter().any(|other| other == name), "{name} in {ignored:?}");
        }
        assert!(ignored.contains(&"control ac-1.2 (withdrawn)".to_owned()));
    }

    #[test]
    fn what_is_no_catalogue_is_refused() {
        for document in
            [json!([]), json!({ "catalog": [] }), json!({ "catalog": {} }), json!({ "profile": {} })]
        {
            assert!(read_json(&document).is_err(), "{document}");
        }
        assert!(read(b"{", "house").is_err());
        let mut deep = json!({ "title": "x" });
        for _ in 0..40 {
            deep = json!({ "groups": [deep] });
        }
        let refused = read_json(&json!({ "catalog": deep })).unwrap_err().to_string();
        assert!(refused.contains("too deeply"), "{refused}");
    }

    #[test]
    fn a_parameter_that_leads_to_itself_comes_to_an_end() {
        let document = json!({ "catalog": { "controls": [{
            "id": "a", "title": "A", "params": [{ "id": "p", "label": "{{ insert: param, p }}" }],
            "parts": [{ "name": "statement", "prose": "{{ insert: param, p }}" }],
        }] } });
        let lines = read_json(&document).unwrap().lines;
        assert_eq!(set(&lines[0].input.text), "[[[[[p]]]]]");
    }
}
