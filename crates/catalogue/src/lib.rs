//! The reference catalogue: what Tidewall says about regulation, read from files a compliance person edits.
//!
//! The files are TOML (their form is described in `catalogue/README.md`); a copy is built into the library
//! and any folder of the same form can be read instead. A catalogue is read, checked and indexed as a whole
//! and never changes afterwards: a reload makes a new one. Statuses, levels, scores and counts are derived
//! from the records. Wire formats are left to the surfaces; nothing in here knows JSON or HTTP.

pub mod act;
pub mod applicability;
mod block;
mod catalogue;
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
pub mod fold;
pub mod framework;
pub mod gap;
pub mod kind;
pub mod language;
mod layer;
mod load;
pub mod measure;
pub mod milestone;
mod notes;
pub mod proof;
pub mod provider;
pub mod question;
pub mod record;
pub mod risk;
pub mod search;
pub mod signal;
mod source;
pub mod training;
pub mod vendor;
pub mod vocabulary;
pub mod widget;

pub use catalogue::Catalogue;
