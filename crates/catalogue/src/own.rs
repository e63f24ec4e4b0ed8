//! Frameworks that an institution adds for itself, in the form of the catalogue's own, so that whatever looks up a
//! requirement finds theirs in the same way.
//!
//! Their texts have one language. They cite themselves, and no act of the catalogue.

use std::collections::BTreeMap;

use domain::own_framework::OwnRequirement;

use crate::{
    Catalogue,
    applicability::Applicability,
    crosswalk::{Crosswalk, Edge, Relation},
    framework::{Framework, Requirement, Section, Validity},
    language::Text,
    measure::Provenance,
    proof::Proof,
    vocabulary::FrameworkId,
};

/// A framework of an institution, with what it has approved.
#[derive(Debug, Clone, Copy)]
pub struct OwnFramework<'o> {
    pub id: FrameworkId,
    pub title: &'o str,
    pub version: &'o str,
    pub requirements: &'o [OwnRequirement],
}

/// What is added to a catalogue.
#[derive(Debug, Default)]
pub(crate) struct Added {
    pub(crate) frameworks: Vec<Framework>,
    pub(crate) sections: Vec<Section>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) crosswalks: Vec<Crosswalk>,
}

impl Added {
    /// The catalogue may have got a framework of the same id since; it goes before.
    pub(crate) fn of(catalogue: &Catalogue, own: &[OwnFramework<'_>]) -> Self {
        let mut added = Self::default();
        for framework in own {
            if catalogue.frameworks.get(framework.id.as_str()).is_none() {
                added.add(catalogue, framework);
            }
        }
        added
    }

    fn add(&mut self, catalogue: &Catalogue, own: &OwnFramework<'_>) {
        let key = own.id;
        let mut chapters: Vec<&str> = Vec::new();
        for requirement in own.requirements {
            if !chapters.contains(&requirement.chapter.as_str()) {
                chapters.push(&requirement.chapter);
            }
        }
        let section_id = |place: usize| -> Box<str> { format!("{key}-chapter-{}", place + 1).into() };
        for (place, chapter) in chapters.iter().enumerate() {
            let requirements = own.requirements.iter().filter(|requirement| requirement.chapter == *chapter);
            let requirements =
                requirements.filter(|requirement| catalogue.requirements.get(&requirement.id).is_none());
            let title = if chapter.is_empty() { Text::requirements() } else { one(chapter) };
            self.sections.push(Section {
                id: section_id(place),
                framework: key,
                title,
                scope: Applicability::default(),
            });
            self.requirements.extend(requirements.map(|kept| requirement(key, section_id(place), kept)));
        }
        self.relate(catalogue, own);
        self.frameworks.push(Framework {
            id: key,
            title: one(own.title),
            version: own.version.into(),
            summary: one(own.title),
            cite: key.as_str().into(),
            source: None,
            proof: Proof::default(),
            scope: Applicability::default(),
        });
    }
}

/// The author of the crosswalks that an institution's own requirements make.
pub const OWN_SOURCE: &str = "own";

impl Added {
    /// Relates each requirement to those of the catalogue that it is based on, with a crosswalk for each framework.
    fn relate(&mut self, catalogue: &Catalogue, own: &OwnFramework<'_>) {
        let mut tables: BTreeMap<FrameworkId, Vec<Edge>> = BTreeMap::new();
        for requirement in own.requirements {
            let basis = requirement.based_on.iter().filter_map(|id| catalogue.requirements.get(id));
            for based_on in basis {
                tables.entry(based_on.framework).or_default().push(Edge {
                    from: requirement.id.as_str().into(),
                    relation: Relation::Intersects,
                    to: based_on.id.clone(),
                    reason: None,
                });
            }
        }
        self.crosswalks.extend(tables.into_iter().map(|(to, edges)| crosswalk(own, to, edges)));
    }
}

fn crosswalk(own: &OwnFramework<'_>, to: FrameworkId, edges: Vec<Edge>) -> Crosswalk {
    let (title, name) = (own.title, to.name());
    Crosswalk {
        id: format!("{OWN_SOURCE}-{}-{to}", own.id).into(),
        title: Text {
            en: format!("{title}, based on {name}").into(),
            de: format!("{title}, auf der Grundlage von {name}").into(),
        },
        from: own.id,
        to,
        provenance: Provenance::Own,
        source: OWN_SOURCE.into(),
        url: None,
        licence: Box::default(),
        reason: Text {
            en: "The institution names it as the basis of its own requirement.".into(),
            de: "Das Institut nennt sie als Grundlage seiner eigenen Anforderung.".into(),
        },
        edges,
    }
}

fn one(text: &str) -> Text {
    Text { en: text.into(), de: text.into() }
}

impl Text {
    /// The section of requirements that stand in no chapter.
    fn requirements() -> Self {
        Self { en: "Requirements".into(), de: "Anforderungen".into() }
    }
}

fn requirement(framework: FrameworkId, section: Box<str>, kept: &OwnRequirement) -> Requirement {
    let summary = match &kept.applicability {
        Some(note) => format!("{} ({note})", kept.text),
        None => kept.text.clone(),
    };
    let ids = |ids: &[String]| ids.iter().map(|id| id.as_str().into()).collect();
    Requirement {
        id: kept.id.as_str().into(),
        framework,
        section,
        number: kept.number.as_str().into(),
        title: one(&kept.title),
        summary: one(&summary),
        // The key and not the title, which may name an act.
        cite: format!("{framework} {}", kept.number).into(),
        source: None,
        proof: Proof::default(),
        applies_to: None,
        version: None,
        basis: ids(&kept.based_on),
        measures: ids(&kept.measures),
        audit_steps: Vec::new(),
        model: None,
        cadence: None,
        applicability: Applicability::default(),
        validity: Validity::default(),
        explanation: None,
    }
}

#[cfg(test)]
mod tests {
    use domain::{profile::Facts, wording::Language};

    use super::*;
    use crate::{compliance::Coverage, search::Query};

    fn kept(id: &str, chapter: &str, measures: &[&str]) -> OwnRequirement {
        OwnRequirement {
            id: id.to_owned(),
            chapter: chapter.to_owned(),
            number: "1".to_owned(),
            title: "Restore drills".to_owned(),
            text: "Restores are rehearsed.".to_owned(),
            applicability: Some("Core systems only".to_owned()),
            measures: measures.iter().map(|id| (*id).to_owned()).collect(),
            based_on: vec!["dora-art-12-01".to_owned()],
        }
    }

    #[test]
    fn own_requirements_are_found_behind_those_of_the_catalogue() {
        let base = Catalogue::embedded().unwrap();
        let measure = &*base.measures.as_slice()[0].id;
        let requirements = [kept("house-1", "Backups", &[measure]), kept("house-2", "", &[])];
        let own = OwnFramework {
            id: "house".parse().unwrap(),
            title: "House rules",
            version: "2027",
            requirements: &requirements,
        };
        let all = base.with_own(&[own]);
        assert_eq!(all.requirements.len(), base.requirements.len() + 2);
        let found = all.requirements.get("house-1").unwrap();
        assert_eq!(all.requirements.position("house-1"), Some(base.requirements.len()));
        assert_eq!(
            (&*found.section, &*found.summary.en),
            ("house-chapter-1", "Restores are rehearsed. (Core systems only)")
        );
        assert_eq!(all.measures_for("house-1").count(), 1);
        assert_eq!(all.measures_for("house-2").count(), 0);
        assert_eq!(all.sections.get("house-chapter-2").unwrap().title.de.as_ref(), "Anforderungen");
        assert_eq!(all.framework_named("house").unwrap().as_str(), "house");
        assert!(all.verdict(found, &Facts::default(), "2026-11-18".parse().unwrap()).applies());
        let needle = crate::record::Needle::new("rehearsed");
        let named = all.requirements.positions(&needle, Language::German, |_| true);
        assert!(named.contains(&base.requirements.len()));
        assert_eq!(all.compliance.overall, base.compliance.overall);
        let first = &*base.requirements.as_slice()[0].id;
        assert_eq!(all.measures_for(first).count(), base.measures_for(first).count());
        assert_eq!(all.related_to(first).count(), base.related_to(first).count());
    }

    fn house(requirements: &[OwnRequirement]) -> OwnFramework<'_> {
        OwnFramework { id: "house".parse().unwrap(), title: "House rules", version: "2027", requirements }
    }

    #[test]
    fn a_requirement_is_related_to_what_it_is_based_on() {
        let base = Catalogue::embedded().unwrap();
        let mut loose = kept("house-2", "", &[]);
        loose.based_on.clear();
        let requirements = [kept("house-1", "Backups", &[]), loose];
        let all = base.with_own(&[house(&requirements)]);
        let related: Vec<_> = all.related_to("house-1").collect();
        assert_eq!(related.len(), 1);
        assert_eq!(&*related[0].requirement.id, "dora-art-12-01");
        assert_eq!((related[0].relation, &*related[0].crosswalk.source), (Relation::Intersects, OWN_SOURCE));
        let back = all.related_to("dora-art-12-01").find(|related| &*related.requirement.id == "house-1");
        let back = back.unwrap();
        assert_eq!(&*back.crosswalk.id, "own-house-dora");
        assert_eq!(&*back.crosswalk.title.de, "House rules, auf der Grundlage von DORA");
        assert_eq!(all.crosswalks.get("own-house-dora").unwrap().edges.len(), 1);
        assert_eq!(all.crosswalks.as_slice().len(), base.crosswalks.len());
        assert_eq!(base.related_to("dora-art-12-01").count() + 1, all.related_to("dora-art-12-01").count());
        assert_eq!(all.related_to("house-2").count(), 0);

        assert_eq!(base.coverage_of("dora-art-12-01"), Some(Coverage::Covered));
        assert_eq!(all.coverage_of("house-1"), Some(Coverage::Partial), "through what it is based on");
        assert_eq!(all.coverage_of("house-2"), Some(Coverage::Gap));
        assert_eq!(all.measures_for("house-1").count(), 0, "only in part");
        let tally = all.compliance.framework("house".parse().unwrap()).unwrap().tally;
        assert_eq!((tally.covered, tally.partial, tally.gap), (0, 1, 1));
    }

    #[test]
    fn own_requirements_are_searched_beside_the_catalogue() {
        let base = Catalogue::embedded().unwrap();
        let mut vault = kept("house-2", "", &[]);
        vault.title = "Keys of the strongroom".to_owned();
        vault.text = "Two people hold the <keys> of the strongroom.".to_owned();
        let requirements = [kept("house-1", "Backups", &[]), vault];
        let all = base.with_own(&[house(&requirements)]);
        let ids = |text: &str| -> Vec<(String, bool)> {
            let found = all.find(&Query::new(text, Language::English));
            found.iter().map(|found| (found.record.id().to_owned(), found.is_own)).collect()
        };
        assert_eq!(ids("strongroom"), [("house-2".to_owned(), true)]);
        assert_eq!(ids("Strongrooms").first(), Some(&("house-2".to_owned(), true)), "by its stem");
        assert!(base.find(&Query::new("strongroom", Language::English)).is_empty());
        let restores = ids("restore drills");
        assert!(restores.iter().position(|(id, _)| id == "house-1").unwrap() < 5, "{restores:?}");
        assert!(ids("digital operational resilience").iter().all(|(_, is_own)| !is_own));
        let scores = |catalogue: &Catalogue| -> Vec<(String, f32)> {
            let found = catalogue.find(&Query::new("restore backups", Language::German));
            let found = found.iter().filter(|found| !found.is_own);
            found.map(|found| (found.record.id().to_owned(), found.score)).collect()
        };
        assert_eq!(scores(&all), scores(&base), "what is shared is found as before");
    }

    #[test]
    fn what_the_catalogue_has_goes_before() {
        let base = Catalogue::embedded().unwrap();
        let requirements = [kept("dora-1", "", &[])];
        let own =
            OwnFramework { id: FrameworkId::DORA, title: "x", version: "1", requirements: &requirements };
        assert_eq!(base.with_own(&[own]).requirements.len(), base.requirements.len());
    }
}
