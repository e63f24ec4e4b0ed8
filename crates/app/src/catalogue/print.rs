//! Bodies made of nothing but the catalogue: written once, compressed once, answered from memory.

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

/// How a body is packed for the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coding {
    Identity,
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    pub const ALL: [Self; 4] = [Self::Identity, Self::Gzip, Self::Brotli, Self::Zstd];

    /// The name readers ask for it by.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }

    /// Packs thoroughly: it is done once and read many times.
    fn pack(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Identity => Ok(plain.to_vec()),
            Self::Gzip => {
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
                packer.write_all(plain)?;
                packer.finish()
            }
            Self::Brotli => {
                let mut packed = Vec::new();
                let settings = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
                brotli::BrotliCompress(&mut &*plain, &mut packed, &settings)?;
                Ok(packed)
            }
            Self::Zstd => zstd::encode_all(plain, 19),
        }
    }
}

/// A body that follows from the catalogue and the language alone: its name and how it is written.
#[derive(Debug, Clone, Copy)]
pub struct Sheet {
    pub name: &'static str,
    pub write: fn(&Edition, Language) -> Result<Vec<u8>>,
}

/// A body ready to be answered, with its validator.
#[derive(Debug)]
pub struct Print {
    pub bytes: Bytes,
    /// Differs by content, language and coding.
    pub etag: String,
}

type Key = (&'static str, Language, Coding);
/// An error is kept and told again: what cannot be written once cannot be written twice.
type Printed = Result<Arc<Print>, Arc<Error>>;

/// The bodies printed so far. A cell is filled by whoever asks first; others wait for it.
#[derive(Debug, Default)]
pub(super) struct Prints(RwLock<HashMap<Key, Arc<OnceLock<Printed>>>>);

impl Prints {
    fn cell(&self, key: Key) -> Arc<OnceLock<Printed>> {
        if let Some(cell) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(cell);
        }
        Arc::clone(self.0.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_default())
    }
}

impl Edition {
    /// The sheet in this language, packed like this; written and packed off the runtime the first time.
    pub async fn print(
        self: &Arc<Self>,
        sheet: &Sheet,
        language: Language,
        coding: Coding,
    ) -> Result<Arc<Print>> {
        if let Some(Ok(print)) = self.prints.cell((sheet.name, language, coding)).get() {
            return Ok(Arc::clone(print));
        }
        let (edition, sheet) = (Arc::clone(self), *sheet);
        let make = move || edition.print_now(&sheet, language, coding);
        tokio::task::spawn_blocking(make).await.map_err(Error::internal)?.map_err(Error::internal)
    }

    /// Writes the sheets in every language and packing, so that no reader has to wait for them. Blocks.
    pub fn print_all(&self, sheets: &[&Sheet]) -> Result<()> {
        for sheet in sheets {
            for (language, coding) in Language::ALL.into_iter().flat_map(|l| Coding::ALL.map(|c| (l, c))) {
                self.print_now(sheet, language, coding).map_err(Error::internal)?;
            }
        }
        Ok(())
    }

    fn print_now(&self, sheet: &Sheet, language: Language, coding: Coding) -> Printed {
        let cell = self.prints.cell((sheet.name, language, coding));
        let make = || match coding {
            Coding::Identity => {
                let body = (sheet.write)(self, language).map_err(Arc::new)?;
                Ok(Arc::new(Print::plain(body, language)))
            }
            coding => {
                let plain = self.print_now(sheet, language, Coding::Identity)?;
                let packed = plain.packed(coding).map_err(|error| Arc::new(Error::internal(error)))?;
                Ok(Arc::new(packed))
            }
        };
        cell.get_or_init(make).clone()
    }
}

impl Print {
    fn plain(body: Vec<u8>, language: Language) -> Self {
        Self { etag: format!("\"{}-{language}\"", tag(&body)), bytes: body.into() }
    }

    fn packed(&self, coding: Coding) -> io::Result<Self> {
        let stem = self.etag.trim_end_matches('"');
        let etag = format!("{stem}-{}\"", coding.as_str());
        Ok(Self { bytes: coding.pack(&self.bytes)?.into(), etag })
    }
}

/// A short name for these bytes and no others.
pub(super) fn tag(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..12].iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
