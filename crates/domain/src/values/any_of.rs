//! What one filter of a list asks for: records with any of several values, or with none.

/// Several values, of which a record has to have one. Without any, the filter leaves nothing out.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AnyOf<T> {
    values: Vec<T>,
    or_unset: bool,
}

/// The word that asks for records in which the field is not set.
pub const UNSET: &str = "none";

impl<T> Default for AnyOf<T> {
    fn default() -> Self {
        Self { values: Vec::new(), or_unset: false }
    }
}

impl<T: PartialEq> AnyOf<T> {
    /// Each value once, in the order in which they are asked for.
    pub fn new(values: impl IntoIterator<Item = T>) -> Self {
        let mut distinct = Vec::new();
        for value in values {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        Self { values: distinct, or_unset: false }
    }

    /// Whether a record with this value passes.
    pub fn allows(&self, value: &T) -> bool {
        !self.asks() || self.values.contains(value)
    }

    /// The same for a field that need not be set.
    pub fn allows_opt(&self, value: Option<&T>) -> bool {
        !self.asks() || value.map_or(self.or_unset, |value| self.values.contains(value))
    }
}

impl<T> AnyOf<T> {
    /// Records in which the field is not set pass too.
    #[must_use]
    pub fn or_unset(self, or_unset: bool) -> Self {
        Self { or_unset, ..self }
    }

    /// Whether the filter leaves anything out.
    pub fn asks(&self) -> bool {
        self.or_unset || !self.values.is_empty()
    }

    pub fn values(&self) -> &[T] {
        &self.values
    }

    pub fn asks_unset(&self) -> bool {
        self.or_unset
    }

    /// The value, if it is the only thing asked for.
    pub fn one(&self) -> Option<&T> {
        match self.values.as_slice() {
            [one] if !self.or_unset => Some(one),
            _ => None,
        }
    }
}

impl<T: Ord> AnyOf<T> {
    /// Whether a record with this value passes a filter that asks for what is before any of its values.
    pub fn allows_before(&self, value: Option<T>) -> bool {
        !self.asks() || value.map_or(self.or_unset, |value| self.values.iter().any(|end| value < *end))
    }
}

impl AnyOf<String> {
    /// Names as people type them; blank ones ask for nothing, and [`UNSET`] for records without one.
    pub fn names(texts: impl IntoIterator<Item = String>) -> Self {
        let texts = texts.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let (unset, names): (Vec<_>, Vec<_>) = texts.partition(|text| text == UNSET);
        Self::new(names).or_unset(!unset.is_empty())
    }
}

impl<T> From<T> for AnyOf<T> {
    fn from(value: T) -> Self {
        Self { values: vec![value], or_unset: false }
    }
}

impl<T> From<Option<T>> for AnyOf<T> {
    fn from(value: Option<T>) -> Self {
        Self { values: value.into_iter().collect(), or_unset: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_value_nothing_is_left_out() {
        let none: AnyOf<u8> = AnyOf::default();
        assert!(!none.asks() && none.allows(&1) && none.one().is_none());
    }

    #[test]
    fn a_field_that_is_not_set_passes_only_if_that_is_asked_for() {
        let (all, some) = (AnyOf::<u8>::default(), AnyOf::new([3_u8, 5]));
        assert!(all.allows_opt(None) && all.allows_before(None));
        assert!(some.allows_opt(Some(&3)) && !some.allows_opt(Some(&4)) && !some.allows_opt(None));
        assert!(some.allows_before(Some(4)) && !some.allows_before(Some(5)) && !some.allows_before(None));
        let either = some.or_unset(true);
        assert!(either.allows_opt(None) && either.allows_before(None) && !either.allows_before(Some(9)));
    }

    #[test]
    fn each_value_counts_once() {
        let two = AnyOf::new([2, 1, 2]);
        assert_eq!(two.values(), [2, 1]);
        assert!(two.allows(&1) && !two.allows(&3) && two.one().is_none());
        assert_eq!(AnyOf::new([2, 2]).one(), Some(&2));
    }

    #[test]
    fn a_word_asks_for_records_without_a_name() {
        let names = |texts: &[&str]| AnyOf::names(texts.iter().map(|text| (*text).to_owned()));
        assert!(!names(&["", "  "]).asks());
        assert_eq!(names(&[" Anna Weber "]).one().map(String::as_str), Some("Anna Weber"));
        let either = names(&["none", "Anna Weber"]);
        assert!(either.asks_unset() && either.one().is_none());
        assert_eq!(either.values(), ["Anna Weber"]);
        assert!(names(&["none"]).asks());
    }
}
