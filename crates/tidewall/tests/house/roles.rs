//! The documentation of roles is generated from the product's table.

use std::fs;

use domain::{right::markdown, wording::Language};

use super::root;

const START: &str = "do not edit it. -->\n";
const END: &str = "<!-- End of the table. -->";

#[test]
fn roles_are_documented_as_they_are() {
    let path = root().join("docs/workspace.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(START).unwrap();
    let (committed, after) = rest.split_once(END).unwrap();
    let table = format!("\n{}\n", markdown(Language::English));
    if std::env::var_os("TIDEWALL_UPDATE_DOCS").is_some() {
        fs::write(&path, [before, START, &table, END, after].concat()).unwrap();
        return;
    }
    assert!(committed == table, "run: TIDEWALL_UPDATE_DOCS=1 cargo test -p tidewall roles_are_documented");
}
