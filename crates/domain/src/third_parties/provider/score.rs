//! The score of a review. `docs/providers.md` explains the rule with an example.

use super::Answer;
use crate::{rounding::divide_half_even, vocabulary::vocabulary};

vocabulary! {
    /// The dimensions of a provider's score, as in the catalogue's scorecard of archetypes.
    Dimension {
        Security = "security" ("Security", "Sicherheit"),
        Resilience = "resilience" ("Resilience", "Resilienz"),
        Compliance = "compliance" ("Compliance", "Konformität"),
        Concentration = "concentration" ("Answers on concentration", "Antworten zur Konzentration"),
        Exit = "exit" ("Exit readiness", "Ausstiegsfähigkeit"),
    }
}

/// One question of a review with its weight and answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weighed {
    pub dimension: Dimension,
    /// From 1 to 5.
    pub weight: u32,
    pub answer: Option<Answer>,
}

/// From 0 to 100 for each dimension; nothing where no question applied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewScores {
    pub dimensions: [Option<u8>; 5],
    pub overall: Option<u8>,
}

/// The points of a full answer.
const MOST_POINTS: u32 = 2;

fn points(answer: Option<Answer>) -> Option<u32> {
    match answer {
        Some(Answer::Yes) => Some(MOST_POINTS),
        Some(Answer::Partly) => Some(1),
        // An unanswered question scores like a "no".
        Some(Answer::No) | None => Some(0),
        Some(Answer::NotApplicable) => None,
    }
}

impl ReviewScores {
    pub fn get(&self, dimension: Dimension) -> Option<u8> {
        self.dimensions[dimension as usize]
    }

    /// The scores of these questions. `weights` are those of the dimensions, in per cent.
    #[must_use]
    pub fn of(questions: &[Weighed], weights: [u32; 5]) -> Self {
        let mut scores = Self::default();
        for (place, dimension) in Dimension::ALL.iter().enumerate() {
            let (mut reached, mut possible) = (0, 0);
            for question in questions.iter().filter(|question| question.dimension == *dimension) {
                if let Some(points) = points(question.answer) {
                    reached += question.weight * points;
                    possible += question.weight * MOST_POINTS;
                }
            }
            scores.dimensions[place] = share(reached, possible);
        }
        let known =
            || scores.dimensions.iter().zip(weights).filter_map(|(score, weight)| Some(((*score)?, weight)));
        let reached = known().map(|(score, weight)| u32::from(score) * weight).sum();
        let possible: u32 = known().map(|(_, weight)| 100 * weight).sum();
        scores.overall = share(reached, possible);
        scores
    }
}

/// In whole per cent, half to even.
fn share(reached: u32, possible: u32) -> Option<u8> {
    if possible == 0 {
        return None;
    }
    u8::try_from(divide_half_even(u128::from(reached) * 100, u128::from(possible))).ok()
}
