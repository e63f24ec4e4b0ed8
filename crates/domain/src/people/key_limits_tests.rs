use super::*;

fn scopes(text: &str) -> Scopes {
    text.parse().unwrap()
}

fn networks(text: &str) -> Networks {
    text.parse().unwrap()
}

#[test]
fn scopes_are_resource_and_verb() {
    let scopes: Scopes = "findings:write, findings:read\nfindings:read".parse().unwrap();
    assert_eq!(scopes.to_string(), "findings:read,findings:write");
    assert!(scopes.contains("findings", Verb::Write) && !scopes.contains("webhooks", Verb::Read));
    for wrong in ["", "findings", "findings:delete", "finding:read", "*:read", "findings:read:write"] {
        assert!(wrong.parse::<Scopes>().is_err(), "{wrong}");
    }
    let later = Scopes::stored("findings:read,moons:read");
    assert_eq!(later.to_string(), "findings:read");
    assert!(RESOURCES.is_sorted(), "scopes are sorted like their resources");
}

#[test]
fn a_path_belongs_to_its_first_part() {
    assert_eq!(resource_of("/api/v1/findings/fnd_1/archive"), Some("findings"));
    assert_eq!(resource_of("/api/v2/search"), Some("search"));
    for root in ["/api/v2", "/api/v1/", "/api/health", "/api/v10/findings"] {
        assert_eq!(resource_of(root), None, "{root}");
    }
}

#[test]
fn networks_hold_addresses_in_either_form() {
    let office: Networks = "192.0.2.9/24, 2001:db8::/32 198.51.100.7".parse().unwrap();
    assert_eq!(office.to_string(), "192.0.2.0/24,198.51.100.7/32,2001:db8::/32");
    for inside in ["192.0.2.200", "::ffff:192.0.2.200", "198.51.100.7", "2001:db8::1"] {
        assert!(office.contains(inside.parse().unwrap()), "{inside}");
    }
    for outside in ["192.0.3.1", "198.51.100.8", "2001:db9::1", "::1"] {
        assert!(!office.contains(outside.parse().unwrap()), "{outside}");
    }
    for wrong in ["", "office", "192.0.2.0/33", "192.0.2"] {
        assert!(wrong.parse::<Networks>().is_err(), "{wrong}");
    }
}

#[test]
fn only_a_key_that_names_accounts_hands_them_on() {
    let child = KeyLimits { scopes: Some(scopes("accounts:write")), ..KeyLimits::default() };
    assert!(child.names(ACCOUNTS, Verb::Write) && !child.names(ACCOUNTS, Verb::Read));
    assert!(!KeyLimits::default().names(ACCOUNTS, Verb::Read), "no scopes name nothing");
    let refused = child.clone().within(&KeyLimits::default());
    let text = "accounts:write".to_owned();
    assert_eq!(refused, Err(("scopes", LimitComplaint::ScopeBeyondParent { text })));
    let parent = KeyLimits { scopes: Some(scopes("accounts:write,keys:write")), ..KeyLimits::default() };
    assert_eq!(child.clone().within(&parent), Ok(child));
}

#[test]
fn a_child_is_never_beyond_its_parent() {
    let end = Moment::from_millis(1_000);
    let parent = KeyLimits {
        scopes: Some(scopes("findings:read,webhooks:read")),
        networks: Some(networks("10.0.0.0/8")),
        ends_at: Some(end),
    };
    let asked = |scopes, networks, ends_at| KeyLimits { scopes, networks, ends_at }.within(&parent);
    assert_eq!(asked(None, None, None), Ok(parent.clone()));
    let narrow =
        asked(Some(scopes("findings:read")), Some(networks("10.1.0.0/16")), Some(Moment::from_millis(999)));
    assert_eq!(narrow.unwrap().networks, Some(networks("10.1.0.0/16")));
    for (wide, field) in [
        (asked(Some(scopes("findings:write")), None, None), "scopes"),
        (asked(None, Some(networks("10.0.0.0/7")), None), "networks"),
        (asked(None, Some(networks("10.1.1.1,192.0.2.1")), None), "networks"),
        (asked(None, None, Some(Moment::from_millis(1_001))), "expires_at"),
    ] {
        assert_eq!(wide.unwrap_err().0, field);
    }
}

#[test]
fn a_key_ends_by_default_and_at_the_maximum() {
    let now = Moment::from_millis(0);
    let day = |count: i64| Moment::from_millis(count * DAY_MS);
    let life =
        |default: Option<i64>, most_days| KeyLife { default_ms: default.map(|d| d * DAY_MS), most_days };
    assert_eq!(life(Some(365), None).end(None, now), Ok(Some(day(365))));
    assert_eq!(life(Some(365), Some(90)).end(None, now), Ok(Some(day(90))));
    assert_eq!(life(None, Some(90)).end(None, now), Ok(Some(day(90))));
    assert_eq!(life(None, None).end(None, now), Ok(None));
    assert_eq!(life(Some(365), None).end(Some(day(900)), now), Ok(Some(day(900))));
    assert_eq!(life(Some(365), Some(90)).end(Some(day(90)), now), Ok(Some(day(90))));
    assert!(life(Some(365), Some(90)).end(Some(day(91)), now).is_err());
}
