//! One word for one thing: `docs/glossary.toml` against the texts of the program and the reference catalogue.

use std::fs;

use serde::Deserialize;

use super::{product, root, sources};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    term: Vec<Term>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    en: String,
    de: String,
    #[serde(default)]
    avoid_en: Vec<String>,
    #[serde(default)]
    avoid_de: Vec<String>,
    #[serde(default)]
    label_en: Vec<String>,
    #[serde(default)]
    label_de: Vec<String>,
    #[serde(rename = "where", default = "everywhere")]
    places: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    why: Option<String>,
}

fn everywhere() -> Vec<String> {
    ["texts", "catalogue"].map(str::to_owned).into()
}

/// A text with the file it is from.
struct Said {
    place: &'static str,
    path: String,
    text: String,
}

impl Term {
    /// The word to avoid in a text.
    fn found_in(&self, said: &Said) -> Option<&str> {
        let is_meant = self.places.iter().any(|place| place == said.place)
            && (self.files.is_empty() || self.files.iter().any(|part| said.path.contains(part)));
        let is_right = self.except.iter().any(|part| said.path.contains(part) || said.text.contains(part));
        if !is_meant || is_right {
            return None;
        }
        let words = self.avoid_en.iter().chain(&self.avoid_de).filter(|word| begins_in(&said.text, word));
        let labels = self.label_en.iter().chain(&self.label_de).filter(|label| said.text == **label);
        words.chain(labels).next().map(String::as_str)
    }
}

/// Whether a word of the text begins with this.
fn begins_in(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(place, _)| !text[..place].ends_with(|before: char| before.is_alphanumeric()))
}

/// The text literals of a source file, without its comments and tests.
fn literals(text: &str) -> Vec<String> {
    let lines = product(text).lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n").replace("\\\"", "'");
    code.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Every text in a file of the catalogue.
fn strings(value: &toml::Value, found: &mut Vec<String>) {
    match value {
        toml::Value::String(text) => found.push(text.clone()),
        toml::Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        toml::Value::Table(parts) => parts.values().for_each(|part| strings(part, found)),
        _ => {}
    }
}

/// Changes of the catalogue quote what a record said before.
fn without_the_past(mut file: toml::Value) -> toml::Value {
    match &mut file {
        toml::Value::Table(parts) => {
            parts.remove("was");
            parts.iter_mut().for_each(|(_, part)| *part = without_the_past(part.clone()));
        }
        toml::Value::Array(items) => items.iter_mut().for_each(|item| *item = without_the_past(item.clone())),
        _ => {}
    }
    file
}

/// Titles, summaries and descriptions of the API document, which are comments in the sources.
fn described(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(parts) => {
            for (name, part) in parts {
                match part.as_str().filter(|_| ["title", "summary", "description"].contains(&name.as_str())) {
                    Some(text) => found.push(text.to_owned()),
                    None => described(part, found),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| described(item, found)),
        _ => {}
    }
}

/// The manual, line by line.
fn manual() -> Vec<(String, String)> {
    let (mut folders, mut lines) = (vec![root().join("docs")], Vec::new());
    let mut files = vec![root().join("README.md"), root().join("SECURITY.md")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    for path in files {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        lines.extend(text.lines().map(|line| (name.clone(), line.to_owned())));
    }
    lines
}

fn all_texts() -> Vec<Said> {
    let mut all = Vec::new();
    let crates = ["api", "app", "bundle", "domain", "outbound", "reports", "tidewall", "workspace"];
    for folder in crates.map(|name| format!("crates/{name}/src")) {
        for (path, text) in sources(&folder) {
            if !path.contains("tests") {
                let texts = literals(&text).into_iter();
                all.extend(texts.map(|text| Said { place: "texts", path: path.clone(), text }));
            }
        }
    }
    let document = fs::read_to_string(root().join("openapi/tidewall.json")).unwrap();
    let mut texts = Vec::new();
    described(&serde_json::from_str(&document).unwrap(), &mut texts);
    let path = "openapi/tidewall.json".to_owned();
    all.extend(texts.into_iter().map(|text| Said { place: "texts", path: path.clone(), text }));
    all.extend(manual().into_iter().map(|(path, text)| Said { place: "texts", path, text }));
    let mut folders = vec![root().join("catalogue")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let mut texts = Vec::new();
                let file: toml::Value = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
                strings(&without_the_past(file), &mut texts);
                let path = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
                all.extend(texts.into_iter().map(|text| Said {
                    place: "catalogue",
                    path: path.clone(),
                    text,
                }));
            }
        }
    }
    all
}

#[test]
fn texts_use_the_words_of_the_glossary() {
    let glossary: Glossary =
        toml::from_str(&fs::read_to_string(root().join("docs/glossary.toml")).unwrap()).unwrap();
    let all = all_texts();
    assert!(all.len() > 10_000, "only {} texts were read", all.len());
    let mut wrong = Vec::new();
    for term in &glossary.term {
        let places = &term.places;
        assert!(places.iter().all(|place| ["texts", "catalogue"].contains(&place.as_str())), "{places:?}");
        for said in &all {
            if let Some(word) = term.found_in(said) {
                let why = term.why.as_deref().unwrap_or_default();
                wrong.push(format!(
                    "{}: “{word}” in “{}”: write {} / {}. {why}",
                    said.path, said.text, term.en, term.de
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_word_to_avoid_is_found_in_all_its_forms_but_not_inside_another_word() {
    assert!(begins_in("Alle Befunde", "Befund") && begins_in("Befund", "Befund"));
    assert!(!begins_in("Identitätsanbieter", "anbieter") && !begins_in("Krankenhaus", "haus"));
}
