//! The pages of trainings: assigning, the quiz, the certificate, and who sees whose.

use domain::{id::UserId, user::Role};
use serde_json::json;

use crate::{
    House, PASSWORD,
    browser::Browser,
    reports::{cells, says},
};

const LIST: &str = "/workspace/trainings";
const MODULE: &str = "training-dora-essentials";

/// Assigns a module or a course to a person through the form, and returns the address of the training.
async fn assign(manager: &mut Browser, fields: &[(&str, &str)]) -> String {
    let done = manager.submit(&format!("{LIST}/new"), LIST, fields).await.expect(303);
    assert_eq!(done.location(), format!("{LIST}?done=created"));
    let list = manager.get(LIST).await.expect(200);
    format!("{LIST}/trn_{}", list.between("href=\"/workspace/trainings/trn_", "\""))
}

async fn person(house: &House, name: &str, role: Role) -> (UserId, Browser) {
    let email = format!("{name}@north.example");
    let id = house.add(&house.north, &email, role).await.id;
    (id, house.browser().signed_in(&email, PASSWORD).await)
}

/// The answers to the quiz of which so many are right.
fn answers(house: &House, right: usize) -> Vec<(String, String)> {
    let edition = house.test.app.catalogue().unwrap();
    let questions = &edition.trainings.get(MODULE).unwrap().questions;
    let answer = |(place, question): (usize, &app::catalogue::training::QuizQuestion)| {
        let chosen = if place < right { question.answer } else { (question.answer + 1) % 2 };
        (format!("answer-{}", place + 1), chosen.to_string())
    };
    questions.iter().enumerate().map(answer).collect()
}

async fn take(house: &House, browser: &mut Browser, training: &str, right: usize) -> String {
    let answers = answers(house, right);
    let answers: Vec<_> = answers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let quiz = format!("{training}/quiz");
    browser.submit(&quiz, &quiz, &answers).await.expect(303).location().to_owned()
}

#[tokio::test]
async fn a_module_is_assigned_taken_failed_and_passed() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, mut own) = person(&house, "anna", Role::Viewer).await;
    let anna = anna.to_string();
    manager.get(LIST).await.expect(200).shows("No trainings yet").shows("Assign training");
    let empty = [("module", MODULE), ("due_on", "2026-11-20")];
    manager.submit(&format!("{LIST}/new"), LIST, &empty).await.expect(422).shows("at least one person");
    let fields =
        [("module", MODULE), ("due_on", "2026-11-20"), ("people", &anna), ("management_body", &anna)];
    let training = assign(&mut manager, &fields).await;
    manager.get(&training).await.shows("TR-0001 · anna").shows("Assigned").lacks("Take the quiz");
    manager.get(&format!("{training}/quiz")).await.expect(404);

    own.get("/workspace/work").await.expect(200).shows("DORA essentials for everyone").shows(&training);
    own.get("/workspace/inbox").await.shows("DORA essentials for everyone").shows("assigned to you");
    let notice = own.get("/workspace/inbox").await.between("href=\"/workspace/inbox/ntc_", "\"").to_owned();
    let opened = own.get(&format!("/workspace/inbox/ntc_{notice}")).await.expect(303);
    assert_eq!(opened.location(), training);
    own.get(&training).await.expect(200).shows("One regulation, five subjects").shows("Take the quiz");

    let total = answers(&house, 0).len();
    let failed = take(&house, &mut own, &training, total / 2).await;
    own.get(&failed).await.expect(200).shows("Not passed: ").shows("Questions to look at again");
    own.get(&format!("{training}/certificate.pdf")).await.expect(404);
    let passed = take(&house, &mut own, &training, total).await;
    own.get(&passed).await.expect(200).shows("Passed with 100 %").shows("All answers were right.");
    own.get(&training).await.shows("<dt>Attempts</dt><dd>2</dd>").lacks("Take the quiz");
    own.get(&format!("{training}/quiz")).await.expect(404);
    own.get("/workspace/work").await.lacks("DORA essentials for everyone");
    let client = house.test.client(&house.test.key(&house.north, "read").await);
    let id = training.rsplit('/').next().unwrap();
    let versions = client.get(&format!("/api/v1/trainings/{id}/versions")).await.expect(200).data();
    let scores: Vec<_> =
        versions.as_array().unwrap().iter().map(|one| one["record"]["score"].clone()).collect();
    assert_eq!(
        (scores.len(), &scores[0], &scores[2]),
        (3, &json!(100), &json!(null)),
        "each attempt is kept"
    );
}

#[tokio::test]
async fn the_page_of_the_questions_does_not_show_the_answers() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, mut own) = person(&house, "anna", Role::Contributor).await;
    let fields = [("module", MODULE), ("due_on", "2026-11-20"), ("people", &anna.to_string())];
    let training = assign(&mut manager, &fields).await;
    let page = own.get(&format!("{training}/quiz")).await.expect(200);
    let edition = house.test.app.catalogue().unwrap();
    let module = edition.trainings.get(MODULE).unwrap();
    for question in &module.questions {
        let explanation = question.explanation.get(domain::wording::Language::English);
        assert!(!page.body.contains(explanation), "{explanation}");
    }
    let choices = page.body.split("<input id=\"answer-").skip(1);
    let others: Vec<&str> = choices.map(|choice| choice.split('>').next().unwrap()).collect();
    assert!(
        others.iter().all(|choice| !choice.contains("checked") && !choice.contains("data-")),
        "{others:?}"
    );
    let explanation = module.questions[0].explanation.get(domain::wording::Language::English);
    own.get(&training).await.expect(200).lacks(explanation);
    // Nor does the page of the module, until the training is passed.
    let material = format!("/workspace/training/{MODULE}");
    own.get(&material).await.expect(200).lacks(explanation);
    manager.get(&material).await.expect(200).shows(explanation);
    take(&house, &mut own, &training, module.questions.len()).await;
    own.get(&material).await.expect(200).shows(explanation);
}

#[tokio::test]
async fn eighty_percent_of_the_answers_pass_and_less_do_not() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, mut own) = person(&house, "anna", Role::Auditor).await;
    let fields = [("module", MODULE), ("due_on", "2026-11-20"), ("people", &anna.to_string())];
    let training = assign(&mut manager, &fields).await;
    let total = answers(&house, 0).len();
    let least = (total * 80).div_ceil(100);
    let below = take(&house, &mut own, &training, least - 1).await;
    own.get(&below).await.shows("Not passed: ");
    let enough = take(&house, &mut own, &training, least).await;
    own.get(&enough).await.shows("Passed with ");
}

#[tokio::test]
async fn people_see_their_own_trainings_and_managers_and_auditors_all() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    let (anna, mut own) = person(&house, "anna", Role::Contributor).await;
    let (_, mut other) = person(&house, "ben", Role::Contributor).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    let fields = [("title", "Crisis workshop"), ("due_on", "2026-11-20"), ("people", &anna.to_string())];
    let training = assign(&mut manager, &fields).await;
    for browser in [&mut own, &mut auditor, &mut manager] {
        browser.get(&training).await.expect(200).shows("Crisis workshop");
        browser.get(LIST).await.expect(200).shows("Crisis workshop");
    }
    for browser in [&mut other, &mut viewer] {
        browser.get(&training).await.expect(404);
        browser.get(&format!("{training}/result")).await.expect(404);
        browser.get(LIST).await.expect(200).lacks("Crisis workshop");
        browser.get(&format!("{LIST}?person={anna}")).await.expect(200).lacks("Crisis workshop");
        let csv = browser.fetch(&format!("{LIST}.csv")).await.expect(200);
        assert!(!String::from_utf8(csv.bytes).unwrap().contains("Crisis"));
        browser.get("/workspace/work?everyone=1").await.expect(200).lacks("Crisis workshop");
        browser.get("/workspace/search?q=crisis").await.expect(200).lacks("Crisis workshop");
        browser.get("/workspace/records?kinds=training&q=crisis").await.expect(200).lacks("Crisis workshop");
    }
    own.get(LIST).await.lacks("Assign training").lacks("Share passed");
    own.submit(&training, &format!("{training}/result"), &[("passed_on", "2026-11-14")]).await.expect(403);
    auditor.get("/workspace/work?everyone=1").await.expect(200).shows("Crisis workshop");
    let csv = auditor.fetch(&format!("{LIST}.csv")).await.expect(200);
    let csv = String::from_utf8(csv.bytes).unwrap();
    assert!(csv.contains("TR-0001,Crisis workshop,,,anna,false,assigned,2026-11-20"), "{csv}");
    auditor.fetch(&format!("{LIST}.xlsx")).await.expect(200);
}

#[tokio::test]
async fn the_result_of_a_course_is_recorded_by_another_person_and_certified() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, mut own) = person(&house, "anna", Role::Manager).await;
    let (_, mut other) = person(&house, "ben", Role::Viewer).await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    let fields = [
        ("title", "Crisis workshop"),
        ("provider", "Town school"),
        ("due_on", "2026-11-20"),
        ("people", &anna.to_string()),
    ];
    let training = assign(&mut manager, &fields).await;
    own.get(&training).await.expect(200).lacks("Record the result");
    let result = [("passed_on", "2026-11-13"), ("score", "92")];
    let refused = own.submit(&training, &format!("{training}/result"), &result).await.expect(422);
    refused.shows("by another person");
    let wrong = [("passed_on", "2026-12-13"), ("score", "920")];
    manager.submit(&training, &format!("{training}/result"), &wrong).await.expect(422).shows("in the future");
    let done = manager.submit(&training, &format!("{training}/result"), &result).await.expect(303);
    manager.get(done.location()).await.shows("The result was recorded.").shows("92 %").shows("Passed");
    let certificate = format!("{training}/certificate.pdf");
    for browser in [&mut own, &mut manager, &mut auditor] {
        let paper = cells(browser, &certificate).await;
        says(&paper, &["Certificate of training", "anna has passed the training “Crisis workshop”."]);
        says(&paper, &["Town school", "13 Nov 2026", "92 %", "Bank north", "TR-0001"]);
    }
    other.get(&certificate).await.expect(404);
}

#[tokio::test]
async fn a_recorded_result_is_corrected_with_a_reason_and_can_be_taken_back() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, mut own) = person(&house, "anna", Role::Manager).await;
    let fields = [
        ("title", "Crisis workshop"),
        ("due_on", "2026-11-20"),
        ("people", &anna.to_string()),
        ("module", ""),
    ];
    let training = assign(&mut manager, &fields).await;
    let result = [("passed_on", "2026-11-13"), ("score", "92")];
    manager.submit(&training, &format!("{training}/result"), &result).await.expect(303);
    own.get(&training).await.expect(200).lacks("/correct\"");
    let to = format!("{training}/correct");
    let mut wish = [("result.passed_on", "2026-11-12"), ("result.score", "92"), ("result.reason", "")];
    own.submit(&training, &to, &[wish[0], wish[1], ("result.reason", "Mine")]).await.expect(422);
    let refused = manager.submit(&training, &to, &wish).await.expect(422);
    refused.shows("cannot be corrected without a reason");
    wish[2].1 = "As the certificate says";
    manager.submit(&training, &to, &wish).await.expect(303);
    let page = manager.get(&training).await.shows("13 Nov 2026 → 12 Nov 2026");
    page.shows("First recorded by manager").shows("As the certificate says");
    let back = [("result.passed_on", ""), ("result.score", "92"), ("result.reason", "Only attended")];
    manager.submit(&training, &to, &back).await.expect(303);
    let page = manager.get(&training).await.shows("12 Nov 2026 → nothing").shows("Record the result");
    page.lacks("Certificate");
}

#[tokio::test]
async fn figures_count_the_management_body_apart_and_lead_to_their_lists() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, _) = person(&house, "anna", Role::Viewer).await;
    let (board, mut member) = person(&house, "clara", Role::Viewer).await;
    let (anna, board) = (anna.to_string(), board.to_string());
    let for_both = [
        ("title", "Crisis workshop"),
        ("due_on", "2026-11-20"),
        ("people", &anna),
        ("people", &board),
        ("management_body", &board),
    ];
    let workshop = assign(&mut manager, &for_both).await;
    manager
        .submit(&workshop, &format!("{workshop}/result"), &[("passed_on", "2026-11-13")])
        .await
        .expect(303);
    let late = [("title", "Old course"), ("due_on", "2026-11-01"), ("people", &anna)];
    assign(&mut manager, &late).await;
    let list = manager.get(LIST).await.expect(200).shows("Management body (DORA Art. 5(4))");
    let list = list.shows("href=\"/workspace/trainings?state=late\"");
    list.shows("href=\"/workspace/trainings?state=passed&amp;management_body=true\"");
    let passed = manager.get(&format!("{LIST}?state=passed&management_body=true")).await.expect(200);
    passed.shows("1 training<").shows("clara").lacks("Old course</a>");
    manager.get(&format!("{LIST}?state=late")).await.shows("Old course</a>").lacks("Crisis workshop</a>");
    // The form knows who was marked before.
    let form = manager.get(&format!("{LIST}/new")).await.expect(200);
    let marked = form.between(&format!("name=\"management_body\" value=\"{board}\""), ">").to_owned();
    assert!(marked.contains("checked"), "{marked}");

    let finding = json!({ "title": "Any", "severity": "low" });
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    key.post("/api/v1/findings", &finding).await.expect(201);
    let home =
        manager.get("/workspace?widgets=all").await.expect(200).shows("Trainings passed, management body");
    home.shows("href=\"/workspace/trainings?state=passed&amp;management_body=true\"");
    member.get("/workspace").await.expect(200).lacks("Trainings passed");
    let paper = cells(&mut member, "/workspace/board-report.pdf").await;
    says(&paper, &["All people 3 1 1", "Members of the management body (DORA Art. 5(4)) 1 1 0"]);
}

#[tokio::test]
async fn a_training_is_changed_archived_and_read_in_german() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, own) = person(&house, "anna", Role::Viewer).await;
    let fields = [("module", MODULE), ("due_on", "2026-11-20"), ("people", &anna.to_string())];
    let training = assign(&mut manager, &fields).await;
    let changed = [("due_on", "2026-12-24"), ("management_body", "1")];
    let changed = manager.submit(&format!("{training}/edit"), &training, &changed).await.expect(303);
    manager.get(changed.location()).await.shows("24 Dec 2026").shows("Member of the management body");
    let mut own = own.with("accept-language", "de");
    own.get(&training).await.shows("DORA-Grundlagen für alle").shows("Quiz starten");
    own.get("/workspace/work").await.shows("DORA-Grundlagen für alle");
    manager.submit(&training, &format!("{training}/archive"), &[]).await.expect(303);
    manager.get(&training).await.shows("Archived on ");
    own.get(&format!("{training}/quiz")).await.expect(404);
    manager.get(LIST).await.shows("No trainings yet");
}

#[tokio::test]
async fn tags_and_names_of_the_trainings_of_others_are_not_shown() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (anna, _) = person(&house, "anna", Role::Contributor).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let fields = [("title", "Crisis workshop"), ("due_on", "2026-11-20"), ("people", &anna.to_string())];
    let training = assign(&mut manager, &fields).await;
    let id = training.rsplit('/').next().unwrap();
    let form = format!("/workspace/records/{id}/tags");
    manager.submit(&training, &form, &[("tags", "dismissal")]).await.expect(303);
    manager.get(LIST).await.expect(200).shows("dismissal");
    let form = format!("/workspace/approvals/new?subject={id}&action=archive");
    manager.get(&form).await.expect(200).shows("Crisis workshop");
    for browser in [&mut viewer, &mut contributor] {
        browser.get(LIST).await.expect(200).lacks("dismissal");
        browser.get(&form).await.expect(404).lacks("Crisis workshop");
    }
}
