//! The register: its list and its records, its import and export.

use domain::user::Role;

use crate::{House, browser::Browser};

pub(crate) const LIST: &str = "/workspace/ict-arrangements";
const IMPORT: &str = "/workspace/ict-arrangements/import";

pub(crate) const CONTRACT: [(&str, &str); 16] = [
    ("reference", "C-001"),
    ("provider.name", "Alpha Cloud"),
    ("provider.lei", ""),
    ("provider.country", "DE"),
    ("provider.sector", "Cloud"),
    ("service", "Hosting"),
    ("service_type", "S01"),
    ("technology", "Kubernetes"),
    ("region", "Frankfurt"),
    ("functions.0.name", "Payments"),
    ("functions.0.critical", "1"),
    ("functions.1.name", "Marketing"),
    ("substitutability", "hard"),
    ("annual_cost.amount", "125000.50"),
    ("annual_cost.currency", "EUR"),
    ("starts_on", "2025-01-01"),
];

/// Two providers, one of them with a subcontractor that is also behind the other.
pub(crate) const REGISTER: &str = "\
reference,provider_name,provider_country,provider_sector,parent_name,service,service_type,technology,region,\
critical_functions,other_functions,substitutability,exit_plan,annual_cost,currency,starts_on,storage_countries,subcontractors
C-1,Nordlicht Cloud SE,DE,Cloud,Polar Holding Oyj,Payment platform,S18,Kubernetes,Frankfurt,Payments,,hard,no,\
300000,EUR,2024-01-01,DE,Rhein Rechenzentrum GmbH
C-2,Alster Netze AG,DE,Telecommunications,,Branch network,S11,MPLS,Hamburg,Cash,Branches,easy,yes,\
100000,EUR,2023-07-01,US,Rhein Rechenzentrum GmbH > Stromwerk AG
";

pub(crate) async fn enter(browser: &mut Browser) -> String {
    let made = browser.submit(&format!("{LIST}/new"), LIST, &CONTRACT).await.expect(303);
    made.location().strip_suffix("?done=created").unwrap().to_owned()
}

pub(crate) async fn import(browser: &mut Browser, register: &str) {
    browser
        .upload(IMPORT, &[("step", "import")], register)
        .await
        .expect(200)
        .shows("The register is imported");
}

#[tokio::test]
async fn an_arrangement_is_entered_changed_ended_and_deleted() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(LIST).await.shows("The register is empty").shows(IMPORT);
    let address = enter(&mut browser).await;
    browser
        .get(&address)
        .await
        .shows("Alpha Cloud")
        .shows("Payments")
        .shows("Critical")
        .shows("125,000.50 EUR");
    let mut changed = CONTRACT;
    changed[8].1 = "Dublin";
    browser
        .get(&format!("{address}/edit"))
        .await
        .shows("value=\"125000.50\"")
        .shows("value=\"Payments\"")
        .shows("<option value=\"DE\" selected>Germany (DE)");
    browser.submit(&format!("{address}/edit"), &address, &changed).await.expect(303);
    let page = browser.get(&address).await.shows("Region</span>: Frankfurt → Dublin");
    let shown = page.between("<main", "<ol class=\"history\">");
    assert!(shown.contains("Dublin") && !shown.contains("Frankfurt"), "only the history has it: {shown}");

    let end = format!("{address}/end");
    let refused = browser.submit(&address, &end, &[("ends_on", "2024-12-31")]).await.expect(422);
    refused.shows("href=\"#ends_on\"");
    browser.submit(&address, &end, &[("ends_on", "")]).await.expect(422);
    browser.submit(&address, &end, &[("ends_on", "2025-06-30")]).await.expect(303);
    browser.get(LIST).await.shows("Ended").shows("until 30 Jun 2025");
    browser.get(&format!("{LIST}?active=true")).await.shows("Nothing matches these filters");

    browser.submit(&address, &format!("{address}/delete"), &[]).await.expect(303);
    browser.get(&address).await.expect(404);
}

#[tokio::test]
async fn the_register_is_shown_and_exported_as_of_a_day() {
    let house = House::new().await;
    let address = enter(&mut house.signed_in(Role::Manager).await).await;
    house.pass(2 * 86_400);
    // The session of the manager has ended.
    let mut browser = house.signed_in(Role::Administrator).await;
    let mut changed = CONTRACT;
    changed[1].1 = "Polar AG";
    browser.submit(&format!("{address}/edit"), &address, &changed).await.expect(303);
    browser.get(LIST).await.shows("Polar AG").lacks("Alpha Cloud").shows("name=\"as_of\"");
    let then = format!("{LIST}?as_of=2026-11-14");
    let shown = browser.get(&then).await.shows("Alpha Cloud").lacks("Polar AG");
    shown.shows("as they were at the end of 14 Nov 2026").shows("ict-arrangements.csv?as_of=2026-11-14");
    browser.get(&format!("{then}&search=alpha")).await.shows("Alpha Cloud");
    browser.get(&format!("{LIST}?as_of=2026-11-13")).await.shows("Nothing matches these filters");
    let file = browser.fetch(&format!("{LIST}.csv?as_of=2026-11-14")).await.expect(200);
    let named = file.headers["content-disposition"].to_str().unwrap();
    assert!(named.ends_with("-as-of-2026-11-14.csv\""), "{named}");
    let text = String::from_utf8(file.bytes).unwrap();
    assert!(text.contains("Alpha Cloud") && !text.contains("Polar AG"), "{text}");
    browser.get(&address).await.shows("Alpha Cloud → Polar AG");
}

#[tokio::test]
async fn an_import_shows_in_the_history_of_what_it_changed() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    import(&mut browser, REGISTER).await;
    let address = |page: &str| {
        let link = page.split(&format!("href=\"{LIST}/arr_")).nth(1).unwrap();
        format!("{LIST}/arr_{}", link.split('"').next().unwrap())
    };
    let list = browser.get(&format!("{LIST}?search=nordlicht")).await;
    let changed = address(list.between("<main", "</main>"));
    let list = browser.get(&format!("{LIST}?search=alster")).await;
    let unchanged = address(list.between("<main", "</main>"));
    house.pass(60);
    import(&mut browser, &REGISTER.replace("Frankfurt", "Dublin").replace("Polar Holding", "Nordpol")).await;
    let page = browser.get(&changed).await.shows("Region</span>: Frankfurt → Dublin");
    page.shows("Head of its group</span>: Polar Holding Oyj → Nordpol Oyj");
    browser.get(&unchanged).await.lacks("→");
    // A change by a person is shown once, although it has an audit entry and a version.
    house.pass(60);
    let end = format!("{changed}/end");
    browser.submit(&changed, &end, &[("ends_on", "2027-06-30")]).await.expect(303);
    let page = browser.get(&changed).await;
    let history = page.between("<ol class=\"history\">", "</ol>");
    assert_eq!(
        (history.matches("30 Jun 2027").count(), history.matches("Dublin").count()),
        (1, 1),
        "{history}"
    );
}

#[tokio::test]
async fn two_people_do_not_overwrite_each_other() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let address = enter(&mut browser).await;
    let seen = browser.get(&format!("{address}/edit")).await.hidden();
    let mut mine = CONTRACT.to_vec();
    mine[8].1 = "Dublin";
    browser.submit(&format!("{address}/edit"), &address, &mine).await.expect(303);
    let mut theirs = CONTRACT.to_vec();
    theirs[8].1 = "Paris";
    theirs.extend(seen.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    browser.post(&address, &theirs).await.expect(409).shows("Paris");
    browser.get(&address).await.shows("Dublin");
}

#[tokio::test]
async fn what_is_wrong_with_an_arrangement_is_reported_field_by_field() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut wrong = CONTRACT;
    wrong[3].1 = "Germany";
    wrong[13].1 = "a lot";
    let page = browser.submit(&format!("{LIST}/new"), LIST, &wrong).await.expect(422);
    page.shows("href=\"#annual_cost.amount\"").shows("value=\"Germany\"");
}

#[tokio::test]
async fn exit_plan_places_group_and_chain_are_entered_by_form() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let address = enter(&mut browser).await;
    let facts = format!("{address}/facts");
    browser.get(&address).await.shows("No subcontractor is known.").shows(&facts);
    let output = [
        ("exit_plan", "yes"),
        ("notice_days", "90"),
        ("ultimate_parent.name", "Alpha Holding Oyj"),
        ("ultimate_parent.lei", ""),
        ("places.provision", "de"),
        ("places.storage", "DE, AT;ie"),
        ("places.processing", ""),
        ("rows", "4"),
        ("chain.0.supplier", "Stromwerk AG"),
        ("chain.0.recipient", "Rhein Rechenzentrum GmbH"),
        ("chain.3.supplier", "Rhein Rechenzentrum GmbH"),
        ("chain.3.lei", "529900T8BM49AURSDO55"),
    ];
    browser.submit(&facts, &facts, &output).await.expect(303);
    let page = browser.get(&address).await.shows("Alpha Holding Oyj").shows("AT, DE, IE");
    let page = page.shows("<dt>Notice period in days</dt><dd>90</dd>");
    let chain = page.between("The direct provider has rank 1", "</table>").to_owned();
    let (near, far) = (chain.find("Rhein Rechenzentrum").unwrap(), chain.find("Stromwerk").unwrap());
    assert!(near < far && chain.contains(">2<") && chain.contains(">3<"), "by rank: {chain}");
    assert!(chain.contains("529900T8BM49AURSDO55") && chain.contains("Alpha Cloud"), "{chain}");

    // The form shows the current values, and sending it unchanged has no effect.
    let form = browser.get(&facts).await.shows("value=\"Stromwerk AG\"").shows("value=\"AT, DE, IE\"");
    let form = form.shows("value=\"529900T8BM49AURSDO55\"").shows("name=\"chain.4.supplier\"");
    form.shows("value=\"90\"").lacks("chain.5.");
    let cleared = [
        ("exit_plan", ""),
        ("notice_days", ""),
        ("rows", "5"),
        ("chain.0.supplier", "Rhein Rechenzentrum GmbH"),
        ("chain.0.lei", "529900T8BM49AURSDO55"),
    ];
    browser.submit(&facts, &facts, &cleared).await.expect(303);
    let page = browser.get(&address).await.shows("Head of its group</span>: Alpha Holding Oyj → ");
    let page = page.shows("Notice period in days</span>: 90 → ");
    let shown = page.between("<main", "<ol class=\"history\">");
    for gone in ["Stromwerk", "Alpha Holding", "AT, DE"] {
        assert!(!shown.contains(gone), "only the history has {gone}: {shown}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_the_chain_is_reported_at_its_row_and_kept() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let address = enter(&mut browser).await;
    let facts = format!("{address}/facts");
    let wrong = [
        ("exit_plan", "no"),
        ("ultimate_parent.lei", "529900T8BM49AURSDO55"),
        ("places.storage", "DE, Atlantis"),
        ("rows", "6"),
        ("chain.2.supplier", "Rhein RZ"),
        ("chain.2.lei", "too short"),
        ("chain.4.supplier", ""),
        ("chain.4.recipient", "Rhein RZ"),
    ];
    let page = browser.submit(&facts, &facts, &wrong).await.expect(422);
    let page =
        page.shows("href=\"#ultimate_parent.name\"").shows("href=\"#places.storage\"").shows("ATLANTIS");
    let page = page.shows("href=\"#chain.2.lei\"").shows("href=\"#chain.4.supplier\"");
    let page = page.shows("id=\"chain.2.lei-wrong\"").shows("value=\"too short\"").shows("DE, Atlantis");
    page.shows("<option value=\"no\" selected>");
    let loose = [("rows", "3"), ("chain.1.supplier", "Elbe Strom"), ("chain.1.recipient", "Nobody")];
    let page = browser.submit(&facts, &facts, &loose).await.expect(422);
    page.shows("href=\"#chain.1.recipient\"").shows("which is not in this chain");
    let circle = [
        ("rows", "3"),
        ("chain.0.supplier", "Rhein RZ"),
        ("chain.1.supplier", "Alpha Cloud"),
        ("chain.1.recipient", "Rhein RZ"),
    ];
    browser.submit(&facts, &facts, &circle).await.expect(422).shows("runs in a circle");
    let more = browser.submit(&facts, &facts, &[&loose[..], &[("step", "more")]].concat()).await.expect(200);
    more.shows("value=\"Elbe Strom\"").shows("chain.5.supplier");
    browser.get(&address).await.shows("No subcontractor is known.");
}

#[tokio::test]
async fn filters_narrow_the_list_and_its_export() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    import(&mut browser, REGISTER).await;
    browser.get(LIST).await.shows("Nordlicht Cloud SE").shows("Alster Netze AG");
    for narrowed in ["service_type=S11", "substitutability=easy", "search=alster", "provider=Alster+Netze+AG"]
    {
        browser.get(&format!("{LIST}?{narrowed}")).await.shows("Alster Netze AG").lacks("Nordlicht");
        let csv = browser.fetch(&format!("{LIST}.csv?{narrowed}")).await.expect(200);
        let csv = String::from_utf8(csv.bytes).unwrap();
        assert!(csv.contains("Alster") && !csv.contains("Nordlicht"), "{csv}");
    }
}

#[tokio::test]
async fn the_export_can_be_imported_again_unchanged() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    import(&mut browser, REGISTER).await;
    let exported = browser.fetch(&format!("{LIST}.csv")).await.expect(200);
    assert_eq!(
        exported.headers["content-disposition"],
        "attachment; filename=\"ict-arrangements-2026-11-14.csv\""
    );
    let exported = String::from_utf8(exported.bytes).unwrap();
    assert!(exported.contains("Rhein Rechenzentrum GmbH > Stromwerk AG"), "{exported}");
    let checked = browser.upload(IMPORT, &[("step", "check")], &exported).await.expect(200);
    checked.shows("0 would be added, 0 changed, 2 stay as they are");
}

#[tokio::test]
async fn an_import_is_checked_first_and_reported_line_by_line() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let broken = browser.upload(IMPORT, &[("step", "check")], "reference\nC-1\n").await.expect(422);
    broken.shows("Nothing was imported").shows("provider_name");
    browser.upload(IMPORT, &[("step", "import")], "").await.expect(422).shows("is empty");
    for forged in [&[("form_token", "x")][..], &[("step", "import"), ("form_token", "x")], &[]] {
        browser.upload_raw(IMPORT, forged, "x").await.expect(403);
    }

    import(&mut browser, REGISTER).await;
    let next = REGISTER.replace("Hamburg", "Bremen")
        + "C-3,Isar Software GmbH,DE,Software,,Licences,S13,Mainframe,\
        Munich,,Reporting,easy,,5000,EUR,2024-01-01,,\n";
    let checked = browser.upload(IMPORT, &[("step", "check")], &next).await.expect(200);
    let checked = checked.shows("1 would be added, 1 changed, 1 stays as it is").shows("Isar Software GmbH");
    let checked = checked.shows("<span class=\"hint\">region</span>").shows(">Unchanged<");
    browser.get(LIST).await.lacks("Isar Software");

    // The checked file is kept in the page: one button imports it.
    let kept = checked.hidden();
    let fields: Vec<_> = kept.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let done = browser.upload_raw(IMPORT, &fields, "").await.expect(200);
    done.shows("1 added, 1 changed, 1 as it was");
    browser.get(LIST).await.shows("Isar Software").shows("Bremen");
}

#[tokio::test]
async fn the_template_is_there_to_be_filled_in() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let template = browser.fetch(&format!("{LIST}/template.csv")).await.expect(200);
    let template = String::from_utf8(template.bytes).unwrap();
    import(&mut browser, &template).await;
}

#[tokio::test]
async fn who_may_only_look_is_offered_nothing_else() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let address = enter(&mut manager).await;
    for role in [Role::Viewer, Role::Contributor] {
        let mut browser = house.signed_in(role).await;
        browser.get(LIST).await.shows("Alpha Cloud").lacks(&format!("{LIST}/new")).lacks(IMPORT);
        browser.get(&address).await.lacks("<form method=\"post\" action=\"/workspace/ict").lacks("/edit");
        let facts = format!("{address}/facts");
        for path in [format!("{LIST}/new"), IMPORT.to_owned(), format!("{address}/edit"), facts.clone()] {
            browser.get(&path).await.expect(403);
        }
        let changes =
            [format!("{address}/end"), format!("{address}/delete"), LIST.to_owned(), address.clone()];
        for path in changes.into_iter().chain([facts]) {
            let mut fields = CONTRACT.to_vec();
            fields.push(("ends_on", "2030-01-01"));
            browser.submit("/workspace", &path, &fields).await.expect(403);
        }
    }
}

#[tokio::test]
async fn another_tenants_register_does_not_exist() {
    let house = House::new().await;
    let south = house.test.tenant("south").await;
    house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut hers = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    let address = enter(&mut hers).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let missing = browser.get(&format!("{LIST}/arr_01k9x14js0e00000000000000a")).await.expect(404);
    let theirs = browser.get(&address).await.expect(404);
    assert_eq!(theirs.without_tokens(), missing.without_tokens());
    browser.get(&format!("{address}/edit")).await.expect(404);
    browser.get(&format!("{address}/facts")).await.expect(404);
    for change in ["", "/facts", "/end", "/delete"] {
        let path = format!("{address}{change}");
        browser.submit("/workspace", &path, &[("ends_on", "2030-01-01")]).await.expect(404);
    }
    browser.get(LIST).await.lacks("Alpha Cloud");
    let csv = browser.fetch(&format!("{LIST}.csv")).await.expect(200);
    assert!(!String::from_utf8(csv.bytes).unwrap().contains("Alpha Cloud"));
    hers.get(&address).await.expect(200);
}
