//! Cuts the wording of every requirement out of the texts of the acts: what `tidewall catalogue wording` writes.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use sha2::{Digest as _, Sha256};

use super::{cut::ActText, law::LawText, place::Place, place_in};
use crate::{Catalogue, citation, fault::Faults, framework::Requirement, language::Language};

/// The result for a whole catalogue.
#[derive(Debug, Default)]
pub struct Cutting {
    /// Name and text of each file of the folder `wording`.
    pub files: Vec<(String, String)>,
    pub passages: usize,
    /// The requirements whose provision was not found and is not excepted, one line each.
    pub missing: Vec<String>,
}

const HEAD: &str =
    "# Official wording, cut by `tidewall catalogue wording`. Do not edit: change law/ and run it again.";

/// Cuts the wording of a catalogue in a folder, with the acts in its folder `law`.
pub fn cut_all(root: &Path) -> Result<Cutting, Faults> {
    let catalogue = Catalogue::from_dir(root)?;
    let mut cutting = Cutting::default();
    for text in &catalogue.law.texts {
        let path = root.join("law").join(&*text.file);
        let refuse = |error: std::io::Error| {
            Faults::one(format!("law/{}", text.file), 1, format!("cannot be read: {error}"))
        };
        let raw = fs::read_to_string(&path).map_err(refuse)?;
        cutting.add(&catalogue, text, &raw);
    }
    cutting.list_uncovered(&catalogue);
    Ok(cutting)
}

impl Cutting {
    fn add(&mut self, catalogue: &Catalogue, text: &LawText, raw: &str) {
        let raw = text.leave_out.iter().fold(raw.to_owned(), |raw, remark| raw.replace(&**remark, ""));
        let act_text = ActText::new(&raw, text.language == Language::German);
        let mut file = format!(
            "{HEAD}\nact: {}\nlanguage: {}\nversion: {}\nfile: law/{}\n",
            text.act, text.language, text.version, text.file
        );
        let mut done = BTreeSet::new();
        for requirement in citing(catalogue, &text.act) {
            let Some(at) = place_in(&requirement.cite).filter(|at| done.insert(*at)) else { continue };
            // A text can have a passage at this place that is another one, such as a column that was renumbered.
            if catalogue.why_no_wording(requirement).is_some() {
                continue;
            }
            if let Some(passage) = Place::parse_all(at).and_then(|places| act_text.cut_all(&places)) {
                file.push_str(&written(catalogue, text, at, &passage));
                self.passages += 1;
            } else {
                let (id, file) = (&requirement.id, &text.file);
                self.missing.push(format!("{id}: law/{file} has no passage for {at}"));
            }
        }
        self.files.push((text.target(), file));
    }

    /// Requirements whose act is listed neither with a text nor as one without.
    fn list_uncovered(&mut self, catalogue: &Catalogue) {
        for requirement in catalogue.requirements.as_slice() {
            let act = citation::act_of(&requirement.cite, catalogue.acts.as_slice());
            let has_text = act.is_some_and(|act| catalogue.law.texts.iter().any(|text| text.act == act.id));
            let placed = place_in(&requirement.cite).is_some();
            if !(has_text && placed) && catalogue.why_no_wording(requirement).is_none() {
                let (id, cite) = (&requirement.id, &requirement.cite);
                self.missing.push(format!("{id}: no text in law/ and no reason in it for {cite}"));
            }
        }
    }
}

fn citing<'c>(catalogue: &'c Catalogue, act: &'c str) -> impl Iterator<Item = &'c Requirement> {
    catalogue.requirements.as_slice().iter().filter(move |requirement| {
        citation::act_of(&requirement.cite, catalogue.acts.as_slice()).is_some_and(|known| *known.id == *act)
    })
}

/// A passage as the file has it.
fn written(catalogue: &Catalogue, text: &LawText, at: &str, passage: &str) -> String {
    let mut block = format!("\n@ {at}\nsha256: {}\n", hash(passage));
    let corrigenda = catalogue.law.corrigenda.iter();
    let touching = corrigenda.filter(|one| one.act == text.act && one.touches(at)).map(|one| &one.note);
    let notes: Vec<_> = touching.chain(&text.notes).collect();
    for language in Language::ALL.into_iter().filter(|_| !notes.is_empty()) {
        let said: Vec<&str> = notes.iter().map(|note| note.get(language)).collect();
        let _ = writeln!(block, "note ({language}): {}", said.join(" "));
    }
    block.push_str(passage);
    block.push('\n');
    block
}

/// The SHA-256 of a text, in hexadecimal digits.
pub fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
