//! The TLS certificate: whether it matches its key, who can read the key, and until when it is valid.
//!
//! Only the validity is read from the certificate, by parsing the DER up to it; the TLS library checked everything
//! else when it loaded the pair.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use domain::moment::Moment;
use rustls_pki_types::{CertificateDer, pem::PemObject as _};

use super::Finding;
use crate::{config::Settings, listener::Tls};

const CHECK: &str = "tls";
const DAY_MS: i64 = 86_400_000;
/// The number of days before the end from which renewal is recommended.
const SOON: i64 = 21;

pub(super) fn check(settings: &Settings, now: Moment) -> Option<Finding> {
    let files = settings.tls.clone()?;
    if let Err(error) = Tls::load(files.clone(), settings.server.limits.http2) {
        return Some(Finding::fault(CHECK, error.to_string(), "put the two files right, then look again"));
    }
    let others = fs::metadata(&files.key_file).map_or(0, |file| file.permissions().mode() & 0o007);
    if others != 0 {
        let detail = format!("every user of this machine can read {}", files.key_file.display());
        return Some(Finding::warning(CHECK, detail, format!("chmod o= {}", files.key_file.display())));
    }
    Some(validity(&files.cert_file, now))
}

fn validity(path: &Path, now: Moment) -> Finding {
    let first = CertificateDer::pem_file_iter(path).ok().and_then(|mut found| found.next()?.ok());
    let Some((from, until)) = first.as_ref().and_then(|certificate| valid(certificate)) else {
        return Finding::warning(
            CHECK,
            "how long the certificate is valid cannot be read",
            "look at it by hand",
        );
    };
    let left = (until.millis() - now.millis()) / DAY_MS;
    let remedy = "renew it, then send SIGHUP (systemctl reload tidewall)";
    if until <= now {
        Finding::fault(CHECK, format!("the certificate expired at {until}"), remedy)
    } else if now < from {
        let remedy = "check the clock of this machine, or use a certificate that is valid already";
        Finding::fault(CHECK, format!("the certificate is valid only from {from}"), remedy)
    } else if left < SOON {
        Finding::warning(CHECK, format!("the certificate expires in {left} days, at {until}"), remedy)
    } else {
        Finding::ok(CHECK, format!("the certificate and its key fit; valid for {left} days, until {until}"))
    }
}

/// Start and end: the fifth field of the signed part, or the fourth if no version is given.
fn valid(certificate: &[u8]) -> Option<(Moment, Moment)> {
    const SEQUENCE: u8 = 0x30;
    const VERSION: u8 = 0xa0;
    let (_, certificate, _) = element(certificate)?;
    let (_, mut signed, _) = element(certificate)?;
    let (tag, _, rest) = element(signed)?;
    if tag == VERSION {
        signed = rest;
    }
    // Serial number, algorithm, issuer; then the validity.
    for _ in 0..3 {
        (_, _, signed) = element(signed)?;
    }
    let (SEQUENCE, mut field, _) = element(signed)? else { return None };
    let mut times = [None; 2];
    for time in &mut times {
        let (tag, content, rest) = element(field)?;
        *time = moment(tag, content);
        field = rest;
    }
    Some((times[0]?, times[1]?))
}

/// The first element's tag and content, and the rest.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[tag, first], rest) = bytes.split_first_chunk::<2>()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x84 => {
            let (size, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (size.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// `YYMMDDhhmmssZ`, or with four digits of the year.
fn moment(tag: u8, content: &[u8]) -> Option<Moment> {
    let text = std::str::from_utf8(content).ok()?;
    let long = match tag {
        // Two digits mean 1950 to 2049.
        0x17 if text.get(..2)? >= "50" => format!("19{text}"),
        0x17 => format!("20{text}"),
        0x18 => text.to_owned(),
        _ => return None,
    };
    let part = |from, to| long.get(from..to);
    let (date, time) =
        ((part(0, 4)?, part(4, 6)?, part(6, 8)?), (part(8, 10)?, part(10, 12)?, part(12, 14)?));
    format!("{}-{}-{}T{}:{}:{}Z", date.0, date.1, date.2, time.0, time.1, time.2).parse().ok()
}
