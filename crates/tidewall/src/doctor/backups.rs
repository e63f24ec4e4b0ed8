//! Backups: whether they can be taken, and whether there is a recent one.

use std::{fs, os::unix::fs::MetadataExt as _, path::Path, process::Command};

use app::backup::{Secret, newest};
use domain::moment::Moment;
use store::sql::Location;

use super::{Finding, machine};
use crate::{compose, config::Settings};

const CHECK: &str = "backup";
const DAY_MS: i64 = 86_400_000;

pub(super) fn check(settings: &Settings, now: Moment) -> Option<Finding> {
    let backup = &settings.backup;
    let schedule = backup.schedule.as_ref()?;
    if let Err(error) = machine::probe(machine::nearest_existing(&backup.directory)) {
        let detail = format!("{} cannot be written to ({error})", backup.directory.display());
        return Some(Finding::fault(CHECK, detail, "set backup.directory to one this user may write to"));
    }
    if let Some(Err(error)) = backup.key_file.as_deref().map(Secret::from_file) {
        let remedy = "set backup.key_file to the file with the passphrase, readable by this user";
        return Some(Finding::fault(CHECK, error.to_string(), remedy));
    }
    if let Location::Server { .. } = compose::location(settings)
        && let Some(missing) = ["pg_dump", "pg_restore", "psql"].into_iter().find(|tool| !is_there(tool))
    {
        return Some(Finding::fault(
            CHECK,
            format!("{missing} is not installed; backups of PostgreSQL need it"),
            "install PostgreSQL's client programs (Debian: postgresql-client), of the server's version or newer",
        ));
    }
    Some(age(settings, schedule.as_str(), now))
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn age(settings: &Settings, schedule: &str, now: Moment) -> Finding {
    let directory = &settings.backup.directory;
    let weak = weaknesses(settings);
    let scheduled = [format!("scheduled, into {}", directory.display())].into_iter().chain(weak.clone());
    let scheduled = scheduled.collect::<Vec<_>>().join(", ");
    let judged = |detail: String| match &weak[..] {
        [] => Finding::ok(CHECK, detail),
        _ => Finding::warning(
            CHECK,
            detail,
            "set backup.directory to another disk and backup.key_file to a file with a passphrase, and keep that file \
             elsewhere",
        ),
    };
    let store_is_old = match compose::location(settings) {
        Location::File { path, .. } => age_days(&path, now).is_some_and(|days| days >= longest(schedule)),
        Location::Server { .. } => false,
    };
    let remedy = "see the log of the job backup, and take one now with `tidewall backup`";
    match newest(directory) {
        Err(error) => Finding::fault(CHECK, error.to_string(), "let this user read backup.directory"),
        Ok(None) if store_is_old => Finding::warning(CHECK, "there is no backup yet", remedy),
        Ok(None) => judged(scheduled),
        Ok(Some(file)) => match age_days(&file, now) {
            Some(days) if days >= longest(schedule) => {
                Finding::warning(CHECK, format!("the newest backup is {days} days old"), remedy)
            }
            _ => judged(format!("{scheduled}; the newest is {}", file.display())),
        },
    }
}

/// What a lost disk or a stolen copy would cost.
fn weaknesses(settings: &Settings) -> Vec<String> {
    let device = |path: &Path| fs::metadata(machine::nearest_existing(path)).ok().map(|found| found.dev());
    let is_beside = matches!(compose::location(settings), Location::File { .. })
        && device(&settings.backup.directory) == device(&settings.data_dir);
    let beside = is_beside.then(|| "on the same disk as the store".to_owned());
    let plain = settings.backup.key_file.is_none().then(|| "not encrypted".to_owned());
    beside.into_iter().chain(plain).collect()
}

/// Days since the file was last written.
fn age_days(path: &Path, now: Moment) -> Option<i64> {
    let modified = fs::metadata(path).ok()?.modified().ok()?;
    let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((now.millis() - i64::try_from(since.as_millis()).ok()?) / DAY_MS)
}

/// The maximum age in days of the newest backup on this schedule: a day more than the interval, by its coarsest
/// field.
fn longest(schedule: &str) -> i64 {
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    let any = |place: usize| fields.get(place).is_none_or(|field| *field == "*");
    match (any(3), any(2), any(4)) {
        (false, ..) => 367,
        (_, false, _) => 32,
        (_, _, false) => 8,
        _ => 2,
    }
}
