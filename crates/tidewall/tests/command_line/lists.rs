//! The output and the effect of the commands for tenants, users and keys.

use std::{path::Path, process::Output};

use serde_json::Value;
use tempfile::TempDir;

use super::{stderr, stdout, tidewall};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    tidewall(arguments).env("TIDEWALL_DATA_DIR", folder).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn a_store() -> TempDir {
    let folder = TempDir::new().unwrap();
    done(folder.path(), &["tenant", "create", "north", "--name", "North Bank AG"]);
    folder
}

fn invite(folder: &Path, email: &str, tenant: &str) -> Output {
    run(folder, &["user", "invite", email, "--tenant", tenant, "--role", "viewer"])
}

#[test]
fn lists_have_a_heading_and_say_when_they_are_empty() {
    let folder = TempDir::new().unwrap();
    done(folder.path(), &["migrate"]);
    assert_eq!(done(folder.path(), &["tenant", "list"]), "none yet\n");
    assert_eq!(done(folder.path(), &["tenant", "list", "--json"]), "[]\n");
    let folder = a_store();
    assert_eq!(done(folder.path(), &["user", "list"]), "none yet\n");
    assert_eq!(done(folder.path(), &["key", "list", "--tenant", "north"]), "none yet\n");
    done(folder.path(), &["key", "create", "--tenant", "north", "--name", "ci"]);
    let keys = done(folder.path(), &["key", "list", "--tenant", "north"]);
    assert!(keys.starts_with("ID "), "{keys}");
    let tenants = done(folder.path(), &["tenant", "list"]);
    let heading: Vec<_> = tenants.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(heading, ["TENANT", "ID", "STATE", "NAME"]);
}

#[test]
fn people_are_listed_with_their_tenant_and_get_another_role() {
    let folder = a_store();
    done(folder.path(), &["tenant", "create", "south", "--name", "South Bank AG"]);
    for (email, tenant) in [("anna@north.example", "north"), ("ben@south.example", "south")] {
        assert!(invite(folder.path(), email, tenant).status.success());
    }
    let listed = done(folder.path(), &["user", "list"]);
    let words = |line: usize| listed.lines().nth(line).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(words(0)[..3], ["EMAIL", "TENANT", "ROLE"]);
    assert_eq!(words(1)[..4], ["anna@north.example", "north", "viewer", "invited"]);
    assert_eq!(words(2)[..4], ["ben@south.example", "south", "viewer", "invited"]);
    done(folder.path(), &["user", "role", "anna@north.example", "manager"]);
    let listed = done(folder.path(), &["user", "list", "--tenant", "north", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!((&listed[0]["role"], &listed[0]["tenant"]), (&"manager".into(), &"north".into()));
    assert_eq!(listed.as_array().unwrap().len(), 1);
}

#[test]
fn a_new_tenant_and_a_link_come_with_what_to_do_next() {
    let folder = TempDir::new().unwrap();
    let created = run(folder.path(), &["tenant", "create", "north", "--name", "North Bank AG"]);
    assert_eq!(stdout(&created).lines().count(), 1, "scripts read the id alone");
    assert!(stderr(&created).contains("tidewall user invite ADDRESS --tenant north"), "{}", stderr(&created));
    let invited = invite(folder.path(), "anna@north.example", "north");
    assert_eq!(stdout(&invited).lines().count(), 1);
    assert!(stderr(&invited).contains("works once, within 7 day(s), while the service runs"));
}

#[test]
fn inviting_again_names_the_verb_that_prints_a_new_link() {
    let folder = a_store();
    assert!(invite(folder.path(), "anna@north.example", "north").status.success());
    let again = invite(folder.path(), "anna@north.example", "north");
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(
        stderr(&again),
        "tidewall: anna@north.example is invited already (tenant north): \
         `tidewall user reset anna@north.example` prints a new link\n"
    );
    assert!(done(folder.path(), &["user", "reset", "anna@north.example"]).contains("/workspace/link/"));
}

#[test]
fn a_tenant_is_renamed_closed_and_opened_again() {
    let folder = a_store();
    done(folder.path(), &["tenant", "rename", "north", "North Bank SE"]);
    let unsure = run(folder.path(), &["tenant", "close", "north"]);
    assert_eq!(unsure.status.code(), Some(2));
    assert!(stderr(&unsure).ends_with("add --yes to confirm\n"), "{}", stderr(&unsure));
    let listed = |folder: &Path| {
        let listed: Value = serde_json::from_str(&done(folder, &["tenant", "list", "--json"])).unwrap();
        (listed[0]["name"].as_str().unwrap().to_owned(), listed[0]["state"].as_str().unwrap().to_owned())
    };
    assert_eq!(listed(folder.path()), ("North Bank SE".into(), "open".into()));
    done(folder.path(), &["tenant", "close", "north", "--yes"]);
    assert_eq!(listed(folder.path()), ("North Bank SE".into(), "closed".into()));
    done(folder.path(), &["tenant", "open", "north"]);
    assert_eq!(listed(folder.path()).1, "open");
    done(folder.path(), &["audit", "verify"]);
}

#[test]
fn the_version_is_a_verb() {
    let folder = TempDir::new().unwrap();
    let printed = done(folder.path(), &["version"]);
    assert!(printed.starts_with(concat!("tidewall ", env!("CARGO_PKG_VERSION"))), "{printed}");
    assert!(printed.contains(", debug build, store "), "the profile is named: {printed}");
}

/// The words a user tries first are the words of the help.
#[test]
fn help_and_verbs_use_the_same_words() {
    let folder = TempDir::new().unwrap();
    for (noun, verbs) in [
        ("user", &["create", "invite", "list", "reset", "disable", "enable"][..]),
        ("tenant", &["create", "list", "rename", "close", "open"]),
        ("key", &["create", "list", "revoke"]),
    ] {
        let help = done(folder.path(), &[noun, "--help"]).to_lowercase();
        let about = help.lines().next().unwrap().to_owned();
        for verb in verbs {
            assert!(about.contains(verb), "`{noun} --help` begins {about:?} without {verb}");
            assert!(help.contains(&format!("\n  {verb} ")), "{noun} has no verb {verb}");
        }
    }
}
