//! The pages of providers, and the questionnaire of a provider.

use domain::user::Role;
use serde_json::json;
use testkit::Mailbox;

use crate::{
    House, PASSWORD,
    browser::{Browser, Page},
};

const LIST: &str = "/workspace/providers";
const EXIT_PLAN: &str = "answer-question-exit-plan";

/// A provider with one critical arrangement, and its address.
pub(crate) async fn provider(house: &House) -> String {
    provider_named(house, "C-1", "Nordlicht <b>").await
}

async fn provider_named(house: &House, reference: &str, name: &str) -> String {
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let arrangement = json!({
        "reference": reference, "provider": { "name": name, "country": "DE", "sector": "Cloud" },
        "service": "Payment platform", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01", "ends_on": "2027-12-31",
        "annual_cost": { "amount": 100, "currency": "EUR" },
        "functions": [{ "name": "Payments", "critical": true }],
    });
    client.post("/api/v1/ict-arrangements", &arrangement).await.expect(201);
    let list = client.get("/api/v1/providers").await.expect(200).data();
    let made = list.as_array().unwrap().iter().find(|provider| provider["name"] == name).unwrap();
    format!("{LIST}/{}", made["id"].as_str().unwrap())
}

/// Creates a link that is handed over by the user.
async fn send_by_hand(browser: &mut Browser, review: &str) -> Page {
    let hidden = browser.get(review).await.hidden();
    let fields = hidden.iter().filter(|(name, _)| name != "mail");
    let fields: Vec<_> = fields.map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(&format!("{review}/send"), &fields).await
}

#[tokio::test]
async fn a_provider_is_listed_and_looked_after() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    browser.get(LIST).await.expect(200).shows("No providers yet");
    let page = provider(&house).await;
    browser
        .get(LIST)
        .await
        .shows("Nordlicht &lt;b&gt;")
        .shows("Critical or important")
        .shows("Not reviewed yet");
    browser.get(&format!("{LIST}?critical=false")).await.shows("Nothing matches");
    let fields = [
        ("owner", "Dana Weber"),
        ("rating", "high"),
        ("review_months", "12"),
        ("notice_days", "90"),
        ("next_review_on", "2026-11-01"),
        ("note", "Watch the chain."),
    ];
    browser.submit(&format!("{page}/edit"), &page, &fields).await.expect(303);
    let shown = browser.get(&page).await.expect(200);
    shown
        .shows("Dana Weber")
        .shows("Overdue")
        .shows("Payment platform")
        .shows("Payments")
        .shows("Watch the chain.");
    browser.get(&format!("{LIST}?review=overdue")).await.shows("Nordlicht");
    // Its review is among the own dates, and with the notice period on the overview and among the tasks.
    let timeline = browser.get("/workspace/timeline").await.shows("Your own dates").shows(&page);
    let place = |text: &str| timeline.body.find(text).unwrap();
    assert!(place("Your own dates") > place("id=\"status\""), "own dates are apart from the reference");
    browser.get("/workspace").await.shows("Review of a provider");
    let mut manager = house.signed_in(Role::Manager).await;
    let tasks = manager.get("/workspace/work?everyone=1").await.expect(200);
    tasks.shows("Nordlicht &lt;b&gt;: Payment platform").shows("Terminate or let it go on");
    let wrong = [("review_months", "61")];
    browser.submit(&format!("{page}/edit"), &page, &wrong).await.expect(422).shows("from 1 to 60");
    browser.get("/workspace/search?q=nordlicht").await.shows(&page);
    let csv = browser.fetch("/workspace/providers.csv").await.expect(200);
    let text = String::from_utf8(csv.bytes).unwrap();
    assert!(text.contains("Nordlicht <b>") && text.contains(",overdue,"), "{text}");
    let pdf = browser.fetch(&format!("{page}.pdf")).await.expect(200);
    assert!(pdf.bytes.starts_with(b"%PDF"));
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&page).await.expect(200).lacks("Change own details").lacks("Begin review");
    viewer.get(&format!("{page}/edit")).await.expect(403);
}

#[tokio::test]
async fn clauses_of_a_contract_are_recorded() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    let shown = browser.get(&page).await.expect(200);
    let form = format!("{page}/clauses/{}", shown.between(&format!("href=\"{page}/clauses/"), "\""));
    let asked = browser.get(&form).await.expect(200).shows("Art. 30(2)(a)").shows("Art. 30(3)(f)(ii)");
    // Every clause comes with a wording to copy, those on subcontracting too.
    let asked = asked.shows("2025/532 Art. 4(1)(l)").shows("Model wording");
    asked.shows("data-copy=\"model-dora-rts-532-art-04-01-g\"").shows("a prepared substitute");
    let fields = [
        ("state-dora-art-30-02-a", "present"),
        ("state-dora-art-30-02-b", "missing"),
        ("note-dora-art-30-02-b", "No countries are named."),
    ];
    let stale = browser.get(&form).await.hidden();
    browser.submit(&form, &form, &fields).await.expect(303);
    browser.get(&page).await.shows("1 of 31 clauses is present").shows("Art. 30(2)(b)");
    browser.get(&form).await.shows("No countries are named.");
    // A person who opened the form before sees a notice, and the entered values stay on the page.
    let mut late: Vec<_> = stale.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    late.extend([("state-dora-art-30-02-c", "present"), ("note-dora-art-30-02-c", "Clause 7")]);
    browser.post(&form, &late).await.expect(409).shows("Clause 7");
    browser.get(&page).await.shows("1 of 31 clauses is present");
}

#[tokio::test]
async fn a_provider_answers_through_its_link_and_nothing_else() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    let begun = browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    let sent = browser.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
    let token = sent.between("/due-diligence/", "<").to_owned();
    let link = format!("/due-diligence/{token}");
    browser.get(&review).await.lacks(&token);

    let mut guest = house.browser();
    let asked = guest.open(&link).await.expect(200).shows("Questionnaire for Nordlicht &lt;b&gt;");
    let asked = asked.shows("Bank north").lacks("/workspace/providers");
    assert_eq!(asked.headers["referrer-policy"], "no-referrer");
    assert_eq!(asked.headers["cache-control"], "no-store");
    guest.post(&link, &[(EXIT_PLAN, "perhaps")]).await.expect(422);
    guest.post(&link, &[(EXIT_PLAN, "no"), ("note-question-exit-plan", "Not <i>yet</i>")]).await.expect(303);
    guest.open(&link).await.shows("Not &lt;i&gt;yet&lt;/i&gt;");
    guest.post(&link, &[("submit", "1")]).await.expect(422).shows("Your name and function");
    guest.post(&link, &[("name", "Kim Roth"), ("submit", "1")]).await.expect(303);
    guest.open(&link).await.shows("can only be read").lacks("<textarea");
    guest.post(&link, &[(EXIT_PLAN, "yes")]).await.expect(422);

    let shown = browser.get(&review).await.expect(200);
    shown.shows("Kim Roth").shows("Answered").shows("Make a finding of this");
    let found =
        browser.submit(&review, &format!("{review}/findings"), &[("question", "question-exit-plan")]).await;
    found.expect(303);
    browser.submit(&review, &format!("{review}/move"), &[("status", "completed")]).await.expect(303);
    browser
        .get(&page)
        .await
        .shows("Scores of the last review")
        .shows("Answers on concentration")
        .shows("of 100")
        .shows("Nordlicht &lt;b&gt;: Is there");
    guest.open(&link).await.expect(404).shows("does not work any more");
}

#[tokio::test]
async fn a_link_ends_after_thirty_days_and_with_the_next_one() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    let begun = browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    let mut links = Vec::new();
    for _ in 0..2 {
        let sent = browser.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
        links.push(format!("/due-diligence/{}", sent.between("/due-diligence/", "<")));
    }
    let mut guest = house.browser();
    guest.open(&links[0]).await.expect(404);
    house.pass(30 * 24 * 60 * 60 - 1);
    guest.open(&links[1]).await.expect(200);
    house.pass(1);
    guest.open(&links[1]).await.expect(404);
    guest.post(&links[1], &[(EXIT_PLAN, "yes")]).await.expect(404);
    guest.open("/due-diligence/short").await.expect(404);
}

#[tokio::test]
async fn a_provider_sends_files_through_its_link() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    let begun = browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    let sent = browser.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
    let link = format!("/due-diligence/{}", sent.between("/due-diligence/", "<"));
    let files = format!("{link}/files");
    let mut guest = house.browser();
    guest.open(&link).await.shows("Attach file").shows("up to 20 files");
    let about = [("question", "question-exit-plan")];
    guest.upload_bytes(&files, &about, "../exit <plan>.pdf", b"%PDF-1.7 plan").await.expect(303);
    guest.open(&link).await.shows("exit _plan_.pdf");
    guest
        .upload_bytes(&files, &[("question", "question-of-nothing")], "a.pdf", b"%PDF-1.7")
        .await
        .expect(422);
    guest.upload_bytes(&files, &[], "empty.pdf", b"").await.expect(422).shows("must not be empty");
    guest.upload_bytes(&files, &[], "", b"").await.expect(422);
    guest.upload_bytes("/due-diligence/unknown/files", &[], "a.pdf", b"%PDF-1.7").await.expect(404);

    // The institution sees it with the review and as evidence of the provider.
    let shown = browser.get(&review).await.expect(200).shows("Files of the provider");
    let proof = format!("/workspace/evidence/evd_{}", shown.between("/workspace/evidence/evd_", "\""));
    browser.get(&proof).await.expect(200).shows("exit _plan_.pdf").shows("through the link");
    browser.get(&page).await.shows("exit _plan_.pdf");
    let content = browser.fetch(&format!("{proof}/content")).await.expect(200);
    assert_eq!(content.bytes, b"%PDF-1.7 plan");
    // It can be named with an answer; the provider cannot do that.
    let id = proof.rsplit('/').next().unwrap();
    let chosen =
        [(EXIT_PLAN, "yes"), ("evidence-of-question-exit-plan", "1"), ("evidence-question-exit-plan", id)];
    guest.post(&link, &chosen).await.expect(303);
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let api = review.replace("/workspace/", "/api/v1/");
    let of_plan = |data: &serde_json::Value| {
        let answers = data["answers"].as_array().unwrap();
        answers.iter().find(|one| one["question"] == "question-exit-plan").unwrap()["evidence"].clone()
    };
    let seen = client.get(&api).await.expect(200).data();
    assert_eq!(of_plan(&seen), json!([]));
    assert_eq!(seen["files"][0]["question"], "question-exit-plan");
    browser.submit(&review, &review, &chosen).await.expect(303);
    assert_eq!(of_plan(&client.get(&api).await.expect(200).data()), json!([id]));

    guest.post(&link, &[("name", "Kim Roth"), ("submit", "1")]).await.expect(303);
    guest.open(&link).await.shows("exit _plan_.pdf").lacks("Attach file");
    guest.upload_bytes(&files, &[], "late.pdf", b"%PDF-1.7").await.expect(422);
}

#[tokio::test]
async fn a_questionnaire_takes_so_many_files_and_no_more() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    let begun = browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    let sent = browser.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
    let files = format!("/due-diligence/{}/files", sent.between("/due-diligence/", "<"));
    let mut guest = house.browser();
    for number in 0..20 {
        let file = format!("%PDF-1.7 {number}");
        guest.upload_bytes(&files, &[], &format!("{number}.pdf"), file.as_bytes()).await.expect(303);
    }
    guest.upload_bytes(&files, &[], "21.pdf", b"%PDF-1.7").await.expect(422).shows("at most 20 files");
    // Files and answers are counted together: 60 in an hour.
    let link = files.trim_end_matches("/files");
    for _ in 0..39 {
        guest.post(link, &[(EXIT_PLAN, "yes")]).await.expect(303);
    }
    guest.post(link, &[(EXIT_PLAN, "no")]).await.expect(429);
    guest.upload_bytes(&files, &[], "22.pdf", b"%PDF-1.7").await.expect(429);
}

#[tokio::test]
async fn the_link_is_sent_to_the_contact_of_the_provider() {
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    let begun = browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    browser.get(&review).await.shows("Enter a contact at the provider");
    let send = format!("{review}/send");
    browser.submit(&review, &send, &[("mail", "1")]).await.expect(422).shows("address of a person");
    browser.submit(&format!("{page}/edit"), &page, &[("contact", "kim@nordlicht.example")]).await.expect(303);
    browser.get(&review).await.shows("Send the link to kim@nordlicht.example");
    let mailed = browser.submit(&review, &send, &[("mail", "1")]).await.expect(200);
    let mailed =
        mailed.shows("goes to kim@nordlicht.example as soon as the owner of this address has agreed");
    let token = mailed.between("/due-diligence/", "<").to_owned();
    // Nothing but the question goes to an address outside until its owner agrees.
    let question = mailbox.next_mail().await;
    assert!(!question.to_string().contains(&token), "{question}");
    let text = question["parts"][0][1].as_str().unwrap();
    let (_, rest) = text.split_once("/mail-address/").unwrap();
    let link = format!("/mail-address/{}", rest.split_whitespace().next().unwrap());
    let mut kim = house.browser();
    let asked = kim.open(&link).await.expect(200);
    asked.shows("Bank north").shows("kim@nordlicht.example").shows("I agree");
    let agreed = kim.post(&link, &[]).await.expect(303);
    kim.get(agreed.location()).await.expect(200).shows("is confirmed").lacks("I agree");
    let mail = mailbox.next_mail().await.to_string();
    assert!(mail.contains("kim@nordlicht.example") && mail.contains("Bank north"), "{mail}");
    assert!(mail.contains(&token), "{mail}");
    // From then on it comes at once, but once an hour.
    let again = browser.submit(&review, &send, &[("mail", "1")]).await.expect(422);
    again.shows("less than an hour ago").shows("60 more minutes");
    send_by_hand(&mut browser, &review).await.expect(200);
    browser.submit(&review, &send, &[("mail", "1")]).await.expect(422);
    house.pass(60 * 60);
    let mut browser = house.browser().signed_in("manager@north.example", PASSWORD).await;
    let mailed = browser.submit(&review, &send, &[("mail", "1")]).await.expect(200);
    let token = mailed.shows("was sent to kim@nordlicht.example").between("/due-diligence/", "<").to_owned();
    let mut mail = mailbox.next_mail().await.to_string();
    if mail.contains("new browser") {
        mail = mailbox.next_mail().await.to_string();
    }
    assert!(mail.contains(&token), "{mail}");
    kim.open("/mail-address/short").await.expect(404);
}

#[tokio::test]
async fn the_token_of_a_questionnaire_leaves_the_address() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut links = Vec::new();
    for (reference, name) in [("C-1", "Nordlicht"), ("C-2", "Südlicht")] {
        let page = provider_named(&house, reference, name).await;
        let begun =
            browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
        let review = begun.location().split('?').next().unwrap().to_owned();
        let sent = browser.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
        links.push(format!("/due-diligence/{}", sent.between("/due-diligence/", "<")));
    }
    let mut guest = house.browser();
    let mut pages = Vec::new();
    for link in &links {
        let opened = guest.get(link).await.expect(303);
        let token = link.rsplit('/').next().unwrap();
        let kept = opened.headers["set-cookie"].to_str().unwrap();
        let address = opened.location().to_owned();
        assert!(!address.contains(token), "{address}");
        for part in [token, "HttpOnly", "SameSite=Lax", &format!("Path={address}"), "Max-Age=2592000"] {
            assert!(kept.contains(part), "no {part} in {kept}");
        }
        guest.get(&address).await.expect(200).lacks(token);
        pages.push(address);
    }
    // Two questionnaires in one browser do not mix.
    guest
        .post(&pages[0], &[(EXIT_PLAN, "no"), ("note-question-exit-plan", "answer of Nordlicht")])
        .await
        .expect(303);
    guest.get(&pages[0]).await.shows("answer of Nordlicht");
    guest.get(&pages[1]).await.lacks("answer of Nordlicht");
    let about = [("question", "question-exit-plan")];
    guest.upload_bytes(&format!("{}/files", pages[1]), &about, "b.pdf", b"%PDF-1.7").await.expect(303);
    guest.get(&pages[1]).await.shows("b.pdf");
    guest.get(&pages[0]).await.lacks("b.pdf");
    // The address alone opens nothing, a form of another site neither, and the link works in another browser.
    house.browser().get(&pages[0]).await.expect(404).shows("accept its cookie");
    guest.without("origin").post(&pages[0], &[(EXIT_PLAN, "yes")]).await.expect(403);
    guest.with("origin", "https://evil.example").post(&pages[0], &[(EXIT_PLAN, "yes")]).await.expect(403);
    house.browser().open(&links[0]).await.expect(200).shows("answer of Nordlicht");
}

#[tokio::test]
async fn a_program_or_a_web_page_is_not_taken_through_the_link() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    let begun = browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    let sent = browser.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
    let link = format!("/due-diligence/{}", sent.between("/due-diligence/", "<"));
    let files = format!("{link}/files");
    let mut guest = house.browser();
    for name in ["setup.exe", "page.html", "logo.svg", "invoice\u{202e}fdp.exe", "noend"] {
        let refused = guest.upload_bytes(&files, &[], name, b"harmless").await.expect(422);
        refused.shows("must have a type that the institution accepts");
    }
    let disguised = guest.upload_bytes(&files, &[], "report.pdf", b"MZ\x90\x00").await.expect(422);
    disguised.shows("does not contain what its name says");
    guest.open(&link).await.lacks("setup.exe").lacks("report.pdf");
}

#[tokio::test]
async fn a_subcontractor_and_an_archetype_are_on_the_page() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = provider(&house).await;
    browser.get(&page).await.lacks("Subcontractors").lacks("Hyperscale");
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let list = client.get("/api/v1/ict-arrangements").await.expect(200).data();
    let chain = json!({ "supply_chain": [{ "supplier": { "name": "Rhein <i>" } }] });
    client
        .patch(&format!("/api/v1/ict-arrangements/{}", list[0]["id"].as_str().unwrap()), &chain)
        .await
        .expect(200);
    browser
        .submit(
            &format!("{page}/edit"),
            &page,
            &[("archetype", "vendor-hyperscale-cloud"), ("rating", "high")],
        )
        .await
        .expect(303);
    let shown = browser.get(&page).await.shows("Rhein &lt;i&gt;").shows("Make a record");
    shown.shows("Hyperscale cloud provider").shows("88").shows("Reference from the catalogue");
    let make = format!("{page}/subcontractors");
    let asked = browser.submit(&page, &make, &[("name", "Rhein <i>")]).await.expect(422);
    asked.shows("Country, if B_05.01 does not name it");
    let record = browser.submit(&page, &make, &[("name", "Rhein <i>"), ("country", "DE")]).await.expect(303);
    browser.get(record.location()).await.expect(200).shows("Rhein &lt;i&gt;").shows("The record was made.");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&page).await.expect(200).lacks("Make a record").shows("Own record");
}

/// A questionnaire with all questions that was sent: the page of the review, and the link.
async fn sent_questionnaire(house: &House, browser: &mut Browser) -> (String, String) {
    let page = provider(house).await;
    let begun = browser.submit(&page, &format!("{page}/reviews"), &[("questions", "all")]).await.expect(303);
    let review = begun.location().split('?').next().unwrap().to_owned();
    let sent = browser.submit(&review, &format!("{review}/send"), &[]).await.expect(200);
    let link = format!("/due-diligence/{}", sent.between("/due-diligence/", "<"));
    (review, link)
}

#[tokio::test]
async fn a_questionnaire_speaks_to_the_provider_and_asks_no_questions_about_the_institution() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let (_, link) = sent_questionnaire(&house, &mut browser).await;
    let mut guest = house.browser();
    let asked = guest.open(&link).await.expect(200);
    let asked = asked.shows("Which legal entity signs the contract with us").lacks("adverse media");
    // The institution answers these itself.
    let asked = asked.lacks("answer-question-concentration-check").lacks("answer-question-substitutability");
    let asked = asked.shows("<body class=\"letter\">").lacks("Tidewall").shows("Bank north");
    asked.shows("0 of 60 answered, saved").shows("id=\"contract-and-audit\"").shows("Contract and audit");
    guest.post(&link, &[("answer-question-concentration-check", "yes")]).await.expect(422);
    guest.open(&link).await.shows("0 of 60 answered, saved");
}

#[tokio::test]
async fn an_open_question_takes_text_numbers_days_and_files_and_keeps_the_rest() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let (review, link) = sent_questionnaire(&house, &mut browser).await;
    let mut guest = house.browser();
    guest.open(&link).await.lacks("name=\"answer-question-legal-identity\"");
    let wrong = [("value-question-incident-notice-time", "soon")];
    guest.post(&link, &wrong).await.expect(422).shows("must be a number from 0 on").shows("value=\"soon\"");
    let fields = [
        ("section", "provider-profile"),
        ("value-question-legal-identity", "Nordlicht SE, LEI 529900T8BM49AURSDO55"),
        ("value-question-incident-notice-time", "0,5"),
        ("value-question-pentest", "2026-05-12"),
        (EXIT_PLAN, "partly"),
    ];
    let saved = guest.post(&link, &fields).await.expect(303);
    assert!(saved.location().ends_with("#provider-profile"), "{}", saved.location());
    let about = [("question", "question-security-certification")];
    guest.upload_bytes(&format!("{link}/files"), &about, "iso.pdf", b"%PDF-1.7 iso").await.expect(303);
    let shown = guest.open(&link).await.shows("5 of 60 answered, saved").shows("1 of 6 answered, saved");
    shown.shows("Nordlicht SE, LEI").shows("value=\"0.5\"").shows("value=\"2026-05-12\"");
    // The next section leaves these answers as they are.
    guest.post(&link, &[("answer-question-mfa-remote", "yes")]).await.expect(303);
    guest.post(&link, &[("name", "Kim Roth"), ("submit", "1")]).await.expect(303);
    guest.open(&link).await.shows("6 of 60 answered, saved").shows("0.5 hours").shows("12 May 2026");
    browser.get(&review).await.expect(200).shows("Nordlicht SE, LEI").shows("2026-05-12");
    let client = house.test.client(&house.test.key(&house.north, "read").await);
    let seen = client.get(&review.replace("/workspace/", "/api/v1/")).await.expect(200).data();
    let answer = |id: &str| {
        let answers = seen["answers"].as_array().unwrap();
        answers.iter().find(|one| one["question"] == id).unwrap().clone()
    };
    let notice = answer("question-incident-notice-time");
    assert_eq!((&notice["kind"], &notice["value"]), (&json!("number"), &json!("0.5")));
    assert_eq!(notice["answer"], json!(null));
    assert_eq!(answer("question-concentration-check")["to_provider"], json!(null));
}

#[tokio::test]
async fn a_questionnaire_names_the_legal_name_of_the_institution_and_speaks_german() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    client.patch("/api/v1/profile", &json!({ "legal_name": "Nordbank AG" })).await.expect(200);
    let (_, link) = sent_questionnaire(&house, &mut browser).await;
    let mut guest = house.browser().with("accept-language", "de");
    let asked = guest.open(&link).await.expect(200).shows("Nordbank AG").lacks("Bank north");
    asked.shows("0 von 60 beantwortet, gespeichert").shows("Vertrag und Prüfrechte");
}
