//! The report to the management body, parsed as text: its figures, and that it says where there is nothing. The clock
//! is set to 15:00 in Berlin on Saturday, 14 November 2026.

use domain::user::Role;
use serde_json::json;

use crate::{
    House,
    reports::{cells, says},
};

const REPORT: &str = "/workspace/board-report.pdf";
const INCIDENTS: &str = "/api/v1/incidents";

/// One incident of the period before, one of this period that is major and open, and one that was none.
async fn filled(house: &House) {
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let opened = async |body: serde_json::Value| {
        let made = client.post(INCIDENTS, &body).await.expect(201).data();
        format!("{INCIDENTS}/{}", made["id"].as_str().unwrap())
    };
    opened(json!({
        "title": "Portal slow", "detected_at": "2026-08-20T10:00:00Z", "aware_at": "2026-08-20T10:00:00Z",
    }))
    .await;
    let none = opened(json!({ "title": "False alarm" })).await;
    client.patch(&none, &json!({ "status": "not_an_incident" })).await.expect(200);
    let major = opened(json!({
        "title": "Card payments down", "owner": "Dana Weber", "root_cause": "Expired certificate",
        "lessons": "Watch the dates of certificates",
        "facts": { "critical_services": true, "malicious_access": true,
            "costs": { "staff": 120_000, "communication": 5_000 } },
    }))
    .await;
    client.post(&format!("{major}/classify"), &json!({})).await.expect(200);
    let filed = json!({ "incomplete": true });
    client.post(&format!("{major}/reports/dora/initial/submitted"), &filed).await.expect(200);
}

#[tokio::test]
async fn the_report_compares_a_period_with_the_one_before() {
    let house = House::new().await;
    filled(&house).await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let output = cells(&mut browser, REPORT).await;
    says(
        &output,
        &["Report to the management body", "1 Oct 2026 – 14 Nov 2026", "17 Aug 2026 – 30 Sep 2026"],
    );
    says(&output, &["Incidents detected in this period: 1; in the period before: 1."]);
    says(&output, &["Major 1 0 +1", "Undetermined 0 1 -1", "Total 1 1 ±0"]);
    says(
        &output,
        &["I-2026-0003 Card payments down", "Dana Weber", "DORA, Intermediate report", "(Pending)"],
    );
    says(&output, &["Filed in time 1 0 +1", "Filed late 0 0 ±0"]);
    says(&output, &["Staff 1,200.00 EUR 0.00 EUR", "Total (EUR) 1,250.00 EUR 0.00 EUR"]);
    says(&output, &["Expired certificate", "Watch the dates of certificates"]);
    assert!(!output.contains("False alarm"), "{output}");

    // The period before as the period: the incident of today is still open, but not counted.
    let earlier = cells(&mut browser, &format!("{REPORT}?from=2026-08-01&until=2026-08-31")).await;
    says(&earlier, &["Incidents detected in this period: 1; in the period before: 0."]);
    says(&earlier, &["Undetermined 1 0 +1", "Major 0 0 ±0", "I-2026-0003 Card payments down"]);
    says(&earlier, &["No costs are recorded", "No root cause and no lesson is recorded"]);
    let mut german = browser.with("accept-language", "de");
    says(
        &cells(&mut german, REPORT).await,
        &["Bericht an das Leitungsorgan", "Offene schwerwiegende Vorfälle"],
    );
}

#[tokio::test]
async fn an_empty_period_says_so_and_a_wrong_one_is_refused() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let output = cells(&mut browser, REPORT).await;
    says(&output, &["No incident was detected in this period.", "No major incident is open."]);
    assert!(!output.contains("By classification"), "{output}");
    browser.get("/workspace/incidents/statistics").await.shows("value=\"2026-10-01\"").shows(REPORT);
    for (query, said) in [
        ("from=2026-12-01&until=2026-11-01", "must not be before"),
        ("from=2026-02-30&until=2026-03-01", "From"),
    ] {
        browser.get(&format!("{REPORT}?{query}")).await.expect(422).shows(said);
    }
}

/// Days are those of the institution: half past midnight in Berlin belongs to the day that has begun there.
#[tokio::test]
async fn days_are_those_of_the_institution() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let at = "2026-09-30T22:30:00Z";
    let body = json!({ "title": "Night shift", "detected_at": at, "aware_at": at });
    client.post(INCIDENTS, &body).await.expect(201);
    let mut browser = house.signed_in(Role::Viewer).await;
    says(&cells(&mut browser, &format!("{REPORT}?from=2026-10-01&until=2026-10-01")).await, &["period: 1;"]);
    let before = cells(&mut browser, &format!("{REPORT}?from=2026-09-30&until=2026-09-30")).await;
    says(&before, &["No incident was detected in this period."]);
}
