//! Crosswalks: which requirement of one framework asks the same as, more than or part of one of another.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    str::FromStr,
};

use domain::vocabulary;

use crate::{
    block::Block,
    framework::Requirement,
    kind::Kind,
    language::Text,
    measure::Provenance,
    record::{Record, Shelf, Wording},
    vocabulary::FrameworkId,
};

vocabulary! {
    /// The relation of two requirements, from the first to the second.
    Relation {
        Equal = "equal" ("The same as", "Entspricht"),
        Subset = "subset" ("Part of", "Teil von"),
        Superset = "superset" ("Contains", "Enthält"),
        Intersects = "intersects" ("Overlaps with", "Überschneidet sich mit"),
    }
}

impl Relation {
    /// The inverse relation.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Subset => Self::Superset,
            Self::Superset => Self::Subset,
            same => same,
        }
    }

    /// Whether meeting the second requirement meets the first.
    pub fn is_met_by_other(self) -> bool {
        matches!(self, Self::Equal | Self::Subset)
    }
}

/// A table of edges by one author.
#[derive(Debug, Clone)]
pub struct Crosswalk {
    pub id: Box<str>,
    pub title: Text,
    pub from: FrameworkId,
    pub to: FrameworkId,
    pub provenance: Provenance,
    /// The author.
    pub source: Box<str>,
    pub url: Option<Box<str>>,
    pub licence: Box<str>,
    /// The reason for its edges, unless an edge has a reason of its own.
    pub reason: Text,
    pub edges: Vec<Edge>,
}

/// Two requirements by their ids. An id that ends with `-*` matches all ids with that prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: Box<str>,
    pub relation: Relation,
    pub to: Box<str>,
    pub reason: Option<Text>,
}

/// The text is no edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAnEdge;

impl fmt::Display for NotAnEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relations = Relation::WORDS.join(", ");
        write!(f, "must be two ids with a relation between them ({relations}): \"a-1 intersects b-2\"")
    }
}

impl FromStr for Edge {
    type Err = NotAnEdge;

    fn from_str(text: &str) -> Result<Self, NotAnEdge> {
        let mut words = text.split(' ');
        let (Some(from), Some(relation), Some(to), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(NotAnEdge);
        };
        let relation = relation.parse().map_err(|_| NotAnEdge)?;
        Ok(Self { from: from.into(), relation, to: to.into(), reason: None })
    }
}

impl Crosswalk {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let mut crosswalk = Self {
            id: block.id(Kind::Crosswalk),
            title: block.text("title"),
            from: block.framework("from"),
            to: block.framework("to"),
            provenance: block.word("provenance"),
            source: block.line("source"),
            url: block.optional_url("url"),
            licence: block.line("licence"),
            reason: block.text("reason"),
            edges: block.optional_parsed_list("edges"),
        };
        crosswalk.edges.extend(block.optional_list("reasoned", Edge::read));
        if crosswalk.edges.is_empty() {
            block.fault("edges", "must not be empty, unless reasoned lists some");
        }
        if crosswalk.from == crosswalk.to {
            block.fault("to", "must be another framework than from");
        }
        if crosswalk.provenance != Provenance::Own && crosswalk.url.is_none() {
            block.fault("provenance", "needs a url where the table was published");
        }
        crosswalk
    }

    /// What is wrong with its edges, given the requirements of both frameworks.
    pub(crate) fn complaints(&self, requirements: &HashMap<&str, &Requirement>) -> Vec<String> {
        let mut complaints = Vec::new();
        // A table repeats the same few ids.
        let ends: HashSet<_> =
            self.edges.iter().flat_map(|edge| [(&edge.from, self.from), (&edge.to, self.to)]).collect();
        for (id, framework) in ends {
            let known = match id.strip_suffix('*') {
                Some(stem) => {
                    requirements.values().any(|r| r.framework == framework && r.id.starts_with(stem))
                }
                None => requirements.get(&**id).is_some_and(|requirement| requirement.framework == framework),
            };
            if !known {
                complaints.push(format!("edges names {id}, but {framework} has no such requirement"));
            }
        }
        complaints.sort();
        complaints
    }
}

impl Edge {
    fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            from: block.line("from"),
            relation: block.word("relation"),
            to: block.line("to"),
            reason: Some(block.text("reason")),
        }
    }
}

/// An edge seen from one of its ends.
#[derive(Debug, Clone, Copy)]
pub struct Related<'c> {
    pub requirement: &'c Requirement,
    pub relation: Relation,
    pub crosswalk: &'c Crosswalk,
    pub reason: &'c Text,
}

/// The other end of an edge, by position: requirement, crosswalk, edge.
type Step = (usize, Relation, usize, usize);

/// Every edge by the positions of the requirements it connects.
#[derive(Debug, Default)]
pub(crate) struct Edges(Vec<Vec<Step>>);

impl Edges {
    /// The edges of these crosswalks, each given with its place in their list.
    pub(crate) fn join<'c>(
        crosswalks: impl Iterator<Item = (usize, &'c Crosswalk)>,
        requirements: &Shelf<Requirement>,
    ) -> Self {
        let ids = Ids::of(requirements);
        let mut steps = vec![Vec::new(); requirements.len()];
        for (table, crosswalk) in crosswalks {
            for (row, edge) in crosswalk.edges.iter().enumerate() {
                let (froms, tos) = (ids.matching(&edge.from), ids.matching(&edge.to));
                for ((_, from), (_, to)) in froms.iter().flat_map(|from| tos.iter().map(move |to| (from, to)))
                {
                    let (from, to) = (*from, *to);
                    steps[from].push((to, edge.relation, table, row));
                    steps[to].push((from, edge.relation.reversed(), table, row));
                }
            }
        }
        for of_one in &mut steps {
            of_one.sort_unstable();
            of_one.dedup_by_key(|(other, relation, table, _)| (*other, *relation, *table));
        }
        Self(steps)
    }

    pub(crate) fn of(&self, requirement: usize) -> &[Step] {
        self.0.get(requirement).map_or(&[], Vec::as_slice)
    }
}

/// The ids of the requirements in their alphabetical order, with their positions.
struct Ids<'r>(Vec<(&'r str, usize)>);

impl<'r> Ids<'r> {
    fn of(requirements: &'r Shelf<Requirement>) -> Self {
        let mut ids: Vec<_> = requirements.iter().enumerate().map(|(at, one)| (&*one.id, at)).collect();
        ids.sort_unstable();
        Self(ids)
    }

    /// The ids that an end of an edge matches; they are adjacent.
    fn matching(&self, end: &str) -> &[(&'r str, usize)] {
        let stem = end.strip_suffix('*');
        let fits = |id: &str| stem.map_or(id == end, |stem| id.starts_with(stem));
        let first = self.0.partition_point(|(id, _)| *id < stem.unwrap_or(end));
        let count = self.0[first..].iter().take_while(|(id, _)| fits(id)).count();
        &self.0[first..first + count]
    }
}

impl Record for Crosswalk {
    fn kind(&self) -> Kind {
        Kind::Crosswalk
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.reason));
        visit(Wording::One(&self.source));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_two_ids_and_a_relation() {
        let edge: Edge = "a-1 subset b-2".parse().unwrap();
        assert_eq!((&*edge.from, edge.relation, &*edge.to), ("a-1", Relation::Subset, "b-2"));
        for text in ["", "a-1", "a-1 b-2", "a-1 near b-2", "a-1 equal b-2 c-3", "a-1  equal b-2"] {
            assert_eq!(text.parse::<Edge>(), Err(NotAnEdge), "{text}");
        }
    }

    #[test]
    fn only_the_same_or_more_meets_a_requirement() {
        assert!(Relation::Equal.is_met_by_other() && Relation::Subset.is_met_by_other());
        assert!(!Relation::Superset.is_met_by_other() && !Relation::Intersects.is_met_by_other());
        assert_eq!(Relation::Subset.reversed(), Relation::Superset);
        assert_eq!(Relation::Intersects.reversed(), Relation::Intersects);
    }
}
