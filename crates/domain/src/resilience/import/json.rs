//! Reads the JSON of a scanner without holding it in memory.
//!
//! All three formats have the same structure: groups in one array, results in arrays of each group. The visitor reads
//! the results one by one wherever they are in the file. A guard in front of the parser refuses files that are nested
//! too deep or contain a giant text: the parser limits the depth of what it builds, but not of what it skips, nor the
//! length of anything.

use std::{
    fmt,
    io::{self, BufReader, Read, Seek},
};

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::{ImportError, MAX_RESULTS, encoding::Decoder};

/// The maximum nesting. Scanners stay below thirty.
pub const MAX_DEPTH: u32 = 100;
/// The maximum length of a text, in bytes.
pub(super) const MAX_TEXT: u64 = 8 << 20;

/// Why the guard refuses a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("nested too deep")]
    TooDeep,
    #[error("a text that is too long")]
    LongText,
}

/// Checks the bytes before they reach the parser.
struct Guard<R> {
    inner: R,
    depth: u32,
    /// The length of the current text, if inside one.
    text: Option<u64>,
    escaped: bool,
}

impl<R> Guard<R> {
    fn new(inner: R) -> Self {
        Self { inner, depth: 0, text: None, escaped: false }
    }

    fn step(&mut self, byte: u8) -> Result<(), Refused> {
        match (&mut self.text, byte) {
            (Some(_), b'"') if !self.escaped => self.text = None,
            (Some(length), _) => {
                self.escaped = byte == b'\\' && !self.escaped;
                *length += 1;
                if *length > MAX_TEXT {
                    return Err(Refused::LongText);
                }
            }
            (None, b'"') => self.text = Some(0),
            (None, b'{' | b'[') => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(Refused::TooDeep);
                }
            }
            (None, b'}' | b']') => self.depth = self.depth.saturating_sub(1),
            (None, _) => {}
        }
        Ok(())
    }
}

impl<R: Read> Read for Guard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        for byte in &buffer[..count] {
            self.step(*byte).map_err(|refused| io::Error::new(io::ErrorKind::InvalidData, refused))?;
        }
        Ok(count)
    }
}

type Parser<R> = serde_json::Deserializer<serde_json::de::IoRead<BufReader<Guard<Decoder<R>>>>>;

/// The file from its beginning.
fn parser<R: Read + Seek>(file: &mut R) -> Result<Parser<&mut R>, ImportError> {
    file.rewind().map_err(ImportError::unreadable)?;
    let decoder = Decoder::by_mark(file).map_err(ImportError::from_io)?;
    let reader = BufReader::with_capacity(64 * 1024, Guard::new(decoder));
    Ok(serde_json::Deserializer::from_reader(reader))
}

/// Reads the fields of a type and skips the rest: the frame of a file without its results.
pub(super) fn outline<T: DeserializeOwned>(
    file: &mut (impl Read + Seek),
    expected: &'static str,
) -> Result<T, ImportError> {
    let mut parser = parser(file)?;
    let outline = T::deserialize(&mut parser).and_then(|outline| parser.end().map(|()| outline));
    outline.map_err(|error| ImportError::from_json(error, expected))
}

/// A visitor of the results of a file.
pub(super) trait Results {
    /// The format, for messages.
    const EXPECTED: &'static str;
    /// The key of the array of groups.
    const GROUPS: &'static str;
    /// The keys of the arrays of results in a group.
    const LEAVES: &'static [&'static str];

    /// One result of the group with this index. `Ok(false)` stops.
    fn result<'de, D: Deserializer<'de>>(
        &mut self,
        group: usize,
        leaf: &'static str,
        result: D,
    ) -> Result<bool, D::Error>;
}

/// Visits every result of a file.
pub(super) fn visit_results<V: Results>(
    file: &mut (impl Read + Seek),
    results: &mut V,
) -> Result<(), ImportError> {
    let mut parser = parser(file)?;
    let mut visit_results = ResultVisitor { results, count: 0, halted: false };
    let outcome = Document(&mut visit_results).deserialize(&mut parser).and_then(|()| parser.end());
    match outcome {
        Err(_) if visit_results.halted => Ok(()),
        Err(_) if visit_results.count > MAX_RESULTS => Err(ImportError::TooMany(MAX_RESULTS)),
        outcome => outcome.map_err(|error| ImportError::from_json(error, V::EXPECTED)),
    }
}

struct ResultVisitor<'a, V> {
    results: &'a mut V,
    count: u64,
    halted: bool,
}

impl<V: Results> ResultVisitor<'_, V> {
    fn take<'de, D: Deserializer<'de>>(
        &mut self,
        group: usize,
        leaf: &'static str,
        result: D,
    ) -> Result<(), D::Error> {
        self.count += 1;
        if self.count > MAX_RESULTS {
            return Err(D::Error::custom("too many results"));
        }
        if !self.results.result(group, leaf, result)? {
            self.halted = true;
            // The only way to stop the parser from inside.
            return Err(D::Error::custom("halted"));
        }
        Ok(())
    }
}

/// The outermost object.
struct Document<'w, 'a, V>(&'w mut ResultVisitor<'a, V>);
/// The array of groups.
struct Groups<'w, 'a, V>(&'w mut ResultVisitor<'a, V>);
/// One group.
struct Group<'w, 'a, V>(&'w mut ResultVisitor<'a, V>, usize);
/// An array of results.
struct Leaf<'w, 'a, V>(&'w mut ResultVisitor<'a, V>, usize, &'static str);
/// One result.
struct Element<'w, 'a, V>(&'w mut ResultVisitor<'a, V>, usize, &'static str);

impl<'de, V: Results> DeserializeSeed<'de> for Document<'_, '_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, V: Results> Visitor<'de> for Document<'_, '_, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with {}", V::GROUPS)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == V::GROUPS {
                map.next_value_seed(Groups(&mut *self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de, V: Results> DeserializeSeed<'de> for Groups<'_, '_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, V: Results> Visitor<'de> for Groups<'_, '_, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {}", V::GROUPS)
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut index = 0;
        while seq.next_element_seed(Group(&mut *self.0, index))?.is_some() {
            index += 1;
        }
        Ok(())
    }
}

impl<'de, V: Results> DeserializeSeed<'de> for Group<'_, '_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, V: Results> Visitor<'de> for Group<'_, '_, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with {}", V::LEAVES.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match V::LEAVES.iter().find(|leaf| **leaf == key) {
                Some(leaf) => map.next_value_seed(Leaf(&mut *self.0, self.1, leaf))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

impl<'de, V: Results> DeserializeSeed<'de> for Leaf<'_, '_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, V: Results> Visitor<'de> for Leaf<'_, '_, V> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {}", self.2)
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Element(&mut *self.0, self.1, self.2))?.is_some() {}
        Ok(())
    }
}

impl<'de, V: Results> DeserializeSeed<'de> for Element<'_, '_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.take(self.1, self.2, deserializer)
    }
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
