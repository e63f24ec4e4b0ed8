//! The demo's trainings: two passed, one late, one due, and a member of the management body among them.

use app::{App, Result, authz::Caller, pages::Precondition};
use domain::{
    change::Change,
    id::TrainingId,
    page::PageRequest,
    training::{AssignmentInput, ResultInput},
    wording::Language,
};

use crate::cli::CliError;

/// What is assigned: a module of the catalogue, or a course held elsewhere with its provider.
enum What {
    Module(&'static str),
    Course(&'static str, &'static str),
}

struct Example {
    what: What,
    person: &'static str,
    /// From today.
    due_in: i64,
    is_member: bool,
    /// How many days ago the course was passed, and with which score.
    passed: Option<(i64, f64)>,
}

const EXAMPLES: [Example; 4] = [
    Example {
        what: What::Course("Phishing and social engineering", "Security school"),
        person: "Miriam Vogt",
        due_in: 20,
        is_member: false,
        passed: Some((12, 95.0)),
    },
    Example {
        what: What::Course("ICT risk for members of the management body", "Institute for supervision"),
        person: "Clara Fontaine",
        due_in: -5,
        is_member: true,
        passed: Some((30, 88.0)),
    },
    Example {
        what: What::Module("training-dora-essentials"),
        person: "Jonas Keller",
        due_in: -10,
        is_member: false,
        passed: None,
    },
    Example {
        what: What::Module("training-management-body"),
        person: "Clara Fontaine",
        due_in: 30,
        is_member: true,
        passed: None,
    },
];

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

pub(super) async fn fill(app: &App, owner: &Caller) -> std::result::Result<(), CliError> {
    for example in &EXAMPLES {
        if let Some(id) = assign(app, owner, example).await? {
            pass(app, owner, id, example).await?;
        }
    }
    Ok(())
}

/// `None` when the catalogue in use has no such module.
async fn assign(app: &App, owner: &Caller, example: &Example) -> Result<Option<TrainingId>> {
    let people = app.people.people_page(owner, PageRequest::default()).await?;
    let Some(person) = people.items.iter().find(|person| person.name.as_str() == example.person) else {
        return Ok(None);
    };
    let mut input = AssignmentInput {
        people: Change::Set(vec![person.id.to_string()]),
        due_on: set(&app.clock.now().day().plus_days(example.due_in).to_string()),
        management_body: Change::Set(example.is_member),
        ..AssignmentInput::default()
    };
    match example.what {
        What::Module(id) if app.catalogue()?.trainings.get(id).is_none() => return Ok(None),
        What::Module(id) => input.module = set(id),
        What::Course(title, provider) => {
            input.title = set(title);
            input.provider = set(provider);
        }
    }
    let made =
        app.compliance.assign_trainings(owner, &input, Language::English, None, |_| String::new()).await?;
    Ok(made.subject.parse().ok())
}

async fn pass(app: &App, owner: &Caller, id: TrainingId, example: &Example) -> Result<()> {
    let Some((days_ago, score)) = example.passed else { return Ok(()) };
    let result = ResultInput {
        passed_on: set(&app.clock.now().day().plus_days(-days_ago).to_string()),
        score: Change::Set(score),
        ..ResultInput::default()
    };
    app.compliance.record_training_result(owner, id, result, Precondition::None).await?;
    Ok(())
}
