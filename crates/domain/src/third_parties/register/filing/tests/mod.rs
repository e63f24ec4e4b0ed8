mod growth;
mod mistakes;
pub(in crate::third_parties::register) mod sample;
