//! The catalogue in the form of OSCAL 1.2, which other tools for compliance read.
//!
//! Documents depend on the catalogue and the language alone, byte for byte: identifiers are derived from names, times
//! from the catalogue's version.

mod catalog;
mod mapping;

use app::catalogue::Edition;
use axum::{extract::Path, response::Response};
use domain::wording::Language;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::wire::{PublicErrors, PublicRequest};
use crate::{ApiError, docs::failures::failures, extract::LanguageParams};

/// The version of the model. Its schema is in the tests' data.
pub(crate) const OSCAL_VERSION: &str = "1.2.2";

failures! {
    /// What a route that names a framework may answer besides.
    NoSuchFramework: 404;
}

/// An OSCAL document. Its schema is published by NIST.
#[derive(Debug, ToSchema)]
#[schema(value_type = Object)]
#[expect(dead_code, reason = "documentation only")]
pub(crate) struct OscalDocument(serde_json::Value);

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Metadata {
    title: String,
    last_modified: String,
    version: String,
    oscal_version: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link>,
}

#[derive(Debug, Serialize)]
struct Link {
    href: String,
    rel: &'static str,
}

impl Metadata {
    fn new(title: String, edition: &Edition, official: Option<String>) -> Self {
        let version = edition.version.to_string();
        Self {
            title,
            last_modified: format!("{version}T00:00:00Z"),
            version,
            oscal_version: OSCAL_VERSION,
            links: official.into_iter().map(|href| Link { href, rel: "reference" }).collect(),
        }
    }
}

/// The address of a framework's catalogue.
pub(crate) fn catalog_address(framework: &str) -> String {
    format!("/api/oscal/catalogs/{framework}")
}

/// A version 5 UUID derived from this name.
pub(crate) fn uuid(name: &str) -> String {
    let digest = Sha256::digest(format!("tidewall-oscal:{name}"));
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = (bytes[6] & 0x0f) | 0x50;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Gets a framework as an OSCAL catalogue.
///
/// Requirements are controls, sections are groups; audit steps are parts of a control.
#[utoipa::path(get, path = "/api/oscal/catalogs/{framework}", tag = "reference", security(()),
    params(("framework" = crate::schema::word::FrameworkId, Path, description = "The id of the framework."), LanguageParams),
    responses((status = 200, body = OscalDocument), NoSuchFramework, PublicErrors))]
pub(crate) async fn catalog(
    Path(framework): Path<String>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let edition = request.edition()?;
    let found = edition.framework_named(&framework).map_err(|_| ApiError::not_found())?;
    let write = move |edition: &Edition, language: Language| Ok(catalog::write(edition, found, language));
    request.answer_named(catalog_address(&framework), write).await
}

/// Gets the crosswalks between frameworks as an OSCAL mapping collection.
#[utoipa::path(get, path = "/api/oscal/mappings", tag = "reference", security(()), params(LanguageParams),
    responses((status = 200, body = OscalDocument), PublicErrors))]
pub(crate) async fn mappings(request: PublicRequest) -> Result<Response, ApiError> {
    let edition = request.edition()?;
    if edition.crosswalks.is_empty() {
        return Err(ApiError::not_found());
    }
    let write = |edition: &Edition, language: Language| Ok(mapping::write(edition, language));
    request.answer_named("/api/oscal/mappings".to_owned(), write).await
}

#[cfg(test)]
mod tests {
    use super::uuid;

    #[test]
    fn identifiers_are_stable_and_of_version_five() {
        assert_eq!(uuid("dora"), uuid("dora"));
        assert_ne!(uuid("dora"), uuid("cra"));
        let id = uuid("dora");
        assert_eq!((id.len(), &id[14..15]), (36, "5"));
        assert!("89ab".contains(&id[19..20]), "{id}");
    }
}
