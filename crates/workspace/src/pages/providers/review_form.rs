//! Changes of a review: start, answer, send, close, and create findings.

use app::provider::{AskedQuestion, NewReview, ReviewChange, ReviewView};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    provider::{AnswerInput, AnswerKind, AnswersInput, NewReviewInput, Review},
    right::{Resource, Right},
};

use super::{
    address_of, detail, provider_id,
    review::{self, ReviewPath, place},
    review_address,
};
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
};

pub(super) async fn begin(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, provider_id(&id)?);
    visit.caller().require_right(Resource::Providers, Right::Write)?;
    let input = NewReviewInput { questions: form.filled_change("questions"), due_on: form.change("due_on") };
    let new = NewReview { provider: id, input };
    match workspace.app.records.create_record::<Review>(visit.caller(), new, None, |_| String::new()).await {
        Ok(created) => {
            let address = format!("{}/reviews/{}", address_of(id), created.subject);
            respond::go_to(&route::done(&address, "begun"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}

/// The answers in a form. A question that the form does not contain stays as it is.
pub(in crate::pages) fn answers(form: &Form, review: &ReviewView) -> Vec<AnswerInput> {
    let part = |asked: &AskedQuestion<'_>, part: &str| {
        let name = format!("{part}-{}", asked.id);
        if form.is_checked(&name) { Change::Set(form.value(&name).to_owned()) } else { Change::Keep }
    };
    let is_sent = |asked: &AskedQuestion<'_>| form.is_checked(&format!("{}-{}", sent_with(asked), asked.id));
    let input = |asked: AskedQuestion<'_>| AnswerInput {
        question: Change::Set(asked.id.to_owned()),
        answer: part(&asked, "answer"),
        value: part(&asked, "value"),
        note: Change::Set(form.value(&format!("note-{}", asked.id)).replace("\r\n", "\n")),
        evidence: evidence(form, asked.id),
    };
    review.questions().filter(is_sent).map(input).collect()
}

/// The field that shows that a form has the question.
fn sent_with(asked: &AskedQuestion<'_>) -> &'static str {
    match asked.kind() {
        AnswerKind::YesNo => "answer",
        AnswerKind::Text | AnswerKind::Number | AnswerKind::Day => "value",
        AnswerKind::File => "note",
    }
}

/// What the form says about the evidence of an answer; a form that does not show it leaves it as it is.
fn evidence(form: &Form, question: &str) -> Change<Vec<String>> {
    if !form.is_checked(&format!("evidence-of-{question}")) {
        return Change::Keep;
    }
    Change::Set(form.all(&format!("evidence-{question}")).map(str::to_owned).collect())
}

async fn changed(
    workspace: &Workspace,
    visit: &Visit,
    place: ReviewPath,
    change: ReviewChange,
    (mut form, done): (Form, &str),
) -> Answer {
    let precondition = crate::pages::record::precondition(&form);
    match workspace.app.third_parties.change_review(visit.caller(), place, change, precondition).await {
        Ok(_) => respond::go_to(&route::done(&review_address(place), done)),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(review::page(workspace, visit, place, &form, None).await?)
        }
    }
}

pub(super) async fn answer(
    State(workspace): State<Workspace>,
    Path((id, review)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, place) = (posted, place(&id, &review)?);
    visit.caller().require_right(Resource::Providers, Right::Write)?;
    let (shown, _) = workspace.app.third_parties.provider_review(visit.caller(), place.0, place.1).await?;
    let input = AnswersInput { answers: answers(&form, &shown.record), ..AnswersInput::default() };
    changed(&workspace, &visit, place, ReviewChange::Answers(input), (form, "saved")).await
}

pub(super) async fn make_move(
    State(workspace): State<Workspace>,
    Path((id, review)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, place) = (posted, place(&id, &review)?);
    let input = AnswersInput {
        status: form.required_change("status"),
        note: form.change("note"),
        ..AnswersInput::default()
    };
    changed(&workspace, &visit, place, ReviewChange::Answers(input), (form, "saved")).await
}

pub(super) async fn find(
    State(workspace): State<Workspace>,
    Path((id, review)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, place) = (posted, place(&id, &review)?);
    let change =
        ReviewChange::Finding { question: form.value("question").to_owned(), language: visit.language };
    changed(&workspace, &visit, place, change, (form, "found")).await
}

/// Shows the link once, in the response itself, so that it is in no address and no history.
pub(super) async fn send(
    State(workspace): State<Workspace>,
    Path((id, review)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, place) = (posted, place(&id, &review)?);
    let precondition = crate::pages::record::precondition(&form);
    let by_mail = form.is_checked("mail");
    match workspace.app.third_parties.send_review(visit.caller(), place, by_mail, precondition).await {
        Ok(sent) => {
            respond::page(review::page(&workspace, &visit, place, &Form::default(), Some(&sent)).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(review::page(&workspace, &visit, place, &form, None).await?)
        }
    }
}
