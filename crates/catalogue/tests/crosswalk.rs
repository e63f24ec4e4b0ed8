//! Crosswalks: what they may name, and what follows from them.
#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::{fs, path::Path};

use tempfile::TempDir;
use tidewall_catalogue::{Catalogue, compliance::Coverage, crosswalk::Relation, measure::Provenance};

const FRAMEWORK: &str = r#"
[framework]
id = "house-policy"
title = { en = "House policy", de = "Hausrichtlinie" }
version = "3"
summary = { en = "What we ask of ourselves.", de = "Was wir von uns selbst verlangen." }
cite = "House policy"

[[section]]
id = "house-policy-one"
title = { en = "Part one", de = "Teil eins" }
"#;

fn requirement(id: &str) -> String {
    format!(
        r#"
[[requirement]]
id = "{id}"
section = "house-policy-one"
number = "HP"
title = {{ en = "A rule", de = "Eine Regel" }}
summary = {{ en = "Something is done.", de = "Etwas wird getan." }}
cite = "House policy"
audit_steps = [{{ en = "Look.", de = "Ansehen." }}, {{ en = "Ask.", de = "Fragen." }}]
"#
    )
}

fn crosswalk(edges: &str) -> String {
    format!(
        r#"
[crosswalk]
id = "crosswalk-house"
title = {{ en = "House", de = "Haus" }}
from = "house-policy"
to = "iso-27001"
provenance = "own"
source = "Compliance department"
licence = "own"
reason = {{ en = "Same subject.", de = "Gleicher Gegenstand." }}
edges = [{edges}]
"#
    )
}

fn catalogue(edges: &str) -> Result<Catalogue, String> {
    let copy = TempDir::new().unwrap();
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalogue");
    for entry in fs::read_dir(original).unwrap().map(Result::unwrap) {
        let target = copy.path().join(entry.file_name());
        if entry.path().is_file() {
            fs::copy(entry.path(), target).unwrap();
            continue;
        }
        fs::create_dir(&target).unwrap();
        for file in fs::read_dir(entry.path()).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), target.join(file.file_name())).unwrap();
        }
    }
    let rules = format!("{FRAMEWORK}{}{}", requirement("house-policy-1-a"), requirement("house-policy-1-b"));
    fs::write(copy.path().join("frameworks/house-policy.toml"), rules).unwrap();
    fs::write(copy.path().join("crosswalks/house.toml"), crosswalk(edges)).unwrap();
    Catalogue::from_dir(copy.path()).map_err(|faults| faults.to_string())
}

#[test]
fn what_is_part_of_a_covered_requirement_is_covered() {
    let catalogue = catalogue(r#""house-policy-1-* subset iso-27001-a-8-13""#).unwrap();
    assert_eq!(catalogue.coverage_of("iso-27001-a-8-13"), Some(Coverage::Covered));
    for id in ["house-policy-1-a", "house-policy-1-b"] {
        assert_eq!(catalogue.coverage_of(id), Some(Coverage::Covered), "{id}");
        let related: Vec<_> = catalogue.related_to(id).collect();
        assert_eq!((related.len(), related[0].relation), (1, Relation::Subset));
        assert_eq!(related[0].reason.de.as_ref(), "Gleicher Gegenstand.");
    }
    let back = catalogue.related_to("iso-27001-a-8-13").find(|r| r.requirement.id.starts_with("house-"));
    assert_eq!(back.unwrap().relation, Relation::Superset);
}

#[test]
fn an_overlap_covers_nothing() {
    let edges =
        r#""house-policy-1-a intersects iso-27001-a-8-13", "house-policy-1-b equal iso-27001-a-8-13""#;
    let faults = catalogue(edges).unwrap_err();
    assert!(faults.ends_with("house-policy-1-a binds entities, but no measure meets it"), "{faults}");
    assert_eq!(faults.lines().count(), 1, "{faults}");
}

#[test]
fn edges_name_requirements_of_their_frameworks() {
    let edges = r#""house-policy-1-* equal iso-27001-a-8-13", "house-policy-2-* equal dora-art-05-01""#;
    let faults = catalogue(edges).unwrap_err();
    assert!(
        faults.contains("edges names house-policy-2-*, but house-policy has no such requirement"),
        "{faults}"
    );
    assert!(faults.contains("edges names dora-art-05-01, but iso-27001 has no such requirement"), "{faults}");
    let faults = catalogue(r#""house-policy-1-a like iso-27001-a-8-13""#).unwrap_err();
    assert!(faults.contains("must be two ids with a relation between them"), "{faults}");
}

#[test]
fn published_tables_are_in_with_author_and_grade() {
    let catalogue = Catalogue::embedded().unwrap();
    let table = |id: &str| catalogue.crosswalks.get(id).unwrap();
    let enisa = table("crosswalk-nis2-2690-iso-27001");
    assert_eq!((enisa.provenance, &*enisa.licence), (Provenance::Published, "CC BY 4.0"));
    assert!(enisa.source.starts_with("ENISA") && enisa.url.is_some());
    // The BSI's table is for another edition, so that carrying it over is a judgement of our own.
    assert_eq!(table("crosswalk-bsi-c5-iso-27001").provenance, Provenance::Own);
    let tied =
        |from: &str, to: &str| catalogue.related_to(from).any(|related| &*related.requirement.id == to);
    for (from, to) in [
        ("nis2-ir-2690-4-2-2-a", "iso-27001-a-8-13"),
        ("nis2-ir-2690-4-2-2-a", "nist-csf-pr-ds-11"),
        ("iso-27001-a-8-13", "nis2-ir-2690-4-2-1"),
        ("bsi-c5-ois-04", "iso-27001-a-5-3"),
    ] {
        assert!(tied(from, to), "{from} {to}");
    }
    assert!(!tied("nis2-ir-2690-1-1-1-a", "iso-27001-a-8-24"));
}

#[test]
fn a_policy_alone_does_not_contain_what_its_later_paragraphs_ask_for() {
    let catalogue = Catalogue::embedded().unwrap();
    let relation = |from: &str, to: &str| {
        catalogue.related_to(from).find(|related| &*related.requirement.id == to).unwrap().relation
    };
    for (from, to) in [
        ("dora-art-11-01", "iso-27001-a-5-30"),
        ("dora-art-12-01", "iso-27001-a-8-13"),
        ("dora-art-12-01", "nist-csf-pr-ds-11"),
        ("dora-art-17-01", "nis2-ir-2690-3-1-1"),
        ("dora-rts-1774-art-12-01", "iso-27001-a-8-15"),
        ("dora-rts-1774-art-10-01", "nis2-ir-2690-6-10-1"),
    ] {
        assert_eq!(relation(from, to), Relation::Intersects, "{from} {to}");
    }
    // What names a wider subject is not the same either.
    assert_eq!(relation("dora-rts-1774-art-21-b", "iso-27001-a-5-3"), Relation::Subset);
    assert_eq!(relation("dora-art-09-03-a", "iso-27001-a-5-14"), Relation::Subset);
}
