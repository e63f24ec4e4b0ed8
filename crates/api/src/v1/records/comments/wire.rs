//! The wire types of comments.

use app::{
    audit::Who,
    comment::{Comment as View, CommentAuthor as Author},
};
use domain::{
    comment::CommentInput,
    id::{CommentId, UserId},
    moment::Moment,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{schema::body, v1::wire::words};

words! {
    CommentState = domain::comment::CommentState, "What has become of a comment.";
}

/// The author of a comment.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommentAuthor {
    /// The id of the person; of a key that stands for no person, that of the key.
    #[schema(example = "usr_01k9x14js0e00000000000000a")]
    id: String,
    /// The name of the person or of the key.
    #[schema(example = "Anna Weber")]
    name: String,
    /// The id of the key it was written with; null for what was written in the workspace.
    key: Option<String>,
}

impl CommentAuthor {
    fn new(author: &Author, written_with: Option<&String>) -> Self {
        let (name, is_key) = match &author.who {
            Who::Person { name, .. } | Who::Unknown(name) => (name.clone(), false),
            Who::Key { name, .. } => (name.clone(), true),
            Who::Operator | Who::System => (author.id.clone(), false),
        };
        let key = written_with.cloned().or_else(|| is_key.then(|| author.id.clone()));
        Self { id: author.id.clone(), name, key }
    }
}

/// A comment on a record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Comment {
    #[schema(value_type = String, example = "cmt_01k9x14js0e00000000000000a")]
    id: CommentId,
    /// The id of the record.
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    subject: String,
    /// The kind of the record.
    #[schema(example = "finding")]
    kind: &'static str,
    /// Null if it was withdrawn, for keys without the permission `manage_keys`.
    #[schema(example = "The vendor has confirmed the date.")]
    text: Option<String>,
    /// The ids of the people it mentions.
    #[schema(value_type = Vec<String>)]
    mentions: Vec<UserId>,
    author: CommentAuthor,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime)]
    edited_at: Option<Moment>,
    state: CommentState,
    /// The id of the person or the key that marked it as resolved.
    resolved_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    resolved_at: Option<Moment>,
}

impl From<&View> for Comment {
    fn from(view: &View) -> Self {
        let row = &view.row;
        Self {
            id: row.id,
            subject: row.subject.clone(),
            kind: view.noun,
            text: view.text.as_ref().map(ToString::to_string),
            mentions: row.comment.mentions.clone(),
            author: CommentAuthor::new(&view.author, row.written_with.as_ref()),
            created_at: row.created_at,
            edited_at: row.edited_at,
            state: view.state.into(),
            resolved_by: row.resolved_by.clone(),
            resolved_at: row.resolved_at,
        }
    }
}

body! {
    /// A comment to write.
    NewComment from CommentChange {
        required: ["text"],
        without: [],
        example: { "text": "The vendor has confirmed the date.", "mentions": ["usr_01k9x14js0e00000000000000a"] }
    }
}

/// Changes to a comment. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "text": "The vendor has confirmed the 20th." }))]
pub(crate) struct CommentChange {
    #[schema(min_length = 1, max_length = 4_000, nullable = false)]
    text: Option<Option<String>>,
    /// The ids of people of the tenant, who get a notice; `null` for none.
    #[schema(max_items = 200)]
    mentions: Option<Option<Vec<String>>>,
}

impl From<CommentChange> for CommentInput {
    fn from(change: CommentChange) -> Self {
        Self { text: change.text.into(), mentions: change.mentions.into() }
    }
}
