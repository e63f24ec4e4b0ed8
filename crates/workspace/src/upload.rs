//! A form with a file: the sender is signed in and may send it, and the form's token is checked.
//!
//! Role and token are checked before the file is received: the token is the form's first part. The file is written to
//! disk while it arrives, so that its size costs no memory.

use std::marker::PhantomData;

use app::{
    App,
    authz::Caller,
    evidence::SentFile,
    patience,
    upload::{TooLarge, Upload, paced},
};
use axum::{
    body::Body,
    extract::{
        FromRequest, Multipart, Request,
        multipart::{Field, MultipartError},
    },
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use data_encoding::BASE64;
use http::StatusCode;
use maud::{Markup, html};

use crate::{
    Workspace, csrf,
    error::PageError,
    extract::{self, Visit},
    form::Form,
    texts::common,
};

/// The purpose of an upload, which decides who may send it.
pub(crate) trait Purpose {
    fn require(caller: &Caller) -> app::Result<()>;
}

#[derive(Debug)]
pub(crate) struct Uploaded<P> {
    pub(crate) visit: Visit,
    pub(crate) form: Form,
    file: Option<Received>,
    purpose: PhantomData<P>,
}

/// A file received with the form.
#[derive(Debug)]
struct Received {
    /// The client's name of the file.
    name: String,
    upload: Upload,
    /// All of it, if it is short enough to be kept in the page.
    short: Option<Bytes>,
}

impl<P: Purpose> FromRequest<Workspace> for Uploaded<P> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &Workspace) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let view = extract::view(&parts).map_err(PageError::into_response)?;
        let visit = Visit::of(&view, &parts.method).map_err(|away| *away)?;
        P::require(visit.caller()).map_err(|error| PageError::from(error).into_response())?;
        let body = Body::from_stream(paced(body.into_data_stream()));
        let request = Request::from_parts(parts, body);
        let parts = Multipart::from_request(request, state)
            .await
            .map_err(|_| PageError::Malformed.into_response())?;
        let (form, file) = read(&state.app, &visit, parts).await.map_err(PageError::into_response)?;
        patience::for_import();
        Ok(Self { visit, form, file, purpose: PhantomData })
    }
}

/// The maximum size of all fields besides the file: a short file that was checked before, and a little more.
const MAX_TEXT: usize = 1024 * 1024;

async fn read(app: &App, visit: &Visit, mut parts: Multipart) -> Result<(Form, Option<Received>), PageError> {
    let (mut pairs, mut file, mut room) = (Vec::new(), None, MAX_TEXT);
    while let Some(part) = parts.next_field().await.map_err(|error| refused(&error))? {
        let name = part.name().unwrap_or_default().to_owned();
        if pairs.is_empty() && name != csrf::FIELD {
            return Err(PageError::Forged);
        }
        if part.file_name().is_some() {
            file = Some(received(app, visit, part).await?);
            continue;
        }
        let value = text(part, &mut room).await?;
        if pairs.is_empty() && !visit.shows(&value) {
            return Err(PageError::Forged);
        }
        pairs.push((name, value));
    }
    if pairs.is_empty() {
        return Err(PageError::Forged);
    }
    Ok((Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone()))), file))
}

/// The text of one field, up to the limit.
async fn text(mut part: Field<'_>, room: &mut usize) -> Result<String, PageError> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| refused(&error))? {
        *room = room.checked_sub(piece.len()).ok_or(PageError::TooLarge)?;
        bytes.extend_from_slice(&piece);
    }
    String::from_utf8(bytes).map_err(|_| PageError::Malformed)
}

async fn received(app: &App, visit: &Visit, mut part: Field<'_>) -> Result<Received, PageError> {
    let name = part.file_name().unwrap_or_default().to_owned();
    let mut spool = app.spool(visit.caller()).await?;
    let mut short = Some(Vec::new());
    while let Some(piece) = part.chunk().await.map_err(|error| refused(&error))? {
        short = short.filter(|short| short.len() + piece.len() <= KEPT_BYTES);
        if let Some(short) = &mut short {
            short.extend_from_slice(&piece);
        }
        spool.write(piece).await.map_err(|TooLarge| PageError::TooLarge)?;
    }
    Ok(Received { name, upload: spool.finish().await?, short: short.map(Bytes::from) })
}

fn refused(error: &MultipartError) -> PageError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE { PageError::TooLarge } else { PageError::Malformed }
}

/// A checked file up to this size is kept in the page, so that it need not be chosen again.
const KEPT_BYTES: usize = 512 * 1024;
/// The name of the field that keeps it.
const KEPT: &str = "checked";

impl<P> Uploaded<P> {
    /// The file that was sent, or the one kept in the page since it was checked, and its bytes if it is short; an
    /// invalid one is ignored.
    pub(crate) fn take_file(&mut self) -> (Upload, Option<Bytes>) {
        match self.file.take() {
            Some(Received { short: Some(short), .. }) if short.is_empty() => self.kept(),
            Some(Received { upload, short, .. }) => (upload, short),
            None => self.kept(),
        }
    }

    /// The file that was sent with its name; a form without one sends an empty file without a name.
    pub(crate) fn take_sent(&mut self) -> Option<SentFile> {
        let received = self.file.take()?;
        let is_empty = received.short.as_ref().is_some_and(Bytes::is_empty);
        let nothing = is_empty && received.name.is_empty();
        (!nothing).then_some(SentFile { name: received.name, upload: received.upload })
    }

    fn kept(&self) -> (Upload, Option<Bytes>) {
        let kept = Bytes::from(BASE64.decode(self.form.value(KEPT).as_bytes()).unwrap_or_default());
        (Upload::bytes(kept.clone()), Some(kept))
    }
}

/// The field that keeps a short file in the page.
pub(crate) fn kept_field(file: Option<&Bytes>) -> Markup {
    html! { @if let Some(file) = file { input type="hidden" name=(KEPT) value=(BASE64.encode(file)); } }
}

/// Shown by a script while a file is uploaded and read.
pub(crate) fn busy(visit: &Visit) -> Markup {
    html! {
        p.busy role="status" data-busy-note hidden {
            progress aria-hidden="true" {} " " (visit.t(common::WORKING))
        }
    }
}

/// The form that imports the checked file; `fields` are the options it was checked with. A file too long to be kept
/// has to be chosen again.
pub(crate) fn import_checked(
    visit: &Visit,
    action: &str,
    fields: &[(&str, &str)],
    file: Option<&Bytes>,
) -> Markup {
    html! {
        @if let Some(file) = file {
            form method="post" action=(action) enctype="multipart/form-data" data-busy {
                (visit.form_token())
                input type="hidden" name="step" value="import";
                @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
                (kept_field(Some(file)))
                div.form-end { button.button.primary type="submit" { (visit.t(common::IMPORT_CHECKED)) } }
                (busy(visit))
            }
        } @else { p { (visit.t(common::CHOOSE_AGAIN)) } }
    }
}
