//! Mistakes about duties, their scope and their time are refused with file and line.
#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::fs;

use tempfile::TempDir;
use tidewall_catalogue::Catalogue;

/// What is wrong with a layer of one file.
fn faults(file: &str, text: &str) -> Vec<String> {
    let layers = TempDir::new().unwrap();
    let path = layers.path().join("10-test").join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    match Catalogue::read(None, Some(layers.path())) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.as_slice().iter().map(ToString::to_string).collect(),
    }
}

fn refused(file: &str, text: &str, message: &str) {
    let found = faults(file, text);
    assert!(found.iter().any(|fault| fault.contains(message)), "{message:?} is not in {found:#?}");
}

#[test]
fn a_measure_is_not_mapped_to_a_definition() {
    refused(
        "measures/ours.toml",
        r#"
        [[measure]]
        id = "measure-patch-management-deadlines"
        mappings = [{ framework = "marisk", requirement = "marisk-at-7-2", provenance = "own" }]
        "#,
        "measure-patch-management-deadlines is mapped to marisk-at-7-2, which is a definition and no duty",
    );
}

#[test]
fn a_gap_item_does_not_ask_about_a_heading_an_option_or_a_duty_of_others() {
    for requirement in ["dora-art-27-01", "dora-art-45-01", "dora-art-42-04"] {
        refused(
            "gaps/ours.toml",
            &format!("[[gap]]\nid = \"gap-dora-art-05-01\"\nrequirement = \"{requirement}\"\n"),
            &format!("gap-dora-art-05-01 asks about {requirement}, which is no duty"),
        );
    }
}

#[test]
fn level_2_does_not_reach_further_than_its_basis() {
    let changed = |applies: &str, basis: &str| {
        format!(
            "belongs_to = \"dora\"\n[[requirement]]\nid = \"dora-rts-301-art-05-01-a\"\napplies = {applies}\nbasis = [\"{basis}\"]\n"
        )
    };
    for (applies, basis, field) in [
        ("{ regime = \"simplified\" }", "dora-art-06-01", "regime"),
        ("{ entities = [\"insurance-undertaking\"] }", "dora-art-26-08-sub-2", "entities"),
        ("{ significance = \"less-significant\" }", "dora-art-26-08-sub-2", "significance"),
    ] {
        let message = format!("dora-rts-301-art-05-01-a reaches further than its basis: {field}");
        refused("frameworks/ours.toml", &changed(applies, basis), &message);
    }
    let fits = changed("{ regime = \"full\" }", "dora-art-06-01");
    assert_eq!(faults("frameworks/ours.toml", &fits), Vec::<String>::new());
}

#[test]
fn a_signal_links_to_the_publication() {
    refused(
        "radar/ours.toml",
        r#"
        [[signal]]
        id = "signal-ours"
        title = { en = "News", de = "Neues" }
        summary = { en = "A supervisor wrote.", de = "Eine Aufsicht schrieb." }
        authority = "EBA"
        date = "2026-11-01"
        topic = { en = "ICT", de = "IKT" }
        impact = "low"
        frameworks = ["dora"]
        so_what = { en = "Read it.", de = "Lesen." }
        cite = "EBA"
        verified_on = "2026-11-15"
        "#,
        "signal-ours has no url of the publication itself",
    );
}

#[test]
fn what_was_replaced_says_until_when_it_held() {
    let requirement =
        |fields: &str| format!("belongs_to = \"dora\"\n[[requirement]]\nid = \"dora-art-05-01\"\n{fields}\n");
    refused(
        "frameworks/ours.toml",
        &requirement("superseded_by = \"dora-art-05-03\""),
        "superseded_by needs valid_until, the last day of what it replaces",
    );
    refused(
        "frameworks/ours.toml",
        &requirement("valid_from = \"2026-01-02\"\nvalid_until = \"2026-01-01\""),
        "valid_until must not be before valid_from",
    );
    refused(
        "frameworks/ours.toml",
        &requirement("valid_until = \"2026-01-01\"\nsuperseded_by = \"dora-art-99\""),
        "superseded_by names dora-art-99, but there is no such requirement",
    );
    refused(
        "frameworks/ours.toml",
        &requirement("applies = { tlpt = false }"),
        "tlpt must be true or left out",
    );
}

#[test]
fn a_requirement_holds_from_its_first_to_its_last_day() {
    let layers = TempDir::new().unwrap();
    let path = layers.path().join("10-test/frameworks/ours.toml");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = "belongs_to = \"dora\"\n[[requirement]]\nid = \"dora-art-05-01\"\nvalid_from = \"2027-02-01\"\n\
                valid_until = \"2027-06-30\"\nsuperseded_by = \"dora-art-05-03\"\n";
    fs::write(&path, text).unwrap();
    let catalogue = Catalogue::read(None, Some(layers.path())).unwrap();
    let found = catalogue.requirements.get("dora-art-05-01").unwrap();
    let bank = domain::profile::Facts::derived("credit-institution".parse().ok(), None);
    let on = |day: &str| catalogue.verdict(found, &bank, day.parse().unwrap());
    assert_eq!(on("2027-01-31").applies_from(), "2027-02-01".parse().ok());
    assert!(on("2027-02-01").applies() && on("2027-06-30").applies());
    assert_eq!(on("2027-07-01").reason.to_string(), "Applied until 2027-06-30.");
}
