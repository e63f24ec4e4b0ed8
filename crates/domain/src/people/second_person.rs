//! Decisions that need a second person: none of those who changed a record since its last decision may decide about it.

/// How many people and keys are remembered between two decisions.
const MOST_EDITORS: usize = 50;

/// Who decides: the name that the record keeps, and whether it stands for a person who changed the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decider<'a> {
    pub name: &'a str,
    pub is_editor: bool,
}

/// Adds a person or key to those who changed a record.
pub fn remember(editors: &mut Vec<String>, by: &str) {
    if !editors.iter().any(|known| known == by) && editors.len() < MOST_EDITORS {
        editors.push(by.to_owned());
    }
}

/// With more editors than are remembered, none can be shown to be another person.
pub fn is_full(editors: &[String]) -> bool {
    editors.len() >= MOST_EDITORS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_is_remembered_once_up_to_a_bound() {
        let mut editors = Vec::new();
        for number in 0..2 * MOST_EDITORS {
            remember(&mut editors, &format!("usr_{}", number / 2));
            assert_eq!(is_full(&editors), number / 2 + 1 >= MOST_EDITORS);
        }
        remember(&mut editors, "usr_late");
        assert_eq!(editors.len(), MOST_EDITORS);
    }
}
