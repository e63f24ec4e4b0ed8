//! Files a provider sends with its answers. The link is looked at before anything of a file is received.

use std::net::IpAddr;

use app::{
    App, Error,
    evidence::SentFile,
    provider::{AskedQuestion, Questionnaire},
    token::Token,
    upload::{Spool, TooLarge, paced},
};
use axum::{
    body::Body,
    extract::{
        FromRequest as _, Multipart, Request, State,
        multipart::{Field, MultipartError},
    },
};
use domain::{
    provider::{AnswerKind, MOST_FILES},
    violation::{FieldComplaint, Violations},
};
use http::StatusCode;
use maud::{Markup, html};

use super::{
    address_of, gone, kept,
    page::{page, wording},
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, view},
    form::Form,
    link_cookie::LinkToken,
    pages::evidence,
    respond::{self, Answer},
    route, session_layer,
    texts::due_diligence as texts,
    ui::{
        self,
        field::{self, Choice},
    },
};

/// The name of a question is shorter.
const MAX_TEXT: usize = 1_000;

/// What was sent so far, and the form that sends another file.
pub(super) fn section(
    workspace: &Workspace,
    view: &View,
    token: &Token,
    asked: &Questionnaire,
    open: bool,
) -> Markup {
    let files = &asked.review.row.record.files;
    if files.is_empty() && !open {
        return html! {};
    }
    let size = evidence::size(view, workspace.app.compliance.max_evidence_bytes());
    let values: [(&str, &dyn std::fmt::Display); 2] = [("most", &MOST_FILES), ("size", &size)];
    let content = html! {
        @if !files.is_empty() { ul.bullets { @for file in files { li { (file.name) } } } }
        @if open && files.len() < MOST_FILES {
            p.hint { (view.fill(texts::FILES_HELP, &values)) }
            form #files method="post" action={ (address_of(token)) "/files" } enctype="multipart/form-data" {
                (field::select(view, &Form::default(), "question", texts::FILE_ABOUT, &choices(view, asked)))
                div.field {
                    label for="file" { (view.t(texts::FILE)) }
                    input #file type="file" name="file" required;
                }
                div.form-end { button.button type="submit" { (view.t(texts::ATTACH)) } }
            }
        }
    };
    ui::section(view.t(texts::FILES), &content)
}

/// The files of a question that asks for one, and the place to choose another. The form of the place stands outside the
/// form of the answers, see `forms`.
pub(super) fn of_question(view: &View, asked: &Questionnaire, question: &str, open: bool) -> Markup {
    let files = &asked.review.row.record.files;
    let sent: Vec<_> = files.iter().filter(|file| file.question.as_deref() == Some(question)).collect();
    let form = format!("file-of-{question}");
    html! {
        @if !sent.is_empty() { ul.bullets { @for file in &sent { li { (file.name) } } } }
        @if open && files.len() < MOST_FILES {
            div.field {
                label for={ (form) "-input" } { (view.t(texts::FILE)) }
                input id={ (form) "-input" } type="file" name="file" form=(form) required;
                button.button type="submit" form=(form) { (view.t(texts::ATTACH)) }
            }
        }
    }
}

/// One form for each question that asks for a file.
pub(super) fn forms(token: &Token, asked: &Questionnaire) -> Markup {
    let wanted = |one: &AskedQuestion<'_>| one.kind() == AnswerKind::File;
    html! {
        @for one in asked.review.provider_questions().filter(wanted) {
            form id={ "file-of-" (one.id) } method="post" action={ (address_of(token)) "/files" }
                enctype="multipart/form-data" {
                input type="hidden" name="question" value=(one.id);
            }
        }
    }
}

fn choices(view: &View, asked: &Questionnaire) -> Vec<Choice> {
    let mut choices = vec![Choice::new("", view.t(texts::FILE_ABOUT_ALL))];
    let questions = (1..).zip(asked.review.provider_questions());
    choices.extend(questions.map(|(number, one): (usize, _)| {
        Choice::new(one.id.to_owned(), format!("{number}. {}", wording(view, &one)))
    }));
    choices
}

/// What a form with a file held.
struct Sent {
    question: Option<String>,
    file: Option<SentFile>,
}

pub(super) async fn attach(State(workspace): State<Workspace>, link: LinkToken, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let view = view(&parts)?;
    let address = session_layer::visitor(&workspace, &parts).address;
    let Some(token) = link.token(&workspace, "questionnaire") else { return Ok(gone(&view)) };
    let Some(asked) = workspace.app.third_parties.questionnaire(token, address).await? else {
        return Ok(gone(&view));
    };
    let done = match workspace.app.third_parties.questionnaire_spool(token, address).await {
        Ok(spool) => {
            let request = Request::from_parts(parts, Body::from_stream(paced(body.into_data_stream())));
            let sent =
                Multipart::from_request(request, &workspace).await.map_err(|_| PageError::Malformed)?;
            let sent = read(sent, spool).await?;
            keep(&workspace.app, token, address, sent).await
        }
        Err(error) => Err(error),
    };
    let answer = match done {
        Ok(()) => respond::go_to(&route::done(&address_of(token), "attached")),
        Err(Error::NotFound) => Ok(gone(&view)),
        Err(error @ Error::Invalid(_)) => {
            let name = asked.review.row.record.submitted_by.as_ref().map(ToString::to_string);
            let mut form = Form::filled([("name", name.unwrap_or_default())]);
            form.refuse(error)?;
            respond::refused(page(&workspace, &view, (token, &asked), &form))
        }
        Err(error) => Err(PageError::from(error)),
    };
    kept(&workspace, &link, (token, &asked), answer)
}

async fn keep(app: &App, token: &Token, address: IpAddr, sent: Sent) -> app::Result<()> {
    let Some(file) = sent.file else {
        let mut missing = Violations::default();
        missing.add("file", FieldComplaint::Required);
        return Err(Error::Invalid(missing));
    };
    app.third_parties.add_questionnaire_file(token, address, sent.question, file).await
}

/// Reads the form. The file is written to disk as it comes; a second one is no part of the form.
async fn read(mut parts: Multipart, spool: Spool) -> Result<Sent, PageError> {
    let (mut question, mut spool, mut file) = (None, Some(spool), None);
    while let Some(part) = parts.next_field().await.map_err(|error| refused(&error))? {
        if part.file_name().is_some() {
            let spool = spool.take().ok_or(PageError::Malformed)?;
            file = received(part, spool).await?;
        } else if part.name() == Some("question") {
            question = Some(text(part).await?).filter(|text| !text.is_empty());
        }
    }
    Ok(Sent { question, file })
}

async fn text(mut part: Field<'_>) -> Result<String, PageError> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| refused(&error))? {
        if bytes.len() + piece.len() > MAX_TEXT {
            return Err(PageError::TooLarge);
        }
        bytes.extend_from_slice(&piece);
    }
    String::from_utf8(bytes).map_err(|_| PageError::Malformed)
}

/// The file; a form in which none was chosen sends an empty one without a name.
async fn received(mut part: Field<'_>, mut spool: Spool) -> Result<Option<SentFile>, PageError> {
    let name = part.file_name().unwrap_or_default().to_owned();
    while let Some(piece) = part.chunk().await.map_err(|error| refused(&error))? {
        spool.write(piece).await.map_err(|TooLarge| PageError::TooLarge)?;
    }
    let upload = spool.finish().await?;
    Ok((!name.is_empty()).then_some(SentFile { name, upload }))
}

fn refused(error: &MultipartError) -> PageError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE { PageError::TooLarge } else { PageError::Malformed }
}
