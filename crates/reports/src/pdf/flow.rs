//! The sequence of pages that blocks are placed on.
//!
//! A block checks how much room is left, places what fits and starts the next page.

use super::labels::Labels;
use super::sheet::Sheet;
use super::structure::Structure;
use super::style::{BODY_BOTTOM, BODY_TOP};
use super::text::Typesetter;

/// A heading that the contents and the bookmarks point to.
#[derive(Debug, Clone)]
pub(super) struct Anchor {
    pub(super) level: u8,
    pub(super) title: String,
    /// Counted from the first page of its flow.
    pub(super) page: usize,
    pub(super) y: f32,
}

pub(super) struct Flow<'a, 't> {
    pub(super) typesetter: &'a mut Typesetter<'t>,
    pub(super) structure: &'a mut Structure,
    pub(super) labels: Labels,
    pub(super) anchors: Vec<Anchor>,
    finished: Vec<Sheet>,
    current: Sheet,
    y: f32,
}

impl<'a, 't> Flow<'a, 't> {
    pub(super) fn new(
        typesetter: &'a mut Typesetter<'t>,
        structure: &'a mut Structure,
        labels: Labels,
    ) -> Self {
        Self {
            typesetter,
            structure,
            labels,
            anchors: Vec::new(),
            finished: Vec::new(),
            current: Sheet::default(),
            y: BODY_TOP,
        }
    }

    pub(super) fn sheet(&mut self) -> &mut Sheet {
        &mut self.current
    }

    pub(super) fn page(&self) -> usize {
        self.finished.len()
    }

    pub(super) fn y(&self) -> f32 {
        self.y
    }

    pub(super) fn remaining(&self) -> f32 {
        BODY_BOTTOM - self.y
    }

    pub(super) fn at_top(&self) -> bool {
        self.y <= BODY_TOP
    }

    pub(super) fn advance(&mut self, height: f32) {
        self.y += height;
    }

    /// Space between blocks, which is left out at the start of a page.
    pub(super) fn gap(&mut self, height: f32) {
        if !self.at_top() {
            self.y += height;
        }
    }

    pub(super) fn next_page(&mut self) {
        self.finished.push(std::mem::take(&mut self.current));
        self.y = BODY_TOP;
    }

    /// Starts a new page unless this height fits on the current one, or the page is empty.
    pub(super) fn need(&mut self, height: f32) {
        if height > self.remaining() && !self.at_top() {
            self.next_page();
        }
    }

    /// All pages; a flow that ended with a page break has no empty page after it.
    pub(super) fn into_pages(mut self) -> (Vec<Sheet>, Vec<Anchor>) {
        if !self.current.items.is_empty() {
            self.finished.push(self.current);
        }
        (self.finished, self.anchors)
    }
}

/// How many lines of this height fit into a room.
pub(super) fn lines_that_fit(room: f32, leading: f32) -> usize {
    let mut count = 0;
    let mut used = leading;
    // Far below a point, but above the rounding error of a page.
    while used <= room + 0.01 {
        count += 1;
        used += leading;
    }
    count
}

/// The height of a number of lines.
pub(super) fn lines_height(lines: usize, leading: f32) -> f32 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a text has far fewer lines than a float has exact integers"
    )]
    let lines = lines as f32;
    lines * leading
}
