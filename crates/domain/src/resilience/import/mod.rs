//! Reads findings and scans from the files of other tools.
//!
//! Every reader takes a file it can read twice, passes on one result at a time and keeps only what it needs to
//! recognise repetitions, so that files of any size cost the same memory. The caller decides what to do with a result
//! (store, count, compare) and makes it all or nothing.
//!
//! Only these modules of this crate use CSV and JSON.

mod bounded;
mod candidate;
mod complaint;
pub mod csv;
pub mod encoding;
mod error;
mod format;
pub mod headings;
mod json;
pub mod osv;
pub mod records;
pub mod sarif;
pub mod trivy;

pub use candidate::{
    Candidate, Fingerprint, Imported, Known, NotAFingerprint, Origin, Sink, Source, SourceName,
};
pub use complaint::FileComplaint;
pub use encoding::EncodingError;
pub use error::{HeaderProblem, ImportError, LineComplaint};
pub use format::Format;
pub use json::MAX_DEPTH;

/// The most results one file may have.
pub const MAX_RESULTS: u64 = 250_000;
