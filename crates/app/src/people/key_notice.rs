//! Notices to the administrators of an institution about API keys that end soon: two weeks before, and the day before;
//! and mail about keys that were rotated.
//!
//! What was said is recorded in the same transaction, so that each key is announced once for each of the two lead times,
//! on whichever node.

use std::collections::BTreeMap;

use domain::{
    actor::Actor, format, id::TenantId, inbox::Reason, moment::Moment, text::looks_like_a_link, user::Email,
    wording::Label,
};
use outbound::message::{self, MailText};
use store::{
    Tx,
    api_key::{self, ApiKeyRow, EndingKey},
    tenant::{self, TenantRow},
    user,
};

use crate::{
    Error, People, Result,
    author::Author,
    authz::Caller,
    inbox::About,
    user_mail::{MailClass, UserMail},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Days before the end, nearest first: an administrator who gets the nearer notice needs no other one.
const LEADS: [i64; 2] = [1, 14];
/// How many keys are read at once.
const BATCH: u32 = 500;

const GREETING: Label = Label::new("Hello,", "Guten Tag,");
impl People {
    /// Notifies administrators of keys that end soon and returns the number of keys. A job calls it.
    pub async fn notice_ending_keys(&self) -> Result<u64> {
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
        Ok(announced)
    }

    async fn notice_keys_of(&self, tenant: TenantId, keys: Vec<EndingKey>, days: i64) -> Result<u64> {
        let author = Author::new(self, &Caller::system(tenant));
        self.db
            .platform()
            .bookkeep(move |tx| {
                let mut noted = 0;
                for key in &keys {
                    if api_key::note_notice(tx, author.scope(), key.id, days)? {
                        author.notify_of_ending_key(tx, key, days)?;
                        noted += 1;
                    }
                }
                Ok(noted)
            })
            .await
    }
}

impl Author {
    fn notify_of_ending_key(&self, tx: &mut Tx<'_>, key: &EndingKey, days: i64) -> Result<()> {
        let about = About {
            subject: key.id.to_string(),
            version: days,
            kind: "api_keys",
            reference: Some(format!("{}…", key.prefix)),
            title: key.name.clone(),
            due: Some(key.ends_at.to_string()),
        };
        for administrator in user::administrator_ids(tx, self.scope())? {
            self.notify(tx, administrator, Reason::KeyExpiring, &about)?;
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
        if !self.core.sends_mail() {
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
        let url = format!("{}/workspace/api-keys", self.core.senders.public_url);
        let ends_at = self.now.plus_seconds(NOTICE_SECONDS);
        let text = rotated(&tenant, (old, actor), until, &url);
        for to in people {
            let mail = UserMail { class: MailClass::Security, ..UserMail::new(to, text.clone(), ends_at) };
            self.core.queue_user_mail(tx, tenant.id, mail, self.now)?;
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
