//! Security events on disk until their receivers have confirmed them.
//!
//! A thread appends events, one line each, to numbered segments, so that neither a slow disk nor an unreachable
//! receiver delays a request. Each receiver has a position in the spool, which is also on disk and moves only after
//! the receiver has confirmed. A segment that all receivers have passed is deleted. After a restart a new segment
//! begins, so that a line truncated by a crash is never joined to another.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use tokio::sync::Notify;

/// The size at which a new segment begins.
const SEGMENT_BYTES: u64 = 4 << 20;
/// The maximum number of events waiting for the thread: more than the stream passes in several minutes.
const WAITING: usize = 16_384;
const ENDING: &str = "jsonl";

enum Work {
    Line(String),
    /// Answered once everything before it is on disk.
    Flush(SyncSender<()>),
}

/// The writing side.
#[derive(Debug)]
pub struct Spool {
    folder: PathBuf,
    work: SyncSender<Work>,
    fresh: Arc<Notify>,
    /// Events dropped because the queue or the spool was full.
    lost: Arc<AtomicU64>,
}

impl Spool {
    /// Opens the spool in this folder, which must exist. It never grows beyond `most_bytes`.
    pub fn open(folder: &Path, most_bytes: u64) -> io::Result<Arc<Self>> {
        let (work, waiting) = sync_channel(WAITING);
        let (fresh, lost) = (Arc::new(Notify::new()), Arc::new(AtomicU64::new(0)));
        let mut writer = Writer::open(folder, most_bytes, Arc::clone(&fresh), Arc::clone(&lost))?;
        thread::Builder::new().name("security-spool".into()).spawn(move || writer.run(&waiting))?;
        Ok(Arc::new(Self { folder: folder.to_owned(), work, fresh, lost }))
    }

    /// Queues a line for writing.
    pub(super) fn keep(&self, line: String) {
        if self.work.try_send(Work::Line(line)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until everything queued so far is on disk. Blocks.
    pub fn flush(&self) {
        let (done, heard) = sync_channel(1);
        if self.work.send(Work::Flush(done)).is_ok() {
            let _ = heard.recv();
        }
    }

    /// How many events were lost because the spool was full or could not be written.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Waits until there may be new events.
    pub(super) async fn fresh(&self) {
        self.fresh.notified().await;
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

struct Writer {
    folder: PathBuf,
    most_bytes: u64,
    number: u64,
    file: File,
    /// The size of the current segment, and of those before it when it was begun.
    bytes: u64,
    before: u64,
    fresh: Arc<Notify>,
    lost: Arc<AtomicU64>,
}

impl Writer {
    fn open(folder: &Path, most_bytes: u64, fresh: Arc<Notify>, lost: Arc<AtomicU64>) -> io::Result<Self> {
        let number = segments(folder)?.last().map_or(1, |last| last + 1);
        let file = begin(folder, number)?;
        let before = size(folder)?;
        Ok(Self { folder: folder.to_owned(), most_bytes, number, file, bytes: 0, before, fresh, lost })
    }

    fn run(&mut self, waiting: &Receiver<Work>) {
        while let Ok(work) = waiting.recv() {
            let mut flushed = Vec::new();
            self.take(work, &mut flushed);
            // Lines queued meanwhile share one sync.
            while let Ok(work) = waiting.try_recv() {
                self.take(work, &mut flushed);
            }
            if let Err(error) = self.file.sync_data() {
                tracing::error!(%error, "security events may not be on disk");
            }
            for done in flushed {
                // If this fails, the caller has stopped waiting.
                let _ = done.send(());
            }
            self.fresh.notify_waiters();
            self.fresh.notify_one();
        }
    }

    fn take(&mut self, work: Work, flushed: &mut Vec<SyncSender<()>>) {
        match work {
            Work::Flush(done) => flushed.push(done),
            Work::Line(line) => {
                if let Err(error) = self.append(line) {
                    let lost = self.lost.fetch_add(1, Ordering::Relaxed) + 1;
                    if lost.is_power_of_two() {
                        tracing::error!(%error, lost, "security events are not kept for forwarding");
                    }
                }
            }
        }
    }

    fn append(&mut self, mut line: String) -> io::Result<()> {
        if self.bytes >= SEGMENT_BYTES {
            self.number += 1;
            self.file = begin(&self.folder, self.number)?;
            (self.bytes, self.before) = (0, size(&self.folder)?);
        }
        if self.bytes + self.before >= self.most_bytes {
            // Receivers may have confirmed segments meanwhile.
            self.before = size(&self.folder)?.saturating_sub(self.bytes);
            if self.bytes + self.before >= self.most_bytes {
                return Err(io::Error::new(io::ErrorKind::StorageFull, "security.spool_bytes is reached"));
            }
        }
        line.push('\n');
        self.file.write_all(line.as_bytes())?;
        self.bytes += line.len() as u64;
        Ok(())
    }
}

fn begin(folder: &Path, number: u64) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create_new(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(segment(folder, number))
}

fn segment(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:012}.{ENDING}"))
}

/// The numbers of the segments, in order.
fn segments(folder: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let number =
            path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse::<u64>().ok());
        if path.extension().is_some_and(|ending| ending == ENDING) {
            numbers.extend(number);
        }
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn size(folder: &Path) -> io::Result<u64> {
    let sizes = segments(folder)?.into_iter();
    Ok(sizes.filter_map(|number| fs::metadata(segment(folder, number)).ok()).map(|found| found.len()).sum())
}

/// The position of a receiver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SpoolPosition {
    segment: u64,
    offset: u64,
}

/// Unconfirmed lines of a receiver, and its position once they are confirmed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Batch {
    pub(super) lines: Vec<String>,
    pub(super) end: SpoolPosition,
}

/// The reading side of one receiver. Every call reads or writes files.
#[derive(Debug, Clone)]
pub(super) struct Bookmark {
    folder: PathBuf,
    name: &'static str,
    pub(super) place: SpoolPosition,
}

impl Bookmark {
    pub(super) fn open(folder: &Path, name: &'static str) -> io::Result<Self> {
        let place = match fs::read_to_string(folder.join(name)) {
            Ok(text) => place(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => SpoolPosition::default(),
            Err(error) => return Err(error),
        };
        Ok(Self { folder: folder.to_owned(), name, place })
    }

    /// The next lines, at most `most`.
    pub(super) fn next(&self, most: usize) -> io::Result<Batch> {
        let mut batch = Batch { lines: Vec::new(), end: self.place };
        let numbers = segments(&self.folder)?;
        let last = numbers.last().copied();
        for number in numbers.into_iter().filter(|number| *number >= self.place.segment) {
            if number > batch.end.segment {
                batch.end = SpoolPosition { segment: number, offset: 0 };
            }
            read_lines(&segment(&self.folder, number), &mut batch, most)?;
            if batch.lines.len() >= most || Some(number) == last {
                break;
            }
        }
        Ok(batch)
    }

    /// Records that the receiver has confirmed everything up to there.
    pub(super) fn move_to(&mut self, end: SpoolPosition) -> io::Result<()> {
        let (path, fresh) = (self.folder.join(self.name), self.folder.join(format!("{}.new", self.name)));
        let mut file = File::create(&fresh)?;
        file.write_all(format!("{} {}\n", end.segment, end.offset).as_bytes())?;
        file.sync_data()?;
        fs::rename(&fresh, &path)?;
        self.place = end;
        Ok(())
    }

    pub(super) fn segment(&self) -> u64 {
        self.place.segment
    }
}

fn read_lines(path: &Path, batch: &mut Batch, most: usize) -> io::Result<()> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(batch.end.offset))?;
    let mut reader = BufReader::new(file);
    while batch.lines.len() < most {
        let mut line = Vec::new();
        let read = reader.read_until(b'\n', &mut line)? as u64;
        // A line without an end is being written, or was truncated by a crash; then a later segment follows.
        if line.pop() != Some(b'\n') {
            break;
        }
        batch.end.offset += read;
        batch.lines.extend(String::from_utf8(line));
    }
    Ok(())
}

/// Parses a stored position; an invalid one means the start, because sending twice is better than not at all.
fn place(text: &str) -> SpoolPosition {
    let parsed = text.trim().split_once(' ').and_then(|(segment, offset)| {
        Some(SpoolPosition { segment: segment.parse().ok()?, offset: offset.parse().ok()? })
    });
    parsed.unwrap_or_default()
}

/// Deletes segments before the one that the slowest receiver reads.
pub(super) fn delete_before(folder: &Path, slowest: u64) -> io::Result<()> {
    for number in segments(folder)?.into_iter().filter(|number| *number < slowest) {
        fs::remove_file(segment(folder, number))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bookmark: &Bookmark) -> Vec<String> {
        bookmark.next(100).unwrap().lines
    }

    #[test]
    fn a_line_cut_off_by_a_crash_is_left_out_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(segment(dir.path(), 1), "{\"n\":1}\n{\"n\":2}\n{\"n").unwrap();
        let spool = Spool::open(dir.path(), 1 << 20).unwrap();
        spool.keep("{\"n\":3}".into());
        spool.flush();
        let mut bookmark = Bookmark::open(dir.path(), "https").unwrap();
        assert_eq!(lines(&bookmark), ["{\"n\":1}", "{\"n\":2}", "{\"n\":3}"]);
        let first = bookmark.next(1).unwrap();
        assert_eq!(first.lines, ["{\"n\":1}"]);
        bookmark.move_to(first.end).unwrap();
        assert_eq!(lines(&Bookmark::open(dir.path(), "https").unwrap()), ["{\"n\":2}", "{\"n\":3}"]);
        let all = bookmark.next(100).unwrap();
        bookmark.move_to(all.end).unwrap();
        assert_eq!(lines(&bookmark), [""; 0]);
        delete_before(dir.path(), bookmark.segment()).unwrap();
        assert_eq!(segments(dir.path()).unwrap(), [2]);
    }

    #[test]
    fn a_full_spool_counts_what_it_cannot_take() {
        let dir = tempfile::tempdir().unwrap();
        let spool = Spool::open(dir.path(), 64).unwrap();
        for number in 0..100 {
            spool.keep(format!("{number:015}"));
        }
        spool.flush();
        assert_eq!((lines(&Bookmark::open(dir.path(), "syslog").unwrap()).len(), spool.lost()), (4, 96));
    }
}
