//! An own framework as a file: a workbook to be edited and imported again, or an OSCAL 1.2 catalogue.
//!
//! The same framework gives the same bytes: identifiers are made from names, times are those of the record.

use bytes::Bytes;
use domain::{id::OwnFrameworkId, own_framework::OwnRequirement, text::Name};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::{Content, OwnFrameworkRow, oscal::NAMESPACE, sheet};
use crate::{
    Compliance, Error, Result,
    authz::Caller,
    costly::WorkContext,
    report::{Content as FileContent, File, no_room},
    workbook,
};

/// The version of the model that is written.
const OSCAL_VERSION: &str = "1.2.2";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnFrameworkFormat {
    Xlsx,
    Oscal,
}

impl Compliance {
    /// A framework as a file.
    pub async fn own_framework_file(
        &self,
        caller: &Caller,
        id: OwnFrameworkId,
        content: Content,
        format: OwnFrameworkFormat,
    ) -> Result<File> {
        let work = self.export_work(caller).await?;
        let (row, requirements) = self.own_framework(caller, id, content).await?;
        let key = row.record.key;
        let write = move |context: &WorkContext| match format {
            OwnFrameworkFormat::Xlsx => {
                workbook::to_bytes(&[sheet::sheet_of(&requirements)], context.folder().map_err(no_room)?)
            }
            OwnFrameworkFormat::Oscal => {
                serde_json::to_vec(&catalog(&row, &requirements)).map_err(Error::internal)
            }
        };
        let bytes = work.run(write).await?;
        let suffix = match format {
            OwnFrameworkFormat::Xlsx => "xlsx",
            OwnFrameworkFormat::Oscal => "oscal.json",
        };
        Ok(File { name: format!("{key}.{suffix}"), content: FileContent::Bytes(Bytes::from(bytes)) })
    }
}

fn catalog(row: &OwnFrameworkRow, requirements: &[OwnRequirement]) -> Value {
    let record = &row.record;
    let version = record.edition.as_ref().map_or_else(|| row.version.to_string(), Name::to_string);
    let mut catalog = json!({
        "uuid": uuid(&format!("own-framework:{}:{}:{}", row.id, row.version, record.content)),
        "metadata": {
            "title": record.title.as_str(),
            "last-modified": row.updated_at.to_string(),
            "version": version.trim(),
            "oscal-version": OSCAL_VERSION,
        },
    });
    let (loose, chapters): (Vec<_>, Vec<_>) = requirements.iter().partition(|kept| kept.chapter.is_empty());
    let mut groups: Vec<(&str, Vec<Value>)> = Vec::new();
    for kept in chapters {
        match groups.iter_mut().find(|(title, _)| *title == kept.chapter) {
            Some((_, controls)) => controls.push(control(kept)),
            None => groups.push((&kept.chapter, vec![control(kept)])),
        }
    }
    let groups = groups.into_iter().enumerate().map(|(at, (title, controls))| {
        json!({ "id": format!("{}-chapter-{}", record.key, at + 1), "title": title, "controls": controls })
    });
    let groups: Vec<Value> = groups.collect();
    // An empty list is against the schema.
    if !groups.is_empty() {
        catalog["groups"] = json!(groups);
    }
    if !loose.is_empty() {
        catalog["controls"] = loose.into_iter().map(control).collect();
    }
    json!({ "catalog": catalog })
}

fn control(kept: &OwnRequirement) -> Value {
    let own = |name: &str, value: &str| json!({ "name": name, "ns": NAMESPACE, "value": value });
    let mut props = vec![json!({ "name": "label", "value": kept.number.trim() })];
    props.extend(kept.measures.iter().map(|id| own("measure", id)));
    props.extend(kept.based_on.iter().map(|id| own("based-on", id)));
    let part = |suffix: &str, name: &str, prose: &str| {
        let members = [("id", format!("{}_{suffix}", kept.id)), ("name", name.to_owned())];
        let mut part: Map<String, Value> =
            members.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        part.insert("prose".to_owned(), prose.into());
        Value::Object(part)
    };
    let mut parts = vec![part("smt", "statement", &kept.text)];
    parts.extend(kept.applicability.iter().map(|note| part("app", "applicability", note)));
    json!({ "id": kept.id, "class": "requirement", "title": kept.title, "props": props, "parts": parts })
}

/// An identifier of version 5's form for this name, always the same.
fn uuid(name: &str) -> String {
    let digest = Sha256::digest(format!("tidewall-oscal:{name}"));
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = (bytes[6] & 0x0f) | 0x50;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
