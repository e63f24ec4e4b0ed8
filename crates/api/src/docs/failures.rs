//! Errors and 304 in the document: declared once each, referred to by every operation that can return them.

use std::collections::BTreeMap;

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Components, ContentBuilder, Ref, RefOr, Response, ResponseBuilder, schema::Schema},
};

use super::headers;
use crate::error::{ErrorBody, LimitBody};

/// Declares groups of answers by their statuses, for `responses(…)` of a handler.
macro_rules! failures {
    ($($(#[$doc:meta])* $group:ident: $($status:literal),+;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) enum $group {}

        impl utoipa::IntoResponses for $group {
            fn responses() -> std::collections::BTreeMap<
                String,
                utoipa::openapi::RefOr<utoipa::openapi::Response>,
            > {
                $crate::docs::failures::references(&[$($status),+])
            }
        }
    )*};
}
pub(crate) use failures;

/// A response that many operations share.
struct Failure {
    status: u16,
    name: &'static str,
    description: &'static str,
    headers: &'static [&'static str],
    /// None where the answer has no body.
    body: Option<fn() -> RefOr<Schema>>,
}

const FAILURES: &[Failure] = &[
    Failure {
        status: 304,
        name: "NotModified",
        description: "The copy named in `If-None-Match` is still current. No body.",
        headers: &["ETag"],
        body: None,
    },
    Failure {
        status: 401,
        name: "Unauthorized",
        description: "The API key is missing, unknown, expired or revoked.",
        headers: &["WWW-Authenticate"],
        body: Some(error),
    },
    Failure {
        status: 403,
        name: "Forbidden",
        description: "The API key lacks the permission that this operation needs.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 404,
        name: "NotFound",
        description: "The record does not exist in the tenant of the API key.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 409,
        name: "Conflict",
        description: "The record is no longer in a state in which this can be done; `error` says what to do instead. Nothing was stored.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 410,
        name: "Gone",
        description: "The events behind the cursor are no longer all there. Read the records again, and go on with the \
                      cursor that `after=latest` answers.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 412,
        name: "PreconditionFailed",
        description: "The record has changed since the version named in `If-Match`. Nothing was stored.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 413,
        name: "ContentTooLarge",
        description: "The request body is too large: JSON may have 1 MiB, an imported file 64 MiB, a file of evidence 25 MiB unless the operator sets another limit.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 416,
        name: "RangeNotSatisfiable",
        description: "The range begins behind the end of the file; `Content-Range` says how long it is.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 422,
        name: "UnprocessableContent",
        description: "The request is not valid; `details` lists the errors by field. Nothing was stored.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 429,
        name: "TooManyRequests",
        description: "The rate limit is exceeded. Retry after the number of seconds in `Retry-After`.",
        headers: &["Retry-After"],
        body: Some(limit_error),
    },
    Failure {
        status: 500,
        name: "InternalServerError",
        description: "An unexpected error. Quote the `X-Request-Id` when you report it.",
        headers: &[],
        body: Some(error),
    },
    Failure {
        status: 503,
        name: "ServiceUnavailable",
        description: "The service is overloaded or restarting, or the storage of files does not answer (code \
                      `storage_unavailable`). Retry after the number of seconds in `Retry-After`.",
        headers: &["Retry-After"],
        body: Some(error),
    },
];

fn error() -> RefOr<Schema> {
    Ref::from_schema_name(ErrorBody::name()).into()
}

fn limit_error() -> RefOr<Schema> {
    Ref::from_schema_name(LimitBody::name()).into()
}

/// References to the shared responses with these statuses.
pub(crate) fn references(statuses: &[u16]) -> BTreeMap<String, RefOr<Response>> {
    let shared = FAILURES.iter().filter(|failure| statuses.contains(&failure.status));
    shared
        .map(|failure| (failure.status.to_string(), RefOr::Ref(Ref::from_response_name(failure.name))))
        .collect()
}

/// Adds the shared responses and their bodies.
pub(super) fn declare(components: &mut Components) {
    for failure in FAILURES {
        let mut response = ResponseBuilder::new().description(failure.description);
        for name in failure.headers.iter().chain(&["X-Request-Id"]) {
            response = response.header_ref(*name, headers::reference(name));
        }
        if let Some(body) = failure.body {
            response =
                response.content("application/json", ContentBuilder::new().schema(Some(body())).build());
        }
        components.responses.insert(failure.name.to_owned(), response.build().into());
    }
    for (name, schema) in [(ErrorBody::name(), ErrorBody::schema()), (LimitBody::name(), LimitBody::schema())]
    {
        components.schemas.insert(name.into_owned(), schema);
    }
}
