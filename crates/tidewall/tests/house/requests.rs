//! What the API documents about a request is the type that reads it.

use super::{product, sources};

/// The item that begins with `declaration`, with the attributes before it.
fn with_attributes<'t>(text: &'t str, declaration: &str) -> Option<&'t str> {
    let at = text.find(declaration)?;
    let begin = text[..at].rfind("\n\n").unwrap_or(0);
    Some(&text[begin..at])
}

/// The names after `request_body =`, and those that `record_routes!` takes.
fn bodies(text: &str) -> Vec<&str> {
    let named = text.split("request_body = ").skip(1).filter(|rest| !rest.starts_with('$'));
    let taken = text.lines().filter_map(|line| {
        let (verb, body) = line.strip_prefix("    ")?.strip_suffix(");")?.split_once('(')?;
        ["create", "patch"].contains(&verb.split(" as ").next()?).then_some(body)
    });
    named
        .chain(taken)
        .filter_map(|rest| {
            rest.strip_prefix("Option<").unwrap_or(rest).split(|c: char| !c.is_alphanumeric()).next()
        })
        .collect()
}

fn is_read(files: &[(String, String)], body: &str) -> bool {
    files.iter().any(|(_, text)| {
        let declared = with_attributes(text, &format!("pub(crate) struct {body} {{"));
        let is_derived = declared.is_some_and(|attributes| attributes.contains("Deserialize"));
        // `body!` takes the fields from a type that is read.
        let is_part =
            text.contains(&format!("\n    {body} from ")) || text.contains(&format!("\n    {body} as \""));
        is_derived || is_part
    })
}

#[test]
fn bodies_are_read_by_the_types_that_document_them() {
    let files = sources("crates/api/src");
    let mut count = 0;
    for (path, text) in &files {
        for body in bodies(product(text)) {
            count += 1;
            assert!(is_read(&files, body), "{path}: {body} documents a body that another type reads");
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn parameters_are_read_by_the_types_that_document_them() {
    let mut count = 0;
    for (path, text) in sources("crates/api/src") {
        for line in
            product(&text).lines().filter(|line| line.contains("derive(") && line.contains("IntoParams"))
        {
            count += 1;
            assert!(line.contains("Deserialize"), "{path}: {line}");
        }
    }
    assert!(count > 40, "{count}");
}

/// A field that is documented but never read has to be excused to the compiler. Only types of answers whose bytes are
/// joined from cached records are.
#[test]
fn no_field_of_a_request_is_documentation_only() {
    for (path, text) in sources("crates/api/src") {
        let answers = path.contains("/public/")
            || path.ends_with("/webhooks/events.rs")
            || path.ends_with("/exports.rs");
        assert!(answers || !text.contains("dead_code"), "{path}");
    }
}
