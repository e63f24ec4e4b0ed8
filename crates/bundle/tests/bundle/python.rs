//! The verifier in Python, as a process that is handed one bundle after the other.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};
use tidewall_bundle::{Fault, PublicKey, Report};

const DRIVER: &str = r"
import io, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify
expected = bytes.fromhex(sys.argv[2]) if sys.argv[2] else None
while head := sys.stdin.buffer.read(8):
    content = sys.stdin.buffer.read(int.from_bytes(head, 'big'))
    try:
        answer = verify.verify(io.BytesIO(content), expected)
    except verify.Fault as fault:
        answer = {'ok': False, 'code': fault.code}
    print(json.dumps(answer), flush=True)
";

pub(crate) struct Python {
    process: Child,
    bundles: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The folder of the verifier in Python.
pub(crate) fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bundle"))
}

impl Python {
    pub(crate) fn start(expected: Option<PublicKey>) -> Self {
        let key = expected.map_or_else(String::new, |key| key.to_string());
        let mut process = Command::new("python3")
            .args(["-c", DRIVER])
            .arg(folder())
            .arg(key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 is needed for the second verifier");
        let (bundles, answers) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { process, bundles, answers: BufReader::new(answers) }
    }

    pub(crate) fn verify(&mut self, bytes: &[u8]) -> Value {
        self.bundles.write_all(&(bytes.len() as u64).to_be_bytes()).unwrap();
        self.bundles.write_all(bytes).unwrap();
        self.bundles.flush().unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).expect("the verifier ended with an exception")
    }

    /// Verifies with both, and says the code of the fault.
    pub(crate) fn code(&mut self, bytes: &[u8], expected: Option<PublicKey>) -> Option<&'static str> {
        let ours = tidewall_bundle::verify(std::io::Cursor::new(bytes), expected);
        let theirs = self.verify(bytes);
        assert_eq!(theirs, answer(&ours), "the verifiers do not agree");
        ours.err().map(|fault| fault.code())
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the verifier in Python should say.
fn answer(outcome: &Result<Report, Fault>) -> Value {
    match outcome {
        Err(fault) => json!({ "ok": false, "code": fault.code() }),
        Ok(report) => json!({
            "ok": true,
            "key": report.key.to_string(),
            "key_was_compared": report.key_was_compared,
            "subject": report.manifest.subject,
            "files": report.files,
            "missing": report.manifest.missing.len(),
            "entries": report.entries,
            "keyed_entries": report.keyed_entries,
            "requirements": report.requirements,
            "lists": report.lists,
            "stamped": report.is_stamped,
        }),
    }
}
