use serde_json::json;
use testkit::TestApp;

use crate::routes::openapi::operations;

#[tokio::test]
async fn every_number_is_counted() {
    let app = TestApp::new().await;
    let count =
        async |path: &str| app.anonymous().get(path).await.expect(200).json()["meta"]["count"].clone();
    let stats = app.anonymous().get("/api/stats").await.expect(200).json();
    let expected = json!({
        "modules": count("/api/modules").await,
        "measures": count("/api/measures").await,
        "evidence": count("/api/evidence").await,
        "radar_signals": count("/api/radar").await,
        "routes_count": operations().len(),
        "platform_version": env!("CARGO_PKG_VERSION"),
    });
    assert_eq!(stats, expected);
}
