//! Tags: short labels of an institution's own, on records of every kind.

use std::fmt;

use crate::{
    change::{Change, Fields},
    text::line,
    violation::{Complaint, Violations},
    wording::sentences,
};

sentences! {
    /// Why tags were refused.
    TagComplaint {
        TooMany { most: usize } =
            "must be at most {most} tags",
            "dürfen höchstens {most} Schlagwörter sein";
        Comma =
            "must not contain a comma, which separates tags",
            "darf kein Komma enthalten, denn es trennt Schlagwörter";
    }
}

/// A tag as it was written. Two tags that differ only in upper and lower case are the same.
///
/// Its letters are stored in place, so that the request of a page, which carries one, stays a plain value.
#[derive(Clone, Copy)]
pub struct Tag {
    bytes: [u8; Self::BYTES],
    length: u8,
}

impl Tag {
    /// The maximum number of its letters.
    pub const LONGEST: usize = 40;
    /// The maximum number of tags of a record.
    pub const MOST: usize = 20;
    const BYTES: usize = Self::LONGEST * 4;

    pub fn parse(text: &str) -> Result<Self, Complaint> {
        let text = line(text.trim(), Self::LONGEST)?;
        if text.contains(',') {
            return Err(TagComplaint::Comma.into());
        }
        let mut bytes = [0; Self::BYTES];
        for (place, byte) in bytes.iter_mut().zip(text.bytes()) {
            *place = byte;
        }
        Ok(Self { bytes, length: u8::try_from(text.len()).unwrap_or_default() })
    }

    pub fn as_str(&self) -> &str {
        // The bytes are those of a text, so that there is always one.
        self.bytes
            .get(..usize::from(self.length))
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    /// What tags are compared by.
    #[must_use]
    pub fn folded(&self) -> String {
        self.as_str().to_lowercase()
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Tag {}

impl std::hash::Hash for Tag {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({:?})", self.as_str())
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The tags of a record as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagsInput {
    pub tags: Change<Vec<String>>,
}

impl TagsInput {
    /// The tags of a text in which commas separate them.
    #[must_use]
    pub fn separated(text: &str) -> Self {
        let tags = text.split(',').filter(|part| !part.trim().is_empty());
        Self { tags: Change::Set(tags.map(str::to_owned).collect()) }
    }

    /// Each tag once, in alphabetical order.
    pub fn read(&self) -> Result<Vec<Tag>, Violations> {
        let mut fields = Fields::default();
        fields.required("tags", &self.tags, None, |sent: &Vec<String>| Ok::<_, Complaint>(sent.len()));
        let mut tags = match &self.tags {
            Change::Set(_) => fields.list("tags", &self.tags, None, |text| Tag::parse(text)),
            Change::Keep | Change::Clear => Vec::new(),
        };
        tags.sort_by_key(Tag::folded);
        tags.dedup_by_key(|tag| tag.folded());
        if tags.len() > Tag::MOST {
            fields.refuse("tags", TagComplaint::TooMany { most: Tag::MOST });
        }
        fields.finish(Some(tags))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tags: &[&str]) -> Result<Vec<Tag>, Violations> {
        TagsInput { tags: Change::Set(tags.iter().map(|&tag| tag.to_owned()).collect()) }.read()
    }

    #[test]
    fn a_tag_is_kept_as_it_was_written_and_comes_once() {
        let tags = read(&[" Zahlungsverkehr ", "DORA", "dora", "ß".repeat(40).as_str()]).unwrap();
        let shown: Vec<_> = tags.iter().map(Tag::as_str).collect();
        assert_eq!(shown, ["DORA", "Zahlungsverkehr", "ß".repeat(40).as_str()]);
        assert_eq!(Tag::parse("𝔘".repeat(40).as_str()).unwrap().as_str().chars().count(), 40);
    }

    #[test]
    fn a_tag_that_is_empty_too_long_or_has_a_comma_is_refused() {
        for tag in ["", "  ", "a,b", "two\nlines", "x".repeat(41).as_str()] {
            assert!(read(&[tag]).is_err(), "{tag}");
        }
        let many: Vec<String> = (0..=Tag::MOST).map(|number| format!("tag {number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(read(&many).is_err());
        assert_eq!(read(&many[1..]).unwrap().len(), Tag::MOST);
        assert!(TagsInput::default().read().is_err() && read(&[]).unwrap().is_empty());
    }

    #[test]
    fn commas_separate_tags() {
        let tags = TagsInput::separated(" audit 2026, ,DORA,").read().unwrap();
        assert_eq!(tags.iter().map(Tag::as_str).collect::<Vec<_>>(), ["audit 2026", "DORA"]);
    }
}
