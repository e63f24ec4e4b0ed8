mod contents;
mod filed;
mod provided;
mod reports;
mod versions;
