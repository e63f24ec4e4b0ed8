//! Detects the encoding of a text file and converts it to UTF-8.
//!
//! A byte-order mark decides. Without one a file is UTF-8 if all of it is valid; otherwise it is taken for
//! Windows-1252, which spreadsheets still write, but only if its bytes leave no doubt. In doubt the file is refused
//! with the remedy: garbled names in a register of findings are worse than a second try.

use std::io::{self, Read};

use crate::{vocabulary::vocabulary, wording::sentences};

vocabulary! {
    /// An encoding a file may have.
    Encoding {
        Utf8 = "utf-8" ("UTF-8", "UTF-8"),
        Utf16Le = "utf-16le" ("UTF-16, little-endian", "UTF-16, Little-Endian"),
        Utf16Be = "utf-16be" ("UTF-16, big-endian", "UTF-16, Big-Endian"),
        Windows1252 = "windows-1252" ("Windows-1252", "Windows-1252"),
    }
}

sentences! {
    /// Why the bytes of a file are no text.
    #[derive(Copy)]
    EncodingError {
        Unclear =
            "the file is not UTF-8 and may be Windows-1252 or another old encoding; save it as \"CSV UTF-8\", or say that it is windows-1252 if you know it is",
            "Die Datei ist nicht UTF-8 und könnte Windows-1252 oder eine andere alte Kodierung sein; bitte als „CSV UTF-8“ speichern oder windows-1252 angeben, falls das sicher ist";
        ZeroBytes =
            "the file holds zero bytes, as UTF-16 without a byte-order mark does; save it as \"CSV UTF-8\"",
            "Die Datei enthält Nullbytes wie UTF-16 ohne Byte-Reihenfolge-Markierung; bitte als „CSV UTF-8“ speichern";
        Broken(encoding: &'static str) =
            "the file is not valid {encoding}; save it as \"CSV UTF-8\"",
            "Die Datei ist kein gültiges {encoding}; bitte als „CSV UTF-8“ speichern";
    }
}

impl From<EncodingError> for io::Error {
    fn from(error: EncodingError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

const CHUNK: usize = 64 * 1024;

/// The encoding a byte-order mark names, and the length of the mark.
#[must_use]
pub fn by_mark(head: &[u8]) -> Option<(Encoding, usize)> {
    match head {
        [0xEF, 0xBB, 0xBF, ..] => Some((Encoding::Utf8, 3)),
        [0xFF, 0xFE, ..] => Some((Encoding::Utf16Le, 2)),
        [0xFE, 0xFF, ..] => Some((Encoding::Utf16Be, 2)),
        _ => None,
    }
}

/// Reads a whole file to find its encoding.
pub fn detect(mut file: impl Read) -> io::Result<Encoding> {
    let mut buffer = vec![0; CHUNK];
    let mut census = Census { is_western: true, ..Census::default() };
    // The bytes of a character split between two chunks are kept for the next one.
    let (mut held, mut first) = (0, true);
    loop {
        let read = fill(&mut file, &mut buffer[held..])?;
        let end = held + read;
        if std::mem::take(&mut first)
            && let Some((encoding, _)) = by_mark(&buffer[..end])
        {
            return Ok(encoding);
        }
        held = if read == 0 { 0 } else { cut_at_the_end(&buffer[..end]) };
        census.take(&buffer[..end - held])?;
        if read == 0 {
            return Ok(census.verdict()?);
        }
        buffer.copy_within(end - held..end, 0);
    }
}

/// Statistics of the bytes seen so far.
#[derive(Default)]
struct Census {
    /// Characters beyond ASCII that are valid UTF-8.
    right: usize,
    /// Invalid sequences.
    wrong: usize,
    is_western: bool,
}

impl Census {
    fn take(&mut self, bytes: &[u8]) -> Result<(), EncodingError> {
        if bytes.contains(&0) {
            return Err(EncodingError::ZeroBytes);
        }
        for chunk in bytes.utf8_chunks() {
            self.right += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
            self.wrong += usize::from(!chunk.invalid().is_empty());
        }
        self.is_western &= bytes.iter().copied().all(is_plausibly_western);
        Ok(())
    }

    /// Text in Windows-1252 is valid UTF-8 only by rare chance, such as ß before a closing quotation mark. Many valid
    /// characters beside invalid ones mean damaged UTF-8.
    fn verdict(&self) -> Result<Encoding, EncodingError> {
        if self.wrong == 0 {
            Ok(Encoding::Utf8)
        } else if self.is_western && self.right * 10 <= self.wrong {
            Ok(Encoding::Windows1252)
        } else {
            Err(EncodingError::Unclear)
        }
    }
}

/// How many bytes at the end begin a character of UTF-8 without finishing it.
fn cut_at_the_end(bytes: &[u8]) -> usize {
    for (back, byte) in (1..=3).zip(bytes.iter().rev()) {
        let length = match byte {
            0x80..=0xBF => continue,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        return if length > back { back } else { 0 };
    }
    0
}

/// Reads until the buffer is full or the file ends, so that a mark is never cut.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// Bytes that Western European text in Windows-1252 really uses. The letters among 0x80 to 0x9F are left out: old
/// Macintosh files have their umlauts there, and reading those as Windows-1252 would garble them.
fn is_plausibly_western(byte: u8) -> bool {
    match byte {
        0x80..=0x9F => matches!(byte, 0x80 | 0x82 | 0x84 | 0x85 | 0x89 | 0x8B | 0x91..=0x97 | 0x99 | 0x9B),
        _ => byte >= 0x20 || matches!(byte, b'\t' | b'\n' | b'\r'),
    }
}

/// The characters of Windows-1252 from 0x80 to 0x9F; the five without one are `None`.
const WINDOWS_1252: [Option<char>; 32] = [
    Some('€'),
    None,
    Some('‚'),
    Some('ƒ'),
    Some('„'),
    Some('…'),
    Some('†'),
    Some('‡'),
    Some('ˆ'),
    Some('‰'),
    Some('Š'),
    Some('‹'),
    Some('Œ'),
    None,
    Some('Ž'),
    None,
    None,
    Some('‘'),
    Some('’'),
    Some('“'),
    Some('”'),
    Some('•'),
    Some('–'),
    Some('—'),
    Some('˜'),
    Some('™'),
    Some('š'),
    Some('›'),
    Some('œ'),
    None,
    Some('ž'),
    Some('Ÿ'),
];

/// Reads a file of any encoding as UTF-8 without a byte-order mark.
#[derive(Debug)]
pub struct Decoder<R> {
    inner: R,
    encoding: Encoding,
    raw: Vec<u8>,
    decoded: Vec<u8>,
    given: usize,
    at_start: bool,
}

impl<R: Read> Decoder<R> {
    pub fn new(inner: R, encoding: Encoding) -> Self {
        Self { inner, encoding, raw: Vec::new(), decoded: Vec::new(), given: 0, at_start: true }
    }

    /// For formats that are UTF-8 by definition but may arrive in another encoding from a shell.
    pub fn by_mark(mut inner: R) -> io::Result<Self> {
        let mut raw = vec![0; 3];
        let read = fill(&mut inner, &mut raw)?;
        raw.truncate(read);
        let encoding = by_mark(&raw).map_or(Encoding::Utf8, |(encoding, _)| encoding);
        Ok(Self { raw, ..Self::new(inner, encoding) })
    }

    /// Decodes one more chunk; `false` at the end of the file.
    fn advance(&mut self) -> io::Result<bool> {
        let mut chunk = vec![0; CHUNK];
        let read = fill(&mut self.inner, &mut chunk)?;
        self.raw.extend_from_slice(&chunk[..read]);
        if self.at_start {
            self.at_start = false;
            let mark = by_mark(&self.raw).filter(|(encoding, _)| *encoding == self.encoding);
            self.raw.drain(..mark.map_or(0, |(_, length)| length));
        }
        self.decoded.clear();
        self.given = 0;
        self.decode(read == 0)?;
        Ok(read > 0 || !self.decoded.is_empty())
    }

    fn decode(&mut self, last: bool) -> io::Result<()> {
        match self.encoding {
            Encoding::Utf8 => self.decoded.append(&mut self.raw),
            Encoding::Windows1252 => self.decode_windows()?,
            Encoding::Utf16Le => self.decode_utf16(last, u16::from_le_bytes)?,
            Encoding::Utf16Be => self.decode_utf16(last, u16::from_be_bytes)?,
        }
        Ok(())
    }

    fn decode_windows(&mut self) -> Result<(), EncodingError> {
        for byte in self.raw.drain(..) {
            let letter = match byte {
                0x80..=0x9F => {
                    WINDOWS_1252[usize::from(byte - 0x80)].ok_or(EncodingError::Broken("Windows-1252"))?
                }
                _ => char::from(byte),
            };
            self.decoded.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(())
    }

    fn decode_utf16(&mut self, last: bool, unit: fn([u8; 2]) -> u16) -> Result<(), EncodingError> {
        const BROKEN: EncodingError = EncodingError::Broken("UTF-16");
        let mut units: Vec<u16> = self.raw.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        // A pair of units may be split at the end of a chunk: its first half is kept for the next.
        if !last && units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit)) {
            units.pop();
        }
        for letter in char::decode_utf16(units.iter().copied()) {
            let letter = letter.map_err(|_| BROKEN)?;
            self.decoded.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.raw.drain(..units.len() * 2);
        if last && !self.raw.is_empty() { Err(BROKEN) } else { Ok(()) }
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.decoded.len() {
            if !self.advance()? {
                return Ok(0);
            }
        }
        let waiting = &self.decoded[self.given..];
        let count = waiting.len().min(buffer.len());
        buffer[..count].copy_from_slice(&waiting[..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
