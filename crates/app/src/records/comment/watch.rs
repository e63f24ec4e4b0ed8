//! Watching records: a person gets a notice of each comment on what they watch.

use domain::{actor::Actor, comment::CommentComplaint, id::UserId};
use store::{Reader, Tx, watch as rows};

use super::Subject;
use crate::{Error, Records, Result, author::Author, authz::Caller};

impl Records {
    /// The caller begins or stops to watch a record. To do so again changes nothing.
    pub async fn watch(&self, caller: &Caller, subject: Subject, watches: bool) -> Result<()> {
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let scope = *author.scope();
            subject.reach(tx, &author.caller)?;
            let person = author.watcher(tx)?;
            if watches {
                rows::put(tx, &scope, &subject.id, person, author.now)?;
            } else {
                rows::delete(tx, &scope, &subject.id, person)?;
            }
            Ok::<_, Error>(())
        };
        // What a person watches is theirs, like how they want to be notified: it is no change of the record.
        self.db.platform().bookkeep(write).await
    }
}

impl Author {
    /// The person who watches.
    fn watcher(&self, reader: &mut Reader<'_>) -> Result<UserId> {
        match self.stands_for(reader)? {
            Actor::User(person) => Ok(person),
            Actor::Key(_) | Actor::Operator | Actor::System => {
                Err(Error::invalid("key", CommentComplaint::KeyWithoutPerson))
            }
        }
    }
}
