mod filed;
mod reports;
