//! Settings of an identity provider, and what groups and methods mean.

use super::*;

fn input() -> IdentityProviderInput {
    IdentityProviderInput {
        issuer: "https://login.bank.example/realms/staff".into(),
        client_id: "tidewall".into(),
        domains: "bank.example\n@Bank.Example\n".into(),
        label: "Bank login".into(),
        ..IdentityProviderInput::default()
    }
}

fn mapped() -> IdentityProvider {
    let input = IdentityProviderInput {
        groups_claim: "groups".into(),
        group_roles: "admins = administrator\nrisk = team = manager\nRevision Nord = Revision".into(),
        ..input()
    };
    input.checked().unwrap()
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn plain_settings_are_completed() {
    let settings = input().checked().unwrap();
    assert_eq!(settings.scopes, ["openid", "email", "profile"]);
    assert_eq!(settings.domains.len(), 1);
    assert!(settings.vouches_for(&"anna@bank.example".parse().unwrap()));
    for other in ["anna@sub.bank.example", "anna@bank.example.evil.example", "anna@evil.example"] {
        assert!(!settings.vouches_for(&other.parse().unwrap()), "{other}");
    }
}

#[test]
fn an_issuer_is_an_https_address() {
    let pasted = "https://login.bank.example/v2.0/.well-known/openid-configuration";
    assert_eq!(pasted.parse::<Issuer>().unwrap().as_str(), "https://login.bank.example/v2.0");
    let issuer: Issuer = "https://login.bank.example/".parse().unwrap();
    assert_eq!(issuer.discovery(), "https://login.bank.example/.well-known/openid-configuration");
    assert_eq!(issuer.host(), "login.bank.example");
    assert!("http://127.0.0.1:9400".parse::<Issuer>().is_ok());
    for bad in [
        "",
        "login.bank.example",
        "http://login.bank.example",
        "https://",
        "https://user@login.bank.example",
        "https://login.bank.example?x=1",
        "https://login.bank.example#x",
        "https://login.bank.example/a b",
        "javascript://login.bank.example",
        "http://127.0.0.1.evil.example",
    ] {
        assert_eq!(bad.parse::<Issuer>(), Err(IdentityProviderComplaint::NotAnIssuer), "{bad}");
    }
}

#[test]
fn every_mistake_is_named_at_its_field() {
    let wrong = IdentityProviderInput {
        issuer: "ftp://x".into(),
        client_id: " ".into(),
        scopes: "openid \"odd\"".into(),
        group_roles: "admins: administrator".into(),
        creates_accounts: true,
        default_role: "administrator".into(),
        domains: "bank".into(),
        factor_values: "a\u{7}".into(),
        ..IdentityProviderInput::default()
    };
    let wrong = wrong.checked().unwrap_err();
    let fields: Vec<_> = wrong.fields().keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        ["client_id", "default_role", "domains", "factor_values", "group_roles", "issuer", "label", "scopes"]
    );
    let unmapped = IdentityProviderInput { group_roles: "a = viewer".into(), ..input() };
    assert!(unmapped.checked().unwrap_err().fields().contains_key("groups_claim"));
    let roleless = IdentityProviderInput { creates_accounts: true, ..input() };
    assert!(roleless.checked().unwrap_err().fields().contains_key("default_role"));
}

#[test]
fn the_group_that_may_do_most_decides() {
    let settings = mapped();
    assert_eq!(settings.role(&texts(&["risk = team", "admins"])), RoleByGroups::Is(Role::Administrator));
    assert_eq!(settings.role(&texts(&["risk = team"])), RoleByGroups::Is(Role::Manager));
    assert_eq!(settings.role(&texts(&["Revision Nord"])), RoleByGroups::Is(Role::Auditor));
    assert_eq!(settings.role(&texts(&["ADMINS", "others"])), RoleByGroups::Nothing);
    let fallback = IdentityProvider { default_role: Some(Role::Viewer), ..settings };
    assert_eq!(fallback.role(&[]), RoleByGroups::Is(Role::Viewer));
    assert_eq!(input().checked().unwrap().role(&texts(&["admins"])), RoleByGroups::Undecided);
}

#[test]
fn a_second_factor_is_a_listed_value_or_methods_of_two_kinds() {
    let settings = IdentityProvider { factor_values: texts(&["gold"]), ..mapped() };
    for (acr, amr, seen) in [
        (None, &["pwd"][..], false),
        (None, &["pwd", "pin"], false),
        (None, &["pwd", "otp"], true),
        (None, &["mfa"], true),
        (None, &["hwk", "fpt"], true),
        (None, &[], false),
        (Some("gold"), &[], true),
        (Some("silver"), &["pwd"], false),
    ] {
        assert_eq!(settings.saw_second_factor(acr, &texts(amr)), seen, "{acr:?} {amr:?}");
    }
}
