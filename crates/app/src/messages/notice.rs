//! Mail to the owner of an account about changes to it, so that a change by another person is noticed.

use domain::{
    actor::Actor,
    moment::Moment,
    wording::{Label, Language},
};
use serde_json::json;
use store::{
    Tx,
    one_time_link::{self as links, Purpose},
    tenant,
    user::UserRow,
};

use crate::{
    Error, Messages, Result, audit,
    link_mail::drawn,
    one_time_link::{ends_at, issue},
    token::Token,
    user_mail::{MailClass, UserMail},
};

/// A notice that has not arrived by then is no longer sent.
const NOTICE_SECONDS: i64 = 24 * 60 * 60;

const CLOSING: Label = Label::new(
    "If that was not you, tell your administrator at once.",
    "Falls Sie das nicht waren, sagen Sie bitte sofort Ihrer Administration Bescheid.",
);

/// What happened to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice {
    /// An account was signed in to with a browser that it does not know.
    NewBrowser {
        browser: Option<String>,
        address: String,
    },
    PasswordChanged,
    SecondFactorOn,
    SecondFactorOff,
    RecoveryCodesRenewed,
    PasskeyAdded,
    PasskeyRemoved,
    /// The account was linked to an identity of the institution's provider.
    IdentityLinked {
        host: String,
    },
}

impl Notice {
    fn texts(&self) -> (Label, Label) {
        match self {
            Self::NewBrowser { .. } => (
                Label::new("A sign-in with a new browser", "Eine Anmeldung mit einem neuen Browser"),
                Label::new(
                    "your account was signed in to with a browser that was not used for it before: {browser}, from the address {address}. Your account:",
                    "an Ihrem Konto hat sich ein Browser angemeldet, der dafür noch nicht benutzt wurde: {browser}, von der Adresse {address}. Ihr Konto:",
                ),
            ),
            Self::PasswordChanged => (
                Label::new(
                    "Your password for Tidewall was changed",
                    "Ihr Passwort für Tidewall wurde geändert",
                ),
                Label::new(
                    "the password of your account was changed, and all other browsers were signed out. Your account:",
                    "das Passwort Ihres Kontos wurde geändert, alle anderen Browser wurden abgemeldet. Ihr Konto:",
                ),
            ),
            Self::SecondFactorOn => (
                Label::new("Your second factor was set up", "Ihr zweiter Faktor wurde eingerichtet"),
                Label::new(
                    "a second factor was set up for your account, and all other browsers were signed out. Your account:",
                    "für Ihr Konto wurde ein zweiter Faktor eingerichtet, alle anderen Browser wurden abgemeldet. Ihr Konto:",
                ),
            ),
            Self::SecondFactorOff => (
                Label::new("Your second factor was switched off", "Ihr zweiter Faktor wurde ausgeschaltet"),
                Label::new(
                    "the second factor of your account was switched off: the password alone opens it now. Your account:",
                    "der zweite Faktor Ihres Kontos wurde ausgeschaltet: Das Passwort allein öffnet es jetzt. Ihr Konto:",
                ),
            ),
            Self::IdentityLinked { .. } => (
                Label::new(
                    "Your account was linked to your institution's sign-in",
                    "Ihr Konto wurde mit der Anmeldung Ihres Instituts verknüpft",
                ),
                Label::new(
                    "your account can now also be signed in to through {host}. A password it has stays valid. Your account:",
                    "an Ihrem Konto können Sie sich jetzt auch über {host} anmelden. Ein vorhandenes Passwort gilt weiter. Ihr Konto:",
                ),
            ),
            Self::PasskeyAdded => (
                Label::new(
                    "A passkey was added to your account",
                    "Ihrem Konto wurde ein Passkey hinzugefügt",
                ),
                Label::new(
                    "a passkey was added to your account: it opens it without a password. All other browsers were signed out. Your account:",
                    "Ihrem Konto wurde ein Passkey hinzugefügt: Er öffnet es ohne Passwort. Alle anderen Browser wurden abgemeldet. Ihr Konto:",
                ),
            ),
            Self::PasskeyRemoved => (
                Label::new(
                    "A passkey was removed from your account",
                    "Ein Passkey Ihres Kontos wurde entfernt",
                ),
                Label::new(
                    "a passkey was removed from your account and no longer opens it. All other browsers were signed out. Your account:",
                    "ein Passkey wurde aus Ihrem Konto entfernt und öffnet es nicht mehr. Alle anderen Browser wurden abgemeldet. Ihr Konto:",
                ),
            ),
            Self::RecoveryCodesRenewed => (
                Label::new(
                    "Your recovery codes were replaced",
                    "Ihre Wiederherstellungscodes wurden ersetzt",
                ),
                Label::new(
                    "new recovery codes were made for your account; the old ones no longer work. Your account:",
                    "für Ihr Konto wurden neue Wiederherstellungscodes angelegt; die alten gelten nicht mehr. Ihr Konto:",
                ),
            ),
        }
    }
}

impl Notice {
    /// The text with the details filled in. Only our own name of the browser is used, because the `User-Agent` is
    /// written by the client.
    fn fill(&self, text: &str, language: Language) -> String {
        match self {
            Self::NewBrowser { browser, address } => {
                let browser = browser.as_deref().unwrap_or(UNKNOWN_BROWSER.text(language));
                text.replace("{browser}", browser).replace("{address}", address)
            }
            Self::IdentityLinked { host } => text.replace("{host}", host),
            _ => text.to_owned(),
        }
    }
}

const UNKNOWN_BROWSER: Label = Label::new("an unknown browser", "ein unbekannter Browser");

const WARNING: Label = Label::new("Wrong codes for your account", "Falsche Codes für Ihr Konto");
const WARNING_TEXT: Label = Label::new(
    "your password was entered correctly, and then a wrong code five times. If that was not you, someone knows your \
     password: open this link within a day to choose a new one. It works once, and your codes are accepted again:",
    "Ihr Passwort wurde richtig eingegeben und danach fünfmal ein falscher Code. Falls Sie das nicht waren, kennt jemand \
     Ihr Passwort: Öffnen Sie binnen eines Tages diesen Link, um ein neues zu wählen. Er gilt einmal, und Ihre Codes \
     werden wieder angenommen:",
);
const WARNING_CLOSING: Label =
    Label::new("If that was you, nothing is to be done.", "Falls Sie das selbst waren, ist nichts zu tun.");

/// Fills the details into a text.
type Fill<'a> = &'a dyn Fn(&str, Language) -> String;

impl Messages {
    /// Writes to the owner of an account, in the transaction that changes it. After the transaction `post_user_mail`
    /// sends it; without a mail server nothing is written.
    pub(crate) fn write_notice(
        &self,
        tx: &mut Tx<'_>,
        user: &UserRow,
        notice: &Notice,
        now: Moment,
    ) -> Result<()> {
        if !self.sends_mail() {
            return Ok(());
        }
        let (subject, text) = notice.texts();
        let address = format!("{}/workspace/profile", self.senders.public_url);
        let ends = now.plus_seconds(NOTICE_SECONDS);
        let fill = |text: &str, language| notice.fill(text, language);
        self.write_to(tx, user, (subject, text, CLOSING), &address, (ends, None, &fill), now)
    }

    /// Warns the owner of wrong codes, with a link to choose a new password. Links issued by the service and by the
    /// owner are separate, so that this one does not replace a link that the owner requested.
    pub(crate) fn write_code_warning(&self, tx: &mut Tx<'_>, user: &UserRow, now: Moment) -> Result<()> {
        let token = Token::random();
        let ends = ends_at(Purpose::Reset, now);
        issue(tx, Some(user), Purpose::Reset, &token.digest(), (links::WARNING, now))?;
        let address = self.link_address(&token);
        let texts = (WARNING, WARNING_TEXT, WARNING_CLOSING);
        let whole = |text: &str, _| text.to_owned();
        self.write_to(tx, user, texts, &address, (ends, Some(token.digest()), &whole), now)?;
        let detail = json!({ "purpose": Purpose::Reset.as_str(), "asked_by": "code_warning" });
        audit::record(tx, Actor::System, now, "user.link_issued", user.id, &detail)
    }

    fn write_to(
        &self,
        tx: &mut Tx<'_>,
        user: &UserRow,
        texts: (Label, Label, Label),
        address: &str,
        (ends_at, link, fill): (Moment, Option<String>, Fill<'_>),
        now: Moment,
    ) -> Result<()> {
        let tenant = tenant::by_id(tx, user.tenant)?.ok_or(Error::NotFound)?;
        let language = user.language.unwrap_or(tenant.language);
        let (subject, body, closing) = texts;
        let body = fill(body.text(language), language);
        let text = drawn(user, tenant.name.as_str(), (subject, &body, closing), address, language);
        let class = MailClass::Security;
        let mail = UserMail { class, link, ..UserMail::new(user.email.clone(), text, ends_at) };
        self.queue_user_mail(tx, user.tenant, mail, now)
    }
}
