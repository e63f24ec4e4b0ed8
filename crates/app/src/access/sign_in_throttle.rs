//! Throttles guesses by account and by address, without ever locking a user out.
//!
//! Each failure delays the next response to that account, and to that address, longer, up to a few seconds. The right
//! password works at any time, however many wrong ones were tried from elsewhere: it is only delayed. A guesser is
//! limited because only few attempts of one address on one account, and of one network on all accounts, may run at
//! once; a part of the total is reserved for networks without failures, so that a flood fills only its share.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::moment::Moment;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};

use crate::password::Place;

/// The maximum number of accounts and addresses in memory; the least used are evicted first.
const REMEMBERED: usize = 20_000;
/// Failures are forgotten when no other followed for this long.
const MEMORY_MS: i64 = 15 * 60 * 1000;
/// Failures without delay for an account or an address. Many users share an office's address.
const ACCOUNT_FREE: u32 = 3;
const ADDRESS_FREE: u32 = 20;
/// The first delay; it doubles with each further failure up to the longest.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(8);
/// Attempts in progress: of one address on one account, of one network, of one site (the 65,536 IPv6 networks a
/// provider gives to one customer), and of all together.
const AT_ONCE: u32 = 3;
const NETWORK_AT_ONCE: u32 = 20;
const SITE_AT_ONCE: u32 = 60;
const ALL_AT_ONCE: u32 = 500;
/// How many of these are reserved for networks without failures.
const RESERVED: u32 = 250;

type Account = [u8; 32];

#[derive(Debug, Clone, Copy)]
struct Failures {
    count: u32,
    last: Moment,
}

/// The failed attempts in the memory of this process.
#[derive(Debug)]
pub struct SignInThrottle {
    accounts: Cache<Account, Failures>,
    addresses: Cache<IpAddr, Failures>,
    under_way: Mutex<UnderWay>,
}

/// Attempts in progress. It contains nothing else, so its size is bounded by [`ALL_AT_ONCE`].
#[derive(Debug, Default, PartialEq, Eq)]
struct UnderWay {
    all: u32,
    pairs: HashMap<(Account, IpAddr), u32>,
    networks: HashMap<IpAddr, u32>,
    sites: HashMap<IpAddr, u32>,
}

impl UnderWay {
    /// Whether one more may begin; checked before anything is stored.
    fn has_room(&self, key: (Account, IpAddr), suspect: bool) -> bool {
        let all = if suspect { ALL_AT_ONCE - RESERVED } else { ALL_AT_ONCE };
        let below = |count: Option<&u32>, most: u32| count.is_none_or(|count| *count < most);
        self.all < all
            && below(self.pairs.get(&key), AT_ONCE)
            && below(self.networks.get(&key.1), NETWORK_AT_ONCE)
            && below(self.sites.get(&site(key.1)), SITE_AT_ONCE)
    }

    fn begin(&mut self, key: (Account, IpAddr)) {
        self.all += 1;
        *self.pairs.entry(key).or_default() += 1;
        *self.networks.entry(key.1).or_default() += 1;
        *self.sites.entry(site(key.1)).or_default() += 1;
    }

    fn end(&mut self, key: (Account, IpAddr)) {
        self.all = self.all.saturating_sub(1);
        one_less(&mut self.pairs, key);
        one_less(&mut self.networks, key.1);
        one_less(&mut self.sites, site(key.1));
    }
}

fn one_less<K: Eq + Hash>(counts: &mut HashMap<K, u32>, key: K) {
    if let Entry::Occupied(mut entry) = counts.entry(key) {
        *entry.get_mut() -= 1;
        if *entry.get() == 0 {
            entry.remove();
        }
    }
}

impl Default for SignInThrottle {
    fn default() -> Self {
        Self {
            accounts: Cache::new(REMEMBERED),
            addresses: Cache::new(REMEMBERED),
            under_way: Mutex::default(),
        }
    }
}

/// Too many attempts are in progress; try again after this many seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    pub retry_after: u64,
}

/// One attempt in progress.
#[derive(Debug)]
pub struct Attempt<'s> {
    throttle: &'s SignInThrottle,
    key: (Account, IpAddr),
}

impl SignInThrottle {
    /// Begins an attempt on an account, whether it exists or not, and waits for the delay.
    pub async fn attempt(&self, account: &str, address: IpAddr, now: Moment) -> Result<Attempt<'_>, TooMany> {
        self.begin((digest(account), network(address)), now).await
    }

    /// The same for a signed-in user: wherever they are, their guesses count as those of one address of their own, so
    /// that a stolen cookie gains nothing by moving and no other user waits.
    pub async fn attempt_signed_in(&self, account: &str, now: Moment) -> Result<Attempt<'_>, TooMany> {
        let account = digest(account);
        let own = account.first_chunk::<16>().copied().unwrap_or_default();
        self.begin((account, network(IpAddr::V6(Ipv6Addr::from(own)))), now).await
    }

    async fn begin(&self, key: (Account, IpAddr), now: Moment) -> Result<Attempt<'_>, TooMany> {
        let attempt = self.enter(key, now)?;
        let wait = self.wait(key, now);
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        Ok(attempt)
    }

    fn enter(&self, key: (Account, IpAddr), now: Moment) -> Result<Attempt<'_>, TooMany> {
        let suspect = self.addresses.get(&key.1).is_some_and(|failures| is_fresh(failures, now));
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if !under_way.has_room(key, suspect) {
            return Err(TooMany { retry_after: LONGEST.as_secs() });
        }
        under_way.begin(key);
        Ok(Attempt { throttle: self, key })
    }

    fn wait(&self, (account, address): (Account, IpAddr), now: Moment) -> Duration {
        let by_account = wait_after(self.accounts.get(&account), ACCOUNT_FREE, now);
        let by_address = wait_after(self.addresses.get(&address), ADDRESS_FREE, now);
        by_account.max(by_address)
    }
}

impl Attempt<'_> {
    /// Its share of the queue of password hashes. A network is suspect after more failures than a person causes who
    /// mistypes, so that these are not slowed down together with a flood.
    pub fn place(&self, now: Moment) -> Place {
        let failures = self.throttle.addresses.get(&self.key.1).filter(|failures| is_fresh(*failures, now));
        Place::at(site(self.key.1), failures.is_some_and(|failures| failures.count > ACCOUNT_FREE))
    }

    /// The attempt failed: the next one is delayed longer.
    pub fn failed(self, now: Moment) {
        let one_more = |before: Option<Failures>| Failures {
            count: before.filter(|before| is_fresh(*before, now)).map_or(0, |before| before.count) + 1,
            last: now,
        };
        let (account, address) = self.key;
        self.throttle.accounts.insert(account, one_more(self.throttle.accounts.get(&account)));
        self.throttle.addresses.insert(address, one_more(self.throttle.addresses.get(&address)));
    }

    /// The attempt was the owner's: the account's failures are reset. The address keeps its own, or a guesser could
    /// reset them with an account of their own.
    pub fn succeeded(self) {
        self.throttle.accounts.remove(&self.key.0);
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.throttle.under_way.lock().unwrap_or_else(PoisonError::into_inner).end(self.key);
    }
}

fn is_fresh(failures: Failures, now: Moment) -> bool {
    now.millis() - failures.last.millis() < MEMORY_MS
}

fn wait_after(failures: Option<Failures>, free: u32, now: Moment) -> Duration {
    let count = failures.filter(|failures| is_fresh(*failures, now)).map_or(0, |failures| failures.count);
    match count.checked_sub(free) {
        None => Duration::ZERO,
        Some(beyond) => FIRST.saturating_mul(1 << beyond.min(10)).min(LONGEST),
    }
}

/// Accounts are stored as digests: a password may be typed into the wrong field.
fn digest(account: &str) -> Account {
    Sha256::digest(account.trim().to_lowercase().as_bytes()).into()
}

/// One customer's IPv6 network counts as one address.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) if address.to_ipv4_mapped().is_none() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        other => other.to_canonical(),
    }
}

/// The share of the queue of password hashes for a client whose failures are not counted.
pub(crate) fn place_of(address: IpAddr) -> Place {
    Place::at(site(network(address)), false)
}

/// The range that one customer may have been given: 48 bits of IPv6, one IPv4 address.
fn site(network: IpAddr) -> IpAddr {
    match network {
        IpAddr::V6(network) => IpAddr::V6(Ipv6Addr::from_bits(network.to_bits() >> 80 << 80)),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio::time::Instant;

    use super::*;

    const OFFICE: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 7));
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 9));

    fn now() -> Moment {
        Moment::from_millis(1_794_664_800_000)
    }

    async fn fail(throttle: &SignInThrottle, account: &str, address: IpAddr, at: Moment) -> u64 {
        let start = Instant::now();
        throttle.attempt(account, address, at).await.unwrap().failed(at);
        start.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn waits_grow_to_a_bound_and_are_forgotten() {
        let throttle = SignInThrottle::default();
        let mut waits = Vec::new();
        for _ in 0..9 {
            waits.push(fail(&throttle, "anna@bank.example", OFFICE, now()).await);
        }
        assert_eq!(waits, [0, 0, 0, 1, 2, 4, 8, 8, 8]);
        assert_eq!(fail(&throttle, " Anna@bank.example", OFFICE, now()).await, 8, "the same account");
        let later = now().plus_millis(MEMORY_MS);
        assert_eq!(fail(&throttle, "anna@bank.example", OFFICE, later).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn the_owner_waits_but_is_never_locked_out() {
        let throttle = SignInThrottle::default();
        for _ in 0..50 {
            fail(&throttle, "anna@bank.example", ELSEWHERE, now()).await;
        }
        let start = Instant::now();
        throttle.attempt("anna@bank.example", OFFICE, now()).await.unwrap().succeeded();
        assert_eq!(start.elapsed(), LONGEST);
        assert_eq!(fail(&throttle, "anna@bank.example", OFFICE, now()).await, 0, "forgotten after success");
        assert_eq!(fail(&throttle, "ben@bank.example", OFFICE, now()).await, 0, "others never noticed");
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_tries_many_accounts_waits_too() {
        let throttle = SignInThrottle::default();
        for number in 0..ADDRESS_FREE {
            assert_eq!(fail(&throttle, &format!("{number}@bank.example"), ELSEWHERE, now()).await, 0);
        }
        assert_eq!(fail(&throttle, "one-more@bank.example", ELSEWHERE, now()).await, 1);
        let neighbours = ["2001:db8::1", "2001:db8::ffff:1"].map(|text| network(text.parse().unwrap()));
        assert_eq!(neighbours[0], neighbours[1]);
        assert_eq!(network("::ffff:198.51.100.7".parse().unwrap()), OFFICE);
    }

    #[tokio::test(start_paused = true)]
    async fn one_address_cannot_try_one_account_many_times_at_once() {
        let throttle = SignInThrottle::default();
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(throttle.attempt("anna@bank.example", ELSEWHERE, now()).await.unwrap());
        }
        assert!(throttle.attempt("anna@bank.example", ELSEWHERE, now()).await.is_err());
        assert!(throttle.attempt("anna@bank.example", OFFICE, now()).await.is_ok());
        held.clear();
        assert!(throttle.attempt("anna@bank.example", ELSEWHERE, now()).await.is_ok());
        assert_eq!(*throttle.under_way.lock().unwrap(), UnderWay::default(), "nothing is left behind");
    }

    /// A flood from one address: hundreds of made-up accounts at once.
    #[tokio::test(start_paused = true)]
    async fn one_client_cannot_keep_others_from_signing_in() {
        let throttle = SignInThrottle::default();
        for number in 0..=ADDRESS_FREE {
            fail(&throttle, &format!("{number}@made-up.example"), ELSEWHERE, now()).await;
        }
        let (mut held, mut refused) = (Vec::new(), 0);
        for number in 0..600 {
            match throttle.attempt(&format!("{number}@made-up.example"), ELSEWHERE, now()).await {
                Ok(attempt) => held.push(attempt),
                Err(_) => refused += 1,
            }
        }
        assert_eq!((held.len(), refused), (20, 580));
        for number in 0..12 {
            let office = IpAddr::V4(Ipv4Addr::new(198, 51, 100, number));
            let account = format!("{number}@bank.example");
            assert!(throttle.attempt(&account, office, now()).await.is_ok(), "{number}");
        }
        let kept = throttle.under_way.lock().unwrap().pairs.len();
        assert_eq!(kept, 20, "what was refused is not remembered");
    }

    #[tokio::test(start_paused = true)]
    async fn networks_that_failed_leave_room_for_those_that_did_not() {
        let throttle = SignInThrottle::default();
        let mut held = Vec::new();
        for number in 0..100u16 {
            let network = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, number, 0, 0, 0, 0, 1));
            fail(&throttle, "made-up@bank.example", network, now()).await;
            for account in 0..10 {
                let account = format!("{number}-{account}@made-up.example");
                held.extend(throttle.attempt(&account, network, now()).await);
            }
        }
        assert_eq!(held.len(), (ALL_AT_ONCE - RESERVED) as usize);
        assert!(throttle.attempt("anna@bank.example", OFFICE, now()).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_networks_of_one_site_count_together() {
        let throttle = SignInThrottle::default();
        let mut held = Vec::new();
        for number in 0..200u16 {
            let network = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 7, number, 0, 0, 0, 1));
            held.extend(throttle.attempt("anna@bank.example", network, now()).await);
        }
        assert_eq!(held.len(), SITE_AT_ONCE as usize);
        let other = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 8, 0, 0, 0, 0, 1));
        assert!(throttle.attempt("anna@bank.example", other, now()).await.is_ok());
    }
}
