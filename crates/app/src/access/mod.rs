//! Sign-in, sessions, and what proves who a person is.

pub mod code_check;
pub mod factor_removal;
pub mod identity_provider;
pub mod one_time_link;
mod own_password;
pub mod passkey;
pub mod proof;
pub mod refused_sign_in;
pub mod second_factor;
pub mod session;
pub mod sign_in;
pub mod sign_in_rules;
pub mod sign_in_throttle;
pub(crate) mod user_second_factor;
