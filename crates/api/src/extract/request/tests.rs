use std::collections::BTreeMap;

use serde_json::json;

use super::*;

#[derive(Debug, Default, Deserialize)]
struct Inner {
    name: Option<Option<String>>,
    count: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
struct Request {
    text: Option<String>,
    nullable: Option<Option<String>>,
    number: Option<f64>,
    flag: Option<bool>,
    switch: Option<Switch>,
    parsed: Option<Parsed<u8>>,
    texts: Option<Option<Vec<String>>>,
    pairs: Option<BTreeMap<String, String>>,
    any: Option<Option<serde_json::Map<String, Value>>>,
    inner: Option<Option<Inner>>,
    list: Option<Vec<Inner>>,
}

fn read_json(value: &Value) -> (Request, String) {
    let mut violations = Violations::default();
    let entries = value.as_object().unwrap().iter().map(|(name, value)| (name.as_str(), Source::Json(value)));
    let request = read(&entries.collect(), &mut violations);
    (request, said(&violations))
}

fn read_query(pairs: &[(&'static str, &'static str)]) -> (Request, String) {
    let mut violations = Violations::default();
    let entries = pairs.iter().map(|(name, text)| (*name, Source::Text(text))).collect();
    let request = read(&entries, &mut violations);
    (request, said(&violations))
}

fn said(violations: &Violations) -> String {
    let lines = violations
        .fields()
        .iter()
        .flat_map(|(field, messages)| messages.iter().map(move |message| format!("{field} {message}")));
    lines.collect::<Vec<_>>().join("\n")
}

#[derive(Debug, Default, Deserialize)]
struct Filters {
    numbers: Option<Words<u8>>,
    names: Option<Names>,
    last: Option<i64>,
}

#[test]
fn a_filter_takes_every_value_and_any_other_parameter_its_last() {
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut violations = Violations::default();
    let (numbers, names) = (texts(&["1,2", "3", "2"]), texts(&["Weber, Ben", "none", " "]));
    let last = texts(&["7", "8"]);
    let entries = vec![
        ("numbers", Source::Texts(&numbers)),
        ("names", Source::Texts(&names)),
        ("last", Source::Texts(&last)),
    ];
    let filters: Filters = read(&entries, &mut violations);
    assert_eq!((said(&violations).as_str(), filters.last), ("", Some(8)));
    assert_eq!(Words::any(filters.numbers).values(), [1, 2, 3]);
    let names = Names::any(filters.names);
    assert!(names.asks_unset() && names.values() == ["Weber, Ben"], "{names:?}");
    for wrong in [texts(&["1,x"]), texts(&["1,"]), vec!["1".to_owned(); 101]] {
        let filters: Filters = read(&vec![("numbers", Source::Texts(&wrong))], &mut violations);
        assert!(filters.numbers.is_none() && violations.fields().contains_key("numbers"), "{wrong:?}");
        violations = Violations::default();
    }
}

#[test]
fn absent_null_and_a_value_differ() {
    let (request, said) = read_json(&json!({ "nullable": null, "text": "a", "unknown": [1] }));
    assert_eq!(said, "");
    assert_eq!(request.nullable, Some(None));
    assert_eq!(request.text.as_deref(), Some("a"));
    assert!(request.inner.is_none() && request.texts.is_none());
    let (request, said) = read_json(&json!({ "nullable": "b" }));
    assert_eq!((request.nullable, said.as_str()), (Some(Some("b".to_owned())), ""));
}

#[test]
fn reads_every_type() {
    let (request, said) = read_json(&json!({
        "number": 3, "flag": true, "switch": "1", "parsed": "7", "texts": ["a", "b"], "pairs": { "a": "b" },
        "any": { "deep": [1.5, { "x": null }] }, "inner": { "name": "n", "count": 25.0 }, "list": [{ "count": 2 }],
    }));
    assert_eq!(said, "");
    assert_eq!((request.number, request.flag), (Some(3.0), Some(true)));
    assert!(matches!(request.switch, Some(Switch(true))));
    assert_eq!(request.parsed, Some(Parsed(7)));
    assert_eq!(request.texts, Some(Some(vec!["a".to_owned(), "b".to_owned()])));
    assert_eq!(request.pairs.unwrap()["a"], "b");
    assert_eq!(request.any.unwrap().unwrap()["deep"], json!([1.5, { "x": null }]));
    let inner = request.inner.unwrap().unwrap();
    assert_eq!((inner.name, inner.count), (Some(Some("n".to_owned())), Some(25)));
    assert_eq!(request.list.unwrap()[0].count, Some(2));
}

#[test]
fn names_every_field_that_violates_its_type() {
    let (request, said) = read_json(&json!({
        "text": null, "nullable": 5, "number": "3", "flag": 1, "switch": 2, "parsed": "300", "texts": ["a", 1],
        "pairs": { "a": 1 }, "any": [], "inner": { "name": 1, "count": 1.5 }, "list": [{}, { "count": "x" }],
    }));
    assert_eq!(
        said,
        "any must be an object\n\
         flag must be true or false\n\
         inner.count must be a whole number\n\
         inner.name must be a string\n\
         list.1.count must be a whole number\n\
         nullable must be a string\n\
         number must be a number\n\
         pairs.a must be a string\n\
         parsed number too large to fit in target type\n\
         switch must be one of true, false, 0, 1, \"0\", \"1\"\n\
         text must be a string\n\
         texts must be a list of strings"
    );
    assert!(request.text.is_none() && request.texts.is_none());
    assert_eq!(request.list.unwrap().len(), 2, "the rest is read");
}

#[test]
fn says_what_a_list_must_hold() {
    let (_, said) = read_json(&json!({ "texts": "a", "list": 1, "inner": [] }));
    assert_eq!(
        said,
        "inner must be an object\nlist must be a list of objects\ntexts must be a list of strings"
    );
    let (_, said) = read_json(&json!({ "list": [{}, 1] }));
    assert_eq!(said, "list must be a list of objects");
}

#[test]
fn reads_query_strings() {
    let (request, said) = read_query(&[("text", "5"), ("flag", "1"), ("parsed", "9"), ("number", "1.5")]);
    assert_eq!(said, "");
    assert_eq!((request.text.as_deref(), request.flag, request.number), (Some("5"), Some(true), Some(1.5)));
    assert_eq!(request.parsed, Some(Parsed(9)));
    let (_, said) = read_query(&[("flag", "yes"), ("parsed", "x")]);
    assert_eq!(said, "flag must be true or false\nparsed invalid digit found in string");
}

#[test]
fn the_number_of_violations_is_limited() {
    let items: Vec<Value> = (0..10_000).map(|_| json!({ "count": "x" })).collect();
    let (request, said) = read_json(&json!({ "list": items }));
    assert_eq!(said.lines().count(), MAX_VIOLATIONS);
    assert!(request.list.is_none());
}
