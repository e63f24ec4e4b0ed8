//! Identifies providers: the spellings in arrangements, their legal entities, and the groups of those.
//!
//! A LEI identifies a legal entity whatever its name. Without one the name does. A name without a LEI belongs to the
//! entity with this name and a LEI, if there is exactly one: leaving a field empty must not make a concentration look
//! smaller.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use foldhash::fast::RandomState;

use crate::lei::Lei;

use super::{
    error::AnalysisError,
    names::{Names, small},
};

/// One spelling of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Spelling {
    name: u32,
    lei: Option<Lei>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Providers {
    names: Names,
    numbers: HashMap<Spelling, u32, RandomState>,
    spellings: Vec<Spelling>,
    /// A provider and its ultimate parent, as spelt. Whether two parents are one company is only known when spellings
    /// are joined.
    parents: BTreeSet<(u32, u32)>,
}

impl Providers {
    pub(super) fn intern(&mut self, name: &str, lei: Option<Lei>) -> u32 {
        let spelling = Spelling { name: self.names.intern(name), lei };
        if let Some(number) = self.numbers.get(&spelling) {
            return *number;
        }
        let number = small(self.spellings.len());
        self.numbers.insert(spelling, number);
        self.spellings.push(spelling);
        number
    }

    /// The spellings with this LEI or, if the text is none, this name.
    pub(super) fn find(&self, text: &str) -> Vec<u32> {
        let lei = text.parse::<Lei>().ok();
        let name = self.names.find(text);
        let fits = |spelling: &Spelling| match lei {
            Some(_) => spelling.lei == lei,
            None => Some(spelling.name) == name,
        };
        let numbered = self.spellings.iter().enumerate();
        numbered.filter(|(_, spelling)| fits(spelling)).map(|(number, _)| small(number)).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.spellings.len()
    }

    pub(super) fn name(&self, spelling: u32) -> &Arc<str> {
        self.names.get(self.spellings[spelling as usize].name)
    }

    pub(super) fn add_parent(&mut self, spelling: u32, parent: u32) {
        self.parents.insert((spelling, parent));
    }

    /// Joins the spellings in use to legal entities and groups.
    pub(super) fn resolve(&self, mut used: Vec<bool>) -> Result<Resolved, AnalysisError> {
        self.use_parents(&mut used);
        let mut resolved = self.entities(&used);
        resolved.tell_apart();
        self.groups(&used, &mut resolved)?;
        Ok(resolved)
    }

    /// Ultimate parents are included without an arrangement of their own.
    fn use_parents(&self, used: &mut [bool]) {
        let mut more = true;
        while std::mem::take(&mut more) {
            for (child, parent) in &self.parents {
                let is_new = used[*child as usize] && !used[*parent as usize];
                used[*parent as usize] |= is_new;
                more |= is_new;
            }
        }
    }

    fn entities(&self, used: &[bool]) -> Resolved {
        let mut resolved = Resolved { of_spelling: vec![UNUSED; used.len()], ..Resolved::default() };
        let mut by_lei = HashMap::new();
        // A name maps to the only entity with this name and a LEI, or to none if there are several.
        let mut by_name: HashMap<u32, Option<u32>> = HashMap::new();
        let in_use = || self.spellings.iter().enumerate().filter(|(number, _)| used[*number]);
        for (number, spelling) in in_use() {
            let Some(lei) = spelling.lei else { continue };
            let entity = *by_lei.entry(lei).or_insert_with(|| resolved.add(Some(lei)));
            resolved.join(number, entity, self.names.get(spelling.name));
            let bearer = by_name.entry(spelling.name).or_insert(Some(entity));
            if *bearer != Some(entity) {
                *bearer = None;
            }
        }
        for (number, spelling) in in_use().filter(|(_, spelling)| spelling.lei.is_none()) {
            let bearer = by_name.get(&spelling.name).copied().flatten();
            let entity = bearer.unwrap_or_else(|| resolved.add(None));
            resolved.join(number, entity, self.names.get(spelling.name));
        }
        resolved
    }

    fn groups(&self, used: &[bool], resolved: &mut Resolved) -> Result<(), AnalysisError> {
        let mut parents: Vec<Option<u32>> = vec![None; resolved.entities.len()];
        for (child, parent) in self.parents.iter().filter(|(child, _)| used[*child as usize]) {
            let (entity, parent) = (resolved.entity(*child), resolved.entity(*parent));
            if let Some(other) = parents[entity as usize].replace(parent).filter(|other| *other != parent) {
                return Err(two_parents(resolved, entity, [parent, other]));
            }
        }
        for entity in 0..parents.len() {
            let group = top(small(entity), &parents)
                .ok_or_else(|| AnalysisError::ParentCycle(resolved.name(small(entity)).to_string()))?;
            resolved.group_of.push(group);
        }
        Ok(())
    }
}

fn two_parents(resolved: &Resolved, provider: u32, parents: [u32; 2]) -> AnalysisError {
    let name = |entity| resolved.name(entity).to_string();
    let [mut first, mut second] = parents.map(name);
    if second < first {
        std::mem::swap(&mut first, &mut second);
    }
    AnalysisError::TwoParents { provider: name(provider), first, second }
}

/// Follows the parents up to one that has none or names itself.
fn top(entity: u32, parents: &[Option<u32>]) -> Option<u32> {
    let mut at = entity;
    for _ in 0..=parents.len() {
        match parents[at as usize] {
            Some(parent) if parent != at => at = parent,
            _ => return Some(at),
        }
    }
    None
}

/// No entity: the spelling does not occur in the selected arrangements.
const UNUSED: u32 = u32::MAX;

/// A legal entity.
#[derive(Debug, Clone)]
pub(super) struct LegalEntity {
    /// The first of its names in alphabetical order, so that the order of the rows does not matter.
    pub(super) name: Arc<str>,
    pub(super) lei: Option<Lei>,
    /// All its names.
    pub(super) names: BTreeSet<Arc<str>>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Resolved {
    of_spelling: Vec<u32>,
    pub(super) entities: Vec<LegalEntity>,
    /// The ultimate parent of each entity.
    group_of: Vec<u32>,
}

impl Resolved {
    pub(super) fn entity(&self, spelling: u32) -> u32 {
        self.of_spelling[spelling as usize]
    }

    pub(super) fn group(&self, entity: u32) -> u32 {
        self.group_of[entity as usize]
    }

    pub(super) fn name(&self, entity: u32) -> &Arc<str> {
        &self.entities[entity as usize].name
    }

    fn add(&mut self, lei: Option<Lei>) -> u32 {
        self.entities.push(LegalEntity { name: "".into(), lei, names: BTreeSet::new() });
        small(self.entities.len() - 1)
    }

    fn join(&mut self, spelling: usize, entity: u32, name: &Arc<str>) {
        self.of_spelling[spelling] = entity;
        self.entities[entity as usize].names.insert(Arc::clone(name));
    }

    /// Makes the names of entities distinct: if two share one, the LEI is appended.
    fn tell_apart(&mut self) {
        let mut bearers: HashMap<Arc<str>, u32> = HashMap::new();
        for entity in &mut self.entities {
            if let Some(first) = entity.names.first() {
                entity.name = Arc::clone(first);
            }
            *bearers.entry(Arc::clone(&entity.name)).or_default() += 1;
        }
        for entity in &mut self.entities {
            if let (true, Some(lei)) = (bearers[&entity.name] > 1, entity.lei) {
                entity.name = format!("{} ({lei})", entity.name).into();
            }
        }
    }
}
