//! The email rule: `mailto:` and exactly one plain address.
//!
//! Narrower than the mail standards on purpose: quoted local parts, literal addresses and header fields
//! in the query are legal there and have all been used to smuggle recipients or headers past a check.

use super::{error::DestinationError, url_text::is_host_name};

const MAX_LOCAL_PART: usize = 64;
const MAX_ADDRESS: usize = 254;

/// The two halves of an acceptable destination, the domain in lower case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MailAddress<'a> {
    pub(super) local_part: &'a str,
    pub(super) domain: String,
}

impl<'a> MailAddress<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, DestinationError> {
        let address = text.strip_prefix("mailto:").ok_or(DestinationError::NotMailto)?;
        // Other tools write `mailto://` for a mail server with credentials.
        if address.starts_with("//") || address.contains(['?', '#']) {
            return Err(DestinationError::NotMailto);
        }
        let (local_part, domain) = address.split_once('@').ok_or(DestinationError::NotMailto)?;
        if domain.contains(['@', ',', ';']) {
            return Err(DestinationError::NotMailto);
        }
        if !is_local_part(local_part) {
            return Err(DestinationError::MailLocalPart);
        }
        let domain = domain.to_ascii_lowercase();
        if address.len() > MAX_ADDRESS || !is_host_name(&domain) {
            return Err(DestinationError::MailDomain);
        }
        Ok(Self { local_part, domain })
    }
}

/// Dot-separated runs of the characters that an unquoted local part may contain, except the percent sign.
fn is_local_part(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!$&'*+-/=^_`{|}~".contains(&byte);
    text.len() <= MAX_LOCAL_PART && text.split('.').all(|run| !run.is_empty() && run.bytes().all(allowed))
}
