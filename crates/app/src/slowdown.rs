//! Slowing down guesses by account and by address, without ever locking anybody out.
//!
//! Each failure makes the next answer to that account, and to that address, wait longer, up to a few seconds. The
//! right password works at any time, however many wrong ones somebody else has tried: it only waits its turn. What
//! bounds a guesser is that few attempts of one address on one account are under way at once.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::moment::Moment;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};

/// How many accounts and addresses are remembered; the least used are forgotten first.
const REMEMBERED: usize = 20_000;
/// Failures are forgotten when none came for this long.
const MEMORY_MS: i64 = 15 * 60 * 1000;
/// Failures an account or an address has free. Many people share an office's address.
const ACCOUNT_FREE: u32 = 3;
const ADDRESS_FREE: u32 = 20;
/// The first wait; it doubles with each further failure up to the longest.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(8);
/// Attempts under way at once, of one address on one account and of all together.
const AT_ONCE: u32 = 3;
const ALL_AT_ONCE: u32 = 500;

type Account = [u8; 32];

#[derive(Debug, Clone, Copy)]
struct Failures {
    count: u32,
    last: Moment,
}

/// What this process remembers of failed attempts.
#[derive(Debug)]
pub struct Slowdown {
    accounts: Cache<Account, Failures>,
    addresses: Cache<IpAddr, Failures>,
    under_way: Mutex<HashMap<(Account, IpAddr), u32>>,
}

impl Default for Slowdown {
    fn default() -> Self {
        Self {
            accounts: Cache::new(REMEMBERED),
            addresses: Cache::new(REMEMBERED),
            under_way: Mutex::default(),
        }
    }
}

/// Too many attempts are under way already; try again after this many seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    pub retry_after: u64,
}

/// One attempt under way.
#[derive(Debug)]
pub struct Attempt<'s> {
    slowdown: &'s Slowdown,
    key: (Account, IpAddr),
}

impl Slowdown {
    /// Begins an attempt on an account, whether there is such an account or not, and waits as long as it must.
    pub async fn attempt(&self, account: &str, address: IpAddr, now: Moment) -> Result<Attempt<'_>, TooMany> {
        let key = (digest(account), network(address));
        let attempt = self.enter(key)?;
        let wait = self.wait(key, now);
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        Ok(attempt)
    }

    fn enter(&self, key: (Account, IpAddr)) -> Result<Attempt<'_>, TooMany> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let all: u32 = under_way.values().sum();
        let mine = under_way.entry(key).or_default();
        if *mine >= AT_ONCE || all >= ALL_AT_ONCE {
            return Err(TooMany { retry_after: LONGEST.as_secs() });
        }
        *mine += 1;
        Ok(Attempt { slowdown: self, key })
    }

    fn wait(&self, (account, address): (Account, IpAddr), now: Moment) -> Duration {
        let by_account = wait_after(self.accounts.get(&account), ACCOUNT_FREE, now);
        let by_address = wait_after(self.addresses.get(&address), ADDRESS_FREE, now);
        by_account.max(by_address)
    }
}

impl Attempt<'_> {
    /// The attempt failed: the next one waits longer.
    pub fn failed(self, now: Moment) {
        let one_more = |before: Option<Failures>| Failures {
            count: before.filter(|before| is_fresh(*before, now)).map_or(0, |before| before.count) + 1,
            last: now,
        };
        let (account, address) = self.key;
        self.slowdown.accounts.insert(account, one_more(self.slowdown.accounts.get(&account)));
        self.slowdown.addresses.insert(address, one_more(self.slowdown.addresses.get(&address)));
    }

    /// The attempt was the owner's: the account's failures are forgotten. The address keeps its own, or a
    /// guesser could wash them off with an account of their own.
    pub fn succeeded(self) {
        self.slowdown.accounts.remove(&self.key.0);
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let mut under_way = self.slowdown.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = under_way.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                under_way.remove(&self.key);
            }
        }
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

/// Accounts are remembered by a digest: what is typed into the wrong field may be a password.
fn digest(account: &str) -> Account {
    Sha256::digest(account.trim().to_lowercase().as_bytes()).into()
}

/// One customer's IPv6 network counts as one address.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) if address.to_ipv4_mapped().is_none() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        other => other.to_canonical(),
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

    async fn fail(slowdown: &Slowdown, account: &str, address: IpAddr, at: Moment) -> u64 {
        let start = Instant::now();
        slowdown.attempt(account, address, at).await.unwrap().failed(at);
        start.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn waits_grow_to_a_bound_and_are_forgotten() {
        let slowdown = Slowdown::default();
        let mut waits = Vec::new();
        for _ in 0..9 {
            waits.push(fail(&slowdown, "anna@bank.example", OFFICE, now()).await);
        }
        assert_eq!(waits, [0, 0, 0, 1, 2, 4, 8, 8, 8]);
        assert_eq!(fail(&slowdown, " Anna@bank.example", OFFICE, now()).await, 8, "the same account");
        let later = now().plus_millis(MEMORY_MS);
        assert_eq!(fail(&slowdown, "anna@bank.example", OFFICE, later).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn the_owner_waits_but_is_never_locked_out() {
        let slowdown = Slowdown::default();
        for _ in 0..50 {
            fail(&slowdown, "anna@bank.example", ELSEWHERE, now()).await;
        }
        let start = Instant::now();
        slowdown.attempt("anna@bank.example", OFFICE, now()).await.unwrap().succeeded();
        assert_eq!(start.elapsed(), LONGEST);
        assert_eq!(fail(&slowdown, "anna@bank.example", OFFICE, now()).await, 0, "forgotten after success");
        assert_eq!(fail(&slowdown, "ben@bank.example", OFFICE, now()).await, 0, "others never noticed");
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_tries_many_accounts_waits_too() {
        let slowdown = Slowdown::default();
        for number in 0..ADDRESS_FREE {
            assert_eq!(fail(&slowdown, &format!("{number}@bank.example"), ELSEWHERE, now()).await, 0);
        }
        assert_eq!(fail(&slowdown, "one-more@bank.example", ELSEWHERE, now()).await, 1);
        let neighbours = ["2001:db8::1", "2001:db8::ffff:1"].map(|text| network(text.parse().unwrap()));
        assert_eq!(neighbours[0], neighbours[1]);
        assert_eq!(network("::ffff:198.51.100.7".parse().unwrap()), OFFICE);
    }

    #[tokio::test(start_paused = true)]
    async fn one_address_cannot_try_one_account_many_times_at_once() {
        let slowdown = Slowdown::default();
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(slowdown.attempt("anna@bank.example", ELSEWHERE, now()).await.unwrap());
        }
        assert!(slowdown.attempt("anna@bank.example", ELSEWHERE, now()).await.is_err());
        assert!(slowdown.attempt("anna@bank.example", OFFICE, now()).await.is_ok());
        held.clear();
        assert!(slowdown.attempt("anna@bank.example", ELSEWHERE, now()).await.is_ok());
        assert!(slowdown.under_way.lock().unwrap().is_empty(), "nothing is left behind");
    }
}
