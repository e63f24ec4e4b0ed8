//! How long a document is, and how it is kept from being longer than can be typeset.

use super::{Block, Document};

/// What each text costs besides its bytes: its place on the page and in the structure.
const EACH: usize = 64;

impl Document {
    /// Drops what lies beyond this extent, in bytes of text, and says whether anything was dropped.
    pub fn cut_to(&mut self, most: usize) -> bool {
        let mut left = most;
        for (number, section) in self.sections.iter_mut().enumerate() {
            for (place, block) in section.blocks.iter_mut().enumerate() {
                if let Some(rest) = left.checked_sub(extent(block)) {
                    left = rest;
                    continue;
                }
                let kept = cut_table(block, left);
                section.blocks.truncate(place + usize::from(kept));
                self.sections.truncate(number + 1);
                return true;
            }
        }
        false
    }
}

fn extent(block: &Block) -> usize {
    match block {
        Block::Heading { text, .. } | Block::Paragraph { text, .. } => EACH + text.len(),
        Block::KeyValues(pairs) => {
            pairs.iter().map(|pair| 2 * EACH + pair.key.len() + pair.value.len()).sum()
        }
        Block::Badges(badges) => badges.iter().map(|badge| EACH + badge.text.len()).sum(),
        Block::Table(table) => table.rows.iter().map(|row| row_extent(row)).sum(),
        Block::Chart(chart) => {
            chart.bars.iter().map(|bar| 2 * EACH + bar.label.len() + bar.display.len()).sum()
        }
        Block::PageBreak => EACH,
    }
}

fn row_extent(row: &[super::Cell]) -> usize {
    row.iter().map(|cell| EACH + cell.text().len()).sum()
}

/// Keeps the first rows of a table; of another block nothing is kept.
fn cut_table(block: &mut Block, mut left: usize) -> bool {
    let Block::Table(table) = block else { return false };
    let fits = |row: &&Vec<super::Cell>| {
        let rest = left.checked_sub(row_extent(row));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    let kept = table.rows.iter().take_while(fits).count();
    table.rows.truncate(kept);
    kept > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Column, Language, Section, Table};

    fn document() -> Document {
        let rows = (0..10).fold(Table::new([Column::share("a", 1)]), |table, _| table.row(["x".repeat(100)]));
        Document::new(Language::English, "A")
            .section(Section::new("One").paragraph("y".repeat(100)).table(rows))
            .section(Section::new("Two").paragraph("z"))
    }

    #[test]
    fn a_document_within_its_extent_stays_as_it_is() {
        let mut whole = document();
        assert!(!whole.cut_to(10_000));
        assert_eq!(whole, document());
    }

    #[test]
    fn a_longer_one_keeps_what_comes_first() {
        let mut cut = document();
        assert!(cut.cut_to(164 * 4));
        assert_eq!(cut.sections.len(), 1);
        let Block::Table(table) = &cut.sections[0].blocks[1] else { panic!("{cut:?}") };
        assert_eq!(table.rows.len(), 3);
        let mut none = document();
        assert!(none.cut_to(10));
        assert!(none.sections[0].blocks.is_empty());
    }
}
