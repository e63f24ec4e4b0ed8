//! Renders documents and reads them back with other software than wrote them.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

mod pages;
mod reader;
mod samples;
mod structure;
mod text;

use tidewall_reports::document::Document;
use tidewall_reports::pdf::render;

use self::reader::{Reader, Tag};

fn read(document: &Document) -> Reader {
    Reader::open(&render(document).expect("the document can be rendered"))
}

fn tags_of<'t>(tags: &'t [Tag], role: &str) -> Vec<&'t Tag> {
    tags.iter().filter(|tag| tag.role == role).collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}
