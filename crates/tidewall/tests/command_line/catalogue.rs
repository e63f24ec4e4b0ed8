//! Reference data that an operator edits: checked before it is served, and replaced while it is served.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tempfile::TempDir;
use testkit::copy_of_catalogue;

use super::{serve::Service, stderr, stdout, tidewall};
use crate::serving::client::Client;

/// Changes the first line that starts like this and returns its number.
fn edit(file: &PathBuf, start: &str, line: &str) -> usize {
    let text = fs::read_to_string(file).unwrap();
    let number = text.lines().position(|line| line.starts_with(start)).unwrap();
    let edited: Vec<&str> =
        text.lines().enumerate().map(|(n, old)| if n == number { line } else { old }).collect();
    fs::write(file, edited.join("\n")).unwrap();
    number + 1
}

fn check(folder: &Path, more: &[&str]) -> std::process::Output {
    let folder = folder.to_str().unwrap();
    tidewall(&["catalogue", "check", "--catalogue-dir", folder]).args(more).output().unwrap()
}

#[test]
fn a_sound_catalogue_is_counted() {
    let built_in = tidewall(&["catalogue", "check"]).output().unwrap();
    assert!(built_in.status.success() && stdout(&built_in).contains("built in"), "{}", stderr(&built_in));
    let folder = copy_of_catalogue();
    let checked = check(folder.path(), &["--json"]);
    assert!(checked.status.success(), "{}", stderr(&checked));
    let report: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(report["ok"], true);
    assert!(report["records"]["measures"].as_u64().unwrap() >= 140);
}

#[test]
fn every_mistake_is_named_with_file_and_line() {
    let folder = copy_of_catalogue();
    let owner = edit(&folder.path().join("measures/sharing.toml"), "owner = ", "owner = \"the-cat\"");
    let version = edit(&folder.path().join("catalogue.toml"), "version = ", "version = \"2026-13-01\"");
    let checked = check(folder.path(), &[]);
    assert_eq!(checked.status.code(), Some(1));
    let said = stdout(&checked);
    assert!(said.contains(&format!("measures/sharing.toml:{owner}: ")), "{said}");
    assert!(said.contains(&format!("catalogue.toml:{version}: ")), "{said}");
    assert!(stderr(&checked).contains("2 mistakes"), "{}", stderr(&checked));
    let report: serde_json::Value =
        serde_json::from_slice(&check(folder.path(), &["--json"]).stdout).unwrap();
    assert_eq!((&report["ok"], report["faults"].as_array().unwrap().len()), (&false.into(), 2));
    assert!(report["faults"].as_array().unwrap().iter().any(|fault| fault["line"] == owner));
}

#[test]
fn a_broken_catalogue_stops_the_start_and_a_missing_one_too() {
    let (folder, data) = (copy_of_catalogue(), TempDir::new().unwrap());
    let line = edit(&folder.path().join("measures/sharing.toml"), "owner = ", "owner = \"the-cat\"");
    for (dir, said) in [
        (folder.path().to_owned(), format!("measures/sharing.toml:{line}: ")),
        (folder.path().join("nowhere"), "cannot be read".to_owned()),
    ] {
        let output =
            tidewall(&["serve", "--listen", "127.0.0.1:0", "--catalogue-dir", dir.to_str().unwrap()])
                .args(["--data-dir", data.path().to_str().unwrap()])
                .env("TIDEWALL_OPERATOR__LISTEN", "")
                .output()
                .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let error = stderr(&output);
        assert!(error.contains("catalogue_dir: ") && error.contains(&said), "{error}");
    }
}

async fn title(service: &Service) -> String {
    let answer = Client::get(service.address, "/api/measures").await;
    assert_eq!(answer.status, 200);
    let body: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    let measures = body["data"].as_array().unwrap();
    // The first of the file that is edited.
    let shared = measures.iter().find(|measure| measure["id"] == "measure-sharing-arrangement").unwrap();
    shared["title"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn sighup_puts_an_edit_in_use_and_refuses_a_broken_one() {
    let (folder, data) = (copy_of_catalogue(), TempDir::new().unwrap());
    let file = folder.path().join("measures/sharing.toml");
    let service = Service::start_with(&data, &["--catalogue-dir", folder.path().to_str().unwrap()]);
    let before = title(&service).await;
    // Requests go on while it is replaced; none of them fails.
    let address = service.address;
    let asking = tokio::spawn(async move {
        loop {
            assert_eq!(Client::get(address, "/api/measures").await.status, 200);
        }
    });
    edit(&file, "title = ", "title = { en = \"Edited by a test\", de = \"Von einem Test\" }");
    service.signal("HUP");
    let since = Instant::now();
    while title(&service).await == before {
        assert!(since.elapsed() < Duration::from_secs(10), "still the old catalogue");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    edit(&file, "title = ", "title = \"in one language\"");
    service.signal("HUP");
    service.wait_for_log("the old catalogue stays in use");
    assert_ne!(title(&service).await, before);
    assert!(!asking.is_finished(), "a request failed");
    asking.abort();
}

/// What is exported as a workbook comes back equal, and mistakes are named by sheet and row.
#[test]
fn the_catalogue_goes_through_a_workbook_and_back() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (book, again) = (place("catalogue.xlsx"), place("again"));
    let exported = tidewall(&["catalogue", "export", "--xlsx", &book]).output().unwrap();
    assert!(exported.status.success(), "{}", stderr(&exported));
    let checked = tidewall(&["catalogue", "check", "--xlsx", &book]).output().unwrap();
    assert!(checked.status.success() && stdout(&checked).contains("sound"), "{}", stderr(&checked));
    let imported = tidewall(&["catalogue", "import", &book, "--into", &again]).output().unwrap();
    assert!(imported.status.success(), "{}", stderr(&imported));
    let compared = tidewall(&["catalogue", "diff", "built-in", &again]).output().unwrap();
    assert_eq!(stdout(&compared).trim(), "0 records differ.", "{}", stderr(&compared));
    assert!(check(Path::new(&again), &[]).status.success());
    let twice = tidewall(&["catalogue", "import", &book, "--into", &again]).output().unwrap();
    assert!(stderr(&twice).contains("not empty"), "{}", stderr(&twice));
    let from_folder = place("folder.xlsx");
    let args = ["catalogue", "export", "--catalogue-dir", &again, "--xlsx", &from_folder];
    assert!(tidewall(&args).output().unwrap().status.success());
    assert_eq!(fs::read(&from_folder).unwrap(), fs::read(&book).unwrap(), "the same bytes");
    let broken = place("broken.xlsx");
    fs::write(&broken, "no workbook").unwrap();
    let refused = tidewall(&["catalogue", "check", "--xlsx", &broken]).output().unwrap();
    assert!(!refused.status.success() && stderr(&refused).contains("cannot be read"), "{}", stderr(&refused));
}
