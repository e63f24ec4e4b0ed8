//! Mail to addresses outside the institution: their owners are asked once, and nothing else goes there before they agree.
//!
//! An address is inside if its domain is one of the institution's, which a setting names; without it they are the domains
//! of its administrators. Agreement holds for the institution and the address, whatever is sent.

use domain::{
    id::WebhookId,
    mail_domain::{MailComplaint, MailDomains},
    moment::Moment,
    permission::Permission,
    text::Name,
    user::Email,
    violation::AccountComplaint,
    webhook::{Channel, Destination},
    wording::Label,
};
use outbound::message;
use serde_json::json;
use store::{Reader, TenantScope, Tx, mail_address as rows, tenant, user, user_mail, webhook};

use crate::{
    Core, Error, Messages, Result, audit,
    authz::Caller,
    security::What,
    token::Token,
    user_mail::UserMail,
    webhook::{Webhook, WebhookRow},
};

/// The path of links that confirm an address.
pub const PATH: &str = "/mail-address";
/// How long such a link works.
const LINK_SECONDS: i64 = 7 * 24 * 60 * 60;
/// How long the owner of an address gets no second mail.
const AGAIN_SECONDS: i64 = 60 * 60;

const SUBJECT: Label =
    Label::new("Please confirm this mail address", "Bitte bestätigen Sie diese E-Mail-Adresse");
const GREETING: Label = Label::new("Hello,", "Guten Tag,");
const BODY: Label = Label::new(
    "the institution named in the subject wants to send messages to this address with Tidewall: a questionnaire, or notifications. They come only if you agree within seven days, by opening this link:",
    "das im Betreff genannte Institut möchte mit Tidewall Nachrichten an diese Adresse senden: einen Fragebogen oder Benachrichtigungen. Sie kommen nur, wenn Sie binnen sieben Tagen zustimmen, indem Sie diesen Link öffnen:",
);
const CLOSING: Label = Label::new(
    "If you do not know what this is about, ignore this mail: nothing else is sent to you.",
    "Falls Sie nicht wissen, worum es geht, ignorieren Sie diese E-Mail: Es wird Ihnen nichts Weiteres gesandt.",
);

/// What the holder of a link sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedAddress {
    pub institution: Name,
    pub address: Email,
    pub is_confirmed: bool,
}

impl Messages {
    /// The domains of the institution.
    pub async fn mail_domains(&self, caller: &Caller) -> Result<MailDomains> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |reader| own_domains(reader, &scope)).await
    }

    /// Names the domains of the institution; `None` for those of its administrators.
    pub async fn set_mail_domains(&self, caller: &Caller, domains: Option<MailDomains>) -> Result<()> {
        caller.require_administrator()?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let text = domains.as_ref().map(ToString::to_string);
                tenant::set_mail_domains(tx, &scope, text.as_deref())?;
                audit::record(
                    tx,
                    actor,
                    now,
                    "tenant.changed",
                    scope.tenant(),
                    &json!({ "mail_domains": text }),
                )
            })
            .await?;
        self.note_by(caller, What::Settings, "mail_domains");
        Ok(())
    }

    /// Writes to the owner of the address of a webhook that waits, unless that was done lately.
    pub(crate) fn ask_for_webhook(
        &self,
        tx: &mut Tx<'_>,
        caller: &Caller,
        row: &WebhookRow,
        now: Moment,
    ) -> Result<()> {
        let destination = self.destination(caller.tenant(), row.id, &row.sealed_url)?;
        match address_of(row.channel, &destination) {
            Some(address) if row.pending => self.ask_address(tx, caller, &address, now),
            _ => Ok(()),
        }
    }

    /// Sends the link to the address of a webhook that waits once more.
    pub async fn ask_webhook_address(&self, caller: &Caller, id: WebhookId) -> Result<()> {
        caller.require(Permission::Write)?;
        if !self.sends_mail() {
            return Err(Error::invalid("mail", AccountComplaint::NoMailServer));
        }
        let (this, caller, now) = (self.clone(), caller.clone(), self.clock.now());
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let row = webhook::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                if !row.pending {
                    return Err(Error::invalid("url", MailComplaint::Confirmed));
                }
                let destination = this.destination(scope.tenant(), id, &row.sealed_url)?;
                if let Some(address) = address_of(row.channel, &destination)
                    && let Some(known) = rows::get(tx, &scope, &address)?
                    && let Some(minutes) = minutes_left(known.asked_at, now)
                {
                    return Err(Error::invalid("mail", MailComplaint::AskedLately { minutes }));
                }
                this.ask_for_webhook(tx, &caller, &row, now)
            })
            .await?;
        self.post_user_mail();
        Ok(())
    }

    /// What a link asks; `None` if it has expired, was replaced, or never existed.
    pub async fn asked_address(&self, token: &Token) -> Result<Option<AskedAddress>> {
        let (digest, now) = (token.digest(), self.clock.now());
        let read = move |reader: &mut Reader<'_>| {
            let Some(row) = rows::by_digest(reader, &digest)?.filter(|row| now < row.ends_at) else {
                return Ok(None);
            };
            let institution = tenant::by_id(reader, row.tenant)?.filter(|found| found.closed_at.is_none());
            Ok::<_, Error>(institution.map(|institution| AskedAddress {
                institution: institution.name,
                address: row.address,
                is_confirmed: row.confirmed_at.is_some(),
            }))
        };
        self.db.platform().read(read).await
    }

    /// The owner of the address agrees: its webhooks may send, and mail that waited goes out. False if the link does not
    /// work.
    pub async fn confirm_address(&self, token: &Token) -> Result<bool> {
        let (digest, now) = (token.digest(), self.clock.now());
        let found = self.db.platform().read(move |reader| rows::by_digest(reader, &digest)).await?;
        let Some(row) = found.filter(|row| now < row.ends_at) else { return Ok(false) };
        let (this, caller) = (self.clone(), Caller::system(row.tenant));
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                if !rows::confirm(tx, &scope, &row.address, now)? {
                    return Ok::<_, Error>(());
                }
                for (id, sealed_url) in webhook::pending(tx, &scope)? {
                    let destination = this.destination(scope.tenant(), id, &sealed_url)?;
                    if address_of(Channel::Email, &destination).as_ref() == Some(&row.address) {
                        webhook::confirm(tx, &scope, id, now)?;
                    }
                }
                user_mail::release(tx, &scope, row.address.as_str(), now)?;
                let detail = json!({ "address": row.address.as_str() });
                audit::record(tx, caller.actor(), now, "mail_address.confirmed", scope.tenant(), &detail)
            })
            .await?;
        self.post_user_mail();
        Ok(true)
    }
}

impl Core {
    /// Writes to the owner of an address, unless that was done lately or no mail is sent at all.
    pub(crate) fn ask_address(
        &self,
        tx: &mut Tx<'_>,
        caller: &Caller,
        address: &Email,
        now: Moment,
    ) -> Result<()> {
        let scope = caller.scope();
        let known = rows::get(tx, scope, address)?;
        let lately = known.is_some_and(|row| minutes_left(row.asked_at, now).is_some());
        if lately || !self.sends_mail() {
            return Ok(());
        }
        let (token, ends_at) = (Token::random(), now.plus_seconds(LINK_SECONDS));
        rows::ask(tx, scope, address, &token.digest(), (now, ends_at))?;
        let institution = tenant::by_id(tx, scope.tenant())?.ok_or(Error::NotFound)?;
        let language = institution.language;
        let t = |label: Label| label.text(language);
        let text = message::PersonalMail {
            subject: &format!("{} ({})", t(SUBJECT), institution.name),
            greeting: t(GREETING),
            body: t(BODY),
            url: &format!("{}{PATH}/{}", self.senders.public_url, token.reveal()),
            closing: t(CLOSING),
        };
        let text = text.draw(language);
        self.queue_user_mail(tx, scope.tenant(), UserMail::new(address.clone(), text, ends_at), now)?;
        let detail = json!({ "address": address.as_str() });
        audit::record(tx, caller.actor(), now, "mail_address.asked", scope.tenant(), &detail)
    }
}

impl Webhook {
    /// Refuses to send to a webhook that waits for the owner of its address.
    pub(crate) fn require_confirmed(row: &WebhookRow, destination: &Destination) -> Result<()> {
        if !row.pending {
            return Ok(());
        }
        let address =
            address_of(row.channel, destination).map_or_else(String::new, |address| address.to_string());
        Err(Error::invalid("url", MailComplaint::Unconfirmed { address }))
    }
}

fn own_domains(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<MailDomains> {
    match tenant::mail_domains(reader, scope)? {
        Some(text) => MailDomains::parse(&text).map_err(Error::internal),
        None => Ok(MailDomains::of(&user::administrators(reader, scope)?)),
    }
}

/// Whether mail other than the question may go there.
pub(crate) fn may_mail(reader: &mut Reader<'_>, scope: &TenantScope, address: &Email) -> Result<bool> {
    if own_domains(reader, scope)?.contains(address) {
        return Ok(true);
    }
    Ok(rows::get(reader, scope, address)?.is_some_and(|row| row.confirmed_at.is_some()))
}

fn address_of(channel: Channel, destination: &Destination) -> Option<Email> {
    let address = destination.reveal().strip_prefix("mailto:").filter(|_| channel == Channel::Email)?;
    address.parse().ok()
}

/// How many minutes have to pass before the owner may be asked again.
fn minutes_left(asked_at: Moment, now: Moment) -> Option<i64> {
    let left = AGAIN_SECONDS - asked_at.seconds_until(now);
    (left > 0).then_some((left + 59) / 60)
}

/// Whether a webhook has to wait for the owner of its address.
pub(crate) fn has_to_wait(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (channel, destination): (Channel, &Destination),
) -> Result<bool> {
    match address_of(channel, destination) {
        Some(address) => Ok(!may_mail(reader, scope, &address)?),
        None => Ok(false),
    }
}
