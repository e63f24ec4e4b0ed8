//! The language of reference data: `?lang=` decides, then `Accept-Language`, then English.

use std::collections::HashMap;

use app::Error;
use axum::extract::{FromRequestParts, Query};
use domain::{
    violation::{Complaint, Violations},
    wording::Language,
};
use http::{HeaderMap, header, request::Parts};
use serde::Deserialize;
use utoipa::{
    IntoParams,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type},
    },
};

use super::request::{self, Source};
use crate::ApiError;

/// `lang` as every route with texts of the catalogue documents it.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LanguageParams {
    /// The language of the texts. If absent, `Accept-Language` decides; the default is English.
    #[param(inline, value_type = Option<LanguageName>)]
    lang: Option<String>,
}

/// The languages of the service.
#[derive(Debug)]
pub(crate) enum LanguageName {}

impl utoipa::PartialSchema for LanguageName {
    fn schema() -> RefOr<Schema> {
        let words = Language::ALL.map(Language::as_str);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).into()
    }
}

impl utoipa::ToSchema for LanguageName {}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Spoken(pub Language);

impl<S: Send + Sync> FromRequestParts<S> for Spoken {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if parts.uri.query().is_none() {
            return Ok(Self(accepted(&parts.headers)));
        }
        let Ok(Query(params)) = Query::<HashMap<String, String>>::from_request_parts(parts, state).await
        else {
            return Err(
                Error::invalid("query", Complaint::protocol("must be name=value pairs joined by &")).into()
            );
        };
        let entries = params.iter().map(|(name, value)| (name.as_str(), Source::Text(value))).collect();
        let params: LanguageParams = request::read(&entries, &mut Violations::default());
        Self::of(&params, &parts.headers)
    }
}

impl Spoken {
    /// From a query that was already parsed.
    pub(crate) fn of(params: &LanguageParams, headers: &HeaderMap) -> Result<Self, ApiError> {
        match &params.lang {
            None => Ok(Self(accepted(headers))),
            Some(text) => text.parse().map(Self).map_err(|error| Error::invalid("lang", error).into()),
        }
    }
}

fn accepted(headers: &HeaderMap) -> Language {
    let mut values =
        headers.get_all(header::ACCEPT_LANGUAGE).into_iter().filter_map(|value| value.to_str().ok());
    values.find_map(Language::preferred).unwrap_or_default()
}
