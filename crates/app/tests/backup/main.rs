//! Backups and restores on both engines, under write load and with every kind of damaged file.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

extern crate tidewall_app as app;

mod damage;
mod evidence;
mod load;
mod replace;
mod tampered;

use std::{
    fs,
    path::{Path, PathBuf},
};

use app::{
    App,
    api_key::{KeyRequest, NewKey},
    authz::Caller,
    backup::{self, Accept, BackupReport, Place, RestoreReport, RestoreRequest, Secret},
};
use domain::{id::ApiKeyId, moment::Moment, page::PageRequest, permission::Permissions, text::Name};
use testkit::{Engine, START, Scratch, TestApp, TestOptions};

/// Runs each listed case on both engines.
macro_rules! on_both_engines {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(testkit::Engine::Sqlite).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case(testkit::Engine::Postgres).await;
            })*
        }
    };
}
pub(crate) use on_both_engines;

pub(crate) fn now() -> Moment {
    Moment::from_millis(START)
}

pub(crate) fn secret() -> Secret {
    Secret::new(b"correct horse battery staple\n".to_vec()).unwrap()
}

pub(crate) fn place(scratch: &Scratch) -> Place {
    let data_dir = scratch.dir.path().to_owned();
    Place { location: scratch.location.clone(), key_file: data_dir.join("secret.key"), data_dir, vault: None }
}

/// A store with a tenant, a key file, and a caller that may write.
pub(crate) async fn store(engine: Engine, slug: &str) -> (TestApp, Caller) {
    let test = TestApp::on(engine).await;
    let tenant = test.tenant(slug).await;
    fs::write(test.scratch.dir.path().join("secret.key"), [7; 32]).unwrap();
    (test, tenant.caller)
}

pub(crate) async fn write_one(app: &App, caller: &Caller) -> ApiKeyId {
    let request = KeyRequest::new(Name::parse("hammer").unwrap(), Permissions::READ_ONLY);
    let id = |new: &NewKey| new.record.id.to_string();
    app.people.create_key(caller, request, None, Box::new(id)).await.unwrap().body.parse().unwrap()
}

/// Off the runtime's threads, as in the product.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

pub(crate) async fn take(
    place: &Place,
    target: &Path,
    secret: Option<Secret>,
) -> backup::Result<BackupReport> {
    let (place, target) = (place.clone(), target.to_owned());
    blocking(move || backup::take(&place, &target, secret.as_ref(), now(), &mut |_, _, _| {})).await
}

pub(crate) async fn restore(
    place: &Place,
    file: &Path,
    secret: Option<Secret>,
    replace: bool,
) -> backup::Result<RestoreReport> {
    restore_accepting(place, file, secret, replace, Accept::default()).await
}

pub(crate) async fn restore_accepting(
    place: &Place,
    file: &Path,
    secret: Option<Secret>,
    replace: bool,
    accept: Accept,
) -> backup::Result<RestoreReport> {
    let (place, file) = (place.clone(), file.to_owned());
    blocking(move || {
        let request = RestoreRequest {
            place: &place,
            file: &file,
            secret: secret.as_ref(),
            accept,
            replace,
            now: now(),
        };
        backup::restore(&request, &mut |_, _, _| {})
    })
    .await
}

/// A service over a restored store; every chain must verify.
pub(crate) async fn reopened(scratch: Scratch) -> TestApp {
    let test = TestApp::over(scratch, TestOptions::default()).await;
    for chain in test.app.operations.audit_chains().await.unwrap() {
        test.app.operations.verify_audit(&chain, None).await.unwrap().outcome.unwrap();
    }
    test
}

pub(crate) async fn key_ids(app: &App, caller: &Caller) -> Vec<ApiKeyId> {
    let mut ids = Vec::new();
    loop {
        let request = PageRequest::new(Some(500), Some(ids.len() as u64)).unwrap();
        let page = app.people.list_keys(caller, request).await.unwrap();
        if page.items.is_empty() {
            return ids;
        }
        ids.extend(page.items.iter().map(|key| key.id));
    }
}

/// Temporary files of the product that should have been deleted.
pub(crate) fn leftovers(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let is_left = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.contains(".part") || name.starts_with("restore.")
    };
    entries.filter(is_left).collect()
}
