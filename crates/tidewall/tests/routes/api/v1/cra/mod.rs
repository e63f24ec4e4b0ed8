mod filed;
mod reports;
mod versions;
