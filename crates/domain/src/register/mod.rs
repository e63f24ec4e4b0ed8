//! The register of information of Implementing Regulation (EU) 2024/2956: its records, its code lists, and
//! how they are read and checked.
//!
//! Files are split into rows by the caller; here a row is a list of texts with its number, so nothing in
//! this module knows of CSV, ZIP or spreadsheets.

pub mod codes;
mod records;

pub use records::{
    Assessment, ChainLink, Contract, ContractLine, Entity, Function, Maintainer, Placed, ProviderCode,
    Register, RegisteredProvider,
};
