//! Accounts, sessions, keys and permissions.

pub mod api_key;
pub mod authz;
pub mod identity_provider;
pub(crate) mod key_notice;
pub(crate) mod last_administrator;
pub mod link_mail;
pub mod one_time_link;
pub mod passkey;
pub mod password;
pub mod person;
pub mod proof;
pub mod quota;
pub mod refused_sign_in;
pub mod scim;
pub mod second_factor;
pub mod session;
pub mod sign_in;
pub mod sign_in_throttle;
pub mod tenant;
pub mod token;
pub mod user;
mod user_second_factor;
