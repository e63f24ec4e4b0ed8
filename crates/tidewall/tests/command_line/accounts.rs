//! What creating a tenant and inviting a person say besides the id and the link.

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
