//! How a query asks a filter: with one value, or with any of several.

use std::borrow::Cow;

use domain::{any_of::AnyOf, moment::Day, vocabulary::Vocabulary};

use super::{Dialect, Filter, Text};
use crate::sql::row::NO_DAY;

/// The condition of a value in an own field, which every list with tags takes: a digest is of one kind of record.
pub(super) static HOLDING: Filter = Filter {
    name: "custom",
    condition: "r.id IN (SELECT u.record_id FROM custom_values u WHERE u.tenant_id = $1 AND u.digest = ?)",
};

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
    /// With the one day that the column is before, and rows without a day.
    BeforeOrUnset,
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

    /// Whether it can be asked in this way.
    pub(super) fn takes(&'static self, how: How) -> bool {
        self.ways().iter().any(|way| way.how == how)
    }

    /// The column of a list, if the condition is that it matches a pattern.
    fn matched(&self) -> Option<&'static str> {
        column_before(self.condition, " LIKE ?")
    }

    /// The column of a day, if the condition is that it is before another.
    fn day(&self) -> Option<&'static str> {
        column_before(self.condition, "_on < ?").or_else(|| column_before(self.condition, "_until < ?"))?;
        column_before(self.condition, " < ?")
    }

    /// Every way in which the filter can be asked.
    pub(super) fn ways(&'static self) -> Vec<Asked> {
        let ways: &[How] = match (self.column().or_else(|| self.matched()), self.day()) {
            (Some(_), _) => &[How::AsSaid, How::Any, How::AnyOrUnset],
            (None, Some(_)) => &[How::AsSaid, How::BeforeOrUnset],
            (None, None) => &[How::AsSaid],
        };
        ways.iter().map(|how| Asked { filter: self, how: *how }).collect()
    }
}

fn column_before(condition: &'static str, comparison: &str) -> Option<&'static str> {
    condition.strip_suffix(comparison).filter(|column| column.starts_with("r.") && !column.contains(' '))
}

impl Asked {
    pub(super) fn condition(self, dialect: Dialect) -> Cow<'static, str> {
        let any = ANY.on(dialect);
        let said = self.filter.condition;
        if let Some(column) = self.filter.matched() {
            let like_any = LIKE_ANY.on(dialect).replace("{}", column);
            return match self.how {
                How::Any => like_any.into(),
                How::AnyOrUnset => format!("({like_any} OR {column} = '[]')").into(),
                How::AsSaid | How::BeforeOrUnset => said.into(),
            };
        }
        match (self.how, self.filter.column(), self.filter.day()) {
            (How::Any, Some(column), _) => format!("{column} {any}").into(),
            (How::AnyOrUnset, Some(column), _) => format!("({column} {any} OR {column} IS NULL)").into(),
            (How::BeforeOrUnset, _, Some(day)) => format!("({said} OR {day} = '{NO_DAY}')").into(),
            _ => said.into(),
        }
    }
}
