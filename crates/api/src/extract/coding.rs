//! The content coding a caller accepts, and how a body is compressed with it. Only for bodies that are compressed once
//! and cached; others are compressed on the fly.

use std::{
    convert::Infallible,
    io::{self, Write as _},
};

use axum::extract::FromRequestParts;
use http::{HeaderMap, header, request::Parts};

/// The content coding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Brotli,
    Zstd,
}

impl Coding {
    /// The name of the coding in HTTP headers.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }

    pub(crate) fn compress(self, plain: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let thorough = effort == Effort::Thorough;
        match self {
            Self::Identity => Ok(plain.to_vec()),
            Self::Gzip => {
                let level = if thorough { flate2::Compression::best() } else { flate2::Compression::fast() };
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(plain)?;
                encoder.finish()
            }
            Self::Brotli => {
                let mut compressed = Vec::new();
                let quality = if thorough { 9 } else { 3 };
                let settings = brotli::enc::BrotliEncoderParams {
                    quality,
                    lgwin: window(plain.len()),
                    size_hint: plain.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*plain, &mut compressed, &settings)?;
                Ok(compressed)
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
pub(crate) enum Effort {
    Quick,
    Thorough,
}

/// The coding of the response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed(pub Coding);

/// If a caller accepts several equally, the smallest is chosen.
const BY_SIZE: [Coding; 3] = [Coding::Brotli, Coding::Zstd, Coding::Gzip];

impl<S: Sync> FromRequestParts<S> for Packed {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(preferred(&parts.headers)))
    }
}

fn preferred(headers: &HeaderMap) -> Coding {
    let wishes = wishes(headers);
    // The identity coding is always acceptable; it is chosen only if it is named with the highest weight.
    let identity = named(&wishes, Coding::Identity.as_str()).unwrap_or(0);
    let mut best = (Coding::Identity, 0);
    for coding in BY_SIZE {
        let weight = weight(&wishes, coding);
        if weight > best.1 && weight >= identity {
            best = (coding, weight);
        }
    }
    best.0
}

/// Whether a body that is stored in this coding can be sent as it is.
pub(crate) fn accepts(headers: &HeaderMap, coding: Coding) -> bool {
    weight(&wishes(headers), coding) > 0
}

type Wishes<'h> = Vec<(&'h str, u16)>;

fn wishes(headers: &HeaderMap) -> Wishes<'_> {
    let values = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(wish).collect()
}

fn weight(wishes: &Wishes<'_>, coding: Coding) -> u16 {
    named(wishes, coding.as_str()).or_else(|| named(wishes, "*")).unwrap_or(0)
}

fn named(wishes: &Wishes<'_>, name: &str) -> Option<u16> {
    wishes.iter().find(|(wished, _)| wished.eq_ignore_ascii_case(name)).map(|(_, weight)| *weight)
}

/// A coding with its weight in thousandths; an invalid weight counts as none.
fn wish(text: &str) -> (&str, u16) {
    let (name, parameter) = text.split_once(';').unwrap_or((text, "q=1"));
    let number = parameter.trim().strip_prefix("q=").unwrap_or("");
    let weight = number.parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight)).unwrap_or(0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1000")]
    let thousandths = (weight * 1000.0).round() as u16;
    (name.trim(), thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_liked_and_then_the_smallest_wins() {
        for (header, expected) in [
            ("", Coding::Identity),
            ("gzip", Coding::Gzip),
            ("gzip, deflate, br, zstd", Coding::Brotli),
            ("gzip, zstd", Coding::Zstd),
            ("GZIP;q=0.9, br;q=0.5", Coding::Gzip),
            ("br;q=0, *", Coding::Zstd),
            ("*;q=0.1", Coding::Brotli),
            ("identity, gzip;q=0.5", Coding::Identity),
            ("identity;q=0.5, gzip", Coding::Gzip),
            ("gzip;q=0, br;q=0.000", Coding::Identity),
            ("gzip;q=nonsense", Coding::Identity),
            ("deflate", Coding::Identity),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, header.parse().unwrap());
            assert_eq!(preferred(&headers), expected, "{header:?}");
        }
        assert_eq!(preferred(&HeaderMap::new()), Coding::Identity);
    }
}
