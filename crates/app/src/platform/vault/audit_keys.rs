//! The keys that audit chains are hashed with, derived from those of the ring, and what is kept of older ones.

use std::collections::BTreeMap;

use domain::audit_key::AuditKeys;
use store::audit_key::SealedKey;

use super::{Key, Vault, VaultError, derived};

/// What stands in the place of an audit key that is lost.
const LOST: &str = "lost";

fn audit_context(id: &str) -> String {
    format!("audit-key:{id}")
}

/// The root of the keys of all chains.
fn audit_root(key: &Key) -> [u8; 32] {
    derived(&key.bytes, "tidewall vault audit")
}

impl Vault {
    /// The keys of the audit chains: those of the ring, and those of earlier rings that lie sealed in the store.
    pub fn audit_keys(&self, kept: &[SealedKey]) -> AuditKeys {
        let Some(first) = self.keys.first().filter(|_| !self.made_up) else { return AuditKeys::default() };
        let own = AuditKeys::new(&first.id, audit_root(first));
        let own = self.keys.iter().skip(1).fold(own, |keys, key| keys.with(&key.id, audit_root(key)));
        kept.iter().fold(own, |keys, SealedKey { id, sealed }| {
            let opened = self.open(&audit_context(id), sealed);
            match opened.as_deref() {
                Ok(LOST) => keys.without(id),
                Ok(text) => store::sql::hash_from_hex(text).map_or(keys.clone(), |root| keys.with(id, root)),
                Err(_) => keys,
            }
        })
    }

    /// The audit keys of the ring's older keys and of earlier rings, sealed with the key that seals now. What does not
    /// open is left out.
    pub fn sealed_audit_keys(&self, kept: &[SealedKey]) -> Result<Vec<SealedKey>, VaultError> {
        let own = self.keys.iter().skip(1).map(|key| (key.id.clone(), store::sql::hex(&audit_root(key))));
        let mut secrets: BTreeMap<String, String> = own.collect();
        for SealedKey { id, sealed } in kept {
            if let Ok(secret) = self.open(&audit_context(id), sealed) {
                secrets.entry(id.clone()).or_insert(secret);
            }
        }
        secrets.into_iter().map(|(id, secret)| self.sealed_audit_key(id, &secret)).collect()
    }

    /// That the audit key of this id is lost, sealed so that only a holder of the present key can say it.
    pub fn lost_audit_key(&self, id: String) -> Result<SealedKey, VaultError> {
        self.sealed_audit_key(id, LOST)
    }

    fn sealed_audit_key(&self, id: String, secret: &str) -> Result<SealedKey, VaultError> {
        let sealed = self.seal(&audit_context(&id), secret)?;
        Ok(SealedKey { id, sealed })
    }
}

#[cfg(test)]
mod tests {
    use domain::audit_key::Found;

    use super::*;

    const KEY: usize = 32;

    #[test]
    fn audit_keys_outlive_the_vault_key_they_come_from() {
        let old = Vault::new([7; KEY]);
        let ring = Vault::from_bytes(&[[8; KEY], [7; KEY]].concat()).unwrap();
        let kept = ring.sealed_audit_keys(&[]).unwrap();
        assert_eq!(kept.iter().map(|key| key.id.as_str()).collect::<Vec<_>>(), [old.id()]);
        let (alone, theirs) = (Vault::new([8; KEY]), old.audit_keys(&[]));
        let found = alone.audit_keys(&kept).find(old.id(), "t");
        assert_eq!(found, theirs.find(old.id(), "t"));
        assert_eq!(ring.audit_keys(&[]).find(old.id(), "t"), found);
        assert_eq!(alone.audit_keys(&[]).find(old.id(), "t"), Found::Unknown);
        // A second rotation carries them on.
        let next = Vault::from_bytes(&[[9; KEY], [8; KEY]].concat()).unwrap();
        let carried = next.sealed_audit_keys(&kept).unwrap();
        assert_eq!(carried.len(), 2);
        assert_eq!(Vault::new([9; KEY]).audit_keys(&carried).find(old.id(), "t"), found);
        let lost = alone.lost_audit_key("gone".into()).unwrap();
        assert_eq!(alone.audit_keys(std::slice::from_ref(&lost)).find("gone", "t"), Found::Lost);
        assert_eq!(
            old.audit_keys(&[lost]).find("gone", "t"),
            Found::Unknown,
            "only a holder of the key says so"
        );
        assert!(Vault::made_up().audit_keys(&kept).is_empty());
    }
}
