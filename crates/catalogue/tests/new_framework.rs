//! Adding a framework is adding files: nothing in the program knows its id.
#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::{fs, path::Path};

use domain::framework::FrameworkError;
use tempfile::TempDir;
use tidewall_catalogue::{
    Catalogue, compliance::Coverage, gap::GapFilter, language::Language, record::Needle,
};

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

[[requirement]]
id = "house-policy-1"
section = "house-policy-one"
number = "HP 1"
title = { en = "Quokka drill", de = "Quokka-Übung" }
summary = { en = "Backups are restored every month.", de = "Sicherungen werden monatlich zurückgespielt." }
cite = "House policy, 1"
measures = ["measure-backup-policy-and-schedule"]
"#;

const GAP: &str = r#"
[[gap]]
id = "gap-house-policy-1"
framework = "house-policy"
requirement = "house-policy-1"
title = { en = "Monthly restore", de = "Monatliche Rücksicherung" }
question = { en = "Was a backup restored last month?", de = "Wurde im letzten Monat eine Sicherung zurückgespielt?" }
target = { en = "A record of the restore.", de = "Ein Nachweis der Rücksicherung." }
typical_gap = { en = "Nobody looks at the result.", de = "Das Ergebnis sieht sich niemand an." }
priority = "high"
effort = "low"
measures = []
cite = "House policy, 1"
"#;

fn copied() -> TempDir {
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
    copy
}

#[test]
fn a_new_framework_is_found_everywhere() {
    let copy = copied();
    fs::write(copy.path().join("frameworks/house-policy.toml"), FRAMEWORK).unwrap();
    fs::write(copy.path().join("gaps/house-policy.toml"), GAP).unwrap();
    let catalogue = Catalogue::from_dir(copy.path()).unwrap_or_else(|faults| panic!("{faults}"));

    let house = catalogue.framework_named("house-policy").unwrap();
    assert_eq!(catalogue.requirements_of(house).count(), 1);
    assert_eq!(catalogue.coverage_of("house-policy-1"), Some(Coverage::Covered));
    let status = catalogue.compliance.framework(house).unwrap();
    assert_eq!((status.tally.requirements, status.tally.covered), (1, 1));
    let filter = GapFilter { framework: Some(house) };
    let gaps = catalogue.gaps.select(&Needle::default(), Language::English, |gap| filter.keeps(gap));
    assert_eq!(gaps[0].measures[0].as_ref(), "measure-backup-policy-and-schedule");
    let hits = catalogue.requirements.select(&Needle::new("quokka"), Language::German, |_| true);
    assert_eq!(hits.len(), 1);
}

#[test]
fn a_framework_that_is_not_there_is_refused_with_those_that_are() {
    let catalogue = Catalogue::embedded().unwrap();
    let Err(FrameworkError::Unknown { known }) = catalogue.framework_named("house-policy") else {
        panic!("it is not in the built-in catalogue")
    };
    assert!(known.starts_with("dora, marisk, iso-27001, cra, nis2, bsi-c5"), "{known}");
}
