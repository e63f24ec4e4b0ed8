mod contents;
mod filed;
mod provided;
pub(super) mod reports;
mod versions;
