//! Hashes and checks passwords with argon2id, off the runtime and at most two at a time.
//!
//! One hash takes 46 MiB and some tens of milliseconds on purpose. Without a limit, a burst of sign-ins would exhaust
//! the memory; with it, they queue, and requests beyond the queue are refused.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use domain::password::Password;
use tokio::sync::Semaphore;

use crate::{Error, Result, ids::fill_random};

const MEMORY_KIB: u32 = 46 * 1024;
const PASSES: u32 = 1;
const LANES: u32 = 1;
const AT_ONCE: usize = 2;
/// The maximum length of the queue: a few seconds' worth.
const WAITING: usize = 64;
const SALT: usize = 16;

/// The hash of an unknown password with the usual parameters: checking against it takes as long as against any other.
const NOBODY: &str =
    "$argon2id$v=19$m=47104,t=1,p=1$bm9ib2R5J3Mgc2FsdCEh$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

#[derive(Debug)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), waiting: AtomicUsize::new(0) }
    }
}

impl Passwords {
    /// Computes the hash to store.
    pub async fn hash(&self, password: Password) -> Result<String> {
        self.in_turn(move || {
            let mut salt = [0; SALT];
            fill_random(&mut salt);
            let hash = hasher()?.hash_password_with_salt(password.reveal().as_bytes(), &salt);
            hash.map(|hash| hash.to_string()).map_err(broken)
        })
        .await
    }

    /// Whether this is the password of the hash. Without a hash it never is, and the check takes as long.
    pub async fn matches(&self, password: Password, hash: Option<String>) -> Result<bool> {
        self.in_turn(move || {
            let hasher = hasher()?;
            let checked = |hash: &str| hasher.verify_password(password.reveal().as_bytes(), hash).is_ok();
            let Some(hash) = hash else {
                checked(NOBODY);
                return Ok(false);
            };
            Ok(checked(&hash))
        })
        .await
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let _queued = self.queue()?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(Error::internal)?;
        let worked = tokio::task::spawn_blocking(move || {
            // The permit is held until the work ends, even if the caller has gone away.
            let _turn = turn;
            work()
        });
        worked.await.map_err(Error::internal)?
    }

    fn queue(&self) -> Result<Queued<'_>> {
        let before = self.waiting.fetch_add(1, Ordering::AcqRel);
        let queued = Queued(&self.waiting);
        if before < WAITING {
            Ok(queued)
        } else {
            Err(Error::Unavailable("too many passwords are being checked at once".into()))
        }
    }
}

/// A place in the queue, released when it is dropped.
struct Queued<'q>(&'q AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn hasher() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(broken)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("hashing a password failed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tells_the_right_password_from_a_wrong_one() {
        let passwords = Passwords::default();
        let right = Password::presented("a horse of another colour");
        let hash = passwords.hash(right.clone()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{hash}");
        assert!(passwords.matches(right.clone(), Some(hash.clone())).await.unwrap());
        assert!(!passwords.matches(Password::presented("wrong"), Some(hash)).await.unwrap());
        assert!(!passwords.matches(right, None).await.unwrap());
    }

    #[test]
    fn the_hash_of_nobody_costs_what_any_other_costs() {
        let nobody = argon2::PasswordHash::new(NOBODY).unwrap();
        let params = Params::try_from(&nobody).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (MEMORY_KIB, PASSES, LANES));
    }

    #[tokio::test]
    async fn a_queue_that_grows_too_long_is_turned_away() {
        let passwords = Passwords::default();
        let places: Vec<_> = (0..WAITING).map(|_| passwords.queue().unwrap()).collect();
        let refused = passwords.matches(Password::presented("x"), None).await;
        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
        drop(places);
        assert!(passwords.matches(Password::presented("x"), None).await.is_ok());
    }
}
