mod acceptance;
mod changes;
mod create;
mod import;
mod list;
mod sources;
mod together;
mod versions;
