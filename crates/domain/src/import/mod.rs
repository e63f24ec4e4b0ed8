//! Reading findings and scans out of the files of other tools.
//!
//! Every reader takes a file it can read twice, hands on one result at a time and keeps only what it needs to
//! recognise repetitions, so that a file of any size costs the same memory. What becomes of a result (stored,
//! counted, compared with what is there) is the caller's business; all or nothing is too.
//!
//! The only modules of this crate that know CSV and JSON are here.

mod bounded;
mod candidate;
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
pub use encoding::EncodingError;
pub use error::{HeaderProblem, ImportError, LineComplaint};
pub use format::Format;
pub use json::MAX_DEPTH;

/// The most results one file may have.
pub const MAX_RESULTS: u64 = 250_000;
