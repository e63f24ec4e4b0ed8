//! A route is found by its address: the first segment after the version is the name of a folder or a file.

use std::{collections::BTreeSet, fs};

use serde_json::Value;

use super::{root, sources};

/// The first segments of the documented routes of a version, as modules are named.
fn segments(version: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("openapi/tidewall.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let prefix = format!("/api/{version}/");
    let paths = document["paths"].as_object().unwrap().keys();
    let below = paths.filter_map(|path| path.strip_prefix(&prefix)?.split('/').next());
    below.map(|segment| segment.replace('-', "_")).collect()
}

/// The modules of a folder of sources that are this many levels below it or fewer.
fn modules(folder: &str, levels: usize) -> BTreeSet<String> {
    let prefix = format!("{folder}/");
    let files =
        sources(folder).into_iter().filter_map(|(path, _)| Some(path.strip_prefix(&prefix)?.to_owned()));
    let mut found = BTreeSet::new();
    for file in files {
        let module = file.strip_suffix("/mod.rs").or_else(|| file.strip_suffix(".rs")).unwrap();
        found.extend(module.split('/').take(levels).map(str::to_owned));
    }
    found
}

fn without_module(segments: &BTreeSet<String>, modules: &BTreeSet<String>) -> Vec<String> {
    segments.difference(modules).cloned().collect()
}

#[test]
fn routes_are_in_the_module_of_their_first_segment() {
    for (version, levels, least) in [("v1", 2, 40), ("v2", 1, 10)] {
        let (mut segments, modules) =
            (segments(version), modules(&format!("crates/api/src/{version}"), levels));
        assert!(segments.len() >= least, "{version}: {segments:?}");
        assert_eq!(without_module(&segments, &modules), Vec::<String>::new(), "{version}");
        segments.insert("ship_logs".to_owned());
        assert_eq!(without_module(&segments, &modules), ["ship_logs"], "a route without a module");
    }
}

/// Addresses of the workspace whose pages are elsewhere: the picker and the tags of any record, the other half of signing
/// in, and a report that is asked for among the figures of incidents.
const ELSEWHERE: [&str; 3] = ["board_report", "records", "sign_out"];

#[test]
fn pages_are_in_the_module_of_their_first_segment() {
    let text = fs::read_to_string(root().join("crates/workspace/src/route.rs")).unwrap();
    let below = text.split("\"/workspace/").skip(1).map(|rest| {
        let end =
            rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(rest.len());
        rest[..end].replace('-', "_")
    });
    let segments: BTreeSet<String> = below.filter(|segment| !segment.is_empty()).collect();
    assert!(segments.len() >= 45, "{segments:?}");
    let modules = modules("crates/workspace/src/pages", 2);
    assert_eq!(without_module(&segments, &modules), ELSEWHERE);
}
