//! The official wording as one compressed file: small blocks of passages and an index of them, so that one passage is
//! read without unpacking the others. The build script packs the files of `catalogue/wording` with this module too.

use std::io::{self, Write as _};

use flate2::{Compression, write::ZlibEncoder};

/// The wording of one act in one language, as its file has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WordingFile {
    pub(crate) act: String,
    pub(crate) language: String,
    pub(crate) version: String,
    pub(crate) passages: Vec<Passage>,
}

/// One provision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) at: String,
    /// Of the text, in hexadecimal digits.
    pub(crate) sha256: String,
    /// What is to be known about the text, such as a corrigendum, in English and German; both empty or neither.
    pub(crate) notes: [String; 2],
    pub(crate) text: String,
}

/// The first line of every passage.
const BEGIN: &str = "@ ";
const HASH: &str = "sha256: ";
const NOTES: [&str; 2] = ["note (en): ", "note (de): "];

impl WordingFile {
    /// Reads a file that `tidewall catalogue wording` wrote; what it does not know is skipped.
    pub(crate) fn parse(text: &str) -> Self {
        let mut file = Self::default();
        for line in text.lines() {
            if let Some(at) = line.strip_prefix(BEGIN) {
                file.passages.push(Passage { at: at.to_owned(), ..Passage::default() });
                continue;
            }
            match file.passages.last_mut() {
                None => file.head(line),
                Some(passage) => passage.take(line),
            }
        }
        file
    }

    fn head(&mut self, line: &str) {
        let Some((name, value)) = line.split_once(": ") else { return };
        match name {
            "act" => value.clone_into(&mut self.act),
            "language" => value.clone_into(&mut self.language),
            "version" => value.clone_into(&mut self.version),
            _ => {}
        }
    }
}

impl Passage {
    fn take(&mut self, line: &str) {
        if self.text.is_empty() {
            if let Some(hash) = line.strip_prefix(HASH) {
                hash.clone_into(&mut self.sha256);
                return;
            }
            for (note, name) in self.notes.iter_mut().zip(NOTES) {
                if let Some(said) = line.strip_prefix(name) {
                    said.clone_into(note);
                    return;
                }
            }
        }
        // An empty line ends a passage, and no line of a text is empty.
        if line.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }
}

/// Blocks of this size are unpacked for one passage.
const BLOCK: usize = 12 * 1024;

/// What separates the fields of the index; no text contains it.
pub(crate) const FIELD: &str = "\u{1f}";

/// The compressed file: the length of the index, the index, the blocks.
pub(crate) fn pack(files: &[WordingFile]) -> io::Result<Vec<u8>> {
    let (mut index, mut blocks) = (String::new(), Vec::new());
    for file in files {
        index.push_str(&["act", &file.act, &file.language, &file.version].join(FIELD));
        index.push('\n');
        let mut rest = &file.passages[..];
        while !rest.is_empty() {
            let (taken, after) = rest.split_at(fitting(rest));
            let (start, mut raw) = (blocks.len(), String::new());
            let mut lines = Vec::new();
            for passage in taken {
                lines.push((raw.len(), passage));
                raw.push_str(&passage.text);
            }
            blocks.extend(deflated(raw.as_bytes())?);
            for (offset, passage) in lines {
                let numbers =
                    [start, blocks.len() - start, offset, passage.text.len()].map(|n| n.to_string());
                let [en, de] = &passage.notes;
                let fields = [&passage.at, &passage.sha256, en, de].into_iter().chain(&numbers);
                let fields: Vec<&str> = fields.map(String::as_str).collect();
                index.push_str(&fields.join(FIELD));
                index.push('\n');
            }
            rest = after;
        }
    }
    let index = deflated(index.as_bytes())?;
    let mut packed = u32::try_from(index.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    packed.extend(index);
    packed.extend(blocks);
    Ok(packed)
}

/// How many of the passages fit into one block; at least one.
fn fitting(passages: &[Passage]) -> usize {
    let mut size = 0;
    let fits = |passage: &&Passage| {
        size += passage.text.len();
        size <= BLOCK
    };
    passages.iter().take_while(fits).count().max(1)
}

fn deflated(raw: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(raw)?;
    encoder.finish()
}
