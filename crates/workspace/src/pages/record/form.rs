//! Creating, changing and deleting records of every kind. A kind implements [`RecordForm`] with what is specific to
//! it.

use app::{
    Error, Revision,
    records::{RecordKind, RecordRow},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{custom_field::Sent, right::Right, wording::Label};
use maud::{Markup, html};

use super::{
    SEEN,
    bulk_field::BulkField,
    cell::Cell,
    field::{self, Ask, Section},
    form_page::{edit_page, new_page},
    precondition,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{approvals, custom_field},
    respond::{self, Answer},
    route,
    ui::notice::complaints_of,
};

/// The titles of the pages of a kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormTexts {
    /// The title of the list.
    pub(crate) list: Label,
    pub(crate) new: Label,
    pub(crate) edit: Label,
    pub(crate) create: Label,
    pub(crate) intro: Label,
}

/// What is specific to the pages on which a kind of record is created and changed.
pub(crate) trait RecordForm: RecordKind<Change: From<<Self as RecordKind>::Input>> {
    /// The address of the list; all other pages are below it.
    const ADDRESS: &'static str;
    const TEXTS: FormTexts;
    /// The field that names the record.
    const NAME: &'static str = "title";
    /// The fields of the form, in their sections.
    const FIELDS: &'static [Section<Self>];
    /// The labels of what the form asks for that is no field of the record, for the error messages above it.
    const NAMES: &'static [(&'static str, Label)] = &[];
    /// The columns of the list whose cells are changed in place, besides those of fields of the form.
    const CELLS: &'static [Cell<Self>] = &[];
    /// What many records of the list can get at once, besides tags and fields of the form.
    const BULK: &'static [BulkField<Self>] = &[];
    /// The address of a list that is elsewhere.
    const LISTED_AT: &'static str = Self::ADDRESS;

    /// The initial values of a new form.
    fn proposed(visit: &Visit) -> Form {
        let _ = visit;
        Form::default()
    }

    /// The fields of the form; `before` is the record it changes.
    fn form_fields(
        workspace: &Workspace,
        visit: &Visit,
        form: &Form,
        before: Option<&RecordRow<Self>>,
    ) -> impl Future<Output = Result<Markup, PageError>> + Send {
        async move { field::sections(&Ask { workspace, visit, form, before }).await }
    }

    /// The fields of a form that was sent; `before` is the record it changes.
    fn input(
        workspace: &Workspace,
        visit: &Visit,
        form: &mut Form,
        before: Option<&RecordRow<Self>>,
    ) -> impl Future<Output = Result<Self::Input, Error>> + Send;

    /// The values of the record in what is not among the fields.
    fn filled(
        workspace: &Workspace,
        visit: &Visit,
        row: &RecordRow<Self>,
    ) -> impl Future<Output = Result<Vec<(&'static str, String)>, PageError>> + Send {
        let _ = (workspace, visit, row);
        async { Ok(Vec::new()) }
    }

    /// The values of the record in rows of the form, whose names have numbers.
    fn rows(record: &Self) -> Form {
        let _ = record;
        Form::default()
    }

    /// Whether a form that was sent only asks for more rows; then it gets them.
    fn asks_for_rows(form: &mut Form) -> bool {
        let _ = form;
        false
    }

    /// The buttons of the form besides those of every form; `before` is the record it changes.
    fn buttons(visit: &Visit, before: Option<&RecordRow<Self>>) -> Markup {
        let _ = (visit, before);
        html! {}
    }

    /// The address that a saved form leads to.
    fn saved(
        workspace: &Workspace,
        visit: &Visit,
        id: &str,
    ) -> impl Future<Output = Result<String, PageError>> + Send {
        let _ = (workspace, visit);
        std::future::ready(Ok(format!("{}/{id}", Self::ADDRESS)))
    }

    /// The page of one record. It shows the violations of a form that was sent from it.
    fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: Self::Id,
        form: &Form,
    ) -> impl Future<Output = Result<Markup, PageError>> + Send;
}

/// A kind whose records have states.
pub(crate) trait RecordSteps: RecordForm {
    fn step(form: &Form) -> Self::Input;
}

/// The routes every kind has, besides its list and its own page.
pub(crate) fn router<K: RecordForm<New: From<<K as RecordKind>::Input>>>() -> Router<Workspace> {
    Router::new()
        .route(K::ADDRESS, post(create::<K>))
        .route(&format!("{}/new", K::ADDRESS), get(ask::<K>))
        .merge(change_router::<K>())
}

/// The same for a kind that is created in its own way.
pub(crate) fn change_router<K: RecordForm>() -> Router<Workspace> {
    edit_router::<K>().route(&format!("{}/{{id}}/delete", K::ADDRESS), post(delete::<K>))
}

/// The same for a kind that people neither create nor delete.
pub(crate) fn edit_router<K: RecordForm>() -> Router<Workspace> {
    Router::new()
        .route(&format!("{}/{{id}}", K::ADDRESS), post(change::<K>))
        .route(&format!("{}/{{id}}/edit", K::ADDRESS), get(edit::<K>))
}

pub(crate) fn address_of<K: RecordForm>(id: K::Id) -> String {
    format!("{}/{id}", K::ADDRESS)
}

pub(crate) fn id_of<K: RecordForm>(text: &str) -> Result<K::Id, PageError> {
    text.parse().map_err(|_| PageError::NotFound)
}

/// Shows one record.
pub(crate) async fn show<K: RecordForm>(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    visit: Visit,
) -> Answer {
    respond::page(K::page(&workspace, &visit, id_of::<K>(&id)?, &Form::default()).await?)
}

pub(crate) async fn ask<K: RecordForm>(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(K::RESOURCE, Right::Own)?;
    respond::page(new_page::<K>(&workspace, &visit, &proposed::<K>(&visit)).await?)
}

/// The initial values of a new form. A user who may write only what they own is its owner.
fn proposed<K: RecordForm>(visit: &Visit) -> Form {
    let form = K::proposed(visit);
    if visit.may(K::RESOURCE, Right::Write) {
        return form;
    }
    form.or(&Form::filled([("owner", visit.session().user.name.to_string())]))
}

/// Refuses a user who may write only what they own, unless they are the owner.
pub(in crate::pages::record) async fn require_change<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    row: &RecordRow<K>,
) -> Result<(), Error> {
    workspace.app.people.require_change(visit.caller(), K::RESOURCE, row.record.owner()).await
}

pub(crate) async fn create<K: RecordForm<New: From<<K as RecordKind>::Input>>>(
    State(workspace): State<Workspace>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(K::RESOURCE, Right::Own)?;
    if K::asks_for_rows(&mut form) {
        return respond::page(new_page::<K>(&workspace, &visit, &form).await?);
    }
    let custom = custom_field::sent(&form);
    let created = match K::input(&workspace, &visit, &mut form, None).await {
        Ok(input) => {
            let new = Sent { input: input.into(), custom };
            workspace.app.records.create_record::<K>(visit.caller(), new, None, |_| String::new()).await
        }
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => {
            let address = K::saved(&workspace, &visit, &created.subject).await?;
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page::<K>(&workspace, &visit, &form).await?)
        }
    }
}

async fn edit<K: RecordForm>(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    visit: Visit,
) -> Answer {
    visit.caller().require_right(K::RESOURCE, Right::Own)?;
    let id = id_of::<K>(&id)?;
    let (mut detail, revision) = workspace.app.records.record::<K>(visit.caller(), id).await?;
    let edition = workspace.app.edition_of(visit.caller()).await?;
    K::translate(&mut detail.record, &edition, visit.language);
    let row = K::row(&detail.record);
    require_change::<K>(&workspace, &visit, row).await?;
    let form = filled_form::<K>(&workspace, &visit, row, revision).await?;
    respond::page(edit_page::<K>(&workspace, &visit, row, &form).await?)
}

/// The form with the values of a record.
pub(crate) async fn filled_form<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    row: &RecordRow<K>,
    revision: Revision,
) -> Result<Form, PageError> {
    let mut fields = K::filled(workspace, visit, row).await?;
    fields.extend(field::values(workspace, visit, &row.record).await?);
    fields.push((SEEN, workspace.app.record_validator(row.version, revision)));
    let rows = K::rows(&row.record);
    Ok(Form::filled(fields).or(&rows).or(&custom_field::filled(&row.custom, visit.language)))
}

async fn change<K: RecordForm>(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, id_of::<K>(&id)?);
    visit.caller().require_right(K::RESOURCE, Right::Own)?;
    let precondition = precondition(&form);
    let (detail, _) = workspace.app.records.record::<K>(visit.caller(), id).await?;
    let before = K::row(&detail.record);
    require_change::<K>(&workspace, &visit, before).await?;
    if K::asks_for_rows(&mut form) {
        return respond::page(edit_page::<K>(&workspace, &visit, before, &form).await?);
    }
    let custom = custom_field::sent(&form);
    let changed = match K::input(&workspace, &visit, &mut form, Some(before)).await {
        Ok(input) => {
            let change = Sent { input: input.into(), custom };
            workspace.app.records.change_record::<K>(visit.caller(), id, change, precondition).await
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => {
            let address = K::saved(&workspace, &visit, &id.to_string()).await?;
            respond::go_to(&route::done(&address, "changed"))
        }
        Err(Error::Stale) => {
            let (detail, revision) = workspace.app.records.record::<K>(visit.caller(), id).await?;
            let current = K::row(&detail.record);
            form.overtake(SEEN, workspace.app.record_validator(current.version, revision));
            respond::overtaken(edit_page::<K>(&workspace, &visit, current, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page::<K>(&workspace, &visit, before, &form).await?)
        }
    }
}

async fn delete<K: RecordForm>(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, id_of::<K>(&id)?);
    let deleted = workspace.app.records.delete_record::<K>(visit.caller(), id, precondition(&form)).await;
    match deleted {
        // A record with history is archived instead, so that its page is still there.
        Ok(()) if K::KEEPS && workspace.app.records.record::<K>(visit.caller(), id).await.is_ok() => {
            respond::go_to(&route::done(&address_of::<K>(id), "archived"))
        }
        Ok(()) => respond::go_to(&route::done(K::LISTED_AT, "deleted")),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(error) => refused::<K>(&workspace, &visit, id, form, error).await,
    }
}

/// Moves a record to its next state.
pub(crate) async fn step<K: RecordSteps>(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, id_of::<K>(&id)?);
    let (change, precondition) = (K::Change::from(K::step(&form)), precondition(&form));
    let moved = workspace.app.records.change_record::<K>(visit.caller(), id, change, precondition).await;
    settled::<K, _>(&workspace, &visit, id, form, moved, "moved").await
}

/// Returns to the record's page with a message: what was done, or why it was refused.
pub(crate) async fn settled<K: RecordForm, T: Send>(
    workspace: &Workspace,
    visit: &Visit,
    id: K::Id,
    form: Form,
    result: Result<T, Error>,
    done: &str,
) -> Answer {
    match result {
        Ok(_) => respond::go_to(&route::done(&address_of::<K>(id), done)),
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approvals::address_for(&wanted)),
        Err(error) => refused::<K>(workspace, visit, id, form, error).await,
    }
}

async fn refused<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    id: K::Id,
    mut form: Form,
    error: Error,
) -> Answer {
    form.refuse(error)?;
    respond::refused(K::page(workspace, visit, id, &form).await?)
}

/// The label of a field in the form.
pub(crate) fn label_of<K: RecordForm>(field: &str) -> Option<Label> {
    let asked = field::all::<K>().map(|asked| (asked.field.name, asked.field.label));
    let mut labels = K::NAMES.iter().copied().chain(asked);
    let label = labels.find(|(name, _)| *name == field).map(|(_, label)| label);
    label.or_else(|| domain::field::find(K::ALL, field).map(|known| known.label))
}

/// The complaints about what the page of a record sent; `others` are no fields of the record.
pub(crate) fn complaints<K: RecordForm>(visit: &Visit, form: &Form, others: &[(&str, Label)]) -> Markup {
    complaints_of(visit, form, |field| {
        let other = others.iter().find(|(name, _)| *name == field).map(|(_, label)| *label);
        other.or_else(|| label_of::<K>(field)).map(|label| visit.t(label).to_owned())
    })
}

/// The value of a field whose value may be missing.
pub(crate) fn filled<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
