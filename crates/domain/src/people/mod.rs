//! Accounts, keys and permissions.

pub mod actor;
pub mod api_key;
pub mod identity_provider;
pub mod key_limits;
pub mod key_policy;
pub mod key_resources;
pub mod password;
pub mod permission;
pub mod rate;
pub mod right;
pub mod second_person;
pub mod tenant;
pub mod user;
