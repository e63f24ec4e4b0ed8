//! Settings in four layers, validated once at the start.
//!
//! The layers are the defaults file compiled into the binary, the operator's file, the environment and the flags.
//! Each value keeps the layer it came from, so that `tidewall config` can show it and an error can name the place to
//! change. A name that the defaults file does not contain is refused: a setting with a typing error must not be
//! silently ignored.
//!
//! Settings are not reloaded while running (only the TLS certificate is, by SIGHUP), and there is no global: code
//! that needs a setting gets it as an argument.

mod duration;
mod error;
mod layers;
mod reader;
mod secret;
mod settings;
mod show;
mod source;
mod suggest;
mod value;

pub(crate) use duration::parse as parse_duration;
pub use error::ConfigError;
pub use layers::Layers;
pub use secret::{HiddenText, SecretUrl};
pub use settings::{
    BackupSettings, BucketConfig, BundleSettings, DatabaseSettings, JobSettings, KeySettings, LimitSettings,
    LogFormat, LogSettings, OutboundSettings, RetentionSettings, Secret, SecretKey, SecuritySettings,
    ServerSettings, Settings, SmtpSettings, TelemetrySettings, TlsFiles, VaultSettings,
};
pub use show::ShownSetting;
pub use source::Source;

use reader::Reader;
use value::Values;

/// The defaults file: the first layer, and the documentation of every setting.
pub const DEFAULTS: &str = include_str!("../../../../config/default.toml");

/// Validated settings together with their sources.
#[derive(Debug)]
pub struct Configuration {
    pub settings: Settings,
    values: Values,
}

impl Configuration {
    /// Merges the layers and validates every value. Reads at most one file; call it before there is a runtime.
    pub fn load(layers: &Layers) -> Result<Self, ConfigError> {
        let values = layers.merge()?;
        let settings = Settings::read(&Reader::new(&values))?;
        Ok(Self { settings, values })
    }

    /// Every setting in the order of the defaults file, secrets masked.
    pub fn shown(&self) -> Vec<ShownSetting> {
        show::shown(&self.values)
    }
}

#[cfg(test)]
mod tests;
