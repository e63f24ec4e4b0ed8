//! A cache of bodies that depend on the catalogue alone: serialised once, compressed once.
//!
//! The first request for a body gets it compressed quickly; afterwards it is compressed thoroughly in the background,
//! once for each language and coding that is requested. Nothing is compressed in advance.

use std::{
    collections::HashMap,
    fmt::Write as _,
    io::{self, Write as _},
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

use bytes::Bytes;
use domain::wording::Language;
use sha2::{Digest as _, Sha256};

use super::Edition;
use crate::{Error, Result};

/// The content coding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coding {
    Identity,
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    pub const ALL: [Self; 4] = [Self::Identity, Self::Gzip, Self::Brotli, Self::Zstd];

    /// The name of the coding in HTTP headers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }

    fn pack(self, plain: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let thorough = effort == Effort::Thorough;
        match self {
            Self::Identity => Ok(plain.to_vec()),
            Self::Gzip => {
                let level = if thorough { flate2::Compression::best() } else { flate2::Compression::fast() };
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), level);
                packer.write_all(plain)?;
                packer.finish()
            }
            Self::Brotli => {
                let mut packed = Vec::new();
                let quality = if thorough { 9 } else { 3 };
                let settings = brotli::enc::BrotliEncoderParams {
                    quality,
                    lgwin: window(plain.len()),
                    size_hint: plain.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*plain, &mut packed, &settings)?;
                Ok(packed)
            }
            // In one call: a streaming compressor does not know the size and allocates a hundred megabytes.
            Self::Zstd => zstd::bulk::compress(plain, if thorough { 12 } else { 3 }),
        }
    }
}

/// The window for a body of this size, as a power of two: the compressor's tables are many times as large as its
/// window.
fn window(length: usize) -> i32 {
    let needed = length.next_power_of_two().trailing_zeros();
    needed.clamp(16, 22).cast_signed()
}

/// How much time is spent on compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Effort {
    Quick,
    Thorough,
}

/// A body that depends on the catalogue and the language alone: its name and its renderer.
#[derive(Debug, Clone, Copy)]
pub struct Sheet {
    pub name: &'static str,
    pub write: fn(&Edition, Language) -> Result<Vec<u8>>,
}

/// A body ready to be sent, with its `ETag`.
#[derive(Debug)]
pub struct Print {
    pub bytes: Bytes,
    /// Differs by content, language and coding.
    pub etag: String,
    /// No better compression will follow.
    pub is_final: bool,
}

type Key = (&'static str, Language, Coding, Effort);
/// Errors are cached too: a body that failed once fails again.
type Printed = Result<Arc<Print>, Arc<Error>>;

/// The cache of bodies. The first request fills a cell; concurrent requests wait for it.
#[derive(Debug, Default)]
pub(super) struct Prints(RwLock<HashMap<Key, Arc<OnceLock<Printed>>>>);

impl Prints {
    fn cell(&self, key: Key) -> Arc<OnceLock<Printed>> {
        if let Some(cell) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(cell);
        }
        Arc::clone(self.0.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_default())
    }

    /// The best compressed body that exists already.
    fn ready(&self, sheet: &Sheet, language: Language, coding: Coding) -> Option<Arc<Print>> {
        let cells = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let printed = |effort| cells.get(&(sheet.name, language, coding, effort))?.get()?.as_ref().ok();
        printed(Effort::Thorough).or_else(|| printed(Effort::Quick)).map(Arc::clone)
    }

    /// Drops a quickly compressed body once there is a better one.
    fn forget_quick(&self, sheet: &Sheet, language: Language, coding: Coding) {
        let mut cells = self.0.write().unwrap_or_else(PoisonError::into_inner);
        cells.remove(&(sheet.name, language, coding, Effort::Quick));
    }
}

impl Edition {
    /// The body in this language and coding; serialised and compressed off the runtime the first time.
    pub async fn print(
        self: &Arc<Self>,
        sheet: &Sheet,
        language: Language,
        coding: Coding,
    ) -> Result<Arc<Print>> {
        if let Some(print) = self.prints.ready(sheet, language, coding) {
            return Ok(print);
        }
        let (edition, sheet) = (Arc::clone(self), *sheet);
        let make = move || edition.print_now(&sheet, language, coding, Effort::Quick);
        let quick =
            tokio::task::spawn_blocking(make).await.map_err(Error::internal)?.map_err(Error::internal)?;
        if !quick.is_final {
            let edition = Arc::clone(self);
            // No caller waits for it; an error was returned above already.
            tokio::task::spawn_blocking(move || edition.better(&sheet, language, coding));
        }
        Ok(quick)
    }

    /// Compresses a body thoroughly.
    fn better(&self, sheet: &Sheet, language: Language, coding: Coding) {
        if self.print_now(sheet, language, coding, Effort::Thorough).is_ok() {
            self.prints.forget_quick(sheet, language, coding);
        }
    }

    fn print_now(&self, sheet: &Sheet, language: Language, coding: Coding, effort: Effort) -> Printed {
        // Without compression there is only one variant.
        let effort = if coding == Coding::Identity { Effort::Quick } else { effort };
        let cell = self.prints.cell((sheet.name, language, coding, effort));
        let make = || match coding {
            Coding::Identity => {
                let body = (sheet.write)(self, language).map_err(Arc::new)?;
                Ok(Arc::new(Print::plain(body, language)))
            }
            coding => {
                let plain = self.print_now(sheet, language, Coding::Identity, effort)?;
                let packed =
                    plain.packed(coding, effort).map_err(|error| Arc::new(Error::internal(error)))?;
                Ok(Arc::new(packed))
            }
        };
        cell.get_or_init(make).clone()
    }
}

impl Print {
    fn plain(body: Vec<u8>, language: Language) -> Self {
        Self { etag: format!("\"{}-{language}\"", tag(&body)), bytes: body.into(), is_final: true }
    }

    fn packed(&self, coding: Coding, effort: Effort) -> io::Result<Self> {
        let stem = self.etag.trim_end_matches('"');
        // Different bytes need a different ETag, even if they decompress to the same content.
        let mark = if effort == Effort::Quick { "-quick" } else { "" };
        let etag = format!("{stem}-{}{mark}\"", coding.as_str());
        let is_final = effort == Effort::Thorough;
        Ok(Self { bytes: coding.pack(&self.bytes, effort)?.into(), etag, is_final })
    }
}

/// A short digest of these bytes.
pub fn tag(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..12].iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: Sheet = Sheet {
        name: "test",
        write: |_, language| Ok(format!("a text in {language} ").repeat(5000).into_bytes()),
    };

    #[tokio::test]
    async fn a_quick_body_is_replaced_by_a_thorough_one() {
        let edition = Arc::new(Edition::new(catalogue::Catalogue::embedded().unwrap()));
        let print = |coding| edition.print(&SHEET, Language::German, coding);
        let plain = print(Coding::Identity).await.unwrap();
        let mut quick = Vec::new();
        for coding in [Coding::Gzip, Coding::Brotli, Coding::Zstd] {
            quick.push(print(coding).await.unwrap());
        }
        assert_eq!(zstd::decode_all(&*quick[2].bytes).unwrap(), plain.bytes);
        for (coding, quick) in [Coding::Gzip, Coding::Brotli, Coding::Zstd].into_iter().zip(&quick) {
            let thorough = loop {
                let print = print(coding).await.unwrap();
                if print.is_final {
                    break print;
                }
                tokio::task::yield_now().await;
            };
            assert_ne!(thorough.etag, quick.etag);
            assert!(thorough.bytes.len() < plain.bytes.len() / 10, "{coding:?}");
        }
        assert_eq!(zstd::decode_all(&*print(Coding::Zstd).await.unwrap().bytes).unwrap(), plain.bytes);
        assert!(Arc::ptr_eq(&print(Coding::Identity).await.unwrap(), &plain));
        let cells = edition.prints.0.read().unwrap().len();
        assert_eq!(cells, Coding::ALL.len());
    }
}
