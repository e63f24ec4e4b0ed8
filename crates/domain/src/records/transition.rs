//! The states of a record and the transitions between them, as one table per record.
//!
//! The table is the single source: the API's refusals, the workspace's buttons and the documentation are generated
//! from it. The inputs and effects of a transition (a reason, a time) belong to the record's own module.

use std::fmt::{self, Write};

use crate::{
    violation::{Complaint, StatusComplaint, StatusProblem},
    vocabulary::{Vocabulary, Word},
    wording::{Label, Language},
};

/// One allowed transition from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move<S> {
    pub to: S,
    /// The label of the button for this transition.
    pub action: Label,
}

/// A list of states with its transitions.
pub trait Lifecycle: Vocabulary {
    /// The record with its article, as in "from open *a finding* can go to …".
    const NOUN: Label;
    /// The initial state of every record.
    const INITIAL: Self;

    /// The allowed transitions from this state; empty for a final state.
    fn moves(self) -> &'static [Move<Self>];

    fn can_become(self, to: Self) -> bool {
        self.moves().iter().any(|step| step.to == to)
    }

    /// The state after a transition to `to`, or why it is refused. Staying is no transition: of two users who close
    /// the same record at once, the second gets an error.
    fn moved(self, to: Self) -> Result<Self, Refused<Self>> {
        if self.can_become(to) {
            Ok(to)
        } else if self == to {
            Err(Refused::AlreadyThere { at: self })
        } else {
            Err(Refused::NotAllowed { from: self, to })
        }
    }

    /// The same for a state given as text.
    fn moved_to_word(self, word: &str) -> Result<Self, Refused<Self>> {
        let to = Self::find(word).ok_or(Refused::UnknownState { from: self })?;
        self.moved(to)
    }

    /// The state of a new record: only the initial one is accepted.
    fn initial_from_word(word: &str) -> Result<Self, NotInitial<Self>> {
        if word == Self::INITIAL.as_str() { Ok(Self::INITIAL) } else { Err(NotInitial(Self::INITIAL)) }
    }
}

/// Why a transition is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused<S> {
    UnknownState { from: S },
    AlreadyThere { at: S },
    NotAllowed { from: S, to: S },
}

impl<S: Lifecycle> From<Refused<S>> for StatusComplaint {
    fn from(refused: Refused<S>) -> Self {
        let (from, problem) = match refused {
            Refused::UnknownState { from } => {
                (from, StatusProblem::Unknown { known: words(S::ALL.iter().copied()), from: Word::of(from) })
            }
            Refused::AlreadyThere { at } => (at, StatusProblem::AlreadyThere { at: Word::of(at) }),
            Refused::NotAllowed { from, to } => {
                (from, StatusProblem::NotAllowed { from: Word::of(from), to: Word::of(to) })
            }
        };
        Self {
            noun: S::NOUN,
            problem: Box::new(problem),
            next: words(from.moves().iter().map(|step| step.to)),
        }
    }
}

impl<S: Lifecycle> From<Refused<S>> for Complaint {
    fn from(refused: Refused<S>) -> Self {
        StatusComplaint::from(refused).into()
    }
}

impl<S: Lifecycle> fmt::Display for Refused<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        StatusComplaint::from(*self).fmt(f)
    }
}

impl<S: Lifecycle + fmt::Debug> std::error::Error for Refused<S> {}

/// A new record was requested in a later state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotInitial<S>(pub S);

impl<S: Lifecycle> From<NotInitial<S>> for StatusComplaint {
    fn from(NotInitial(initial): NotInitial<S>) -> Self {
        let problem = StatusProblem::NotInitial { initial: Word::of(initial) };
        Self { noun: S::NOUN, problem: Box::new(problem), next: Vec::new() }
    }
}

impl<S: Lifecycle> From<NotInitial<S>> for Complaint {
    fn from(refused: NotInitial<S>) -> Self {
        StatusComplaint::from(refused).into()
    }
}

impl<S: Lifecycle> fmt::Display for NotInitial<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        StatusComplaint::from(*self).fmt(f)
    }
}

impl<S: Lifecycle + fmt::Debug> std::error::Error for NotInitial<S> {}

fn words<S: Vocabulary>(states: impl Iterator<Item = S>) -> Vec<Word> {
    states.map(Word::of).collect()
}

/// The table as Markdown, for the documentation.
#[must_use]
pub fn markdown<S: Lifecycle>(language: Language) -> String {
    let (head, start, nowhere) = match language {
        Language::English => ("| Status | Meaning | Can go to |", "start", "nowhere: final"),
        Language::German => ("| Status | Bedeutung | Kann werden |", "Anfang", "nichts: endgültig"),
    };
    let mut table = format!("{head}\n|---|---|---|\n");
    for state in S::ALL.iter().copied() {
        let start = if state == S::INITIAL { format!(" ({start})") } else { String::new() };
        let steps: Vec<_> = state
            .moves()
            .iter()
            .map(|step| format!("`{}` ({})", step.to.as_str(), step.action.text(language)))
            .collect();
        let next = if steps.is_empty() { nowhere.to_owned() } else { steps.join(", ") };
        let label = state.label().text(language);
        // Writing to a String cannot fail.
        let _ = writeln!(table, "| `{}`{start} | {label} | {next} |", state.as_str());
    }
    table
}

/// Declares the states of a record, each with its transitions. The first state is the initial one.
///
/// `State = "word" ("English", "Deutsch") => [Next ("Button", "Knopf"), …]`
macro_rules! lifecycle {
    (
        $(#[$doc:meta])*
        $name:ident ($noun_en:literal, $noun_de:literal) starts at $initial:ident {
            $(
                $variant:ident = $word:literal ($en:literal, $de:literal) => [
                    $($next:ident ($action_en:literal, $action_de:literal)),* $(,)?
                ],
            )*
        }
    ) => {
        $crate::vocabulary::vocabulary! {
            $(#[$doc])*
            $name {
                $($variant = $word ($en, $de),)*
            }
        }

        impl $crate::transition::Lifecycle for $name {
            const NOUN: $crate::wording::Label = $crate::wording::Label::new($noun_en, $noun_de);
            const INITIAL: Self = Self::$initial;

            fn moves(self) -> &'static [$crate::transition::Move<Self>] {
                match self {
                    $(
                        Self::$variant => &[$(
                            $crate::transition::Move {
                                to: Self::$next,
                                action: $crate::wording::Label { en: $action_en, de: $action_de },
                            },
                        )*],
                    )*
                }
            }
        }
    };
}
pub(crate) use lifecycle;

#[cfg(test)]
#[path = "transition_tests.rs"]
pub(crate) mod tests;
