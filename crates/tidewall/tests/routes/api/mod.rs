mod errors;
mod modules;
mod records;
mod reference;
mod stats;
mod v1;
mod v2;
