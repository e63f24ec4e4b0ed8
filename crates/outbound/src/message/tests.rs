//! Snapshots of every message, and hostile text in each of them.

use domain::{
    event::EventKind,
    id::{EventId, Uuid7},
    wording::Label,
};
use serde_json::Value;

use super::*;

const FINDING: Label = Label::new("Finding", "Feststellung");

fn notice(kind: EventKind, called: Label, title: &str) -> Notice {
    Notice {
        event: EventId::from(Uuid7::from_parts(1_794_648_600_000, 42)),
        kind,
        occurred_at: "2026-11-14T09:30:00Z".parse().unwrap(),
        tenant: "Nordbank AG".to_owned(),
        time_zone: domain::time_zone::TimeZone::utc(),
        record: Record {
            called,
            reference: Some("F-2026-0042".to_owned()),
            title: title.to_owned(),
            url: "https://tidewall.bank.example/workspace/findings/fnd_01kfy".to_owned(),
        },
        severity: Some("critical".to_owned()),
        owner: None,
        rule_book: None,
        change: None,
        deadline: None,
        test: false,
    }
}

fn change(from: &str, to: &str) -> Change {
    Change { from: Some(from.to_owned()), to: to.to_owned() }
}

fn due(day: &str) -> Deadline {
    Deadline { due: Due::Day(day.parse().unwrap()), stage: None }
}

fn created() -> Notice {
    Notice {
        change: Some(Change { from: None, to: "open".to_owned() }),
        deadline: Some(due("2026-12-14")),
        ..notice(
            EventKind::FindingCreated,
            FINDING,
            "Backup of the core banking system was not restorable within the agreed time",
        )
    }
}

fn samples() -> Vec<(&'static str, Notice)> {
    let status_changed = Notice {
        change: Some(change("in_progress", "risk_accepted")),
        ..notice(EventKind::FindingStatusChanged, FINDING, "Legacy TLS on the payment gateway")
    };
    let test_case = notice(
        EventKind::TestCaseStatusChanged,
        Label::new("Test case", "Testfall"),
        "Restore drill, site B",
    );
    let test_case = Notice {
        record: Record { reference: None, ..test_case.record },
        severity: None,
        change: Some(change("in_progress", "failed")),
        ..test_case
    };
    let days = Notice {
        deadline: Some(due("2026-11-21")),
        owner: Some("Mia Manager".to_owned()),
        ..notice(EventKind::DeadlineApproaching, FINDING, "Missing exit plan for the cloud provider")
    };
    let cra = notice(
        EventKind::DeadlineApproaching,
        Label::new("CRA report", "CRA-Meldung"),
        "Remote code execution in the reader",
    );
    let clock = Deadline {
        due: Due::Moment("2026-11-14T13:30:00Z".parse().unwrap()),
        stage: Some("early_warning".to_owned()),
    };
    let hours = Notice {
        record: Record { reference: None, ..cra.record },
        deadline: Some(clock),
        owner: Some("Dana Weber".to_owned()),
        rule_book: Some("cra".to_owned()),
        ..cra
    };
    vec![
        ("finding_created", created()),
        ("finding_status_changed", status_changed),
        ("test_case_status_changed", test_case),
        ("deadline_in_days", days),
        ("deadline_in_hours", hours),
        ("test_send", Notice { test: true, ..created() }),
        ("hostile_text", hostile()),
    ]
}

const HOSTILE: &str = "<!channel> <https://evil.example|Approve> <at>Everyone</at> [Approve](https://evil.example) \
                       *b* _i_ `c` \"><script>alert('x')</script>\r\nBcc: victim@bank.example\u{202e}gnp.exe & :boom: ${x}";

fn hostile() -> Notice {
    let mut notice = notice(EventKind::FindingStatusChanged, FINDING, HOSTILE);
    notice.tenant = format!("Bank {HOSTILE}");
    notice.record.reference = Some(format!("F {HOSTILE}"));
    notice.severity = Some("<b>severe</b>".to_owned());
    notice.change = Some(change("open", "<!here>"));
    notice
}

fn many(count: usize, title: &str) -> Vec<Notice> {
    let mut notices = vec![created(); count];
    for (index, notice) in notices.iter_mut().enumerate() {
        notice.event = EventId::from(Uuid7::from_parts(1_794_648_600_000, index as u128));
        notice.occurred_at = notice.occurred_at.plus_seconds(index.try_into().unwrap());
        notice.record.reference = Some(format!("F-2026-{index:04}"));
        notice.record.title = format!("{title} {index}");
        notice.severity = Some(["low", "high", "medium"][index % 3].to_owned());
    }
    notices
}

fn digest(notices: &[Notice]) -> Content<'_> {
    Content::Digest(Digest {
        kind: EventKind::FindingCreated,
        tenant: "Nordbank AG",
        notices,
        url: "https://tidewall.bank.example/workspace/findings",
    })
}

/// All media of one message, one after the other.
fn drawn(content: &Content<'_>, language: Language) -> String {
    let pretty = |bytes: Vec<u8>| {
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let mail = mail(content, language);
    format!(
        "Slack\n{}\n\nTeams\n{}\n\nSubject\n{}\n\nText\n{}\nHTML\n{}",
        pretty(slack(content, language)),
        pretty(teams(content, language)),
        mail.subject,
        mail.text,
        mail.html
    )
}

fn snapshot(name: &str, content: &Content<'_>) {
    for language in Language::ALL {
        insta::assert_snapshot!(format!("{name}_{language}"), drawn(content, language));
    }
}

#[test]
fn every_event_in_every_medium() {
    for (name, notice) in samples() {
        snapshot(name, &Content::Event(&notice));
    }
}

#[test]
fn a_burst_becomes_one_message() {
    snapshot("digest", &digest(&many(7, "Unpatched host")));
}

#[test]
fn administrators_hear_of_a_webhook_that_was_switched_off() {
    let mut switched = SwitchOff {
        webhook: "Security channel".to_owned(),
        tenant: "Nordbank AG".to_owned(),
        reason: SwitchOffReason::Gone,
        at: "2026-11-14T09:30:00Z".parse().unwrap(),
        url: "https://tidewall.bank.example/workspace/webhooks/whk_01kfy".to_owned(),
    };
    snapshot("switched_off_gone", &Content::SwitchOff(&switched));
    switched.reason = SwitchOffReason::KeptFailing;
    snapshot("switched_off_failing", &Content::SwitchOff(&switched));
}

/// All strings of a JSON document, wherever they stand.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        _ => vec![],
    }
}

#[test]
fn what_people_type_stays_text() {
    let notice = hostile();
    for content in [Content::Event(&notice), digest(&[notice.clone(), notice.clone()])] {
        for language in Language::ALL {
            let slack: Value = serde_json::from_slice(&slack(&content, language)).unwrap();
            assert!(strings(&slack).iter().all(|text| !text.contains(['<', '>'])), "{slack}");
            let teams: Value = serde_json::from_slice(&teams(&content, language)).unwrap();
            assert!(strings(&teams).iter().all(|text| !text.to_lowercase().contains("<at>")), "{teams}");
            let facts = teams.pointer("/attachments/0/content/body").unwrap().as_array().unwrap();
            let facts = facts.iter().find(|block| block["type"] == "FactSet").unwrap();
            assert!(strings(facts).iter().all(|text| !text.contains("](")), "{facts}");
            let mail = mail(&content, language);
            assert!(!mail.html.contains("<script") && !mail.html.contains("alert('"), "{}", mail.html);
            let all = [slack.to_string(), teams.to_string(), mail.subject.clone(), mail.text, mail.html];
            assert!(all.iter().all(|text| !text.contains('\u{202e}') && !text.contains("\r\nBcc")));
            assert!(!mail.subject.contains(char::is_control), "{}", mail.subject);
        }
    }
}

#[test]
fn the_vendors_limits_hold_for_the_longest_texts() {
    for character in ["x", "<", "ä", "😀", "*"] {
        let long = character.repeat(4000);
        let mut notice = created();
        notice.record.title.clone_from(&long);
        notice.tenant.clone_from(&long);
        notice.record.reference = Some(long.clone());
        notice.severity = Some(long.clone());
        notice.change = Some(change(&long, &long));
        let burst = vec![notice.clone(); 60];
        for content in [Content::Event(&notice), digest(&burst)] {
            let slack = slack(&content, Language::German);
            keeps_slack_limits(&serde_json::from_slice(&slack).unwrap());
            let units = String::from_utf8(slack).unwrap().encode_utf16().count();
            assert!(units <= 13_000, "Slack refuses {units} characters of {character}");
            let teams = teams(&content, Language::German);
            assert!(teams.len() <= 18_000, "{} bytes of {character} for Teams", teams.len());
            let mail = mail(&content, Language::German);
            assert!(mail.subject.chars().count() <= 150);
            assert!(mail.html.len() < 250_000, "{}", mail.html.len());
        }
    }
}

#[test]
fn a_full_digest_carries_every_event_id() {
    let notices = many(DIGEST_LIMIT, "Unpatched host with a title of ordinary length");
    let content = digest(&notices);
    let mail = mail(&content, Language::German);
    let [slack, teams] =
        [slack, teams].map(|draw| String::from_utf8(draw(&content, Language::German)).unwrap());
    for notice in &notices {
        let id = notice.event.to_string();
        assert!([&slack, &teams, &mail.text, &mail.html].iter().all(|body| body.contains(&id)), "{id}");
    }
    let longer = many(500, "Unpatched host");
    let shown = drawn(&digest(&longer), Language::English);
    assert!(shown.contains("… and 480 more") && shown.contains("… and 450 more"));
}

fn keeps_slack_limits(message: &Value) {
    let length = |value: &Value| value.as_str().unwrap().encode_utf16().count();
    let blocks = message["blocks"].as_array().unwrap();
    assert!(blocks.len() <= 50);
    for block in blocks {
        match block["type"].as_str().unwrap() {
            "header" => assert!(length(&block["text"]["text"]) <= 150),
            "section" if block["fields"].is_array() => {
                let fields = block["fields"].as_array().unwrap();
                assert!(fields.len() <= 10 && fields.iter().all(|field| length(&field["text"]) <= 2000));
            }
            "section" => assert!(length(&block["text"]["text"]) <= 3000),
            "actions" => assert!(length(&block["elements"][0]["text"]["text"]) <= 75),
            "context" => assert!(block["elements"].as_array().unwrap().len() <= 10),
            kind => assert_eq!(kind, "rich_text"),
        }
    }
}

#[test]
fn an_address_too_long_for_a_button_does_not_cost_the_message() {
    let mut notice = created();
    notice.record.url = format!("https://tidewall.bank.example/{}", "x".repeat(3000));
    let message: Value = serde_json::from_slice(&slack(&Content::Event(&notice), Language::English)).unwrap();
    assert!(message["blocks"].as_array().unwrap().iter().all(|block| block["type"] != "actions"));
}

#[test]
fn a_letter_shows_names_as_text_and_its_link_whole() {
    let personal = PersonalMail {
        subject: "A new password (North\r\nBcc: x@y.example \u{202e}Bank)",
        greeting: "Hello <b>Anna</b> \u{202e}\"O'Neil\",",
        body: "open this link:",
        url: "https://tidewall.example/workspace/link/a?b=1&c=2",
        closing: "Goodbye.",
    };
    let mail = personal.draw(Language::English);
    assert_eq!(mail.subject, "A new password (North Bcc: x@y.example Bank)");
    assert_eq!(
        mail.text,
        "Hello <b>Anna</b> \"O'Neil\",\n\nopen this link:\n\n\
         https://tidewall.example/workspace/link/a?b=1&c=2\n\nGoodbye.\n"
    );
    assert!(
        mail.html.contains("<p>Hello &lt;b&gt;Anna&lt;/b&gt; &quot;O&#39;Neil&quot;,</p>"),
        "{}",
        mail.html
    );
    assert!(
        mail.html.contains("href=\"https://tidewall.example/workspace/link/a?b=1&amp;c=2\""),
        "{}",
        mail.html
    );
}
