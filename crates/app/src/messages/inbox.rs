//! Notices to people: given in the transaction of what causes them, shown in the inbox of the workspace, and mailed at
//! once or daily as each person has chosen.
//!
//! All that is due for a person goes into one mail. As long as a mail could not be sent, a later one replaces it and
//! contains its notices too: after a day without a mail server a person gets one mail, not a hundred.

mod import;
mod mail;

pub(crate) use self::import::Imported;
pub use self::mail::{due_text, happened};

use std::collections::BTreeSet;

use domain::{
    actor::Actor,
    id::{NoticeId, UserId},
    inbox::{NoticeChoices, Reason},
    page::{Page, PageRequest},
    text::Name,
};
use serde_json::Value;
use store::{Reader, Tx, inbox as rows, profile, user};

pub use store::inbox::NoticeRow;

use crate::{
    Error, Messages, Result,
    author::Author,
    authz::Caller,
    records::{RecordKind, RecordRow, any::title_of},
};

/// What a notice is about.
#[derive(Debug, Clone)]
pub(crate) struct About {
    /// The id of the record.
    pub(crate) subject: String,
    /// A person gets one notice for a reason, a subject and a version.
    pub(crate) version: i64,
    /// The table of the record.
    pub(crate) kind: &'static str,
    pub(crate) reference: Option<String>,
    pub(crate) title: String,
    pub(crate) due: Option<String>,
}

impl About {
    /// What the fields of a record say about it.
    pub(crate) fn of_fields(kind: &'static str, subject: String, version: i64, fields: &Value) -> Self {
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            subject,
            version,
            kind,
            reference: text("reference"),
            title: title_of(fields).map(str::to_owned).unwrap_or_default(),
            due: text("due_on").or_else(|| text("next_due_on")),
        }
    }
}

/// The person that the fields of a record name: test cases call them the assignee.
pub(crate) fn owner_of(fields: &Value) -> Option<&str> {
    fields.get("owner").or_else(|| fields.get("assignee")).and_then(Value::as_str)
}

impl Author {
    /// The same caller, whose changes give no notices: an import or a hand-over gives one for all.
    #[must_use]
    pub(crate) fn quiet(mut self) -> Self {
        self.gives_notices = false;
        self
    }

    /// Gives the new owner of a record a notice.
    pub(crate) fn notify_assigned<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        before: Option<&RecordRow<K>>,
        after: &RecordRow<K>,
    ) -> Result<()> {
        if !self.gives_notices || K::TABLE.work.is_none() {
            return Ok(());
        }
        let fields = after.record.fields();
        let Some(owner) = owner_of(&fields) else { return Ok(()) };
        if before.is_some_and(|before| owner_of(&before.record.fields()) == Some(owner)) {
            return Ok(());
        }
        let about = About::of_fields(K::TABLE.name, after.id.to_string(), after.version, &fields);
        self.notify_named(tx, Reason::Assigned, owner, &about)
    }

    /// Gives a notice to the one account that the text names. A text that names none or several is left alone.
    pub(crate) fn notify_named(
        &self,
        tx: &mut Tx<'_>,
        reason: Reason,
        name: &str,
        about: &About,
    ) -> Result<()> {
        let Ok(name) = Name::parse(name) else { return Ok(()) };
        match self.named(tx, &name)?[..] {
            [user] => self.notify(tx, user, reason, about),
            _ => Ok(()),
        }
    }

    /// The same to everyone who manages the institution's records, and to the owner.
    pub(crate) fn notify_managers(
        &self,
        tx: &mut Tx<'_>,
        reason: Reason,
        owner: Option<&str>,
        about: &About,
    ) -> Result<()> {
        let mut people: BTreeSet<UserId> = user::managers(tx, self.scope())?.into_iter().collect();
        if let Some(owner) = owner.and_then(|owner| Name::parse(owner).ok())
            && let [user] = self.named(tx, &owner)?[..]
        {
            people.insert(user);
        }
        for user in people {
            self.notify(tx, user, reason, about)?;
        }
        Ok(())
    }

    /// Gives a person a notice, unless they did it themselves or have closed their account.
    pub(crate) fn notify(&self, tx: &mut Tx<'_>, user: UserId, reason: Reason, about: &About) -> Result<()> {
        let actor = self.caller.actor();
        if actor == Actor::User(user) {
            return Ok(());
        }
        let Some((person, _)) =
            user::get(tx, self.scope(), user)?.filter(|(user, _)| user.disabled_at.is_none())
        else {
            return Ok(());
        };
        let zone = match person.time_zone {
            Some(zone) => zone,
            None => profile::get(tx, self.scope())?.profile.time_zone,
        };
        let choices = rows::choices(tx, self.scope(), user)?;
        let notice = NoticeRow {
            id: self.core.ids.next(self.now),
            user,
            reason,
            subject: about.subject.clone(),
            version: about.version,
            kind: about.kind.to_owned(),
            reference: about.reference.clone(),
            title: about.title.clone(),
            actor: matches!(actor, Actor::User(_) | Actor::Key(_)).then(|| actor.to_string()),
            due: about.due.clone(),
            created_at: self.now,
            read_at: None,
        };
        rows::put(tx, self.scope(), &notice, choices.mail_at(reason, self.now, &zone))?;
        Ok(())
    }
}

/// The person behind a session: others have no inbox.
fn person(caller: &Caller) -> Result<UserId> {
    match caller.actor() {
        Actor::User(user) => Ok(user),
        Actor::Key(_) | Actor::Operator | Actor::System => Err(Error::NotFound),
    }
}

impl Messages {
    /// The notices of the caller, newest first.
    pub async fn inbox(&self, caller: &Caller, request: PageRequest) -> Result<Page<NoticeRow>> {
        let (scope, user) = (*caller.scope(), person(caller)?);
        let read = move |r: &mut Reader<'_>| rows::list(r, &scope, user, request);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    /// Marks all notices of the caller as read and returns how many were not.
    pub async fn read_notices(&self, caller: &Caller) -> Result<u64> {
        let (scope, user, now) = (*caller.scope(), person(caller)?, self.clock.now());
        let write = move |tx: &mut Tx<'_>| rows::mark_all_read(tx, &scope, user, now);
        self.db.platform().bookkeep(write).await.map_err(Error::from)
    }

    /// Marks one notice of the caller as read and returns it.
    pub async fn read_notice(&self, caller: &Caller, id: NoticeId) -> Result<NoticeRow> {
        let (scope, user, now) = (*caller.scope(), person(caller)?, self.clock.now());
        let write = move |tx: &mut Tx<'_>| {
            let notice = rows::get(tx, &scope, user, id)?.ok_or(Error::NotFound)?;
            rows::mark_read(tx, &scope, user, id, now)?;
            Ok::<_, Error>(notice)
        };
        self.db.platform().bookkeep(write).await
    }

    pub async fn notice_choices(&self, caller: &Caller) -> Result<NoticeChoices> {
        let (scope, user) = (*caller.scope(), person(caller)?);
        let read = move |r: &mut Reader<'_>| rows::choices(r, &scope, user);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    pub async fn choose_notices(&self, caller: &Caller, choices: NoticeChoices) -> Result<()> {
        let (scope, user) = (*caller.scope(), person(caller)?);
        let write = move |tx: &mut Tx<'_>| rows::choose(tx, &scope, user, &choices);
        self.db.platform().bookkeep(write).await.map_err(Error::from)
    }
}
