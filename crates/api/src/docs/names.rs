//! Readable names of operations and schemas.

use utoipa::openapi::path::Operation;

/// Segments that name the action of a POST.
const VERBS: &[&str] =
    &["analyze", "bulk", "import", "replay", "resolve", "retry", "simulate", "sync", "test", "watch"];

/// `GET /api/v1/findings/{id}` is `getFinding`, `POST /api/v1/findings/import` is `importFindings`: the action, then
/// the path in camel case, where a segment is singular if an id follows it. An id that a handler declares stays; the
/// name of a function, which is the id otherwise, has no capital letters.
pub(super) fn operation_id(method: &str, path: &str, operation: &Operation, is_list: bool) -> String {
    let declared = operation.operation_id.as_deref().unwrap_or_default();
    if declared.contains(|letter: char| letter.is_ascii_uppercase()) {
        return declared.to_owned();
    }
    let mut segments: Vec<String> = Vec::new();
    let mut parts = path.trim_start_matches("/api/").split('/').peekable();
    while let Some(part) = parts.next() {
        let before_id = parts.peek().is_some_and(|next| next.starts_with('{'));
        if !part.starts_with('{') && !["v1", "v2"].contains(&part) {
            segments.push(if before_id { singular(part) } else { part.to_owned() });
        }
    }
    let last = segments.last().map(String::as_str).unwrap_or_default();
    let verb = match method {
        "POST" if VERBS.contains(&last) => segments.pop().unwrap_or_default(),
        "POST" => {
            let noun = singular(&segments.pop().unwrap_or_default());
            segments.push(noun);
            "create".to_owned()
        }
        "GET" if last == "search" => segments.pop().unwrap_or_default(),
        "PUT" => "replace".to_owned(),
        "PATCH" => "update".to_owned(),
        "DELETE" => "delete".to_owned(),
        _ if is_list => "list".to_owned(),
        _ => "get".to_owned(),
    };
    if segments.last().is_some_and(|last| last == "latest") {
        segments.rotate_right(1);
    }
    if operation.tags.iter().flatten().any(|tag| tag == "reference") {
        segments.insert(0, "reference".to_owned());
    }
    verb + &segments.iter().map(|segment| camel(segment)).collect::<String>()
}

fn singular(noun: &str) -> String {
    match noun.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => noun.strip_suffix('s').unwrap_or(noun).to_owned(),
    }
}

fn camel(segment: &str) -> String {
    let words = segment.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .map(|word| {
            word.get(..1).unwrap_or_default().to_ascii_uppercase() + word.get(1..).unwrap_or_default()
        })
        .collect()
}

/// A schema that consists of an envelope and its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Enveloped<'n> {
    pub inner: &'n str,
    suffix: &'static str,
    pub is_list: bool,
}

/// Envelopes by the generator's prefix: their names in the document, and whether they are lists.
const ENVELOPES: &[(&str, &str, bool)] = &[
    ("Data_", "Response", false),
    ("Envelope_", "Page", true),
    ("List_", "List", true),
    ("ReferenceList_", "Collection", true),
];

impl<'n> Enveloped<'n> {
    /// `List_Finding` is a list of `Finding`.
    pub(super) fn parse(generated: &'n str) -> Option<Self> {
        ENVELOPES.iter().find_map(|(prefix, suffix, is_list)| {
            let inner = generated.strip_prefix(prefix)?;
            Some(Self { inner, suffix, is_list: *is_list })
        })
    }

    /// `FindingList`
    pub(super) fn name(self) -> String {
        format!("{}{}", self.inner, self.suffix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_named_by_what_they_do() {
        let name = |method, path, is_list| operation_id(method, path, &Operation::new(), is_list);
        assert_eq!(name("GET", "/api/v1/findings", true), "listFindings");
        assert_eq!(name("GET", "/api/v1/findings/{id}", false), "getFinding");
        assert_eq!(name("POST", "/api/v1/test-cases", false), "createTestCase");
        assert_eq!(name("PATCH", "/api/v1/cra/reports/{id}", false), "updateCraReport");
        assert_eq!(name("PUT", "/api/v1/webhooks/{webhook}", false), "replaceWebhook");
        assert_eq!(name("POST", "/api/v1/findings/import", false), "importFindings");
        assert_eq!(name("GET", "/api/v1/webhooks/{webhook}/deliveries", true), "listWebhookDeliveries");
        let retry = "/api/v1/webhooks/{webhook}/deliveries/{id}/retry";
        assert_eq!(name("POST", retry, false), "retryWebhookDelivery");
        assert_eq!(name("GET", "/api/v1/vulnerability-scan/latest", false), "getLatestVulnerabilityScan");
        assert_eq!(name("DELETE", "/api/v1/keys/{id}", false), "deleteKey");
        let mut declared = Operation::new();
        declared.operation_id = Some("revokeKey".to_owned());
        assert_eq!(operation_id("DELETE", "/api/v1/keys/{id}", &declared, false), "revokeKey");
    }

    #[test]
    fn envelopes_are_named_after_what_lies_in_them() {
        let name = |generated| Enveloped::parse(generated).map(Enveloped::name);
        assert_eq!(name("List_Finding").as_deref(), Some("FindingList"));
        assert_eq!(name("Data_FindingDetail").as_deref(), Some("FindingDetailResponse"));
        assert_eq!(name("Finding"), None);
    }
}
