mod errors;
mod v1;
