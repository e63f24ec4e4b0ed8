//! Renders events as Slack, Teams and mail messages.
//!
//! One [`Notice`] becomes one [`Card`](card::Card) in the tenant's language, and each medium renders the card within
//! its own limits and with its own escaping. Titles and names are typed by users, so no medium gets them unescaped.

mod card;
mod mail;
mod notice;
mod slack;
mod teams;
#[cfg(test)]
mod tests;
mod text;
mod words;

use domain::wording::Language;

use self::{card::Card, words::Words};
pub use self::{
    mail::{ListMail, MailText, PersonalMail},
    notice::{Change, Content, Deadline, Digest, Due, Notice, Record, SwitchOff, SwitchOffReason},
};

/// The maximum number of notices a digest should have: this many are shown with their event ids in every medium. A
/// longer one still works, but only counts the rest.
pub const DIGEST_LIMIT: usize = 20;

/// The body of a Slack message: Block Kit, with a plain text for clients that cannot show blocks.
pub fn slack(content: &Content<'_>, language: Language) -> Vec<u8> {
    slack::draw(&Card::new(content, Words(language)), Words(language)).to_string().into_bytes()
}

/// The body of a Teams message: an Adaptive Card in the envelope that workflows expect.
pub fn teams(content: &Content<'_>, language: Language) -> Vec<u8> {
    teams::draw(&Card::new(content, Words(language)), Words(language)).to_string().into_bytes()
}

/// Subject, text and HTML of a mail.
pub fn mail(content: &Content<'_>, language: Language) -> MailText {
    mail::draw(&Card::new(content, Words(language)), language)
}
