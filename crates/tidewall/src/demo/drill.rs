//! The demo's drills: one that was carried out and scored, and one that is planned.

use app::{App, Result, authz::Caller, drill_run::DrillRunChange, pages::Precondition};
use domain::{
    change::Change,
    drill_run::{ClassificationInput, DecisionInput, DrillRun, DrillRunInput, ReportInput},
    id::DrillRunId,
    incident::Criterion,
    wording::Language,
};

use crate::cli::CliError;

const LEAD: &str = "Anna Weber";
const PEOPLE: [&str; 3] = ["Jonas Keller", "Miriam Vogt", "Clara Fontaine"];
const DONE: &str = "drill-ransomware-core-banking";
const PLANNED: &str = "drill-poisoned-security-update";

/// The participants' answers, not all of which are right.
const JUDGED: [(Criterion, &str); 4] = [
    (Criterion::CriticalServices, "met"),
    (Criterion::DataLosses, "met"),
    (Criterion::Clients, "met"),
    (Criterion::Geography, "not-met"),
];
const DECIDED: [&str; 2] = [
    "Isolate the affected segments and secure evidence before anything restarts.",
    "Restore from the isolated copy only; the management body decides on the ransom.",
];
const RESULTS: [&str; 4] = ["met", "met", "partly", "met"];

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

pub(super) async fn fill(app: &App, owner: &Caller) -> std::result::Result<(), CliError> {
    carried_out(app, owner).await?;
    plan(app, owner, PLANNED, 45).await?;
    Ok(())
}

/// Plans a run in so many days. `None` when the catalogue in use has no such scenario.
async fn plan(app: &App, owner: &Caller, scenario: &str, days: i64) -> Result<Option<DrillRunId>> {
    if app.catalogue()?.drills.get(scenario).is_none() {
        return Ok(None);
    }
    let input = DrillRunInput {
        scenario: set(scenario),
        planned_for: set(&app.clock.now().day().plus_days(days).to_string()),
        lead: set(LEAD),
        participants: Change::Set(PEOPLE.map(str::to_owned).to_vec()),
        ..DrillRunInput::default()
    };
    let created = app.records.create_record::<DrillRun>(owner, input, None, |_| String::new()).await?;
    Ok(created.subject.parse().ok())
}

async fn carried_out(app: &App, owner: &Caller) -> Result<()> {
    let Some(id) = plan(app, owner, DONE, 0).await? else { return Ok(()) };
    let judgements = JUDGED.iter().map(|(criterion, word)| (*criterion, set(word))).collect();
    let report = ReportInput {
        clock: set("clock-dora-initial-notification"),
        due: set("07:40, four hours after classification"),
        sent_at_minute: Change::Set(200.0),
        right: Change::Set(true),
    };
    let mut changes = vec![
        DrillRunChange::Start,
        DrillRunChange::Step(1),
        DrillRunChange::Classify(ClassificationInput { judgements }),
        DrillRunChange::Report(report),
    ];
    changes.extend((1..).zip(RESULTS).map(|(number, word)| DrillRunChange::Criterion(number, set(word))));
    for change in changes {
        app.records.change_record::<DrillRun>(owner, id, change, Precondition::None).await?;
    }
    for text in DECIDED {
        app.resilience.log_drill_decision(owner, id, DecisionInput { text: set(text) }).await?;
    }
    let finish = DrillRunChange::Finish { findings: false, language: Language::English };
    app.records.change_record::<DrillRun>(owner, id, finish, Precondition::None).await?;
    Ok(())
}
