//! The start page by role: what waits for the reader, the figures and the lists they lead to, and the change of the
//! frameworks.

use domain::user::Role;

use crate::{
    House,
    browser::{Browser, Page},
    records::create,
    third_parties::{REGISTER, import},
};

/// Name, address and number of every figure.
fn figures(page: &Page) -> Vec<(String, String, u64)> {
    let part = page.between("<div class=\"stats\">", "</div>");
    let one = |text: &str| {
        let address = text.split('"').next().unwrap().replace("&amp;", "&");
        let name = text.split("class=\"quiet\">").nth(1).unwrap().split('<').next().unwrap();
        let number = text.split("class=\"figure\">").nth(1).unwrap().split('<').next().unwrap();
        (name.to_owned(), address, number.parse().unwrap())
    };
    part.split("<a href=\"").skip(1).map(one).collect()
}

/// How many records the list at an address shows.
async fn listed(browser: &mut Browser, address: &str) -> u64 {
    let page = browser.get(address).await.expect(200);
    if address.contains("concentration-risk") {
        let figure = page.between("<span class=\"quiet\">Breaches</span>", "</div>").to_owned();
        return figure.split("class=\"figure\">").nth(1).unwrap().split('<').next().unwrap().parse().unwrap();
    }
    if page.body.contains("<div class=\"empty\">") {
        return 0;
    }
    page.between("<tbody", "</tbody>").matches("<tr").count() as u64
}

/// Something for every figure, partly owned by a contributor.
async fn filled(house: &House) {
    let mut manager = house.signed_in(Role::Manager).await;
    for (title, severity, owner, due) in [
        ("Console open", "critical", "contributor", "2026-11-15"),
        ("Old cipher", "critical", "Ada", "2027-01-31"),
        ("Backups", "low", "contributor", "2026-11-20"),
    ] {
        let fields = [("title", title), ("severity", severity), ("owner", owner), ("due_on", due)];
        create(&mut manager, "/workspace/findings", &fields).await;
    }
    let fields = [("name", "Payments"), ("framework", "dora")];
    let programme = create(&mut manager, "/workspace/programmes", &fields).await;
    let id = programme.rsplit('/').next().unwrap().to_owned();
    for (title, steps) in
        [("Restore", &["ready", "in_progress"][..]), ("Failover", &["ready", "in_progress", "failed"])]
    {
        let fields =
            [("programme_id", id.as_str()), ("title", title), ("test_type", "tlpt"), ("priority", "low")];
        let test = create(&mut manager, "/workspace/test-cases", &fields).await;
        for status in steps {
            let note = [("status", *status), ("note", "so it is"), ("actual_result", "It took two hours")];
            manager.submit(&test, &format!("{test}/move"), &note).await.expect(303);
        }
    }
    let incidents = "/workspace/incidents";
    let incident = create(&mut manager, incidents, &[("title", "Cards down"), ("regimes", "dora")]).await;
    let facts = [("facts.critical_services", "yes"), ("facts.malicious_access", "yes")];
    manager.submit(&incident, &format!("{incident}/facts"), &facts).await.expect(303);
    manager.submit(&incident, &format!("{incident}/classify"), &[]).await.expect(303);
    create(&mut manager, incidents, &[("title", "Slow mail"), ("regimes", "dora")]).await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let appetite = "/workspace/risks/appetite";
    let levels = [("cyber-attack", "low"), ("second_person_from", "high")];
    administrator.submit(appetite, appetite, &levels).await.expect(303);
    for (title, likelihood) in [("Ransomware", "5"), ("Typing error", "1")] {
        let fields = [
            ("title", title),
            ("category", "cyber-attack"),
            ("treatment", "mitigate"),
            ("inherent.likelihood", likelihood),
            ("inherent.impact", likelihood),
            ("residual.likelihood", likelihood),
            ("residual.impact", likelihood),
        ];
        create(&mut manager, "/workspace/risks", &fields).await;
    }
    import(&mut manager, REGISTER).await;
    manager.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await.expect(303);
    // The first finding is overdue then.
    house.pass(2 * 24 * 60 * 60);
}

#[tokio::test]
async fn every_figure_leads_to_a_list_with_as_many_records() {
    let house = House::new().await;
    filled(&house).await;
    for (role, first) in [
        (Role::Viewer, "Open major incidents"),
        (Role::Auditor, "Open findings"),
        (Role::Contributor, "Own open findings"),
        (Role::Manager, "Open major incidents"),
        (Role::Administrator, "Open major incidents"),
    ] {
        let mut browser = match role {
            Role::Manager | Role::Administrator => {
                house.browser().signed_in(&format!("{role}@north.example"), crate::PASSWORD).await
            }
            _ => house.signed_in(role).await,
        };
        let all = figures(&browser.get("/workspace").await.expect(200));
        assert_eq!(all.len(), 6, "{role}: {all:?}");
        assert_eq!(all[0].0, first, "{role}");
        for (name, address, number) in all {
            assert_eq!(listed(&mut browser, &address).await, number, "{role}: {name} at {address}");
            assert!(number > 0, "{role}: nothing to count for {name}");
        }
    }
}

#[tokio::test]
async fn what_waits_for_the_reader_stands_before_the_figures() {
    let house = House::new().await;
    filled(&house).await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let page = contributor.get("/workspace").await.expect(200);
    let main = page.between("<main", "</main>");
    assert!(main.find("data-part=\"waiting\"").unwrap() < main.find("class=\"stats\"").unwrap());
    let waiting = page.between("data-part=\"waiting\"", "</section>").to_owned();
    let number = |address: &str| {
        let rest =
            waiting.split(&format!("href=\"{address}\"")).nth(1).unwrap_or_else(|| panic!("{waiting}"));
        rest.split("<strong>").nth(1).unwrap().split('<').next().unwrap().to_owned()
    };
    let late = number("/workspace/work#late");
    contributor.get("/workspace/work").await.shows(&format!("Late ({late})")).shows("id=\"late\"");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get("/workspace").await.shows("Nothing waits for you.");
}

#[tokio::test]
async fn frameworks_show_how_much_more_is_met_than_before() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    create(&mut browser, "/workspace/findings", &[("title", "Backups"), ("severity", "low")]).await;
    let assess = async |browser: &mut Browser, id: &str| {
        let at = format!("/workspace/assessments/dora/{id}");
        browser.submit(&at, &at, &[("status", "met"), ("rationale", "Done")]).await.expect(303);
    };
    assess(&mut browser, "dora-art-05-02-a").await;
    house.test.app.compliance.keep_scores().await.unwrap();
    house.pass(20 * 24 * 60 * 60);
    let mut browser = house.browser().signed_in("manager@north.example", crate::PASSWORD).await;
    for id in ["dora-art-05-02-b", "dora-art-05-02-c"] {
        assess(&mut browser, id).await;
    }
    let part = |page: &Page| page.between("data-widget=\"widget-compliance-score\"", "</section>").to_owned();
    let month = part(&browser.get("/workspace").await);
    assert!(month.contains("3 of ") && month.contains("+2 since 14 Nov 2026"), "{month}");
    let week = part(&browser.get("/workspace?period=7").await);
    assert!(!week.contains("+2 since 14 Nov") && week.contains("?period=30"), "{week}");
}
