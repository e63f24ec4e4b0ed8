//! How a query asks a filter: with one value, or with any of several.

use std::borrow::Cow;

use domain::{any_of::AnyOf, moment::Day, vocabulary::Vocabulary};

use super::{Dialect, Filter, Text};

/// A filter of one query, and how its value is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) filter: &'static Filter,
    pub(super) how: How,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// With the one value.
    AsSaid,
    /// With a list, of which the column has one.
    Any,
    /// The same, and rows in which the column is not set.
    AnyOrUnset,
}

/// Compares the column before it with a list of values.
const ANY: Text = Text::Differs {
    why: "each engine has its own way to bind a list",
    sqlite: "IN (SELECT value FROM json_each(?))",
    postgres: "= ANY(?)",
};

/// The same for a list of patterns. The column is put in the place of `{}`.
const LIKE_ANY: Text = Text::Differs {
    why: "each engine has its own way to bind a list",
    sqlite: "EXISTS (SELECT 1 FROM json_each(?) WHERE {} LIKE json_each.value)",
    postgres: "{} LIKE ANY(?)",
};

/// The value of a filter by states that days decide: the days, then each state between commas.
pub(crate) fn among<T: Vocabulary>(days: &[Day], wanted: &AnyOf<T>) -> String {
    let days = days.iter().map(ToString::to_string);
    let states = wanted.values().iter().map(|state| state.as_str().to_owned());
    days.chain(states).chain([String::new()]).collect::<Vec<_>>().join(",")
}

impl Filter {
    pub(super) fn as_said(&'static self) -> Asked {
        Asked { filter: self, how: How::AsSaid }
    }

    /// The column, if the condition is that it equals the value.
    pub(super) fn column(&self) -> Option<&'static str> {
        column_before(self.condition, " = ?")
    }

    /// Whether several values can be asked for.
    pub(super) fn takes_several(&self) -> bool {
        self.column().or_else(|| self.matched()).is_some()
    }

    /// The column, if the condition is that it matches a pattern.
    fn matched(&self) -> Option<&'static str> {
        column_before(self.condition, " LIKE ?")
    }

    /// Every way in which the filter can be asked.
    pub(super) fn ways(&'static self) -> Vec<Asked> {
        let lists: &[How] = match (self.column(), self.matched()) {
            (Some(_), _) => &[How::AsSaid, How::Any, How::AnyOrUnset],
            (None, Some(_)) => &[How::AsSaid, How::Any],
            (None, None) => &[How::AsSaid],
        };
        lists.iter().map(|how| Asked { filter: self, how: *how }).collect()
    }
}

fn column_before(condition: &'static str, comparison: &str) -> Option<&'static str> {
    condition.strip_suffix(comparison).filter(|column| column.starts_with("r.") && !column.contains(' '))
}

impl Asked {
    pub(super) fn condition(self, dialect: Dialect) -> Cow<'static, str> {
        let any = ANY.on(dialect);
        if let Some(column) = self.filter.matched().filter(|_| self.how == How::Any) {
            return LIKE_ANY.on(dialect).replace("{}", column).into();
        }
        match (self.filter.column(), self.how) {
            (Some(column), How::Any) => format!("{column} {any}").into(),
            (Some(column), How::AnyOrUnset) => format!("({column} {any} OR {column} IS NULL)").into(),
            _ => self.filter.condition.into(),
        }
    }
}
