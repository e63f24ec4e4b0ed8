//! Links that choose a password, sent by mail to the person they are for; and a mail that shows whether mail arrives.
//!
//! The letters are written here and kept with the rest of the transaction; sending them is the business of
//! [`letter`](crate::letter).

use std::net::IpAddr;

use domain::{
    actor::Actor,
    text::looks_like_a_link,
    user::Email,
    violation::AccountComplaint,
    wording::{Label, Language},
};
use outbound::message::{self, MailText};
use serde_json::json;
use store::{
    Tx,
    one_time_link::{self as links, Purpose},
    tenant,
    user::UserRow,
};

use crate::{
    App, Error, Result, audit,
    authz::Caller,
    letter::Letter,
    one_time_link::{PATH, ends_at, issue},
    security::{SecurityEvent, What},
    session::{Session, by_email},
    slowdown::TooMany,
    token::Token,
};

/// How long the owner of an account gets no second link for a forgotten password; the first stays valid.
const AGAIN_SECONDS: i64 = 15 * 60;
/// A test that has not arrived by then has failed.
const TEST_SECONDS: i64 = 60 * 60;

const INVITED: Label = Label::new("Your invitation to Tidewall", "Ihre Einladung zu Tidewall");
const RESET: Label = Label::new("A new password for Tidewall", "Ein neues Passwort für Tidewall");
const INVITED_TEXT: Label = Label::new(
    "you have been invited to Tidewall. Open this link within seven days to choose your password; it works once:",
    "Sie sind eingeladen. Öffnen Sie binnen sieben Tagen diesen Link, um Ihr Passwort zu wählen; er gilt einmal:",
);
const RESET_TEXT: Label = Label::new(
    "open this link within a day to choose a new password; it works once:",
    "öffnen Sie binnen eines Tages diesen Link, um ein neues Passwort zu wählen; er gilt einmal:",
);
const IGNORE: Label = Label::new(
    "If you did not ask for it, you can ignore this mail: nothing changes unless the link is opened.",
    "Falls Sie nicht darum gebeten haben, können Sie diese E-Mail ignorieren: Solange der Link nicht geöffnet wird, ändert sich nichts.",
);
const GREETING: Label = Label::new("Hello", "Guten Tag");
const TEST: Label = Label::new("A test mail from Tidewall", "Eine Testmail von Tidewall");
const TEST_TEXT: Label = Label::new(
    "mail arrives: invitations, new passwords and email webhooks can be delivered. The settings are here:",
    "E-Mail kommt an: Einladungen, neue Passwörter und E-Mail-Webhooks finden ihren Weg. Die Einstellungen stehen hier:",
);
const TEST_CLOSING: Label = Label::new(
    "You asked for this mail on the settings page. No action is needed.",
    "Sie haben diese E-Mail auf der Seite der Einstellungen angefordert. Es ist nichts zu tun.",
);

impl App {
    /// Whether links go out by mail at all.
    pub fn sends_mail(&self) -> bool {
        self.outside.mail.is_some()
    }

    /// Where the holder of a link goes.
    pub fn link_address(&self, token: &Token) -> String {
        format!("{}{PATH}/{}", self.outside.public_url, token.reveal())
    }

    /// Writes to the person a link is for, in the transaction that issues it. Without a mail server nothing is
    /// written; nor when the operator asks, who hands links over himself.
    pub(crate) fn write_link(
        &self,
        tx: &mut Tx<'_>,
        actor: Actor,
        user: &UserRow,
        purpose: Purpose,
        token: &Token,
    ) -> Result<()> {
        if !self.sends_mail() || actor == Actor::Operator {
            return Ok(());
        }
        let now = self.clock.now();
        let tenant = tenant::by_id(tx, user.tenant)?.ok_or(Error::NotFound)?;
        let language = user.language.unwrap_or(tenant.language);
        let letter = Letter {
            to: user.email.clone(),
            text: written(user, purpose, tenant.name.as_str(), &self.link_address(token), language),
            language,
            ends_at: ends_at(purpose, now),
            link: Some(token.digest()),
        };
        self.keep_letter(tx, user.tenant, letter, now)
    }

    /// Somebody says that they forgot the password of this account. They are told the same, and as soon, whether there
    /// is such an account or not; only its owner hears more.
    pub async fn forgotten_password(&self, email: &str, from: IpAddr) -> Result<Forgotten> {
        // Counted apart from the sign-ins of the account, so that nobody is kept out by it; each asking makes the next
        // one of this address wait longer, so that mails do not pile up.
        let now = self.clock.now();
        let event = |event: SecurityEvent| event.of_account(self.account_digest(email)).from(from);
        match self.slowdown.attempt(&format!("forgotten {email}"), from, now).await {
            Ok(attempt) => attempt.failed(now),
            Err(TooMany { retry_after }) => {
                self.note(event(SecurityEvent::refused(What::ForgottenPassword)).because("too_many"));
                return Ok(Forgotten::TooMany { retry_after });
            }
        }
        self.note(event(SecurityEvent::asked(What::ForgottenPassword)));
        let Ok(email) = email.trim().parse::<Email>() else { return Ok(Forgotten::Noted) };
        if self.sends_mail() {
            let (app, end) = (self.clone(), ends_at(Purpose::Reset, now));
            let keep = move |tx: &mut Tx<'_>| app.keep_forgotten(tx, &email, now, end);
            self.db.platform().bookkeep(keep).await?;
            self.post_letters();
        }
        Ok(Forgotten::Noted)
    }

    /// Issues a link and writes to the owner of this account, if there is one who has a password.
    pub(crate) async fn give_new_password(&self, email: &str) -> Result<()> {
        let Ok(email) = email.parse::<Email>() else { return Ok(()) };
        let found = self.db.platform().read(move |r| by_email(r, &email)).await?;
        let now = self.clock.now();
        let Some((user, ..)) = found.filter(|(user, _, zone)| !user.is_shut(zone, now) && user.has_password)
        else {
            return Ok(());
        };
        let (token, now, caller) = (Token::random(), self.clock.now(), Caller::system(user.tenant));
        let (app, scope) = (self.clone(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                // One link in a while, and none is made void: asking again and again, which anyone can, must neither
                // flood the mailbox and the audit log nor take a link away that is being used.
                let since = now.plus_seconds(-AGAIN_SECONDS);
                if links::was_issued_since(tx, &scope, user.id, links::OWNER, since)? {
                    return Ok(());
                }
                issue(tx, Some(&user), Purpose::Reset, &token.digest(), (links::OWNER, now))?;
                app.write_link(tx, caller.actor(), &user, Purpose::Reset, &token)?;
                let detail = json!({ "purpose": Purpose::Reset.as_str(), "asked_by": "owner" });
                audit::record(tx, caller.actor(), now, "user.link_issued", user.id, &detail)
            })
            .await
    }

    /// Writes to whoever asks, so that they see whether mail arrives.
    pub async fn send_test_mail(&self, session: &Session) -> Result<()> {
        let caller = &session.caller;
        caller.require_administrator()?;
        if !self.sends_mail() {
            return Err(Error::invalid("mail", AccountComplaint::NoMailServer));
        }
        let (app, user, now) = (self.clone(), session.user.clone(), self.clock.now());
        let (actor, scope) = (caller.actor(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let tenant = tenant::by_id(tx, scope.tenant())?.ok_or(Error::NotFound)?;
                let language = user.language.unwrap_or(tenant.language);
                let text = tested(&user, tenant.name.as_str(), &app.outside.public_url, language);
                let ends_at = now.plus_seconds(TEST_SECONDS);
                let letter = Letter { to: user.email.clone(), text, language, ends_at, link: None };
                app.keep_letter(tx, scope.tenant(), letter, now)?;
                audit::record(tx, actor, now, "mail.tested", user.id, &json!({}))
            })
            .await?;
        self.post_letters();
        Ok(())
    }
}

/// What whoever forgot a password is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgotten {
    /// If there is such an account, its owner gets a link.
    Noted,
    TooMany {
        retry_after: u64,
    },
}

fn written(user: &UserRow, purpose: Purpose, tenant: &str, link: &str, language: Language) -> MailText {
    let (subject, body) = match purpose {
        Purpose::Reset => (RESET, RESET_TEXT),
        Purpose::Invitation | Purpose::SetUp => (INVITED, INVITED_TEXT),
    };
    drawn(user, tenant, (subject, body.text(language), IGNORE), link, language)
}

fn tested(user: &UserRow, tenant: &str, public_url: &str, language: Language) -> MailText {
    drawn(
        user,
        tenant,
        (TEST, TEST_TEXT.text(language), TEST_CLOSING),
        &format!("{public_url}/workspace/settings"),
        language,
    )
}

pub(crate) fn drawn(
    user: &UserRow,
    tenant: &str,
    (subject, body, closing): (Label, &str, Label),
    link: &str,
    language: Language,
) -> MailText {
    let t = |label: Label| label.text(language);
    let subject = format!("{} ({tenant})", t(subject));
    // An address is no name to greet with, nor is anything a mail program would make a link of.
    let greeting = if user.is_nameless() || looks_like_a_link(user.name.as_str()) {
        format!("{},", t(GREETING))
    } else {
        format!("{} {},", t(GREETING), user.name)
    };
    let letter =
        message::Letter { subject: &subject, greeting: &greeting, body, url: link, closing: t(closing) };
    letter.draw(language)
}
