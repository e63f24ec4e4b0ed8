//! The use cases of a subject are in the folder with the name of its field; only jobs and the seeds have the whole
//! application. The types keep the order of the subjects: each holds those that it calls by value.

use std::collections::BTreeMap;

use super::{product, sources};

/// The type of an `impl` without a trait.
fn implemented(line: &str) -> Option<&str> {
    line.strip_prefix("impl ")?.strip_suffix(" {")
}

#[test]
fn use_cases_are_in_the_folder_of_their_subject() {
    let sources = sources("crates/app/src");
    let subjects = sources.iter().find(|(path, _)| path == "crates/app/src/subjects.rs");
    let (_, fields) = subjects.and_then(|(_, text)| text.split_once("pub struct Subjects {")).unwrap();
    let fields = fields.lines().take_while(|line| *line != "}");
    let fields =
        fields.filter_map(|line| line.trim().strip_prefix("pub ")?.strip_suffix(',')?.split_once(": "));
    let folders: BTreeMap<&str, &str> = fields.map(|(folder, subject)| (subject, folder)).collect();
    let mut found = 0;
    for (path, text) in &sources {
        for subject in product(text).lines().filter_map(implemented) {
            let folder = match folders.get(subject) {
                // A type of another module with the name of a subject.
                Some(_) if text.contains(&format!("struct {subject} {{")) => continue,
                Some(folder) => format!("crates/app/src/{folder}/"),
                None => continue,
            };
            found += 1;
            assert!(path.starts_with(&folder), "{path} has use cases of {subject}, which belong in {folder}");
        }
    }
    assert!(folders.len() > 10 && found > 100, "{found} blocks of {} subjects", folders.len());
}

#[test]
fn only_jobs_and_seeds_have_the_whole_application() {
    for (path, text) in sources("crates/app/src") {
        let is_above = ["lib.rs", "seed.rs", "jobs/"]
            .iter()
            .any(|place| path.starts_with(&format!("crates/app/src/{place}")));
        let has = product(&text).lines().any(|line| line == "impl App {" || line.contains("app: &App"));
        assert!(is_above || !has, "{path} has the whole application: name the subject");
    }
}
