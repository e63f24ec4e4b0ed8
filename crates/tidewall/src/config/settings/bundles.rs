//! The authority that stamps audit bundles with the time.

use url::Url;

use super::{ConfigError, Reader, Secret, security::is_header};

#[derive(Clone, Debug)]
pub struct BundleSettings {
    /// The address of the authority, if there is one.
    pub authority: Option<Url>,
    /// The `Authorization` header for it.
    pub authorization: Option<Secret>,
}

impl BundleSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        // An address with credentials is refused without repeating it.
        let address = reader.secret_url(
            "bundles.time_stamp_authority",
            "write the address of an authority without credentials, such as \"https://tsa.example.com/\", or \"\" \
             for none",
            |text| authority(text).is_some(),
        )?;
        let settings = Self {
            authority: address.and_then(|address| authority(address.expose())),
            authorization: reader.optional("bundles.authorization")?.map(Secret::new),
        };
        let authorization = settings.authorization.as_ref();
        if authorization.is_some_and(|text| !is_header(text.expose())) {
            let remedy = "write one line of plain characters, such as \"Basic …\"";
            return Err(reader.bad("bundles.authorization", "cannot be sent as a header", remedy));
        }
        if authorization.is_some() && settings.authority.is_none() {
            let remedy = "set bundles.time_stamp_authority as well, or leave both empty";
            return Err(reader.bad(
                "bundles.authorization",
                "is set although bundles.time_stamp_authority is not",
                remedy,
            ));
        }
        Ok(settings)
    }
}

/// An address with a host and without credentials, which have a setting of their own. Many authorities have no TLS: the
/// time stamp is signed by itself.
fn authority(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let bare = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (matches!(url.scheme(), "http" | "https") && url.host().is_some() && bare).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_an_address_without_credentials() {
        for text in ["http://timestamp.example.com", "https://tsa.example.com/tsr?policy=1"] {
            assert!(authority(text).is_some(), "{text}");
        }
        for text in
            ["tsa.example.com", "ftp://tsa.example.com", "http://", "https://me:secret@tsa.example.com/"]
        {
            assert_eq!(authority(text), None, "{text}");
        }
    }
}
