//! The parts of a workbook: XML files in a zip archive. Neither the names nor the sizes in it are trusted.

use std::io::{self, BufReader, Read, Seek};

use domain::import::FileComplaint;
use quick_xml::{
    Reader,
    events::{BytesRef, BytesStart, Event},
};
use zip::{ZipArchive, read::ZipFile, result::ZipError};

use crate::{Error, Result, budget::Budget, register::archive, upload};

/// A workbook has a few parts for each sheet.
const MAX_PARTS: usize = 1_000;
/// The maximum uncompressed size of all parts that are read.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;
/// The longest stretch from one tag to the next, which is held in memory: the text of a cell, with room for escapes.
const MAX_BETWEEN_TAGS: usize = 1024 * 1024;
/// The main part, which identifies a workbook.
const WORKBOOK: &str = "xl/workbook.xml";

/// A workbook that is being read.
pub(super) struct Parts<R> {
    archive: ZipArchive<R>,
    left: u64,
}

/// One part as XML.
pub(super) struct XmlPart<'p, R: Read> {
    reader: Reader<BufReader<Limited<'p, ZipFile<'p, R>>>>,
    buffer: Vec<u8>,
}

impl<R: Read + Seek> Parts<R> {
    /// Opens an archive that is a workbook; `None` for any other.
    pub(super) fn open(mut reader: R) -> Result<Option<Self>> {
        archive::check_count(&mut reader, MAX_PARTS)?;
        // The reader of packages reports what is wrong with an archive that cannot be opened.
        let Ok(archive) = ZipArchive::new(reader) else { return Ok(None) };
        if archive.index_for_name(WORKBOOK).is_none() {
            return Ok(None);
        }
        Ok(Some(Self { archive, left: MAX_UNPACKED }))
    }

    pub(super) fn workbook(&mut self) -> Result<XmlPart<'_, R>> {
        self.part(WORKBOOK)?.ok_or_else(|| damaged("it has no list of sheets"))
    }

    /// The part of this name, if there is one.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<XmlPart<'_, R>>> {
        let Self { archive, left } = self;
        let file = match archive.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(damaged(&error)),
        };
        let part = Limited { inner: file, left, of_part: upload::MAX_BYTES, since_tag: 0 };
        let mut reader = Reader::from_reader(BufReader::new(part));
        reader.config_mut().expand_empty_elements = true;
        Ok(Some(XmlPart { reader, buffer: Vec::new() }))
    }
}

impl<R: Read> XmlPart<'_, R> {
    /// What comes next in the part; none at its end.
    pub(super) fn next(&mut self) -> Result<Option<Event<'_>>> {
        self.buffer.clear();
        match self.reader.read_event_into(&mut self.buffer) {
            Ok(Event::Eof) => Ok(None),
            // A workbook defines no entities; one that does may be an entity expansion attack.
            Ok(Event::DocType(_)) => Err(damaged("it defines a document type")),
            Ok(event) => Ok(Some(event)),
            Err(quick_xml::Error::Io(error)) if is_too_large(&error) => {
                Err(Error::invalid("file", FileComplaint::TableTooLarge))
            }
            Err(error) => Err(damaged(&error)),
        }
    }
}

/// Stops at the limit: the size in the header is not trusted.
struct Limited<'p, R> {
    inner: R,
    left: &'p mut u64,
    of_part: u64,
    since_tag: usize,
}

#[derive(Debug, thiserror::Error)]
#[error("a part that is too large")]
struct TooLarge;

fn is_too_large(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<TooLarge>)
}

impl<R> Limited<'_, R> {
    /// The longest stretch without a tag that ends in these bytes; the last one continues in the next.
    fn longest_stretch(&mut self, bytes: &[u8]) -> usize {
        let mut longest = 0;
        for (index, stretch) in bytes.split(|byte| *byte == b'<').enumerate() {
            self.since_tag = if index == 0 { self.since_tag } else { 0 } + stretch.len();
            longest = longest.max(self.since_tag);
        }
        longest
    }
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let taken = count as u64;
        let (Some(left), Some(of_part)) = (self.left.checked_sub(taken), self.of_part.checked_sub(taken))
        else {
            return Err(io::Error::other(TooLarge));
        };
        (*self.left, self.of_part) = (left, of_part);
        let longest = self.longest_stretch(&buffer[..count]);
        if longest > MAX_BETWEEN_TAGS { Err(io::Error::other(TooLarge)) } else { Ok(count) }
    }
}

pub(super) fn damaged(problem: &(impl ToString + ?Sized)) -> Error {
    Error::invalid("file", FileComplaint::BadWorkbook { problem: problem.to_string() })
}

/// The value of an attribute, by its name without prefix.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    // The check for repeated names has quadratic cost.
    let mut attributes = element.attributes();
    let found = attributes
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    quick_xml::escape::unescape(&found.value).ok().map(std::borrow::Cow::into_owned)
}

/// Appends a text, which may come in any number of pieces.
pub(super) fn add_text(text: &mut String, piece: &str, budget: &mut Budget) -> Result<()> {
    budget.bytes(piece.len())?;
    text.push_str(piece);
    Ok(())
}

/// Appends the character of a reference such as `&amp;` or `&#10;`.
pub(super) fn add_reference(text: &mut String, reference: &BytesRef<'_>) -> Result<()> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => text.push(character),
        Ok(None) => {
            let name = reference.borrow().into_inner();
            let known = quick_xml::escape::resolve_xml_entity(&name);
            text.push_str(known.ok_or_else(|| damaged("it uses an entity that is not defined"))?);
        }
        Err(error) => return Err(damaged(&error)),
    }
    Ok(())
}

/// A text as it was typed: workbooks encode characters that XML cannot contain as `_x000D_`, and line ends are
/// normalised.
pub(super) fn typed(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        if let Some(character) = escaped(from) {
            plain.push(character);
            rest = &from[7..];
        } else {
            plain.push_str("_x");
            rest = &from[2..];
        }
    }
    plain.push_str(rest);
    if plain.contains('\r') { plain.replace("\r\n", "\n").replace('\r', "\n") } else { plain }
}

fn escaped(text: &str) -> Option<char> {
    let digits = text.strip_prefix("_x")?.get(..5)?.strip_suffix('_')?;
    let number = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
    u32::from_str_radix(number, 16).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_workbooks_are_undone_once() {
        for (written, meant) in [
            ("a_x000D_b", "a\nb"),
            ("_x005F_x000D_", "_x000D_"),
            ("_x005F_x0041_x005F_x0042_", "_x0041_x0042_"),
            ("_x00G1_ _x12_ _x", "_x00G1_ _x12_ _x"),
            ("a\r\nb\rc", "a\nb\nc"),
            ("_x0é", "_x0é"),
        ] {
            assert_eq!(typed(written), meant, "{written}");
        }
    }
}
