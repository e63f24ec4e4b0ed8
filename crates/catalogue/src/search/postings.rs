//! The documents that contain each term of one field, scored by BM25: a rare term counts more than a common one, a
//! repeated one counts less each time, and a match in a short text more than one in a long text.

/// How soon further occurrences of a term stop adding to the score, and how much a long text lowers it: the values that
/// are in common use.
const SATURATION: f32 = 1.2;
const LENGTH: f32 = 0.75;

/// A term, as a number.
pub(super) type Term = u32;

#[derive(Debug, Default)]
pub(super) struct Postings {
    /// By term.
    lists: Vec<Vec<Posting>>,
    /// The number of terms of each document.
    lengths: Vec<f32>,
    /// How many documents have terms at all, and how many terms they have.
    documents: usize,
    length_of_all: f32,
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    document: u32,
    count: f32,
}

impl Postings {
    /// Adds the next document, which consists of these terms.
    #[expect(
        clippy::cast_precision_loss,
        reason = "texts have a few thousand words, which are exact in 32 bits"
    )]
    pub(super) fn add(&mut self, mut terms: Vec<Term>) {
        let (document, length) = (self.lengths.len(), terms.len() as f32);
        // The catalogue has a few thousand records; a posting of half the size is half of the index.
        let document = u32::try_from(document).unwrap_or(u32::MAX);
        self.lengths.push(length);
        self.length_of_all += length;
        self.documents += usize::from(!terms.is_empty());
        terms.sort_unstable();
        for same in terms.chunk_by(Term::eq) {
            let term = same[0] as usize;
            if self.lists.len() <= term {
                self.lists.resize_with(term + 1, Vec::new);
            }
            self.lists[term].push(Posting { document, count: same.len() as f32 });
        }
    }

    /// How many documents have terms at all.
    pub(super) fn documents(&self) -> usize {
        self.documents
    }

    /// Calls `add` with each document that contains one of the terms, and its score for all of them together.
    #[expect(clippy::cast_precision_loss, reason = "a few thousand documents are exact in 32 bits")]
    pub(super) fn score(&self, terms: &[Term], mut add: impl FnMut(usize, f32)) {
        if self.documents == 0 {
            return;
        }
        let average = self.length_of_all / self.documents as f32;
        let mut scores = vec![0.0_f32; self.lengths.len()];
        for list in terms.iter().filter_map(|term| self.lists.get(*term as usize)) {
            let weight = super::frequency_weight(self.documents, list.len()) * (SATURATION + 1.0);
            for Posting { document, count } in list {
                let document = *document as usize;
                let length = 1.0 - LENGTH + LENGTH * self.lengths[document] / average;
                scores[document] += count * weight / (count + SATURATION * length);
            }
        }
        for (document, score) in scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0) {
            add(document, score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(postings: &Postings, terms: &[Term]) -> Vec<(usize, f32)> {
        let mut found = Vec::new();
        postings.score(terms, |document, score| found.push((document, score)));
        found
    }

    fn postings(documents: &[&[Term]]) -> Postings {
        let mut postings = Postings::default();
        for terms in documents {
            postings.add(terms.to_vec());
        }
        postings
    }

    #[test]
    fn the_score_follows_the_formula() {
        let postings = postings(&[&[1, 2, 2, 3], &[2, 4], &[5, 6]]);
        // Two of three documents have term 2; the texts have 8/3 terms on average.
        let rarity = ((3.0_f32 - 2.0 + 0.5) / (2.0 + 0.5)).ln_1p();
        let first = rarity * 2.0 * 2.2 / (2.0 + 1.2 * (0.25 + 0.75 * 4.0 / (8.0 / 3.0)));
        let second = rarity * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 2.0 / (8.0 / 3.0)));
        let found = scores(&postings, &[2]);
        assert_eq!(found.iter().map(|(document, _)| *document).collect::<Vec<_>>(), [0, 1]);
        assert!((found[0].1 - first).abs() < 1e-6 && (found[1].1 - second).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn a_rare_term_a_short_text_and_several_terms_count_more() {
        let postings = postings(&[&[1, 2], &[1, 3], &[1, 3, 4, 4, 5, 6], &[]]);
        assert_eq!(postings.documents(), 3, "a document without a text is none");
        let of = |terms: &[Term], document| {
            scores(&postings, terms).iter().find(|(found, _)| *found == document).map(|(_, score)| *score)
        };
        assert!(of(&[2], 0) > of(&[1], 0), "rare");
        assert!(of(&[3], 1) > of(&[3], 2), "short");
        assert_eq!(of(&[1, 2], 0), of(&[1], 0).zip(of(&[2], 0)).map(|(one, other)| one + other));
        assert_eq!(of(&[7], 0), None);
        assert_eq!(of(&[2], 3), None);
    }
}
