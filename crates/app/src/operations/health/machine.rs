//! The machine: space on its volume, memory of the process. Every function here blocks.

use std::{fs, path::Path};

/// The volume with the files of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Volume {
    pub total: u64,
    /// The free space available to this process.
    pub free: u64,
}

/// Memory of this process, and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    pub resident: u64,
    /// The limit of the container, or the memory of the machine.
    pub limit: Option<u64>,
}

/// Resource use of the process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Process {
    pub resident: Option<u64>,
    pub open_files: Option<u64>,
    pub threads: Option<u64>,
    pub cpu_seconds: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Machine {
    pub(super) volume: Option<Volume>,
    pub(super) memory: Option<Memory>,
}

impl Machine {
    pub(super) fn read(folder: &Path) -> Self {
        Self { volume: volume(folder), memory: memory() }
    }
}

fn volume(folder: &Path) -> Option<Volume> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(Volume {
        total: stat.f_blocks.saturating_mul(stat.f_frsize),
        free: stat.f_bavail.saturating_mul(stat.f_frsize),
    })
}

fn memory() -> Option<Memory> {
    let resident = resident()?;
    let limit = number_in("/sys/fs/cgroup/memory.max").or_else(machine_memory);
    Some(Memory { resident, limit })
}

/// The second number of the file counts pages in memory.
fn resident() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

fn number_in(path: &str) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn machine_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes: u64 = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?
        .trim()
        .split(' ')
        .next()?
        .parse()
        .ok()?;
    Some(kibibytes * 1024)
}

/// Reads what the process uses now.
pub fn process() -> Process {
    let stat = fs::read_to_string("/proc/self/stat").ok();
    // The program's name before the last parenthesis may contain any character.
    let fields: Vec<&str> = stat
        .as_deref()
        .and_then(|text| text.rsplit_once(") "))
        .map(|(_, rest)| rest.split(' ').collect())
        .unwrap_or_default();
    let field = |place: usize| fields.get(place).and_then(|text| text.parse::<u64>().ok());
    let ticks = field(11).zip(field(12)).map(|(user, system)| user + system);
    #[expect(clippy::cast_precision_loss, reason = "seconds, not identities")]
    let cpu_seconds = ticks.map(|ticks| ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
    Process {
        resident: resident(),
        open_files: fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as u64),
        threads: field(17),
        cpu_seconds,
    }
}

/// The total size of the files below a folder; zero if it does not exist.
pub(super) fn folder_size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => folder_size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_can_be_read() {
        let machine = Machine::read(Path::new("/"));
        let (volume, memory) = (machine.volume.unwrap(), machine.memory.unwrap());
        assert!(volume.total > 0 && volume.free <= volume.total);
        assert!(memory.resident > 1 << 20 && memory.limit.unwrap() > memory.resident);
        let process = process();
        assert!(process.open_files.unwrap() > 2 && process.threads.unwrap() > 0);
        assert!(process.cpu_seconds.is_some());
        assert_eq!(folder_size(Path::new("/nowhere")), 0);
    }
}
