//! One byte changed, removed or added anywhere.

use crate::{Random, public, python::Python, sample};

/// Every place in turn, so that no part of the archive is left out, and another change at each.
fn mutated(original: &[u8], round: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let place = round * 31 % bytes.len();
    match random.below(10) {
        0 => drop(bytes.remove(place)),
        1 => bytes.insert(place, u8::try_from(random.below(256)).unwrap()),
        2 => bytes.truncate(place),
        _ => bytes[place] ^= u8::try_from(1 + random.below(255)).unwrap(),
    }
    bytes
}

fn none_passes(rounds: std::ops::Range<usize>, seed: u64) {
    let rounds = rounds.start..rounds.start + sample::rounds(rounds.len());
    let original = sample::bundle();
    let (mut python, mut random) = (Python::start(Some(public())), Random::new(seed));
    for round in rounds {
        let bytes = mutated(&original, round, &mut random);
        if bytes != original {
            assert!(python.code(&bytes, Some(public())).is_some(), "round {round} was not found");
        }
    }
}

#[test]
fn a_changed_byte_is_found_by_both_first_third() {
    none_passes(0..2000, 11);
}

#[test]
fn a_changed_byte_is_found_by_both_second_third() {
    none_passes(2000..4000, 12);
}

#[test]
fn a_changed_byte_is_found_by_both_last_third() {
    none_passes(4000..6000, 13);
}

/// Hexadecimal digits have one form, and a signature has one value.
#[test]
fn no_byte_of_the_seal_has_a_second_form() {
    let original = sample::bundle();
    let mut python = Python::start(Some(public()));
    for place in original.len() - 211..original.len() {
        let mut bytes = original.clone();
        bytes[place] ^= 0x20;
        assert!(python.code(&bytes, Some(public())).is_some(), "byte {place}");
    }
}
