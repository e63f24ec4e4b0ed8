use serde_json::Value;
use testkit::TestApp;

const PATH: &str = "/api/v1/compliance-status";

#[tokio::test]
async fn each_framework_adds_up_from_its_sections() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for framework in ["dora", "marisk", "iso-27001", "cra", "nis2"] {
        let status = owner.get(&format!("{PATH}/{framework}")).await.expect(200).data();
        assert_eq!(status["framework"], framework);
        assert_eq!(status["as_of"], "2026-11-14");
        assert!(status["title"].is_string() && status["version"].is_string());
        let sum = |name: &str| -> u64 {
            status["sections"].as_array().unwrap().iter().map(|section| section[name].as_u64().unwrap()).sum()
        };
        for name in ["requirements", "covered", "partial", "gap"] {
            assert_eq!(status[name].as_u64().unwrap(), sum(name), "{framework} {name}");
        }
        assert_eq!(sum("requirements"), sum("covered") + sum("partial") + sum("gap"), "{framework}");
        let exact = 100.0 * status["covered"].as_f64().unwrap() / status["requirements"].as_f64().unwrap();
        assert!((status["coverage_pct"].as_f64().unwrap() - exact).abs() < 0.005, "{framework}");
    }
}

#[tokio::test]
async fn a_requirement_counts_as_its_measures_say() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let status = owner.get(&format!("{PATH}/dora")).await.expect(200).data();
    let requirements = app.anonymous().get("/api/requirements").await.expect(200).data();
    let measures = app.anonymous().get("/api/measures").await.expect(200).data();
    let with_evidence = |id: &Value| {
        let measure = measures.as_array().unwrap().iter().find(|measure| measure["id"] == *id).unwrap();
        !measure["evidence"].as_array().unwrap().is_empty()
    };
    let (mut covered, mut partial, mut gap) = (0, 0, 0);
    for requirement in requirements.as_array().unwrap().iter().filter(|r| r["framework"] == "dora") {
        let met_by = requirement["measures"].as_array().unwrap();
        let counter = if met_by.iter().any(with_evidence) {
            &mut covered
        } else if met_by.is_empty() {
            &mut gap
        } else {
            &mut partial
        };
        *counter += 1;
    }
    assert_eq!((status["covered"].as_u64(), status["partial"].as_u64()), (Some(covered), Some(partial)));
    assert_eq!(status["gap"].as_u64(), Some(gap));
}

#[tokio::test]
async fn across_frameworks_it_is_all_of_them_and_their_sum() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let all = owner.get(PATH).await.expect(200).data();
    let frameworks = all["frameworks"].as_array().unwrap();
    let names: Vec<_> = frameworks.iter().map(|framework| framework["framework"].as_str().unwrap()).collect();
    assert_eq!(names[..5], ["dora", "marisk", "iso-27001", "cra", "nis2"]);
    assert!(names.contains(&"nist-csf") && names.contains(&"bsi-c5"), "{names:?}");
    for name in ["requirements", "covered", "partial", "gap"] {
        let sum: u64 = frameworks.iter().map(|framework| framework[name].as_u64().unwrap()).sum();
        assert_eq!(all["overall"][name].as_u64(), Some(sum), "{name}");
    }
    let one = owner.get(&format!("{PATH}/marisk?lang=de")).await.expect(200);
    assert_eq!(one.header("content-language"), Some("de"));
    let german = owner.get(&format!("{PATH}?lang=de")).await.expect(200).data();
    assert_eq!(german["frameworks"][1], one.data());
    owner.get(&format!("{PATH}/sox")).await.expect(404);
}
