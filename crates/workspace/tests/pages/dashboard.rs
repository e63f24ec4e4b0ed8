//! The start page of an empty tenant, and of one with records.

use app::upload::Upload;
use domain::{time_zone::TimeZone, user::Role, wording::Language};

use crate::{
    House,
    records::create,
    third_parties::{REGISTER, import},
};

/// No figure about the institution, and the first steps by role.
#[tokio::test]
async fn an_empty_tenant_sees_no_percentage_but_three_things_to_do() {
    let house = House::new().await;
    for (role, offered, withheld) in [
        (Role::Viewer, "See which regulatory dates lie ahead", "Plan the first test programme"),
        (Role::Contributor, "Plan the first test programme", "Fill the register of ICT arrangements"),
        (Role::Manager, "Fill the register of ICT arrangements", "Invite your colleagues"),
        (Role::Administrator, "Fill the register of ICT arrangements", "Give your programs a key"),
    ] {
        let page = house.signed_in(role).await.get("/workspace").await.expect(200);
        let steps = page.between("<h2>First steps</h2>", "</section>").to_owned();
        assert_eq!(steps.matches("<li>").count(), 3, "{role}: {steps}");
        assert!(steps.contains(offered) && !steps.contains(withheld), "{role}: {steps}");
        let main = page.between("<main", "</main>");
        for untrue in [" %", "\u{a0}%", "\u{202f}%", "gauge", "class=\"stats\"", "matrix", "Covered"] {
            assert!(!main.contains(untrue), "{role} sees {untrue:?}: {main}");
        }
        let page = page.lacks("data-widget=\"widget-compliance-score\"").lacks("Webhooks in trouble");
        page.lacks("data-widget=\"widget-alerts\"");
    }
}

/// Content of the catalogue alone is in the library, and the clocks of the CRA are among all statutory clocks.
const ELSEWHERE: [&str; 3] = ["widget-compliance-status", "widget-risk-matrix", "widget-cra-clocks"];
const OF_THE_SERVICE: [&str; 2] = ["widget-vulnerabilities", "widget-service-performance"];

/// A tenant that has something for every widget.
async fn filled(house: &House) {
    let mut browser = house.signed_in(Role::Manager).await;
    let programme = create(
        &mut browser,
        "/workspace/programmes",
        &[("name", "Payments"), ("framework", "dora"), ("functions", "Payments")],
    )
    .await;
    let id = programme.rsplit('/').next().unwrap().to_owned();
    let test = [
        ("programme_id", id.as_str()),
        ("title", "Restore"),
        ("test_type", "scenario_based_test"),
        ("priority", "high"),
    ];
    create(&mut browser, "/workspace/test-cases", &test).await;
    create(&mut browser, "/workspace/findings", &[("title", "Backups"), ("severity", "low")]).await;
    import(&mut browser, REGISTER).await;
    browser.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await.expect(303);
    let aware_at = house.test.clock.now().plus_seconds(-3600).to_string();
    let report = [
        ("kind", "exploited_vulnerability"),
        ("aware_at", &aware_at[.."2026-01-31T12:00".len()]),
        ("title", "Token leak"),
        ("product.name", "Vault gateway"),
        ("severity", "critical"),
        ("member_states", "DE"),
    ];
    create(&mut browser, "/workspace/cra-reports", &report).await;
}

/// Each widget based on own records, under its title in the catalogue, for its roles.
#[tokio::test]
async fn widgets_are_drawn_from_own_records_and_by_role() {
    let house = House::new().await;
    filled(&house).await;
    let edition = house.test.app.catalogue().unwrap();
    assert!(edition.widgets.iter().count() >= 14);
    let mut administrator = house.signed_in(Role::Administrator).await;
    let mut german = administrator.with("accept-language", "de");
    let (page, words) =
        (administrator.get("/workspace?widgets=all").await, german.get("/workspace?widgets=all").await);
    let drawn = |page: &crate::browser::Page, id: &str| page.body.contains(&format!("data-widget=\"{id}\""));
    for widget in &edition.widgets {
        if ELSEWHERE.contains(&&*widget.id) {
            assert!(!drawn(&page, &widget.id), "{}", widget.id);
            continue;
        }
        for (page, language) in [(&page, Language::English), (&words, Language::German)] {
            let part = page.between(&format!("data-widget=\"{}\"", widget.id), "</section>");
            assert!(part.contains(&format!("<h2>{}</h2>", widget.title.get(language))), "{part}");
            let content = part.split("</h2>").nth(1).unwrap_or_default();
            assert!(content.len() > 20, "{} has nothing to say", widget.id);
        }
    }
    let mut manager = house.browser().signed_in("manager@north.example", crate::PASSWORD).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    let (usual, all) = (viewer.get("/workspace").await, viewer.get("/workspace?widgets=all").await);
    assert!(!drawn(&usual, "widget-alerts") && drawn(&all, "widget-alerts"), "alerts are not for a viewer");
    for page in [&manager.get("/workspace?widgets=all").await, &all] {
        assert!(OF_THE_SERVICE.iter().all(|id| !drawn(page, id)), "only for administrators");
    }
}

#[tokio::test]
async fn the_score_is_the_one_the_api_answers() {
    let house = House::new().await;
    filled(&house).await;
    let mut browser = house.browser().signed_in("manager@north.example", crate::PASSWORD).await;
    let page = browser.get("/workspace?widgets=all").await;
    let part = page.between("data-widget=\"widget-compliance-score\"", "</section>").to_owned();
    let (_, scores) = house.test.app.compliance.framework_scores(&house.north.caller).await.unwrap();
    let dora = scores.iter().find(|score| score.framework.as_str() == "dora").unwrap();
    assert!(part.contains(&format!("DORA: {} of 100", dora.score.value)), "{part}");
    assert!(part.contains("0 of 1"), "no test passed yet: {part}");
    let before = part.split("<details").next().unwrap_or_default();
    assert!(before.contains("Nothing is assessed yet."), "what is met comes first: {before}");
    assert!(!before.contains("of 100"), "the score is a detail: {before}");
    let met = "/workspace/assessments/dora/dora-art-05-02-a";
    browser.submit(met, met, &[("status", "met"), ("rationale", "Done")]).await.expect(303);
    let page = browser.get("/workspace?widgets=all").await;
    let part = page.between("data-widget=\"widget-compliance-score\"", "</section>").to_owned();
    let first = part.split("<details").next().unwrap_or_default();
    assert!(first.contains("<strong>1 of ") && first.contains(" met, 0 approved"), "{first}");
    let others = part
        .split("No score, because nothing has been assessed and no test planned: ")
        .nth(1)
        .unwrap_or_default();
    assert!(others.starts_with("MaRisk, ") && !others.contains("DORA"), "{others}");
}

#[tokio::test]
async fn what_is_late_stands_apart_from_what_comes_next() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    for (title, due_on) in [("Late one", "2026-11-20"), ("Next one", "2026-12-24")] {
        let fields = [("title", title), ("severity", "low"), ("due_on", due_on), ("owner", "Mark Sommer")];
        create(&mut browser, "/workspace/findings", &fields).await;
    }
    house.pass(10 * 24 * 60 * 60);
    let mut browser = house.browser().signed_in("contributor@north.example", crate::PASSWORD).await;
    let page = browser.get("/workspace?widgets=all").await;
    let deadlines = page.between("<h2>Deadlines</h2>", "</section>").to_owned();
    let (late, next) = deadlines.split_once("<h3>Next</h3>").unwrap();
    assert!(late.contains("<h3>Overdue</h3>") && late.contains("Late one"), "{late}");
    assert!(next.contains("Next one") && !next.contains("Late one"), "{next}");
    let alerts = page.between("data-widget=\"widget-alerts\"", "</section>");
    assert!(alerts.contains("owner: Mark Sommer") && !alerts.contains("CISO"), "{alerts}");
}

#[tokio::test]
async fn more_alerts_than_are_shown_are_a_link_away() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    for number in 0..5 {
        let title = format!("Late {number}");
        let fields = [("title", title.as_str()), ("severity", "high"), ("due_on", "2026-11-20")];
        create(&mut browser, "/workspace/findings", &fields).await;
    }
    house.pass(10 * 24 * 60 * 60);
    let mut browser = house.browser().signed_in("manager@north.example", crate::PASSWORD).await;
    import(&mut browser, REGISTER).await;
    browser.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await.expect(303);
    let shown = |page: &crate::browser::Page| {
        let part = page.between("data-widget=\"widget-alerts\"", "</section>").to_owned();
        (part.matches("<li>").count(), part)
    };
    let (few, part) = shown(&browser.get("/workspace").await);
    assert_eq!(few, 3, "{part}");
    assert!(part.contains("href=\"/workspace?alerts=all#alerts\""), "{part}");
    let (all, part) = shown(&browser.get("/workspace?alerts=all").await);
    assert!(all > 5 && !part.contains("alerts=all"), "{part}");
}

#[tokio::test]
async fn what_needs_a_decision_comes_first_and_leads_there() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get("/workspace").await.lacks("is overdue").lacks("above the limit");
    let late = [("title", "Backups are never restored"), ("severity", "critical"), ("due_on", "2026-11-20")];
    let finding = create(&mut browser, "/workspace/findings", &late).await;
    house.pass(10 * 24 * 60 * 60);
    let mut browser = house.browser().signed_in("manager@north.example", crate::PASSWORD).await;
    import(&mut browser, REGISTER).await;
    browser.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await.expect(303);
    let page = browser.get("/workspace?widgets=all").await;
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
    let responsible = |alert: &str| {
        alert.split("responsible: ").nth(1).unwrap().split(['<', '"']).next().unwrap().to_owned()
    };
    let of = |words: &str| responsible(alerts.rsplit(words).next().unwrap());
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
    let page = browser.get("/workspace?widgets=all").await;
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
    let page = browser.get("/workspace?widgets=all").await;
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
    let page = browser.get("/workspace?widgets=all").await.shows("Concentration risk").shows("Breaches:");
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
async fn the_age_of_the_oldest_critical_vulnerability_is_reported() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    create(&mut browser, "/workspace/findings", &[("title", "Something"), ("severity", "low")]).await;
    let mut widget = async || {
        let page = browser.get("/workspace?widgets=all").await.expect(200);
        page.between("data-widget=\"widget-vulnerabilities\"", "</section>").to_owned()
    };
    let app = &house.test.app;
    for (day, critical) in [
        ("2026-10-05", vec!["CVE-1"]),
        ("2026-10-20", vec!["CVE-1", "CVE-2"]),
        ("2026-11-01", vec!["CVE-2", "CVE-3"]),
    ] {
        app.operations.import_scan(report(day, &critical)).await.unwrap();
    }
    let output = widget().await;
    assert!(
        output.contains("The oldest critical one has been known for 25 days, since 20 Oct 2026:"),
        "{output}"
    );
    assert!(output.contains("<strong>libxml 2.9</strong>, <code>CVE-2</code>"), "{output}");
    app.operations.import_scan(report("2026-11-14", &["CVE-4"])).await.unwrap();
    let output = widget().await;
    assert!(output.contains("The oldest critical one was found on 14 Nov 2026:"), "{output}");
}

#[tokio::test]
async fn a_german_reader_gets_german_widgets() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    browser.get("/workspace").await.shows("Erste Schritte").shows("Anstehende regulatorische Termine");
    filled(&house).await;
    let page = browser
        .get("/workspace?widgets=all")
        .await
        .shows("<h2>Fristen</h2>")
        .shows("Kritische Feststellungen");
    page.shows("Compliance-Kennzahl je Rahmenwerk").shows("Verletzte Schwellen");
}

/// The four-hour notification of a major incident: hours left, the owner, and nothing before it on the page.
#[tokio::test]
async fn statutory_clocks_come_first_with_their_hours_and_their_owner() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let fields = [("title", "Card payments down"), ("owner", "Mia Manager"), ("regimes", "dora")];
    let incident = create(&mut browser, "/workspace/incidents", &fields).await;
    let facts = [("facts.malicious_access", "yes"), ("facts.client_interests_affected", "yes")];
    browser.submit(&incident, &format!("{incident}/facts"), &facts).await.expect(303);
    browser.submit(&incident, &format!("{incident}/classify"), &[]).await.expect(303);
    let page = browser.get("/workspace").await;
    let clocks = page.between("data-widget=\"widget-statutory-clocks\"", "</section>").to_owned();
    assert!(clocks.contains("DORA: Initial notification") && clocks.contains("4 hrs left"), "{clocks}");
    assert!(clocks.contains("owner: Mia Manager"), "{clocks}");
    assert!(clocks.contains("critical") && clocks.contains("Less than a day"), "{clocks}");
    assert!(
        clocks.contains("DORA: Information of clients") && clocks.contains("Without undue delay"),
        "{clocks}"
    );
    let main = page.between("<main", "</main>");
    let place = |text: &str| main.find(text).unwrap();
    assert!(place("widget-statutory-clocks") < place("class=\"stats\""), "first on the page");
    assert!(place("widget-statutory-clocks") < place("widget-alerts"), "before everything else");
    let alerts = page.between("data-widget=\"widget-alerts\"", "</section>");
    assert!(alerts.contains("owner: Mia Manager") && !alerts.contains("CISO"), "{alerts}");
    let deadlines = page.between("<h2>Deadlines</h2>", "</section>");
    assert!(!deadlines.contains("Card payments down"), "said once: {deadlines}");
    house.pass(5 * 60 * 60);
    let mut browser = house.browser().signed_in("manager@north.example", crate::PASSWORD).await;
    let mut german = browser.with("accept-language", "de");
    let page = browser.get("/workspace").await;
    let clocks = page.between("data-widget=\"widget-statutory-clocks\"", "</section>");
    assert!(clocks.contains("Overdue") && clocks.contains("1 hr late"), "{clocks}");
    german.get("/workspace").await.shows("Gesetzliche Fristen").shows("DORA: Unterrichtung der Kunden");
}

#[tokio::test]
async fn running_clocks_of_cra_reports_are_shown() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get("/workspace?widgets=all").await.lacks("widget-statutory-clocks");
    let aware_at = TimeZone::default().field(house.test.clock.now().plus_seconds(-3600));
    let fields = [
        ("kind", "exploited_vulnerability"),
        ("aware_at", &aware_at),
        ("title", "Token leak in the gateway"),
        ("product.name", "Vault gateway"),
        ("severity", "critical"),
        ("member_states", "DE"),
        ("owner", "Dana Weber"),
    ];
    let report = create(&mut browser, "/workspace/cra-reports", &fields).await;
    let page = browser.get("/workspace").await;
    let clocks = page.between("data-widget=\"widget-statutory-clocks\"", "</section>");
    assert!(clocks.contains("CRA: Early warning") && clocks.contains("23 hrs left"), "{clocks}");
    assert!(clocks.contains("Token leak in the gateway · owner: Dana Weber"), "{clocks}");
    assert!(
        clocks.contains(&format!("href=\"{report}\"")) && clocks.contains("CRA: Notification"),
        "{clocks}"
    );
}
