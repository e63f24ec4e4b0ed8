//! Rows of accounts, sessions and keys.

pub mod api_key;
pub mod calendar_link;
pub mod directory_account;
pub mod factor_removal;
pub mod identity_provider;
pub mod known_device;
pub mod one_time_link;
pub mod passkey;
pub mod person;
pub mod refused_sign_in;
pub mod session;
pub mod tenant;
pub mod user;
pub mod vault;

use crate::sql::Statement;

/// The modules with statements.
pub(crate) fn registry() -> &'static [&'static [Statement]] {
    &[
        api_key::STATEMENTS,
        calendar_link::STATEMENTS,
        directory_account::STATEMENTS,
        factor_removal::STATEMENTS,
        identity_provider::STATEMENTS,
        known_device::STATEMENTS,
        one_time_link::STATEMENTS,
        passkey::STATEMENTS,
        refused_sign_in::STATEMENTS,
        session::STATEMENTS,
        tenant::STATEMENTS,
        user::STATEMENTS,
        vault::STATEMENTS,
    ]
}
