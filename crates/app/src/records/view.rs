//! Saved views of lists: own ones, and those that all people of the institution see.

use domain::{
    id::ViewId,
    key_limits::Verb,
    right::Right,
    view::{ListView, ViewComplaint, ViewInput},
};
use serde_json::{Value, json};
use store::{Reader, Tx, view as rows};

use crate::{
    Error, Records, Result,
    author::Author,
    authz::Caller,
    change_log::difference,
    idempotency::{Creation, Idempotency},
    records::{AnyKind, KINDS},
};

pub use store::view::ViewRow;

/// Kinds whose records are in no list of their own: tasks are listed with the work of all kinds, reviews with their
/// provider.
const UNLISTED: [&str; 2] = ["tasks", "provider_reviews"];

/// A view, and whether the caller can change and delete it.
#[derive(Debug, Clone)]
pub struct SavedView {
    pub row: ViewRow,
    pub is_own: bool,
    pub may_change: bool,
}

/// The lists that have views, by the tables of their records.
pub fn lists() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.table).filter(|table| !UNLISTED.contains(table)).collect()
}

impl Records {
    /// The views that the caller can open, of one list or of all.
    pub async fn views(&self, caller: &Caller, list: Option<String>) -> Result<Vec<SavedView>> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| author.visible_views(reader, list.as_deref());
        self.db.tenant(caller.scope()).read(read).await
    }

    pub async fn view(&self, caller: &Caller, id: ViewId) -> Result<SavedView> {
        let author = Author::new(self, caller);
        let read = move |reader: &mut Reader<'_>| author.saved_view(reader, id);
        self.db.tenant(caller.scope()).read(read).await
    }

    pub async fn create_view(
        &self,
        caller: &Caller,
        input: ViewInput,
        idempotency: Option<Idempotency>,
        render: fn(&SavedView) -> String,
    ) -> Result<Creation> {
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                let saved = author.add_view(tx, &input)?;
                Ok((saved.row.id.to_string(), saved))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    pub async fn change_view(&self, caller: &Caller, id: ViewId, input: ViewInput) -> Result<SavedView> {
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.change_view(tx, id, &input);
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Deletes a view. Returns the list that it was about.
    pub async fn delete_view(&self, caller: &Caller, id: ViewId) -> Result<String> {
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let saved = author.own_view(tx, id)?;
            rows::delete(tx, author.scope(), id)?;
            author.audit(tx, "view.deleted", id, &summary(&saved.row.view))?;
            Ok::<_, Error>(saved.row.view.list)
        };
        self.db.tenant(caller.scope()).write(write).await
    }
}

impl Author {
    fn visible_views(&self, reader: &mut Reader<'_>, list: Option<&str>) -> Result<Vec<SavedView>> {
        let owner = self.stands_for(reader)?.to_string();
        let rows = rows::visible(reader, self.scope(), &owner)?.into_iter();
        let wanted = rows.filter(|row| list.is_none_or(|list| list == row.view.list));
        Ok(wanted.filter_map(|row| self.shown_view(row, &owner)).collect())
    }

    /// The view for a caller who may open its list.
    fn shown_view(&self, row: ViewRow, owner: &str) -> Option<SavedView> {
        let kind = AnyKind::of_table(&row.view.list)?;
        let is_own = row.owner == owner;
        let is_visible = (is_own || row.view.is_shared) && self.caller.sees(kind.noun);
        // A shared view outlives the account of the person who saved it.
        let may_change = is_own || self.caller.has(kind.resource, Right::Decide);
        is_visible.then_some(SavedView { row, is_own, may_change })
    }

    fn saved_view(&self, reader: &mut Reader<'_>, id: ViewId) -> Result<SavedView> {
        let owner = self.stands_for(reader)?.to_string();
        let row = rows::get(reader, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.shown_view(row, &owner).ok_or(Error::NotFound)
    }

    /// The view, if the caller can change it.
    fn own_view(&self, tx: &mut Tx<'_>, id: ViewId) -> Result<SavedView> {
        let saved = self.saved_view(tx, id)?;
        if let Some(kind) = AnyKind::of_table(&saved.row.view.list).filter(|_| !saved.is_own) {
            self.caller.require_right(kind.resource, Right::Decide)?;
        }
        Ok(saved)
    }

    fn add_view(&self, tx: &mut Tx<'_>, input: &ViewInput) -> Result<SavedView> {
        let view = input.create(&lists())?;
        self.require_view(&view, Verb::Read)?;
        let owner = self.stands_for(tx)?.to_string();
        let own = rows::visible(tx, self.scope(), &owner)?.iter().filter(|row| row.owner == owner).count();
        if own >= ListView::MOST {
            return Err(Error::invalid("name", ViewComplaint::TooMany { most: ListView::MOST }));
        }
        let id = self.core.ids.next(self.now);
        let row = ViewRow { id, owner, view, created_at: self.now, updated_at: self.now };
        rows::insert(tx, self.scope(), &row)?;
        self.audit(tx, "view.created", id, &summary(&row.view))?;
        Ok(SavedView { row, is_own: true, may_change: true })
    }

    fn change_view(&self, tx: &mut Tx<'_>, id: ViewId, input: &ViewInput) -> Result<SavedView> {
        let before = self.own_view(tx, id)?;
        let view = input.change(&before.row.view, &lists())?;
        self.require_view(&view, Verb::Read)?;
        if view == before.row.view {
            return Ok(before);
        }
        let changes = difference(&content(&before.row.view), &content(&view));
        let row = ViewRow { view, updated_at: self.now, ..before.row };
        rows::update(tx, self.scope(), &row)?;
        self.audit(tx, "view.changed", id, &changes)?;
        Ok(SavedView { row, ..before })
    }

    /// Refuses a view of records that the caller does not read, and to share one of records that they do not write.
    fn require_view(&self, view: &ListView, verb: Verb) -> Result<()> {
        let Some(kind) = AnyKind::of_table(&view.list) else { return Ok(()) };
        self.caller.require_noun(kind.noun, verb)?;
        if view.is_shared {
            self.caller.require_right(kind.resource, Right::Own)?;
        }
        Ok(())
    }
}

/// What the audit log says of a new or deleted view.
fn summary(view: &ListView) -> Value {
    json!({ "name": view.name.as_str(), "list": view.list, "shared": view.is_shared })
}

fn content(view: &ListView) -> Value {
    json!({
        "name": view.name.as_str(), "shared": view.is_shared, "start": view.is_start,
        "columns": view.columns, "filters": view.filters, "order": view.order,
    })
}
