//! Concentration risk: the page, the report, the simulation and the blast radius.

use domain::user::Role;

use crate::{
    House,
    browser::Browser,
    reports::{says, text},
    third_parties::{CONTRACT, REGISTER, import},
};

const PAGE: &str = "/workspace/concentration-risk";

async fn analysed(house: &House) -> Browser {
    let mut browser = house.signed_in(Role::Manager).await;
    import(&mut browser, REGISTER).await;
    browser.submit(PAGE, PAGE, &[]).await.expect(303);
    browser
}

#[tokio::test]
async fn an_analysis_shows_shares_breaches_and_what_lies_behind() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(PAGE).await.shows("There is no analysis yet").shows("The register is empty.");
    browser.submit(PAGE, PAGE, &[]).await.expect(422);
    import(&mut browser, REGISTER).await;
    browser.get(PAGE).await.shows("The register holds 2 arrangements that have not been analysed.");
    let made = browser.submit(PAGE, PAGE, &[]).await.expect(303);
    let page = browser.get(made.location()).await.shows("The analysis is made.");
    let page = page.shows("Nordlicht Cloud SE").shows("75 %").shows("HHI 6,250").shows("high concentration");
    let page = page.shows("aria-label=\"Provider: Nordlicht Cloud SE has 75 %, the threshold is 25 %\"");
    let page = page.shows("Rhein Rechenzentrum GmbH").shows("Without an exit plan").shows("400,000.00 EUR");
    let page = page.shows("Third country").shows("texture-hatched").shows("As a table");
    page.shows("href=\"/workspace/ict-arrangements?provider=Nordlicht+Cloud+SE\"")
        .shows("/workspace/settings");
    browser.get(&format!("{PAGE}?by=group")).await.shows("Providers by group").shows("Polar Holding Oyj");
}

#[tokio::test]
async fn earlier_analyses_stay_as_they_were() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    let more = "C-3,Isar Software GmbH,DE,Software,,Licences,S13,Mainframe,Munich,,Reporting,easy,,600000,EUR,2024-01-01,,\n";
    import(&mut browser, &format!("{REGISTER}{more}")).await;
    house.pass(60);
    browser.submit(PAGE, PAGE, &[("basis", "arrangements")]).await.expect(303);
    let page = browser.get(PAGE).await.shows("History of analyses").shows("sparkline").shows("Isar Software");
    let ids: Vec<_> = page.body.split("href=\"/workspace/concentration-risk/ana_").skip(1).collect();
    assert_eq!(ids.len(), 2, "newest first");
    let earlier = format!("{PAGE}/ana_{}", ids[1].split('"').next().unwrap());
    browser.get(&earlier).await.shows("An earlier analysis").shows("75 %").lacks("Isar Software");
    says(&text(&mut browser, &format!("{earlier}.pdf")).await, &["Nordlicht Cloud SE", "75.00 %"]);
    let compare = format!("{PAGE}/compare?from={}", earlier.rsplit('/').next().unwrap());
    browser.get(PAGE).await.shows(&compare);
    let compared = browser.get(&compare).await.expect(200).shows("Two analyses compared");
    compared.shows("These two are measured differently").shows("Isar Software GmbH").shows("+33.33 pp");
    for missing in ["compare", "compare?from=x", "compare?from=ana_01k9x14js0e00000000000000a"] {
        browser.get(&format!("{PAGE}/{missing}")).await.expect(404);
    }
    for missing in ["ana_01k9x14js0e00000000000000a", "x", "x.pdf"] {
        browser.get(&format!("{PAGE}/{missing}")).await.expect(404);
    }
}

#[tokio::test]
async fn the_report_says_what_the_page_says() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    let output = text(&mut browser, &format!("{PAGE}.pdf")).await;
    says(
        &output,
        &["Concentration risk", "Bank north", "Level: Critical", "Measured by: Annual cost", "CET"],
    );
    says(&output, &["Nordlicht Cloud SE", "75.00 %", "300,000.00 EUR", "Threshold 25 %", "6,250"]);
    says(&output, &["Providers by group", "Polar Holding Oyj", "Without an exit plan", "Rhein"]);
    says(&output, &["Third country", "How it is measured"]);
    let mut german = browser.with("accept-language", "de");
    let output = text(&mut german, &format!("{PAGE}.pdf")).await;
    says(
        &output,
        &["Konzentrationsrisiko", "Stufe: Kritisch", "300.000,00 EUR", "Dienstleister nach Konzern"],
    );
    says(&output, &["Ohne Ausstiegsplan", "Wie gemessen wird", "Schwelle 25 %"]);
}

#[tokio::test]
async fn a_simulation_ends_changes_and_signs_and_leaves_the_register_alone() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    let simulate = format!("{PAGE}/simulate");
    let page = browser.get(&simulate).await;
    let id = format!("arr_{}", page.between("value=\"arr_", "\""));
    browser.submit(&simulate, &simulate, &[]).await.expect(422).shows("must name at least one change");

    let ended = browser.submit(&simulate, &simulate, &[("end", &id)]).await.expect(200);
    ended
        .shows("What it would change")
        .shows("Breaches that would go")
        .shows("Alster Netze AG")
        .shows("+75 pp");
    let fields = [("change", id.as_str()), ("change.provider", "Alster Netze AG"), ("change.cost", "100000")];
    let changed = browser.submit(&simulate, &simulate, &fields).await.expect(200);
    changed.shows("Alster Netze AG").shows("100 %");
    let fields = [("change", id.as_str()), ("change.cost", "a lot")];
    browser.submit(&simulate, &simulate, &fields).await.expect(422).shows("href=\"#change.cost\"");

    let form = "/workspace/ict-arrangements/new";
    let signed = browser.submit(form, &simulate, &CONTRACT).await.expect(200);
    signed.shows("Alpha Cloud").shows("The arrangement that would be signed");
    browser
        .get("/workspace/ict-arrangements")
        .await
        .lacks("Alpha Cloud")
        .shows("Nordlicht")
        .shows("300,000.00");
}

#[tokio::test]
async fn the_blast_radius_follows_the_supply_chain() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    let blast = format!("{PAGE}/blast-radius");
    browser.get(&blast).await.expect(200).shows("Nordlicht Cloud SE").lacks("Functions down");
    let direct = browser.get(&format!("{blast}?provider=Nordlicht+Cloud+SE")).await.expect(200);
    direct.shows("Payments").lacks(">Cash").shows("50 %");
    let behind = browser.get(&format!("{blast}?provider=Stromwerk+AG")).await.expect(200);
    behind.shows("Cash").shows("Alster Netze AG → Rhein Rechenzentrum GmbH → Stromwerk AG");
    browser
        .get(&format!("{blast}?provider=Nobody"))
        .await
        .shows("No arrangement of today knows this provider");
    let mut empty = house.browser();
    house.add(&house.test.tenant("south").await, "sue@south.example", Role::Viewer).await;
    empty = empty.signed_in("sue@south.example", crate::PASSWORD).await;
    empty.get(&format!("{blast}?provider=Nordlicht+Cloud+SE")).await.expect(200).lacks("Payments");
}

#[tokio::test]
async fn who_may_only_look_analyses_nothing() {
    let house = House::new().await;
    analysed(&house).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(PAGE).await.shows("Nordlicht").lacks("Analyse now").shows("/simulate");
    viewer.submit(PAGE, PAGE, &[]).await.expect(403);
    viewer.fetch(&format!("{PAGE}.pdf")).await.expect(200);
}

#[tokio::test]
async fn another_tenants_analyses_do_not_exist() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    house.pass(60);
    browser.submit(PAGE, PAGE, &[]).await.expect(303);
    let id = format!("ana_{}", browser.get(PAGE).await.between("/concentration-risk/ana_", "\""));
    let south = house.test.tenant("south").await;
    house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut hers = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    let missing = hers.get(&format!("{PAGE}/ana_01k9x14js0e00000000000000a")).await.expect(404);
    let foreign = hers.get(&format!("{PAGE}/{id}")).await.expect(404);
    assert_eq!(foreign.without_tokens(), missing.without_tokens());
    hers.fetch(&format!("{PAGE}/{id}.pdf")).await.expect(404);
    hers.fetch(&format!("{PAGE}.pdf")).await.expect(404);
    hers.get(PAGE).await.lacks("Nordlicht");
}

#[tokio::test]
async fn an_analysis_says_when_it_is_out_of_date() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    let notice = "This analysis is out of date";
    browser.get(PAGE).await.lacks(notice);
    browser.get("/workspace?widgets=all").await.lacks(notice);
    let settings = "/workspace/settings";
    let thresholds = [
        ("provider_concentration_pct", "90"),
        ("sector_concentration_pct", "90"),
        ("regional_concentration_pct", "90"),
        ("technology_concentration_pct", "90"),
        ("review_frequency_days", "90"),
        ("enabled", "1"),
    ];
    browser.submit(settings, settings, &thresholds).await.expect(303);
    let page =
        browser.get(PAGE).await.shows(notice).shows("The thresholds have changed since this analysis.");
    page.lacks("The register has changed since this analysis.").shows("Analyse again");
    import(&mut browser, &REGISTER.replace("Hamburg", "Bremen")).await;
    browser.get(PAGE).await.shows("The register has changed since this analysis.");
    browser.get("/workspace?widgets=all").await.shows(notice).shows("Analyse again");
    says(
        &text(&mut browser, &format!("{PAGE}.pdf")).await,
        &["The register has changed since this analysis."],
    );
    let mut german = browser.with("accept-language", "de");
    german
        .get(PAGE)
        .await
        .shows("Diese Analyse ist veraltet")
        .shows("Die Schwellen wurden seit dieser Analyse");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(PAGE).await.shows(notice).lacks("Analyse again");
    browser.submit(PAGE, PAGE, &[]).await.expect(303);
    browser.get(PAGE).await.lacks(notice);
    // A change without effect leaves the analysis as it is.
    import(&mut browser, &REGISTER.replace("Hamburg", "Bremen")).await;
    browser.get(PAGE).await.lacks(notice);
}

#[tokio::test]
async fn kept_exchange_rates_serve_analyses_and_simulations() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let dollars = REGISTER.replacen("EUR", "USD", 1);
    import(&mut browser, &dollars).await;
    let refused = browser.submit(PAGE, PAGE, &[]).await.expect(422);
    refused.shows("href=\"#rates\"").shows("<details class=\"card\" id=\"analyse\" open>");
    let settings = "/workspace/settings";
    let rates = format!("{settings}/rates");
    let wrong = browser.submit(settings, &rates, &[("valid_on", "2026-11-13"), ("rates", "USD a lot")]).await;
    wrong.expect(422).shows("href=\"#rates\"").shows("USD a lot");
    let future = browser.submit(settings, &rates, &[("valid_on", "2099-01-01"), ("rates", "USD 0.8")]).await;
    future.expect(422).shows("href=\"#valid_on\"");
    let fields = [("valid_on", "2026-11-13"), ("rates", "usd 0,8")];
    browser.submit(settings, &rates, &fields).await.expect(303);
    browser.get(settings).await.shows("USD 0.8").shows("2026-11-13");
    browser.submit(PAGE, PAGE, &[]).await.expect(303);
    browser.get(PAGE).await.shows("Exchange rates: USD 0.8 (13 Nov 2026)");
    says(&text(&mut browser, &format!("{PAGE}.pdf")).await, &["USD 0.8 (13 Nov 2026)"]);
    // A rate in the request takes precedence, and has no day.
    browser.submit(PAGE, PAGE, &[("rates", "USD 0.9")]).await.expect(303);
    browser.get(PAGE).await.shows("Exchange rates: USD 0.9</p>");
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get(settings).await.shows("13 Nov 2026").lacks("name=\"rates\"");
    auditor.submit("/workspace", &rates, &fields).await.expect(403);
}

#[tokio::test]
async fn a_simulation_is_kept_listed_printed_and_deleted() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    let simulate = format!("{PAGE}/simulate");
    let id = format!("arr_{}", browser.get(&simulate).await.between("value=\"arr_", "\""));
    let shown = browser.submit(&simulate, &simulate, &[("end", &id)]).await.expect(200);
    let shown = shown.shows("Keep this simulation");
    let hidden = shown.hidden();
    let mut fields: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let keep = format!("{PAGE}/simulations");
    browser.post(&keep, &fields).await.expect(422).shows("href=\"#name\"");
    fields.push(("name", "Leaving Nordlicht <now>"));
    let kept = browser.post(&keep, &fields).await.expect(303);
    let address = kept.location().split('?').next().unwrap().to_owned();
    let page = browser.get(kept.location()).await.shows("The simulation is kept.");
    page.shows("Leaving Nordlicht &lt;now&gt;").shows("Nordlicht Cloud SE").shows("+75 pp").shows("C-1");
    browser.get(&simulate).await.shows("Kept simulations").shows(&address);
    let attach = format!("{address}/attach");
    let wrong = [("type", "arrangement"), ("id", "arr_01k9x14js0e00000000000000a")];
    browser
        .submit(&address, &attach, &wrong)
        .await
        .expect(422)
        .shows("must be the id of a record of this type");
    let proof = browser.submit(&address, &attach, &[("type", "arrangement"), ("id", &id)]).await.expect(303);
    browser
        .get(proof.location())
        .await
        .shows("Leaving Nordlicht &lt;now&gt;")
        .shows(&id)
        .shows("application/pdf");
    let output = text(&mut browser, &format!("{address}.pdf")).await;
    says(&output, &["Simulation: Leaving Nordlicht <now>", "End", "Nordlicht Cloud SE", "+75 pp", "Before"]);
    let mut german = browser.with("accept-language", "de");
    says(&text(&mut german, &format!("{address}.pdf")).await, &["Beenden", "+75 PP", "Prozentpunkten"]);

    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&address).await.expect(200).lacks("/delete");
    viewer.submit("/workspace", &keep, &[("name", "x"), ("end", &id)]).await.expect(403);
    viewer.submit("/workspace", &format!("{address}/delete"), &[]).await.expect(403);
    let south = house.test.tenant("south").await;
    house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut hers = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    hers.get(&address).await.expect(404);
    hers.fetch(&format!("{address}.pdf")).await.expect(404);
    hers.submit("/workspace", &format!("{address}/delete"), &[]).await.expect(404);

    let gone = browser.submit(&address, &format!("{address}/delete"), &[]).await.expect(303);
    browser.get(gone.location()).await.shows("The simulation is deleted.").lacks("Leaving Nordlicht");
    browser.get(&address).await.expect(404);
}

#[tokio::test]
async fn an_error_opens_the_fold_it_is_in() {
    let house = House::new().await;
    let mut browser = analysed(&house).await;
    let simulate = format!("{PAGE}/simulate");
    let id = format!("arr_{}", browser.get(&simulate).await.between("value=\"arr_", "\""));
    let closed = "<details><summary>How it is measured";
    browser.get(&simulate).await.shows(closed);
    let fields = [("end", id.as_str()), ("as_of", "yesterday")];
    browser.submit(&simulate, &simulate, &fields).await.expect(422).lacks(closed).shows("href=\"#as_of\"");
}
