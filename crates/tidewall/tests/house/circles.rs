//! Modules of `domain` import each other in one direction, so that each can be read after those it stands on.

use std::collections::{BTreeMap, BTreeSet};

use super::{product, sources};

/// What may go in a circle: an incident and the report on it name each other, an institution's profile says what it reports,
/// and a report over a period, its template and its own text are one thing in three files.
const LINKED: [&[&str]; 2] =
    [&["cra_report", "incident", "profile"], &["own_text", "period_report", "report_template"]];

/// The modules that a file names behind `crate::`.
fn named(text: &str) -> BTreeSet<&str> {
    let code = product(text).split_inclusive('\n').filter(|line| !line.trim_start().starts_with("//"));
    code.clone().flat_map(paths).chain(grouped(product(text))).collect()
}

/// The modules of paths such as `crate::text::Name`. Paths of macros belong to where the macro is used.
fn paths(line: &str) -> Vec<&str> {
    let starts = line.match_indices("crate::").filter(|(at, _)| !line[..*at].ends_with('$'));
    starts.map(|(at, found)| first_word(&line[at + found.len()..])).filter(|name| !name.is_empty()).collect()
}

/// The modules of groups such as `use crate::{moment::Day, text::{Name, Prose}};`.
fn grouped(text: &str) -> Vec<&str> {
    let groups = text.split("use crate::{").skip(1).filter_map(|rest| rest.split(';').next());
    groups.flat_map(outermost).collect()
}

fn outermost(group: &str) -> Vec<&str> {
    let (mut depth, mut begins, mut names) = (0_usize, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                names.push(first_word(group[begins..at].trim_start()));
                begins = at + 1;
            }
            _ => {}
        }
    }
    names.push(first_word(group[begins..].trim_start()));
    names.retain(|name| !name.is_empty());
    names
}

fn first_word(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}

/// The modules below the subjects of a crate, each with the others it names. A module is found by its name alone,
/// because subjects are re-exported.
fn imports(files: &[(String, String)], root: &str) -> BTreeMap<String, BTreeSet<String>> {
    let module = |path: &str| {
        let inside = path.strip_prefix(root)?;
        let name = inside.split('/').nth(1).or_else(|| inside.split('/').next())?;
        Some(name.trim_end_matches(".rs").trim_end_matches("_tests").to_owned())
    };
    let is_test = |path: &str| path.ends_with("tests.rs") || path.contains("/tests/");
    let known: BTreeSet<String> = files.iter().filter_map(|(path, _)| module(path)).collect();
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| !is_test(path)) {
        let Some(own) = module(path) else { continue };
        let others = named(text).into_iter().filter(|name| known.contains(*name) && *name != own);
        imports.entry(own.clone()).or_default().extend(others.map(str::to_owned));
    }
    imports
}

/// Everything that a module reaches through its imports.
fn reached<'m>(imports: &'m BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'m str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(module) = open.pop() {
        for next in imports.get(&module).into_iter().flatten() {
            if found.insert(next.as_str()) {
                open.push(next.clone());
            }
        }
    }
    found
}

#[test]
fn modules_of_the_domain_import_in_one_direction() {
    let imports = imports(&sources("crates/domain/src"), "crates/domain/src/");
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|module| (module.as_str(), reached(&imports, module))).collect();
    let circles: BTreeSet<Vec<&str>> = reach
        .iter()
        .filter(|(module, reached)| reached.contains(*module))
        .map(|(module, reached)| {
            let back = |other: &&&str| reach.get(**other).is_some_and(|others| others.contains(module));
            reached.iter().filter(back).copied().collect()
        })
        .collect();
    assert_eq!(circles, LINKED.iter().map(|circle| circle.to_vec()).collect());
}

#[test]
fn imports_are_read_from_paths_and_groups() {
    let text = "use crate::{\n    moment::{Day, Moment},\n    text::Name,\n    fold,\n};\nuse crate::id::Id;\n\
                // crate::comment\nfn f() { crate::page::g(); $crate::macros::h() }\n\
                #[cfg(test)]\nmod tests { use crate::later::L; }";
    assert_eq!(named(text), BTreeSet::from(["fold", "id", "moment", "page", "text"]));
}
