//! The people of a tenant for programs: who an id in a record stands for.

use domain::{
    id::UserId,
    moment::Moment,
    page::{Page, PageRequest},
    permission::Permission,
    right::{Resource, Right},
    text::Name,
    time_zone::TimeZone,
    user::{Email, Role},
};
use store::{
    person::{self as rows, PersonRow},
    tenant,
};

use crate::{Error, People, Result, authz::Caller};

/// A person with what the caller may know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: UserId,
    pub name: Name,
    pub role: Role,
    /// Only for callers that manage keys or people.
    pub account: Option<Account>,
    pub updated_at: Moment,
}

/// The part of an account that readers do not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub email: Email,
    pub active: bool,
}

impl People {
    /// The people of the tenant: names and roles for every reader, addresses and states for those who manage keys or
    /// people.
    pub async fn people_page(&self, caller: &Caller, request: PageRequest) -> Result<Page<Person>> {
        let (scope, now) = (*caller.scope(), self.clock.now());
        let is_trusted = caller.may(Permission::ManageKeys) || caller.has(Resource::People, Right::Read);
        self.db
            .tenant(&scope)
            .read(move |r| {
                let zone =
                    tenant::by_id(r, scope.tenant())?.map(|tenant| tenant.time_zone).unwrap_or_default();
                let mut page = rows::list(r, &scope, request)?;
                let people = std::mem::take(&mut page.items).into_iter();
                let people = people.map(|row| person(row, is_trusted, &zone, now)).collect();
                Ok::<_, Error>(page.with(people))
            })
            .await
    }
}

fn person(row: PersonRow, is_trusted: bool, zone: &TimeZone, now: Moment) -> Person {
    let is_past = row.ends_on.is_some_and(|last| zone.local(now).day > last);
    let active = row.disabled_at.is_none() && !is_past;
    Person {
        id: row.id,
        name: row.name,
        role: row.role,
        account: is_trusted.then_some(Account { email: row.email, active }),
        updated_at: row.updated_at,
    }
}
