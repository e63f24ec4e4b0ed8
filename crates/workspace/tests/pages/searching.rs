//! Search as a page, and as suggestions for the palette.

use domain::user::Role;

use crate::{House, browser::Browser, records::create};

#[tokio::test]
async fn what_is_found_leads_to_its_page() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    browser.get("/workspace/search").await.expect(200).lacks("class=\"hits\"");
    let page = browser.get("/workspace/search?q=ransomware").await.expect(200).shows("<mark>");
    let drill = format!("/workspace/drills/{}", page.between("href=\"/workspace/drills/", "\""));
    browser.get(&drill).await.expect(200);
    browser.get("/workspace/search?q=zzzzzzzz").await.shows("Nothing found");
    let hostile = browser.get("/workspace/search?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E").await.expect(200);
    hostile.lacks("<script>alert");
}

#[tokio::test]
async fn every_kind_of_hit_has_an_address_that_opens() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    for question in ["incident", "exit", "DORA", "register", "training", "cloud", "test", "clock"] {
        let page = browser.get(&format!("/workspace/search?q={question}&limit=60")).await.expect(200);
        let lists =
            page.body.split("<ol class=\"hits\">").skip(1).map(|rest| rest.split("</ol>").next().unwrap());
        let addresses: Vec<_> = lists
            .flat_map(|hits| hits.split("<a href=\"").skip(1))
            .map(|rest| rest.split(['"', '#']).next().unwrap().to_owned())
            .collect();
        assert!(!addresses.is_empty(), "{question}");
        for address in addresses {
            let address = address.replace("&amp;", "&");
            assert_eq!(browser.get(&address).await.status, 200, "{question}: {address}");
        }
    }
}

#[tokio::test]
async fn the_palette_is_given_a_few_suggestions() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    let answer = browser.fetch("/workspace/search/suggestions?q=ransomware").await.expect(200);
    let found: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap();
    let found = found.as_array().unwrap();
    assert!((1..=20).contains(&found.len()), "{found:?}");
    for hit in found {
        assert!(hit["url"].as_str().unwrap().starts_with("/workspace/"), "{hit}");
        assert!(!hit["title"].as_str().unwrap().is_empty() && !hit["kind"].as_str().unwrap().is_empty());
    }
    let nothing = browser.fetch("/workspace/search/suggestions?q=").await.expect(200);
    assert_eq!(nothing.bytes, b"[]");
    house.browser().fetch("/workspace/search/suggestions?q=cloud").await.expect(303);
}

#[tokio::test]
async fn own_records_come_first_and_nobody_elses() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let fields = [("title", "Zebrafish in the ledger"), ("severity", "low")];
    let finding = create(&mut browser, "/workspace/findings", &fields).await;
    let page = browser.get("/workspace/search?q=zebrafish").await.expect(200);
    page.shows(&format!("href=\"{finding}\"")).lacks("Nothing found");
    let answer = browser.fetch("/workspace/search/suggestions?q=zebrafish").await.expect(200);
    let found: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap();
    assert_eq!(found[0]["url"], finding.as_str());
    let south = house.test.tenant("south").await;
    house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut hers = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    hers.get("/workspace/search?q=zebrafish").await.expect(200).shows("Nothing found").lacks("ledger");
}

/// Own records under their kinds with their status, then the library; one kind can be listed alone.
#[tokio::test]
async fn hits_are_grouped_and_counted_by_kind() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    for number in 0..7 {
        let title = format!("Backup {number} is never restored");
        create(&mut browser, "/workspace/findings", &[("title", title.as_str()), ("severity", "low")]).await;
    }
    create(&mut browser, "/workspace/programmes", &[("name", "Backup drill"), ("framework", "dora")]).await;
    let page = browser.get("/workspace/search?q=backup").await.expect(200);
    let (own, library) = page.body.split_once("<h2>Library</h2>").unwrap();
    let own = own.split_once("<h2>Your own records</h2>").unwrap().1;
    assert!(own.contains("<h3>Finding <span class=\"quiet\">7</span></h3>"), "{own}");
    assert!(own.contains("</svg>Open</span>") && own.contains("</svg>Planned</span>"), "status: {own}");
    assert!(own.contains("href=\"/workspace/search?q=backup&amp;type=finding\""), "{own}");
    assert!(library.contains("<h3>Requirement") && !library.contains("is never restored"), "{library}");
    let page = browser.get("/workspace/search?q=backup&type=finding").await.expect(200).shows("7 hits</p>");
    assert_eq!(page.body.matches("is never restored</a>").count(), 7);
    let page = browser.get("/workspace/search?q=backup&type=finding&limit=3&offset=3").await;
    assert_eq!(page.body.matches("is never restored</a>").count(), 3);
    browser.get("/workspace/search?q=backup&type=measure").await.expect(200).lacks("is never restored");
    browser.get("/workspace/search?q=backup&type=nonsense").await.expect(200).shows("Nothing found");
}

#[tokio::test]
async fn a_reference_is_one_hit_whatever_else_mentions_it() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let first =
        create(&mut browser, "/workspace/findings", &[("title", "Weak cipher"), ("severity", "low")]).await;
    for title in ["Follows F-2026-0001", "Also F-2026-0001"] {
        create(&mut browser, "/workspace/findings", &[("title", title), ("severity", "low")]).await;
    }
    let suggestions = "/workspace/search/suggestions?q=";
    for typed in ["F-2026-0001", "%20f-2026-0001"] {
        let answer = browser.fetch(&format!("{suggestions}{typed}")).await.expect(200);
        let found: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap();
        let expected =
            serde_json::json!([{ "title": "F-2026-0001 Weak cipher", "kind": "Finding", "url": first }]);
        assert_eq!(found, expected, "{typed}");
    }
    let page = browser.get("/workspace/search?q=F-2026-0001").await.expect(200).shows("Also <mark>");
    let named = page.between("The record with this reference", "</section>");
    assert!(named.contains(&format!("href=\"{first}\"")), "{named}");
    let answer = browser.fetch(&format!("{suggestions}F-2026-0099")).await.expect(200);
    let found: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap();
    assert!(found.as_array().unwrap().iter().all(|hit| hit["url"] != first.as_str()), "{found}");
    let south = house.test.tenant("south").await;
    house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut hers = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    let answer = hers.fetch(&format!("{suggestions}F-2026-0001")).await.expect(200);
    assert!(!String::from_utf8_lossy(&answer.bytes).contains("Weak cipher"));
}

/// The lists that the suggestions and the search page lead to, by the words that are typed.
async fn lists(browser: &mut Browser, typed: &str) -> Vec<(String, String, String)> {
    let answer = browser.fetch(&format!("/workspace/search/suggestions?q={typed}")).await.expect(200);
    let found: serde_json::Value = serde_json::from_slice(&answer.bytes).unwrap();
    let text = |hit: &serde_json::Value, name: &str| hit[name].as_str().unwrap().to_owned();
    let hits = found.as_array().unwrap().iter();
    let lists: Vec<_> = hits
        .map(|hit| (text(hit, "title"), text(hit, "kind"), text(hit, "url")))
        .filter(|(_, kind, _)| kind.contains(" · "))
        .collect();
    let page = browser.get(&format!("/workspace/search?q={typed}")).await.expect(200);
    for (title, _, address) in &lists {
        let link = format!("<a href=\"{}\">{title}</a>", address.replace('&', "&amp;"));
        assert!(page.body.contains(&link), "{link} in {}", page.body);
    }
    lists
}

#[tokio::test]
async fn tags_and_regions_lead_to_their_lists() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Weak cipher"), ("severity", "low")]).await;
    create(&mut browser, "/workspace/findings", &[("title", "Untagged"), ("severity", "low")]).await;
    let control = create(&mut browser, "/workspace/controls", &[("title", "Key rotation")]).await;
    for (record, tags) in [(&finding, "Audit 2026, Zahlungsverkehr"), (&control, "audit 2026")] {
        let id = record.rsplit('/').next().unwrap();
        let tags = [("tags", tags)];
        browser.submit(record, &format!("/workspace/records/{id}/tags"), &tags).await.expect(303);
    }
    let owned = |one: (&str, &str, &str)| (one.0.to_owned(), one.1.to_owned(), one.2.to_owned());
    let expected = [
        ("audit 2026", "Tag · Controls", "/workspace/controls?tag=audit+2026"),
        ("Audit 2026", "Tag · Findings", "/workspace/findings?tag=Audit+2026"),
    ]
    .map(owned);
    for typed in ["aud", "AUDIT%202026", "%20audit%20"] {
        assert_eq!(lists(&mut browser, typed).await, expected, "{typed}");
    }
    let german =
        lists(&mut house.signed_in(Role::Viewer).await.with("accept-language", "de"), "zahlung").await;
    let expected =
        owned(("Zahlungsverkehr", "Schlagwort · Feststellungen", "/workspace/findings?tag=Zahlungsverkehr"));
    assert_eq!(german, [expected]);
    browser.get("/workspace/findings?tag=Audit+2026").await.shows("Weak cipher").lacks("Untagged");
    for typed in ["2026", "%25", "_", "audit%202027", "%F0%9F%98%80"] {
        assert!(lists(&mut browser, typed).await.is_empty(), "{typed}");
    }
    crate::third_parties::enter(&mut browser).await;
    let list = "/workspace/ict-arrangements";
    let key = house.test.client(&house.test.key(&house.north, "read").await);
    let all = key.get("/api/v1/ict-arrangements").await.expect(200).json();
    let region = all["data"][0]["region"].as_str().unwrap().to_owned();
    let found = lists(&mut browser, &region.to_uppercase().replace(' ', "%20")).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), (region.as_str(), "Region · ICT arrangements"));
    assert!(found[0].2.starts_with(&format!("{list}?region=")), "{found:?}");
    let in_region = all["data"].as_array().unwrap().iter().filter(|one| one["region"] == region.as_str());
    let page = browser.get(&found[0].2).await.expect(200).shows(&format!("Region: {region}"));
    let rows = page.between("<tbody", "</tbody>").matches("<tr").count();
    assert_eq!(rows, in_region.count());
    browser.get(&format!("{list}?region=Atlantis")).await.expect(200).shows("Region: Atlantis");
    // Another institution finds neither.
    let south = house.test.tenant("south").await;
    house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut hers = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    assert!(lists(&mut hers, "audit").await.is_empty());
    assert!(lists(&mut hers, &region.replace(' ', "%20")).await.is_empty());
}
