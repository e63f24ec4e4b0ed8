//! The first page of the day: what it says of an empty tenant, and of one that has begun.

use domain::user::Role;

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
    browser.get("/workspace").await.lacks("Running CRA reporting clocks");
    let aware_at = house.test.clock.now().plus_seconds(-3600).to_string();
    let fields = [
        ("kind", "exploited_vulnerability"),
        ("aware_at", &aware_at[.."2026-01-31T12:00".len()]),
        ("title", "Token leak in the gateway"),
        ("product.name", "Vault gateway"),
        ("severity", "critical"),
        ("member_states", "DE"),
    ];
    let report = create(&mut browser, "/workspace/cra-reports", &fields).await;
    let page = browser.get("/workspace").await.shows("Running CRA reporting clocks").shows("23 h 0 min left");
    page.shows(&format!("href=\"{report}\"")).shows("Early warning");
}
