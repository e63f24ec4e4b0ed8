mod errors;
mod modules;
mod records;
mod reference;
mod stats;
mod subscriptions;
mod v1;
mod v2;
