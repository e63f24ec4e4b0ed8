//! Links that choose a password, sent by mail to the person they are for.
//!
//! The link is made by whoever asks for it and is gone from our memory once it is sent, so nothing here is queued: a
//! mail that cannot be sent after a few tries is given up, and asking again makes a new link.

use std::net::IpAddr;

use domain::{
    user::Email,
    wording::{Label, Language},
};
use outbound::{
    mail::Mail,
    message::{Letter, MailText},
};
use serde_json::json;
use store::{
    one_time_link::{self as links, Purpose},
    tenant,
    user::{self as users, UserRow},
};

use crate::{
    App, Error, Result, audit, authz::Caller, one_time_link::issue, outside::spoken, slowdown::TooMany,
    token::Token,
};

const INVITED: Label = Label::new("Your invitation to Tidewall", "Ihre Einladung zu Tidewall");
const RESET: Label = Label::new("A new password for Tidewall", "Ein neues Passwort für Tidewall");
const INVITED_TEXT: Label = Label::new(
    "you are invited. Open this link within seven days to choose your password; it works once:",
    "Sie sind eingeladen. Öffnen Sie binnen sieben Tagen diesen Link, um Ihr Passwort zu wählen; er gilt einmal:",
);
const RESET_TEXT: Label = Label::new(
    "open this link within a day to choose a new password; it works once:",
    "öffnen Sie binnen eines Tages diesen Link, um ein neues Passwort zu wählen; er gilt einmal:",
);
const IGNORE: Label = Label::new(
    "If you did not ask for it, nothing happens as long as nobody opens it.",
    "Falls Sie nicht darum gebeten haben: Solange ihn niemand öffnet, geschieht nichts.",
);
const GREETING: Label = Label::new("Hello", "Guten Tag");

impl App {
    /// Whether links go out by mail at all.
    pub fn sends_mail(&self) -> bool {
        self.outside.mail.is_some()
    }

    /// Sends a link to the person it is for. Nobody waits for it; without a mail server nothing is sent.
    pub fn mail_link(&self, user: &UserRow, link: String) {
        if !self.sends_mail() {
            return;
        }
        let (app, user) = (self.clone(), user.clone());
        tokio::spawn(async move {
            if let Err(error) = app.send_link(&user, &link).await {
                tracing::warn!(user = %user.id, %error, "a link was not sent");
            }
        });
    }

    /// Somebody says that they forgot the password of this account. They are told the same, and as soon, whether there
    /// is such an account or not; only its owner hears more. `address` turns the link's token into its address.
    pub async fn forgotten_password(
        &self,
        email: &str,
        from: IpAddr,
        address: impl FnOnce(&Token) -> String + Send + 'static,
    ) -> std::result::Result<(), TooMany> {
        // Counted apart from the sign-ins of the account, so that nobody is kept out by it; each asking makes the next
        // one of this address wait longer, so that mails do not pile up.
        let now = self.clock.now();
        self.slowdown.attempt(&format!("forgotten {email}"), from, now).await?.failed(now);
        let Ok(email) = email.trim().parse::<Email>() else { return Ok(()) };
        if self.sends_mail() {
            let app = self.clone();
            tokio::spawn(async move {
                if let Err(error) = app.issue_and_mail(email, address).await {
                    tracing::warn!(%error, "a link for a new password was not sent");
                }
            });
        }
        Ok(())
    }

    async fn issue_and_mail(&self, email: Email, address: impl FnOnce(&Token) -> String) -> Result<()> {
        let found = self.db.platform().read(move |r| users::by_email(r, &email)).await?;
        let Some((user, _)) = found.filter(|(user, _)| user.disabled_at.is_none() && user.has_password)
        else {
            return Ok(());
        };
        let (token, now, caller) = (Token::random(), self.clock.now(), Caller::system(user.tenant));
        let (digest, owner, scope) = (token.digest(), user.clone(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                links::delete_of_user(tx, &scope, owner.id)?;
                issue(tx, Some(&owner), Purpose::Reset, &digest, now)?;
                let detail = json!({ "purpose": Purpose::Reset.as_str(), "asked_by": "owner" });
                audit::record(tx, caller.actor(), now, "user.link_issued", owner.id, &detail)
            })
            .await?;
        self.send_link(&user, &address(&token)).await
    }

    async fn send_link(&self, user: &UserRow, link: &str) -> Result<()> {
        let tenant = user.tenant;
        let tenant =
            self.db.platform().read(move |r| tenant::by_id(r, tenant)).await?.ok_or(Error::NotFound)?;
        let text = written(user, tenant.name.as_str(), link, user.language.unwrap_or(tenant.language));
        let now = self.clock.now();
        let id = format!("{}-link-{}", user.id, now.millis());
        self.mail_to(user.email.as_str(), Mail { id: &id, text: &text, date: now }).await;
        Ok(())
    }
}

fn written(user: &UserRow, tenant: &str, link: &str, language: Language) -> MailText {
    let (subject, told) = if user.has_password { (RESET, RESET_TEXT) } else { (INVITED, INVITED_TEXT) };
    let t = |label: Label| label.text(language);
    let (subject, greeting) =
        (format!("{} ({tenant})", t(subject)), format!("{} {},", t(GREETING), user.name));
    let letter =
        Letter { subject: &subject, greeting: &greeting, told: t(told), url: link, closing: t(IGNORE) };
    letter.draw(spoken(language))
}
