//! The bucket for files of evidence: whether it can be reached, written to, read and cleaned.

use std::io;

use domain::moment::Moment;
use outbound::bucket::{BucketError, ProbeStep};

use super::Finding;
use crate::{bucket, config::Settings};

const CHECK: &str = "evidence.s3";

/// Stores, reads and removes a small object as the service does, with the same key and signature.
pub(super) fn check(settings: &Settings, now: Moment) -> Option<Finding> {
    let config = settings.bucket.as_ref()?;
    let place = format!("{} at {}", config.bucket, config.endpoint.origin().ascii_serialization());
    let bucket = match bucket::open(settings) {
        Ok(bucket) => bucket?,
        Err(error) => {
            return Some(Finding::fault(CHECK, error.to_string(), "correct the settings of [evidence.s3]"));
        }
    };
    let name = format!("doctor-{}-{}", now.millis(), std::process::id());
    let ask = || -> io::Result<Result<(), (ProbeStep, BucketError)>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(bucket.probe(&name, now)))
    };
    Some(match ask() {
        Ok(Ok(())) => Finding::ok(CHECK, format!("{place} can be written to, read and cleaned")),
        Ok(Err((step, error))) => failed(&place, step, &error),
        Err(error) => Finding::fault(CHECK, format!("{place} cannot be asked ({error})"), "try again"),
    })
}

fn failed(place: &str, step: ProbeStep, error: &BucketError) -> Finding {
    let (what, remedy) = match (step, error) {
        (_, BucketError::Away(_)) => (
            "does not answer",
            "start the server, or correct evidence.s3.endpoint; until then files of evidence can neither be stored \
             nor opened",
        ),
        (ProbeStep::Reach, _) => (
            "cannot be used",
            "create the bucket, or correct evidence.s3.bucket, region and the key; the key needs the right to list it",
        ),
        (ProbeStep::Lock, _) => (
            "does not lock objects",
            "create a bucket with object lock, or set evidence.s3.lock_mode to \"\"",
        ),
        (ProbeStep::Write, _) => ("cannot be written to", "give the key the right to put objects"),
        (ProbeStep::Read, _) => ("cannot be read", "give the key the right to get objects"),
        (ProbeStep::Remove, _) => (
            "cannot be cleaned",
            "give the key the right to delete objects and their versions; a bucket that locks every object by itself \
             keeps deleted files until its lock ends",
        ),
    };
    let detail = format!("{place} {what}: {error}");
    match (step, error) {
        (ProbeStep::Remove, BucketError::Refused { .. }) => Finding::warning(CHECK, detail, remedy),
        _ => Finding::fault(CHECK, detail, remedy),
    }
}
