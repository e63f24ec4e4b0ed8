//! Webhooks: a tenant's destinations and the events they subscribe to.

use domain::{
    delivery::{Health, HookId},
    id::{TenantId, WebhookId},
    key_limits::Verb,
    key_resources::resources_of_event,
    moment::Moment,
    page::{Page, PageRequest},
    right::{Resource, Right},
    violation::Violations,
    webhook::{Channel, Destination, Events, WebhookDraft, WebhookPatch},
};
use serde_json::json;
use store::{
    Reader, Revision, TenantScope, Tx, delivery,
    destination::{self, Wake},
    webhook as rows,
};

use crate::{
    Error, Messages, Result, audit,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    mail_address::has_to_wait,
    pages::{self, Precondition, Rendered},
    quota::Quota,
    security::What,
};

/// A webhook with its URL as this caller may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    pub record: WebhookRow,
    /// In full for callers who may write; for others the secret part is masked.
    pub url: String,
}

pub use store::webhook::{LastTry, WebhookRow};

impl Messages {
    /// Checks a destination against the allowlist of its channel.
    pub fn check_destination(&self, channel: Channel, url: &str) -> Result<Destination, Violations> {
        self.allowlist.check(channel, url).map_err(|error| Violations::one("url", error))
    }

    pub async fn webhooks(&self, caller: &Caller, request: PageRequest) -> Result<Page<Webhook>> {
        let (this, viewer, scope) = (self.clone(), caller.clone(), *caller.scope());
        self.db.tenant(&scope).read(move |r| this.load_webhooks(r, &viewer, request)).await
    }

    fn load_webhooks(
        &self,
        reader: &mut Reader<'_>,
        caller: &Caller,
        request: PageRequest,
    ) -> Result<Page<Webhook>> {
        let page = rows::list(reader, caller.scope(), request)?;
        let items = page.items.iter().map(|row| self.reveal(caller, row.clone())).collect();
        Ok(page.with(items))
    }

    pub async fn webhook_page(
        &self,
        caller: &Caller,
        request: PageRequest,
        render: fn(&Page<Webhook>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let (this, viewer) = (self.clone(), caller.clone());
        let load = move |r: &mut Reader<'_>| this.load_webhooks(r, &viewer, request);
        let question = pages::part(request);
        self.page(caller, "webhooks", &question, load, render).await
    }

    pub async fn webhook(&self, caller: &Caller, id: WebhookId) -> Result<(Webhook, Revision)> {
        let scope = *caller.scope();
        let (row, revision) = self.db.tenant(&scope).read_at(move |r| rows::get(r, &scope, id)).await?;
        let webhook = self.reveal(caller, row.ok_or(Error::NotFound)?);
        Ok((webhook, revision))
    }

    pub async fn create_webhook(
        &self,
        caller: &Caller,
        draft: WebhookDraft,
        idempotency: Option<Idempotency>,
        render: fn(&Webhook) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Webhooks, Right::Write)?;
        require_events(caller, &draft.events)?;
        let (this, author, now) = (self.clone(), caller.clone(), self.clock.now());
        // Webhooks carry titles of records out of the institution.
        caller.require_proof(now)?;
        let scope = *caller.scope();
        let created = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let one = PageRequest::new(Some(1), None).unwrap_or_default();
                    this.quotas.check(Quota::Webhooks, || Ok(rows::list(tx, &scope, one)?.total))?;
                    let mut row = this.new_webhook(scope.tenant(), &draft, now)?;
                    row.pending = has_to_wait(tx, &scope, (draft.channel, &draft.destination))?;
                    rows::insert(tx, &scope, &row)?;
                    this.ask_for_webhook(tx, &author, &row, now)?;
                    let detail = json!({
                        "name": row.name.as_str(),
                        "channel": row.channel.as_str(),
                        "events": row.events.to_string(),
                    });
                    audit::record(tx, author.actor(), now, "webhook.created", row.id, &detail)?;
                    Ok((row.id.to_string(), this.reveal(&author, row)))
                };
                this.once(tx, &author, idempotency.as_ref(), now, create, render)
            })
            .await?;
        self.post_user_mail();
        if !created.replayed {
            self.note_by(caller, What::Webhook, "created");
        }
        Ok(created)
    }

    pub async fn change_webhook(
        &self,
        caller: &Caller,
        id: WebhookId,
        patch: WebhookPatch,
        precondition: Precondition,
    ) -> Result<(Webhook, Revision)> {
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
                let Some(mut after) = this.patched(scope.tenant(), &before, &patch)? else { return Ok(None) };
                if after.url_hash != before.url_hash || after.channel != before.channel {
                    let destination = this.destination(scope.tenant(), id, &after.sealed_url)?;
                    after.pending = has_to_wait(tx, &scope, (after.channel, &destination))?;
                }
                if after.active || after.events != before.events {
                    require_events(&author, &after.events)?;
                }
                after.updated_at = now;
                if !rows::update(tx, &scope, &after)? {
                    return Err(Error::Stale);
                }
                after.version += 1;
                follow(tx, &scope, &before, &after, now)?;
                this.ask_for_webhook(tx, &author, &after, now)?;
                let detail = json!({ "changed": changed_fields(&before, &after) });
                audit::record(tx, author.actor(), now, "webhook.changed", id, &detail)?;
                let webhook = this.reveal(&author, after);
                Ok(tx.revision().map(|revision| (webhook, Revision(revision))))
            })
            .await?;
        self.post_user_mail();
        match changed {
            Some(changed) => {
                self.note_by(caller, What::Webhook, "changed");
                Ok(changed)
            }
            None => self.webhook(caller, id).await,
        }
    }

    pub async fn delete_webhook(
        &self,
        caller: &Caller,
        id: WebhookId,
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
                let detail = json!({ "name": row.name.as_str(), "channel": row.channel.as_str() });
                audit::record(tx, actor, now, "webhook.deleted", id, &detail)
            })
            .await?;
        self.note_by(caller, What::Webhook, "deleted");
        Ok(())
    }

    fn new_webhook(&self, tenant: TenantId, draft: &WebhookDraft, now: Moment) -> Result<WebhookRow> {
        let id: WebhookId = self.ids.next(now);
        Ok(WebhookRow {
            id,
            name: draft.name.clone(),
            channel: draft.channel,
            sealed_url: self.vault.seal_for(tenant, &url_context(id), draft.destination.reveal())?,
            url_hash: Some(self.vault.fingerprint(draft.destination.reveal())),
            events: draft.events.clone(),
            active: true,
            pending: false,
            version: 1,
            created_at: now,
            updated_at: now,
            health: Health::default(),
            last_try: None,
            switched_off_at: None,
        })
    }

    /// The row with the patch applied, or `None` if that changes nothing.
    fn patched(
        &self,
        tenant: TenantId,
        before: &WebhookRow,
        patch: &WebhookPatch,
    ) -> Result<Option<WebhookRow>> {
        let mut after = before.clone();
        if let Some(name) = &patch.name {
            after.name.clone_from(name);
        }
        if let Some(events) = &patch.events {
            after.events.clone_from(events);
        }
        after.active = patch.active.unwrap_or(before.active);
        after.channel = patch.channel.unwrap_or(before.channel);
        // A URL that cannot be read can still be replaced by another one.
        let url = self.vault.open_for(tenant, &url_context(before.id), &before.sealed_url).ok();
        let wanted = patch.url.as_deref().or(url.as_deref()).unwrap_or(UNREADABLE);
        let replaced = patch.url.is_some() && patch.url != url;
        if replaced || after.channel != before.channel {
            // Channel and URL depend on each other, so a change of either checks both.
            let destination = self.check_destination(after.channel, wanted)?;
            after.sealed_url = self.vault.seal_for(tenant, &url_context(before.id), destination.reveal())?;
            after.url_hash = Some(self.vault.fingerprint(destination.reveal()));
            after.health = Health::default();
        }
        if after.active && !before.active {
            // Switching a webhook on resets its health, because its owner expects it to work again.
            after.health = Health::default();
            after.switched_off_at = None;
        }
        Ok((after != *before).then_some(after))
    }

    /// The webhook's URL in full, for sending.
    pub(crate) fn destination(
        &self,
        tenant: TenantId,
        id: impl Into<HookId>,
        sealed_url: &str,
    ) -> Result<Destination> {
        Ok(Destination::checked(self.vault.open_for(tenant, &url_context(id), sealed_url)?))
    }

    fn reveal(&self, caller: &Caller, record: WebhookRow) -> Webhook {
        let url = match self.vault.open_for(caller.tenant(), &url_context(record.id), &record.sealed_url) {
            Ok(url) if caller.has(Resource::Webhooks, Right::Write) => url,
            Ok(url) => masked(record.channel, &url),
            // One URL that cannot be read must not make the whole list fail.
            Err(error) => {
                tracing::error!(webhook = %record.id, %error, "the URL of a webhook cannot be read");
                UNREADABLE.to_owned()
            }
        };
        Webhook { record, url }
    }
}

/// Refuses events about records that the scopes of a key do not let it read: they are sent to a destination that the key
/// names. A key may always switch a webhook off.
pub(crate) fn require_events(caller: &Caller, events: &Events) -> Result<()> {
    let mut resources = events.iter().flat_map(resources_of_event);
    resources.try_for_each(|resource| caller.require_scope(resource, Verb::Read))
}

/// Waiting deliveries follow the webhook: to its new destination, or into the log as missed.
fn follow(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: &WebhookRow,
    after: &WebhookRow,
    now: Moment,
) -> Result<()> {
    if (before.active && !after.active) || after.pending {
        delivery::skip_waiting(tx, after.id, now)?;
    }
    if before.url_hash != after.url_hash
        && let Some(url_hash) = &after.url_hash
        && let Some(due) = delivery::earliest(tx, after.id)?
    {
        let (url_hash, medium) = (url_hash.clone(), after.channel.into());
        destination::wake(tx, &[Wake { url_hash, medium, owner: scope.tenant(), at: due }])?;
        tx.hint();
    }
    Ok(())
}

/// Replaces a URL that was sealed with a key this service does not have.
pub const UNREADABLE: &str = "unreadable: enter the URL again";

/// What a sealed URL is bound to.
pub(crate) fn url_context(id: impl Into<HookId>) -> String {
    match id.into() {
        HookId::Webhook(id) => format!("webhook:{id}"),
        HookId::Event(id) => format!("event-hook:{id}"),
    }
}

/// Enough to recognise the destination, not enough to post to it. A mail address is no secret.
fn masked(channel: Channel, url: &str) -> String {
    if channel == Channel::Email { url.to_owned() } else { origin_only(url) }
}

/// The origin of a URL. What follows may contain a secret.
pub(crate) fn origin_only(url: &str) -> String {
    let host_end = url.find("://").and_then(|scheme| Some(scheme + 3 + url[scheme + 3..].find('/')?));
    let origin = host_end.map_or("", |end| &url[..end]);
    format!("{origin}/***")
}

fn changed_fields(before: &WebhookRow, after: &WebhookRow) -> Vec<&'static str> {
    [
        ("name", before.name != after.name),
        ("channel", before.channel != after.channel),
        ("url", before.url_hash != after.url_hash),
        ("events", before.events != after.events),
        ("active", before.active != after.active),
    ]
    .into_iter()
    .filter_map(|(field, changed)| changed.then_some(field))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_only_callers_see_where_but_not_the_secret() {
        let url = "https://hooks.slack.com/services/T0/B0/secret";
        assert_eq!(masked(Channel::Slack, url), "https://hooks.slack.com/***");
        assert_eq!(masked(Channel::Email, "mailto:ict@bank.example"), "mailto:ict@bank.example");
    }
}
