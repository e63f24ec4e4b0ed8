//! Any text in a field of any form or a parameter of any page: never a 5xx, never a broken page.

use std::collections::{BTreeSet, VecDeque};

use domain::user::Role;
use serde_json::json;
use testkit::{Engine, TestApp, odd_texts, percent_encoded};

use crate::{
    House,
    browser::{Browser, Page},
};

/// A form as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    action: String,
    is_post: bool,
    is_upload: bool,
    /// Name and value of every field, and whether one can type into it.
    fields: Vec<(String, String, bool)>,
}

pub(crate) fn is_full() -> bool {
    std::env::var("TIDEWALL_TEST_SIZE").is_ok_and(|size| size == "full")
}

/// The properties of every intact page.
fn check(page: &Page, what: &str) {
    assert!(page.status.as_u16() < 500, "{what}: {} {}", page.status, page.body);
    if page.status == 200 || page.status == 422 {
        let is_page = page.headers.get("content-type").is_some_and(|kind| kind == "text/html; charset=utf-8");
        assert!(!is_page || page.body.trim_end().ends_with("</html>"), "{what}: {}", page.body);
        assert!(!page.body.contains("<script>alert"), "{what}");
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = rest.split_once('"')?.0;
    Some(value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
}

fn forms(page: &Page, shown_at: &str) -> Vec<Form> {
    let bodies = page.body.split("<form").skip(1).filter_map(|rest| rest.split_once("</form>"));
    let form = |(text, _): (&str, &str)| {
        let (head, body) = text.split_once('>').unwrap();
        let tags = body.split('<').map(|tag| format!(" {}", tag.split('>').next().unwrap_or(tag)));
        let mut fields = Vec::new();
        for tag in tags {
            let kind = tag.trim_start().split([' ', '/']).next().unwrap_or_default().to_owned();
            if !["input", "textarea", "select", "button"].contains(&kind.as_str()) {
                continue;
            }
            let Some(name) = attribute(&tag, "name") else { continue };
            let hidden = ["hidden", "checkbox", "radio", "file", "submit"];
            let shown = attribute(&tag, "type").is_none_or(|kind| !hidden.contains(&kind.as_str()));
            let value = attribute(&tag, "value").unwrap_or_default();
            fields.push((name, value, shown && kind != "button"));
        }
        Form {
            action: attribute(head, "action").unwrap_or_else(|| shown_at.to_owned()),
            is_post: attribute(head, "method").is_some_and(|method| method == "post"),
            is_upload: head.contains("multipart"),
            fields,
        }
    };
    bodies.map(form).collect()
}

/// Links that would end the session or leave the pages.
fn leads_on(href: &str) -> bool {
    href.starts_with("/workspace")
        && !["sign-out", "/assets", ".pdf", ".csv", ".xlsx", "/export/", "verify"]
            .iter()
            .any(|part| href.contains(part))
}

/// Every page that can be reached, each kind of address once, and every form on them.
async fn found(browser: &mut Browser) -> (BTreeSet<String>, Vec<Form>) {
    let (mut seen, mut forms_found) = (BTreeSet::new(), Vec::<Form>::new());
    let mut kinds = BTreeSet::new();
    let mut ahead = VecDeque::from(["/workspace".to_owned()]);
    while let Some(address) = ahead.pop_front() {
        let path = address.split('?').next().unwrap().to_owned();
        let is_id = |part: &str| part.contains('_') || part.bytes().any(|byte| byte.is_ascii_digit());
        let kind: Vec<&str> = path.split('/').map(|part| if is_id(part) { "_" } else { part }).collect();
        if !kinds.insert(kind.join("/")) {
            continue;
        }
        let page = browser.get(&address).await;
        check(&page, &address);
        if page.status != 200 {
            continue;
        }
        seen.insert(path.clone());
        for form in forms(&page, &path) {
            let known = |other: &Form| {
                let names = |form: &Form| form.fields.iter().map(|field| field.0.clone()).collect::<Vec<_>>();
                other.action == form.action && names(other) == names(&form)
            };
            if !form.action.contains("sign-out") && !forms_found.iter().any(known) {
                forms_found.push(form);
            }
        }
        let links = page.body.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
        ahead.extend(links.map(|(href, _)| href.replace("&amp;", "&")).filter(|href| leads_on(href)));
    }
    (seen, forms_found)
}

async fn send(browser: &mut Browser, form: &Form, typed: &str, text: &str) -> Page {
    let fields: Vec<(&str, &str)> = form
        .fields
        .iter()
        .map(|(name, value, _)| (name.as_str(), if name == typed { text } else { value.as_str() }))
        .collect();
    match (form.is_post, form.is_upload) {
        (true, true) => browser.upload_named(&form.action, &fields, text, text).await,
        (true, false) => browser.post(&form.action, &fields).await,
        (false, _) => {
            let query: Vec<String> =
                fields.iter().map(|(name, value)| format!("{name}={}", percent_encoded(value))).collect();
            browser.get(&format!("{}?{}", form.action.split('?').next().unwrap(), query.join("&"))).await
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_in_any_form_or_address_breaks_a_page_on_sqlite() {
    break_pages(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_in_any_form_or_address_breaks_a_page_on_postgres() {
    break_pages(Engine::Postgres).await;
}

async fn break_pages(engine: Engine) {
    let house = House::of(TestApp::on(engine).await, "http://127.0.0.1:8080").await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let programme = json!({ "name": "P", "framework": "dora" });
    client.post("/api/v1/programmes", &programme).await.expect(201);
    client.post("/api/v1/findings", &json!({ "title": "F", "severity": "low" })).await.expect(201);
    let mut browser = house.signed_in(Role::Administrator).await;
    let (pages, forms) = found(&mut browser).await;
    assert!(pages.len() > 20 && forms.len() > 15, "{} pages, {} forms", pages.len(), forms.len());
    let (each, mut sent) = (if is_full() { 20 } else { 1 }, 0);
    for form in forms {
        // Signing out or changing the own account would end the session.
        if form.action.contains("/profile") || form.action.contains("sessions") {
            continue;
        }
        // A file has a name and content that can be anything, also in a form without another field.
        let file = form.is_upload.then(|| ("file".to_owned(), String::new(), true));
        // The fields of a search stand in its address, some of them twice, and an address has at most 64 KiB.
        let longest = if form.is_post { 20_000 } else { 6_500 };
        for (name, _, _) in form.fields.iter().filter(|field| field.2).chain(&file) {
            for text in odd_texts(sent, each + 5).filter(|text| text.len() < longest).take(each) {
                let page = send(&mut browser, &form, name, &text).await;
                check(&page, &format!("{engine:?} {} {name}={text:?}", form.action));
                if let Some(next) = page.headers.get("location").and_then(|next| next.to_str().ok()) {
                    let shown = browser.get(next).await;
                    check(&shown, &format!("{engine:?} {next} after {name}={text:?}"));
                }
            }
            sent += each;
        }
    }
    for path in pages {
        for text in odd_texts(sent, each + 5).filter(|text| text.len() < 5_000).take(each) {
            let query = ["search", "q", "sort", "provider", "offset", "next", "owner"]
                .map(|name| format!("{name}={}", percent_encoded(&text)));
            let page = browser.get(&format!("{path}?{}", query.join("&"))).await;
            check(&page, &format!("{engine:?} {path} with {text:?}"));
        }
        sent += each;
    }
    assert!(sent > 100, "{sent} texts are too few");
}
