//! A framework as an OSCAL catalogue.

use app::catalogue::{
    Edition,
    framework::{Requirement, Section},
    vocabulary::FrameworkId,
    wording::OfficialWording,
};
use domain::wording::Language;
use serde::Serialize;

use super::{Link, Metadata, catalog_address, uuid};
use crate::respond;

#[derive(Debug, Serialize)]
struct Document {
    catalog: Catalog,
}

#[derive(Debug, Serialize)]
struct Catalog {
    uuid: String,
    metadata: Metadata,
    groups: Vec<Group>,
}

#[derive(Debug, Serialize)]
struct Group {
    id: String,
    title: String,
    controls: Vec<Control>,
}

#[derive(Debug, Serialize)]
struct Control {
    id: String,
    class: &'static str,
    title: String,
    props: Vec<Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link>,
    parts: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Property {
    name: &'static str,
    value: String,
}

#[derive(Debug, Serialize)]
struct Part {
    id: String,
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    props: Vec<Property>,
    prose: String,
}

pub(super) fn write(edition: &Edition, framework: FrameworkId, language: Language) -> Vec<u8> {
    let about = edition.frameworks.get(framework.as_str());
    let title = about.map(|about| about.title.get(language).to_owned()).unwrap_or_default();
    let official =
        about.and_then(|about| edition.proven(&about.cite, None, &about.proof, language).url.clone());
    let own = edition.sections.iter().filter(|section| section.framework == framework);
    let groups = own.filter_map(|section| group(edition, section, language)).collect();
    let catalog = Catalog {
        uuid: uuid(&format!("catalog:{framework}:{}:{language}", edition.version)),
        metadata: Metadata::new(title, edition, official),
        groups,
    };
    respond::to_json(&Document { catalog })
}

/// A section without requirements is left out, because a group must not be empty.
fn group(edition: &Edition, section: &Section, language: Language) -> Option<Group> {
    let own = edition.requirements.iter().filter(|requirement| requirement.section == section.id);
    let controls: Vec<_> = own.map(|requirement| control(edition, requirement, language)).collect();
    let title = section.title.get(language).to_owned();
    (!controls.is_empty()).then(|| Group { id: section.id.to_string(), title, controls })
}

fn control(edition: &Edition, requirement: &Requirement, language: Language) -> Control {
    let source = requirement.source.as_deref();
    let official = edition.proven(&requirement.cite, source, &requirement.proof, language).url;
    let mut links: Vec<_> = official.into_iter().map(|href| Link { href, rel: "reference" }).collect();
    links.extend(requirement.basis.iter().filter_map(|id| {
        let framework = edition.requirements.get(id)?.framework;
        let place = if framework == requirement.framework {
            String::new()
        } else {
            catalog_address(framework.as_str())
        };
        Some(Link { href: format!("{place}#{id}"), rel: "related" })
    }));
    let property = |name, value: &str| Property { name, value: value.to_owned() };
    let mut props = vec![property("label", &requirement.number), property("citation", &requirement.cite)];
    props.extend(requirement.cadence.map(|cadence| property("cadence", cadence.as_str())));
    let part = |kind: &str, name, prose: &str| Part {
        id: format!("{}_{kind}", requirement.id),
        name,
        class: None,
        props: Vec::new(),
        prose: prose.to_owned(),
    };
    let steps = requirement.audit_steps.iter().enumerate();
    let steps =
        steps.map(|(at, step)| part(&format!("asm-{}", at + 1), "assessment-method", step.get(language)));
    let mut parts = vec![part("smt", "statement", requirement.summary.get(language))];
    parts.extend(edition.official_wording(requirement).into_iter().map(|one| wording(requirement, one)));
    parts.extend(steps);
    Control {
        id: requirement.id.to_string(),
        class: "requirement",
        title: requirement.title.get(language).to_owned(),
        props,
        links,
        parts,
    }
}

/// The official text of the provision in one language.
fn wording(requirement: &Requirement, wording: OfficialWording<'_>) -> Part {
    let property = |name, value: &str| Property { name, value: value.to_owned() };
    Part {
        id: format!("{}_gdn-{}", requirement.id, wording.language),
        name: "guidance",
        class: Some("official-wording"),
        props: vec![
            property("language", wording.language.as_str()),
            property("act", &wording.act.number),
            property("act-version", &wording.version),
            property("at", &wording.at),
            property("sha256", &wording.sha256),
        ],
        prose: wording.text,
    }
}
