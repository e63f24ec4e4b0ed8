//! Users: their address, their role, and the theme of the workspace.

use std::{fmt, str::FromStr};

use crate::{
    permission::{Permission, Permissions},
    vocabulary::vocabulary,
    wording::sentence,
};

vocabulary! {
    /// The role of a user in their tenant. `right` says what each may do.
    Role {
        Viewer = "viewer" ("Viewer", "Lesend"),
        /// Reads more than a viewer, and never writes anything.
        Auditor = "auditor" ("Auditor", "Revision"),
        /// Writes records of the daily work, and decides nothing.
        Contributor = "contributor" ("Contributor", "Mitwirkend"),
        /// Writes every record, and decides.
        Manager = "manager" ("Manager", "Leitend"),
        /// Also manages keys, users and settings.
        Administrator = "administrator" ("Administrator", "Administration"),
    }
}

impl Role {
    /// The permissions that apply to every resource, which a user can also give to an API key.
    pub fn permissions(self) -> Permissions {
        match self {
            Self::Viewer | Self::Auditor | Self::Contributor => Permissions::READ_ONLY,
            Self::Manager => Permissions::from_iter([Permission::Write]),
            Self::Administrator => Permissions::all(),
        }
    }
}

vocabulary! {
    /// Who must have a second factor.
    SecondFactorPolicy {
        /// Every user decides for themselves.
        Nobody = "nobody" ("Nobody", "Niemand"),
        Administrators = "administrators" ("Administrators", "Administration"),
        Everybody = "everybody" ("Everybody", "Alle"),
    }
}

impl SecondFactorPolicy {
    pub fn requires(self, role: Role) -> bool {
        match self {
            Self::Nobody => false,
            Self::Administrators => role == Role::Administrator,
            Self::Everybody => true,
        }
    }
}

/// The address a user signs in with. Stored in lower case, because users do not remember how they wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// The maximum length of an address that mail servers must accept.
    pub const MAX: usize = 254;

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the `@`.
    pub fn local_part(&self) -> &str {
        self.0.split_once('@').map_or(&self.0, |(local, _)| local)
    }

    /// The part after the `@`.
    pub fn domain(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(_, domain)| domain)
    }
}

sentence! {
    /// The text is no email address.
    NotAnEmail =
        "must be an email address such as anna.weber@bank.example",
        "muss eine E-Mail-Adresse wie anna.weber@bank.example sein";
}

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

vocabulary! {
    /// The theme of the workspace.
    Theme {
        /// As set on the device.
        Device = "device" ("As on this device", "Wie auf diesem Gerät"),
        Light = "light" ("Light", "Hell"),
        Dark = "dark" ("Dark", "Dunkel"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_grow_and_a_contributor_holds_no_general_right_to_write() {
        let permissions: Vec<_> = Role::ALL.iter().map(|role| role.permissions().to_string()).collect();
        assert_eq!(permissions, ["read", "read", "read", "read,write", "read,write,manage_keys"]);
        assert!(Role::Viewer < Role::Contributor && Role::Manager < Role::Administrator);
    }

    #[test]
    fn a_policy_holds_for_those_it_names() {
        let required =
            |policy: &SecondFactorPolicy| Role::ALL.iter().filter(|role| policy.requires(**role)).count();
        assert_eq!(SecondFactorPolicy::ALL.iter().map(required).collect::<Vec<_>>(), [0, 1, Role::ALL.len()]);
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
