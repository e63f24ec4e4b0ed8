mod derived;
mod lists;
mod search;
