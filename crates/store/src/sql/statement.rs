//! Statements as data, so that tests can prepare and explain every one of them on both engines.

/// One SQL statement with `$1` placeholders. Made only by the [`sql!`](crate::sql!) macro.
#[derive(Debug, Clone, Copy)]
pub struct Statement {
    pub name: &'static str,
    pub text: Text,
    /// Why this statement may read a whole growing table, if it may.
    pub whole_table: Option<&'static str>,
}

/// The text of a statement: one for both engines, or, rarely, one each.
#[derive(Debug, Clone, Copy)]
pub enum Text {
    Same(&'static str),
    /// Where the engines truly differ. Counted by a test.
    Differs {
        why: &'static str,
        sqlite: &'static str,
        postgres: &'static str,
    },
}

impl Text {
    pub fn sqlite(self) -> &'static str {
        match self {
            Self::Same(text) | Self::Differs { sqlite: text, .. } => text,
        }
    }

    pub fn postgres(self) -> &'static str {
        match self {
            Self::Same(text) | Self::Differs { postgres: text, .. } => text,
        }
    }
}

/// Declares a module's statements and registers them as `STATEMENTS`.
///
/// `NAME = "…";` serves both engines. `NAME = differs("why", sqlite "…", postgres "…");` is a counted
/// exception. `NAME = whole("why", "…");` may scan a growing table, for jobs that must see all of it.
#[macro_export]
macro_rules! sql {
    ($($(#[$meta:meta])* $name:ident = $head:tt $(($($rest:tt)*))?;)*) => {
        $($(#[$meta])* const $name: $crate::sql::Statement = $crate::sql::Statement {
            name: concat!(module_path!(), "::", stringify!($name)),
            text: $crate::sql!(@text $head $(($($rest)*))?),
            whole_table: $crate::sql!(@whole $head $(($($rest)*))?),
        };)*
        /// Every statement of this module.
        pub const STATEMENTS: &[$crate::sql::Statement] = &[$($name),*];
    };
    (@text differs ($why:literal, sqlite $sqlite:literal, postgres $postgres:literal)) => {
        $crate::sql::Text::Differs { why: $why, sqlite: $sqlite, postgres: $postgres }
    };
    (@text whole ($why:literal, $text:literal)) => { $crate::sql::Text::Same($text) };
    (@text $text:literal) => { $crate::sql::Text::Same($text) };
    (@whole whole ($why:literal, $text:literal)) => { Some($why) };
    (@whole $($other:tt)*) => { None };
}
