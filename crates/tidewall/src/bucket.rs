//! The bucket for files of evidence, opened with the key of the settings.

use std::{fs, io};

use outbound::{
    bucket::{Bucket, BucketSettings},
    trust::Trust,
};

use crate::{
    compose::ComposeError,
    config::{SecretKey, Settings},
};

/// The bucket for files of evidence, if it is configured.
pub fn open(settings: &Settings) -> Result<Option<Bucket>, ComposeError> {
    let Some(config) = &settings.bucket else { return Ok(None) };
    let secret_key = match &config.secret_key {
        SecretKey::Text(text) => text.expose().to_owned(),
        SecretKey::File(path) => {
            let unusable = |error| ComposeError::SecretKey { path: path.clone(), error };
            let text = fs::read_to_string(path).map_err(unusable)?.trim().to_owned();
            let valid = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
            valid
                .then_some(text)
                .ok_or_else(|| unusable(io::Error::other("it is not one line with a key")))?
        }
    };
    let bucket = BucketSettings {
        endpoint: config.endpoint.clone(),
        name: config.bucket.clone(),
        region: config.region.clone(),
        prefix: config.prefix.clone(),
        path_style: config.path_style,
        access_key: config.access_key.expose().to_owned(),
        secret_key,
        lock: config.lock,
        timeout: config.timeout,
    };
    // The authorities of the machine are only loaded if they are needed.
    let trust = if config.endpoint.scheme() == "https" { Trust::system() } else { Trust::default() };
    Ok(Some(Bucket::new(bucket, trust)?))
}
