//! The crosswalks as an OSCAL mapping collection.

use app::catalogue::{
    Edition,
    crosswalk::{Crosswalk, Relation},
    framework::Requirement,
    measure::Provenance,
};
use domain::wording::Language;
use serde::Serialize;

use super::{Link, Metadata, catalog_address, uuid};
use crate::respond;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Document {
    mapping_collection: Collection,
}

#[derive(Debug, Serialize)]
struct Collection {
    uuid: String,
    metadata: Metadata,
    provenance: Origin,
    mappings: Vec<Mapping>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Origin {
    method: &'static str,
    matching_rationale: &'static str,
    status: &'static str,
    mapping_description: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Mapping {
    uuid: String,
    source_resource: Resource,
    target_resource: Resource,
    #[serde(rename = "mapping-description")]
    description: String,
    props: Vec<Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link>,
    maps: Vec<Map>,
}

#[derive(Debug, Serialize)]
struct Property {
    name: &'static str,
    value: String,
}

#[derive(Debug, Serialize)]
struct Resource {
    r#type: &'static str,
    href: String,
}

#[derive(Debug, Serialize)]
struct Map {
    uuid: String,
    relationship: &'static str,
    sources: Vec<Item>,
    targets: Vec<Item>,
    remarks: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Item {
    r#type: &'static str,
    id_ref: String,
}

const TITLE: domain::wording::Label =
    domain::wording::Label::new("Crosswalks between frameworks", "Zuordnungen zwischen Rahmenwerken");

pub(super) fn write(edition: &Edition, language: Language) -> Vec<u8> {
    let collection = Collection {
        uuid: uuid(&format!("mappings:{}:{language}", edition.version)),
        metadata: Metadata::new(TITLE.text(language).to_owned(), edition, None),
        provenance: Origin {
            method: "human",
            matching_rationale: "semantic",
            status: "not-complete",
            mapping_description: "Each mapping names its author and licence.",
        },
        mappings: edition.crosswalks.iter().map(|table| mapping(edition, table, language)).collect(),
    };
    respond::to_json(&Document { mapping_collection: collection })
}

fn mapping(edition: &Edition, crosswalk: &Crosswalk, language: Language) -> Mapping {
    let resource = |framework: &str| Resource { r#type: "catalog", href: catalog_address(framework) };
    let property = |name, value: &str| Property { name, value: value.to_owned() };
    let href = crosswalk.url.as_ref().map(ToString::to_string);
    Mapping {
        uuid: uuid(&format!("mapping:{}:{}:{language}", crosswalk.id, edition.version)),
        source_resource: resource(crosswalk.from.as_str()),
        target_resource: resource(crosswalk.to.as_str()),
        description: crosswalk.title.get(language).to_owned(),
        props: vec![
            property("crosswalk", &crosswalk.id),
            property("author", &crosswalk.source),
            property("licence", &crosswalk.licence),
            property("provenance", Provenance::as_str(crosswalk.provenance)),
        ],
        links: href.into_iter().map(|href| Link { href, rel: "reference" }).collect(),
        maps: maps(edition, crosswalk, language),
    }
}

fn maps(edition: &Edition, crosswalk: &Crosswalk, language: Language) -> Vec<Map> {
    let of_table = |requirement: &Requirement| requirement.framework == crosswalk.from;
    let item = |requirement: &Requirement| Item { r#type: "control", id_ref: requirement.id.to_string() };
    let mut maps = Vec::new();
    for from in edition.requirements.iter().filter(|requirement| of_table(requirement)) {
        for related in edition.related_to(&from.id).filter(|related| related.crosswalk.id == crosswalk.id) {
            maps.push(Map {
                uuid: uuid(&format!("map:{}:{}:{}", crosswalk.id, from.id, related.requirement.id)),
                relationship: relationship(related.relation),
                sources: vec![item(from)],
                targets: vec![item(related.requirement)],
                remarks: related.reason.get(language).to_owned(),
            });
        }
    }
    maps
}

/// The relation in OSCAL's words.
fn relationship(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "equivalent-to",
        Relation::Subset => "subset-of",
        Relation::Superset => "superset-of",
        Relation::Intersects => "intersects-with",
    }
}
