mod changes;
mod create;
mod list;
