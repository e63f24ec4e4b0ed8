//! The list of findings and the forms around it: order, columns, bulk changes, due days, measures, test cases.

use domain::user::Role;

use crate::{House, browser::Page, records::create};

const LIST: &str = "/workspace/findings";

/// The titles of a list, in its order.
fn titles(page: &Page) -> Vec<String> {
    let rows = page.between("<tbody", "</tbody>").split("<tr").skip(1);
    rows.map(|row| {
        row.split("\">").find(|part| part.contains("</a>")).unwrap().split('<').next().unwrap().to_owned()
    })
    .collect()
}

#[tokio::test]
async fn the_worst_and_soonest_due_come_first_and_heads_sort() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    for (title, severity, due) in [
        ("Low late", "low", "2026-11-15"),
        ("Critical later", "critical", "2027-06-30"),
        ("Critical soon", "critical", "2026-11-20"),
        ("High", "high", ""),
    ] {
        create(&mut browser, LIST, &[("title", title), ("severity", severity), ("due_on", due)]).await;
    }
    let page = browser.get(LIST).await.expect(200);
    assert_eq!(titles(&page), ["Critical soon", "Critical later", "High", "Low late"]);
    for head in ["sort=severity", "sort=due_on", "sort=detected_at", "sort=-created_at"] {
        assert!(page.body.contains(&format!("href=\"{LIST}?{head}\"")), "{head} in {}", page.body);
    }
    let page = browser.get(&format!("{LIST}?sort=due_on&search=late")).await.expect(200);
    assert_eq!(titles(&page), ["Low late", "Critical later"]);
    assert!(page.body.contains("aria-sort=\"ascending\""), "{}", page.body);
    assert!(page.body.contains("?search=late&amp;sort=-due_on"), "the other way round, with its filters");
}

#[tokio::test]
async fn the_list_shows_age_asset_programme_and_source() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    let id = programme.rsplit('/').next().unwrap();
    let fields =
        [("title", "By hand"), ("severity", "low"), ("affected_asset", "Core bank"), ("programme_id", id)];
    create(&mut browser, LIST, &fields).await;
    let file = "title,severity,detected_at\nImported,low,2026-11-04\n";
    let fields = [("step", "import"), ("source", "Red team 2026")];
    browser.upload(&format!("{LIST}/import"), &fields, file).await.expect(200).shows("Red team 2026");
    let page = browser.get(LIST).await.shows("Core bank").shows("Yearly").shows("Entered by hand");
    let page = page.shows("Red team 2026").shows("10 days").shows("0 days");
    // Boxes stand before the name, and the name heads its row.
    let row = page.between("<tbody", "</tr>").to_owned();
    assert!(row.find("name=\"ids\"").unwrap() < row.find("<th scope=\"row\"").unwrap(), "{row}");
    page.shows("data-choose-all").shows("class=\"card bulk\"");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(LIST).await.shows("By hand").lacks("name=\"ids\"").lacks("data-choose-all");
}

#[tokio::test]
async fn due_days_follow_from_severity_once_they_are_set() {
    let house = House::new().await;
    let mut admin = house.signed_in(Role::Administrator).await;
    let bare = create(&mut admin, LIST, &[("title", "Before"), ("severity", "critical")]).await;
    admin.get(&bare).await.lacks("from the settings");
    let settings = "/workspace/settings";
    let days =
        [("due_critical", "30"), ("due_high", "60"), ("due_medium", ""), ("due_low", "x"), ("due_info", "")];
    let refused = admin.submit(settings, &format!("{settings}/due-days"), &days).await.expect(422);
    refused.shows("must be a whole number of days from 1 to 3650");
    let days = days.map(|(name, value)| (name, if value == "x" { "" } else { value }));
    admin.submit(settings, &format!("{settings}/due-days"), &days).await.expect(303);
    admin
        .get(&format!("{LIST}/new"))
        .await
        .shows("it follows from the severity: Critical 30 days, High 60 days.");
    let ruled = create(&mut admin, LIST, &[("title", "After"), ("severity", "critical")]).await;
    admin.get(&ruled).await.shows("14 Dec 2026").shows("from the settings");
    let medium = create(&mut admin, LIST, &[("title", "Free"), ("severity", "medium")]).await;
    admin.get(&medium).await.lacks("from the settings");
    let own = [("title", "Own"), ("severity", "critical"), ("due_on", "2026-11-20")];
    let own = create(&mut admin, LIST, &own).await;
    admin.get(&own).await.shows("20 Nov 2026").lacks("from the settings");
    let file = "title,severity,detected_at\nImported,high,2026-11-04\n";
    admin.upload(&format!("{LIST}/import"), &[("step", "import")], file).await.expect(200);
    admin.get(&format!("{LIST}?search=imported")).await.shows("3 Jan 2027");
    // A day set by a user is not changed by the rule.
    let change = [("title", "After"), ("severity", "critical"), ("due_on", "2026-12-24")];
    admin.submit(&format!("{ruled}/edit"), &ruled, &change).await.expect(303);
    admin.get(&ruled).await.shows("24 Dec 2026").lacks("from the settings");
    admin.get("/workspace/audit").await.shows("due_days.changed");
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get(settings).await.lacks("due_critical").shows("Critical, days");
}

#[tokio::test]
async fn measures_are_suggested_and_shown_by_their_title() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let edition = house.test.app.catalogue().unwrap();
    let mut measures = edition.measures.iter();
    let (first, second) = (measures.next().unwrap(), measures.next().unwrap());
    let [one, two] = [first, second].map(|measure| measure.title.get(domain::wording::Language::English));
    let form = browser.get(&format!("{LIST}/new")).await.shows("<datalist");
    form.shows(&format!("value=\"{}\"", first.id));
    // One by its id, one by its title, and a field left empty.
    let fields = [
        ("title", "Cipher"),
        ("severity", "low"),
        ("measures", &*first.id),
        ("measures", two),
        ("measures", ""),
    ];
    let finding = create(&mut browser, LIST, &fields).await;
    for (id, title) in [(&first.id, one), (&second.id, two)] {
        let link = format!("/workspace/compliance/measures/{id}\">");
        let page = browser.get(&finding).await.shows(&link);
        let shown = page.between(&link, "</a>").to_owned();
        assert_eq!(shown.replace("&amp;", "&"), title);
    }
    let wrong = [("title", "x"), ("severity", "low"), ("measures", "no-such-measure")];
    let refused = browser.submit(&format!("{LIST}/new"), LIST, &wrong).await.expect(422);
    refused.shows("is not the id of a measure in the catalogue").shows("value=\"no-such-measure\"");
}

#[tokio::test]
async fn a_new_finding_offers_test_cases_and_marks_what_is_required() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    let id = programme.rsplit('/').next().unwrap();
    let fields = [("programme_id", id), ("title", "Restore"), ("test_type", "tlpt"), ("priority", "low")];
    let test_case = create(&mut browser, "/workspace/test-cases", &fields).await;
    browser.get(&format!("{LIST}/new")).await.shows("Yearly: Restore");
    let test_case_id = test_case.rsplit('/').next().unwrap();
    let fields =
        [("title", "Found"), ("severity", "low"), ("programme_id", ""), ("test_case_id", test_case_id)];
    let finding = create(&mut browser, LIST, &fields).await;
    let page = browser.get(&finding).await.shows("Yearly").shows("Restore");
    let reason = page.between("for=\"acceptance.reason\">", "</div>");
    assert!(!reason.contains("optional") && reason.contains(" required"), "{reason}");
    let page = browser.get(&programme).await.shows("Tests with a result: 0 of 1");
    page.shows("<progress");
    for status in ["ready", "in_progress", "passed"] {
        browser.submit(&test_case, &format!("{test_case}/move"), &[("status", status)]).await.expect(303);
    }
    browser.get(&programme).await.shows("Tests with a result: 1 of 1");
}

#[tokio::test]
async fn a_programme_is_offered_the_functions_of_the_register() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    crate::third_parties::enter(&mut browser).await;
    let form = browser.get("/workspace/programmes/new").await.expect(200);
    let offered = form.between("<datalist id=\"functions-suggestions\">", "</datalist>");
    assert!(offered.contains("Marketing") && offered.contains("Payments"), "{offered}");
    let fields =
        [("name", "Yearly"), ("framework", "dora"), ("functions", "Payments"), ("functions", "Cards\n")];
    let programme = create(&mut browser, "/workspace/programmes", &fields).await;
    browser.get(&programme).await.shows("<li>Payments</li>").shows("<li>Cards</li>");
}

#[tokio::test]
async fn several_values_of_a_filter_are_chosen_and_removed_one_by_one() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    for (title, severity, owner) in
        [("One", "low", "Ada"), ("Two", "high", "Weber, Ben"), ("Three", "critical", "")]
    {
        create(&mut browser, LIST, &[("title", title), ("severity", severity), ("owner", owner)]).await;
    }
    let page = browser.get(&format!("{LIST}?severity=high&severity=low&sort=created_at")).await.expect(200);
    assert_eq!(titles(&page), ["One", "Two"]);
    let fields = page.between("<div class=\"filter-fields\"", "</form>").to_owned();
    for (word, checked) in [("critical", false), ("high", true), ("low", true)] {
        let id = format!(
            "<input id=\"severity-{word}-filter\" type=\"checkbox\" name=\"severity\" value=\"{word}\""
        );
        let rest = fields.split(&id).nth(1).unwrap_or_else(|| panic!("{fields}"));
        assert_eq!(rest.starts_with(" checked"), checked, "{word}");
    }
    let chips = page.between("<ul class=\"chips\"", "</ul>");
    for (said, rest) in [
        ("Severity: High", "sort=created_at&amp;severity=low"),
        ("Severity: Low", "sort=created_at&amp;severity=high"),
    ] {
        let chip = chips.split("<li>").find(|chip| chip.contains(said)).unwrap_or_else(|| panic!("{chips}"));
        assert!(chip.contains(&format!("href=\"{LIST}?{rest}\"")), "{chip}");
    }
    let page = browser.get(&format!("{LIST}?owner=none&owner=Ada&sort=created_at")).await.expect(200);
    assert_eq!(titles(&page), ["One", "Three"]);
    page.shows("Owner: Ada").shows("Owner: not set").shows("id=\"owner-none-filter\"");
    // The files of a list have what the list shows.
    let file =
        browser.get(&format!("{LIST}.csv?owner=none&severity=critical&severity=low")).await.expect(200);
    file.shows("Three").lacks("One").lacks("Two");
    browser.get(&format!("{LIST}?owner=&status=all")).await.shows("Weber, Ben").lacks("Owner: </span>");
}

#[tokio::test]
async fn findings_without_a_day_or_a_programme_are_chosen_and_kept_in_a_view() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    let id = programme.rsplit('/').next().unwrap();
    for (title, programme, due) in [("One", id, ""), ("Two", "", "2027-01-10"), ("Three", "", "")] {
        let fields = [("title", title), ("severity", "low"), ("programme_id", programme), ("due_on", due)];
        create(&mut browser, LIST, &fields).await;
    }
    // As the form sends it: the date field is there too, and empty.
    let list = format!("{LIST}?programme_id=none&due_before=&due_before=none&sort=created_at");
    let page = browser.get(&list).await.expect(200);
    assert_eq!(titles(&page), ["Three"]);
    let page = page.shows("Programme: not set").shows("Due before: not set");
    let fields = page.between("<div class=\"filter-fields\"", "</form>");
    for name in ["programme_id", "due_before"] {
        let field = format!(
            "<input id=\"{name}-none-filter\" type=\"checkbox\" name=\"{name}\" value=\"none\" checked"
        );
        assert!(fields.contains(&field), "{field} in {fields}");
    }
    let either = format!("{LIST}?programme_id=none&programme_id={id}&due_before=2027-02-01&sort=created_at");
    let page = browser.get(&either).await.shows("Programme: Yearly").shows("Due before: 1 Feb 2027");
    assert_eq!(titles(&page), ["Two"]);
    let done = browser.submit(&list, "/workspace/views", &[("view_name", "Unplanned")]).await.expect(303);
    assert!(done.location().contains("programme_id=none&due_before=none"), "{}", done.location());
    assert_eq!(titles(&browser.get(done.location()).await.expect(200)), ["Three"]);
    let file = browser.get(&format!("{LIST}.csv?due_before=none&programme_id={id}")).await.expect(200);
    file.shows("One").lacks("Two").lacks("Three");
    let mut german = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    german.get(&list).await.shows("Programm: ohne Angabe").shows("Fällig vor: ohne Angabe");
}
