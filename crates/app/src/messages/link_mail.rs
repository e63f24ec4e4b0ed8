//! Mail with links for choosing a password, and a test mail.
//!
//! The mails are composed here and stored with the rest of the transaction; [`user_mail`](crate::user_mail) sends them.

use std::net::IpAddr;

use domain::{
    actor::Actor,
    right::{Resource, Right},
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
    Core, Error, Messages, Result, audit,
    authz::Caller,
    one_time_link::{PATH, ends_at, issue},
    security::{SecurityEvent, What},
    session::Session,
    sign_in::by_email,
    sign_in_throttle::TooMany,
    token::Token,
    user_mail::{MailClass, UserMail},
};

/// How long the owner of an account gets no second link for a forgotten password; the first stays valid.
const AGAIN_SECONDS: i64 = 15 * 60;
/// A test mail that has not arrived by then has failed.
const TEST_SECONDS: i64 = 60 * 60;

/// The longest name in a greeting, in characters.
const LONGEST_GREETED: usize = 60;

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

impl Core {
    /// Whether links are sent by mail at all.
    pub fn sends_mail(&self) -> bool {
        self.senders.mail.is_some()
    }

    /// The URL of a link.
    pub fn link_address(&self, token: &Token) -> String {
        format!("{}{PATH}/{}", self.senders.public_url, token.reveal())
    }

    /// Writes a mail with a link to its user, in the transaction that issues it. Nothing is written without a mail
    /// server, or for the operator, who hands links over in person.
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
        let text = composed(user, purpose, tenant.name.as_str(), &self.link_address(token), language);
        // The owner of an account who forgot the password asks the service itself.
        let is_forgotten = actor == Actor::System && purpose == Purpose::Reset;
        let class = if is_forgotten { MailClass::Security } else { MailClass::Ordinary };
        let link = Some(token.digest());
        let mail = UserMail { class, link, ..UserMail::new(user.email.clone(), text, ends_at(purpose, now)) };
        self.queue_user_mail(tx, user.tenant, mail, now)
    }
}

impl Messages {
    /// Handles a report of a forgotten password. The response and its timing are the same whether the account exists
    /// or not; only its owner gets a mail.
    pub async fn forgotten_password(&self, email: &str, from: IpAddr) -> Result<Forgotten> {
        // Counted separately from the sign-ins of the account, so that it locks no user out; each request delays the
        // next one from this address, so that mails do not pile up.
        let now = self.clock.now();
        let event = |event: SecurityEvent| event.of_account(self.account_digest(email)).from(from);
        match self.sign_in_throttle.attempt(&format!("forgotten {email}"), from, now).await {
            Ok(attempt) => attempt.failed(now),
            Err(TooMany { retry_after }) => {
                self.note(event(SecurityEvent::refused(What::ForgottenPassword)).because("too_many"));
                return Ok(Forgotten::TooMany { retry_after });
            }
        }
        self.note(event(SecurityEvent::asked(What::ForgottenPassword)));
        let Ok(email) = email.trim().parse::<Email>() else { return Ok(Forgotten::Noted) };
        if self.sends_mail() {
            let (this, end) = (self.clone(), ends_at(Purpose::Reset, now));
            let keep = move |tx: &mut Tx<'_>| this.keep_forgotten(tx, &email, now, end);
            self.db.platform().bookkeep(keep).await?;
            self.post_user_mail();
        }
        Ok(Forgotten::Noted)
    }

    /// Issues a link and writes to the owner of each account with this address that has a password. The mail names the
    /// institution.
    pub(crate) async fn give_new_password(&self, email: &str) -> Result<()> {
        let Ok(email) = email.parse::<Email>() else { return Ok(()) };
        let found = self.db.platform().read(move |r| by_email(r, &email, None)).await?;
        let now = self.clock.now();
        for (user, _, zone) in found {
            if !user.is_shut(&zone, now) && user.has_password {
                self.give_new_password_to(user).await?;
            }
        }
        Ok(())
    }

    async fn give_new_password_to(&self, user: UserRow) -> Result<()> {
        let (token, now, caller) = (Token::random(), self.clock.now(), Caller::system(user.tenant));
        let (this, scope) = (self.clone(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                // One link in a while, and none is revoked: repeated requests, which any client can send, must
                // neither flood the mailbox and the audit log nor revoke a link in use.
                let since = now.plus_seconds(-AGAIN_SECONDS);
                if links::was_issued_since(tx, &scope, user.id, links::OWNER, since)? {
                    return Ok(());
                }
                issue(tx, Some(&user), Purpose::Reset, &token.digest(), (links::OWNER, now))?;
                this.write_link(tx, caller.actor(), &user, Purpose::Reset, &token)?;
                let detail = json!({ "purpose": Purpose::Reset.as_str(), "asked_by": "owner" });
                audit::record(tx, caller.actor(), now, "user.link_issued", user.id, &detail)
            })
            .await
    }

    /// Sends a test mail to the signed-in user.
    pub async fn send_test_mail(&self, session: &Session) -> Result<()> {
        let caller = &session.caller;
        caller.require_right(Resource::Settings, Right::Write)?;
        if !self.sends_mail() {
            return Err(Error::invalid("mail", AccountComplaint::NoMailServer));
        }
        let (this, user, now) = (self.clone(), session.user.clone(), self.clock.now());
        let (actor, scope) = (caller.actor(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let tenant = tenant::by_id(tx, scope.tenant())?.ok_or(Error::NotFound)?;
                let language = user.language.unwrap_or(tenant.language);
                let text = tested(&user, tenant.name.as_str(), &this.senders.public_url, language);
                let ends_at = now.plus_seconds(TEST_SECONDS);
                let mail = UserMail::new(user.email.clone(), text, ends_at);
                this.queue_user_mail(tx, scope.tenant(), mail, now)?;
                audit::record(tx, actor, now, "mail.tested", user.id, &json!({}))
            })
            .await?;
        self.post_user_mail();
        Ok(())
    }
}

/// The response to a report of a forgotten password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgotten {
    /// If the account exists, its owner gets a link.
    Noted,
    TooMany {
        retry_after: u64,
    },
}

fn composed(user: &UserRow, purpose: Purpose, tenant: &str, link: &str, language: Language) -> MailText {
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
    // An address is no name for a greeting, nor is a text that a mail program would turn into a link, nor a whole
    // sentence: an administrator could write any message into it.
    let is_long = user.name.as_str().chars().count() > LONGEST_GREETED;
    let greeting = if user.is_nameless() || is_long || looks_like_a_link(user.name.as_str()) {
        format!("{},", t(GREETING))
    } else {
        format!("{} {},", t(GREETING), user.name)
    };
    let mail = message::PersonalMail {
        subject: &subject,
        greeting: &greeting,
        body,
        url: link,
        closing: t(closing),
    };
    mail.draw(language)
}
