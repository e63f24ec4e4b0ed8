//! The analysis against plain arrangements, and against a slow reference implementation.

mod behaviour;
mod example;
mod model;
mod plain;

use super::{Basis, Dimension, Level, Scope};
use crate::{
    arrangement::{Place, Substitutability},
    vocabulary::tests::is_sound,
};

#[test]
fn every_list_is_sound() {
    is_sound::<Basis>();
    is_sound::<Scope>();
    is_sound::<Dimension>();
    is_sound::<Level>();
    is_sound::<Place>();
    is_sound::<Substitutability>();
}
