//! The questionnaire of a provider's link: this one and nothing else, without an account.

mod file;
mod page;

use std::sync::Arc;

use app::{Error, catalogue::question::QuestionSection, provider::Questionnaire, token::Token};
use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    routing::{get, post},
};
use domain::{
    change::Change,
    provider::{AnswerInput, SubmissionInput},
    wording::Label,
};
use http::StatusCode;
use maud::html;

use self::page::page;
use super::providers::answers;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, view},
    form::Form,
    link_cookie::{self, LinkToken},
    respond::{self, Answer},
    route, session_layer,
    texts::due_diligence as texts,
    ui,
};

const NAMES: [(&str, Label); 4] = [
    ("name", texts::YOUR_NAME),
    ("answers", texts::ANSWERS),
    ("file", texts::FILE),
    ("question", texts::QUESTION),
];
/// A file and the few fields beside it. The application bounds the file itself.
const MAX_UPLOAD: usize = 65 * 1024 * 1024;

pub(crate) fn router() -> Router<Workspace> {
    link_cookie::paths(route::DUE_DILIGENCE).iter().fold(Router::new(), |router, one| {
        let files = post(file::attach).layer(DefaultBodyLimit::max(MAX_UPLOAD));
        router.route(one, get(show).post(take)).route(&format!("{one}/files"), files)
    })
}

fn address_of(token: &Token) -> String {
    link_cookie::address(route::DUE_DILIGENCE, token)
}

/// The response with the cookie of the link, where the request had the token in its address.
fn kept(
    workspace: &Workspace,
    link: &LinkToken,
    (token, asked): (&Token, &Questionnaire),
    answer: Answer,
) -> Answer {
    if !link.is_in_address() {
        return answer;
    }
    let seconds = workspace.app.clock.now().seconds_until(asked.expires_at);
    Ok(link_cookie::kept(workspace, route::DUE_DILIGENCE, token, seconds, answer?))
}

fn gone(view: &View) -> axum::response::Response {
    let content = html! {
        h1 { (view.t(texts::GONE_TITLE)) }
        p { (view.t(texts::GONE)) }
    };
    respond::html(StatusCode::NOT_FOUND, ui::layout::bare(view, view.t(texts::GONE_TITLE), &content))
}

async fn show(State(workspace): State<Workspace>, link: LinkToken, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let view = view(&parts)?;
    let address = session_layer::visitor(&workspace, &parts).address;
    let Some(token) = link.token(&workspace, "questionnaire") else { return Ok(gone(&view)) };
    match workspace.app.third_parties.questionnaire(token, address).await? {
        Some(asked) if link.is_in_address() => {
            kept(&workspace, &link, (token, &asked), respond::go_to(&address_of(token)))
        }
        Some(asked) => {
            let name = asked.review.row.record.submitted_by.as_ref().map(ToString::to_string);
            let form = Form::filled([("name", name.unwrap_or_default())]);
            respond::page(page(&workspace, &view, (token, &asked), &form))
        }
        None => Ok(gone(&view)),
    }
}

async fn take(State(workspace): State<Workspace>, link: LinkToken, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let view: Arc<View> = view(&parts)?;
    let address = session_layer::visitor(&workspace, &parts).address;
    let mut form = Form::read(&parts.headers, body).await?.spoken(view.language);
    let Some(token) = link.token(&workspace, "questionnaire") else { return Ok(gone(&view)) };
    let Some(asked) = workspace.app.third_parties.questionnaire(token, address).await? else {
        return Ok(gone(&view));
    };
    // Which evidence belongs to an answer is for the institution to say.
    let given = answers(&form, &asked.review).into_iter();
    let input = SubmissionInput {
        answers: given.map(|answer| AnswerInput { evidence: Change::Keep, ..answer }).collect(),
        name: Change::Set(form.value("name").to_owned()),
        submit: form.is_checked("submit"),
    };
    let answer = match workspace.app.third_parties.answer_questionnaire(token, address, input).await {
        Ok(()) => {
            let section = form.value("section").parse::<QuestionSection>().ok();
            let place = section.map(|section| format!("#{section}")).unwrap_or_default();
            respond::go_to(&format!("{}{place}", route::done(&address_of(token), "saved")))
        }
        Err(Error::NotFound) => Ok(gone(&view)),
        Err(error @ Error::Invalid(_)) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &view, (token, &asked), &form))
        }
        Err(error) => Err(PageError::from(error)),
    };
    kept(&workspace, &link, (token, &asked), answer)
}
