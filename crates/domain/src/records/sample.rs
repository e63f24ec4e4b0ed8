//! Samples: a random choice of records from a list that is recorded once and that anyone can repeat by hand.
//!
//! The records of the population are ordered by the SHA-256 of the seed, a colon and their id; the first ones are the
//! sample.

use std::collections::{BTreeMap, BinaryHeap};

use sha2::{Digest as _, Sha256};

use crate::{
    change::{Change, Fields},
    identifier::{Id, Identified},
    moment::Moment,
    text::{Name, TextError},
    violation::Violations,
    wording::sentences,
};

sentences! {
    /// Why a sample cannot be drawn.
    SampleComplaint {
        Size { most: i64 } =
            "must be a whole number from 1 to {most}",
            "muss eine ganze Zahl von 1 bis {most} sein";
        NoSuchList =
            "must be the name of a list of records, such as findings or test_cases",
            "muss eine Liste von Datensätzen sein, etwa findings oder test_cases";
        NothingMatches =
            "matches no record, so there is nothing to draw from",
            "passt zu keinem Datensatz, daher lässt sich nichts ziehen";
    }
}

/// A sample that was drawn. It is never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The table of its records.
    pub list: String,
    /// The parameters of the list that it was drawn from.
    pub filter: BTreeMap<String, String>,
    /// How many records were asked for.
    pub size: u32,
    pub seed: Name,
    pub purpose: Name,
    /// How many records the filter matched.
    pub population: u64,
    /// The ids of the drawn records, in the order in which they were drawn.
    pub drawn: Vec<String>,
    pub drawn_by: String,
    pub drawn_at: Moment,
}

pub type SampleId = Id<Sample>;

impl Identified for Sample {
    const PREFIX: &'static str = "smp";
}

/// The largest sample.
pub const MOST: i64 = 500;
/// The longest seed.
const SEED: usize = 64;

/// What a caller asks for, besides the list and its filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleInput {
    pub size: Change<i64>,
    /// Left out, a random one is chosen.
    pub seed: Change<String>,
    pub purpose: Change<String>,
}

/// The same, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleWish {
    pub size: u32,
    pub seed: Option<Name>,
    pub purpose: Name,
}

impl SampleInput {
    pub fn read(&self) -> Result<SampleWish, Violations> {
        let mut fields = Fields::default();
        let size = fields.required("size", &self.size, None, |size| {
            let fits = u32::try_from(*size).ok().filter(|_| (1..=MOST).contains(size));
            fits.ok_or(SampleComplaint::Size { most: MOST })
        });
        let seed = match &self.seed {
            Change::Set(text) if text.trim().is_empty() => None,
            _ => fields.optional("seed", &self.seed, None, |text| seed(text)),
        };
        let purpose = fields.required("purpose", &self.purpose, None, |text| Name::parse(text));
        let wish = size.zip(purpose).map(|(size, purpose)| SampleWish { size, seed, purpose });
        fields.finish(wish)
    }
}

fn seed(text: &str) -> Result<Name, TextError> {
    if text.chars().count() > SEED { Err(TextError::TooLong(SEED)) } else { Name::parse(text) }
}

/// Draws a sample while its population is read: the ids that come first in the order of the SHA-256 of `seed:id`. It
/// keeps no more ids than the sample has, however large the population is.
#[derive(Debug)]
pub struct Drawing<'s> {
    seed: &'s Name,
    size: usize,
    population: u64,
    /// The first ones so far; the last of them on top.
    first: BinaryHeap<([u8; 32], String)>,
}

impl<'s> Drawing<'s> {
    pub fn new(seed: &'s Name, size: u32) -> Self {
        Self { seed, size: size as usize, population: 0, first: BinaryHeap::new() }
    }

    pub fn add(&mut self, id: String) {
        self.population += 1;
        let hash: [u8; 32] = Sha256::digest(format!("{}:{id}", self.seed)).into();
        if self.first.len() < self.size {
            self.first.push((hash, id));
        } else if let Some(mut last) = self.first.peek_mut().filter(|last| hash < last.0) {
            *last = (hash, id);
        }
    }

    /// How many ids there were, and the sample in the order in which it is drawn.
    pub fn finish(self) -> (u64, Vec<String>) {
        let drawn = self.first.into_sorted_vec();
        (self.population, drawn.into_iter().map(|(_, id)| id).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        Name::parse(text).unwrap()
    }

    fn draw(seed: &Name, population: &[String], size: u32) -> Vec<String> {
        let mut drawing = Drawing::new(seed, size);
        for id in population {
            drawing.add(id.clone());
        }
        let (counted, drawn) = drawing.finish();
        assert_eq!(counted, population.len() as u64);
        drawn
    }

    #[test]
    fn a_sample_is_the_beginning_of_the_whole_population_in_its_order() {
        let seed = name("audit");
        let population: Vec<String> = (0..2_000).map(|number| format!("fnd_{number}")).collect();
        let mut ordered = population.clone();
        ordered.sort_by_key(|id| -> [u8; 32] { Sha256::digest(format!("audit:{id}")).into() });
        for size in [1, 7, 500] {
            assert_eq!(draw(&seed, &population, size), ordered[..size as usize]);
        }
    }

    /// Computed with `printf "%s" "7:$id" | sha256sum`.
    #[test]
    fn a_sample_can_be_repeated_with_any_program_that_knows_sha_256() {
        let population: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut backwards = population.clone();
        backwards.reverse();
        let drawn = draw(&name("7"), &population, 2);
        assert_eq!(drawn, ["c", "a"]);
        assert_eq!(draw(&name("7"), &backwards, 2), drawn, "whatever the order of the list");
        assert_eq!(draw(&name("7"), &population, 9).len(), 4, "at most the population");
        assert_ne!(draw(&name("audit"), &population, 4), draw(&name("7"), &population, 4));
    }

    #[test]
    fn a_size_and_a_purpose_are_needed() {
        let good = SampleInput {
            size: Change::Set(25),
            seed: Change::Set(" ".to_owned()),
            purpose: Change::Set("Audit of access rights".to_owned()),
        };
        assert_eq!(good.read().unwrap().seed, None, "a blank seed is none");
        for size in [Change::Keep, Change::Set(0), Change::Set(-1), Change::Set(MOST + 1)] {
            let wrong = SampleInput { size, ..good.clone() };
            assert!(wrong.read().unwrap_err().to_string().contains("size"));
        }
        let long = SampleInput { seed: Change::Set("x".repeat(65)), ..good.clone() };
        assert!(long.read().unwrap_err().to_string().contains("seed"));
        let idle = SampleInput { purpose: Change::Keep, ..good };
        assert!(idle.read().unwrap_err().to_string().contains("purpose"));
    }
}
