//! Directories, disk space and file descriptors.

use std::{fs, io, os::unix::fs::PermissionsExt as _, path::Path, process};

use rustix::process::{Resource, getrlimit};

use super::Finding;
use crate::{config::Settings, listener::descriptors_for};

const MIB: u64 = 1 << 20;
const LITTLE_SPACE: u64 = 1024 * MIB;
const NO_SPACE: u64 = 100 * MIB;

pub(super) fn data_directory(settings: &Settings) -> Finding {
    const CHECK: &str = "data_dir";
    let path = &settings.data_dir;
    let shown = path.display();
    let Ok(metadata) = fs::metadata(path) else {
        return match probe(nearest_existing(path)) {
            Ok(()) => Finding::ok(CHECK, format!("{shown} is not there yet and can be made")),
            Err(error) => Finding::fault(
                CHECK,
                format!("{shown} cannot be made ({error})"),
                "choose a directory this user may write to with --data-dir",
            ),
        };
    };
    if let Err(error) = probe(path) {
        let remedy = format!("let this user write there, or choose another with --data-dir ({shown})");
        return Finding::fault(CHECK, format!("{shown} cannot be written to ({error})"), remedy);
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        let remedy = format!("chmod 700 {shown}");
        return Finding::warning(CHECK, format!("{shown} is open to other users of this machine"), remedy);
    }
    Finding::ok(CHECK, format!("{shown} can be written to"))
}

/// Creates and removes a file, the only honest way to learn whether that works.
fn probe(directory: &Path) -> io::Result<()> {
    let file = directory.join(format!(".tidewall-doctor-{}", process::id()));
    fs::File::create_new(&file)?;
    fs::remove_file(file)
}

fn nearest_existing(path: &Path) -> &Path {
    let existing = path.ancestors().find(|ancestor| ancestor.is_dir());
    existing.unwrap_or(Path::new("."))
}

pub(super) fn disk(settings: &Settings) -> Finding {
    const CHECK: &str = "disk";
    let volume = match rustix::fs::statvfs(nearest_existing(&settings.data_dir)) {
        Ok(volume) => volume,
        Err(error) => {
            let remedy = "check that the volume of data_dir is mounted";
            return Finding::fault(CHECK, format!("free space cannot be read ({error})"), remedy);
        }
    };
    let free = volume.f_bavail.saturating_mul(volume.f_frsize);
    let detail = format!("{} MiB free", free / MIB);
    let remedy = "free some space, or move data_dir to a larger volume";
    match free {
        0..NO_SPACE => Finding::fault(CHECK, detail, remedy),
        NO_SPACE..LITTLE_SPACE => Finding::warning(CHECK, detail, remedy),
        _ => Finding::ok(CHECK, detail),
    }
}

pub(super) fn descriptors(settings: &Settings) -> Finding {
    const CHECK: &str = "open files";
    let needed = descriptors_for(settings.server.limits.max_connections);
    // The service raises the soft limit by itself; the hard one is for the operator to raise.
    match getrlimit(Resource::Nofile).maximum {
        Some(most) if most < needed => Finding::warning(
            CHECK,
            format!("{most} allowed, {needed} needed for server.max_connections"),
            format!("raise the limit (ulimit -Hn {needed}, LimitNOFILE={needed}) or lower the setting"),
        ),
        Some(most) => Finding::ok(CHECK, format!("{most} allowed, {needed} needed")),
        None => Finding::ok(CHECK, "no limit"),
    }
}

pub(super) fn catalogue(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "catalogue_dir";
    let path = settings.catalogue_dir.as_ref()?;
    let detail = |what: &str| format!("{} {what}", path.display());
    Some(match fs::read_dir(path) {
        Ok(_) => Finding::ok(CHECK, detail("is there")),
        Err(error) => Finding::fault(
            CHECK,
            detail(&format!("cannot be read ({error})")),
            "name a directory of reference data, or \"\" for the built-in one",
        ),
    })
}

pub(super) fn backups(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "backup";
    let backup = &settings.backup;
    backup.schedule.as_ref()?;
    let directory = nearest_existing(&backup.directory);
    if let Err(error) = probe(directory) {
        let detail = format!("{} cannot be written to ({error})", backup.directory.display());
        return Some(Finding::fault(CHECK, detail, "set backup.directory to one this user may write to"));
    }
    let unreadable = backup.key_file.as_ref().and_then(|file| Some((file, fs::File::open(file).err()?)));
    Some(match unreadable {
        Some((file, error)) => Finding::fault(
            CHECK,
            format!("{} cannot be read ({error})", file.display()),
            "set backup.key_file to the file with the passphrase, readable by this user",
        ),
        None => Finding::ok(CHECK, format!("scheduled, into {}", backup.directory.display())),
    })
}
