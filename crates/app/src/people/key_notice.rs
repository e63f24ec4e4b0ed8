//! Mail to the administrators of an institution about API keys that end soon: two weeks before, and the day before; and
//! about keys that were rotated.
//!
//! One mail covers all keys of an institution. It is recorded in the same transaction, so that each key is announced
//! once for each of the two lead times, on whichever node.

use std::collections::BTreeMap;

use domain::{
    actor::Actor,
    format,
    id::TenantId,
    moment::Moment,
    text::looks_like_a_link,
    user::Email,
    wording::{Label, Language},
};
use outbound::message::{self, MailText};
use store::{
    TenantScope, Tx,
    api_key::{self, ApiKeyRow, EndingKey},
    tenant::{self, TenantRow},
    user,
};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    user_mail::{MailClass, UserMail},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Days before the end, nearest first: an administrator who gets the nearer mail needs no other one.
const LEADS: [i64; 2] = [1, 14];
/// How many keys are read at once.
const BATCH: u32 = 500;

const SUBJECT: Label = Label::new("API keys end soon", "API-Schlüssel laufen bald ab");
const TEXT: Label = Label::new(
    "these API keys of your institution end soon, and programs that use them then lose their access: {keys}. Rotate \
     or replace them in time:",
    "diese API-Schlüssel Ihres Instituts laufen bald ab; Programme, die sie benutzen, verlieren dann den Zugang: {keys}. \
     Bitte rechtzeitig ersetzen:",
);
const GREETING: Label = Label::new("Hello,", "Guten Tag,");
const CLOSING: Label = Label::new(
    "You get this mail because you administer Tidewall for your institution.",
    "Sie erhalten diese E-Mail, weil Sie Tidewall für Ihr Institut verwalten.",
);

impl App {
    /// Sends mail to administrators about keys that end soon and returns the number of keys. A job calls it.
    pub async fn notice_ending_keys(&self) -> Result<u64> {
        if !self.sends_mail() {
            return Ok(0);
        }
        let mut announced = 0;
        for days in LEADS {
            loop {
                let now = self.clock.now();
                let span = (now, now.plus_millis(days * DAY_MS));
                let found = self.db.platform().read(move |r| api_key::ending(r, span, days, BATCH)).await?;
                let mut by_tenant: BTreeMap<TenantId, Vec<EndingKey>> = BTreeMap::new();
                for key in found {
                    by_tenant.entry(key.tenant).or_default().push(key);
                }
                let mut noted = 0;
                for (tenant, keys) in by_tenant {
                    noted += self.notice_keys_of(tenant, keys, days).await?;
                }
                announced += noted;
                // Nothing was recorded although something was found: another node is doing it.
                if noted == 0 {
                    break;
                }
            }
        }
        self.post_user_mail();
        Ok(announced)
    }

    async fn notice_keys_of(&self, tenant: TenantId, keys: Vec<EndingKey>, days: i64) -> Result<u64> {
        let (app, now, scope) = (self.clone(), self.clock.now(), *Caller::system(tenant).scope());
        self.db
            .platform()
            .bookkeep(move |tx| {
                let mut ours = Vec::new();
                for key in &keys {
                    if api_key::note_notice(tx, &scope, key.id, days)? {
                        ours.push(key);
                    }
                }
                if !ours.is_empty() {
                    app.write_key_notice(tx, &scope, &ours, now)?;
                }
                Ok(ours.len() as u64)
            })
            .await
    }

    fn write_key_notice(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        keys: &[&EndingKey],
        now: Moment,
    ) -> Result<()> {
        let tenant = tenant::by_id(tx, scope.tenant())?.ok_or(Error::NotFound)?;
        let ends_at = keys.iter().map(|key| key.ends_at).max().unwrap_or(now);
        let url = format!("{}/workspace/api-keys", self.senders.public_url);
        let people: Vec<Email> = user::administrators(tx, scope)?;
        for to in people {
            let language = tenant.language;
            let text = drawn(&tenant, keys, &url, language);
            self.queue_user_mail(tx, tenant.id, UserMail::new(to, text, ends_at), now)?;
        }
        Ok(())
    }
}

const ROTATED: Label = Label::new("An API key was replaced", "Ein API-Schlüssel wurde ersetzt");
const ROTATED_TEXT: Label = Label::new(
    "{who} replaced the API key {key}. The old key works until {end}. If that was not planned, revoke both keys at once:",
    "{who} hat den API-Schlüssel {key} ersetzt. Der alte Schlüssel gilt bis {end}. War das nicht geplant, widerrufen Sie \
     bitte sofort beide Schlüssel:",
);
const ROTATED_CLOSING: Label = Label::new(
    "You get this mail because you administer Tidewall for your institution, or because the key goes back to you.",
    "Sie erhalten diese E-Mail, weil Sie Tidewall für Ihr Institut verwalten oder weil der Schlüssel auf Sie zurückgeht.",
);
const BY_A_PERSON: Label = Label::new("a person", "eine Person");
const BY_ITSELF: Label = Label::new("the key itself", "der Schlüssel selbst");
const BY_A_KEY: Label = Label::new("another API key", "ein anderer API-Schlüssel");
const BY_THE_OPERATOR: Label = Label::new("the operator", "der Betreiber");
/// A notice that has not arrived by then is no longer sent.
const NOTICE_SECONDS: i64 = 24 * 60 * 60;

impl Author {
    /// Writes to the administrators and to the person at the start of the key's chain, but not to the one who does it.
    pub(crate) fn tell_of_rotation(&self, tx: &mut Tx<'_>, old: &ApiKeyRow, until: Moment) -> Result<()> {
        if !self.app.sends_mail() {
            return Ok(());
        }
        let (scope, actor) = (self.scope(), self.caller.actor());
        let mut people: Vec<Email> = user::administrators(tx, scope)?;
        if let Some((_, Some(Actor::User(maker)))) = api_key::origin(tx, scope, old.id)?
            && let Some((maker, _)) =
                user::get(tx, scope, maker)?.filter(|(user, _)| user.disabled_at.is_none())
        {
            people.push(maker.email);
        }
        if let Actor::User(id) = actor
            && let Some((own, _)) = user::get(tx, scope, id)?
        {
            people.retain(|email| *email != own.email);
        }
        people.sort_by(|one, other| one.as_str().cmp(other.as_str()));
        people.dedup();
        let tenant = tenant::by_id(tx, scope.tenant())?.ok_or(Error::NotFound)?;
        let url = format!("{}/workspace/api-keys", self.app.senders.public_url);
        let ends_at = self.now.plus_seconds(NOTICE_SECONDS);
        let text = rotated(&tenant, (old, actor), until, &url);
        for to in people {
            let mail = UserMail { class: MailClass::Security, ..UserMail::new(to, text.clone(), ends_at) };
            self.app.queue_user_mail(tx, tenant.id, mail, self.now)?;
        }
        Ok(())
    }
}

fn rotated(tenant: &TenantRow, (old, actor): (&ApiKeyRow, Actor), until: Moment, url: &str) -> MailText {
    let language = tenant.language;
    let who = match actor {
        Actor::User(_) => BY_A_PERSON,
        Actor::Key(id) if id == old.id => BY_ITSELF,
        Actor::Key(_) => BY_A_KEY,
        Actor::Operator | Actor::System => BY_THE_OPERATOR,
    };
    let end = format::moment(language, &tenant.time_zone, until);
    let body = ROTATED_TEXT
        .text(language)
        .replacen("{who}", who.text(language), 1)
        .replacen("{end}", &end, 1)
        .replacen("{key}", &shown(old.name.as_str(), &old.prefix), 1);
    let mail = message::PersonalMail {
        subject: &format!("{} ({})", ROTATED.text(language), tenant.name),
        greeting: GREETING.text(language),
        body: &body,
        url,
        closing: ROTATED_CLOSING.text(language),
    };
    mail.draw(language)
}

/// A key's name is free text: one that a mail program would turn into a link is left out.
fn shown(name: &str, prefix: &str) -> String {
    if looks_like_a_link(name) { format!("{prefix}…") } else { format!("{name} {prefix}…") }
}

fn drawn(tenant: &TenantRow, keys: &[&EndingKey], url: &str, language: Language) -> MailText {
    let ending = |key: &&EndingKey| {
        let end = format::moment(language, &tenant.time_zone, key.ends_at);
        format!("{} ({end})", shown(&key.name, &key.prefix))
    };
    let list: Vec<String> = keys.iter().map(ending).collect();
    let body = TEXT.text(language).replace("{keys}", &list.join("; "));
    let mail = message::PersonalMail {
        subject: &format!("{} ({})", SUBJECT.text(language), tenant.name),
        greeting: GREETING.text(language),
        body: &body,
        url,
        closing: CLOSING.text(language),
    };
    mail.draw(language)
}
