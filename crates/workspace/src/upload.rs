//! A form with a file: the sender is signed in and may send it, and the form's token is checked.
//!
//! Role and token are looked at before the file is received: the token is the form's first part. The file is written
//! to disk as it comes, so that its size costs no memory.

use std::marker::PhantomData;

use app::{
    App,
    authz::Caller,
    upload::{TooLarge, Upload},
};
use axum::{
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
    form::Form,
    oops::Oops,
    texts::common,
    visit::{self, Visit},
};

/// What a file is sent for, which decides who may send it.
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

/// A file that came with the form.
#[derive(Debug)]
struct Received {
    upload: Upload,
    /// The whole of it, if it is short enough to be kept in the page.
    short: Option<Bytes>,
}

impl<P: Purpose> FromRequest<Workspace> for Uploaded<P> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &Workspace) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let view = visit::view(&parts).map_err(Oops::into_response)?;
        let visit = Visit::of(&view, &parts.method).map_err(|away| *away)?;
        P::require(visit.caller()).map_err(|error| Oops::from(error).into_response())?;
        let request = Request::from_parts(parts, body);
        let parts =
            Multipart::from_request(request, state).await.map_err(|_| Oops::Malformed.into_response())?;
        let (form, file) = read(&state.app, &visit, parts).await.map_err(Oops::into_response)?;
        Ok(Self { visit, form, file, purpose: PhantomData })
    }
}

/// What all fields besides the file may hold together: a short file that was checked before, and a little more.
const MAX_TEXT: usize = 1024 * 1024;

async fn read(app: &App, visit: &Visit, mut parts: Multipart) -> Result<(Form, Option<Received>), Oops> {
    let (mut pairs, mut file, mut room) = (Vec::new(), None, MAX_TEXT);
    while let Some(part) = parts.next_field().await.map_err(|error| refused(&error))? {
        let name = part.name().unwrap_or_default().to_owned();
        if pairs.is_empty() && name != csrf::FIELD {
            return Err(Oops::Forged);
        }
        if part.file_name().is_some() {
            file = Some(received(app, visit, part).await?);
            continue;
        }
        let value = text(part, &mut room).await?;
        if pairs.is_empty() && !visit.shows(&value) {
            return Err(Oops::Forged);
        }
        pairs.push((name, value));
    }
    if pairs.is_empty() {
        return Err(Oops::Forged);
    }
    Ok((Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone()))), file))
}

/// The text of one field, as long as there is room.
async fn text(mut part: Field<'_>, room: &mut usize) -> Result<String, Oops> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| refused(&error))? {
        *room = room.checked_sub(piece.len()).ok_or(Oops::TooLarge)?;
        bytes.extend_from_slice(&piece);
    }
    String::from_utf8(bytes).map_err(|_| Oops::Malformed)
}

async fn received(app: &App, visit: &Visit, mut part: Field<'_>) -> Result<Received, Oops> {
    let mut spool = app.spool(visit.caller()).await?;
    let mut short = Some(Vec::new());
    while let Some(piece) = part.chunk().await.map_err(|error| refused(&error))? {
        short = short.filter(|short| short.len() + piece.len() <= KEPT_BYTES);
        if let Some(short) = &mut short {
            short.extend_from_slice(&piece);
        }
        spool.write(piece).await.map_err(|TooLarge| Oops::TooLarge)?;
    }
    Ok(Received { upload: spool.finish().await?, short: short.map(Bytes::from) })
}

fn refused(error: &MultipartError) -> Oops {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE { Oops::TooLarge } else { Oops::Malformed }
}

/// A checked file up to this size is kept in the page, so that it need not be chosen again.
const KEPT_BYTES: usize = 512 * 1024;
/// Where the page keeps it.
const KEPT: &str = "checked";

impl<P> Uploaded<P> {
    /// The file that was sent, or the one the page kept since it was checked, and its bytes if it is short; what
    /// cannot be read is no file.
    pub(crate) fn take_file(&mut self) -> (Upload, Option<Bytes>) {
        match self.file.take() {
            Some(Received { short: Some(short), .. }) if short.is_empty() => self.kept(),
            Some(Received { upload, short }) => (upload, short),
            None => self.kept(),
        }
    }

    fn kept(&self) -> (Upload, Option<Bytes>) {
        let kept = Bytes::from(BASE64.decode(self.form.value(KEPT).as_bytes()).unwrap_or_default());
        (Upload::bytes(kept.clone()), Some(kept))
    }
}

/// What a script shows while a file is on its way and read.
pub(crate) fn busy(visit: &Visit) -> Markup {
    html! {
        p.busy role="status" data-busy-note hidden {
            progress aria-hidden="true" {} " " (visit.t(common::WORKING))
        }
    }
}

/// The form that imports the very file that was checked; `fields` are what it was checked with. A file too long to be
/// kept has to be chosen again.
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
                input type="hidden" name=(KEPT) value=(BASE64.encode(file));
                div.form-end { button.button.primary type="submit" { (visit.t(common::IMPORT_CHECKED)) } }
                (busy(visit))
            }
        } @else { p { (visit.t(common::CHOOSE_AGAIN)) } }
    }
}
