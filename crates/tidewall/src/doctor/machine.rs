//! Directories, disk space and file descriptors.

use std::{fs, io, os::unix::fs::PermissionsExt as _, path::Path, process};

use catalogue::Catalogue;
use domain::moment::Moment;
use rustix::process::{Resource, getrlimit};

use super::Finding;
use crate::{config::Settings, listener::descriptors_for};

const MIB: u64 = 1 << 20;
const LITTLE_SPACE: u64 = 1024 * MIB;
const NO_SPACE: u64 = 100 * MIB;
/// 2026 and 2100: the clock must be between them.
const BUILT_AFTER_MS: i64 = 1_767_225_600_000;
const FAR_FUTURE_MS: i64 = 4_102_444_800_000;

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

/// Creates and deletes a file, the only reliable way to check whether that works.
pub(super) fn probe(directory: &Path) -> io::Result<()> {
    let file = directory.join(format!(".tidewall-doctor-{}", process::id()));
    fs::File::create_new(&file)?;
    fs::remove_file(file)
}

pub(super) fn nearest_existing(path: &Path) -> &Path {
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
    // The service raises the soft limit itself; the operator has to raise the hard one.
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

pub(super) fn catalogue(settings: &Settings) -> Finding {
    const CHECK: &str = "catalogue";
    let (folder, layers) = (settings.catalogue_dir.as_deref(), settings.catalogue_layers.as_deref());
    let read = Catalogue::read(folder, layers);
    let source = crate::cli::catalogue::source_name(folder, layers);
    match read {
        Ok(catalogue) => Finding::ok(CHECK, format!("{source}, version {}", catalogue.version)),
        Err(faults) => {
            let first = faults.as_slice().first().map(ToString::to_string).unwrap_or_default();
            Finding::fault(
                CHECK,
                format!("{source} has {} mistake(s), the first: {first}", faults.as_slice().len()),
                "`tidewall catalogue check` lists them all; \"\" in catalogue_dir means the built-in one",
            )
        }
    }
}

/// Files of evidence come from outside, too.
pub(super) fn virus_scanner(settings: &Settings) -> Finding {
    const CHECK: &str = "evidence.clamd";
    match &settings.evidence.clamd {
        Some(address) => Finding::ok(CHECK, format!("files of evidence are scanned by {address}")),
        None => Finding::warning(
            CHECK,
            "files of evidence are not scanned for viruses",
            "run clamd and set evidence.clamd to its host and port",
        ),
    }
}

/// A machine without a clock battery starts in 1970.
pub(super) fn clock(now: Moment) -> Finding {
    const CHECK: &str = "clock";
    if (BUILT_AFTER_MS..FAR_FUTURE_MS).contains(&now.millis()) {
        Finding::ok(CHECK, now.to_string())
    } else {
        let remedy = "set the clock and keep it in time (timedatectl set-ntp true)";
        Finding::fault(CHECK, format!("it cannot be {now}"), remedy)
    }
}
