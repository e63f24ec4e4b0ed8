//! The language of a reader, and assets.

use domain::user::Role;

use crate::{
    House,
    third_parties::{CONTRACT, LIST},
};

#[tokio::test]
async fn strangers_read_what_their_browser_asks_for() {
    let house = House::new().await;
    for (header, shown) in [
        ("de-DE,de;q=0.9,en;q=0.5", "<html lang=\"de\""),
        ("fr", "<html lang=\"en\""),
        ("en-US, de;q=0.9", "<html lang=\"en\""),
    ] {
        house.browser().with("accept-language", header).get("/workspace/sign-in").await.shows(shown);
    }
    let mut german = house.browser().with("accept-language", "de");
    german.get("/workspace/nowhere").await.expect(404).shows("Seite nicht gefunden");
    let fields = [("email", "x"), ("password", "y")];
    german.post("/workspace/sign-in", &fields).await.shows("E-Mail-Adresse oder Passwort ist nicht richtig.");
}

#[tokio::test]
async fn assets_are_kept_for_ever_and_change_their_name() {
    let house = House::new().await;
    let mut browser = house.browser();
    let page = browser.get("/workspace/sign-in").await;
    for (before, kind) in [("rel=\"stylesheet\" href=\"", "text/css"), ("<script src=\"", "text/javascript")]
    {
        let path = page.between(before, "\"").to_owned();
        let asset = browser.get(&path).await.expect(200);
        assert!(asset.headers["content-type"].to_str().unwrap().starts_with(kind));
        assert_eq!(asset.headers["cache-control"], "public, max-age=31536000, immutable");
    }
    browser.get("/workspace/assets/style.css").await.expect(404);
}

#[tokio::test]
async fn what_people_type_is_never_markup() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let nasty = "<img src=x onerror=alert(1)>\"'";
    let fields = [("name", nasty), ("language", ""), ("theme", "device")];
    browser.submit("/workspace/profile", "/workspace/profile", &fields).await.expect(303);
    for path in ["/workspace", "/workspace/profile", "/workspace/users", "/workspace/audit"] {
        browser.get(path).await.expect(200).lacks("<img").shows("&lt;img src=x onerror=alert(1)&gt;&quot;");
    }
    let next = "/workspace?\"><script>alert(1)</script>";
    let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
    house.browser().get(&format!("/workspace/sign-in?{query}")).await.expect(200).lacks("<script>alert");
}

#[tokio::test]
async fn a_german_form_reads_german_numbers_and_answers_in_german() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await.with("accept-language", "de-DE");
    let with_cost = |cost: &'static str| {
        CONTRACT.map(|(field, value)| (field, if field == "annual_cost.amount" { cost } else { value }))
    };
    let new = format!("{LIST}/new");
    for wrong in ["1.250", "1.25,50"] {
        browser.submit(&new, LIST, &with_cost(wrong)).await.expect(422).lacks("must be");
    }
    browser.submit(&new, LIST, &with_cost("1.250")).await.shows("lässt sich auf zwei Arten lesen");
    let made = browser.submit(&new, LIST, &with_cost("1.250,50")).await.expect(303);
    let address = made.location().strip_suffix("?done=created").unwrap().to_owned();
    browser.get(&address).await.shows("1.250,50 EUR");
    browser.get(&format!("{address}/edit")).await.shows("value=\"1250,50\"");
}

#[tokio::test]
async fn a_sentence_about_another_field_names_its_label_and_the_day_as_the_reader_writes_it() {
    let house = House::new().await;
    let fields = [
        ("name", "Yearly tests"),
        ("framework", "dora"),
        ("starts_on", "2027-01-01"),
        ("ends_on", "2026-12-31"),
    ];
    let (new, list) = ("/workspace/programmes/new", "/workspace/programmes");
    let mut english = house.signed_in(Role::Manager).await;
    english.submit(new, list, &fields).await.expect(422).shows("must not be before “Starts on” (1 Jan 2027)");
    let mut german = english.with("accept-language", "de");
    german
        .submit(new, list, &fields)
        .await
        .expect(422)
        .shows("darf nicht vor „Beginnt am“ (01.01.2027) liegen");
}

#[tokio::test]
async fn a_german_page_has_no_english_citations_publishers_rights_and_fields() {
    let house = House::new().await;
    let mut german = house.signed_in(Role::Administrator).await.with("accept-language", "de");
    let radar = german.get("/workspace/radar").await.expect(200).shows("Deutschland (Bundesrecht)");
    radar.lacks(">Germany (federal law)<").lacks("Regulation (EU) 2022/2554");
    let questions = german.get("/workspace/provider-questions").await.expect(200);
    questions.shows("Verordnung (EU) 2022/2554 (DORA), Art. 28 Abs. 3").lacks("Regulation (EU)");
    house.test.key(&house.north, "read,write").await;
    german.get("/workspace/api-keys").await.expect(200).shows("lesen, schreiben").lacks("read, write");
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let arrangement = serde_json::json!({
        "reference": "V-1", "provider": { "name": "Druck GmbH", "country": "DE", "sector": "Business services" },
        "service": "Letters", "service_type": "S03", "technology": "Print", "region": "Frankfurt",
        "substitutability": "easy", "starts_on": "2026-01-01", "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    let made = client.post("/api/v1/ict-arrangements", &arrangement).await.expect(201).data();
    let page = format!("/workspace/ict-arrangements/{}", made["id"].as_str().unwrap());
    german.get(&page).await.shows("Unternehmensdienste").lacks("Business services");
    let analysis = "/workspace/concentration-risk";
    german.submit(analysis, analysis, &[]).await.expect(303);
    let shown = german.get(analysis).await.shows("Unternehmensdienste");
    shown.lacks(">Business services<");
    german.get("/workspace").await.lacks(">Business services<");
    let import = "/workspace/findings/import";
    let wrong = "title,severity,cvss\nOld cipher,very bad,99\n";
    let page = german.upload(import, &[("step", "check")], wrong).await;
    page.shows("Schweregrad")
        .shows("muss einer dieser Werte sein: Kritisch, Hoch, Mittel")
        .lacks("must be one of");
}
