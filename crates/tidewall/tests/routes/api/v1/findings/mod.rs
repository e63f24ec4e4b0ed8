mod acceptance;
mod changes;
mod create;
mod list;
