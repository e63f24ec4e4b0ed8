//! A virus scanner: `clamd` over TCP with its `INSTREAM` command. The file is sent in parts, so its size costs no
//! memory.

use std::{
    io::{self, Read, Write as _},
    net::{TcpStream, ToSocketAddrs as _},
    time::Duration,
};

/// How long connecting, and each further step, may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// How much is sent at once.
const PART: usize = 64 * 1024;
/// A longer answer is invalid.
const MAX_ANSWER: u64 = 4096;

/// The scanner's verdict on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Clean,
    /// The name of the malware.
    Infected(String),
}

/// Scans a file with the scanner at this address. Anything but a verdict is an error: an unknown answer must not let
/// a file pass.
pub fn scan(address: &str, file: &mut impl Read) -> io::Result<Verdict> {
    let mut stream = connect(address)?;
    stream.write_all(b"zINSTREAM\0")?;
    let mut part = vec![0; PART];
    loop {
        let length = file.read(&mut part)?;
        let size = u32::try_from(length).map_err(io::Error::other)?;
        stream.write_all(&size.to_be_bytes())?;
        if length == 0 {
            break;
        }
        stream.write_all(&part[..length])?;
    }
    stream.flush()?;
    let mut answer = Vec::new();
    stream.take(MAX_ANSWER).read_to_end(&mut answer)?;
    verdict(&String::from_utf8_lossy(&answer))
}

fn connect(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the address of the scanner leads nowhere");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, PATIENCE) {
            Ok(stream) => {
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Reads `stream: OK` or `stream: NAME FOUND`.
fn verdict(answer: &str) -> io::Result<Verdict> {
    let answer = answer.trim_end_matches(['\0', '\n', '\r']);
    match answer.strip_prefix("stream: ") {
        Some("OK") => Ok(Verdict::Clean),
        Some(found) if found.ends_with(" FOUND") => {
            Ok(Verdict::Infected(found.trim_end_matches(" FOUND").to_owned()))
        }
        _ => Err(io::Error::other(format!("the scanner answered {answer:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_verdict_lets_a_file_in() {
        assert_eq!(verdict("stream: OK\0").unwrap(), Verdict::Clean);
        assert_eq!(
            verdict("stream: Eicar-Test-Signature FOUND\0").unwrap(),
            Verdict::Infected("Eicar-Test-Signature".into())
        );
        for other in ["", "INSTREAM size limit exceeded. ERROR\0", "stream: ERROR", "UNKNOWN COMMAND"] {
            assert!(verdict(other).is_err(), "{other}");
        }
    }
}
