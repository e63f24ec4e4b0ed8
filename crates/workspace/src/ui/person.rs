//! A person in a list: a round mark with initials, and the name beside it. A reader of the screen hears the name alone.

use maud::{Markup, html};

use crate::extract::View;

impl View {
    /// A person, or a word for none.
    pub(crate) fn person(&self, name: Option<impl AsRef<str>>) -> Markup {
        let Some(name) = name else { return self.or_none(None::<&str>) };
        let name = name.as_ref();
        html! {
            span.person-mark title=(name) {
                span.initials aria-hidden="true" { (initials(name)) }
                span.person-name { (name) }
            }
        }
    }
}

/// At most two initials.
pub(super) fn initials(name: &str) -> String {
    let words: Vec<char> = name.split_whitespace().filter_map(|word| word.chars().next()).collect();
    let ends = [words.first(), words.last().filter(|_| words.len() > 1)];
    ends.into_iter().flatten().flat_map(|letter| letter.to_uppercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_short() {
        assert_eq!(initials("Anna Weber"), "AW");
        assert_eq!(initials("Anna Maria von Weber"), "AW");
        assert_eq!(initials("ops@bank.example"), "O");
        assert_eq!(initials("äne ößel"), "ÄÖ");
    }
}
