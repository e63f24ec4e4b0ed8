//! The demo's providers: two that were reviewed, and one that has a link to its questionnaire.

use app::{
    App, Result,
    authz::Caller,
    pages::Precondition,
    provider::{NewReview, ProviderFilter, ProviderView, ReviewChange},
};
use domain::{
    change::Change,
    id::{ProviderId, ReviewId},
    page::PageRequest,
    provider::{
        AnswerInput, AnswerKind, AnswersInput, ClauseInput, NewReviewInput, Provider, ProviderInput,
        ProviderSort, Review,
    },
};

use crate::cli::CliError;

/// Owner, rating, and the answers that the questions get in turn.
const REVIEWED: [(&str, &str, &[&str]); 2] = [
    ("Anna Weber", "medium", &["yes", "yes", "partly", "yes", "no"]),
    ("Jonas Keller", "high", &["yes", "partly", "no", "partly"]),
];

/// What they are held against.
const ARCHETYPE: &str = "vendor-hyperscale-cloud";

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

/// An answer to a question that asks for a value.
fn sample(kind: AnswerKind) -> Option<&'static str> {
    match kind {
        AnswerKind::YesNo | AnswerKind::File => None,
        AnswerKind::Text => Some("As described in annex 3 of the contract."),
        AnswerKind::Number => Some("4"),
        AnswerKind::Day => Some("2026-05-12"),
    }
}

pub(super) async fn fill(app: &App, owner: &Caller) -> std::result::Result<(), CliError> {
    let filter = ProviderFilter { sort: Some(ProviderSort::Name), ..ProviderFilter::default() };
    let page = app.records.records::<Provider>(owner, &filter, PageRequest::default()).await?;
    let mut critical = page.items.iter().filter(|provider| provider.is_critical());
    for ((person, rating, words), provider) in REVIEWED.iter().zip(critical.by_ref()) {
        look_after(app, owner, provider, (person, rating)).await?;
        clauses(app, owner, provider).await?;
        let id = begin(app, owner, provider.row.id).await?;
        complete(app, owner, (provider.row.id, id), words).await?;
    }
    if let Some(provider) = critical.next() {
        look_after(app, owner, provider, ("Miriam Vogt", "high")).await?;
        let id = begin(app, owner, provider.row.id).await?;
        app.third_parties.send_review(owner, (provider.row.id, id), false, Precondition::None).await?;
    }
    Ok(())
}

async fn look_after(
    app: &App,
    owner: &Caller,
    provider: &ProviderView,
    (person, rating): (&str, &str),
) -> Result<()> {
    let input = ProviderInput {
        owner: set(person),
        rating: set(rating),
        archetype: set(ARCHETYPE),
        review_months: Change::Set(12.0),
        notice_days: Change::Set(90.0),
        next_review_on: set(&app.clock.now().day().plus_days(20).to_string()),
        ..ProviderInput::default()
    };
    app.records.change_record::<Provider>(owner, provider.row.id, input, Precondition::None).await?;
    Ok(())
}

/// Each contract has all clauses but two.
async fn clauses(app: &App, owner: &Caller, provider: &ProviderView) -> Result<()> {
    let (page, _) = app.third_parties.provider_page(owner, provider.row.id).await?;
    for contract in &page.contracts {
        let lines = contract.clauses.clauses.iter().enumerate();
        let inputs = lines.map(|(number, line)| ClauseInput {
            clause: set(&line.id),
            state: set(if number % 8 == 5 { "missing" } else { "present" }),
            note: Change::Keep,
        });
        let inputs = inputs.collect();
        app.third_parties
            .change_clauses(owner, provider.row.id, contract.row.id, inputs, Precondition::None)
            .await?;
    }
    Ok(())
}

async fn begin(app: &App, owner: &Caller, provider: ProviderId) -> Result<ReviewId> {
    let input = NewReviewInput {
        questions: set("by_criticality"),
        due_on: set(&app.clock.now().day().plus_days(30).to_string()),
    };
    let new = NewReview { provider, input };
    let created = app.records.create_record::<Review>(owner, new, None, |_| String::new()).await?;
    created.subject.parse().map_err(app::Error::internal)
}

async fn complete(app: &App, owner: &Caller, place: (ProviderId, ReviewId), words: &[&str]) -> Result<()> {
    let (detail, _) = app.third_parties.provider_review(owner, place.0, place.1).await?;
    let asked = detail.record.questions().zip(words.iter().cycle());
    let answers = asked.map(|(asked, word)| AnswerInput {
        question: set(asked.id),
        answer: if asked.kind() == AnswerKind::YesNo { set(word) } else { Change::Keep },
        value: sample(asked.kind()).map_or(Change::Keep, set),
        ..AnswerInput::default()
    });
    let input =
        AnswersInput { answers: answers.collect(), status: set("completed"), ..AnswersInput::default() };
    app.third_parties.change_review(owner, place, ReviewChange::Answers(input), Precondition::None).await?;
    Ok(())
}
