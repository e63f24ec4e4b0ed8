//! Mail to users: stored in the transaction that causes it, sent right afterwards, and retried by any running process
//! until it has arrived or is no longer needed.
//!
//! The content of a mail is sealed in the store, because it may contain a link that opens an account. Other modules
//! write the mails; messages of webhooks are separate, with a log and an order of their own.

use std::time::Duration;

use domain::{
    id::{TenantId, UserMailId},
    moment::Moment,
    user::Email,
};
use futures_util::future::join_all;
use outbound::{
    mail::{Mail, MailSender},
    message::MailText,
    outcome::Outcome,
    retry::next_wait,
};
use serde::{Deserialize, Serialize};
use store::{
    Tx,
    user_mail::{self as rows, ClaimedUserMail, NewUserMail},
};

use crate::{Core, Error, Messages, Result, jobs::delivery::throw};

/// The maximum number of mails in flight.
const BATCH: u32 = 16;
/// A sender that has not reported for longer than one try takes is gone.
const GRACE: Duration = Duration::from_secs(30);

/// How a mail counts against the quota of its tenant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MailClass {
    /// Waits once the tenant has sent its hourly maximum.
    #[default]
    Ordinary,
    /// To the owner of an account about its safety: counted apart and never held back.
    Security,
}

/// A mail to be sent.
#[derive(Debug, Clone)]
pub(crate) struct UserMail {
    pub(crate) to: Email,
    pub(crate) text: MailText,
    pub(crate) class: MailClass,
    /// From then on it is no longer needed.
    pub(crate) ends_at: Moment,
    /// The digest of the one-time link in it: when the link is void, so is the mail.
    pub(crate) link: Option<String>,
    /// Whether it waits until the owner of the address has agreed to mail of the tenant.
    pub(crate) waits: bool,
    /// What it is about: a later mail about the same replaces it.
    pub(crate) about: Option<String>,
}

impl UserMail {
    /// An ordinary mail that goes out at once.
    pub(crate) fn new(to: Email, text: MailText, ends_at: Moment) -> Self {
        Self { to, text, class: MailClass::Ordinary, ends_at, link: None, waits: false, about: None }
    }
}

/// The sealed content.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Content {
    Mail {
        to: String,
        subject: String,
        text: String,
        html: String,
        language: String,
        /// Absent in mails of earlier versions.
        #[serde(default)]
        class: MailClass,
    },
    /// A user reported a forgotten password of this account. Whether the account exists is checked later, so that the
    /// response does not reveal it.
    Forgotten { email: String },
}

fn context(id: UserMailId) -> String {
    format!("letter:{id}")
}

impl Core {
    /// Stores a mail until it is sent. After the transaction `post_user_mail` sends it.
    pub(crate) fn queue_user_mail(
        &self,
        tx: &mut Tx<'_>,
        tenant: TenantId,
        mail: UserMail,
        now: Moment,
    ) -> Result<()> {
        self.queued_user_mail(tx, tenant, mail, now).map(|_| ())
    }

    /// The same, and returns the id of the mail.
    pub(crate) fn queued_user_mail(
        &self,
        tx: &mut Tx<'_>,
        tenant: TenantId,
        mail: UserMail,
        now: Moment,
    ) -> Result<UserMailId> {
        let UserMail { to, text, class, ends_at, link, waits, about } = mail;
        let MailText { subject, text, html, language } = text;
        let waits_for = waits.then(|| to.to_string());
        let language = language.to_string();
        let content = Content::Mail { to: to.to_string(), subject, text, html, language, class };
        let (id, sealed) = self.sealed(&content, now)?;
        let row = NewUserMail {
            id,
            tenant: Some(tenant),
            link,
            waits_for,
            about,
            sealed,
            created_at: now,
            ends_at,
        };
        rows::insert(tx, &row)?;
        Ok(id)
    }

    fn sealed(&self, content: &Content, now: Moment) -> Result<(UserMailId, String)> {
        let id = self.ids.next(now);
        let content = serde_json::to_string(content).map_err(Error::internal)?;
        Ok((id, self.vault.seal(&context(id), &content)?))
    }
}

impl Messages {
    /// Keeps a mail to the operator, which belongs to no tenant.
    pub(crate) fn queue_operator_mail(
        &self,
        tx: &mut Tx<'_>,
        to: &Email,
        text: MailText,
        now: Moment,
        ends_at: Moment,
    ) -> Result<()> {
        let MailText { subject, text, html, language } = text;
        let class = MailClass::Ordinary;
        let content =
            Content::Mail { to: to.to_string(), subject, text, html, language: language.to_string(), class };
        self.keep_sealed(tx, &content, now, ends_at)
    }

    /// Stores a request for a new password of this account.
    pub(crate) fn keep_forgotten(
        &self,
        tx: &mut Tx<'_>,
        email: &Email,
        now: Moment,
        ends_at: Moment,
    ) -> Result<()> {
        self.keep_sealed(tx, &Content::Forgotten { email: email.to_string() }, now, ends_at)
    }

    /// Stores a mail that belongs to no tenant.
    fn keep_sealed(&self, tx: &mut Tx<'_>, content: &Content, now: Moment, ends_at: Moment) -> Result<()> {
        let (id, sealed) = self.sealed(content, now)?;
        let (tenant, link, waits_for, about) = (None, None, None, None);
        let row = NewUserMail { id, tenant, link, waits_for, about, sealed, created_at: now, ends_at };
        Ok(rows::insert(tx, &row)?)
    }

    /// Sends mails that are due in the background. A job sends those that fail or whose result is unknown.
    pub(crate) fn post_user_mail(&self) {
        let this = self.clone();
        tokio::spawn(async move {
            if let Err(error) = this.send_user_mail().await {
                tracing::warn!(%error, "mails to users wait and are tried again");
            }
        });
    }

    /// Sends every mail that is due and returns how many were finished. A job calls it too.
    pub async fn send_user_mail(&self) -> Result<u64> {
        let Some(sender) = &self.senders.mail else { return Ok(0) };
        let lease = i64::try_from((sender.patience() + GRACE).as_millis()).unwrap_or(i64::MAX);
        let mut done = 0;
        loop {
            let now = self.clock.now();
            let claim = move |tx: &mut Tx<'_>| rows::claim(tx, now, now.plus_millis(lease), BATCH);
            let waiting = self.db.platform().bookkeep::<_, store::Error>(claim).await?;
            if waiting.is_empty() {
                return Ok(done);
            }
            let tried = join_all(waiting.iter().map(|mail| self.send_one(sender, mail))).await;
            for settled in tried {
                done += u64::from(settled?);
            }
        }
    }

    /// Makes one try; returns whether the mail is finished.
    async fn send_one(&self, sender: &MailSender, mail: &ClaimedUserMail) -> Result<bool> {
        let content = self.vault.open(&context(mail.id), &mail.sealed);
        let content = content
            .map_err(Error::from)
            .and_then(|text| serde_json::from_str(&text).map_err(Error::internal));
        match content {
            Ok(Content::Forgotten { email }) => {
                self.give_new_password(&email).await?;
                self.forget_user_mail(mail.id).await?;
                Ok(true)
            }
            Ok(Content::Mail { to, subject, text, html, language, class }) => {
                if let Some(wait) = mail.tenant.and_then(|tenant| self.mail_wait(tenant, class)) {
                    self.postpone_user_mail(mail, wait).await?;
                    return Ok(false);
                }
                let language = language.parse().unwrap_or_default();
                let text = MailText { subject, text, html, language };
                let id = mail.id.to_string();
                let message = Mail { id: &id, text: &text, date: mail.created_at, unsubscribe: None };
                let outcome = sender.send_to(&to, message).await;
                self.settle_one(mail, &outcome).await
            }
            Err(error) => {
                tracing::error!(mail = %mail.id, %error, "a mail that cannot be read is given up");
                self.forget_user_mail(mail.id).await?;
                Ok(true)
            }
        }
    }

    /// Deletes a mail, or puts it back for another try if one can still help.
    async fn settle_one(&self, mail: &ClaimedUserMail, outcome: &Outcome) -> Result<bool> {
        if outcome.verdict.is_success() {
            self.forget_user_mail(mail.id).await?;
            return Ok(true);
        }
        let (verdict, reason) = (outcome.verdict.as_str(), outcome.reason.as_str());
        let (id, tries) = (mail.id, mail.tries);
        let due_at = self.next_try(mail, outcome);
        let again = due_at.is_some();
        tracing::warn!(mail = %id, verdict, reason, status = outcome.status, tries, again, "a mail was not taken");
        match due_at {
            None => self.forget_user_mail(id).await?,
            Some(due_at) => {
                let mail = mail.clone();
                let put_back = move |tx: &mut Tx<'_>| rows::put_back(tx, &mail, due_at);
                self.db.platform().bookkeep::<_, store::Error>(put_back).await?;
            }
        }
        Ok(!again)
    }

    /// When to retry, if at all.
    fn next_try(&self, mail: &ClaimedUserMail, outcome: &Outcome) -> Option<Moment> {
        if outcome.verdict.is_final() {
            return None;
        }
        let tries = usize::try_from(mail.tries).unwrap_or(usize::MAX);
        let wait = next_wait(tries, outcome.retry_after, throw())?;
        let due_at = self.clock.now().plus_millis(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
        Some(due_at).filter(|due_at| *due_at < mail.ends_at)
    }

    /// Puts a mail back that may not be sent yet. That is no try.
    async fn postpone_user_mail(&self, mail: &ClaimedUserMail, wait: Duration) -> Result<()> {
        let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        let (mail, due_at) = (mail.clone(), self.clock.now().plus_millis(wait));
        self.db.platform().bookkeep(move |tx| rows::postpone(tx, &mail, due_at)).await.map_err(Error::from)
    }

    async fn forget_user_mail(&self, id: UserMailId) -> Result<()> {
        self.db.platform().bookkeep(move |tx| rows::delete(tx, id)).await.map_err(Error::from)
    }

    /// Deletes mails that are no longer needed. A job calls it.
    pub async fn prune_user_mail(&self) -> Result<u64> {
        let now = self.clock.now();
        self.db.platform().bookkeep(move |tx| rows::prune(tx, now)).await.map_err(Error::from)
    }
}
