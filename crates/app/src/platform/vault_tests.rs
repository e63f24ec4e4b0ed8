use domain::id::Uuid7;

use super::*;

fn tenant(number: u64) -> TenantId {
    TenantId::from(Uuid7::from_parts(number, 1))
}

#[test]
fn opens_only_in_its_own_context_and_untouched() {
    let vault = Vault::new([7; KEY]);
    let sealed = vault.seal("webhook:1", "https://hooks.slack.com/services/x").unwrap();
    assert_eq!(vault.open("webhook:1", &sealed).unwrap(), "https://hooks.slack.com/services/x");
    assert!(vault.open("webhook:2", &sealed).is_err());
    let other = Vault::new([8; KEY]).open("webhook:1", &sealed);
    assert!(matches!(other, Err(VaultError::UnknownKey(id)) if id == vault.id()));
    for wrong in [&sealed[1..], "", "v1", "v1...", "v2.a.b.c", &sealed[..sealed.len() - 1]] {
        assert!(vault.open("webhook:1", wrong).is_err(), "{wrong}");
    }
}

#[test]
fn each_tenant_has_a_key_of_its_own() {
    let vault = Vault::new([7; KEY]);
    let sealed = vault.seal_for(tenant(1), "webhook:1", "x").unwrap();
    assert_eq!(vault.open_for(tenant(1), "webhook:1", &sealed).unwrap(), "x");
    assert!(vault.open_for(tenant(2), "webhook:1", &sealed).is_err());
    assert!(vault.open("webhook:1", &sealed).is_err());
}

#[test]
fn texts_of_earlier_versions_stay_readable() {
    // Sealed with a key of 32 sevens before texts named their key.
    let cipher = XChaCha20Poly1305::new(&[7; KEY].into());
    let payload = Payload { msg: b"old", aad: b"totp:1" };
    let sealed = cipher.encrypt(&XNonce::from([9; NONCE]), payload).unwrap();
    let old = BASE64.encode([&[9; NONCE][..], &sealed].concat());
    let ring = Vault::from_bytes(&[[8; KEY], [7; KEY]].concat()).unwrap();
    for vault in [Vault::new([7; KEY]), ring] {
        assert_eq!(vault.open("totp:1", &old).unwrap(), "old");
        assert_eq!(vault.open_for(tenant(1), "totp:1", &old).unwrap(), "old");
        assert!(!vault.is_current(&old));
    }
    assert!(Vault::new([8; KEY]).open("totp:1", &old).is_err());
}

#[test]
fn after_a_rotation_both_keys_open_and_the_new_one_seals() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret.key");
    let old = Vault::create(&path).unwrap();
    let before = old.seal("a", "x").unwrap();
    let ring = Vault::rotate(&path).unwrap();
    assert_ne!(ring.id(), old.id());
    let after = ring.seal("a", "y").unwrap();
    assert_eq!((ring.open("a", &before).unwrap(), ring.open("a", &after).unwrap()), ("x".into(), "y".into()));
    assert!(ring.is_current(&after) && !ring.is_current(&before) && old.open("a", &after).is_err());
    let read = Vault::existing(&path).unwrap().unwrap();
    assert_eq!(read.ids().collect::<Vec<_>>(), [ring.id(), old.id()]);
    // A store that was not resealed yet decides which key seals.
    assert_eq!(read.clone().marked(&old.mark()).unwrap().id(), old.id());
    let left = read.forget_old(&path).unwrap();
    assert!(left.open("a", &before).is_err() && left.marked(&old.mark()).is_err());
    assert_eq!(fs::read(&path).unwrap().len(), KEY);
}

#[cfg(unix)]
#[test]
fn a_key_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret.key");
    Vault::create(&path).unwrap();
    assert!(Vault::existing(&path).unwrap().is_some());
    for mode in [0o640, 0o604, 0o660] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let refused = Vault::existing(&path).unwrap_err().to_string();
        assert!(refused.contains("chmod 600"), "{refused}");
    }
}

#[test]
fn a_key_as_text_is_base64_or_hexadecimal() {
    let base64 = STANDARD.encode([7; KEY]);
    for text in [base64.clone(), "07".repeat(KEY), format!("{base64}\n")] {
        assert_eq!(Vault::from_text(&text, "vault.key").unwrap().id(), Vault::new([7; KEY]).id());
    }
    let ring = Vault::from_text(&format!("{base64},{}", "08".repeat(KEY)), "vault.key").unwrap();
    assert_eq!(ring.ids().count(), 2);
    for wrong in ["", "secret", &"07".repeat(31), &"zz".repeat(KEY)] {
        assert!(Vault::from_text(wrong, "vault.key").is_err(), "{wrong}");
    }
}

#[test]
fn a_fingerprint_hangs_on_the_secret_and_the_key() {
    let vault = Vault::new([7; KEY]);
    assert_eq!(vault.fingerprint("a"), Vault::new([7; KEY]).fingerprint("a"));
    assert_ne!(vault.fingerprint("a"), vault.fingerprint("b"));
    assert_ne!(vault.fingerprint("a"), Vault::new([8; KEY]).fingerprint("a"));
}

#[test]
fn a_code_is_made_by_the_key_alone() {
    let (vault, ring) = (Vault::new([7; KEY]), Vault::from_bytes(&[[8; KEY], [7; KEY]].concat()).unwrap());
    let code = vault.authenticate("backup", "digest");
    assert!(vault.is_authentic("backup", "digest", &code) && ring.is_authentic("backup", "digest", &code));
    assert!(!vault.is_authentic("backup", "other", &code) && !vault.is_authentic("else", "digest", &code));
    assert!(!Vault::new([8; KEY]).is_authentic("backup", "digest", &code));
}
