//! Hashes and checks passwords with argon2id, off the runtime and at most two at a time.
//!
//! One hash takes 46 MiB and some tens of milliseconds on purpose. Without a limit, a burst of sign-ins would exhaust
//! the memory; with it, they queue. Each site has a few places in the queue, and its further requests wait for one of
//! these, so that a flood from some addresses leaves room for the others; half of the queue is kept for sites with few
//! failures. Requests beyond the queue are refused.

use std::{
    collections::{HashMap, hash_map::Entry},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use domain::password::Password;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Error, Result, ids::fill_random};

const MEMORY_KIB: u32 = 46 * 1024;
/// The least that argon2 accepts.
const LEAST_MEMORY_KIB: u32 = 8;
const PASSES: u32 = 1;
const LANES: u32 = 1;
const AT_ONCE: usize = 2;
/// The maximum length of the queue: a few seconds' worth.
const WAITING: usize = 64;
/// How much of it is kept for sites with few failures.
const RESERVED: usize = 32;
/// The places of one site in the queue, and how many of its requests may wait for one of them besides.
const OF_SITE: usize = 4;
const BEFORE_QUEUE: usize = 20;
const SALT: usize = 16;

/// Salt and hash of an unknown password.
const UNKNOWN: &str = "bm9ib2R5J3Mgc2FsdCEh$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Where a password comes from, which decides its share of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// None for work of the service itself, of the operator and of administrators.
    site: Option<IpAddr>,
    suspect: bool,
}

impl Place {
    pub const TRUSTED: Self = Self { site: None, suspect: false };

    pub fn at(site: IpAddr, suspect: bool) -> Self {
        Self { site: Some(site), suspect }
    }
}

#[derive(Debug)]
pub struct Passwords {
    /// The memory of one hash.
    memory_kib: u32,
    turns: Arc<Semaphore>,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    length: usize,
    /// The sites with requests in progress.
    sites: HashMap<IpAddr, Site>,
}

#[derive(Debug)]
struct Site {
    requests: usize,
    places: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self::of_memory(MEMORY_KIB)
    }
}

impl Passwords {
    /// Hashes that cost nothing, for tests in which many people sign in. They protect no password.
    pub fn cheap() -> Self {
        Self::of_memory(LEAST_MEMORY_KIB)
    }

    fn of_memory(memory_kib: u32) -> Self {
        Self { memory_kib, turns: Arc::new(Semaphore::new(AT_ONCE)), queue: Mutex::default() }
    }

    fn hasher(&self) -> Result<Argon2<'static>> {
        let params = Params::new(self.memory_kib, PASSES, LANES, None).map_err(broken)?;
        Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
    }

    /// The hash of an unknown password with the usual parameters: checking against it takes as long as against any
    /// other.
    fn unknown(&self) -> String {
        format!("$argon2id$v=19$m={},t={PASSES},p={LANES}${UNKNOWN}", self.memory_kib)
    }

    /// Computes the hash to store.
    pub async fn hash(&self, place: Place, password: Password) -> Result<String> {
        let argon = self.hasher()?;
        self.in_turn(place, move || {
            let mut salt = [0; SALT];
            fill_random(&mut salt);
            let hash = argon.hash_password_with_salt(password.reveal().as_bytes(), &salt);
            hash.map(|hash| hash.to_string()).map_err(broken)
        })
        .await
    }

    /// Whether this is the password of the hash. Without a hash it never is, and the check takes as long.
    pub async fn matches(&self, place: Place, password: Password, hash: Option<String>) -> Result<bool> {
        Ok(self.compared(place, password, vec![hash]).await?.contains(&true))
    }

    /// Whether this is the password of each of the hashes. All of them are computed, also for a missing one.
    pub async fn compared(
        &self,
        place: Place,
        password: Password,
        hashes: Vec<Option<String>>,
    ) -> Result<Vec<bool>> {
        let (argon, unknown) = (self.hasher()?, self.unknown());
        self.in_turn(place, move || {
            let checked = |hash: &str| argon.verify_password(password.reveal().as_bytes(), hash).is_ok();
            Ok(hashes
                .iter()
                .map(|hash| checked(hash.as_deref().unwrap_or(&unknown)) && hash.is_some())
                .collect())
        })
        .await
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        place: Place,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let _queued = self.queued(place).await?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(Error::internal)?;
        let worked = tokio::task::spawn_blocking(move || {
            // The permit is held until the work ends, even if the caller has gone away.
            let _turn = turn;
            work()
        });
        worked.await.map_err(Error::internal)?
    }

    /// A place in the queue, after a wait for one of the site's own.
    async fn queued(&self, place: Place) -> Result<Queued<'_>> {
        let share = match place.site {
            Some(site) => Some(self.share(site)?),
            None => None,
        };
        let permit = match &share {
            Some(share) => Some(Arc::clone(&share.places).acquire_owned().await.map_err(Error::internal)?),
            None => None,
        };
        let mut queue = self.locked();
        let room = if place.suspect { WAITING - RESERVED } else { WAITING };
        if queue.length >= room {
            return Err(too_many());
        }
        queue.length += 1;
        drop(queue);
        Ok(Queued { passwords: self, _permit: permit, _share: share })
    }

    fn share(&self, site: IpAddr) -> Result<Share<'_>> {
        let mut queue = self.locked();
        let new = || Site { requests: 0, places: Arc::new(Semaphore::new(OF_SITE)) };
        let known = queue.sites.entry(site).or_insert_with(new);
        if known.requests >= OF_SITE + BEFORE_QUEUE {
            return Err(too_many());
        }
        known.requests += 1;
        Ok(Share { passwords: self, site, places: Arc::clone(&known.places) })
    }

    fn locked(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_many() -> Error {
    Error::Unavailable("too many passwords are being checked at once".into())
}

/// A place in the queue, released when it is dropped.
struct Queued<'q> {
    passwords: &'q Passwords,
    _permit: Option<OwnedSemaphorePermit>,
    _share: Option<Share<'q>>,
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.passwords.locked().length -= 1;
    }
}

/// A request of a site; the last one takes the site off the list.
struct Share<'q> {
    passwords: &'q Passwords,
    site: IpAddr,
    places: Arc<Semaphore>,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        if let Entry::Occupied(mut entry) = self.passwords.locked().sites.entry(self.site) {
            entry.get_mut().requests -= 1;
            if entry.get().requests == 0 {
                entry.remove();
            }
        }
    }
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("hashing a password failed: {error}"))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn site(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(198, 51, 100, number))
    }

    #[tokio::test]
    async fn tells_the_right_password_from_a_wrong_one() {
        let passwords = Passwords::default();
        let right = Password::presented("a horse of another colour");
        let hash = passwords.hash(Place::TRUSTED, right.clone()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{hash}");
        let wrong = Password::presented("wrong");
        let matches = |password: Password, hash| passwords.matches(Place::TRUSTED, password, hash);
        assert!(matches(right.clone(), Some(hash.clone())).await.unwrap());
        assert!(!matches(wrong, Some(hash.clone())).await.unwrap());
        assert!(!matches(right.clone(), None).await.unwrap());
        let several = vec![None, Some(hash.clone()), Some("odd".into()), Some(hash)];
        let compared = passwords.compared(Place::TRUSTED, right, several).await.unwrap();
        assert_eq!(compared, [false, true, false, true]);
    }

    #[test]
    fn the_hash_of_an_unknown_password_costs_what_any_other_costs() {
        let unknown = Passwords::default().unknown();
        let params = Params::try_from(&argon2::PasswordHash::new(&unknown).unwrap()).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (MEMORY_KIB, PASSES, LANES));
    }

    #[tokio::test]
    async fn a_queue_that_grows_too_long_is_turned_away() {
        let passwords = Passwords::default();
        let mut places = Vec::new();
        for _ in 0..WAITING {
            places.push(passwords.queued(Place::TRUSTED).await.unwrap());
        }
        let refused = passwords.matches(Place::TRUSTED, Password::presented("x"), None).await;
        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
        drop(places);
        assert!(passwords.matches(Place::TRUSTED, Password::presented("x"), None).await.is_ok());
    }

    #[tokio::test]
    async fn sites_with_failures_do_not_take_the_whole_queue() {
        let passwords = Passwords::default();
        let mut places = Vec::new();
        for number in 0..=u8::MAX {
            places.extend(passwords.queued(Place::at(site(number), true)).await);
        }
        assert_eq!(places.len(), WAITING - RESERVED);
        assert!(passwords.queued(Place::at(site(7), false)).await.is_ok());
    }

    #[tokio::test]
    async fn one_site_has_a_few_places_and_leaves_nothing_behind() {
        let passwords = Passwords::default();
        let office = Place::at(site(1), false);
        let mut places = Vec::new();
        for _ in 0..OF_SITE {
            places.push(passwords.queued(office).await.unwrap());
        }
        let mut waiting = Vec::new();
        for _ in 0..BEFORE_QUEUE {
            let mut next = Box::pin(passwords.queued(office));
            assert!(is_pending(&mut next), "waits for a place of its site");
            waiting.push(next);
        }
        assert!(matches!(passwords.queued(office).await, Err(Error::Unavailable(_))));
        assert!(passwords.queued(Place::at(site(2), false)).await.is_ok());
        drop(waiting);
        places.pop();
        assert!(passwords.queued(office).await.is_ok());
        drop(places);
        let queue = passwords.locked();
        assert_eq!((queue.length, queue.sites.len()), (0, 0));
    }

    /// Polls once; whether it is still pending.
    fn is_pending<F: Future + Unpin>(future: &mut F) -> bool {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        std::pin::Pin::new(future).poll(&mut context).is_pending()
    }
}
