//! Unknown parameters and fields of a request.
//!
//! They are ignored, and named in `X-Ignored` so that a typing error is noticed. A caller can have them refused with
//! `Prefer: handling=strict` (RFC 7240). The documentation of a route defines what it knows.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use axum::{
    extract::{MatchedPath, Request},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use domain::violation::{Complaint, Violations};
use http::{HeaderMap, HeaderName, HeaderValue, Method, request::Parts};
use serde_json::{Map, Value};

use crate::{
    ApiError,
    docs::{self, own_fields},
};

const PREFER: HeaderName = HeaderName::from_static("prefer");
const APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const IGNORED: HeaderName = HeaderName::from_static("x-ignored");
/// The parameter that asks for a past state.
const AS_OF: &str = "as_of";
/// The maximum number of names in the header.
const MOST_NAMES: usize = 20;
/// Longer names are cut in the header.
const LONGEST_NAME: usize = 64;

/// The parameters and fields of one operation.
#[derive(Debug)]
struct Operation {
    parameters: BTreeSet<String>,
    body: Shape,
}

/// The fields of a JSON value.
#[derive(Debug)]
enum Shape {
    /// No fields of its own.
    Plain,
    /// Any fields.
    Open,
    Object(BTreeMap<String, Self>),
    List(Box<Self>),
}

/// Every documented operation by method and path.
static OPERATIONS: LazyLock<HashMap<(String, String), Operation>> = LazyLock::new(|| {
    let document = serde_json::to_value(docs::openapi()).unwrap_or_default();
    let mut operations = HashMap::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let known = Operation::of(&document, operation);
            operations.insert((method.to_uppercase(), path.clone()), known);
        }
    }
    operations
});

/// The maximum depth of nested objects that are checked.
const DEEPEST: usize = 8;

impl Operation {
    fn of(document: &Value, operation: &Value) -> Self {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let parameters = parameters.map(|parameter| resolved(document, parameter));
        let in_query = parameters.filter(|parameter| parameter["in"] == "query");
        let body = resolved(document, &operation["requestBody"]);
        Self {
            parameters: in_query
                .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
                .collect(),
            body: Shape::of(document, &body["content"]["application/json"]["schema"], DEEPEST),
        }
    }
}

/// Resolves a reference in the document.
fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let place = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    place.and_then(|place| document.pointer(place)).unwrap_or(value)
}

impl Shape {
    fn of(document: &Value, schema: &Value, depth: usize) -> Self {
        let schema = resolved(document, schema);
        let Some(deeper) = depth.checked_sub(1).filter(|_| schema.is_object()) else { return Self::Open };
        let inner = |schema: &Value| Self::of(document, schema, deeper);
        let mut shape = if let Some(properties) = schema["properties"].as_object() {
            Self::Object(properties.iter().map(|(name, schema)| (name.clone(), inner(schema))).collect())
        } else if schema["items"].is_object() {
            Self::List(Box::new(inner(&schema["items"])))
        } else if is_object(schema) {
            Self::Open
        } else {
            Self::Plain
        };
        if !matches!(schema["additionalProperties"], Value::Null | Value::Bool(false)) {
            shape = Self::Open;
        }
        for choice in ["oneOf", "anyOf", "allOf"] {
            for schema in schema[choice].as_array().into_iter().flatten() {
                shape = shape.or(inner(schema));
            }
        }
        shape
    }

    /// The union of both shapes.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, _)
            | (_, Self::Open)
            | (Self::Object(_), Self::List(_))
            | (Self::List(_), Self::Object(_)) => Self::Open,
            (Self::Plain, other) | (other, Self::Plain) => other,
            (Self::Object(mut one), Self::Object(other)) => {
                one.extend(other);
                Self::Object(one)
            }
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.or(*other))),
        }
    }

    /// Adds the unknown names in a value, each with the nearest known one.
    fn unknown(&self, within: &str, value: &Value, found: &mut Vec<Unknown>) {
        match (self, value) {
            (Self::Object(known), Value::Object(fields)) => {
                Self::unknown_fields(within, known, fields, found);
            }
            (Self::List(shape), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    shape.unknown(&format!("{within}.{index}"), item, found);
                }
            }
            _ => {}
        }
    }

    fn unknown_fields(
        within: &str,
        known: &BTreeMap<String, Self>,
        fields: &Map<String, Value>,
        found: &mut Vec<Unknown>,
    ) {
        for (name, value) in fields {
            let full = if within.is_empty() { name.clone() } else { format!("{within}.{name}") };
            match known.get(name) {
                Some(shape) => shape.unknown(&full, value, found),
                None if found.len() < MOST_NAMES => {
                    found.push(Unknown { meant: nearest(name, known.keys()), name: full });
                }
                None => {}
            }
        }
    }
}

fn is_object(schema: &Value) -> bool {
    let kind = &schema["type"];
    kind == "object" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "object"))
}

/// An unknown name, and the one that was probably meant.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unknown {
    name: String,
    meant: Option<String>,
}

/// Whether an operation has this parameter. Those of own fields are named by the institution.
fn is_known(name: &str, known: &BTreeSet<String>) -> bool {
    known.contains(name) || own_fields::is_filter(name, known)
}

/// The nearest known name, or `None` if none is near enough.
fn nearest<'k>(written: &str, known: impl Iterator<Item = &'k String>) -> Option<String> {
    // The cost of comparing is the product of both lengths, and no known name is that long.
    let written = Some(written).filter(|written| written.len() <= LONGEST_NAME)?;
    known
        .map(|name| (strsim::damerau_levenshtein(written, name), name))
        .filter(|(distance, name)| *distance <= (name.len() / 3).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name.clone())
}

/// How one request is handled, and what was ignored so far.
#[derive(Debug, Clone)]
pub(crate) struct Handling {
    operation: &'static Operation,
    strict: bool,
    ignored: Arc<Mutex<Vec<String>>>,
}

impl Handling {
    /// Refuses or records the query parameters that the route does not know.
    pub(crate) fn check_query(parts: &Parts) -> Result<(), ApiError> {
        let Some(handling) = parts.extensions.get::<Self>() else { return Ok(()) };
        let query = parts.uri.query().unwrap_or_default();
        let known = &handling.operation.parameters;
        let names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name.into_owned());
        let names: BTreeSet<String> = names.filter(|name| !is_known(name, known)).take(MOST_NAMES).collect();
        let unknown = names.into_iter().map(|name| Unknown { meant: nearest(&name, known.iter()), name });
        handling.note(unknown.collect(), "parameter")
    }

    /// The same for the fields of a body.
    pub(crate) fn check_body(&self, fields: &Map<String, Value>) -> Result<(), ApiError> {
        let Shape::Object(known) = &self.operation.body else { return Ok(()) };
        let mut unknown = Vec::new();
        Shape::unknown_fields("", known, fields, &mut unknown);
        self.note(unknown, "field")
    }

    fn note(&self, unknown: Vec<Unknown>, kind: &str) -> Result<(), ApiError> {
        if !self.strict {
            let mut ignored = self.ignored.lock().unwrap_or_else(PoisonError::into_inner);
            ignored.extend(unknown.into_iter().map(|unknown| unknown.name));
            return Ok(());
        }
        let mut violations = Violations::default();
        for Unknown { name, meant } in unknown {
            let meant = meant.map(|meant| format!(": did you mean {meant}?")).unwrap_or_default();
            let message = format_args!("is not a {kind} of this route{meant}");
            violations.add(name, Complaint::protocol(message));
        }
        violations.check().map_err(ApiError::from)
    }

    /// The names for a header: letters and digits unchanged, everything else percent-encoded.
    fn header(&self) -> Option<HeaderValue> {
        let ignored = self.ignored.lock().unwrap_or_else(PoisonError::into_inner);
        let names: Vec<String> = ignored.iter().take(MOST_NAMES).map(|name| plain(name)).collect();
        if names.is_empty() { None } else { HeaderValue::from_str(&names.join(", ")).ok() }
    }
}

fn plain(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if text.len() >= LONGEST_NAME {
            text.push_str("...");
            break;
        }
        if byte.is_ascii_alphanumeric() || b"_.-[]".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Whether the caller asks for strict handling. Of several preferences the first counts.
fn is_strict(headers: &HeaderMap) -> bool {
    let values = headers.get_all(PREFER).into_iter().filter_map(|value| value.to_str().ok());
    let mut wishes = values.flat_map(|value| value.split(',')).filter_map(|wish| {
        let (name, value) = wish.split(';').next()?.split_once('=')?;
        name.trim().eq_ignore_ascii_case("handling").then(|| value.trim().trim_matches('"'))
    });
    wishes.next().is_some_and(|wish| wish.eq_ignore_ascii_case("strict"))
}

/// The answer to a request for a past state that the operation cannot show. Ignoring it would pass the state of today
/// off as that of the day.
fn refused_past(request: &Request, operation: &Operation) -> Option<Response> {
    let query = request.uri().query().unwrap_or_default();
    let asks = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == AS_OF);
    if !asks || operation.parameters.contains(AS_OF) {
        return None;
    }
    let possible = |(known, operation): (&(String, String), &Operation)| {
        operation.parameters.contains(AS_OF).then(|| known.1.clone())
    };
    let places: BTreeSet<String> = OPERATIONS.iter().filter_map(possible).collect();
    let places: Vec<String> = places.into_iter().collect();
    let rule = format!("is not possible here; it works at {}", places.join(", "));
    let violations = Violations::one(AS_OF, Complaint::protocol(rule));
    Some(ApiError::App(app::Error::Invalid(violations)).into_response())
}

/// Attaches the handling to a request, and its headers to the response.
pub(crate) async fn layer(mut request: Request, next: Next) -> Response {
    let method = if request.method() == Method::HEAD { Method::GET } else { request.method().clone() };
    // Without a query and a body nothing can be unknown.
    let says_nothing = request.uri().query().is_none() && [Method::GET, Method::DELETE].contains(&method);
    if says_nothing {
        return next.run(request).await;
    }
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let operation = path.and_then(|path| OPERATIONS.get(&(method.to_string(), path)));
    let Some(operation) = operation else { return next.run(request).await };
    if let Some(refused) = refused_past(&request, operation) {
        return refused;
    }
    let strict = is_strict(request.headers());
    let handling = Handling { operation, strict, ignored: Arc::default() };
    request.extensions_mut().insert(handling.clone());
    let mut response = next.run(request).await;
    if strict {
        response.headers_mut().insert(APPLIED, HeaderValue::from_static("handling=strict"));
    }
    if let Some(names) = handling.header() {
        response.headers_mut().insert(IGNORED, names);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_preferences_the_first_counts() {
        let strict = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(PREFER, HeaderValue::from_static(value));
            }
            is_strict(&headers)
        };
        assert!(strict(&["handling=strict"]) && strict(&["respond-async, Handling = \"STRICT\"; x=1"]));
        assert!(strict(&["wait=5", "handling=strict, handling=lenient"]));
        assert!(!strict(&[]) && !strict(&["handling=lenient, handling=strict"]) && !strict(&["strict"]));
    }

    #[test]
    fn every_operation_of_the_document_is_known_with_its_fields() {
        let operation = |method: &str, path: &str| &OPERATIONS[&(method.to_owned(), path.to_owned())];
        let list = operation("GET", "/api/v1/findings");
        assert!(list.parameters.contains("severity") && list.parameters.contains("cursor"));
        let Shape::Object(fields) = &operation("PATCH", "/api/v1/findings/{id}").body else { panic!() };
        assert!(
            matches!(&fields["acceptance"], Shape::Object(inner) if inner.contains_key("until")),
            "{fields:?}"
        );
        let Shape::Object(fields) = &operation("POST", "/api/v1/concentration-risk/analyze").body else {
            panic!()
        };
        assert!(matches!(fields["rates"], Shape::Open), "{fields:?}");
    }

    #[test]
    fn names_fit_a_header() {
        assert_eq!(plain("statuss"), "statuss");
        assert_eq!(plain("a b\r\né"), "a%20b%0D%0A%C3%A9");
        assert!(plain(&"x".repeat(1000)).len() < 80);
    }
}
