//! What a directory asks for in the query: which resources, from where, how many, and which of their attributes.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde_json::{Value, json};

use super::{error::Failure, filter::bare};

/// The most resources in one answer.
pub(super) const MOST: u32 = 200;
const USUAL: u32 = 100;
const LIST: &str = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
/// Never left out.
const ALWAYS: [&str; 2] = ["schemas", "id"];

/// The parameters as they were sent; of one that is sent twice the first counts.
#[derive(Debug, Default)]
pub(super) struct ListParameters {
    pub filter: Option<String>,
    start: Option<String>,
    count: Option<String>,
    attributes: Vec<String>,
    excluded: Vec<String>,
}

impl<S: Sync> FromRequestParts<S> for ListParameters {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let mut asked = Self::default();
        for (name, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            match &*name {
                "filter" => asked.filter = asked.filter.or(Some(value.into_owned())),
                "startIndex" => asked.start = asked.start.or(Some(value.into_owned())),
                "count" => asked.count = asked.count.or(Some(value.into_owned())),
                "attributes" => asked.attributes.extend(value.split(',').map(top)),
                "excludedAttributes" => asked.excluded.extend(value.split(',').map(top)),
                _ => {}
            }
        }
        Ok(asked)
    }
}

/// The attribute a path begins with, in lower case.
fn top(path: &str) -> String {
    let path = bare(path.trim());
    path.split('.').next().unwrap_or_default().to_owned()
}

fn number(name: &str, text: Option<&String>) -> Result<Option<i64>, Failure> {
    let parsed = text.map(|text| text.trim().parse());
    parsed.transpose().map_err(|_| Failure::value(format!("{name} must be a whole number")))
}

impl ListParameters {
    /// How many resources to give at most, and how many to leave out before them.
    pub(super) fn page(&self) -> Result<(u32, u64), Failure> {
        let count = number("count", self.count.as_ref())?.unwrap_or(i64::from(USUAL));
        let count = u32::try_from(count.clamp(0, i64::from(MOST))).unwrap_or(MOST);
        let start = number("startIndex", self.start.as_ref())?.unwrap_or(1).max(1);
        Ok((count, u64::try_from(start - 1).unwrap_or(0)))
    }

    /// Whether an attribute is wanted.
    pub(super) fn wants(&self, attribute: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|name| name.eq_ignore_ascii_case(attribute));
        let listed = self.attributes.is_empty() || names(&self.attributes);
        ALWAYS.contains(&attribute) || (listed && !names(&self.excluded))
    }

    /// The resource with the attributes that are wanted.
    pub(super) fn shown(&self, mut resource: Value) -> Value {
        if let Value::Object(fields) = &mut resource {
            fields.retain(|name, _| self.wants(name));
        }
        resource
    }

    /// One page of a list.
    pub(super) fn listed(&self, resources: Vec<Value>, total: u64, before: u64) -> Value {
        let resources: Vec<Value> = resources.into_iter().map(|resource| self.shown(resource)).collect();
        json!({
            "schemas": [LIST],
            "totalResults": total,
            "startIndex": before + 1,
            "itemsPerPage": resources.len(),
            "Resources": resources,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> ListParameters {
        let request = http::Request::get(format!("/scim/v2/Users?{query}")).body(()).unwrap();
        let mut parts = request.into_parts().0;
        let asked = ListParameters::from_request_parts(&mut parts, &());
        futures_util::FutureExt::now_or_never(asked).unwrap().unwrap()
    }

    #[test]
    fn pages_are_bounded() {
        assert_eq!(asked("").page().unwrap(), (100, 0));
        assert_eq!(asked("startIndex=0&count=-1").page().unwrap(), (0, 0));
        assert_eq!(asked("startIndex=201&count=100000").page().unwrap(), (200, 200));
        assert_eq!(asked("count=3&count=4").page().unwrap(), (3, 0));
        assert!(asked("count=many").page().is_err() && asked("startIndex=1.5").page().is_err());
    }

    #[test]
    fn attributes_are_chosen_by_their_first_part() {
        let whole = json!({ "schemas": [], "id": "1", "userName": "a", "members": [], "meta": {} });
        let shown = |query: &str| {
            let shown = asked(query).shown(whole.clone());
            let mut names: Vec<_> = shown.as_object().unwrap().keys().cloned().collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(shown("excludedAttributes=members,id"), "id meta schemas userName");
        let long = "attributes=urn:ietf:params:scim:schemas:core:2.0:User:userName,meta.version";
        assert_eq!(shown(long), "id meta schemas userName");
    }
}
