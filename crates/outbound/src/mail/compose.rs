//! Composes a mail: headers of our own, and the content as text and as HTML.
//!
//! Text from tenants never becomes a header except the subject, which is one clean line before it gets here and is
//! cleaned again. Display names are never taken from data: an unusual one makes the mail library panic.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use domain::moment::Moment;
use lettre::{
    Address, Message,
    error::Error,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
};

use super::Mail;

/// The whole message in its wire format.
pub(super) fn message(from: &Mailbox, to: &Address, mail: Mail<'_>) -> Result<Vec<u8>, Error> {
    let domain = from.email.domain();
    let mut builder = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to.clone()))
        .subject(one_line(&mail.text.subject))
        .date(time_of(mail.date))
        .message_id(Some(format!("<tidewall.{}@{domain}>", token(mail.id))))
        // Suppresses automatic replies, for standard mail programs and for Exchange.
        .raw_header(header("Auto-Submitted", "auto-generated"))
        .raw_header(header("X-Auto-Response-Suppress", "All"))
        .raw_header(header("List-Id", &format!("Tidewall notices <tidewall.{domain}>")))
        .raw_header(header("Content-Language", mail.text.language.as_str()));
    if let Some(address) = mail.unsubscribe {
        builder = builder.raw_header(header("List-Unsubscribe", &format!("<{}>", one_line(address))));
    }
    let parts = MultiPart::alternative_plain_html(mail.text.text.clone(), mail.text.html.clone());
    Ok(builder.multipart(parts)?.formatted())
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Ids are letters, digits and underscores; other characters are not allowed in a Message-ID.
fn token(id: &str) -> String {
    id.chars()
        .filter(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'))
        .collect()
}

fn time_of(moment: Moment) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(moment.millis().try_into().unwrap_or(0))
}
