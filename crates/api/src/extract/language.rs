//! The language of reference data: `?lang=` decides, then `Accept-Language`, then English.

use std::collections::HashMap;

use app::Error;
use axum::extract::{FromRequestParts, Query};
use domain::{violation::Complaint, wording::Language};
use http::{HeaderMap, header, request::Parts};
use utoipa::IntoParams;

use crate::ApiError;

/// `lang` as every route with texts of the catalogue documents it.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; Spoken reads the value")]
pub(crate) struct LanguageParams {
    /// The language of the texts. If absent, `Accept-Language` decides; the default is English.
    #[param(inline)]
    lang: Option<LanguageName>,
}

#[derive(Debug, utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "documentation only")]
pub(crate) enum LanguageName {
    En,
    De,
}

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
        Self::of(params.get("lang").map(String::as_str), &parts.headers)
    }
}

impl Spoken {
    /// From a query that was already parsed.
    pub(crate) fn of(lang: Option<&str>, headers: &HeaderMap) -> Result<Self, ApiError> {
        match lang {
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
