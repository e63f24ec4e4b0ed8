//! Audit bundles: a signed archive of records, evidence and audit entries that proves itself without the service.
//!
//! The format is described in `docs/bundle/README.md`, beside a second verifier in Python that shares no code with this
//! one. This crate knows neither the store nor the use cases: it is handed files, entries and claims.

mod chain;
mod claims;
mod fault;
mod hex;
mod key;
mod manifest;
mod seal;
mod verify;
mod writer;

pub use self::{
    chain::{ChainEntry, ChainWriter},
    claims::{ListedRecord, RecordStamp, RequirementClaim},
    fault::Fault,
    key::{KeyError, PublicKey, SigningKey},
    manifest::{ChainSlice, FileEntry, Manifest, Missing, Subject},
    verify::{KindCount, Report, verify},
    writer::{Packing, Part, Signed, WriteError, Writer},
};

/// The name of the format, in the manifest and in the seal.
pub const FORMAT: &str = "tidewall-bundle-1";
/// The audit entries, one JSON object on each line.
pub const CHAIN_FILE: &str = "chain.jsonl";
/// What each requirement rests on, one JSON object on each line.
pub const REQUIREMENTS_FILE: &str = "requirements.jsonl";
/// The folder of the lists.
pub const LISTS: &str = "lists/";
