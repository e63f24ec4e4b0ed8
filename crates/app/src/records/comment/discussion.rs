//! What the page of a record shows of its comments.

use domain::{
    actor::Actor,
    id::UserId,
    page::{Page, PageRequest},
    right::{Resource, Right},
    text::Name,
};
use store::{Reader, comment as rows, user, watch};

use super::{Comment, Subject, check_open};
use crate::{Error, Records, Result, author::Author, authz::Caller};

/// How many comments are shown at first, the latest, and at most.
const LATEST: u32 = 50;
const MOST: u32 = 1_000;
/// How many people a form offers to mention.
const OFFERED: u32 = 500;

/// The comments on a record, and what the reader can do.
#[derive(Debug, Clone)]
pub struct Discussion {
    /// Oldest first.
    pub comments: Page<Comment>,
    pub is_watched: bool,
    /// Whether the reader can write a comment.
    pub may_write: bool,
}

impl Records {
    /// The latest comments on a record, or all of them.
    pub async fn discussion(&self, caller: &Caller, record: String, all: bool) -> Result<Discussion> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| {
            let scope = *author.scope();
            let (kind, fields) = Subject::new(record.as_str()).find(reader, &scope)?;
            let most = if all { MOST } else { LATEST };
            let mut page = rows::list(reader, &scope, &record, PageRequest::part(most, 0))?;
            if page.total > u64::from(most) {
                let latest = PageRequest::part(most, page.total - u64::from(most));
                page = rows::list(reader, &scope, &record, latest)?;
            }
            let found = std::mem::take(&mut page.items);
            let comments = page.with(author.comment_views(reader, kind, found)?);
            let is_watched = match author.stands_for(reader)? {
                Actor::User(person) => watch::is_watching(reader, &scope, &record, person)?,
                Actor::Key(_) | Actor::Operator | Actor::System => false,
            };
            let may_write =
                author.caller.has(Resource::Comments, Right::Own) && check_open(kind, &fields).is_ok();
            Ok::<_, Error>(Discussion { comments, is_watched, may_write })
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The people whom a comment can mention, the oldest accounts first.
    pub async fn mentionable(&self, caller: &Caller) -> Result<Vec<(UserId, Name)>> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            let people = user::list(reader, &scope, PageRequest::part(OFFERED, 0))?.items.into_iter();
            let open = people.filter(|person| person.disabled_at.is_none());
            Ok::<_, Error>(open.map(|person| (person.id, person.name)).collect())
        };
        self.db.tenant(&scope).read(read).await
    }
}
