//! The disk fills up under the running service, and is freed again: reads continue, writes are refused, nothing is
//! lost.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use super::{
    figure,
    load::{Load, PATH},
    rounds,
    service::{Service, client},
};

/// How the service runs out of space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// Its data is on a small file system of its own.
    SmallDisk,
    /// None of its files may grow any more.
    ShortFiles,
}

impl Room {
    /// The command before the program. The file system is the process's own: no other process sees it, and it is gone
    /// with the process.
    pub(super) fn before(self) -> Vec<String> {
        // The store grows from round to round and must not fill it by itself.
        let script = format!(
            "small=$(mktemp -d); mount -t tmpfs -o size={}m tidewall \"$small\"
             cp -a \"$TIDEWALL_DATA_DIR/.\" \"$small\"; mount --bind \"$small\" \"$TIDEWALL_DATA_DIR\"
             exec \"$@\"",
            rounds(24, 256)
        );
        let words: &[&str] = match self {
            Self::SmallDisk => &["unshare", "-rm", "sh", "-ec", &script, "sh"],
            Self::ShortFiles => &["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    pub(super) fn fill(self, service: &Service) {
        match self {
            Self::SmallDisk => {
                let mut balloon =
                    OpenOptions::new().create(true).append(true).open(balloon(service)).unwrap();
                for size in [1 << 20, 1 << 12, 1] {
                    let air = vec![0; size];
                    while balloon.write_all(&air).is_ok() {}
                }
            }
            Self::ShortFiles => limit_files(service, "0"),
        }
    }

    pub(super) fn free(self, service: &Service) {
        match self {
            Self::SmallDisk => fs::remove_file(balloon(service)).unwrap(),
            Self::ShortFiles => limit_files(service, "unlimited"),
        }
    }
}

/// A file on the disk of the service, as seen from outside.
fn balloon(service: &Service) -> PathBuf {
    let root = PathBuf::from(format!("/proc/{}/root", service.id()));
    root.join(service.data_dir().strip_prefix("/").unwrap()).join("balloon")
}

fn limit_files(service: &Service, most: &str) {
    let limit = format!("--fsize={most}:unlimited");
    let done = Command::new("prlimit").args(["--pid", &service.id().to_string(), &limit]).status().unwrap();
    assert!(done.success());
}

async fn the_disk_is_full_and_freed_again(room: Room) {
    let mut service = Service::new();
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "write"]);
    let (client, url) = (client(&key), service.url(PATH));
    service.before = room.before();
    service.start();
    let (load, tasks) = Load::start(&client, std::slice::from_ref(&url), 8);
    let (mut put_off, mut slowest) = (0, Duration::ZERO);
    for round in 0..rounds(3, 50) {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let (before, full) = (load.put_off(), Instant::now());
        room.fill(&service);
        // The free space inside the files is used up first.
        while load.put_off() < before + 20 {
            assert!(full.elapsed() < Duration::from_secs(30), "round {round}: writes go on for ever");
            let read = client.get(format!("{url}?limit=1")).send().await.unwrap();
            assert_eq!(read.status(), 200, "round {round}: {}", read.text().await.unwrap());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for _ in 0..20 {
            let read = client.get(format!("{url}?limit=1")).send().await.unwrap();
            assert_eq!(read.status(), 200, "round {round}: reads go on");
        }
        put_off += load.put_off() - before;
        let (acknowledged, freed) = (load.acknowledged(), Instant::now());
        room.free(&service);
        while load.acknowledged() <= acknowledged {
            assert!(freed.elapsed() < Duration::from_secs(10), "round {round}: writes do not come back");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        slowest = slowest.max(freed.elapsed());
    }
    load.end(tasks).await;
    let written = load.nothing_is_lost(&client, &url).await;
    assert!(service.is_running());
    figure(format_args!(
        "{room:?}: {written} writes, {put_off} put off with 503, none lost; writing again within {slowest:?}"
    ));
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn needs_mounts_a_full_disk_puts_writes_off_and_loses_nothing() {
    let mounts = Command::new("unshare").args(["-rm", "true"]).status();
    assert!(
        mounts.is_ok_and(|status| status.success()),
        "no file system can be mounted here: scripts/test skips this test, and the one with short files stands alone"
    );
    the_disk_is_full_and_freed_again(Room::SmallDisk).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_cannot_grow_put_writes_off_and_lose_nothing() {
    the_disk_is_full_and_freed_again(Room::ShortFiles).await;
}
