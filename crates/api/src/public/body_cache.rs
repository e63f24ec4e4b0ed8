//! A cache of bodies that depend on the catalogue alone: serialised once, compressed once.
//!
//! The key is the name of the body, the language and the coding; names are those of our own routes, so their number
//! bounds the cache. A new edition of the catalogue clears it. The first request for a body gets it compressed
//! quickly; afterwards it is compressed thoroughly in the background, once for each language and coding that is
//! requested. Nothing is compressed in advance.

use std::{
    borrow::Cow,
    collections::HashMap,
    io,
    sync::{Arc, OnceLock, PoisonError, RwLock, Weak},
};

use app::{
    Error, Result,
    catalogue::{Edition, digest},
};
use bytes::Bytes;
use domain::wording::Language;

use crate::extract::coding::{Coding, Effort};

/// Serialises a body.
type Write = dyn Fn(&Edition, Language) -> Result<Vec<u8>> + Send + Sync;

/// A body that depends on the catalogue and the language alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PublicBody {
    pub(crate) name: &'static str,
    pub(crate) write: fn(&Edition, Language) -> Result<Vec<u8>>,
}

/// A body ready to be sent.
#[derive(Debug)]
pub(crate) struct ReadyBody {
    pub(crate) bytes: Bytes,
    /// Differs by content, language and coding.
    pub(crate) validator: String,
    /// No better compression will follow.
    pub(crate) is_final: bool,
}

type Key = (Cow<'static, str>, Language, Coding, Effort);
/// Errors are cached too: a body that failed once fails again.
type Made = Result<Arc<ReadyBody>, Arc<Error>>;

/// The cache. The first request fills a cell; concurrent requests wait for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct BodyCache(Arc<RwLock<Cells>>);

#[derive(Debug, Default)]
struct Cells {
    /// The edition that the bodies were made from.
    edition: Weak<Edition>,
    made: HashMap<Key, Arc<OnceLock<Made>>>,
}

impl BodyCache {
    /// The body in this language and coding; serialised and compressed off the runtime the first time.
    pub(crate) async fn get(
        &self,
        edition: &Arc<Edition>,
        name: Cow<'static, str>,
        (language, coding): (Language, Coding),
        write: Arc<Write>,
    ) -> Result<Arc<ReadyBody>> {
        if let Some(body) = self.ready(edition, name.clone(), (language, coding)) {
            return Ok(body);
        }
        let job = Job { cache: self.clone(), edition: Arc::clone(edition), name, language, coding, write };
        let quick = job.clone();
        let quick = tokio::task::spawn_blocking(move || quick.body(coding, Effort::Quick));
        let quick = quick.await.map_err(Error::internal)?.map_err(Error::internal)?;
        if !quick.is_final {
            // No caller waits for it; an error was returned above already.
            tokio::task::spawn_blocking(move || job.improve());
        }
        Ok(quick)
    }

    /// The best compressed body that exists already.
    fn ready(
        &self,
        edition: &Arc<Edition>,
        name: Cow<'static, str>,
        (language, coding): (Language, Coding),
    ) -> Option<Arc<ReadyBody>> {
        let cells = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if cells.edition.as_ptr() != Arc::as_ptr(edition) {
            return None;
        }
        let made = |name, effort| cells.made.get(&(name, language, coding, effort))?.get()?.as_ref().ok();
        made(name.clone(), Effort::Thorough).or_else(|| made(name, Effort::Quick)).map(Arc::clone)
    }

    fn cell(&self, edition: &Arc<Edition>, key: Key) -> Arc<OnceLock<Made>> {
        let mut cells = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if cells.edition.as_ptr() != Arc::as_ptr(edition) {
            *cells = Cells { edition: Arc::downgrade(edition), made: HashMap::new() };
        }
        Arc::clone(cells.made.entry(key).or_default())
    }
}

/// The making of one body.
#[derive(Clone)]
struct Job {
    cache: BodyCache,
    edition: Arc<Edition>,
    name: Cow<'static, str>,
    language: Language,
    coding: Coding,
    write: Arc<Write>,
}

impl Job {
    fn body(&self, coding: Coding, effort: Effort) -> Made {
        // Without compression there is only one variant.
        let effort = if coding == Coding::Identity { Effort::Quick } else { effort };
        let cell = self.cache.cell(&self.edition, self.key(coding, effort));
        let make = || {
            if coding == Coding::Identity {
                let body = (self.write)(&self.edition, self.language).map_err(Arc::new)?;
                return Ok(Arc::new(ReadyBody::plain(body, self.language)));
            }
            let plain = self.body(Coding::Identity, effort)?;
            let packed = plain.compressed(coding, effort);
            packed.map(Arc::new).map_err(|error| Arc::new(Error::internal(error)))
        };
        cell.get_or_init(make).clone()
    }

    /// Compresses the body thoroughly, and then drops the quickly compressed one.
    fn improve(&self) {
        if self.body(self.coding, Effort::Thorough).is_ok() {
            let mut cells = self.cache.0.write().unwrap_or_else(PoisonError::into_inner);
            cells.made.remove(&self.key(self.coding, Effort::Quick));
        }
    }

    fn key(&self, coding: Coding, effort: Effort) -> Key {
        (self.name.clone(), self.language, coding, effort)
    }
}

impl ReadyBody {
    fn plain(body: Vec<u8>, language: Language) -> Self {
        Self { validator: format!("{}-{language}", digest(&body)), bytes: body.into(), is_final: true }
    }

    fn compressed(&self, coding: Coding, effort: Effort) -> io::Result<Self> {
        // Different bytes need a different validator, even if they decompress to the same content.
        let mark = if effort == Effort::Quick { "-quick" } else { "" };
        let validator = format!("{}-{}{mark}", self.validator, coding.as_str());
        let bytes = coding.compress(&self.bytes, effort)?.into();
        Ok(Self { bytes, validator, is_final: effort == Effort::Thorough })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "the signature of every body")]
    fn write(_: &Edition, language: Language) -> Result<Vec<u8>> {
        Ok(format!("a text in {language} ").repeat(5000).into_bytes())
    }

    fn edition() -> Arc<Edition> {
        Arc::new(Edition::embedded().unwrap())
    }

    #[tokio::test]
    async fn a_quick_body_is_replaced_by_a_thorough_one() {
        let (cache, edition) = (BodyCache::default(), edition());
        let get = |coding| cache.get(&edition, "test".into(), (Language::German, coding), Arc::new(write));
        let plain = get(Coding::Identity).await.unwrap();
        let codings = [Coding::Gzip, Coding::Brotli, Coding::Zstd];
        let mut quick = Vec::new();
        for coding in codings {
            quick.push(get(coding).await.unwrap());
        }
        assert_eq!(zstd::decode_all(&*quick[2].bytes).unwrap(), plain.bytes);
        for (coding, quick) in codings.into_iter().zip(&quick) {
            let thorough = loop {
                let body = get(coding).await.unwrap();
                if body.is_final {
                    break body;
                }
                tokio::task::yield_now().await;
            };
            assert_ne!(thorough.validator, quick.validator);
            assert!(thorough.bytes.len() < plain.bytes.len() / 10, "{coding:?}");
        }
        assert_eq!(zstd::decode_all(&*get(Coding::Zstd).await.unwrap().bytes).unwrap(), plain.bytes);
        assert!(Arc::ptr_eq(&get(Coding::Identity).await.unwrap(), &plain));
        // A thorough body can be read before the quick one is dropped.
        while cache.0.read().unwrap().made.len() > 1 + codings.len() {
            tokio::task::yield_now().await;
        }
        assert_eq!(cache.0.read().unwrap().made.len(), 1 + codings.len());
    }

    #[tokio::test]
    async fn a_new_edition_clears_the_cache() {
        let (cache, old, new) = (BodyCache::default(), edition(), edition());
        let wanted = (Language::English, Coding::Identity);
        let first = cache.get(&old, "test".into(), wanted, Arc::new(write)).await.unwrap();
        let second = cache.get(&new, "test".into(), wanted, Arc::new(write)).await.unwrap();
        assert_eq!(first.bytes, second.bytes);
        assert!(!Arc::ptr_eq(&first, &second));
        assert_eq!(cache.0.read().unwrap().made.len(), 1);
    }
}
