//! Permissions of keys and roles. They are independent: none implies another, except that all read.

use std::{fmt, str::FromStr};

use crate::violation::sentence;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Permission {
    Read,
    Write,
    ManageKeys,
}

impl Permission {
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::ManageKeys];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::ManageKeys => "manage_keys",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

sentence! {
    /// The text names no permission.
    UnknownPermission =
        "must be one of read, write, manage_keys",
        "muss einer dieser Werte sein: read, write, manage_keys";
}

impl FromStr for Permission {
    type Err = UnknownPermission;

    fn from_str(text: &str) -> Result<Self, UnknownPermission> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownPermission)
    }
}

/// A set of permissions; `read` is always in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Permissions(u8);

impl Permissions {
    pub const READ_ONLY: Self = Self(1);

    #[must_use]
    pub fn all() -> Self {
        Permission::ALL.into_iter().collect()
    }

    pub fn contains(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.into_iter().filter(move |permission| self.contains(*permission))
    }

    /// The first permission of `self` that `holder` lacks.
    pub fn beyond(self, holder: Self) -> Option<Permission> {
        self.iter().find(|permission| !holder.contains(*permission))
    }

    /// Comma-separated, as stored and as typed on the command line.
    pub fn parse(text: &str) -> Result<Self, UnknownPermission> {
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

    #[test]
    fn manage_keys_does_not_imply_write() {
        let manager = Permissions::parse("manage_keys").unwrap();
        assert!(manager.contains(Permission::Read));
        assert!(!manager.contains(Permission::Write));
        assert_eq!(Permissions::all().beyond(manager), Some(Permission::Write));
        assert_eq!(manager.to_string(), "read,manage_keys");
        assert!(Permissions::parse("admin").is_err());
    }
}
