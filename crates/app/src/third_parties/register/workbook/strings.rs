//! The texts that the cells of a workbook share, in one block of memory.

use std::io::Read;

use quick_xml::events::Event;

use super::parts::{XmlPart, add_reference, add_text, damaged, typed};
use crate::{Error, Result, budget::Budget};

/// What a text costs besides its letters.
const EACH: usize = 8;

/// The texts one after the other, and the end of each.
#[derive(Debug, Default)]
pub(super) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    pub(super) fn read<R: Read>(mut part: XmlPart<'_, R>, budget: &mut Budget) -> Result<Self> {
        let (mut strings, mut text) = (Self::default(), Collected::default());
        while let Some(event) = part.next()? {
            if let Event::Start(element) = &event
                && element.local_name().as_ref() == "si"
            {
                text = Collected::default();
            } else if let Event::End(element) = &event
                && element.local_name().as_ref() == "si"
            {
                budget.bytes(EACH)?;
                budget.step()?;
                strings.push(&text.take())?;
            } else {
                text.see(&event, budget)?;
            }
        }
        Ok(strings)
    }

    fn push(&mut self, text: &str) -> Result<()> {
        self.text.push_str(text);
        self.ends.push(u32::try_from(self.text.len()).map_err(Error::internal)?);
        Ok(())
    }

    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.text.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    /// The text a cell refers to.
    pub(super) fn referred(&self, index: &str) -> Result<&str> {
        let found = index.trim().parse().ok().and_then(|index| self.get(index));
        found.ok_or_else(|| damaged("a cell refers to a text that is not there"))
    }
}

/// Collects the runs of a text. Phonetic hints, which some workbooks contain, are left out.
#[derive(Debug, Default)]
pub(super) struct Collected {
    text: String,
    within: bool,
    sound: bool,
}

impl Collected {
    pub(super) fn see(&mut self, event: &Event<'_>, budget: &mut Budget) -> Result<()> {
        match event {
            Event::Start(element) => match element.local_name().as_ref() {
                "rPh" => self.sound = true,
                "t" => self.within = true,
                _ => {}
            },
            Event::End(element) => match element.local_name().as_ref() {
                "rPh" => self.sound = false,
                "t" => self.within = false,
                _ => {}
            },
            Event::Text(text) if self.within && !self.sound => {
                add_text(&mut self.text, &text.xml10_content(), budget)?;
            }
            Event::CData(text) if self.within && !self.sound => {
                add_text(&mut self.text, &text.xml10_content(), budget)?;
            }
            Event::GeneralRef(reference) if self.within && !self.sound => {
                add_reference(&mut self.text, reference)?;
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn take(&mut self) -> String {
        typed(&std::mem::take(&mut self.text))
    }
}
