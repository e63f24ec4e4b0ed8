mod changes;
mod create;
mod list;
mod versions;
