//! Reads a PDF back the way other software does: pages of text, bookmarks, links, and the tags with their text.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Encoding, Object, ObjectId};

/// A tag of the structure tree and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) depth: usize,
    pub(crate) role: String,
    pub(crate) alt: Option<String>,
    /// The text of its own content, pieces joined.
    pub(crate) text: String,
    /// The pages its own content stands on, from 1.
    pub(crate) pages: Vec<usize>,
}

pub(crate) struct Reader {
    file: Document,
    pages: Vec<ObjectId>,
}

impl Reader {
    pub(crate) fn open(bytes: &[u8]) -> Self {
        let file = Document::load_mem(bytes).expect("the file is a PDF");
        let pages = file.page_iter().collect();
        Self { file, pages }
    }

    pub(crate) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// The lines of a page, from 1, in the order they are drawn.
    pub(crate) fn lines(&self, page: usize) -> Vec<String> {
        let number = u32::try_from(page).unwrap();
        let text = self.file.extract_text(&[number]).expect("the page has readable text");
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    pub(crate) fn catalog(&self) -> &Dictionary {
        self.file.catalog().unwrap()
    }

    pub(crate) fn info(&self, key: &str) -> String {
        let info = self.dictionary(self.file.trailer.get(b"Info").unwrap());
        text_string(info.get(key.as_bytes()).unwrap())
    }

    /// Bookmarks as depth, title and page.
    pub(crate) fn bookmarks(&self) -> Vec<(usize, String, usize)> {
        let mut found = Vec::new();
        self.walk_bookmarks(self.dictionary(self.catalog().get(b"Outlines").unwrap()), 0, &mut found);
        found
    }

    fn walk_bookmarks(&self, parent: &Dictionary, depth: usize, found: &mut Vec<(usize, String, usize)>) {
        let mut next = parent.get(b"First").ok();
        while let Some(object) = next {
            let node = self.dictionary(object);
            found.push((depth, text_string(node.get(b"Title").unwrap()), self.target_page(node)));
            self.walk_bookmarks(node, depth + 1, found);
            next = node.get(b"Next").ok();
        }
    }

    /// The links of a page as description and target page.
    pub(crate) fn links(&self, page: usize) -> Vec<(String, usize)> {
        let annotations = self.file.get_page_annotations(self.pages[page - 1]).unwrap();
        let link = |dictionary: &&Dictionary| {
            (text_string(dictionary.get(b"Contents").unwrap()), self.target_page(dictionary))
        };
        annotations.iter().map(link).collect()
    }

    fn target_page(&self, node: &Dictionary) -> usize {
        let (_, target) = self.file.dereference(node.get(b"Dest").unwrap()).unwrap();
        self.page_number(target.as_array().unwrap()[0].as_reference().unwrap())
    }

    fn page_number(&self, id: ObjectId) -> usize {
        self.pages.iter().position(|page| *page == id).expect("the target is a page") + 1
    }

    /// How many tags of a role the file has, without reading any text.
    pub(crate) fn count_tags(&self, role: &str) -> usize {
        let has_role = |object: &&Object| {
            let name = object.as_dict().and_then(|node| node.get(b"S")).and_then(Object::as_name);
            name.is_ok_and(|name| name == role.as_bytes())
        };
        self.file.objects.values().filter(has_role).count()
    }

    /// The structure tree from top to bottom.
    pub(crate) fn tags(&self) -> Vec<Tag> {
        let content: Vec<BTreeMap<i64, String>> =
            self.pages.iter().map(|page| self.marked_text(*page)).collect();
        let root = self.dictionary(self.catalog().get(b"StructTreeRoot").unwrap());
        let mut tags = Vec::new();
        self.walk_tags(root.get(b"K").unwrap(), None, 0, &content, &mut tags);
        tags
    }

    fn walk_tags(
        &self,
        object: &Object,
        page: Option<usize>,
        depth: usize,
        content: &[BTreeMap<i64, String>],
        tags: &mut Vec<Tag>,
    ) {
        let (_, object) = self.file.dereference(object).unwrap();
        match object {
            Object::Array(children) => {
                for child in children {
                    self.walk_tags(child, page, depth, content, tags);
                }
            }
            Object::Integer(mcid) => attach(tags, depth, page.expect("content has a page"), *mcid, content),
            Object::Dictionary(node) if node.has_type(b"MCR") => {
                let page = self.page_number(node.get(b"Pg").unwrap().as_reference().unwrap());
                attach(tags, depth, page, node.get(b"MCID").unwrap().as_i64().unwrap(), content);
            }
            Object::Dictionary(node) if node.has_type(b"OBJR") => {}
            Object::Dictionary(node) => {
                let role = String::from_utf8_lossy(node.get(b"S").unwrap().as_name().unwrap()).into_owned();
                let alt = node.get(b"Alt").ok().map(text_string);
                tags.push(Tag { depth, role, alt, text: String::new(), pages: Vec::new() });
                let page = node.get(b"Pg").ok().map(|page| self.page_number(page.as_reference().unwrap()));
                if let Ok(children) = node.get(b"K") {
                    self.walk_tags(children, page, depth + 1, content, tags);
                }
            }
            other => panic!("a structure element is {other:?}"),
        }
    }

    /// The text of a page by marked content, as screen readers announce it: replacement text takes precedence.
    fn marked_text(&self, page: ObjectId) -> BTreeMap<i64, String> {
        let fonts = self.file.get_page_fonts(page).unwrap();
        let encodings: BTreeMap<&[u8], Encoding<'_>> = fonts
            .iter()
            .map(|(name, font)| (name.as_slice(), font.get_font_encoding(&self.file).unwrap()))
            .collect();
        let mut texts = BTreeMap::new();
        let mut open: Vec<(Option<i64>, bool)> = Vec::new();
        let mut encoding = None;
        for operation in self.file.get_and_decode_page_content(page).unwrap().operations {
            match operation.operator.as_str() {
                "BMC" => open.push((None, false)),
                "BDC" => {
                    let properties = operation.operands[1].as_dict().unwrap();
                    let mcid = properties.get(b"MCID").ok().and_then(|mcid| mcid.as_i64().ok());
                    let actual = properties.get(b"ActualText").ok().map(text_string);
                    let owner = mcid.or_else(|| open.iter().rev().find_map(|(owner, _)| *owner));
                    let hidden = open.iter().any(|(_, replaced)| *replaced);
                    if let (Some(owner), Some(actual), false) = (owner, &actual, hidden) {
                        texts.entry(owner).or_insert_with(String::new).push_str(actual);
                    }
                    open.push((mcid, actual.is_some()));
                }
                "EMC" => {
                    open.pop();
                }
                "Tf" => {
                    encoding = encodings.get(operation.operands[0].as_name().unwrap());
                }
                "Tj" | "TJ" => {
                    let owner = open.iter().rev().find_map(|(owner, _)| *owner);
                    let replaced = open.iter().any(|(_, replaced)| *replaced);
                    if let (Some(owner), Some(encoding), false) = (owner, encoding, replaced) {
                        let text: &mut String = texts.entry(owner).or_default();
                        for bytes in strings(&operation.operands) {
                            text.push_str(&Document::decode_text(encoding, bytes).unwrap());
                        }
                    }
                }
                _ => {}
            }
        }
        texts
    }

    /// What is drawn outside any mark: nothing may be.
    pub(crate) fn unmarked_drawing(&self, page: usize) -> usize {
        let mut open = 0;
        let mut unmarked = 0;
        for operation in self.file.get_and_decode_page_content(self.pages[page - 1]).unwrap().operations {
            match operation.operator.as_str() {
                "BMC" | "BDC" => open += 1,
                "EMC" => open -= 1,
                "Tj" | "TJ" | "f" | "f*" | "S" | "B" if open == 0 => unmarked += 1,
                _ => {}
            }
        }
        unmarked
    }

    fn dictionary<'a>(&'a self, object: &'a Object) -> &'a Dictionary {
        self.file.dereference(object).unwrap().1.as_dict().unwrap()
    }
}

fn attach(tags: &mut [Tag], depth: usize, page: usize, mcid: i64, content: &[BTreeMap<i64, String>]) {
    let tag = tags.iter_mut().rev().find(|tag| tag.depth + 1 == depth).expect("content has an owner");
    if let Some(text) = content[page - 1].get(&mcid) {
        tag.text.push_str(text);
    }
    if tag.pages.last() != Some(&page) {
        tag.pages.push(page);
    }
}

fn strings(operands: &[Object]) -> Vec<&[u8]> {
    operands
        .iter()
        .flat_map(|operand| match operand {
            Object::Array(parts) => strings(parts),
            Object::String(bytes, _) => vec![bytes.as_slice()],
            _ => Vec::new(),
        })
        .collect()
}

fn text_string(object: &Object) -> String {
    lopdf::decode_text_string(object).expect("a text string")
}
