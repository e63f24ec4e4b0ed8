//! Layers over the built-in catalogue, and what differs between two catalogues.
#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::{fs, path::Path};

use tempfile::TempDir;
use tidewall_catalogue::{
    Catalogue,
    diff::{Change, diff},
    measure::Measure,
};

/// Folders of layers with one file each.
fn layers(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn read(layers: &TempDir) -> Result<Catalogue, String> {
    Catalogue::read(None, Some(layers.path())).map_err(|faults| faults.to_string())
}

const HOUSE: &str = r#"
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
title = { en = "Monthly restore", de = "Monatliche Rücksicherung" }
summary = { en = "Backups are restored every month.", de = "Sicherungen werden monatlich zurückgespielt." }
cite = "House policy, 1"
measures = ["measure-backup-policy-and-schedule"]
audit_steps = [{ en = "Look.", de = "Ansehen." }, { en = "Ask.", de = "Fragen." }]
"#;

#[test]
fn a_layer_adds_changes_and_hides() {
    let change = r#"
[[measure]]
id = "measure-backup-policy-and-schedule"
title = { en = "Our backup rules", de = "Unsere Sicherungsregeln" }
priority = "low"
"#;
    let hide = "[[drill]]\nid = \"drill-hidden\"\nhide = true\n";
    let built_in = Catalogue::embedded().unwrap();
    let drill = &built_in.drills.as_slice()[0].id;
    let layers = layers(&[
        ("10-house/frameworks/house.toml", HOUSE),
        ("10-house/measures/ours.toml", change),
        ("20-less/drills/less.toml", &hide.replace("drill-hidden", drill)),
    ]);
    let catalogue = read(&layers).unwrap();
    assert_eq!(catalogue.requirements.len(), built_in.requirements.len() + 1);
    assert_eq!(catalogue.measures.len(), built_in.measures.len());
    let (before, after) = ("measure-backup-policy-and-schedule", "measure-backup-policy-and-schedule");
    let (before, after) = (built_in.measures.get(before).unwrap(), catalogue.measures.get(after).unwrap());
    assert_eq!(after.title.en.as_ref(), "Our backup rules");
    assert_eq!((&after.action.en, &after.evidence), (&before.action.en, &before.evidence));
    assert!(catalogue.drills.get(drill).is_none());
    assert_eq!(catalogue.drills.len(), built_in.drills.len() - 1);
}

#[test]
fn a_later_layer_counts_before_an_earlier_one() {
    let title = |title: &str| {
        format!(
            "[[measure]]\nid = \"measure-sharing-rules\"\ntitle = {{ en = \"{title}\", de = \"{title}\" }}\n"
        )
    };
    let layers = layers(&[("a/measures/x.toml", &title("First")), ("b/measures/x.toml", &title("Second"))]);
    let catalogue = read(&layers).unwrap();
    assert_eq!(catalogue.measures.get("measure-sharing-rules").unwrap().title.en.as_ref(), "Second");
}

#[test]
fn what_mentions_a_hidden_requirement_lets_it_go() {
    let layers = layers(&[(
        "a/frameworks/less.toml",
        "belongs_to = \"nis2\"\n[[requirement]]\nid = \"nis2-art-20-02\"\nhide = true\n",
    )]);
    let catalogue = read(&layers).unwrap();
    assert!(catalogue.requirements.get("nis2-art-20-02").is_none());
    assert!(catalogue.gaps.iter().all(|gap| &*gap.requirement != "nis2-art-20-02"));
    let mentioned = catalogue.measures.iter().flat_map(Measure::meets).any(|id| id == "nis2-art-20-02");
    assert!(!mentioned);
}

#[test]
fn a_block_there_is_one_of_can_be_changed() {
    let layers =
        layers(&[("a/frameworks/dora.toml", "[framework]\nid = \"dora\"\nversion = \"as we read it\"\n")]);
    let catalogue = read(&layers).unwrap();
    assert_eq!(catalogue.frameworks.get("dora").unwrap().version.as_ref(), "as we read it");
}

#[test]
fn mistakes_are_reported_in_the_layers_file() {
    let layers = layers(&[(
        "10-house/measures/ours.toml",
        "\n[[measure]]\nid = \"measure-sharing-rules\"\npriority = \"urgent\"\n",
    )]);
    let faults = read(&layers).unwrap_err();
    assert_eq!(
        faults,
        "10-house/measures/ours.toml:4: priority must be one of critical, high, medium, low, not \"urgent\""
    );
}

#[test]
fn differences_are_named_by_record_and_field() {
    let copy = TempDir::new().unwrap();
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalogue");
    for entry in fs::read_dir(&original).unwrap().map(Result::unwrap) {
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
    assert_eq!(diff(None, Some(copy.path())).unwrap(), []);
    let file = copy.path().join("measures/sharing.toml");
    let text = fs::read_to_string(&file).unwrap();
    let changed = text.replacen("priority = \"", "priority = \"critical\" # \"", 1);
    let changed = changed.replacen("id = \"measure-sharing-rules\"", "id = \"measure-sharing-norms\"", 1);
    fs::write(&file, changed).unwrap();
    let said: Vec<_> = diff(Some(&original), Some(copy.path())).unwrap();
    let named: Vec<_> = said.iter().map(|d| (d.id.as_str(), d.change.as_str())).collect();
    assert_eq!(
        named,
        [
            ("measure-sharing-arrangement", "changed"),
            ("measure-sharing-norms", "added"),
            ("measure-sharing-rules", "removed")
        ]
    );
    assert_eq!(said[0].change, Change::Changed(vec!["priority".to_owned()]));
    assert_eq!(said[0].to_string(), "changed  measure measure-sharing-arrangement: priority");
}
