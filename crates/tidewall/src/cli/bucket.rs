//! What a restore and its drill say about files of evidence in the bucket.

use std::collections::HashSet;

use app::{
    backup::{BucketCheck, BucketDepth, Contents, Watch, check_bucket},
    clock::Clock,
};
use serde_json::{Value, json};
use store::sql::{Location, backup::in_bucket};

use super::CliError;
use crate::{bucket, config::Settings};

/// How many names of objects are printed.
const SHOWN: usize = 20;

/// Compares the files that a backup lists with the bucket. `None` if it lists none.
pub(super) fn compare(
    settings: &Settings,
    contents: &Contents,
    depth: BucketDepth,
    watch: &mut Watch<'_>,
) -> Result<Option<BucketCheck>, CliError> {
    if contents.in_bucket.is_empty() {
        return Ok(None);
    }
    let unset =
        || CliError::Failed("the backup lists files in a bucket, but evidence.s3.endpoint is not set".into());
    let bucket = bucket::open(settings)?.ok_or_else(unset)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let clock = Clock::system();
    let check = check_bucket(&bucket, &contents.in_bucket, depth, &clock, watch);
    Ok(Some(runtime.block_on(check)?))
}

/// Without the missing files that the store in use no longer has: they were deleted after the backup.
pub(super) fn without_deleted(check: BucketCheck, location: &Location) -> Result<BucketCheck, CliError> {
    if check.missing.is_empty() {
        return Ok(check);
    }
    let kept: HashSet<String> = in_bucket(location)?.into_iter().map(|file| file.object).collect();
    let missing = check.missing.into_iter().filter(|object| kept.contains(object)).collect();
    Ok(BucketCheck { missing, ..check })
}

/// For scripts; `null` if there are no such files.
pub(super) fn described(compared: &Result<Option<BucketCheck>, CliError>) -> Value {
    match compared {
        Ok(None) => Value::Null,
        Ok(Some(check)) => json!({
            "files": check.files,
            "bytes": check.bytes,
            "missing": check.missing,
            "altered": check.altered,
        }),
        Err(error) => json!({ "error": error.to_string() }),
    }
}

/// For people; `None` if there are no such files.
pub(super) fn compared_text(compared: &Result<Option<BucketCheck>, CliError>) -> Option<String> {
    let check = match compared {
        Ok(None) => return None,
        Err(error) => {
            return Some(format!("Not checked: whether the files of evidence are in the bucket ({error})."));
        }
        Ok(Some(check)) => check,
    };
    let count = format!("{} file(s) of evidence ({} bytes) in the bucket", check.files, check.bytes);
    if check.is_whole() {
        return Some(format!("{count}: all there"));
    }
    let list = |names: &[String]| {
        let more = if names.len() > SHOWN { ", …" } else { "" };
        format!("{}{more}", names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "))
    };
    let mut lines = vec![format!("{count}:")];
    for (what, names) in [("missing", &check.missing), ("altered", &check.altered)] {
        if !names.is_empty() {
            lines.push(format!("  {} {what}: {}", names.len(), list(names)));
        }
    }
    Some(lines.join("\n"))
}
