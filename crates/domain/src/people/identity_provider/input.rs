//! The settings of an identity provider as they are typed, and what is wrong with them.

use super::{GroupRole, IdentityProvider, IdentityProviderComplaint, Issuer};
use crate::{
    text::{self, Name},
    user::Role,
    violation::{Complaint, FieldComplaint, Violations},
    vocabulary::{UnknownWord, Vocabulary as _},
};

/// More of one kind is a mistake.
const MOST: usize = 100;
const MAX_WORD: usize = 200;
const USUAL_SCOPES: &str = "openid email profile";

/// Settings as a form holds them: lists with one item per line, empty for what is not set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdentityProviderInput {
    pub issuer: String,
    pub client_id: String,
    pub scopes: String,
    pub groups_claim: String,
    pub group_roles: String,
    pub creates_accounts: bool,
    pub default_role: String,
    pub domains: String,
    pub factor_values: String,
    pub label: String,
}

impl IdentityProviderInput {
    /// The settings, or everything that is wrong with them.
    pub fn checked(&self) -> Result<IdentityProvider, Violations> {
        let mut wrong = Violations::default();
        let issuer: Option<Issuer> = wrong.keep("issuer", self.issuer.parse());
        let client_id = wrong.keep("client_id", Name::parse(self.client_id.trim()));
        let label = wrong.keep("label", Name::parse(self.label.trim()));
        let groups_claim = self.claim(&mut wrong);
        let group_roles: Vec<GroupRole> = items(&mut wrong, "group_roles", &self.group_roles);
        let domains = items(&mut wrong, "domains", &self.domains);
        if domains.is_empty() && self.domains.trim().is_empty() {
            wrong.add("domains", IdentityProviderComplaint::NoDomain);
        }
        if !group_roles.is_empty() && groups_claim.is_none() {
            wrong.add("groups_claim", IdentityProviderComplaint::NoClaim);
        }
        let default_role = self.role(&mut wrong);
        let (scopes, factor_values) = (self.scopes(&mut wrong), words(&mut wrong, &self.factor_values));
        let settings =
            issuer.zip(client_id).zip(label).map(|((issuer, client_id), label)| IdentityProvider {
                issuer,
                client_id,
                scopes,
                groups_claim,
                group_roles,
                creates_accounts: self.creates_accounts,
                default_role,
                domains,
                factor_values,
                label,
            });
        wrong.or(settings)
    }

    fn claim(&self, wrong: &mut Violations) -> Option<Name> {
        let claim = self.groups_claim.trim();
        if claim.is_empty() { None } else { wrong.keep("groups_claim", Name::parse(claim)) }
    }

    /// The role of those who are in no assigned group.
    fn role(&self, wrong: &mut Violations) -> Option<Role> {
        let word = self.default_role.trim();
        let role = Role::find(word);
        if role.is_none() && !word.is_empty() {
            wrong.add("default_role", UnknownWord(Role::WORDS, Role::GERMAN));
        }
        if role == Some(Role::Administrator) {
            wrong.add("default_role", IdentityProviderComplaint::NotForEveryone);
        }
        if role.is_none() && self.creates_accounts && self.group_roles.trim().is_empty() {
            wrong.add("default_role", IdentityProviderComplaint::NoRole);
        }
        role
    }

    /// Without `openid` there is no sign-in, so it is always there.
    fn scopes(&self, wrong: &mut Violations) -> Vec<String> {
        let given = if self.scopes.trim().is_empty() { USUAL_SCOPES } else { &self.scopes };
        let mut scopes = vec!["openid".to_owned()];
        for word in given.split_whitespace() {
            let shaped = word.len() <= MAX_WORD
                && word.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte));
            if !shaped {
                let text = word.chars().take(80).collect();
                wrong.add("scopes", IdentityProviderComplaint::NotAScope { text });
            } else if !scopes.iter().any(|known| known == word) {
                scopes.push(word.to_owned());
            }
        }
        bounded(wrong, "scopes", scopes.len());
        scopes
    }
}

fn bounded(wrong: &mut Violations, field: &str, found: usize) {
    if found > MOST {
        wrong.add(field, FieldComplaint::TooManyItems { most: MOST, found });
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// One item per line; each once.
fn items<T>(wrong: &mut Violations, field: &str, text: &str) -> Vec<T>
where
    T: std::str::FromStr<Err: Into<Complaint>> + PartialEq,
{
    let mut found: Vec<T> = Vec::new();
    for line in lines(text).take(MOST + 1) {
        if let Some(item) = wrong.keep(field, line.parse())
            && !found.contains(&item)
        {
            found.push(item);
        }
    }
    bounded(wrong, field, lines(text).count());
    found
}

fn words(wrong: &mut Violations, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in lines(text).take(MOST + 1) {
        if let Some(word) = wrong.keep("factor_values", text::line(line, MAX_WORD)) {
            found.push(word.to_owned());
        }
    }
    bounded(wrong, "factor_values", lines(text).count());
    found
}
