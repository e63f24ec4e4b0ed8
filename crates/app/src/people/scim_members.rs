//! The members of roles as a directory keeps them: its groups are the roles.

use domain::{id::UserId, user::Role, violation::AccountComplaint};
use store::{Tx, directory_account as rows};

use super::scim::{AccountRow, MOST_MEMBERS, MemberChange, require_grantable};
use crate::{Error, Result, author::Author, user::UserPatch};

impl Author {
    /// Makes the changes in turn, and says whose role changed.
    pub(super) fn change_members(
        &self,
        tx: &mut Tx<'_>,
        role: Role,
        changes: &[MemberChange],
    ) -> Result<Vec<UserId>> {
        let mut given = Vec::new();
        for change in changes {
            match change {
                MemberChange::Add(ids) => self.give_role(tx, role, ids, &mut given)?,
                MemberChange::Remove(ids) => {
                    for id in ids {
                        let member =
                            rows::get(tx, self.scope(), *id)?.filter(|account| !account.is_removed());
                        self.take_role(tx, role, member.as_slice(), &mut given)?;
                    }
                }
                MemberChange::Replace(ids) => {
                    self.give_role(tx, role, ids, &mut given)?;
                    self.take_role_from_others(tx, role, ids, &mut given)?;
                }
            }
        }
        Ok(given)
    }

    fn give_role(
        &self,
        tx: &mut Tx<'_>,
        role: Role,
        ids: &[UserId],
        changed: &mut Vec<UserId>,
    ) -> Result<()> {
        for id in ids {
            let account = rows::get(tx, self.scope(), *id)?.filter(|account| !account.is_removed());
            let unknown = || Error::invalid("members", AccountComplaint::NoAccount { id: id.to_string() });
            if account.ok_or_else(unknown)?.role != role {
                require_grantable(&self.caller, role)?;
                self.change_role(tx, *id, role)?;
                changed.push(*id);
            }
        }
        Ok(())
    }

    /// Those of the accounts that have the role are viewers from now on. A viewer has no role that could be taken.
    fn take_role(
        &self,
        tx: &mut Tx<'_>,
        role: Role,
        accounts: &[AccountRow],
        changed: &mut Vec<UserId>,
    ) -> Result<()> {
        for account in accounts.iter().filter(|account| account.role == role && role != Role::Viewer) {
            self.change_role(tx, account.id, Role::Viewer)?;
            changed.push(account.id);
        }
        Ok(())
    }

    fn take_role_from_others(
        &self,
        tx: &mut Tx<'_>,
        role: Role,
        kept: &[UserId],
        changed: &mut Vec<UserId>,
    ) -> Result<()> {
        let mut after = None;
        loop {
            let mut members = rows::of_role(tx, self.scope(), role, after, MOST_MEMBERS)?;
            let Some(last) = members.last() else { return Ok(()) };
            after = Some(last.id);
            members.retain(|member| !kept.contains(&member.id));
            self.take_role(tx, role, &members, changed)?;
        }
    }

    fn change_role(&self, tx: &mut Tx<'_>, id: UserId, role: Role) -> Result<()> {
        self.change_user(tx, id, &UserPatch { role: Some(role), ..UserPatch::default() }).map(drop)
    }
}
