//! The logical structure beside the pages, for screen readers.
//!
//! Layout adds a node for every heading, paragraph, cell and figure in reading order; painting attaches the marked
//! content to it. Content that continues on another page stays one node. Content that repeats on every page has no
//! node.

use std::num::{NonZeroU16, NonZeroU32};

use krilla::geom::Rect;
use krilla::tagging::{
    BBox, Identifier, ListNumbering, Node as TagNode, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(usize);

#[derive(Debug)]
pub(super) enum Role {
    Root,
    Section,
    Title,
    Heading { level: u16, title: String },
    Paragraph,
    List,
    ListItem,
    Label,
    ListBody,
    Contents,
    ContentsItem,
    Reference,
    Link,
    Table,
    Caption,
    TableHead,
    TableBody,
    Row,
    ColumnHeader,
    RowHeader,
    Cell { span: u32 },
    Figure { alt: String, page: usize, area: Option<Rect> },
}

#[derive(Debug)]
struct Node {
    role: Role,
    children: Vec<NodeId>,
    content: Vec<Identifier>,
}

#[derive(Debug)]
pub(super) struct Structure(Vec<Node>);

impl Structure {
    pub(super) const ROOT: NodeId = NodeId(0);

    pub(super) fn new() -> Self {
        Self(vec![Node { role: Role::Root, children: Vec::new(), content: Vec::new() }])
    }

    pub(super) fn add(&mut self, parent: NodeId, role: Role) -> NodeId {
        let id = NodeId(self.0.len());
        self.0.push(Node { role, children: Vec::new(), content: Vec::new() });
        self.0[parent.0].children.push(id);
        id
    }

    /// Attaches content of a page to the node it belongs to.
    pub(super) fn attach(&mut self, node: NodeId, content: Identifier) {
        self.0[node.0].content.push(content);
    }

    /// The tree for the PDF writer. Layout counts the pages of figures from the first page of the body, which is page
    /// `body_start` of the file.
    pub(super) fn into_tree(mut self, language: &str, body_start: usize) -> TagTree {
        let mut tree = TagTree::new().with_lang(Some(language.to_owned()));
        for child in std::mem::take(&mut self.0[Self::ROOT.0].children) {
            if let Some(group) = self.group(child, body_start) {
                tree.push(group);
            }
        }
        tree
    }

    fn group(&mut self, id: NodeId, body_start: usize) -> Option<TagGroup> {
        let content = std::mem::take(&mut self.0[id.0].content);
        let below = std::mem::take(&mut self.0[id.0].children);
        let mut children = Vec::with_capacity(content.len() + below.len());
        children.extend(content.into_iter().map(TagNode::from));
        for child in below {
            children.extend(self.group(child, body_start).map(TagNode::from));
        }
        let role = std::mem::replace(&mut self.0[id.0].role, Role::Root);
        // An empty cell still counts for its column; other empty nodes are dropped.
        if children.is_empty() && !matches!(role, Role::Cell { .. } | Role::ColumnHeader | Role::RowHeader) {
            return None;
        }
        Some(TagGroup::with_children(role.tag(body_start), children))
    }
}

impl Role {
    fn tag(self, body_start: usize) -> TagKind {
        match self {
            Self::Root | Self::Section => Tag::Section.into(),
            Self::Title => Tag::Title.into(),
            Self::Heading { level, title } => {
                Tag::Hn(NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN), Some(title)).into()
            }
            Self::Paragraph => Tag::P.into(),
            Self::List => Tag::L(ListNumbering::None).into(),
            Self::ListItem => Tag::LI.into(),
            Self::Label => Tag::Lbl.into(),
            Self::ListBody => Tag::LBody.into(),
            Self::Contents => Tag::TOC.into(),
            Self::ContentsItem => Tag::TOCI.into(),
            Self::Reference => Tag::Reference.into(),
            Self::Link => Tag::Link.into(),
            Self::Table => Tag::Table.into(),
            Self::Caption => Tag::Caption.into(),
            Self::TableHead => Tag::THead.into(),
            Self::TableBody => Tag::TBody.into(),
            Self::Row => Tag::TR.into(),
            Self::ColumnHeader => Tag::TH(TableHeaderScope::Column).into(),
            Self::RowHeader => Tag::TH(TableHeaderScope::Row).into(),
            Self::Cell { span } => {
                let span = NonZeroU32::new(span).filter(|span| span.get() > 1);
                Tag::TD.with_col_span(span).into()
            }
            Self::Figure { alt, page, area } => {
                let area = area.map(|area| BBox::new(body_start + page, area));
                Tag::Figure(Some(alt)).with_bbox(area).into()
            }
        }
    }
}
