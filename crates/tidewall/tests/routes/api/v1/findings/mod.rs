mod acceptance;
mod changes;
mod create;
mod import;
mod list;
mod together;
