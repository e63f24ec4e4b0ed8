//! Which role sees and changes what.

use domain::user::Role;

use crate::House;

/// Each page with what a viewer, an auditor, a contributor, a manager and an administrator get.
const PAGES: &[(&str, [u16; 5])] = &[
    ("/workspace", [200, 200, 200, 200, 200]),
    ("/workspace/work", [200, 200, 200, 200, 200]),
    ("/workspace/work/people", [200, 200, 200, 200, 200]),
    ("/workspace/programmes", [200, 200, 200, 200, 200]),
    ("/workspace/programmes/new", [403, 403, 200, 200, 200]),
    ("/workspace/controls", [200, 200, 200, 200, 200]),
    ("/workspace/controls/new", [403, 403, 200, 200, 200]),
    ("/workspace/controls/adopt", [403, 403, 200, 200, 200]),
    ("/workspace/assessments", [200, 200, 200, 200, 200]),
    ("/workspace/assessments/dora", [200, 200, 200, 200, 200]),
    ("/workspace/assessments/dora/dora-art-05-02-a", [200, 200, 200, 200, 200]),
    ("/workspace/statement-of-applicability", [200, 200, 200, 200, 200]),
    ("/workspace/statement-of-applicability.csv", [200, 200, 200, 200, 200]),
    ("/workspace/statement-of-applicability.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/programmes.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/programmes.csv", [200, 200, 200, 200, 200]),
    ("/workspace/programmes.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/test-cases", [200, 200, 200, 200, 200]),
    ("/workspace/test-cases/new", [403, 403, 200, 200, 200]),
    ("/workspace/test-cases.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/test-cases.csv", [200, 200, 200, 200, 200]),
    ("/workspace/test-cases.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/findings", [200, 200, 200, 200, 200]),
    ("/workspace/findings/new", [403, 403, 200, 200, 200]),
    ("/workspace/findings.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/findings.csv", [200, 200, 200, 200, 200]),
    ("/workspace/findings.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/findings/import", [403, 403, 200, 200, 200]),
    ("/workspace/incidents", [200, 200, 200, 200, 200]),
    ("/workspace/incidents/new", [403, 403, 200, 200, 200]),
    ("/workspace/incidents/import", [403, 403, 200, 200, 200]),
    ("/workspace/incidents/template.csv", [403, 403, 200, 200, 200]),
    ("/workspace/incidents/statistics", [200, 200, 200, 200, 200]),
    ("/workspace/board-report.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/incidents.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/incidents.csv", [200, 200, 200, 200, 200]),
    ("/workspace/incidents.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/cra-reports", [200, 200, 200, 200, 200]),
    ("/workspace/cra-reports/new", [403, 403, 403, 200, 200]),
    ("/workspace/ict-arrangements", [200, 200, 200, 200, 200]),
    ("/workspace/ict-arrangements/new", [403, 403, 403, 200, 200]),
    ("/workspace/ict-arrangements/import", [403, 403, 403, 200, 200]),
    ("/workspace/ict-arrangements.csv", [200, 200, 200, 200, 200]),
    ("/workspace/ict-arrangements.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/ict-arrangements/template.csv", [403, 403, 403, 200, 200]),
    ("/workspace/register", [200, 200, 200, 200, 200]),
    ("/workspace/register/filings", [200, 200, 200, 200, 200]),
    ("/workspace/register/export/xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/register/import", [403, 403, 403, 200, 200]),
    ("/workspace/register/B_02.01/table", [403, 403, 403, 200, 200]),
    ("/workspace/concentration-risk", [200, 200, 200, 200, 200]),
    ("/workspace/concentration-risk/blast-radius", [200, 200, 200, 200, 200]),
    ("/workspace/concentration-risk/simulate", [200, 200, 200, 200, 200]),
    ("/workspace/compliance", [200, 200, 200, 200, 200]),
    ("/workspace/compliance/dora", [200, 200, 200, 200, 200]),
    ("/workspace/compliance/dora/gaps", [200, 200, 200, 200, 200]),
    ("/workspace/compliance/dora/gaps.csv", [200, 200, 200, 200, 200]),
    ("/workspace/requirements", [200, 200, 200, 200, 200]),
    ("/workspace/gaps", [200, 200, 200, 200, 200]),
    ("/workspace/provider-questions", [200, 200, 200, 200, 200]),
    ("/workspace/training", [200, 200, 200, 200, 200]),
    ("/workspace/search", [200, 200, 200, 200, 200]),
    ("/workspace/timeline", [200, 200, 200, 200, 200]),
    ("/workspace/radar", [200, 200, 200, 200, 200]),
    ("/workspace/drills", [200, 200, 200, 200, 200]),
    ("/workspace/providers", [200, 200, 200, 200, 200]),
    ("/workspace/providers.csv", [200, 200, 200, 200, 200]),
    ("/workspace/drill-runs", [200, 200, 200, 200, 200]),
    ("/workspace/drill-runs/new", [403, 403, 200, 200, 200]),
    ("/workspace/drill-runs.csv", [200, 200, 200, 200, 200]),
    ("/workspace/risk-register", [200, 200, 200, 200, 200]),
    ("/workspace/evidence", [200, 200, 200, 200, 200]),
    ("/workspace/evidence/new", [403, 403, 200, 200, 200]),
    ("/workspace/evidence.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/evidence.csv", [200, 200, 200, 200, 200]),
    ("/workspace/evidence.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/risks", [200, 200, 200, 200, 200]),
    ("/workspace/risks/new", [403, 403, 200, 200, 200]),
    ("/workspace/risks/adopt", [403, 403, 200, 200, 200]),
    ("/workspace/risks/matrix", [200, 200, 200, 200, 200]),
    ("/workspace/risks/appetite", [200, 200, 200, 200, 200]),
    ("/workspace/risks.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/risks.csv", [200, 200, 200, 200, 200]),
    ("/workspace/risks.xlsx", [200, 200, 200, 200, 200]),
    ("/workspace/vendor-scorecard", [200, 200, 200, 200, 200]),
    ("/workspace/own-frameworks", [200, 200, 200, 200, 200]),
    ("/workspace/own-frameworks/new", [403, 403, 200, 200, 200]),
    ("/workspace/own-frameworks.csv", [200, 200, 200, 200, 200]),
    ("/workspace/functions", [200, 200, 200, 200, 200]),
    ("/workspace/functions/new", [403, 403, 200, 200, 200]),
    ("/workspace/functions.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/controls.pdf", [200, 200, 200, 200, 200]),
    ("/workspace/webhooks", [200, 200, 200, 200, 200]),
    ("/workspace/webhooks/new", [403, 403, 403, 200, 200]),
    ("/workspace/api-keys", [403, 403, 403, 403, 200]),
    ("/workspace/api-keys/new", [403, 403, 403, 403, 200]),
    ("/workspace/audit", [403, 200, 403, 403, 200]),
    ("/workspace/audit.csv", [403, 200, 403, 403, 200]),
    ("/workspace/audit/verify", [403, 200, 403, 403, 200]),
    ("/workspace/users", [403, 200, 403, 403, 200]),
    ("/workspace/users/new", [403, 403, 403, 403, 200]),
    ("/workspace/settings", [200, 200, 200, 200, 200]),
    ("/workspace/settings/profile", [200, 200, 200, 200, 200]),
    ("/workspace/settings/sign-in", [403, 403, 403, 403, 200]),
    ("/workspace/profile", [200, 200, 200, 200, 200]),
    ("/workspace/profile/second-factor", [303, 303, 303, 303, 303]),
    ("/workspace/design", [200, 200, 200, 200, 200]),
];

#[tokio::test]
async fn every_page_is_open_to_its_roles_only() {
    let house = House::new().await;
    for (index, role) in Role::ALL.iter().enumerate() {
        let mut browser = house.signed_in(*role).await;
        for (path, expected) in PAGES {
            let page = browser.fetch(path).await;
            assert_eq!(page.status.as_u16(), expected[index], "{role} at {path}");
        }
    }
    for (path, _) in PAGES {
        house.browser().fetch(path).await.expect(303);
    }
}

/// The address of a page that takes a change, the page it is shown on, and who may.
const CHANGES: &[(&str, &str, [u16; 5])] = &[
    ("/workspace/work", "/workspace", [403, 403, 303, 303, 303]),
    ("/workspace/programmes", "/workspace", [403, 403, 303, 303, 303]),
    ("/workspace/controls", "/workspace", [403, 403, 303, 303, 303]),
    ("/workspace/controls/adopt", "/workspace", [403, 403, 200, 200, 200]),
    ("/workspace/assessments/dora", "/workspace", [403, 403, 422, 422, 422]),
    ("/workspace/assessments/dora/dora-art-05-02-a", "/workspace", [403, 403, 303, 303, 303]),
    ("/workspace/assessments/dora/dora-art-05-02-a/approve", "/workspace", [403, 403, 422, 422, 422]),
    ("/workspace/findings", "/workspace", [403, 403, 303, 303, 303]),
    ("/workspace/incidents", "/workspace", [403, 403, 303, 303, 303]),
    ("/workspace/own-frameworks", "/workspace", [403, 403, 422, 422, 422]),
    ("/workspace/functions", "/workspace", [403, 403, 303, 303, 303]),
    ("/workspace/cra-reports", "/workspace", [403, 403, 403, 422, 422]),
    ("/workspace/ict-arrangements", "/workspace", [403, 403, 403, 422, 422]),
    ("/workspace/concentration-risk", "/workspace", [403, 403, 403, 422, 422]),
    ("/workspace/settings", "/workspace/settings", [403, 403, 403, 303, 303]),
    ("/workspace/settings/profile", "/workspace/settings/profile", [403, 403, 403, 303, 303]),
    ("/workspace/settings/rates", "/workspace", [403, 403, 403, 303, 303]),
    ("/workspace/settings/language", "/workspace", [403, 403, 403, 403, 303]),
    ("/workspace/settings/lead-times", "/workspace", [403, 403, 403, 403, 422]),
    ("/workspace/settings/second-factor", "/workspace", [403, 403, 403, 403, 422]),
    ("/workspace/settings/key-policy", "/workspace", [403, 403, 403, 403, 303]),
    ("/workspace/settings/sign-in", "/workspace", [403, 403, 403, 403, 422]),
    ("/workspace/settings/sign-in/check", "/workspace", [403, 403, 403, 403, 422]),
    ("/workspace/settings/sign-in/remove", "/workspace", [403, 403, 403, 403, 404]),
    ("/workspace/settings/mail-test", "/workspace", [403, 403, 403, 403, 422]),
    ("/workspace/webhooks", "/workspace", [403, 403, 403, 303, 303]),
    ("/workspace/api-keys", "/workspace", [403, 403, 403, 403, 200]),
    ("/workspace/users", "/workspace", [403, 403, 403, 403, 200]),
];

#[tokio::test]
async fn every_change_is_open_to_its_roles_only() {
    let house = House::new().await;
    for (index, role) in Role::ALL.iter().enumerate() {
        let mut browser = house.signed_in(*role).await;
        let email = format!("new-{role}@north.example");
        // Functions of one name are not accepted twice.
        let name = format!("Something new by a {role}");
        let fields = [
            ("name", name.as_str()),
            ("title", "Something new"),
            ("framework", "dora"),
            ("severity", "low"),
            ("language", "de"),
            ("email", &email),
            ("role", "viewer"),
            ("channel", "email"),
            ("url", "mailto:ict@bank.example"),
            ("events", "finding.created"),
            ("provider_concentration_pct", "30"),
            ("sector_concentration_pct", "30"),
            ("regional_concentration_pct", "30"),
            ("technology_concentration_pct", "30"),
            ("review_frequency_days", "90"),
        ];
        for (path, shown_at, expected) in CHANGES {
            let page = browser.submit(shown_at, path, &fields).await;
            assert_eq!(page.status.as_u16(), expected[index], "{role} at {path}: {}", page.body);
        }
    }
}

/// Violations of a form are not shown to a user who may not send it.
#[tokio::test]
async fn the_role_is_looked_at_before_the_form() {
    let house = House::new().await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    for path in ["/workspace/webhooks", "/workspace/api-keys", "/workspace/users", "/workspace/settings"] {
        let fields = [("name", ""), ("provider_concentration_pct", "many")];
        viewer.submit("/workspace", path, &fields).await.expect(403);
    }
}

#[tokio::test]
async fn every_address_stands_in_the_table() {
    let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/route.rs")).unwrap();
    let addresses =
        source.lines().filter_map(|line| line.strip_prefix("pub(crate) const ")?.split('"').nth(1));
    let apart = [
        "/workspace/sign-in",
        "/workspace/sign-in/code",
        "/workspace/sign-in/forgotten",
        "/workspace/sign-in/oidc",
        "/workspace/sign-in/passkey",
        // Passkeys are listed on the profile; their addresses only take forms.
        "/workspace/profile/passkeys",
        "/workspace/profile/passkeys/options",
        "/workspace/sign-out",
        "/workspace/link",
        // A place on a page that stands in the table.
        "/workspace/concentration-risk#analyse",
        "/workspace/work#new-task",
        // Tasks lie below it; their list is the page of work.
        "/workspace/work/tasks",
        // One question of a page that stands in the table.
        "/workspace/settings/profile?question=1",
    ];
    for address in addresses.filter(|address| !apart.contains(address)) {
        assert!(PAGES.iter().any(|(path, _)| *path == address), "{address} is in no table of roles");
    }
}

#[tokio::test]
async fn the_menu_offers_only_what_opens() {
    let house = House::new().await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer
        .get("/workspace")
        .await
        .lacks("/workspace/users")
        .lacks("/workspace/api-keys")
        .lacks("/workspace/findings/new")
        .lacks("/workspace/concentration-risk#analyse")
        .shows("/workspace/webhooks");
    let mut contributor = house.signed_in(Role::Contributor).await;
    let page = contributor.get("/workspace").await;
    let actions = page.between("id=\"palette-list\"", "</ul>").to_owned();
    let at = |address: &str| actions.find(&format!("href=\"{address}\""));
    assert!(at("/workspace/findings/new") < at("/workspace/findings"), "actions first: {actions}");
    assert!(at("/workspace/findings/import").is_some() && at("/workspace/ict-arrangements/import").is_none());
    let mut administrator = house.signed_in(Role::Administrator).await;
    administrator.get("/workspace").await.shows("/workspace/users").shows("/workspace/api-keys");
}
