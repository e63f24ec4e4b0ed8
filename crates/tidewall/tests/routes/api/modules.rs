use serde_json::Value;
use testkit::TestApp;

use crate::routes::openapi::operations;

async fn modules() -> Vec<Value> {
    let app = TestApp::new().await;
    app.anonymous().get("/api/modules").await.expect(200).data().as_array().unwrap().clone()
}

#[tokio::test]
async fn every_operation_stands_in_one_module_and_is_served() {
    let modules = modules().await;
    let routes: Vec<&Value> =
        modules.iter().flat_map(|module| module["routes"].as_array().unwrap()).collect();
    for (method, path, operation) in operations() {
        let same = |route: &&&Value| route["method"] == method.as_str() && route["path"] == path.as_str();
        let found: Vec<_> = routes.iter().filter(same).collect();
        assert_eq!(found.len(), 1, "{method} {path}");
        assert_eq!(found[0]["served"], true, "{method} {path}");
        // Exactly the operations that are not in the contract are extensions.
        let marked = operation["x-extension"] == true;
        assert_eq!(found[0]["extension"], marked, "{method} {path}");
    }
    let served = routes.iter().filter(|route| route["served"] == true).count();
    assert_eq!(served, operations().len());
}

#[tokio::test]
async fn a_module_is_available_when_all_its_routes_are_served() {
    for module in modules().await {
        let all = module["routes"].as_array().unwrap().iter().all(|route| route["served"] == true);
        assert_eq!(module["available"], all, "{module}");
    }
}
