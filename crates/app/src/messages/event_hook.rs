//! Event hooks: systems of a tenant that receive the events about its records, signed.

use domain::{
    delivery::{Health, Medium},
    event_hook::{EventFilter, EventHookDraft, EventHookPatch, EventPatterns, OVERLAP_MS},
    id::EventHookId,
    moment::Moment,
    page::{Page, PageRequest},
    right::{Resource, Right},
};
use outbound::signed_event::SigningSecret;
use serde_json::json;
use store::{
    Reader, Revision, TenantScope, Tx, delivery,
    destination::{self, Wake},
    event_hook as rows,
    sql::stream::end_of_revision,
};

use crate::{
    Error, Messages, Result, audit,
    authz::Caller,
    hook_secret::{Secrets, new_secret},
    idempotency::{Creation, Idempotency},
    pages::{self, Precondition, Rendered},
    quota::Quota,
    record_event::{EventSubject, require_events},
    security::What,
    webhook::{UNREADABLE, origin_only},
};

pub use store::event_hook::EventHookRow;

/// An event hook with its URL as this caller may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventHook {
    pub record: EventHookRow,
    /// In full for callers who may write; for others only its origin.
    pub url: String,
    /// Until when the secret before the current one signs too.
    pub former_until: Option<Moment>,
}

/// An event hook with a new secret, which is shown only once.
#[derive(Debug)]
pub struct NewSecret {
    pub hook: EventHook,
    pub secret: SigningSecret,
}

impl Messages {
    pub async fn event_hooks(&self, caller: &Caller, request: PageRequest) -> Result<Page<EventHook>> {
        let (this, viewer, scope) = (self.clone(), caller.clone(), *caller.scope());
        self.db.tenant(&scope).read(move |r| this.load_event_hooks(r, &viewer, request)).await
    }

    fn load_event_hooks(
        &self,
        reader: &mut Reader<'_>,
        caller: &Caller,
        request: PageRequest,
    ) -> Result<Page<EventHook>> {
        let page = rows::list(reader, caller.scope(), request)?;
        let items = page.items.iter().map(|row| self.reveal_hook(caller, row.clone())).collect();
        Ok(page.with(items))
    }

    pub async fn event_hook_page(
        &self,
        caller: &Caller,
        request: PageRequest,
        render: fn(&Page<EventHook>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let (this, viewer) = (self.clone(), caller.clone());
        let load = move |r: &mut Reader<'_>| this.load_event_hooks(r, &viewer, request);
        self.page(caller, "event_hooks", &pages::part(request), load, render).await
    }

    pub async fn event_hook(&self, caller: &Caller, id: EventHookId) -> Result<(EventHook, Revision)> {
        let scope = *caller.scope();
        let (row, revision) = self.db.tenant(&scope).read_at(move |r| rows::get(r, &scope, id)).await?;
        Ok((self.reveal_hook(caller, row.ok_or(Error::NotFound)?), revision))
    }

    /// The secret is in what `render` gets, and nowhere else.
    pub async fn create_event_hook(
        &self,
        caller: &Caller,
        draft: EventHookDraft,
        idempotency: Option<Idempotency>,
        render: fn(&NewSecret) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        require_kinds(caller, &draft.events, &draft.filter)?;
        let (this, author, now) = (self.clone(), caller.clone(), self.clock.now());
        // Event hooks carry contents of records out of the institution.
        caller.require_proof(now)?;
        let scope = *caller.scope();
        let created = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let one = PageRequest::new(Some(1), None).unwrap_or_default();
                    this.quotas.check(Quota::Webhooks, || Ok(rows::list(tx, &scope, one)?.total))?;
                    let secret = new_secret();
                    let row = this.new_event_hook(tx, &scope, &draft, &secret, now)?;
                    rows::insert(tx, &scope, &row)?;
                    let detail = json!({ "name": row.name.as_str(), "events": row.events.to_string() });
                    audit::record(tx, author.actor(), now, "event_hook.created", row.id, &detail)?;
                    let id = row.id.to_string();
                    Ok((id, NewSecret { hook: this.reveal_hook(&author, row), secret }))
                };
                this.once(tx, &author, idempotency.as_ref(), now, create, render)
            })
            .await?;
        if !created.replayed {
            self.note_by(caller, What::Webhook, "created");
        }
        Ok(created)
    }

    pub async fn change_event_hook(
        &self,
        caller: &Caller,
        id: EventHookId,
        patch: EventHookPatch,
        precondition: Precondition,
    ) -> Result<(EventHook, Revision)> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        let (this, author, now) = (self.clone(), caller.clone(), self.clock.now());
        caller.require_proof(now)?;
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                this.check_match(&precondition, before.version)?;
                let Some(mut after) = this.patched_hook(tx, &scope, &before, &patch)? else {
                    return Ok(None);
                };
                if after.url_hash != before.url_hash {
                    require_all_kinds(&author)?;
                }
                if after.active {
                    require_kinds(&author, &after.events, &after.filter)?;
                }
                after.updated_at = now;
                if !rows::update(tx, &scope, &after)? {
                    return Err(Error::Stale);
                }
                after.version += 1;
                follow(tx, &scope, &before, &after, now)?;
                let detail = json!({ "changed": changed_fields(&before, &after) });
                audit::record(tx, author.actor(), now, "event_hook.changed", id, &detail)?;
                let hook = this.reveal_hook(&author, after);
                Ok(tx.revision().map(|revision| (hook, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => {
                self.note_by(caller, What::Webhook, "changed");
                Ok(changed)
            }
            None => self.event_hook(caller, id).await,
        }
    }

    /// Makes a new secret. The one before signs too for a day, so that the receiver can be changed meanwhile.
    pub async fn rotate_event_hook(&self, caller: &Caller, id: EventHookId) -> Result<NewSecret> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        let (this, author, now) = (self.clone(), caller.clone(), self.clock.now());
        caller.require_proof(now)?;
        let scope = *caller.scope();
        let rotated = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let mut row = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                require_kinds(&author, &row.events, &row.filter)?;
                let (held, secret) = (this.open_hook(scope.tenant(), id, &row.sealed)?, new_secret());
                let former = Some((held.secret, now.plus_millis(OVERLAP_MS).millis()));
                let secrets = Secrets { url: held.url, secret: secret.reveal(), former };
                row.sealed = this.seal_hook(scope.tenant(), id, &secrets)?;
                row.updated_at = now;
                if !rows::update(tx, &scope, &row)? {
                    return Err(Error::Stale);
                }
                row.version += 1;
                let detail = json!({ "name": row.name.as_str() });
                audit::record(tx, author.actor(), now, "event_hook.secret_rotated", id, &detail)?;
                Ok(NewSecret { hook: this.reveal_hook(&author, row), secret })
            })
            .await?;
        self.note_by(caller, What::Webhook, "changed");
        Ok(rotated)
    }

    pub async fn delete_event_hook(
        &self,
        caller: &Caller,
        id: EventHookId,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        let (this, actor, now) = (self.clone(), caller.actor(), self.clock.now());
        caller.require_proof(now)?;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let row = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                this.check_match(&precondition, row.version)?;
                rows::delete(tx, &scope, id)?;
                delivery::skip_waiting(tx, id, now)?;
                let detail = json!({ "name": row.name.as_str() });
                audit::record(tx, actor, now, "event_hook.deleted", id, &detail)
            })
            .await?;
        self.note_by(caller, What::Webhook, "deleted");
        Ok(())
    }

    fn new_event_hook(
        &self,
        tx: &Tx<'_>,
        scope: &TenantScope,
        draft: &EventHookDraft,
        secret: &SigningSecret,
        now: Moment,
    ) -> Result<EventHookRow> {
        let (id, url): (EventHookId, _) = (self.ids.next(now), draft.destination.reveal().to_owned());
        let url_hash = self.hook_fingerprint(scope.tenant(), &url);
        let secrets = Secrets { url, secret: secret.reveal(), former: None };
        Ok(EventHookRow {
            id,
            name: draft.name.clone(),
            sealed: self.seal_hook(scope.tenant(), id, &secrets)?,
            url_hash,
            events: draft.events.clone(),
            filter: draft.filter.clone(),
            active: draft.active,
            position: end_of_revision(tx.revision().unwrap_or_default()),
            version: 1,
            created_at: now,
            updated_at: now,
            health: Health::default(),
            last_try: None,
            switched_off_at: None,
        })
    }

    /// The row with the patch applied, or `None` if that changes nothing.
    fn patched_hook(
        &self,
        tx: &Tx<'_>,
        scope: &TenantScope,
        before: &EventHookRow,
        patch: &EventHookPatch,
    ) -> Result<Option<EventHookRow>> {
        let mut after = before.clone();
        if let Some(name) = &patch.name {
            after.name.clone_from(name);
        }
        if let Some(events) = &patch.events {
            after.events.clone_from(events);
        }
        if let Some(filter) = &patch.filter {
            after.filter.clone_from(filter);
        }
        after.active = patch.active.unwrap_or(before.active);
        if let Some(to) = &patch.destination {
            let url_hash = self.hook_fingerprint(scope.tenant(), to.reveal());
            if url_hash != before.url_hash {
                let held = self.open_hook(scope.tenant(), before.id, &before.sealed)?;
                let secrets = Secrets { url: to.reveal().to_owned(), ..held };
                after.sealed = self.seal_hook(scope.tenant(), before.id, &secrets)?;
                after.url_hash = url_hash;
                after.health = Health::default();
            }
        }
        if after.active && !before.active {
            // What happened while its tenant had switched it off is not sent; what it missed while the service had done
            // so is in its log.
            if before.switched_off_at.is_none() {
                after.position = end_of_revision(tx.revision().unwrap_or_default());
            }
            after.health = Health::default();
            after.switched_off_at = None;
        }
        Ok((after != *before).then_some(after))
    }

    fn reveal_hook(&self, caller: &Caller, record: EventHookRow) -> EventHook {
        match self.open_hook(caller.tenant(), record.id, &record.sealed) {
            Ok(held) => {
                let former_until = held.former_until().filter(|until| *until > self.clock.now());
                let in_full = caller.has(Resource::Webhooks, Right::Write);
                let url = if in_full { held.url } else { origin_only(&held.url) };
                EventHook { record, url, former_until }
            }
            // One URL that cannot be read must not make the whole list fail.
            Err(error) => {
                tracing::error!(hook = %record.id, %error, "the URL of an event hook cannot be read");
                EventHook { record, url: UNREADABLE.to_owned(), former_until: None }
            }
        }
    }
}

/// Refuses kinds of records that the scopes of a key do not let it read: they are sent to a destination that the key
/// names.
fn require_kinds(caller: &Caller, events: &EventPatterns, filter: &EventFilter) -> Result<()> {
    let is_named = |noun: &str| events.names_kind(noun) && filter.names_kind(noun);
    let mut subjects = EventSubject::all().filter(|subject| is_named(subject.noun));
    subjects.try_for_each(|subject| require_events(caller, subject.noun))
}

/// Refuses a key whose scopes leave out any kind. What waits and what was sent before may be about kinds that the hook
/// no longer asks for.
pub(super) fn require_all_kinds(caller: &Caller) -> Result<()> {
    EventSubject::all().try_for_each(|subject| require_events(caller, subject.noun))
}

/// Waiting deliveries follow the event hook: to its new destination, or into the log as missed.
fn follow(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: &EventHookRow,
    after: &EventHookRow,
    now: Moment,
) -> Result<()> {
    if before.active && !after.active {
        delivery::skip_waiting(tx, after.id, now)?;
    }
    if before.url_hash != after.url_hash
        && let Some(due) = delivery::earliest(tx, after.id)?
    {
        let url_hash = after.url_hash.clone();
        destination::wake(tx, &[Wake { url_hash, medium: Medium::Hook, owner: scope.tenant(), at: due }])?;
        tx.hint();
    }
    Ok(())
}

fn changed_fields(before: &EventHookRow, after: &EventHookRow) -> Vec<&'static str> {
    [
        ("name", before.name != after.name),
        ("url", before.url_hash != after.url_hash),
        ("events", before.events != after.events),
        ("filter", before.filter != after.filter),
        ("active", before.active != after.active),
    ]
    .into_iter()
    .filter_map(|(field, changed)| changed.then_some(field))
    .collect()
}
