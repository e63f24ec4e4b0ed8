//! The first page of the day: what it says of an empty tenant, and of one that has begun.

use app::upload::Upload;
use domain::{time_zone::TimeZone, user::Role, wording::Language};

use crate::{
    House,
    records::create,
    third_parties::{REGISTER, import},
};

#[tokio::test]
async fn an_empty_tenant_is_told_what_to_do_first() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = browser.get("/workspace").await.expect(200);
    let page = page.shows("First steps").shows("Fill the register of ICT arrangements");
    let page =
        page.shows("Nothing is open.").shows("Plan the first programme").shows("Fill the register first");
    page.shows("Next deadlines").shows("Compliance score by framework").lacks("Webhooks in trouble");
}

/// Each widget of the catalogue, with something in it or with words that say why there is nothing.
#[tokio::test]
async fn every_widget_of_the_catalogue_is_drawn() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut german = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    for turn in ["empty", "filled"] {
        let page = browser.get("/workspace").await.expect(200);
        let words = german.get("/workspace").await.expect(200);
        let edition = house.test.app.catalogue().unwrap();
        assert!(edition.widgets.iter().count() >= 14);
        for widget in &edition.widgets {
            let opening = format!("data-widget=\"{}\"", widget.id);
            let drawn = page.between(&opening, "</section>").to_owned();
            let heading = format!("<h2>{}</h2>", widget.title.get(Language::English));
            assert!(drawn.contains(&heading), "{turn} {}: {drawn}", widget.id);
            let content = drawn.split("</h2>").nth(1).unwrap_or_default();
            assert!(content.len() > 20, "{turn}: {} has nothing to say", widget.id);
            let drawn = words.between(&opening, "</section>");
            assert!(drawn.contains(&format!("<h2>{}</h2>", widget.title.get(Language::German))), "{drawn}");
        }
        import(&mut browser, REGISTER).await;
        browser
            .submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[])
            .await
            .expect(303);
    }
}

#[tokio::test]
async fn what_needs_a_decision_comes_first_and_leads_there() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser
        .get("/workspace")
        .await
        .lacks("is overdue")
        .lacks("above the limit")
        .shows("No test is planned yet.");
    let late = [("title", "Backups are never restored"), ("severity", "critical"), ("due_on", "2026-11-20")];
    let finding = create(&mut browser, "/workspace/findings", &late).await;
    house.pass(10 * 24 * 60 * 60);
    let mut browser = house.browser().signed_in("manager@north.example", crate::PASSWORD).await;
    import(&mut browser, REGISTER).await;
    browser.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await.expect(303);
    let page = browser.get("/workspace").await;
    let alerts = page.between("data-widget=\"widget-alerts\"", "</section>").to_owned();
    assert!(alerts.contains("is overdue: Backups are never restored"), "{alerts}");
    assert!(
        alerts.contains(&format!("href=\"{finding}\"")) && alerts.contains("since 21 Nov 2026"),
        "{alerts}"
    );
    assert!(alerts.contains("above the limit of 25 %"), "{alerts}");
    assert!(
        alerts.find("Backups").unwrap() < alerts.find("above the limit").unwrap(),
        "worst first: {alerts}"
    );
    let responsible =
        |alert: &str| alert.split("responsible: ").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let of = |words: &str| responsible(alerts.split(words).nth(1).unwrap());
    assert_eq!(
        (of("is overdue").as_str(), of("above the limit").as_str()),
        ("CISO", "Third-party management")
    );
    assert!(alerts.contains("All overdue findings: 1"), "{alerts}");
    let breaches = page.between("data-widget=\"widget-limit-breaches\"", "</section>");
    assert!(breaches.contains("75 %, limit 25 %"), "{breaches}");
    let groups = page.between("data-widget=\"widget-concentration\"", "</section>");
    assert!(
        groups.contains("<table") && groups.contains("chart-second"),
        "both shares, and a table: {groups}"
    );
}

#[tokio::test]
async fn tests_are_counted_by_type_and_functions_by_their_tests() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let fields =
        [("name", "Payments"), ("framework", "dora"), ("functions", "Instant payments\nCard processing")];
    let programme = create(&mut browser, "/workspace/programmes", &fields).await;
    let id = programme.rsplit('/').next().unwrap().to_owned();
    let fields = [
        ("programme_id", id.as_str()),
        ("title", "Restore"),
        ("test_type", "scenario_based_test"),
        ("priority", "high"),
    ];
    create(&mut browser, "/workspace/test-cases", &fields).await;
    let page = browser.get("/workspace").await;
    let types = page.between("data-widget=\"widget-test-types\"", "</section>").to_owned();
    let row = types.split("test_type=scenario_based_test").nth(1).unwrap_or_default();
    assert!(row.find(">0<").unwrap() < row.find(">1<").unwrap(), "none finished, one planned: {row}");
    assert!(types.contains("Nothing planned or finished: Vulnerability assessment"), "{types}");
    let coverage = page.between("data-widget=\"widget-test-coverage\"", "</section>");
    assert!(coverage.contains("0 of 2 functions passed a test"), "{coverage}");
    assert!(coverage.contains("Card processing, Instant payments"), "{coverage}");
}

#[tokio::test]
async fn findings_are_counted_by_severity_and_age() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    for (title, severity) in [("Old one", "critical"), ("Old too", "low")] {
        create(&mut browser, "/workspace/findings", &[("title", title), ("severity", severity)]).await;
    }
    house.pass(40 * 24 * 60 * 60);
    let mut browser = house.browser().signed_in("contributor@north.example", crate::PASSWORD).await;
    let fields = [("title", "Young one"), ("severity", "critical"), ("due_on", "2026-12-24")];
    create(&mut browser, "/workspace/findings", &fields).await;
    let page = browser.get("/workspace").await;
    let table = page.between("Open findings by age</caption>", "</table>").to_owned();
    let rows: Vec<_> = table.split("<tr").skip(2).map(|row| row.matches(">1<").count()).collect();
    assert_eq!(rows, [2, 1], "critical: one young, one older; low: one older: {table}");
    page.shows("Young one").shows("</svg>today</span>");
}

#[tokio::test]
async fn concentration_is_shown_against_its_thresholds() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    import(&mut browser, REGISTER).await;
    browser.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await.expect(303);
    let page = browser.get("/workspace").await.shows("Concentration risk").shows("Breaches:");
    page.shows("Provider: Nordlicht Cloud SE has 75 %, the threshold is 25 %").shows("Review, ");
}

/// A report as Trivy writes it, of one day, with these critical vulnerabilities.
fn report(day: &str, critical: &[&str]) -> Upload {
    let found = |id: &&str| {
        serde_json::json!({ "VulnerabilityID": id, "PkgName": "libxml", "InstalledVersion": "2.9",
            "Severity": "CRITICAL", "Title": "Reads too much" })
    };
    let report = serde_json::json!({
        "SchemaVersion": 2, "ArtifactName": "portal", "CreatedAt": format!("{day}T08:00:00Z"),
        "Results": [{ "Target": "portal", "Vulnerabilities": critical.iter().map(found).collect::<Vec<_>>() }],
    });
    Upload::bytes(report.to_string().into())
}

#[tokio::test]
async fn the_age_of_the_oldest_critical_vulnerability_is_told() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let mut widget = async || {
        let page = browser.get("/workspace").await.expect(200);
        page.between("data-widget=\"widget-vulnerabilities\"", "</section>").to_owned()
    };
    let app = &house.test.app;
    for (day, critical) in [
        ("2026-10-05", vec!["CVE-1"]),
        ("2026-10-20", vec!["CVE-1", "CVE-2"]),
        ("2026-11-01", vec!["CVE-2", "CVE-3"]),
    ] {
        app.import_scan(report(day, &critical)).await.unwrap();
    }
    let told = widget().await;
    assert!(
        told.contains("The oldest critical one has been known for 25 days, since 20 Oct 2026:"),
        "{told}"
    );
    assert!(told.contains("<strong>libxml 2.9</strong>, <code>CVE-2</code>"), "{told}");
    app.import_scan(report("2026-11-14", &["CVE-4"])).await.unwrap();
    let told = widget().await;
    assert!(told.contains("The oldest critical one was found on 14 Nov 2026:"), "{told}");
}

#[tokio::test]
async fn a_german_reader_gets_german_widgets() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    let page = browser.get("/workspace").await.shows("Nächste Fristen");
    page.shows("Erfüllungsgrad je Regelwerk").shows("Nichts ist offen.");
}

#[tokio::test]
async fn running_clocks_of_cra_reports_are_shown() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get("/workspace").await.shows("No clock is running.");
    let aware_at = TimeZone::default().field(house.test.clock.now().plus_seconds(-3600));
    let fields = [
        ("kind", "exploited_vulnerability"),
        ("aware_at", &aware_at),
        ("title", "Token leak in the gateway"),
        ("product.name", "Vault gateway"),
        ("severity", "critical"),
        ("member_states", "DE"),
    ];
    let report = create(&mut browser, "/workspace/cra-reports", &fields).await;
    let page = browser.get("/workspace").await.shows("Running CRA reporting clocks").shows("23 h 0 min left");
    page.shows(&format!("href=\"{report}\"")).shows("Early warning");
}
