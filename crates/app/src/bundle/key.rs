//! The key of the installation: made once, sealed in the store, published without its secret half.

use bundle::{PublicKey, SigningKey};
use store::{Reader, Tx, bundle as rows};

use crate::{Core, Error, Result, ids::fill_random};

/// What the seed is sealed for.
pub(crate) const KEY_CONTEXT: &str = "bundle-key";

impl Core {
    /// The public key that bundles and approved documents of this installation are signed with.
    pub async fn bundle_key(&self) -> Result<PublicKey> {
        Ok(self.signing_key().await?.public())
    }

    /// The key that signs, which is made when it is needed for the first time.
    pub(crate) async fn signing_key(&self) -> Result<SigningKey> {
        let read = |r: &mut Reader<'_>| rows::key(r);
        let sealed = match self.db.platform().read(read).await? {
            Some(sealed) => sealed,
            None => self.new_signing_key().await?,
        };
        let seed = self.vault.open(KEY_CONTEXT, &sealed)?;
        let seed = store::sql::hash_from_hex(&seed).map_err(Error::from)?;
        SigningKey::from_seed(&seed).map_err(Error::internal)
    }

    /// Another node may have been first: its key holds then.
    async fn new_signing_key(&self) -> Result<String> {
        let mut seed = [0; 32];
        fill_random(&mut seed);
        let sealed = self.vault.seal(KEY_CONTEXT, &store::sql::hex(&seed))?;
        let keep = move |tx: &mut Tx<'_>| {
            rows::put_key(tx, &sealed)?;
            rows::key(tx)
        };
        let kept = self.db.platform().bookkeep(keep).await?;
        kept.ok_or_else(|| Error::internal("the key of the bundles was not stored"))
    }
}
