mod errors;
mod operations;
mod v1;
