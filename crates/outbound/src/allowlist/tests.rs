//! Known attacks on allowlists.

use std::collections::BTreeMap;

use super::*;

/// Authorities that lead, or could be parsed to lead, to another host than the vendor's.
const REFUSED_AUTHORITIES: &str = include_str!("../../tests/data/refused-authorities.json");

/// Whole texts that are refused whatever the channel.
const REFUSED_URLS: &str = include_str!("../../tests/data/refused-urls.json");

const SLACK: &str = "https://hooks.slack.com/services/T0001/B0002/abcDEF123";
const SLACK_TAIL: &str = "/services/T0001/B0002/abcDEF123";
const TEAMS_HOST: &str = "default0a1b2c3d4e.5f.environment.api.powerplatform.com";
const TEAMS_TAIL: &str = "/powerautomate/automations/direct/cu/07/workflows/0123abcd/triggers/manual/paths/invoke\
                          ?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=q1w2-e3_r4";

const GOOD: &[(Channel, &str)] = &[
    (Channel::Slack, SLACK),
    (Channel::Slack, "https://hooks.slack.com:443/services/T0001/B0002/abcDEF123"),
    (Channel::Slack, "https://hooks.slack-gov.com/services/T0001/B0002/abcDEF123"),
    (Channel::Slack, "https://hooks.slack.com/services/T0001/B0002/abc%2DDEF"),
    (
        Channel::Teams,
        "https://x.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/0a/triggers/manual/\
         paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abc",
    ),
    (
        Channel::Teams,
        "https://x.b.environment.api.gov.powerplatform.microsoft.us:443/workflows/0a/triggers/manual?sig=abc",
    ),
    (
        Channel::Teams,
        "https://x.b.environment.api.high.powerplatform.microsoft.us/workflows/0a/triggers/manual?sig=abc",
    ),
    (Channel::Teams, "https://x.b.environment.api.appsplatform.us/workflows/0a/triggers/manual?sig=abc"),
    (Channel::Email, "mailto:security@bank.example"),
    (Channel::Email, "mailto:first.last+tidewall@it.bank.example"),
    (Channel::Email, "mailto:o'neill_x-y@xn--bnk-qla.xn--p1ai"),
];

fn allowlist(settings: AllowlistSettings) -> Allowlist {
    Allowlist::new(settings).unwrap()
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The entries of a data file, which groups them by attack.
fn table(json: &str) -> Vec<String> {
    let groups: BTreeMap<String, Vec<String>> = serde_json::from_str(json).unwrap();
    groups.into_values().flatten().collect()
}

#[test]
fn accepts_what_the_vendors_hand_out_and_keeps_it_as_written() {
    let teams = format!("https://{TEAMS_HOST}{TEAMS_TAIL}");
    let all = GOOD.iter().copied().chain([(Channel::Teams, teams.as_str())]);
    for (channel, url) in all {
        let destination = Allowlist::default().check(channel, url);
        assert_eq!(destination.unwrap().reveal(), url, "{channel}");
    }
    let mixed_case = Allowlist::default().check(Channel::Email, "mailto:Ops@Bank.Example").unwrap();
    assert_eq!(mixed_case.reveal(), "mailto:Ops@bank.example");
}

#[test]
fn refuses_every_way_to_reach_another_host() {
    let authorities = table(REFUSED_AUTHORITIES);
    assert!(authorities.len() >= 200, "{}", authorities.len());
    for authority in authorities {
        for tail in [SLACK_TAIL, TEAMS_TAIL] {
            refused_everywhere(&format!("https://{authority}{tail}"));
        }
    }
}

#[test]
fn refuses_other_schemes_paths_and_addresses() {
    for url in table(REFUSED_URLS) {
        refused_everywhere(&url);
    }
}

/// Refused for every channel, even if the operator has allowed everything that can be allowed.
fn refused_everywhere(url: &str) {
    let opened = allowlist(AllowlistSettings {
        dev_destinations: strings(&["http://127.0.0.1:9001", "http://[::1]:9001"]),
        extra_hosts: strings(&["chat.bank.example"]),
        ..AllowlistSettings::default()
    });
    for &channel in Channel::ALL {
        for rules in [&Allowlist::default(), &opened] {
            assert!(rules.check(channel, url).is_err(), "{channel} must refuse {url:?}");
        }
    }
}

#[test]
fn a_destination_belongs_to_its_channel() {
    for (channel, url) in GOOD {
        for &other in Channel::ALL.iter().filter(|other| *other != channel) {
            assert!(Allowlist::default().check(other, url).is_err(), "{other} must refuse {url}");
        }
    }
}

#[test]
fn names_the_rule_that_was_broken() {
    use Channel::{Email, Slack, Teams};
    let teams_tail = "/workflows/1/triggers/manual?sig=abc";
    let cases = [
        (Slack, "http://hooks.slack.com/services/T/B/x".to_owned(), DestinationError::NotHttps),
        (Slack, "https://u:p@hooks.slack.com/services/T/B/x".to_owned(), DestinationError::UserInfo),
        (Slack, "https://hooks.slack.com:8443/services/T/B/x".to_owned(), DestinationError::Port),
        (Slack, format!("{SLACK}#x"), DestinationError::Fragment),
        (Slack, format!("{SLACK} "), DestinationError::Characters),
        (Slack, format!("https://2130706433{SLACK_TAIL}"), DestinationError::LiteralAddress),
        (Slack, format!("https://[::1]{SLACK_TAIL}"), DestinationError::LiteralAddress),
        (Slack, format!("https://hooks.slack.com.{SLACK_TAIL}"), DestinationError::TrailingDot),
        (Slack, format!("https://HOOKS.slack.com{SLACK_TAIL}"), DestinationError::HostSpelling),
        (Slack, format!("https://hooks.slack.com/services/..{SLACK_TAIL}"), DestinationError::PathSpelling),
        (Slack, format!("https://evil.example{SLACK_TAIL}"), DestinationError::NotSlack),
        (Slack, "https://hooks.slack.com/workflows/T/A/x".to_owned(), DestinationError::SlackWorkflow),
        (Slack, format!("https://hooks.slack.com/services/{}", "x".repeat(512)), DestinationError::TooLong),
        (Teams, SLACK.to_owned(), DestinationError::NotTeams),
        (Teams, "https://a.webhook.office.com/webhookb2/x".to_owned(), DestinationError::RetiredConnector),
        (Teams, format!("https://a.b.logic.azure.com:443{teams_tail}"), DestinationError::RetiredConnector),
        (Teams, format!("https://{TEAMS_HOST}/?sig=abc"), DestinationError::TeamsPath),
        (Teams, format!("https://{TEAMS_HOST}/workflows/1/triggers/m"), DestinationError::TeamsSignature),
        (Email, "mailto:a@bank.example?cc=b@x.example".to_owned(), DestinationError::NotMailto),
        (Email, "mailto:\"a\"@bank.example".to_owned(), DestinationError::MailLocalPart),
        (Email, format!("mailto:{}@bank.example", "a".repeat(65)), DestinationError::MailLocalPart),
        (Email, "mailto:a@[127.0.0.1]".to_owned(), DestinationError::MailDomain),
        (Email, "mailto:a@bank".to_owned(), DestinationError::MailDomain),
    ];
    for (channel, url, expected) in cases {
        assert_eq!(Allowlist::default().check(channel, &url), Err(expected), "{channel} {url}");
        assert!(expected.to_string().starts_with("must "), "reads after the field's name: {expected}");
    }
}

#[test]
fn an_operator_can_add_hosts_for_slack_alone() {
    let rules = allowlist(AllowlistSettings {
        extra_hosts: strings(&["chat.bank.example"]),
        ..AllowlistSettings::default()
    });
    assert!(rules.check(Channel::Slack, "https://chat.bank.example/hooks/abc123").is_ok());
    assert!(rules.check(Channel::Slack, SLACK).is_ok());
    for url in [
        "http://chat.bank.example/hooks/a",
        "https://chat.bank.example:8065/hooks/a",
        "https://x.chat.bank.example/a",
    ] {
        assert!(rules.check(Channel::Slack, url).is_err(), "{url}");
    }
    assert!(rules.check(Channel::Teams, "https://chat.bank.example/hooks/abc123").is_err());
    for bad in [
        "",
        "localhost",
        "127.0.0.1",
        "*.bank.example",
        "https://chat.bank.example",
        "chat.bank.example:8065",
        "Chat.bank.example",
        "chat.bank.example.",
        "[::1]",
    ] {
        let settings = AllowlistSettings { extra_hosts: strings(&[bad]), ..AllowlistSettings::default() };
        assert_eq!(Allowlist::new(settings).unwrap_err(), AllowlistError::ExtraHost(bad.to_owned()));
    }
}

#[test]
fn mail_can_be_bound_to_the_operators_domains() {
    let rules = allowlist(AllowlistSettings {
        email_domains: strings(&["Bank.example"]),
        ..AllowlistSettings::default()
    });
    assert!(rules.check(Channel::Email, "mailto:a@BANK.example").is_ok());
    for url in ["mailto:a@it.bank.example", "mailto:a@xbank.example", "mailto:a@bank.example.evil.example"] {
        assert_eq!(rules.check(Channel::Email, url), Err(DestinationError::MailDomainNotAllowed), "{url}");
    }
    let settings = AllowlistSettings { email_domains: strings(&["@bank"]), ..AllowlistSettings::default() };
    assert_eq!(Allowlist::new(settings).unwrap_err(), AllowlistError::EmailDomain("@bank".to_owned()));
}

#[test]
fn development_origins_are_loopback_and_match_exactly() {
    let rules = allowlist(AllowlistSettings {
        dev_destinations: strings(&["http://127.0.0.1:9000", "https://[::1]:9443/"]),
        ..AllowlistSettings::default()
    });
    assert_eq!(rules.dev_destinations(), ["http://127.0.0.1:9000", "https://[::1]:9443"]);
    for channel in [Channel::Slack, Channel::Teams] {
        for good in ["http://127.0.0.1:9000", "http://127.0.0.1:9000/a/b?c=d", "https://[::1]:9443/x"] {
            assert_eq!(rules.check(channel, good).unwrap().reveal(), good);
        }
        for bad in [
            "http://127.0.0.1:9001/",
            "http://127.0.0.1/",
            "https://127.0.0.1:9000/",
            "http://127.1:9000/",
            "http://0x7f000001:9000/",
            "http://localhost:9000/",
            "http://u@127.0.0.1:9000/",
            "http://127.0.0.1:9000@evil.example/",
            "http://127.0.0.1:90000/",
            "http://127.0.0.1:9000.evil.example/",
            "HTTP://127.0.0.1:9000/",
            "http://127.0.0.2:9000/",
            "http://127.0.0.1:9000\\@evil.example/",
            "http://127.0.0.1:9000#@evil.example/",
            "http://127.0.0.1:9000/a/../b",
            "http://127.0.0.1:9000/a b",
            "http://[::1]:9443/",
            "https://[0:0:0:0:0:0:0:1]:9443/",
        ] {
            assert!(rules.check(channel, bad).is_err(), "{channel} must refuse {bad}");
        }
    }
    assert!(rules.check(Channel::Email, "http://127.0.0.1:9000").is_err());
    for bad in [
        "",
        "127.0.0.1:9000",
        "http://localhost:9000",
        "http://10.0.0.1:9000",
        "http://0.0.0.0:9000",
        "http://127.1:9000",
        "http://8.8.8.8:9000",
        "http://127.0.0.1:9000/path",
        "http://127.0.0.1:9000?x",
        "http://u@127.0.0.1:9000",
        "ftp://127.0.0.1:9000",
        "http://[::ffff:127.0.0.1]:9000",
        "http://hooks.slack.com",
        "http://169.254.169.254",
    ] {
        let settings =
            AllowlistSettings { dev_destinations: strings(&[bad]), ..AllowlistSettings::default() };
        assert_eq!(Allowlist::new(settings).unwrap_err(), AllowlistError::DevDestination(bad.to_owned()));
    }
}

#[test]
fn event_hooks_reach_only_the_hosts_that_the_operator_names() {
    let rules = allowlist(AllowlistSettings {
        event_hook_hosts: strings(&["bank.example"]),
        ..AllowlistSettings::default()
    });
    for good in ["https://bank.example/in", "https://events.bank.example/in?token=1"] {
        assert_eq!(rules.check_event_hook(good).unwrap().reveal(), good);
    }
    for other in ["https://evilbank.example/in", "https://bank.example.evil.example/in", "https://example/"] {
        assert!(rules.check_event_hook(other).is_err(), "{other}");
    }
    assert!(Allowlist::default().check_event_hook("https://events.other.example/in").is_ok());
}
