//! The pages of drill runs.

use domain::user::Role;

use crate::{
    House,
    records::create,
    reports::{cells, read_by, says},
};

const LIST: &str = "/workspace/drill-runs";

const FIELDS: &[(&str, &str)] = &[
    ("scenario", "drill-ransomware-core-banking"),
    ("title", ""),
    ("planned_for", "2026-11-20"),
    ("participants", "Dana Weber\nKim Roth"),
    ("programme_id", ""),
    ("test_case_id", ""),
];

#[tokio::test]
async fn a_drill_is_planned_run_and_compared_with_its_solution() {
    let house = House::new().await;
    let mut leader = house.signed_in(Role::Contributor).await;
    let mut reader = house.signed_in(Role::Viewer).await;
    leader.get(LIST).await.expect(200).shows("No drill runs yet").shows("Plan a run");
    leader.get("/workspace/drills/drill-ransomware-core-banking").await.shows("Plan a run");
    let empty = [FIELDS[0], ("planned_for", "")];
    leader.submit(&format!("{LIST}/new"), LIST, &empty).await.expect(422).shows("Planned for");
    let run = create(&mut leader, LIST, FIELDS).await;
    leader.get(&run).await.shows("EXERCISE — not a report").shows("DR-0001").lacks("database alarms");
    reader.get(&run).await.expect(200).lacks("Start now");

    let started = leader.submit(&run, &format!("{run}/start"), &[]).await.expect(303);
    leader.get(started.location()).await.shows("database alarms").lacks("backup console shows");
    // A session ends after half an hour without a request.
    for minutes in [20, 10] {
        house.pass(minutes * 60);
        leader.get(&run).await.expect(200);
        reader.get(&run).await.expect(200);
    }
    leader.get(&run).await.shows("backup console shows").shows("Minute 30 of 240").lacks("Model solution");
    reader.get(&run).await.shows("backup console shows").lacks("Log decision").lacks("Model solution");

    for (action, fields) in [
        ("steps/1/done", vec![]),
        ("decisions", vec![("text", "Isolate <b>now</b>")]),
        ("classification", vec![("data_losses", "met"), ("geographical_spread", "met")]),
        (
            "reports",
            vec![
                ("clock", "clock-dora-initial-notification"),
                ("place", "1"),
                ("due.1", "07:40"),
                ("sent_at_minute.1", "200"),
                ("right.1", "true"),
            ],
        ),
        ("criteria/1", vec![("result", "met")]),
        ("criteria/3", vec![("result", "not")]),
    ] {
        leader.submit(&run, &format!("{run}/{action}"), &fields).await.expect(303);
    }
    leader.get(&run).await.shows("Isolate &lt;b&gt;now&lt;/b&gt;").shows("value=\"07:40\"");
    let wrong = [("clock", "clock-dora-initial-notification"), ("place", "1"), ("sent_at_minute.1", "9999")];
    leader.submit(&run, &format!("{run}/reports"), &wrong).await.expect(422).shows("from 0 to 2160");

    let over = leader.submit(&run, &format!("{run}/finish"), &[("findings", "1")]).await.expect(303);
    // 50 × 2/8 + 30 × 1/7 + 20 × 1/3 = 12.5 + 4.29 + 6.67
    let page = leader.get(over.location()).await;
    page.shows("The drill is over and scored.").shows("23 of 100 points").shows("Model solution");
    leader.get("/workspace/findings").await.shows("DR-0001: Lost bookings");
    leader.submit(&run, &format!("{run}/decisions"), &[("text", "Too late")]).await.expect(422);
    reader.get(&run).await.shows("Expected decisions");
    let csv = leader.fetch("/workspace/drill-runs.csv").await.expect(200);
    let text = String::from_utf8(csv.bytes).unwrap();
    assert!(text.contains("DR-0001,true,"), "{text}");
    leader.get("/workspace/search?q=ransomware").await.shows("Drill run");
    leader.get(&run).await.shows(&format!("{run}.pdf"));
    let paper = cells(&mut reader, &format!("{run}.pdf")).await;
    says(&paper, &["DR-0001", "Dana Weber, Kim Roth", "23 points of 100", "Isolate <b>now</b>", "07:40"]);
    says(&paper, &["Model solution", "Expected decisions", "Success criteria", "Not met", "database alarms"]);
}

/// A watermark marks every page as an exercise, in the reader's language.
#[tokio::test]
async fn every_sheet_of_a_run_is_marked_as_practice() {
    let house = House::new().await;
    let mut leader = house.signed_in(Role::Contributor).await;
    let run = create(&mut leader, LIST, FIELDS).await;
    let planned = cells(&mut leader, &format!("{run}.pdf")).await;
    says(&planned, &["The drill has not begun."]);
    assert!(!planned.contains("database alarms"), "{planned}");
    leader.submit(&run, &format!("{run}/start"), &[]).await.expect(303);
    leader.submit(&run, &format!("{run}/finish"), &[]).await.expect(303);
    let file = leader.fetch(&format!("{run}.pdf")).await.expect(200);
    assert!(file.headers["content-disposition"].to_str().unwrap().contains("drill-run-dr-0001.pdf"));
    let text = read_by("pdftotext", &["-raw", "-", "-"], &file.bytes);
    let sheets: Vec<&str> = text.split('\u{c}').filter(|sheet| !sheet.trim().is_empty()).collect();
    assert!(sheets.len() > 1, "{text}");
    for sheet in sheets {
        assert!(sheet.contains("EXERCISE — not a report"), "{sheet}");
    }
    house.add(&house.test.tenant("south").await, "sue@south.example", Role::Administrator).await;
    let mut other = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    other.get(&format!("{run}.pdf")).await.expect(404);
}

/// The lead and a manager judge; participants neither judge themselves nor read the script before the end.
#[tokio::test]
async fn only_the_lead_judges_and_participants_do_not_see_the_script() {
    let house = House::new().await;
    let mut leader = house.signed_in(Role::Contributor).await;
    house.add(&house.north, "kim@north.example", Role::Contributor).await;
    let mut kim = house.browser().signed_in("kim@north.example", crate::PASSWORD).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let scenario = "/workspace/drills/drill-ransomware-core-banking";
    kim.get(scenario).await.shows("database alarms");
    let own = [FIELDS[0], ("planned_for", "2026-11-20"), ("lead", "kim"), ("participants", "kim")];
    let refused = leader.submit(&format!("{LIST}/new"), LIST, &own).await.expect(422);
    refused.shows("cannot be a participant as well");
    let fields = [FIELDS[0], ("planned_for", "2026-11-20"), ("participants", "kim\nDana Weber")];
    let run = create(&mut leader, LIST, &fields).await;
    // The person who plans a run leads it.
    leader.get(&run).await.shows("<dt>Led by</dt><dd>contributor</dd>");
    kim.get(scenario).await.lacks("database alarms");
    leader.get(scenario).await.shows("database alarms");
    kim.submit(&run, &format!("{run}/start"), &[]).await.expect(303);
    kim.get(&run).await.shows("database alarms").lacks("criteria/1\"").lacks("/finish\"");
    kim.submit(&run, &format!("{run}/criteria/1"), &[("result", "met")]).await.expect(422);
    kim.submit(&run, &format!("{run}/finish"), &[]).await.expect(422).shows("by the person who leads it");
    kim.submit(&run, &format!("{run}/move"), &[("status", "cancelled")]).await.expect(422);
    let running = leader.get(&run).await.shows("Break off");
    running.shows("<button class=\"button danger\" type=\"submit\" name=\"status\"");
    leader.submit(&run, &format!("{run}/criteria/1"), &[("result", "met")]).await.expect(303);
    manager.submit(&run, &format!("{run}/criteria/2"), &[("result", "partly")]).await.expect(303);
    leader.submit(&run, &format!("{run}/finish"), &[]).await.expect(303);
    kim.get(scenario).await.shows("database alarms");
    // The history names who did it.
    kim.get(&run).await.shows("Model solution").shows("contributor, ");
}

#[tokio::test]
async fn the_people_of_a_drill_are_invited_by_mail() {
    let mut mailbox = testkit::Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    let mut leader = house.signed_in(Role::Contributor).await;
    house.add(&house.north, "kim@north.example", Role::Contributor).await;
    let fields = [FIELDS[0], ("planned_for", "2026-11-20"), ("participants", "kim\nDana Weber")];
    let run = create(&mut leader, LIST, &fields).await;
    house.test.app.messages.send_user_mail().await.unwrap();
    let mail = mailbox.next_mail().await.to_string();
    for part in ["kim@north.example", "A drill is planned", "DR-0001", "20 Nov 2026", &run] {
        assert!(mail.contains(part), "no {part} in {mail}");
    }
    assert!(!mail.contains("ansomware"), "the scenario stays secret: {mail}");
    let later = [("planned_for", "2026-11-27"), ("participants", "kim\nDana Weber")];
    leader.submit(&format!("{run}/edit"), &run, &later).await.expect(303);
    house.test.app.messages.send_user_mail().await.unwrap();
    let mail = mailbox.next_mail().await.to_string();
    assert!(mail.contains("A drill was changed") && mail.contains("27 Nov 2026"), "{mail}");
}
