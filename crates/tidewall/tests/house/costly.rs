//! The operator's manual lists the costly works as the code does.

use std::fs;

use app::works::{MOST_MIB_IN_ALL, WORKS};

use super::root;

#[test]
fn the_manual_lists_every_costly_work_with_its_most_memory_and_time() {
    let rows = WORKS.map(|work| {
        let (slots, bound) = (work.slots.as_str(), work.bound);
        format!("| {} | {slots} | {} MiB | {} s | {bound} |\n", work.name, work.most_mib, work.most_seconds)
    });
    let table = format!(
        "| Work | Slots | Memory at most | Time at most | Bounded by |\n|---|---|---|---|---|\n{}",
        rows.concat()
    );
    let manual = fs::read_to_string(root().join("docs/operations.md")).unwrap();
    assert!(manual.contains(&table), "docs/operations.md lacks this table:\n{table}");
    assert!(manual.contains(&format!("at most {MOST_MIB_IN_ALL} MiB together")));
}
