//! The demo's filings of the register: last year's, which was accepted, and a draft for the next collection.

use app::{App, authz::Caller, pages::Precondition};
use domain::{change::Change, id::RegisterFilingId, register_filing::RegisterFilingInput};

use crate::cli::CliError;

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let set = |text: &str| Change::Set(text.to_owned());
    let person = set("Anna Weber");
    let filed = freeze(app, owner, RegisterFilingInput { owner: person.clone(), ..<_>::default() }).await?;
    let second = Caller::system(owner.tenant());
    for (caller, status, note) in [
        (&second, "submitted", "Sent through the authority's portal"),
        (owner, "accepted", "Validation result received"),
    ] {
        let step = RegisterFilingInput { status: set(status), note: set(note), ..<_>::default() };
        app.third_parties.change_register_filing(caller, filed, step, Precondition::None).await?;
    }
    let today = app.clock.now().day();
    let next = RegisterFilingInput {
        reference_date: set(&today.to_string()),
        due_on: set(&format!("{}-03-31", today.year() + 1)),
        owner: person,
        ..<_>::default()
    };
    freeze(app, owner, next).await?;
    Ok(())
}

async fn freeze(app: &App, owner: &Caller, input: RegisterFilingInput) -> Result<RegisterFilingId, CliError> {
    let made = app.third_parties.create_register_filing(owner, input, None, |_| String::new()).await?;
    made.subject.parse().map_err(|error: domain::id::NotAnId| CliError::Failed(error.to_string()))
}
