//! Institutions, accounts, keys and permissions.

pub mod api_key;
pub mod authz;
pub(crate) mod key_notice;
mod key_policy;
pub(crate) mod last_administrator;
pub mod open_work;
pub(crate) mod ownership;
pub mod password;
pub mod person;
pub mod scim;
mod scim_members;
mod second_person;
pub(crate) mod signature;
pub mod tenant;
pub mod token;
pub mod user;
