//! What creating a tenant and inviting a person say besides the id and the link.

use std::{io::Write as _, process::Stdio};

use tempfile::TempDir;

use super::{stderr, stdout, tidewall};

#[test]
fn a_new_tenant_and_an_invitation_say_what_comes_next_and_how_long_the_link_works() {
    let directory = TempDir::new().unwrap();
    let run = |arguments: &[&str]| {
        let output = tidewall(arguments).env("TIDEWALL_DATA_DIR", directory.path()).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        (stdout(&output), stderr(&output))
    };
    let (id, said) = run(&["tenant", "create", "north", "--name", "North Bank"]);
    assert!(id.starts_with("ten_") && id.lines().count() == 1, "{id}");
    assert!(said.contains("tidewall user invite") && said.contains("North Bank"), "{said}");
    let invite = ["user", "invite", "officer@north.example", "--tenant", "north", "--role", "administrator"];
    let (link, said) = run(&invite);
    assert!(link.starts_with("http") && link.lines().count() == 1, "{link}");
    assert!(said.contains("within 7 day(s)") && said.contains("tidewall serve"), "{said}");
}

/// Tests of pages and routes hash passwords with less memory than the program does.
#[test]
fn the_program_hashes_passwords_with_46_mib_one_pass_and_one_lane() {
    let directory = TempDir::new().unwrap();
    let command = |arguments: &[&str]| {
        let mut command = tidewall(arguments);
        command.env("TIDEWALL_DATA_DIR", directory.path());
        command
    };
    let tenant = command(&["tenant", "create", "north", "--name", "North Bank"]).output().unwrap();
    assert!(tenant.status.success(), "{}", stderr(&tenant));
    let create = ["user", "create", "officer@north.example", "--tenant", "north", "--role", "administrator"];
    let mut create = command(&create).arg("--password-stdin").stdin(Stdio::piped()).spawn().unwrap();
    create.stdin.take().unwrap().write_all(b"a horse of another colour").unwrap();
    assert!(create.wait().unwrap().success());
    let store = rusqlite::Connection::open(directory.path().join("tidewall.db")).unwrap();
    let hash: String = store.query_row("SELECT password_hash FROM users", [], |row| row.get(0)).unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{hash}");
}
