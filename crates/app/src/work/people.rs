//! The people of open work: who can own something, and under which names.

use domain::id::UserId;
use store::{Reader, TenantScope, user};

use crate::{Result, Work, authz::Caller};

/// The maximum number of users suggested as owners.
const SUGGESTED: u32 = 500;

impl Work {
    /// The names of the users who can own something, for suggestions.
    pub async fn people(&self, caller: &Caller) -> Result<Vec<String>> {
        let scope = *caller.scope();
        let look = move |reader: &mut Reader<'_>| user::names(reader, &scope, SUGGESTED);
        self.db.tenant(&scope).read(look).await.map_err(Into::into)
    }
}

/// The names of a user in records: id, name and address, each once. A name of no user is used as it is.
pub(super) fn names_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    owner: &str,
) -> Result<[Option<String>; 3]> {
    let person = match owner.parse::<UserId>() {
        Ok(id) => user::get(reader, scope, id)?
            .map(|(person, _)| (person.id, person.name.to_string(), person.email.to_string())),
        Err(_) => user::named(reader, scope, owner)?,
    };
    Ok(match person {
        Some((id, name, address)) => {
            let address = (!address.eq_ignore_ascii_case(&name)).then_some(address);
            [Some(id.to_string()), Some(name), address]
        }
        None => [Some(owner.to_owned()), None, None],
    })
}
