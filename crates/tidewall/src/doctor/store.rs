//! The store: whether it is reachable, has this binary's schema, is intact, and has the right permissions.

use std::{fs, os::unix::fs::PermissionsExt as _};

use app::audit_head::{has_kept_heads, kept_heads};
use domain::moment::Moment;
use store::{
    audit_key::SealedKey,
    sql::{
        Location,
        backup::{self, Anchors, Contents},
        migrate,
    },
};

use super::Finding;
use crate::{cli::audit::not_checked, compose, config::Settings};

const KEY_BYTES: u64 = 32;
const MUCH_LOG: u64 = 512 << 20;
/// Synchronised clocks differ by less.
const AHEAD_MS: i64 = 120_000;

pub(super) fn schema(settings: &Settings, first_start: bool) -> Finding {
    const CHECK: &str = "store";
    let location = compose::location(settings);
    let (place, absent) = match &location {
        Location::File { path, .. } => (path.display().to_string(), !path.exists()),
        Location::Server { .. } => ("PostgreSQL".to_owned(), false),
    };
    if absent && !first_start {
        return Finding::fault(
            CHECK,
            format!("there is no store at {place}"),
            "run this in the directory of the service, or name the store with --data-dir or --config; before the \
             first start add --first-start",
        );
    }
    if absent {
        return Finding::ok(CHECK, format!("{place} is not there yet; `tidewall serve` makes it"));
    }
    match migrate::pending(&location) {
        Ok(names) if names.is_empty() => Finding::ok(CHECK, format!("{place} is up to date")),
        Ok(names) => Finding::warning(
            CHECK,
            format!("{place} lacks {} migration(s), the first is {}", names.len(), names[0]),
            "run `tidewall migrate`, or start with `tidewall serve`, which does it",
        ),
        Err(error @ store::Error::Refused(_)) => {
            Finding::fault(CHECK, error.to_string(), "see the remedy in that sentence")
        }
        Err(error) => Finding::fault(
            CHECK,
            format!("{place} cannot be used ({error})"),
            "check data_dir or database_url and that the database runs; restore a backup if the file is damaged",
        ),
    }
}

/// Reads all of a store with this binary's schema. The second finding is about the clock, from its entries.
pub(super) fn contents(settings: &Settings, anchors: Option<&Anchors>, now: Moment) -> Vec<Finding> {
    const CHECK: &str = "integrity";
    let location = compose::location(settings);
    let absent = matches!(&location, Location::File { path, .. } if !path.exists());
    if absent || migrate::pending(&location).map_or(true, |names| names.len() == migrate::known().count()) {
        return Vec::new();
    }
    let vault = compose::vault_at_hand(settings);
    let find_keys =
        |kept: &[SealedKey]| vault.as_ref().map(|vault| vault.audit_keys(kept)).unwrap_or_default();
    let (anchors, kept) = with_kept(settings, anchors);
    match backup::inspect(&location, &anchors, &find_keys) {
        Ok(contents) => {
            let detail = format!(
                "whole: {} tenant(s), {} audit entries in {} chains; {}",
                contents.count("tenants"),
                contents.count("audit_entries"),
                contents.heads.len(),
                compared(&contents, &anchors, kept)
            );
            let mut found = vec![Finding::ok(CHECK, detail), clock(&contents, now)];
            found.push(keys(&contents));
            found
        }
        Err(error @ store::Error::Unavailable(_)) => {
            let remedy = "try again; if it stays, check the disk and the database";
            vec![Finding::fault(CHECK, error.to_string(), remedy)]
        }
        Err(error) => vec![Finding::fault(
            CHECK,
            error.to_string(),
            "stop the service, keep a copy of the store, and restore the newest backup (`tidewall restore`)",
        )],
    }
}

/// The heads given, and those that the nightly check kept on this machine; whether there were any of these.
fn with_kept(settings: &Settings, anchors: Option<&Anchors>) -> (Anchors, LastCheck) {
    let mut anchors = anchors.cloned().unwrap_or_default();
    let epoch = backup::epoch(&compose::location(settings)).unwrap_or_default();
    let kept = kept_heads(&settings.data_dir, &epoch);
    let found = match &kept {
        Some(_) => LastCheck::Here,
        None if has_kept_heads(&settings.data_dir) => LastCheck::OfAnotherLife,
        None => LastCheck::Nowhere,
    };
    for (chain, head) in kept.into_iter().flatten() {
        anchors.entry(chain).or_default().push(head);
    }
    (anchors, found)
}

/// What the nightly check has left on this machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastCheck {
    Here,
    OfAnotherLife,
    Nowhere,
}

/// With what the ends of the audit chains were compared: without heads kept elsewhere a cut-off end cannot be seen.
fn compared(contents: &Contents, anchors: &Anchors, kept: LastCheck) -> String {
    let open = contents.heads.keys().filter(|chain| !anchors.contains_key(*chain)).count();
    let whence = match kept {
        LastCheck::Here => "",
        LastCheck::OfAnotherLife => {
            "; the heads kept on this machine are of the store before it was restored"
        }
        LastCheck::Nowhere => {
            "; the nightly check has kept no heads on this machine, another node may have some"
        }
    };
    let said = match open {
        0 => "every chain passes through its exported head".to_owned(),
        open if anchors.is_empty() => format!(
            "not checked: whether the end of {open} chain(s) was cut off (give an earlier export: --heads FILE)"
        ),
        open => format!("not checked: the end of {open} chain(s) that no head was kept of"),
    };
    said + if open == 0 { "" } else { whence }
}

/// What of the chains the key at hand could not check.
fn keys(contents: &Contents) -> Finding {
    const CHECK: &str = "audit keys";
    let notes = not_checked(contents.unchecked);
    let said = format!("not checked: {}", notes.join("; "));
    if notes.is_empty() {
        return Finding::ok(CHECK, "every audit entry was checked with its key");
    }
    if contents.unchecked.without_key > 0 {
        Finding::warning(CHECK, said, "look again where the vault key is")
    } else {
        Finding::ok(CHECK, said)
    }
}

/// Entries from the future mean that the clock was, or is, wrong.
fn clock(contents: &Contents, now: Moment) -> Finding {
    const CHECK: &str = "clock";
    match contents.latest {
        Some(latest) if latest.millis() - now.millis() > AHEAD_MS => Finding::fault(
            CHECK,
            format!("it is {now} here, but the store has an entry from {latest}"),
            "set the clock and keep it in time (timedatectl set-ntp true); deadlines and limits go by it",
        ),
        _ => Finding::ok(CHECK, format!("{now}, not behind the store")),
    }
}

pub(super) fn log(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "write-ahead log";
    let Location::File { path, .. } = compose::location(settings) else { return None };
    let bytes = backup::log_bytes(&path);
    let detail = format!("{} MiB", bytes >> 20);
    Some(if bytes > MUCH_LOG {
        let remedy = "something reads for very long: end it, or restart the service, which folds the log in";
        Finding::warning(CHECK, detail, remedy)
    } else {
        Finding::ok(CHECK, detail)
    })
}

/// The key that seals secrets in the store.
pub(super) fn key_file(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "key file";
    let place = compose::place(settings);
    if place.vault.is_some() {
        return Some(Finding::ok(CHECK, "the key comes from the settings or from systemd"));
    }
    let path = place.key_file;
    let shown = path.display();
    let metadata = match fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(_) if !has_rows(settings) => return None,
        Err(error) => {
            return Some(Finding::fault(
                CHECK,
                format!("{shown} cannot be used ({error})"),
                "put it back from an encrypted backup or from where you keep it; without it stored webhook URLs and \
                 second factors are lost",
            ));
        }
    };
    let misshapen = metadata.len() == 0 || !metadata.len().is_multiple_of(KEY_BYTES);
    Some(if misshapen || fs::File::open(&path).is_err() {
        let detail = format!("{shown} is not a readable file of keys of {KEY_BYTES} bytes");
        Finding::fault(CHECK, detail, "put the right one back; it is in every encrypted backup")
    } else if metadata.permissions().mode() & 0o077 != 0 {
        let detail = format!("{shown} can be read by other users of this machine");
        Finding::fault(CHECK, detail, format!("chmod 600 {shown}"))
    } else {
        Finding::ok(CHECK, format!("{shown} is there and private"))
    })
}

/// Whether the store was ever used with a key.
fn has_rows(settings: &Settings) -> bool {
    match compose::location(settings) {
        Location::File { path, .. } => path.exists(),
        // The node may be new: it gets its key before its first start.
        Location::Server { .. } => false,
    }
}

pub(super) fn database_file(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "database file";
    let Location::File { path, .. } = compose::location(settings) else { return None };
    let shown = path.display();
    let mode = fs::metadata(&path).ok()?.permissions().mode();
    let directory = fs::metadata(&settings.data_dir).ok()?.permissions().mode();
    Some(if fs::OpenOptions::new().write(true).open(&path).is_err() {
        let remedy = format!("chown it to the user the service runs as ({shown})");
        Finding::fault(CHECK, format!("{shown} cannot be written by this user"), remedy)
    } else if mode & directory & 0o007 != 0 {
        let detail = format!("every user of this machine can reach {shown}");
        Finding::fault(CHECK, detail, format!("chmod 700 {}", settings.data_dir.display()))
    } else {
        Finding::ok(CHECK, format!("{shown} is private"))
    })
}

/// Row-level security is the second barrier between tenants; it does not apply to some roles.
pub(super) fn role(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "database role";
    let Location::Server { url, .. } = compose::location(settings) else { return None };
    Some(match backup::role_rights(&url) {
        Ok(rights) if rights.above_row_security => Finding::warning(
            CHECK,
            "row-level security does not hold for it",
            "use a role that is no superuser and has no BYPASSRLS",
        ),
        Ok(rights) if rights.owns_tables => Finding::warning(
            CHECK,
            "row-level security holds for it, but it owns the tables: it could lift that and change audit entries",
            "let another role own them: set database.migrator_url and run `tidewall migrate` (docs/operations.md)",
        ),
        Ok(rights) if rights.changes_audit => Finding::warning(
            CHECK,
            "row-level security holds for it, but it can change or delete audit entries",
            "set database.migrator_url and run `tidewall migrate`, which takes that right away",
        ),
        Ok(_) => Finding::ok(
            CHECK,
            "row-level security holds for it; it can neither lift that nor change audit entries",
        ),
        // Another check reports that it cannot be reached.
        Err(_) => return None,
    })
}
