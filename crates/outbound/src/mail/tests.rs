//! The mail sender against a real mail server.

use std::sync::Arc;

use domain::{event::EventKind, wording::Language};
use serde_json::{Value, json};

use super::{
    postbox::{Certificate, Postbox, count},
    *,
};
use crate::message::{self, Content, Notice, Record};

const FROM: &str = "\"Tidewall, Nordbank\" <tidewall@bank.example>";

fn sender(url: &str, allow_plain: bool, trust: &Trust) -> MailSender {
    let timeout = Duration::from_secs(20);
    let settings = MailSettings { url: url.to_owned(), from: FROM.to_owned(), allow_plain, timeout };
    MailSender::new(&settings, trust, Allowlist::default()).unwrap()
}

fn plain_sender(postbox: &Postbox) -> MailSender {
    sender(&format!("smtp://127.0.0.1:{}", postbox.port), true, &Trust::default())
}

fn trusting(certificate: &Certificate) -> Trust {
    Trust::only([certificate.der.clone()])
}

fn text(title: &str) -> MailText {
    let notice = Notice {
        event: "evt_01m7cp8ve0e00800000000001a".parse().unwrap(),
        kind: EventKind::FindingCreated,
        occurred_at: "2026-11-14T09:30:00Z".parse().unwrap(),
        tenant: "Nordbank AG".to_owned(),
        time_zone: domain::time_zone::TimeZone::utc(),
        record: Record {
            called: domain::wording::Label::new("Finding", "Feststellung"),
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
    };
    message::mail(&Content::Event(&notice), Language::German)
}

async fn send(sender: &MailSender, to: &str, text: &MailText) -> Outcome {
    let mail = Mail {
        id: "dlv_01m7cp8ve0e00800000000001b",
        text,
        date: "2026-11-14T09:30:05Z".parse().unwrap(),
        unsubscribe: Some("https://tidewall.bank.example/workspace/webhooks"),
    };
    sender.send(&Destination::checked(format!("mailto:{to}@bank.example")), mail).await
}

fn header<'a>(mail: &'a Value, name: &str) -> Vec<&'a str> {
    let headers = mail["headers"].as_array().unwrap().iter();
    headers.filter(|pair| pair[0] == name).map(|pair| pair[1].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_mail_arrives_over_starttls_whole_and_well_formed() {
    let certificate = Certificate::new();
    let mut postbox = certificate.postbox("starttls", &[]).await;
    let sender = sender(&format!("smtp://localhost:{}", postbox.port), false, &trusting(&certificate));
    let text = text("Rücksicherung der Kernbank schlug fehl");
    let outcome = send(&sender, "security", &text).await;
    assert_eq!((outcome.verdict, outcome.status), (Verdict::Delivered, Some(250)), "{outcome:?}");
    assert!(outcome.detail.contains("Taken as 12345"), "{outcome:?}");

    let mail = postbox.wait_for("mail").await;
    assert_eq!(mail["secured"], true);
    assert_eq!(mail["sender"], "tidewall@bank.example");
    assert_eq!(header(&mail, "List-Unsubscribe"), ["<https://tidewall.bank.example/workspace/webhooks>"]);
    assert_eq!(mail["recipients"], json!(["security@bank.example"]));
    assert_eq!(mail["hello"], "bank.example");
    assert_eq!(header(&mail, "Message-ID"), ["<tidewall.dlv_01m7cp8ve0e00800000000001b@bank.example>"]);
    assert_eq!(header(&mail, "Date"), ["Sat, 14 Nov 2026 09:30:05 +0000"]);
    assert_eq!(header(&mail, "From"), [FROM]);
    assert_eq!(header(&mail, "To"), ["security@bank.example"]);
    assert_eq!(header(&mail, "Auto-Submitted"), ["auto-generated"]);
    assert_eq!(header(&mail, "X-Auto-Response-Suppress"), ["All"]);
    assert_eq!(header(&mail, "List-Id"), ["Tidewall notices <tidewall.bank.example>"]);
    assert_eq!(header(&mail, "Content-Language"), ["de"]);
    assert_eq!(
        header(&mail, "Subject"),
        ["[Tidewall] Neue Feststellung: F-2026-0042 Rücksicherung der Kernbank schlug fehl"]
    );
    assert_eq!(mail["type"], "multipart/alternative");
    let unix = |part: &Value| part[1].as_str().unwrap().replace("\r\n", "\n").trim_end().to_owned();
    assert_eq!(mail["parts"][0][0], "text/plain");
    assert_eq!(unix(&mail["parts"][0]), text.text.trim_end());
    assert_eq!(mail["parts"][1][0], "text/html");
    assert_eq!(unix(&mail["parts"][1]), text.html.trim_end());
    assert_eq!((&mail["defects"], &mail["ascii"]), (&json!([]), &json!(true)));
    assert!(mail["longest_line"].as_u64().unwrap() <= 998);
}

#[tokio::test]
async fn mails_share_a_connection_also_after_a_refusal() {
    let postbox = Postbox::start(&[]).await;
    let sender = plain_sender(&postbox);
    for to in ["a", "gone", "b", "greylisted", "c"] {
        send(&sender, to, &text("Titel")).await;
    }
    assert_eq!(send(&sender, "d", &text("SPAM")).await.verdict, Verdict::Refused);
    assert_eq!(send(&sender, "e", &text("Titel")).await.verdict, Verdict::Delivered);
    let events = postbox.end().await;
    assert_eq!((count(&events, "connected"), count(&events, "mail")), (1, 4));
}

#[tokio::test]
async fn many_at_once_use_few_connections() {
    let postbox = Postbox::start(&[]).await;
    let sender = Arc::new(plain_sender(&postbox));
    let sending = (0..20).map(|number| {
        let sender = Arc::clone(&sender);
        tokio::spawn(async move { send(&sender, &format!("user{number}"), &text("Titel")).await.verdict })
    });
    for verdict in sending.collect::<Vec<_>>() {
        assert_eq!(verdict.await.unwrap(), Verdict::Delivered);
    }
    let events = postbox.end().await;
    assert_eq!(count(&events, "mail"), 20);
    assert!(count(&events, "connected") <= 4, "{}", count(&events, "connected"));
}

#[tokio::test]
async fn a_server_without_tls_gets_nothing() {
    let postbox = Postbox::start(&[]).await;
    let sender = sender(&format!("smtp://localhost:{}", postbox.port), false, &Trust::default());
    let outcome = send(&sender, "security", &text("Titel")).await;
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Transient, Reason::MailServer));
    assert!(outcome.detail.contains("STARTTLS"), "{outcome:?}");
    assert!(!outcome.blames_destination());
    assert_eq!(count(&postbox.end().await, "mail"), 0);
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_gets_nothing() {
    let (shown, other) = (Certificate::new(), Certificate::new());
    for (security, scheme) in [("starttls", "smtp"), ("tls", "smtps")] {
        let postbox = shown.postbox(security, &[]).await;
        for (host, trust) in [("localhost", trusting(&other)), ("127.0.0.1", trusting(&shown))] {
            let sender = sender(&format!("{scheme}://{host}:{}", postbox.port), false, &trust);
            let outcome = send(&sender, "security", &text("Titel")).await;
            assert_eq!(
                (outcome.verdict, outcome.reason),
                (Verdict::Transient, Reason::MailServer),
                "{security} {host}: {outcome:?}"
            );
        }
        assert_eq!(count(&postbox.end().await, "mail"), 0);
    }
}

#[tokio::test]
async fn implicit_tls_and_signing_in_work() {
    let certificate = Certificate::new();
    let mut implicit = certificate.postbox("tls", &[]).await;
    let over_tls = sender(&format!("smtps://localhost:{}", implicit.port), false, &trusting(&certificate));
    assert_eq!(send(&over_tls, "security", &text("Titel")).await.verdict, Verdict::Delivered);
    assert_eq!(implicit.wait_for("mail").await["secured"], true);

    let mut guarded = certificate.postbox("starttls", &["--login", "tide:p:ss/word"]).await;
    let with = |login: &str| {
        sender(&format!("smtp://{login}localhost:{}", guarded.port), false, &trusting(&certificate))
    };
    let (right, wrong, none) = (with("tide:p%3Ass%2Fword@"), with("tide:SECRET@"), with(""));
    assert_eq!(send(&right, "security", &text("Titel")).await.verdict, Verdict::Delivered);
    assert_eq!(guarded.wait_for("mail").await["signed_in"], true);
    for sender in [wrong, none] {
        let outcome = send(&sender, "security", &text("Titel")).await;
        assert_eq!(
            (outcome.verdict, outcome.reason),
            (Verdict::Transient, Reason::MailServer),
            "{outcome:?}"
        );
        assert!(!format!("{outcome:?} {sender:?}").contains("SECRET"));
    }
}

#[tokio::test]
async fn refusals_are_distinguished() {
    let postbox = Postbox::start(&[]).await;
    let sender = plain_sender(&postbox);
    for (to, title, verdict, status) in [
        ("gone", "Titel", Verdict::Dead, 550),
        ("full", "Titel", Verdict::Refused, 552),
        ("security", "SPAM", Verdict::Refused, 554),
        ("greylisted", "Titel", Verdict::Transient, 451),
    ] {
        let outcome = send(&sender, to, &text(title)).await;
        assert_eq!((outcome.verdict, outcome.status), (verdict, Some(status)), "{to}: {outcome:?}");
        assert!(outcome.reason == Reason::Answered && outcome.blames_destination());
    }
    for to in ["closing", "dropped"] {
        let outcome = send(&sender, to, &text("Titel")).await;
        assert_eq!(
            (outcome.verdict, outcome.reason),
            (Verdict::Transient, Reason::MailServer),
            "{to}: {outcome:?}"
        );
    }
    let outcome = send(&sender, "not an address", &text("Titel")).await;
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Refused, Reason::NotAllowed));
}

#[tokio::test]
async fn a_dialogue_cut_short_does_not_speak_into_the_next() {
    let mut postbox = Postbox::start(&[]).await;
    let mut sender = plain_sender(&postbox);
    assert_eq!(send(&sender, "first", &text("Titel")).await.verdict, Verdict::Delivered);
    sender.timeout = Duration::from_millis(700);
    for (to, title) in [("silent", "Titel"), ("second", "SLOW")] {
        let outcome = send(&sender, to, &text(title)).await;
        assert_eq!(
            (outcome.verdict, outcome.reason),
            (Verdict::Transient, Reason::MailServer),
            "{outcome:?}"
        );
    }
    postbox.wait_for("slow").await;
    sender.timeout = Duration::from_secs(20);
    // If the slow connection were reused, its late answer would be taken for one about this recipient.
    assert_eq!(send(&sender, "gone", &text("Titel")).await.verdict, Verdict::Dead);
    assert_eq!(send(&sender, "third", &text("Titel")).await.verdict, Verdict::Delivered);
}

#[tokio::test]
async fn a_restarted_server_is_found_again() {
    let first = Postbox::start(&[]).await;
    let port = first.port;
    let sender = plain_sender(&first);
    assert_eq!(send(&sender, "security", &text("Titel")).await.verdict, Verdict::Delivered);
    first.end().await;
    let outcome = send(&sender, "security", &text("Titel")).await;
    assert_eq!((outcome.verdict, outcome.reason), (Verdict::Transient, Reason::MailServer), "{outcome:?}");
    let second = Postbox::start(&["--port", &port.to_string()]).await;
    assert_eq!(send(&sender, "security", &text("Titel")).await.verdict, Verdict::Delivered);
    assert_eq!(count(&second.end().await, "mail"), 1);
}

#[tokio::test]
async fn nothing_typed_becomes_a_header_or_a_command() {
    let mut postbox = Postbox::start(&[]).await;
    let sender = plain_sender(&postbox);
    let odd = [
        "a\r\nBcc: victim@bank.example\r\n\r\nbody".to_owned(),
        "\r\n.\r\nMAIL FROM:<x@evil.example>\r\n".to_owned(),
        "\n.\n.\r.\r\n..".to_owned(),
        "=?utf-8?q?=0d=0aBcc:_x?=".to_owned(),
        "\0\u{7f}\u{85}\u{2028}\u{202e}\u{feff}".to_owned(),
        "\" <victim@bank.example>, ".to_owned(),
        "😀".repeat(300),
        String::new(),
    ];
    for title in odd {
        let mut text = text(&title);
        // Bypasses the cleaning of messages to test that of mails.
        text.subject = format!("Subject {title}");
        text.text = format!("{title}\n{title}");
        let mail = Mail { id: &title, text: &text, date: Moment::from_millis(0), unsubscribe: None };
        let outcome =
            sender.send(&Destination::checked("mailto:security@bank.example".to_owned()), mail).await;
        assert_eq!(outcome.verdict, Verdict::Delivered, "{title:?}: {outcome:?}");
        let arrived = postbox.wait_for("mail").await;
        assert_eq!(arrived["recipients"], json!(["security@bank.example"]), "{title:?}");
        assert!(header(&arrived, "Bcc").is_empty(), "{title:?}: {arrived}");
        assert_eq!(header(&arrived, "Subject").len(), 1, "{title:?}: {arrived}");
        assert_eq!(arrived["parts"].as_array().unwrap().len(), 2, "{title:?}: {arrived}");
    }
    assert_eq!(count(&postbox.end().await, "mail"), 0);
}
