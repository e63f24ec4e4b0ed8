//! The pages of the catalogue.

use domain::user::Role;

use crate::House;

#[tokio::test]
async fn compliance_leads_from_framework_to_evidence() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let overview = browser.get("/workspace/compliance").await.expect(200).shows("/workspace/compliance/dora");
    drop(overview);
    let framework = browser.get("/workspace/compliance/dora").await.expect(200);
    let requirement = format!(
        "/workspace/compliance/dora/dora-{}",
        framework.between("/workspace/compliance/dora/dora-", "\"")
    );
    let page = browser.get(&requirement).await.expect(200);
    let measure =
        format!("/workspace/compliance/measures/{}", page.between("/workspace/compliance/measures/", "\""));
    browser.get(&measure).await.expect(200).shows("Evidence").shows(&requirement);
    for missing in [
        "/workspace/compliance/nothing",
        "/workspace/compliance/dora/nothing",
        "/workspace/compliance/measures/x",
    ] {
        browser.get(missing).await.expect(404);
    }
}

#[tokio::test]
async fn a_framework_that_only_files_know_has_its_pages() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    browser.get("/workspace/compliance").await.expect(200).shows("BSI C5").shows("NIST CSF");
    browser
        .get("/workspace/compliance/bsi-c5")
        .await
        .expect(200)
        .shows("Cloud Computing Compliance Criteria");
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get("/workspace/programmes/new").await.expect(200).shows("value=\"nist-csf\"");
    let requirement = "/workspace/compliance/nist-csf/nist-csf-gv-oc-01";
    browser
        .get(requirement)
        .await
        .expect(200)
        .shows("Official text")
        .shows("https://doi.org/10.6028/NIST.CSWP.29")
        .shows("Overlaps with")
        .shows("/workspace/compliance/iso-27001/iso-27001-4-1");
}

#[tokio::test]
async fn a_german_reader_is_led_to_the_german_text_of_the_act() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    let page = browser.get("/workspace/compliance/dora/dora-art-06-05").await.expect(200);
    page.shows("Amtlicher Text")
        .shows("https://eur-lex.europa.eu/legal-content/DE/TXT/?uri=CELEX:32022R2554");
}

#[tokio::test]
async fn lists_lead_to_details_and_filters_narrow() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    for list in [
        "/workspace/risk-register",
        "/workspace/drills",
        "/workspace/vendor-scorecard",
        "/workspace/training",
    ] {
        let page = browser.get(list).await.expect(200);
        let detail = format!("{list}/{}", page.between(&format!("href=\"{list}/"), "\""));
        browser.get(&detail).await.expect(200);
        browser.get(&format!("{list}/nothing")).await.expect(404);
        browser.get(&format!("{list}?search=zzzzzz")).await.shows("Nothing matches these filters");
    }
    let all = browser.get("/workspace/timeline").await.expect(200).body.len();
    let some = browser.get("/workspace/timeline?framework=cra").await.expect(200).body.len();
    assert!(some < all);
    browser.get("/workspace/radar?impact=high").await.expect(200);
}

#[tokio::test]
async fn records_show_how_to_work_with_them() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let drill = "/workspace/drills/drill-ransomware-core-banking";
    browser.get(drill).await.expect(200).shows("Model solution").shows("Score sheet").shows("Data losses");
    let training = browser.get("/workspace/training/training-management-body").await.expect(200);
    training.shows("What the board must decide itself").shows("Case: one meeting, four decisions");
    let risk = browser.get("/workspace/risk-register/risk-certificate-expiry").await.expect(200);
    risk.shows("Cause").shows("Indicator");
    let gaps = browser.get("/workspace/compliance/dora/gaps").await.expect(200).lacks("Steps to close it");
    let chapter = gaps.between("href=\"/workspace/compliance/dora/gaps?section=", "\"");
    let chapter = format!("/workspace/compliance/dora/gaps?section={chapter}");
    browser.get(&chapter).await.expect(200).shows("Steps to close it");
    let questions = "/workspace/provider-questions";
    browser.get(questions).await.expect(200).shows("Warning sign").shows("Points: 2");
    browser.get(&format!("{questions}?search=zzzzzz")).await.shows("Nothing matches these filters");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(drill).await.expect(200).lacks("Score sheet");
}

#[tokio::test]
async fn german_readers_get_german_records() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    browser.get("/workspace/risk-register").await.shows("Risikobibliothek").shows("Wahrscheinlichkeit");
    browser.get("/workspace/drills").await.shows("Übungsszenarien");
}

#[tokio::test]
async fn gaps_are_narrowed_and_lead_to_their_requirement() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let gaps = "/workspace/compliance/dora/gaps";
    // A long checklist shows its chapters, and the questions on their pages.
    let chapters = browser.get(gaps).await.expect(200).lacks("Typical gap");
    let chapter = format!("{gaps}?section={}", chapters.between("/dora/gaps?section=", "\""));
    let all = browser.get(&chapter).await.expect(200).shows("Typical gap");
    let requirement = format!(
        "/workspace/compliance/dora/{}",
        all.between("href=\"/workspace/compliance/dora/dora-", "\"")
    );
    assert!(requirement.len() > "/workspace/compliance/dora/".len());
    let some = browser.get(&format!("{chapter}&priority=critical")).await.expect(200);
    assert!(some.body.len() < all.body.len());
    browser.get("/workspace/compliance/cra/gaps").await.expect(200).shows("Typical gap");
    browser.get("/workspace/compliance/unknown/gaps").await.expect(404);
    let found = browser.get("/workspace/compliance/dora?search=backup").await.expect(200);
    found.shows("<details class=\"card\" open>");
    browser.get("/workspace/compliance/dora?search=zzzzzz").await.shows("Nothing matches these filters");
}

#[tokio::test]
async fn a_field_of_the_matrix_lists_its_risks() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let page = browser.get("/workspace/risk-register").await.expect(200);
    let field = page.between("href=\"/workspace/risk-register?likelihood=", "\"").replace("&amp;", "&");
    let narrowed = browser.get(&format!("/workspace/risk-register?likelihood={field}")).await.expect(200);
    let narrowed = narrowed.shows("Only the field:");
    assert!(narrowed.body.len() < page.body.len());
    browser.get("/workspace/risk-register?rating=inherent").await.shows("&amp;rating=inherent");
}

/// Participants must not see the script and the expected results beforehand.
#[tokio::test]
async fn a_drill_is_laid_open_to_those_who_prepare_it() {
    let house = House::new().await;
    let drill = "/workspace/drills/drill-ransomware-core-banking";
    let page = house.signed_in(Role::Contributor).await.get(drill).await.expect(200);
    let page = page.shows("Minute 100").shows("1:40").shows("Reporting clocks it starts");
    page.shows("Success criteria").lacks("class=\"bars\"").lacks("nobody but the exercise lead");
    let mut viewer = house.signed_in(Role::Viewer).await;
    let page = viewer.get(drill).await.expect(200).shows("For those who prepare the exercise");
    page.lacks("Minute 100").lacks("Success criteria").lacks("<h2>Tasks</h2>").shows("Objective");
    let edition = house.test.app.catalogue().unwrap();
    let inject = &edition.drills.get("drill-ransomware-core-banking").unwrap().injects[0];
    let text = inject.text.get(domain::wording::Language::English);
    let query: String =
        form_urlencoded::Serializer::new(String::new()).append_pair("q", &text[..40]).finish();
    let found = viewer.get(&format!("/workspace/search?{query}&type=drill")).await.expect(200);
    assert!(!found.body.contains("<mark>"), "no passage of a drill: {}", found.body);
}

/// The library makes no statement about the institution.
#[tokio::test]
async fn the_library_says_that_it_is_reference() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let said = "It does not describe the state of your institution.";
    let menu = browser.get("/workspace").await;
    let library = menu.between("<summary class=\"menu-group\">Library</summary>", "</ul>").to_owned();
    let addresses: Vec<_> =
        library.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(addresses.len(), 10, "{addresses:?}");
    for address in addresses {
        browser.get(address).await.expect(200).shows(said);
    }
    for detail in [
        "/workspace/compliance/dora",
        "/workspace/compliance/dora/gaps",
        "/workspace/compliance/dora/dora-art-17-02",
        "/workspace/drills/drill-ransomware-core-banking",
    ] {
        browser.get(detail).await.expect(200).shows(said).lacks("Covered").lacks("requirements covered");
    }
    let risks = browser.get("/workspace/risk-register?status=mitigating").await.expect(200);
    let risk =
        format!("/workspace/risk-register/{}", risks.between("href=\"/workspace/risk-register/", "\""));
    let risks = risks.lacks("Being mitigated").lacks("name=\"status\"").shows(" risks</p>");
    drop(risks);
    browser.get(&risk).await.lacks("Being mitigated").shows("Typical treatment").shows("usually responsible");
    browser.get("/workspace/vendor-scorecard").await.shows("Your own providers are in the register.");
}

#[tokio::test]
async fn the_gap_checklist_is_a_table_by_chapter_and_a_file() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let page = browser.get("/workspace/compliance/dora/gaps").await.expect(200);
    let edition = house.test.app.catalogue().unwrap();
    let dora = |gap: &&app::catalogue::gap::Gap| gap.framework.as_str() == "dora";
    let questions = edition.gaps.iter().filter(dora).count();
    let chapters = page.body.matches("<details class=\"card\">").count();
    assert!(chapters >= 5, "{chapters}");
    // A long checklist leaves its questions to the pages of its chapters.
    let chapter = page.between("href=\"/workspace/compliance/dora/gaps?section=", "\"").to_owned();
    let chapter =
        browser.get(&format!("/workspace/compliance/dora/gaps?section={chapter}")).await.expect(200);
    assert!(chapter.body.matches("<table class=\"list\"").count() > 1, "the questions of the chapter");
    let page = page.shows(&format!("{questions} questions</p>"));
    page.shows("href=\"/workspace/compliance/dora/gaps.csv\"");
    let file = browser.fetch("/workspace/compliance/dora/gaps.csv").await.expect(200);
    let text = String::from_utf8(file.bytes).unwrap();
    assert!(text.starts_with("chapter,requirement,title,question,target,"), "{text}");
    assert_eq!(text.lines().count(), questions + 1);
    browser.fetch("/workspace/compliance/cra/gaps.csv").await.expect(200);
    browser.fetch("/workspace/compliance/unknown/gaps.csv").await.expect(404);
    browser.get("/workspace/requirements?framework=nis2&search=incident").await.expect(200).shows("NIS2");
}

#[tokio::test]
async fn publications_are_filtered_by_who_and_when() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let all = browser.get("/workspace/radar").await.expect(200);
    let year = all.between("<select id=\"year\"", "</select>").split("value=\"").nth(2).unwrap().to_owned();
    let year = year.split('"').next().unwrap();
    let some = browser.get(&format!("/workspace/radar?year={year}")).await.expect(200).shows(year);
    assert!(some.body.len() < all.body.len());
    browser.get("/workspace/radar?authority=Unknown").await.shows("Nothing matches these filters");
}

#[tokio::test]
async fn the_timeline_is_a_band_of_years() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let page = browser.get("/workspace/timeline?framework=dora").await.expect(200);
    page.shows("class=\"band\"").shows(">2025</text>").shows("Today").shows("Milestones by status");
    browser
        .get("/workspace/timeline?search=zzzzzz")
        .await
        .shows("Nothing matches these filters")
        .lacks("band-mark");
}

#[tokio::test]
async fn a_requirement_shows_its_official_wording_with_source_and_hash() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    browser
        .get("/workspace/compliance/dora/dora-art-09-04-c")
        .await
        .expect(200)
        .shows("Official wording")
        .shows("(c) implement policies that limit the physical or logical access")
        .shows("Regulation (EU) 2022/2554, Art. 9(4)(c)")
        .shows("OJ L 333, 27.12.2022, p. 1")
        .shows("https://data.europa.eu/eli/reg/2022/2554/oj/eng")
        .shows("SHA-256");
    browser.get("/workspace/assessments/dora/dora-art-09-04-c").await.expect(200).shows("Official wording");
    let iso = browser.get("/workspace/compliance/iso-27001/iso-27001-a-5-1").await.expect(200);
    iso.shows("The text of the standard is protected by copyright.");
}

#[tokio::test]
async fn a_german_reader_gets_the_german_wording_or_the_english_one_marked_as_such() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    browser
        .get("/workspace/compliance/dora/dora-art-09-04-c")
        .await
        .expect(200)
        .shows("Amtlicher Wortlaut")
        .shows("(4) Als Teil des IKT-Risikomanagementrahmens")
        .lacks("implement policies that limit");
    browser
        .get("/workspace/compliance/dora/dora-rts-1774-art-06-01")
        .await
        .expect(200)
        .shows("Englischer Wortlaut; ein deutscher Text liegt nicht vor.")
        .shows("https://data.europa.eu/eli/reg_del/2024/1774/oj/deu")
        .shows("lang=\"en\"");
}
