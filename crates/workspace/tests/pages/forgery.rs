//! Changes that another site caused.

use domain::user::Role;

use crate::House;

const CHANGES: &[&str] = &[
    "/workspace/sign-out",
    "/workspace/programmes",
    "/workspace/programmes/prg_01k9x14js0e00000000000000a",
    "/workspace/programmes/prg_01k9x14js0e00000000000000a/move",
    "/workspace/programmes/prg_01k9x14js0e00000000000000a/delete",
    "/workspace/test-cases",
    "/workspace/test-cases/tst_01k9x14js0e00000000000000a",
    "/workspace/test-cases/tst_01k9x14js0e00000000000000a/move",
    "/workspace/test-cases/tst_01k9x14js0e00000000000000a/delete",
    "/workspace/test-cases/tst_01k9x14js0e00000000000000a/archive",
    "/workspace/test-cases/tst_01k9x14js0e00000000000000a/restore",
    "/workspace/controls",
    "/workspace/controls/adopt",
    "/workspace/controls/ctl_01k9x14js0e00000000000000a",
    "/workspace/controls/ctl_01k9x14js0e00000000000000a/performed",
    "/workspace/controls/ctl_01k9x14js0e00000000000000a/delete",
    "/workspace/assessments/dora",
    "/workspace/assessments/dora/dora-art-05-02-a",
    "/workspace/assessments/dora/dora-art-05-02-a/approve",
    "/workspace/assessments/dora/dora-art-05-02-a/carry",
    "/workspace/findings",
    "/workspace/findings/move",
    "/workspace/findings/fnd_01k9x14js0e00000000000000a",
    "/workspace/findings/fnd_01k9x14js0e00000000000000a/move",
    "/workspace/findings/fnd_01k9x14js0e00000000000000a/delete",
    "/workspace/findings/fnd_01k9x14js0e00000000000000a/archive",
    "/workspace/findings/fnd_01k9x14js0e00000000000000a/restore",
    "/workspace/incidents",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/move",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/facts",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/classify",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/log",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/cra-report",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/reports/dora/initial",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/reports/dora/initial/submitted",
    "/workspace/incidents/inc_01k9x14js0e00000000000000a/reports/dora/initial/correct",
    "/workspace/controls/ctl_01k9x14js0e00000000000000a/performances/1/correct",
    "/workspace/register/filings/fil_01k9x14js0e00000000000000a/correct",
    "/workspace/functions",
    "/workspace/functions/fun_01k9x14js0e00000000000000a",
    "/workspace/functions/fun_01k9x14js0e00000000000000a/delete",
    "/workspace/cra-reports",
    "/workspace/cra-reports/cra_01k9x14js0e00000000000000a",
    "/workspace/cra-reports/cra_01k9x14js0e00000000000000a/move",
    "/workspace/cra-reports/cra_01k9x14js0e00000000000000a/correct",
    "/workspace/cra-reports/cra_01k9x14js0e00000000000000a/delete",
    "/workspace/cra-reports/cra_01k9x14js0e00000000000000a/archive",
    "/workspace/cra-reports/cra_01k9x14js0e00000000000000a/restore",
    "/workspace/ict-arrangements",
    "/workspace/ict-arrangements/arr_01k9x14js0e00000000000000a",
    "/workspace/ict-arrangements/arr_01k9x14js0e00000000000000a/delete",
    "/workspace/concentration-risk",
    "/workspace/concentration-risk/simulate",
    "/workspace/concentration-risk/simulations/sim_01k9x14js0e00000000000000a/attach",
    "/workspace/register/take-over",
    "/workspace/providers/prv_01k9x14js0e00000000000000a",
    "/workspace/providers/prv_01k9x14js0e00000000000000a/subcontractors",
    "/workspace/webhooks/whk_01k9x14js0e00000000000000a/test",
    "/workspace/webhooks/whk_01k9x14js0e00000000000000a/replay",
    "/workspace/webhooks/whk_01k9x14js0e00000000000000a/deliveries/dlv_01k9x14js0e00000000000000a/retry",
    "/workspace/settings/profile",
    "/workspace/settings/sign-in",
    "/workspace/settings/sign-in/check",
    "/workspace/settings/sign-in/remove",
    "/workspace/settings/key-policy",
    "/workspace/settings/language",
    "/workspace/settings/currency",
    "/workspace/settings/time-zone",
    "/workspace/settings/classification",
    "/workspace/settings/lead-times",
    "/workspace/settings/due-days",
    "/workspace/settings/mail-test",
    "/workspace/settings/evidence-types",
    "/workspace/settings/mail-domains",
    "/workspace/webhooks/whk_01k9x14js0e00000000000000a/ask",
    "/workspace/api-keys",
    "/workspace/api-keys/key_01k9x14js0e00000000000000a/revoke",
    "/workspace/webhooks",
    "/workspace/webhooks/whk_01k9x14js0e00000000000000a",
    "/workspace/webhooks/whk_01k9x14js0e00000000000000a/delete",
    "/workspace/event-hooks",
    "/workspace/event-hooks/evh_01k9x14js0e00000000000000a",
    "/workspace/event-hooks/evh_01k9x14js0e00000000000000a/delete",
    "/workspace/event-hooks/evh_01k9x14js0e00000000000000a/rotate",
    "/workspace/event-hooks/evh_01k9x14js0e00000000000000a/replay",
    "/workspace/event-hooks/evh_01k9x14js0e00000000000000a/deliveries/dlv_01k9x14js0e00000000000000a/replay",
    "/workspace/settings",
    "/workspace/records/fnd_01k9x14js0e00000000000000a/comments",
    "/workspace/findings/fnd_01k9x14js0e00000000000000a/retests",
    "/workspace/records/fnd_01k9x14js0e00000000000000a/watch",
    "/workspace/records/fnd_01k9x14js0e00000000000000a/unwatch",
    "/workspace/records/fnd_01k9x14js0e00000000000000a/tags",
    "/workspace/views",
    "/workspace/controls/bulk",
    "/workspace/risks/bulk",
    "/workspace/views/viw_01k9x14js0e00000000000000a/delete",
    "/workspace/comments/cmt_01k9x14js0e00000000000000a",
    "/workspace/comments/cmt_01k9x14js0e00000000000000a/withdraw",
    "/workspace/comments/cmt_01k9x14js0e00000000000000a/resolve",
    "/workspace/users",
    "/workspace/users/usr_01k9x14js0e00000000000000a",
    "/workspace/users/usr_01k9x14js0e00000000000000a/link",
    "/workspace/users/usr_01k9x14js0e00000000000000a/close",
    "/workspace/users/usr_01k9x14js0e00000000000000a/open",
    "/workspace/profile",
    "/workspace/profile/password",
    "/workspace/profile/sessions/others",
    "/workspace/profile/sessions/ses_01k9x14js0e00000000000000a",
    "/workspace/profile/second-factor",
    "/workspace/profile/second-factor/confirm",
    "/workspace/profile/second-factor/codes",
    "/workspace/profile/second-factor/off",
];

#[tokio::test]
async fn no_change_is_taken_from_elsewhere() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let token = browser.get("/workspace").await.between("name=\"form_token\" value=\"", "\"").to_owned();
    let elsewhere = [
        browser.with("origin", "https://evil.example"),
        browser.with("origin", "null"),
        browser.without("origin"),
        browser.with("sec-fetch-site", "cross-site"),
        browser.with("sec-fetch-site", "same-site"),
        browser.with("sec-fetch-site", "none"),
    ];
    for path in CHANGES {
        for mut foreign in elsewhere.clone() {
            foreign.post(path, &[("form_token", &token)]).await.expect(403);
        }
    }
    browser.get("/workspace").await.expect(200);
}

#[tokio::test]
async fn no_change_is_taken_without_the_token_of_this_session() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let mut other = house.signed_in(Role::Manager).await;
    let foreign = other.get("/workspace").await.between("name=\"form_token\" value=\"", "\"").to_owned();
    for path in CHANGES {
        browser.post(path, &[]).await.expect(403).shows("This request did not come from this page");
        browser.post(path, &[("form_token", &foreign)]).await.expect(403);
    }
}

#[tokio::test]
async fn the_door_refuses_other_sites_but_needs_no_browser() {
    let house = House::new().await;
    house.add(&house.north, "anna@north.example", Role::Viewer).await;
    let fields = [("email", "anna@north.example"), ("password", crate::PASSWORD)];
    for (name, value) in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
        house.browser().with(name, value).post("/workspace/sign-in", &fields).await.expect(403);
    }
    house.browser().without("origin").post("/workspace/sign-in", &fields).await.expect(303);
}
