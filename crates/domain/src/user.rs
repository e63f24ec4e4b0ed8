//! People who sign in: their address, their role, and how the workspace looks to them.

use std::{fmt, str::FromStr};

use crate::permission::{Permission, Permissions};

/// What a person may do in their tenant. Each role may do all the one before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Reads everything of the tenant.
    Viewer,
    /// Also writes programmes, test cases and findings.
    Contributor,
    /// Also writes everything else.
    Manager,
    /// Also manages keys, users and settings.
    Administrator,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Contributor, Self::Manager, Self::Administrator];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Contributor => "contributor",
            Self::Manager => "manager",
            Self::Administrator => "administrator",
        }
    }

    /// The permissions that hold on every record. A contributor's right to write holds on three kinds of record
    /// only, so it is none of these.
    pub fn permissions(self) -> Permissions {
        match self {
            Self::Viewer | Self::Contributor => Permissions::READ_ONLY,
            Self::Manager => Permissions::from_iter([Permission::Write]),
            Self::Administrator => Permissions::all(),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of viewer, contributor, manager, administrator")]
pub struct UnknownRole;

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownRole)
    }
}

/// The address a person signs in with. Kept in lower case: nobody remembers how they wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// The longest address mail servers must take.
    pub const MAX: usize = 254;

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the `@`.
    pub fn local_part(&self) -> &str {
        self.0.split_once('@').map_or(&self.0, |(local, _)| local)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an email address such as anna.weber@bank.example")]
pub struct NotAnEmail;

impl FromStr for Email {
    type Err = NotAnEmail;

    fn from_str(text: &str) -> Result<Self, NotAnEmail> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@').ok_or(NotAnEmail)?;
        let local_ok = (1..=64).contains(&local.len())
            && local
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$&'*+-/=?^_`{|}~.".contains(&byte))
            && local.split('.').all(|part| !part.is_empty());
        let label_ok = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let domain_ok = domain.contains('.') && domain.split('.').all(label_ok);
        if local_ok && domain_ok && text.len() <= Self::MAX {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(NotAnEmail)
        }
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How the workspace looks to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Theme {
    /// As their device is set.
    #[default]
    Device,
    Light,
    Dark,
}

impl Theme {
    pub const ALL: [Self; 3] = [Self::Device, Self::Light, Self::Dark];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of device, light, dark")]
pub struct UnknownTheme;

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownTheme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_grow_and_a_contributor_holds_no_general_right_to_write() {
        let permissions = Role::ALL.map(|role| role.permissions().to_string());
        assert_eq!(permissions, ["read", "read", "read,write", "read,write,manage_keys"]);
        assert!(Role::Viewer < Role::Contributor && Role::Manager < Role::Administrator);
    }

    #[test]
    fn addresses_are_compared_without_case() {
        let email: Email = " Anna.Weber@Bank.Example ".parse().unwrap();
        assert_eq!(email.as_str(), "anna.weber@bank.example");
        assert_eq!(email.local_part(), "anna.weber");
    }

    #[test]
    fn refuses_what_no_mail_server_would_take_plainly() {
        let long = format!("{}@bank.example", "a".repeat(65));
        for bad in [
            "",
            "anna",
            "@bank.example",
            "anna@",
            "anna@bank",
            "anna@-bank.example",
            "a b@bank.example",
            "anna@bank..example",
            ".anna@bank.example",
            "\"anna\"@bank.example",
            "anna@bank.example\n.x",
            "änna@bank.example",
            &long,
        ] {
            assert_eq!(bad.parse::<Email>(), Err(NotAnEmail), "{bad}");
        }
    }
}
