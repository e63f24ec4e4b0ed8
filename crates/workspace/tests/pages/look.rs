//! How pages are built: the menu, the way back, heads of lists, filters, empty lists, forms and tabs.

use domain::user::Role;
use serde_json::json;

use crate::{
    House,
    browser::{Browser, Page},
    records::create,
};

/// The menu without what its closed groups contain.
fn standing_open(page: &Page) -> String {
    let menu = page.between("<nav class=\"side\"", "</nav>").to_owned();
    let mut parts = menu.split("<details class=\"menu-fold\">");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |shown, part| shown + part.split_once("</details>").unwrap().1)
}

#[tokio::test]
async fn no_role_sees_more_than_twenty_entries_of_the_menu() {
    let house = House::new().await;
    for role in Role::ALL {
        let page = house.signed_in(*role).await.get("/workspace").await.expect(200);
        let shown = standing_open(&page).matches("<a href=\"/workspace").count();
        assert!((15..=20).contains(&shown), "{role} sees {shown}");
        let groups = page.between("<nav class=\"side\"", "</nav>");
        for group in ["Resilience", "Compliance", "Third parties", "Library"] {
            assert!(groups.contains(&format!(">{group}<")), "{role}: {group}");
        }
    }
}

#[tokio::test]
async fn a_closed_group_opens_on_its_own_pages() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    browser.get("/workspace/findings").await.lacks("<details class=\"menu-fold\" open>");
    let radar = browser.get("/workspace/radar").await;
    let library = radar.between("<details class=\"menu-fold\" open>", "</details>");
    assert!(library.contains("Library") && library.contains("aria-current=\"page\""), "{library}");
    let settings = browser.get("/workspace/settings").await;
    let group = settings.between("<details class=\"menu-fold\" open>", "</details>");
    assert!(group.contains("Administration") && !group.contains("Library"), "{group}");
}

#[tokio::test]
async fn the_inbox_says_in_the_menu_how_much_waits() {
    let house = House::new().await;
    house.add(&house.north, "ben@north.example", Role::Contributor).await;
    let mut ben = house.browser().signed_in("ben@north.example", crate::PASSWORD).await;
    ben.get("/workspace").await.lacks("menu-count");
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    let finding = json!({ "title": "Console open", "severity": "high", "owner": "ben@north.example" });
    key.post("/api/v1/findings", &finding).await.expect(201);
    let page = ben.get("/workspace").await;
    let menu = page.between("<nav class=\"side\"", "</nav>");
    assert!(menu.contains("class=\"menu-count\" aria-hidden=\"true\">1<"), "{menu}");
    assert!(menu.contains("(1 waiting)"), "{menu}");
}

#[tokio::test]
async fn a_record_says_where_it_is_in_the_menu() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Backups"), ("severity", "low")]).await;
    let page = browser.get(&finding).await;
    let trail = page.between("<nav class=\"trail\"", "</nav>");
    let places = ["<li>Resilience</li>", ">Findings</a>", "<li aria-current=\"page\">Backups</li>"];
    let at: Vec<_> =
        places.iter().map(|place| trail.find(place).unwrap_or_else(|| panic!("{trail}"))).collect();
    assert!(at.is_sorted(), "{trail}");
}

/// Every list of own records, and whether a manager enters records there.
const LISTS: [(&str, bool); 13] = [
    ("/workspace/programmes", true),
    ("/workspace/findings", true),
    ("/workspace/incidents", true),
    ("/workspace/drill-runs", true),
    ("/workspace/cra-reports", true),
    ("/workspace/controls", true),
    ("/workspace/risks", true),
    ("/workspace/evidence", true),
    ("/workspace/functions", true),
    ("/workspace/own-frameworks", true),
    ("/workspace/ict-arrangements", true),
    ("/workspace/test-cases", false),
    ("/workspace/providers", false),
];

#[tokio::test]
async fn an_empty_list_has_no_filters_and_says_how_to_begin() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    for (list, enters) in LISTS {
        let page = manager
            .get(list)
            .await
            .expect(200)
            .lacks("<form class=\"filters\"")
            .lacks("<details class=\"menu\"");
        let empty = page.between("<div class=\"empty\">", "</main>").to_owned();
        assert_eq!(empty.contains(&format!("href=\"{list}/new\"")), enters, "{list}: {empty}");
        let page = viewer.get(list).await.expect(200);
        assert!(!page.body.contains(&format!("href=\"{list}/new\"")), "{list}");
        // A search without a match is no empty list.
        manager.get(&format!("{list}?search=nothing-like-this")).await.shows("<form class=\"filters\"");
    }
}

#[tokio::test]
async fn a_list_of_closed_or_archived_records_keeps_its_filters() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Backups"), ("severity", "low")]).await;
    let wrong = [("status", "false_positive"), ("note", "The scanner was wrong")];
    browser.submit(&finding, &format!("{finding}/move"), &wrong).await.expect(303);
    let page = browser.get("/workspace/findings").await.shows("No finding is open");
    page.shows("<form class=\"filters\"").shows("name=\"status\"");
}

async fn filled(browser: &mut Browser) {
    for (list, fields) in [
        ("/workspace/programmes", &[("name", "Payments"), ("framework", "dora")][..]),
        ("/workspace/findings", &[("title", "Backups"), ("severity", "low"), ("owner", "Ada")]),
        ("/workspace/incidents", &[("title", "Cards down"), ("regimes", "dora")]),
        ("/workspace/controls", &[("title", "Restore yearly"), ("status", "planned"), ("cadence", "yearly")]),
        ("/workspace/functions", &[("name", "Payments")]),
    ] {
        create(browser, list, fields).await;
    }
}

#[tokio::test]
async fn the_head_of_a_list_has_one_main_action_and_one_export_menu() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    filled(&mut browser).await;
    for list in ["programmes", "findings", "incidents", "controls", "functions"] {
        let list = format!("/workspace/{list}");
        let page = browser.get(&list).await.expect(200);
        let head = page.between("<div class=\"page-action\">", "</div>").to_owned();
        assert_eq!(head.matches("class=\"button primary\"").count(), 1, "{list}: {head}");
        assert_eq!(head.matches("<details class=\"menu\">").count(), 1, "{list}: {head}");
        let (menu, after) = head.split_once("</details>").unwrap();
        assert!(menu.contains(&format!("href=\"{list}.csv\"")), "{list}: {menu}");
        assert!(menu.contains("<summary class=\"button\">Export"), "{list}: {menu}");
        let end = after.rsplit("<a class=\"button").next().unwrap();
        assert!(end.starts_with(" primary"), "the main action stands last: {head}");
    }
}

#[tokio::test]
async fn chosen_filters_are_named_counted_and_removed_one_by_one() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    filled(&mut browser).await;
    let plain = browser.get("/workspace/findings").await.lacks("class=\"chips\"");
    let fold = plain.between("<details class=\"filter-fold\"", "</details>");
    assert!(!fold.contains("class=\"count\"") && !fold.starts_with(" open"), "{fold}");
    let list = "/workspace/findings?status=all&severity=low&owner=Ada&sort=due_on";
    let page = browser.get(list).await.shows("Backups");
    assert!(page.between("<details class=\"filter-fold\"", "</details>").contains("class=\"count\">3<"));
    let chips = page.between("<ul class=\"chips\"", "</ul>").to_owned();
    for (said, without) in [
        ("Severity: Low", "?status=all&amp;owner=Ada&amp;sort=due_on"),
        ("Status: All", "?severity=low&amp;owner=Ada&amp;sort=due_on"),
        ("Owner: Ada", "?status=all&amp;severity=low&amp;sort=due_on"),
    ] {
        let chip = chips.split("<li>").find(|chip| chip.contains(said)).unwrap_or_else(|| panic!("{chips}"));
        assert!(chip.contains(&format!("href=\"/workspace/findings{without}\"")), "{chip}");
        assert!(chip.contains("remove this filter"), "{chip}");
    }
    let mut german = browser.with("accept-language", "de");
    german.get(list).await.shows("Schweregrad: ").shows("diesen Filter entfernen");
}

#[tokio::test]
async fn forms_mark_what_is_required_and_group_their_fields() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    for form in ["findings", "risks", "controls", "functions", "incidents", "programmes"] {
        let page = browser.get(&format!("/workspace/{form}/new")).await.expect(200);
        let page = page.shows("Fields marked with * are required.").lacks("(optional)").lacks("date format");
        let main = page.between("<main", "</main>");
        let (marked, required) =
            (main.matches("class=\"is-required\"").count(), main.matches(" required").count());
        assert!(marked > 0 && required > 0, "{form}: {main}");
    }
    for form in ["findings", "risks", "controls", "functions"] {
        let page = browser.get(&format!("/workspace/{form}/new")).await;
        assert!(page.body.matches("<section class=\"form-section\">").count() >= 2, "{form}");
    }
    // The help of a field stands below it.
    let page = browser.get("/workspace/findings/new").await;
    let cvss = page.between("for=\"cvss\"", "</div>");
    assert!(cvss.find("<input").unwrap() < cvss.find("class=\"hint\"").unwrap(), "{cvss}");
}

#[tokio::test]
async fn an_incident_begins_with_what_to_do_and_folds_what_is_unknown() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident =
        create(&mut browser, "/workspace/incidents", &[("title", "Cards down"), ("regimes", "dora")]).await;
    let page = browser.get(&incident).await;
    let main = page.between("<main", "</main>");
    let at = |mark: &str| main.find(mark).unwrap_or_else(|| panic!("no {mark}: {main}"));
    let order = [
        at("<h2>Next action"),
        at("<h2>Reports and their deadlines"),
        at("id=\"facts\""),
        at("<h2>Classification"),
    ];
    assert!(order.is_sorted(), "{order:?}: {main}");
    let criteria = page.between("<h2>Classification", "</section>");
    let (shown, folded) = criteria.split_once("<details>").unwrap();
    assert!(shown.contains("0 met") && shown.contains("unknown") && !shown.contains("<table"), "{shown}");
    assert!(folded.contains("<table"), "{folded}");
    let facts = [("facts.critical_services", "yes"), ("facts.malicious_access", "yes")];
    browser.submit(&incident, &format!("{incident}/facts"), &facts).await.expect(303);
    let page = browser.get(&incident).await;
    let (shown, _) = page.between("<h2>Classification", "</section>").split_once("<details>").unwrap();
    assert!(shown.contains("<table"), "what decides stays open: {shown}");
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get(&incident).await.shows("<fieldset class=\"columns\" disabled>");
}

#[tokio::test]
async fn a_report_can_show_only_what_is_missing() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident =
        create(&mut browser, "/workspace/incidents", &[("title", "Cards down"), ("regimes", "dora")]).await;
    let report = format!("{incident}/reports/dora/initial");
    let all = browser.get(&report).await.expect(200).shows("?show=missing");
    let few = browser.get(&format!("{report}?show=missing")).await.expect(200);
    let fields = |page: &Page| page.body.matches("report-field").count();
    let missing = all.body.matches(">missing</span>").count();
    assert!(missing > 0 && fields(&few) == missing && fields(&all) > missing, "{missing} {}", fields(&few));
    few.shows("Show all fields");
}

#[tokio::test]
async fn the_settings_show_one_tab_at_a_time() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let shown = |page: &Page| {
        let tabs: Vec<_> = page.body.split("<div class=\"tab-panel\" data-tab=\"").skip(1).collect();
        assert_eq!(tabs.len(), 4, "{}", page.body);
        let open = tabs.iter().filter(|tab| !tab.split('>').next().unwrap().contains("hidden"));
        open.map(|tab| tab.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let settings = "/workspace/settings";
    assert_eq!(shown(&browser.get(settings).await), ["institution"]);
    assert_eq!(shown(&browser.get("/workspace/settings?tab=access").await), ["access"]);
    // After saving, and after a refusal, the tab with the form is open.
    let leads = [("lead_days", "3"), ("lead_hours", "6")];
    let saved = browser.submit(settings, "/workspace/settings/lead-times", &leads).await.expect(303);
    assert_eq!(shown(&browser.get(saved.location()).await), ["limits"]);
    let wrong = [("lead_days", "soon"), ("lead_hours", "6")];
    let refused = browser.submit(settings, "/workspace/settings/lead-times", &wrong).await.expect(422);
    assert_eq!(shown(&refused), ["limits"]);
}
