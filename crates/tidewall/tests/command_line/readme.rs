//! The README's lines for real use, pasted into an empty folder.

use std::{
    env,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::tidewall;

/// Ends the shell and the service it started.
struct Pasted(Child);

impl Drop for Pasted {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-s", "KILL", "--", &group]).status();
        let _ = self.0.wait();
    }
}

/// The lines of the first block after these words.
fn block_after(words: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once(words).expect("the README says these words");
    let (_, rest) = rest.split_once("```\n").expect("a block follows");
    rest.split_once("```").expect("the block ends").0.to_owned()
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_lines_for_real_use_work_when_pasted() {
    let lines = block_after("For real use");
    assert_eq!(lines.lines().count(), 4, "{lines}");
    let folder = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let program = Path::new(env!("CARGO_BIN_EXE_tidewall")).parent().unwrap();
    let path = format!("{}:{}", program.display(), env::var("PATH").unwrap());
    // Where it listens is the one thing a test must choose; the environment wins over the file.
    let mut command = Command::new("bash");
    command.args(["-ec", &lines]).current_dir(folder.path()).process_group(0);
    for (name, _) in tidewall(&[]).get_envs() {
        command.env_remove(name);
    }
    command.env("PATH", path).env("TIDEWALL_LISTEN", &address).env("TIDEWALL_OPERATOR__LISTEN", "");
    let spawned = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pasted = Pasted(spawned);
    let mut printed = BufReader::new(pasted.0.stdout.take().unwrap()).lines();
    let tenant = printed.next().expect("the tenant's id").unwrap();
    assert!(tenant.starts_with("ten_"), "{tenant}");
    let link = printed.next().expect("the link of the invitation").unwrap();
    let link_path = link.strip_prefix(&format!("http://{address}")).expect(&link).to_owned();
    let mut log = BufReader::new(pasted.0.stderr.take().unwrap()).lines();
    let ready = format!("ready: open http://{address}/workspace");
    let mut before = String::new();
    loop {
        let said = log.next().unwrap_or_else(|| panic!("it never said where to look: {before}")).unwrap();
        if said.contains(&ready) {
            break;
        }
        before.push_str(&said);
    }
    assert!(!before.contains("0090_search_upkeep"), "migrations come after the address: {before}");
    assert!(before.contains("listening on"), "it is ready once it listens: {before}");
    assert!(get(&address, &link_path).starts_with("HTTP/1.1 303"), "the link is of the store being served");
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["data", "tidewall.toml"]);
}
