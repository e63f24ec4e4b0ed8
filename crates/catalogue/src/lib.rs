//! The reference catalogue: Tidewall's data on regulation, read from files that compliance experts edit.
//!
//! The files are TOML (`catalogue/FIELDS.md` describes the format); a copy is embedded in the library, and any folder
//! of the same format can be read instead. A catalogue is read, checked and indexed as a whole and is immutable
//! afterwards: a reload creates a new one. Statuses, levels, scores and counts are derived from the records. The API
//! defines the wire formats; nothing in here knows JSON or HTTP.

pub mod act;
pub mod applicability;
mod block;
mod catalogue;
pub mod change;
mod check;
mod citation;
pub mod clock;
pub mod compliance;
pub mod crosswalk;
pub mod diff;
mod drift;
pub mod drill;
pub mod evidence;
pub mod fault;
pub mod feed;
pub mod framework;
pub mod gap;
pub mod kind;
pub mod language;
mod layer;
mod load;
pub mod measure;
pub mod milestone;
mod notes;
mod order;
pub mod own;
pub mod proof;
pub mod provider;
pub mod question;
pub mod record;
pub mod risk;
pub mod search;
pub mod sheets;
pub mod signal;
mod source;
mod title;
pub mod training;
pub mod vendor;
pub mod vocabulary;
pub mod widget;

pub use catalogue::Catalogue;
