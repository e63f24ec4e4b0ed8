//! Request and response headers in the document, and the rules for which operation has which.

use utoipa::openapi::{
    Components, HeaderBuilder, Ref, RefOr, Required,
    path::{Operation, Parameter, ParameterBuilder, ParameterIn},
    schema::{ObjectBuilder, Type},
};

/// A response header.
struct AnswerHeader {
    name: &'static str,
    description: &'static str,
    kind: Type,
    example: &'static str,
}

const ANSWER_HEADERS: &[AnswerHeader] = &[
    AnswerHeader {
        name: "ETag",
        description: "The version of this answer. Send it as `If-None-Match` when reading again, and as `If-Match` when \
                      changing the record.",
        kind: Type::String,
        example: "\"v4-r118\"",
    },
    AnswerHeader {
        name: "Idempotency-Replayed",
        description: "`true` if the record was created by an earlier request with the same `Idempotency-Key` and this \
                      is the answer to that request. Otherwise absent.",
        kind: Type::String,
        example: "true",
    },
    AnswerHeader {
        name: "Location",
        description: "The path of the created record.",
        kind: Type::String,
        example: "/api/v1/findings/fnd_01k9x14js0e00000000000000a",
    },
    AnswerHeader {
        name: "RateLimit",
        description: "Remaining requests and seconds until the window is empty, as in the IETF draft.",
        kind: Type::String,
        example: "\"standard\";r=57;t=60",
    },
    AnswerHeader {
        name: "RateLimit-Policy",
        description: "The limit and its window, as in the IETF draft.",
        kind: Type::String,
        example: "\"standard\";q=60;w=60, \"burst\";q=100;w=60",
    },
    AnswerHeader {
        name: "Retry-After",
        description: "Whole seconds to wait before the next attempt.",
        kind: Type::Integer,
        example: "12",
    },
    AnswerHeader {
        name: "WWW-Authenticate",
        description: "The authentication scheme.",
        kind: Type::String,
        example: "Bearer",
    },
    AnswerHeader {
        name: "X-RateLimit-Limit",
        description: "Requests allowed in a window.",
        kind: Type::Integer,
        example: "60",
    },
    AnswerHeader {
        name: "X-RateLimit-Remaining",
        description: "Requests left in the current window.",
        kind: Type::Integer,
        example: "57",
    },
    AnswerHeader {
        name: "X-RateLimit-Reset",
        description: "Seconds until the current window is empty.",
        kind: Type::Integer,
        example: "60",
    },
    AnswerHeader {
        name: "X-Request-Id",
        description: "The id of this request, as it appears in the service's log.",
        kind: Type::String,
        example: "01k9x14js0e00000000000000a",
    },
];

/// The headers of every response to a request with a key.
const KEYED: &[&str] =
    &["RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
const IF_MATCH: &str = "If-Match";
const IF_NONE_MATCH: &str = "If-None-Match";

pub(super) fn reference(name: &str) -> Ref {
    Ref::new(format!("#/components/headers/{name}"))
}

pub(super) fn parameter(name: &str) -> RefOr<Parameter> {
    RefOr::Ref(Ref::new(format!("#/components/parameters/{name}")))
}

/// Adds the headers of requests and responses.
pub(super) fn declare(components: &mut Components) {
    for header in ANSWER_HEADERS {
        let schema = ObjectBuilder::new().schema_type(header.kind.clone());
        let built = HeaderBuilder::new()
            .schema(Some(schema))
            .description(Some(header.description))
            .example(Some(header.example.into()));
        components.headers.insert(header.name.to_owned(), built.build().into());
    }
    let key = text().min_length(Some(1)).max_length(Some(255));
    let requests = [
        (
            IDEMPOTENCY_KEY,
            "A unique value of your choice, such as a UUID. Repeating the request with the same key and body within \
             24 hours returns the first answer instead of creating a second record; another body is refused with 422.",
            key.build(),
        ),
        (
            IF_MATCH,
            "The `ETag` of the version you want to change. If the record has changed since, the answer is 412 and \
             nothing is stored.",
            text().build(),
        ),
        (
            IF_NONE_MATCH,
            "The `ETag` of the copy you have. If it is still current, the answer is 304 without a body.",
            text().build(),
        ),
    ];
    for (name, description, schema) in requests {
        let built = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(schema));
        components.parameters.insert(name.to_owned(), built.build().into());
    }
}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// Adds the headers of an operation: they follow from the statuses it documents. `addressed` means that a created
/// record can be read at an address of its own.
pub(super) fn apply(path: &str, operation: &mut Operation, addressed: bool) {
    let has = |status: &str| operation.responses.responses.contains_key(status);
    let (creates, conditional, cached) = (has("201"), has("412"), has("304"));
    let keyed = path.starts_with("/api/v1") || path.starts_with("/api/v2");
    let wanted = [(creates, IDEMPOTENCY_KEY), (conditional, IF_MATCH), (cached, IF_NONE_MATCH)];
    for (_, name) in wanted.iter().filter(|(wanted, _)| *wanted) {
        operation.parameters.get_or_insert_default().push(parameter(name));
    }
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let mut add = |name: &str| {
            response.headers.entry(name.to_owned()).or_insert_with(|| RefOr::Ref(reference(name)));
        };
        add("X-Request-Id");
        if keyed {
            KEYED.iter().copied().for_each(&mut add);
        }
        if status == "201" {
            add("Idempotency-Replayed");
            if addressed {
                add("Location");
            }
        }
        if status == "200" && (cached || conditional) {
            add("ETag");
        }
    }
}
