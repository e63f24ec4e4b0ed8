//! Rows of accounts, sessions and keys.

pub mod api_key;
pub mod directory_account;
pub mod identity_provider;
pub mod known_device;
pub mod one_time_link;
pub mod passkey;
pub mod refused_sign_in;
pub mod session;
pub mod tenant;
pub mod user;
pub mod vault;
