//! OSCAL catalogues as other tools write them, and some malicious ones.

use std::time::Duration;

use serde_json::json;

use super::*;

fn read_json(document: &Value) -> Result<Incoming> {
    read(document.to_string().as_bytes(), "house", &WorkContext::for_tests(Duration::from_mins(1)))
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
    for document in [json!([]), json!({ "catalog": [] }), json!({ "catalog": {} }), json!({ "profile": {} })]
    {
        assert!(read_json(&document).is_err(), "{document}");
    }
    assert!(read(b"{", "house", &WorkContext::for_tests(Duration::from_mins(1))).is_err());
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
    assert_eq!(set(&lines[0].input.text), "[[p]]");
}

/// Three levels of parameters, each with so many inserts of the next.
fn nested(inserts: usize) -> Value {
    let all = |name: &str| format!("{{{{ insert: param, {name} }}}}").repeat(inserts);
    json!({ "catalog": { "controls": [{
        "id": "a", "title": "A",
        "params": [
            { "id": "p", "label": all("q") }, { "id": "q", "label": all("r") },
            { "id": "r", "label": "x".repeat(1_000) },
        ],
        "parts": [{ "name": "statement", "prose": all("p") }],
    }] } })
}

#[test]
fn parameters_that_multiply_are_not_filled_beyond_the_longest_text() {
    for inserts in [100, 1_000] {
        let lines = read_json(&nested(inserts)).unwrap().lines;
        assert_eq!(set(&lines[0].input.text).chars().count(), LONGEST + 1);
    }
    assert_eq!(set(&read_json(&nested(2)).unwrap().lines[0].input.text).chars().count(), 8 * 1_002 + 12);
}
