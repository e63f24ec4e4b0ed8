//! A form with a file, sent by somebody who is signed in, with its token checked.

use axum::{
    extract::{FromRequest, Multipart, Request},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use data_encoding::BASE64;
use maud::{Markup, html};

use crate::{
    Workspace,
    form::Form,
    oops::Oops,
    texts::common,
    visit::{self, Visit},
};

#[derive(Debug)]
pub(crate) struct Uploaded {
    pub(crate) visit: Visit,
    pub(crate) form: Form,
    pub(crate) file: Bytes,
}

impl FromRequest<Workspace> for Uploaded {
    type Rejection = Response;

    async fn from_request(request: Request, state: &Workspace) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let view = visit::view(&parts).map_err(Oops::into_response)?;
        let visit = Visit::of(&view, &parts.method).map_err(|away| *away)?;
        let request = Request::from_parts(parts, body);
        let parts =
            Multipart::from_request(request, state).await.map_err(|_| Oops::Malformed.into_response())?;
        let (form, file) = read(parts).await.map_err(Oops::into_response)?;
        if visit.sent(&form) { Ok(Self { visit, form, file }) } else { Err(Oops::Forged.into_response()) }
    }
}

/// The token stands before the file in our forms, but nothing is done before all of it is here.
async fn read(mut parts: Multipart) -> Result<(Form, Bytes), Oops> {
    let (mut pairs, mut file) = (Vec::new(), Bytes::new());
    while let Some(part) = parts.next_field().await.map_err(|_| Oops::TooLarge)? {
        let name = part.name().unwrap_or_default().to_owned();
        if part.file_name().is_some() {
            file = part.bytes().await.map_err(|_| Oops::TooLarge)?;
        } else {
            pairs.push((name, part.text().await.map_err(|_| Oops::Malformed)?));
        }
    }
    Ok((Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone()))), file))
}

/// A checked file up to this size is kept in the page, so that it need not be chosen again.
const KEPT_BYTES: usize = 512 * 1024;
/// Where the page keeps it.
const KEPT: &str = "checked";

impl Uploaded {
    /// The file that was sent, or the one the page kept since it was checked; what cannot be read is no file.
    pub(crate) fn file_or_kept(&self) -> Bytes {
        if self.file.is_empty() {
            BASE64.decode(self.form.value(KEPT).as_bytes()).unwrap_or_default().into()
        } else {
            self.file.clone()
        }
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
pub(crate) fn import_checked(visit: &Visit, action: &str, fields: &[(&str, &str)], file: &Bytes) -> Markup {
    html! {
        @if file.len() <= KEPT_BYTES {
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
