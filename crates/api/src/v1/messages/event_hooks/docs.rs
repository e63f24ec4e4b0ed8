//! What event hooks receive, as documented under `webhooks`: one entry for each kind of record and what can happen to
//! it, and one for whatever happens besides.

use app::records::KINDS;
use domain::record_event::{Occurrence, RecordVerb};
use utoipa::{
    ToSchema as _,
    openapi::{
        ContentBuilder, ObjectBuilder, PathItem, Paths, Ref, RefOr, Required, ResponseBuilder,
        path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn},
        request_body::RequestBodyBuilder,
        schema::{Schema, Type},
    },
};

use crate::v1::messages::events::RecordEvent;

const DELIVERY: &str = "Sent at least once to every active event hook that receives the event, in the order of the \
    stream; a repeated delivery has the same `webhook-id`. The signature follows Standard Webhooks: verify it with the \
    secret of the event hook before you trust the body.";

const HEADERS: [(&str, &str); 3] = [
    ("webhook-id", "The id of the event. It is the same for every attempt."),
    ("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
    (
        "webhook-signature",
        "`v1,` and the base64 of the HMAC-SHA256 over `webhook-id.webhook-timestamp.body`; after a rotation there are two \
         signatures for 24 hours, with a space between them.",
    ),
];

/// Adds what event hooks receive. Webhooks have entries of their own under the plain names of some events.
pub(crate) fn add(mut paths: Paths) -> Paths {
    for kind in &KINDS {
        for verb in RecordVerb::ALL {
            let name = format!("event-hook/{}.{verb}", kind.noun);
            let operation = format!("onEventHook{}{}", camel(kind.noun), camel(verb.as_str()));
            let summary = format!("A record of the kind `{}` was written: `{verb}`.", kind.noun);
            paths.paths.insert(name, item(&operation, &summary));
        }
    }
    for occurrence in Occurrence::ALL {
        let operation = format!("onEventHook{}", camel(&occurrence.as_str().replace('.', "_")));
        let summary = format!("{}.", occurrence.label().en);
        paths.paths.insert(format!("event-hook/{occurrence}"), item(&operation, &summary));
    }
    paths
}

fn item(operation: &str, summary: &str) -> PathItem {
    let schema = RefOr::<Schema>::Ref(Ref::from_schema_name(RecordEvent::name()));
    let body = RequestBodyBuilder::new()
        .content("application/json", ContentBuilder::new().schema(Some(schema)).build())
        .required(Some(Required::True))
        .build();
    let accepted =
        ResponseBuilder::new().description("Any 2xx status accepts the delivery; others are retried.");
    let operation = OperationBuilder::new()
        .operation_id(Some(operation))
        .tag("events")
        .summary(Some(summary))
        .description(Some(DELIVERY))
        .parameters(Some(HEADERS.map(|(name, about)| header(name, about))))
        .request_body(Some(body))
        .response("2XX", accepted);
    PathItem::new(HttpMethod::Post, operation)
}

fn header(name: &str, about: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(about))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
}

fn camel(word: &str) -> String {
    let part = |part: &str| {
        part.get(..1).unwrap_or_default().to_ascii_uppercase() + part.get(1..).unwrap_or_default()
    };
    word.split('_').map(part).collect()
}
