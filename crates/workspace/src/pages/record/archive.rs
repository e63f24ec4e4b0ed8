//! The archive of records that may no longer be deleted.

use axum::{
    Router,
    extract::{Path, State},
    routing::post,
};

use super::{
    form::{RecordForm, id_of, settled},
    precondition,
};
use crate::{Workspace, extract::Posted, respond::Answer};

/// The routes of a kind whose records are archived once they may no longer be deleted.
pub(crate) fn router<K: RecordForm>() -> Router<Workspace> {
    Router::new()
        .route(&format!("{}/{{id}}/archive", K::ADDRESS), post(archive::<K>))
        .route(&format!("{}/{{id}}/restore", K::ADDRESS), post(unarchive::<K>))
}

async fn archive<K: RecordForm>(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, id_of::<K>(&id)?);
    let done = workspace.app.records.archive_record::<K>(visit.caller(), id, true, precondition(&form)).await;
    settled::<K, _>(&workspace, &visit, id, form, done, "archived").await
}

async fn unarchive<K: RecordForm>(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, id_of::<K>(&id)?);
    let done =
        workspace.app.records.archive_record::<K>(visit.caller(), id, false, precondition(&form)).await;
    settled::<K, _>(&workspace, &visit, id, form, done, "restored").await
}
