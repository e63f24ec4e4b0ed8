//! Files of evidence in a bucket of `moto`, which keeps versions and enforces object lock.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

use app::evidence::{EvidenceRules, Pruned, Storage};
use outbound::bucket::{BucketSettings, Lock, LockMode};
use testkit::{Engine, TestApp, TestOptions};

use super::evidence::{at, bytes, ranged, upload};

const OLD: [(&str, &str); 2] = [("collected_on", "2020-01-01"), ("keep_until", "2021-01-01")];

/// A running `moto_server`, which is stopped with the test.
struct Moto {
    child: Child,
    origin: String,
    client: reqwest::Client,
}

impl Moto {
    async fn start() -> Self {
        let program = std::env::var("TIDEWALL_TEST_MOTO").expect(
            "this test needs moto: run scripts/test or scripts/services, or set TIDEWALL_TEST_MOTO to the path of \
             moto_server (pip install 'moto[server]')",
        );
        // The client's TLS is not used here but needs its provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let child = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &address.port().to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let moto = Self { child, origin: format!("http://{address}"), client };
        for _ in 0..1200 {
            if moto.client.get(format!("{}/moto-api/", moto.origin)).send().await.is_ok() {
                return moto;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("moto does not start");
    }

    /// Creates a bucket; one with object lock keeps versions.
    async fn create(&self, bucket: &str, lock: bool) {
        let request = self.client.put(format!("{}/{bucket}", self.origin));
        let request = request.header("x-amz-bucket-object-lock-enabled", lock.to_string());
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    }

    fn bucket(&self, name: &str, lock: Option<Lock>) -> BucketSettings {
        BucketSettings {
            endpoint: self.origin.parse().unwrap(),
            name: name.into(),
            region: "us-east-1".into(),
            prefix: String::new(),
            path_style: true,
            access_key: "test".into(),
            secret_key: "test".into(),
            lock,
            timeout: Duration::from_secs(20),
        }
    }

    /// How many versions and marks of deleted objects the bucket has.
    async fn versions(&self, bucket: &str) -> (usize, usize) {
        let listed = self.client.get(format!("{}/{bucket}?versions", self.origin)).send().await.unwrap();
        let text = listed.text().await.unwrap();
        (text.matches("<Version>").count(), text.matches("<DeleteMarker>").count())
    }

    async fn app(&self, bucket: &str, lock: Option<Lock>) -> TestApp {
        let evidence = EvidenceRules { storage: Storage::Bucket, ..EvidenceRules::default() };
        let bucket = Some(self.bucket(bucket, lock));
        TestApp::with(Engine::Sqlite, TestOptions { evidence, bucket, ..TestOptions::default() }).await
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_file_is_stored_read_and_removed_with_every_version() {
    let moto = Moto::start().await;
    for (bucket, versioned) in [("plain", false), ("versioned", true)] {
        moto.create(bucket, versioned).await;
        let app = moto.app(bucket, None).await;
        let owner = app.owner("north").await;
        let sent = bytes(700_000);
        let evidence = upload(&owner, &OLD, "report.pdf", &sent).await.expect(201).data();
        let content = format!("{}/content", at(&evidence));
        assert!(owner.get(&content).await.expect(200).body == sent, "{bucket}: the bytes differ");
        let part = ranged(&owner, &content, "bytes=300000-399999").await.expect(206);
        assert!(part.body == sent[300_000..400_000], "{bucket}: the bytes differ");
        assert_eq!(moto.versions(bucket).await, (1, 0));
        owner.delete(&at(&evidence)).await.expect(204);
        assert_eq!(
            app.app.compliance.prune_uploads().await.unwrap(),
            Pruned { objects: 1, ..Pruned::default() }
        );
        assert_eq!(moto.versions(bucket).await, (0, 0), "{bucket}: nothing is left, not even hidden");
    }
}

#[tokio::test]
async fn a_locked_object_outlives_its_evidence_and_is_tried_again() {
    let moto = Moto::start().await;
    moto.create("locked", true).await;
    let lock = Lock { mode: LockMode::Compliance, days: 3650 };
    let app = moto.app("locked", Some(lock)).await;
    let owner = app.owner("north").await;
    let evidence = upload(&owner, &OLD, "report.pdf", &bytes(1000)).await.expect(201).data();
    owner.delete(&at(&evidence)).await.expect(204);
    for _ in 0..2 {
        let pruned = app.app.compliance.prune_uploads().await.unwrap();
        assert_eq!(pruned, Pruned { postponed: 1, ..Pruned::default() });
        assert_eq!(moto.versions("locked").await, (1, 0), "the lock holds, and no mark is left");
        app.clock.advance(24 * 60 * 60 * 1000 + 1);
    }
}

#[tokio::test]
async fn a_bucket_that_does_not_exist_is_said() {
    let moto = Moto::start().await;
    let app = moto.app("nowhere", None).await;
    let owner = app.owner("north").await;
    let refused = upload(&owner, &[], "a.txt", b"abc").await.expect(503);
    assert_eq!(refused.json()["code"], "storage_unavailable");
    let health = app.app.operations.health().await;
    let check = health.checks.iter().find(|check| check.name == "evidence_storage").unwrap();
    assert_ne!(check.status, domain::health::HealthStatus::Fine, "{check:?}");
}
