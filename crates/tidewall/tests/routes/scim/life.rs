//! The life of accounts as directories drive it.

use app::{
    api_key::{KeyRequest, NewKey},
    session::Visitor,
    sign_in::SignInResult,
};
use domain::{
    id::UserId, key_limits::KeyLimits, key_policy::KeyPolicy, password::Password, permission::Permissions,
    text::Name, user::Role,
};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, Mailbox, TestApp, TestOptions, header};

use super::{GROUPS, USERS, added, directory, filtered, operation, person, scoped};

const BY_ADDRESS: &str = "userName eq \"anna.weber@bank.example\"";

fn anna() -> Value {
    json!({
        "schemas": [
            "urn:ietf:params:scim:schemas:core:2.0:User",
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
        ],
        "externalId": "anna.weber",
        "userName": "Anna.Weber@Bank.Example",
        "active": true,
        "displayName": "Anna Weber",
        "name": { "formatted": "Anna Weber", "familyName": "Weber", "givenName": "Anna" },
        "emails": [{ "primary": true, "type": "work", "value": "anna.weber@bank.example" }],
        "phoneNumbers": [{ "type": "work", "value": "+49 30 1234" }],
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { "department": "Treasury" },
        "meta": { "resourceType": "User" },
    })
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_entra_id_drives_it(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let entra = directory(&app, &tenant).await;
    // The first request tests the connection with an account that does not exist.
    let none = entra.get(&filtered(USERS, BY_ADDRESS)).await.expect(200);
    assert_eq!(none.header("content-type"), Some("application/scim+json"));
    assert_eq!(none.header("cache-control"), Some("no-store"));
    assert_eq!((&none.json()["totalResults"], &none.json()["Resources"]), (&json!(0), &json!([])));

    let made = entra.post(USERS, &anna()).await.expect(201);
    let user = made.json();
    let path = format!("{USERS}/{}", user["id"].as_str().unwrap());
    let place = format!("https://tidewall.bank.example{path}");
    assert_eq!(made.header("location"), Some(place.as_str()));
    assert_eq!(made.header("etag"), user["meta"]["version"].as_str());
    assert!(made.header("etag").unwrap().starts_with("W/\""), "{made}");
    assert_eq!(user["meta"]["location"], place);
    assert_eq!(user["meta"]["resourceType"], "User");
    assert_eq!(user["meta"]["created"], "2026-11-14T14:00:00Z");
    assert_eq!(
        (&user["userName"], &user["externalId"]),
        (&json!("anna.weber@bank.example"), &json!("anna.weber"))
    );
    assert_eq!((&user["displayName"], &user["active"]), (&json!("Anna Weber"), &json!(true)));
    assert_eq!(user["roles"][0]["value"], "viewer");
    assert_eq!(entra.get(&path).await.expect(200).json(), user);
    for filter in [BY_ADDRESS, "externalId eq \"anna.weber\"", "active eq true"] {
        let found = entra.get(&filtered(USERS, filter)).await.expect(200).json();
        assert_eq!((&found["totalResults"], &found["Resources"][0]), (&json!(1), &user), "{filter}");
    }

    app.clock.advance(60_000);
    let renamed = operation("Replace", "displayName", json!("Anna Weber-Kurz"));
    let renamed = entra.patch(&path, &renamed).await.expect(200).json();
    assert_eq!(renamed["name"]["formatted"], "Anna Weber-Kurz");
    assert_eq!(renamed["meta"]["lastModified"], "2026-11-14T14:01:00Z");
    assert_ne!(renamed["meta"]["version"], user["meta"]["version"]);
    let moved = operation("Replace", "externalId", json!("a.weber-kurz"));
    let moved = entra.patch(&path, &moved).await.expect(200).json();
    assert_eq!(moved["externalId"], "a.weber-kurz");
    assert_ne!(moved["meta"]["version"], renamed["meta"]["version"], "a reader must notice");

    let group = filtered(GROUPS, "displayName eq \"Manager\"") + "&excludedAttributes=members";
    let group = entra.get(&group).await.expect(200).json();
    assert_eq!((&group["totalResults"], &group["Resources"][0]["id"]), (&json!(1), &json!("manager")));
    assert!(group["Resources"][0].get("members").is_none(), "{group}");
    let managers = format!("{GROUPS}/manager");
    let members = json!([{ "value": user["id"] }]);
    entra.patch(&managers, &operation("Add", "members", members.clone())).await.expect(204);
    let shown = entra.get(&managers).await.expect(200).json();
    assert_eq!(shown["members"][0]["value"], user["id"]);
    assert_eq!(entra.get(&path).await.json()["groups"][0]["value"], "manager");
    entra.patch(&managers, &operation("Remove", "members", members)).await.expect(204);
    assert_eq!(entra.get(&path).await.json()["roles"][0]["value"], "viewer");

    let closed = entra.patch(&path, &operation("Replace", "active", json!("False"))).await.expect(200);
    assert_eq!(closed.json()["active"], false);
    assert_eq!(entra.get(&filtered(USERS, "active eq False")).await.json()["totalResults"], 1);
    let opened = entra.patch(&path, &operation("Replace", "active", json!("True"))).await.expect(200);
    assert_eq!(opened.json()["active"], true);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_account_is_gone_for_the_directory_and_kept_for_the_history(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    person(&app, &tenant, "ada@bank.example", Role::Administrator).await;
    let max = person(&app, &tenant, "max@bank.example", Role::Manager).await;
    let path = format!("{USERS}/{}", max.id);
    client.delete(&path).await.expect(204);
    client.get(&path).await.expect(404);
    client.patch(&path, &operation("replace", "active", json!(true))).await.expect(404);
    client.put(&path, &json!({ "userName": "max@bank.example" })).await.expect(404);
    client.delete(&path).await.expect(404);
    assert_eq!(client.get(USERS).await.json()["totalResults"], 1);
    for filter in ["userName eq \"max@bank.example\"", "active eq false"] {
        assert_eq!(client.get(&filtered(USERS, filter)).await.json()["totalResults"], 0, "{filter}");
    }
    assert_eq!(client.get(&format!("{GROUPS}/manager")).await.json()["members"], json!([]));
    let kept = app.app.people.user(&tenant.caller, max.id).await.unwrap();
    assert!(kept.disabled_at.is_some() && !kept.has_password, "{kept:?}");

    // The same address again is the same account, without the secrets it had.
    app.clock.advance(1000);
    let again = json!({ "userName": "max@bank.example", "displayName": "Max Again" });
    let again = client.post(USERS, &again).await.expect(201).json();
    assert_eq!((&again["id"], &again["active"]), (&json!(max.id), &json!(true)));
    assert_eq!((&again["displayName"], &again["roles"][0]["value"]), (&json!("Max Again"), &json!("viewer")));
    assert!(!app.app.people.user(&tenant.caller, max.id).await.unwrap().has_password);
    client.post(USERS, &json!({ "userName": "max@bank.example" })).await.expect(409);

    let auditor = app.client(&app.key(&tenant, "read,manage_keys").await);
    let log = auditor.get(&format!("/api/v1/audit?record={}", max.id)).await.expect(200).json();
    let entries = log["data"].as_array().unwrap();
    let actions: Vec<_> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["user.changed", "user.created", "user.removed", "user.changed", "user.created"]);
    assert_eq!(entries[0]["actor"]["kind"], "key");
    assert_eq!(entries[0]["actor"]["name"], "directory");
}

#[tokio::test]
async fn one_opened_again_in_the_workspace_is_the_directorys_again() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    let path = added(&client, "max@bank.example").await;
    client.delete(&path).await.expect(204);
    let id: UserId = path.rsplit('/').next().unwrap().parse().unwrap();
    let open = |active| app::user::UserPatch { active: Some(active), ..app::user::UserPatch::default() };
    app.clock.advance(1000);
    app.app.people.change_user(&tenant.caller, id, open(true)).await.unwrap();
    assert_eq!(client.get(&path).await.expect(200).json()["active"], true);
    app.clock.advance(1000);
    app.app.people.change_user(&tenant.caller, id, open(false)).await.unwrap();
    assert_eq!(client.get(&path).await.expect(200).json()["active"], false, "closed, not removed");
}

#[tokio::test]
async fn as_okta_drives_it() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let okta = directory(&app, &tenant).await;
    let list = okta.get(&format!("{USERS}?startIndex=1&count=2")).await.expect(200).json();
    assert_eq!((&list["totalResults"], &list["itemsPerPage"]), (&json!(0), &json!(0)));
    let user = json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
        "userName": "test.user@bank.example",
        "name": { "givenName": "Test", "familyName": "User" },
        "emails": [{ "primary": true, "value": "test.user@bank.example", "type": "work" }],
        "displayName": "Test User",
        "locale": "en-US",
        "externalId": "00ujl29u0le5T6Aj10h7",
        "groups": [],
        "password": "1mz050nq",
        "active": true,
    });
    let made = okta.post(USERS, &user).await.expect(201).json();
    let path = format!("{USERS}/{}", made["id"].as_str().unwrap());
    let id: UserId = made["id"].as_str().unwrap().parse().unwrap();
    assert!(
        !app.app.people.user(&tenant.caller, id).await.unwrap().has_password,
        "a password is never taken"
    );
    okta.post(USERS, &user).await.expect(409);
    // Okta sends back what it read, with what changed.
    let mut whole = made.clone();
    whole["displayName"] = json!("Another User");
    let put = okta.put(&path, &whole).await.expect(200).json();
    assert_eq!((&put["displayName"], &put["externalId"]), (&json!("Another User"), &made["externalId"]));
    let off = json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        "Operations": [{ "op": "replace", "value": { "active": false } }],
    });
    assert_eq!(okta.patch(&path, &off).await.expect(200).json()["active"], false);
    whole["active"] = json!(true);
    assert_eq!(okta.put(&path, &whole).await.expect(200).json()["active"], true);

    let other = added(&okta, "second@bank.example").await;
    let other_id = other.rsplit('/').next().unwrap();
    let contributors = format!("{GROUPS}/contributor");
    let replace = |ids: &[&str]| {
        let members: Vec<_> = ids.iter().map(|id| json!({ "value": id })).collect();
        json!({ "Operations": [
            { "op": "replace", "value": { "id": "contributor", "displayName": "contributor" } },
            { "op": "replace", "path": "members", "value": members },
        ] })
    };
    okta.patch(&contributors, &replace(&[made["id"].as_str().unwrap(), other_id])).await.expect(204);
    assert_eq!(okta.get(&contributors).await.json()["members"].as_array().unwrap().len(), 2);
    let whole = json!({ "displayName": "contributor", "members": [{ "value": other_id }] });
    let put = okta.put(&contributors, &whole).await.expect(200).json();
    assert_eq!(put["members"][0]["value"], other_id);
    assert_eq!(okta.get(&path).await.json()["roles"][0]["value"], "viewer", "no member any more");
    let remove = json!({ "Operations": [
        { "op": "remove", "path": format!("members[value eq \"{other_id}\"]") },
    ] });
    okta.patch(&contributors, &remove).await.expect(204);
    assert_eq!(okta.get(&contributors).await.json()["members"], json!([]));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_come_in_pages(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    for number in 0..5 {
        let active = number != 3;
        let user =
            json!({ "userName": format!("p{number}@bank.example"), "externalId": "team", "active": active });
        client.post(USERS, &user).await.expect(201);
        app.clock.advance(1000);
    }
    let page = async |query: &str| {
        let list = client.get(&format!("{USERS}?{query}")).await.expect(200).json();
        let names = list["Resources"].as_array().unwrap().iter();
        let names: Vec<_> = names.map(|user| user["userName"].as_str().unwrap()[..2].to_owned()).collect();
        (list["totalResults"].as_u64().unwrap(), list["startIndex"].as_u64().unwrap(), names.join(" "))
    };
    assert_eq!(page("startIndex=2&count=2").await, (5, 2, "p1 p2".into()));
    assert_eq!(page("startIndex=5").await, (5, 5, "p4".into()));
    assert_eq!(page("startIndex=9&count=1").await, (5, 9, String::new()));
    assert_eq!(page("count=0").await, (5, 1, String::new()));
    assert_eq!(page("startIndex=-3&count=1").await, (5, 1, "p0".into()));
    assert_eq!(page("filter=active%20eq%20false").await, (1, 1, "p3".into()));
    assert_eq!(page("filter=active%20eq%20true&startIndex=4").await, (4, 4, "p4".into()));
    let team = "filter=externalId%20eq%20%22team%22&startIndex=3&count=2";
    assert_eq!(page(team).await, (5, 3, "p2 p3".into()));
    let short = client.get(&format!("{USERS}?count=1&attributes=userName")).await.json();
    let mut names: Vec<_> = short["Resources"][0].as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(names, ["id", "schemas", "userName"]);
}

#[tokio::test]
async fn it_describes_itself() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = scoped(&app, &tenant, "read", "accounts:read").await;
    let config = client.get("/scim/v2/ServiceProviderConfig").await.expect(200).json();
    assert_eq!((&config["patch"]["supported"], &config["bulk"]["supported"]), (&json!(true), &json!(false)));
    assert_eq!(config["filter"], json!({ "supported": true, "maxResults": 200 }));
    let types = client.get("/scim/v2/ResourceTypes").await.expect(200).json();
    assert_eq!(types["totalResults"], 2);
    for kind in types["Resources"].as_array().unwrap() {
        let path = format!("/scim/v2/ResourceTypes/{}", kind["id"].as_str().unwrap());
        assert_eq!(&client.get(&path).await.expect(200).json(), kind);
        client.get(&format!("/scim/v2{}", kind["endpoint"].as_str().unwrap())).await.expect(200);
        let schema = format!("/scim/v2/Schemas/{}", kind["schema"].as_str().unwrap());
        assert_eq!(client.get(&schema).await.expect(200).json()["id"], kind["schema"]);
    }
    // Every attribute of a user is described, and every described one that is returned by default is there.
    person(&app, &tenant, "ada@bank.example", Role::Administrator).await;
    let user = client.get(USERS).await.json()["Resources"][0].take();
    let schema = client.get("/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User").await.json();
    let described: Vec<_> =
        schema["attributes"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    let common = ["schemas", "id", "externalId", "meta"];
    for name in user.as_object().unwrap().keys() {
        assert!(described.contains(&name.as_str()) || common.contains(&name.as_str()), "{name}");
    }
    for name in described {
        assert!(user.get(name).is_some(), "{name}");
    }
    client.get("/scim/v2/Schemas/urn:nothing").await.expect(404);
    client.get(&filtered("/scim/v2/Schemas", "id eq \"x\"")).await.expect(403);
}

#[tokio::test]
async fn a_change_can_be_bound_to_what_was_read() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    let path = added(&client, "max@bank.example").await;
    let first = client.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    client.with("if-none-match", &first).get(&path).await.expect(304);
    let rename = operation("replace", "displayName", json!("Max"));
    client.with("if-match", &first).patch(&path, &rename).await.expect(200);
    client.with("if-none-match", &first).get(&path).await.expect(200);
    let late = operation("replace", "displayName", json!("Maximilian"));
    client.with("if-match", &first).patch(&path, &late).await.expect(412);
    client.with("if-match", &first).delete(&path).await.expect(412);
    client.with("if-match", "*").delete(&path).await.expect(204);
}

#[tokio::test]
async fn an_invitation_goes_out_where_it_is_asked_for() {
    let mut mailbox = Mailbox::start().await;
    let options = TestOptions { mail: Some(mailbox.settings.clone()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    added(&client, "quiet@bank.example").await;
    let invited = json!({
        "userName": "anna@bank.example",
        "urn:ietf:params:scim:schemas:extension:tidewall:2.0:User": { "invite": true },
    });
    client.post(USERS, &invited).await.expect(201);
    let mail = mailbox.next_mail().await;
    assert!(header(&mail, "To").contains("anna@bank.example"), "the first mail is hers: {mail}");
    assert!(mail.to_string().contains("/workspace/link/"), "{mail}");
}

#[tokio::test]
async fn a_person_who_is_removed_and_added_again_gets_one_invitation_an_hour() {
    let mut mailbox = Mailbox::start().await;
    let options = TestOptions { mail: Some(mailbox.settings.clone()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let tenant = app.tenant("north").await;
    let client = directory(&app, &tenant).await;
    let invited = |email: &str| {
        json!({
            "userName": email,
            "urn:ietf:params:scim:schemas:extension:tidewall:2.0:User": { "invite": true },
        })
    };
    for round in 0..5 {
        let made = client.post(USERS, &invited("anna@bank.example")).await.expect(201).json();
        if round == 0 {
            let first = mailbox.next_mail().await;
            assert!(header(&first, "To").contains("anna@bank.example"), "{first}");
        }
        client.delete(&format!("{USERS}/{}", made["id"].as_str().unwrap())).await.expect(204);
    }
    client.post(USERS, &invited("ben@bank.example")).await.expect(201);
    let second = mailbox.next_mail().await;
    assert!(header(&second, "To").contains("ben@bank.example"), "only one mail went to her: {second}");
    app.clock.advance(60 * 60 * 1000);
    client.post(USERS, &invited("anna@bank.example")).await.expect(201);
    let later = mailbox.next_mail().await;
    assert!(header(&later, "To").contains("anna@bank.example"), "{later}");
}

/// A key that this person makes, with these scopes if any are named.
async fn key_of(app: &TestApp, email: &str, scopes: Option<&str>) -> Client {
    let visitor = Visitor { address: [127, 0, 0, 1].into(), agent: String::new(), device: None };
    let password = Password::presented("correct horse battery staple");
    let SignInResult::Open(token) = app.app.access.sign_in(email, None, password, &visitor).await.unwrap()
    else {
        panic!("{email} cannot sign in");
    };
    let caller = app.app.access.session(&token).await.unwrap().unwrap().caller;
    let request = KeyRequest {
        name: Name::parse("made by a person").unwrap(),
        permissions: Permissions::parse("read,write,manage_keys").unwrap(),
        limits: KeyLimits { scopes: scopes.map(|text| text.parse().unwrap()), ..KeyLimits::default() },
    };
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    app.client(&app.app.people.create_key(&caller, request, None, Box::new(reveal)).await.unwrap().body)
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_keys_of_a_leaver_are_revoked_but_for_the_key_of_the_directory(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    person(&app, &tenant, "stays@bank.example", Role::Administrator).await;
    for removes in [false, true] {
        let email = format!("leaver-{removes}@bank.example");
        let leaver = person(&app, &tenant, &email, Role::Administrator).await;
        let theirs = key_of(&app, &email, None).await;
        let made = theirs.post("/api/v1/keys", &json!({ "name": "child" })).await.expect(201).data();
        let child = app.client(made["key"].as_str().unwrap());
        let calling = key_of(&app, &email, Some(super::BOTH)).await;
        for key in [&theirs, &child] {
            key.get("/api/v1/webhooks").await.expect(200);
        }
        let path = format!("{USERS}/{}", leaver.id);
        if removes {
            calling.delete(&path).await.expect(204);
        } else {
            calling.patch(&path, &operation("replace", "active", json!(false))).await.expect(200);
        }
        for key in [&theirs, &child] {
            key.get("/api/v1/webhooks").await.expect(401);
        }
        calling.get(USERS).await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_institution_can_keep_the_keys_of_leavers() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let policy = KeyPolicy { end_with_maker: false, ..KeyPolicy::NEW };
    app.app.people.set_key_policy(&tenant.caller, policy).await.unwrap();
    person(&app, &tenant, "stays@bank.example", Role::Administrator).await;
    let leaver = person(&app, &tenant, "leaver@bank.example", Role::Administrator).await;
    let theirs = key_of(&app, "leaver@bank.example", None).await;
    directory(&app, &tenant).await.delete(&format!("{USERS}/{}", leaver.id)).await.expect(204);
    theirs.get("/api/v1/webhooks").await.expect(200);
}

/// A request about a requirement that vanished with its framework must not keep an account open.
#[tokio::test]
async fn an_account_is_closed_although_a_request_about_a_vanished_requirement_waits_for_it() {
    for (engine, over_scim) in [(Engine::Sqlite, true), (Engine::Postgres, true), (Engine::Sqlite, false)] {
        let app = TestApp::on(engine).await;
        let tenant = app.tenant("north").await;
        let keys = [app.key(&tenant, "read,write").await, app.key(&tenant, "read,write").await];
        let [author, second] = keys.map(|key| app.client(&key));
        let fields = json!({ "key": "house-it", "title": "House rules" });
        let made = author.post("/api/v1/own-frameworks", &fields).await.expect(201).data();
        let framework = format!("/api/v1/own-frameworks/{}", made["id"].as_str().unwrap());
        let requirement = json!({ "number": "1", "title": "Changes", "text": "Every change is recorded." });
        author.put(&format!("{framework}/requirements/house-it-1"), &requirement).await.expect(200);
        second.patch(&framework, &json!({ "status": "approved" })).await.expect(200);
        person(&app, &tenant, "anna@north.example", Role::Administrator).await;
        let ben = person(&app, &tenant, "ben@north.example", Role::Manager).await;
        let wish = json!({ "subject": "house-it-1", "action": "not_applicable", "reason": "Not ours" });
        let asked = author.post("/api/v1/approvals", &wish).await.expect(201).data();
        let id = asked["id"].as_str().unwrap();
        second.patch(&framework, &json!({ "status": "retired" })).await.expect(200);
        let view = app.app.approval.approval(&tenant.caller, id.parse().unwrap()).await.unwrap();
        assert!(view.deciders.is_empty() && view.refusal.is_some(), "its page opens");
        if over_scim {
            let directory = directory(&app, &tenant).await;
            let off = operation("replace", "active", json!(false));
            let closed = directory.patch(&format!("{USERS}/{}", ben.id), &off).await.expect(200).json();
            assert_eq!(closed["active"], false);
        } else {
            let left = app::open_work::Successor::LeftAsItIs;
            app.app.people.close_user(&tenant.caller, ben.id, left, false).await.unwrap();
        }
        let lapsed = author.get(&format!("/api/v1/approvals/{id}")).await.expect(200).data();
        assert_eq!((&lapsed["state"], &lapsed["changed"]), (&json!("lapsed"), &json!(["deleted"])));
    }
}
