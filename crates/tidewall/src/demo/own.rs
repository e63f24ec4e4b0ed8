//! The demo's own compliance: a bank half-way, with controls adopted and performed, some requirements assessed, and
//! some of those approved by a second person.

use app::{
    App, Result,
    assessment::{AssessmentFilter, AssessmentView},
    authz::Caller,
    catalogue::applicability::Addressee,
    control::{Adopting, Adoption, ControlFilter},
    pages::Precondition,
};
use domain::{
    assessment::AssessmentInput,
    change::Change,
    control::{Control, ControlInput, ControlSort, PerformedInput},
    framework::Framework,
    page::PageRequest,
    wording::Language,
};

use crate::cli::CliError;

/// How many of the adopted controls are in force, and how many requirements of DORA are assessed.
const IN_FORCE: usize = 60;
const ASSESSED: u32 = 120;
/// The owners, in turn.
const OWNERS: [&str; 3] = ["Anna Weber", "Jonas Keller", "Miriam Vogt"];

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let adopting = Adopting { language: Language::English, ..Adopting::default() };
    app.compliance.adopt_controls(owner, &Adoption::Framework(Framework::DORA), adopting).await?;
    controls(app, owner).await?;
    assessments(app, owner).await?;
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "callers hand over texts and days as they have them")]
fn set(text: impl ToString) -> Change<String> {
    Change::Set(text.to_string())
}

/// The first controls are in force and were performed, the next are being set up, the rest stay planned.
async fn controls(app: &App, owner: &Caller) -> Result<()> {
    let filter = ControlFilter { sort: Some(ControlSort::Oldest), ..ControlFilter::default() };
    let all =
        app.records.records::<Control>(owner, &filter, PageRequest::part(PageRequest::MAX_LIMIT, 0)).await?;
    let today = app.clock.now().day();
    for (number, control) in all.items.iter().enumerate().take(IN_FORCE + 20) {
        let status = if number < IN_FORCE { "implemented" } else { "in_progress" };
        let input = ControlInput {
            status: set(status),
            owner: set(OWNERS[number % OWNERS.len()]),
            ..ControlInput::default()
        };
        app.records.change_record::<Control>(owner, control.row.id, input, Precondition::None).await?;
        if number < IN_FORCE {
            let days = i64::try_from(number % 50).unwrap_or_default();
            let input = PerformedInput { on: set(today.plus_days(-3 - days)), ..PerformedInput::default() };
            app.compliance.perform_control(owner, control.row.id, input, Precondition::None).await?;
        }
    }
    Ok(())
}

/// Assessments of the first requirements of DORA; every third one is approved.
async fn assessments(app: &App, owner: &Caller) -> Result<()> {
    let filter = AssessmentFilter { framework: Framework::DORA.into(), ..AssessmentFilter::default() };
    let request = PageRequest::part(ASSESSED, 0);
    let (page, _) = app.compliance.assessments(owner, &filter, request, Language::English).await?;
    let second = Caller::system(owner.tenant());
    let today = app.clock.now().day();
    let edition = app.edition_of(owner).await?;
    let of_institutions = |view: &&AssessmentView| {
        let requirement = edition.requirements.get(&view.row.requirement);
        requirement.is_some_and(|found| found.applicability.addressee != Addressee::Authority)
    };
    for (number, view) in page.items.iter().filter(of_institutions).enumerate() {
        let requirement = view.row.requirement.as_str();
        let input = answer(number, today);
        app.compliance.change_assessment(owner, requirement, input, Precondition::None).await?;
        if number % 3 == 0 {
            app.compliance.approve_assessment(&second, requirement, Precondition::None).await?;
        }
    }
    Ok(())
}

fn answer(number: usize, today: domain::moment::Day) -> AssessmentInput {
    let (status, maturity, rationale) = match number % 6 {
        0 | 1 | 3 => ("met", 3.0, "Written down, followed and tested in the last twelve months."),
        2 | 4 => ("partly_met", 2.0, "Written down, but not followed everywhere yet."),
        _ => ("not_met", 1.0, "Planned for the next two quarters."),
    };
    let days = i64::try_from(number).unwrap_or_default();
    AssessmentInput {
        status: set(status),
        maturity: Change::Set(maturity),
        rationale: set(rationale),
        owner: set(OWNERS[number % OWNERS.len()]),
        due_on: if status == "met" { Change::Keep } else { set(today.plus_days(30 + days)) },
        next_review_on: set(today.plus_days(300 + days)),
        ..AssessmentInput::default()
    }
}
