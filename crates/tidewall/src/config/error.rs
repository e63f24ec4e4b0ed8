//! Errors of the configuration: one sentence that names the setting, where it was set and the remedy.

use std::{io, path::PathBuf};

use super::Source;

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{name} ({place}) is not a setting of Tidewall; {remedy}")]
    Unknown { name: String, place: String, remedy: String },

    #[error("{setting} ({place}) {problem}; {remedy}")]
    Bad { setting: &'static str, place: Source, problem: String, remedy: String },

    #[error("the configuration file {} cannot be read ({error}); name an existing file with --config", path.display())]
    Unreadable { path: PathBuf, error: io::Error },

    #[error("the configuration file {} is not valid TOML in line {line} ({message}); correct that line", path.display())]
    NotToml { path: PathBuf, line: usize, message: String },

    #[error("{name} (environment) is not valid UTF-8; set it to plain text or unset it")]
    NotText { name: String },
}
