//! Permissions of keys and roles. They are independent: none implies another, except that all read.

use std::fmt;

use crate::vocabulary::{UnknownWord, vocabulary};

vocabulary! {
    Permission {
        Read = "read" ("Read all data of your institution", "Alles Ihres Instituts lesen"),
        Write = "write" ("Write: change records, thresholds and webhooks", "Schreiben: Einträge, Schwellen und Webhooks ändern"),
        ManageKeys = "manage_keys" ("Manage keys: create, list and revoke keys", "Schlüssel verwalten: anlegen, auflisten und widerrufen"),
    }
}

impl Permission {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of permissions; `read` is always in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Permissions(u8);

impl Permissions {
    pub const READ_ONLY: Self = Self(1);

    #[must_use]
    pub fn all() -> Self {
        Permission::ALL.iter().copied().collect()
    }

    pub fn contains(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.iter().copied().filter(move |permission| self.contains(*permission))
    }

    /// The first permission of `self` that `holder` lacks.
    pub fn beyond(self, holder: Self) -> Option<Permission> {
        self.iter().find(|permission| !holder.contains(*permission))
    }

    /// Comma-separated, as stored and as typed on the command line.
    pub fn parse(text: &str) -> Result<Self, UnknownWord> {
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::parse).collect()
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self(permissions.into_iter().fold(Self::READ_ONLY.0, |set, permission| set | permission.bit()))
    }
}

impl fmt::Display for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Permission::as_str).collect();
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn manage_keys_does_not_imply_write() {
        is_sound::<Permission>();
        let manager = Permissions::parse("manage_keys").unwrap();
        assert!(manager.contains(Permission::Read));
        assert!(!manager.contains(Permission::Write));
        assert_eq!(Permissions::all().beyond(manager), Some(Permission::Write));
        assert_eq!(manager.to_string(), "read,manage_keys");
        assert!(Permissions::parse("admin").is_err());
    }
}
