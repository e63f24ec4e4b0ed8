//! What a new set of requirements changes.

use std::collections::HashMap;

use domain::own_framework::OwnRequirement;

/// The ids of requirements by what happens to them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    pub created: Vec<String>,
    pub changed: Vec<String>,
    pub removed: Vec<String>,
    pub unchanged: u64,
}

impl Comparison {
    pub(super) fn of(before: &[OwnRequirement], after: &[OwnRequirement]) -> Self {
        let mut left: HashMap<&str, &OwnRequirement> =
            before.iter().map(|kept| (kept.id.as_str(), kept)).collect();
        let mut found = Self::default();
        for new in after {
            match left.remove(new.id.as_str()) {
                None => found.created.push(new.id.clone()),
                Some(kept) if kept == new => found.unchanged += 1,
                Some(_) => found.changed.push(new.id.clone()),
            }
        }
        let gone = before.iter().filter(|kept| left.contains_key(kept.id.as_str()));
        found.removed = gone.map(|kept| kept.id.clone()).collect();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(id: &str, title: &str) -> OwnRequirement {
        OwnRequirement {
            id: id.to_owned(),
            chapter: String::new(),
            number: "1".to_owned(),
            title: title.to_owned(),
            text: "x".to_owned(),
            applicability: None,
            measures: Vec::new(),
            based_on: Vec::new(),
        }
    }

    #[test]
    fn every_requirement_is_named_once() {
        let before = [kept("a-1", "One"), kept("a-2", "Two"), kept("a-3", "Three")];
        let after = [kept("a-1", "One"), kept("a-4", "Four"), kept("a-2", "Other")];
        let found = Comparison::of(&before, &after);
        assert_eq!(found.created, ["a-4"]);
        assert_eq!(found.changed, ["a-2"]);
        assert_eq!(found.removed, ["a-3"]);
        assert_eq!(found.unchanged, 1);
    }
}
