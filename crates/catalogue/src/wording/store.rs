//! Reads passages out of the packed file. The index is unpacked with the first passage; a block, each time.

use std::{borrow::Cow, collections::HashMap, fs, io::Read as _, path::Path, sync::OnceLock};

use domain::wording::Language;
use flate2::read::ZlibDecoder;

use super::pack::{self, FIELD, WordingFile};
use crate::fault::Faults;

const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/wording.bin"));

/// The wording of all acts.
#[derive(Debug)]
pub(crate) struct Wordings {
    packed: Cow<'static, [u8]>,
    index: OnceLock<Index>,
}

/// A passage with the version of its act.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) text: String,
    pub(crate) version: String,
    pub(crate) sha256: String,
    pub(crate) notes: [String; 2],
}

#[derive(Debug, Default)]
struct Index {
    acts: Vec<IndexedAct>,
}

#[derive(Debug)]
struct IndexedAct {
    act: Box<str>,
    language: Box<str>,
    version: Box<str>,
    passages: HashMap<Box<str>, Entry>,
}

#[derive(Debug)]
struct Entry {
    sha256: Box<str>,
    notes: [Box<str>; 2],
    /// Start and length of the block, start and length of the text in it.
    place: [usize; 4],
}

impl Wordings {
    /// The files in `catalogue/wording` when the library was built.
    pub(crate) fn embedded() -> Self {
        Self { packed: Cow::Borrowed(EMBEDDED), index: OnceLock::new() }
    }

    /// The files in the folder `wording` of an edited copy; a copy without that folder has the embedded ones, because
    /// a passage belongs to its act and not to the records that cite it.
    pub(crate) fn from_dir(root: &Path) -> Result<Self, Faults> {
        let folder = root.join("wording");
        if !folder.is_dir() {
            return Ok(Self::embedded());
        }
        let refuse = |error: std::io::Error| Faults::one("wording", 1, format!("cannot be read: {error}"));
        let mut files = Vec::new();
        for entry in fs::read_dir(&folder).map_err(refuse)? {
            let path = entry.map_err(refuse)?.path();
            if path.extension().is_some_and(|extension| extension == "txt") {
                files.push(WordingFile::parse(&fs::read_to_string(&path).map_err(refuse)?));
            }
        }
        files.sort_by(|a, b| (&a.act, &a.language).cmp(&(&b.act, &b.language)));
        let packed = pack::pack(&files).map_err(refuse)?;
        Ok(Self { packed: Cow::Owned(packed), index: OnceLock::new() })
    }

    /// The passage of an act in a language.
    pub(crate) fn passage(&self, act: &str, language: Language, at: &str) -> Option<Found> {
        let of_act = self.of_act(act, language)?;
        let entry = of_act.passages.get(at)?;
        let [start, length, from, size] = entry.place;
        let block = inflated(self.blocks().get(start..start + length)?)?;
        Some(Found {
            text: block.get(from..from + size)?.to_owned(),
            version: of_act.version.to_string(),
            sha256: entry.sha256.to_string(),
            notes: entry.notes.clone().map(Into::into),
        })
    }

    /// Every passage of an act, its block unpacked once; for the index of the search.
    pub(crate) fn each(&self, act: &str, language: Language, mut visit: impl FnMut(&str, &str)) {
        let Some(of_act) = self.of_act(act, language) else { return };
        let mut entries: Vec<_> = of_act.passages.iter().collect();
        entries.sort_unstable_by_key(|(_, entry)| entry.place);
        let mut open: Option<(usize, String)> = None;
        for (at, entry) in entries {
            let [start, length, from, size] = entry.place;
            if open.as_ref().is_none_or(|(known, _)| *known != start) {
                open = self.blocks().get(start..start + length).and_then(inflated).map(|raw| (start, raw));
            }
            if let Some(text) = open.as_ref().and_then(|(_, raw)| raw.get(from..from + size)) {
                visit(at, text);
            }
        }
    }

    fn of_act(&self, act: &str, language: Language) -> Option<&IndexedAct> {
        let acts = &self.index().acts;
        acts.iter().find(|known| *known.act == *act && *known.language == *language.as_str())
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let index = self.packed.get(4..4 + self.index_length()).and_then(inflated);
            index.map(|text| Index::parse(&text)).unwrap_or_default()
        })
    }

    fn index_length(&self) -> usize {
        let length = self.packed.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        usize::try_from(length).unwrap_or_default()
    }

    fn blocks(&self) -> &[u8] {
        self.packed.get(4 + self.index_length()..).unwrap_or_default()
    }
}

impl Index {
    fn parse(text: &str) -> Self {
        let mut acts: Vec<IndexedAct> = Vec::new();
        for line in text.lines() {
            let fields: Vec<&str> = line.split(FIELD).collect();
            match fields[..] {
                ["act", act, language, version] => acts.push(IndexedAct {
                    act: act.into(),
                    language: language.into(),
                    version: version.into(),
                    passages: HashMap::new(),
                }),
                [at, sha256, en, de, ref numbers @ ..] => {
                    let numbers: Vec<usize> = numbers.iter().filter_map(|n| n.parse().ok()).collect();
                    if let (Some(act), Ok(place)) = (acts.last_mut(), numbers.try_into()) {
                        let notes = [en.into(), de.into()];
                        act.passages.insert(at.into(), Entry { sha256: sha256.into(), notes, place });
                    }
                }
                _ => {}
            }
        }
        Self { acts }
    }
}

fn inflated(packed: &[u8]) -> Option<String> {
    let mut raw = String::new();
    ZlibDecoder::new(packed).read_to_string(&mut raw).ok()?;
    Some(raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::pack::Passage;

    #[test]
    fn a_passage_comes_out_as_it_went_in() {
        let passage = |at: &str, text: String| Passage {
            at: at.to_owned(),
            sha256: "00".to_owned(),
            notes: ["corrected".to_owned(), "berichtigt".to_owned()],
            text,
        };
        let long = "word ".repeat(4000);
        let passages = vec![passage("Art. 1", "One\nline".to_owned()), passage("Art. 2", long.clone())];
        let (act, language, version) = ("act".to_owned(), "en".to_owned(), "OJ".to_owned());
        let packed = pack::pack(&[WordingFile { act, language, version, passages }]).unwrap();
        let wordings = Wordings { packed: Cow::Owned(packed), index: OnceLock::new() };
        let text = |at| wordings.passage("act", Language::English, at).map(|found| found.text);
        assert_eq!(text("Art. 1").as_deref(), Some("One\nline"));
        assert_eq!(text("Art. 2").as_deref(), Some(&*long));
        assert_eq!(text("Art. 3"), None);
        assert_eq!(wordings.passage("act", Language::German, "Art. 1"), None);
        let mut seen = Vec::new();
        wordings.each("act", Language::English, |at, text| seen.push((at.to_owned(), text.len())));
        assert_eq!(seen, [("Art. 1".to_owned(), 8), ("Art. 2".to_owned(), long.len())]);
    }
}
