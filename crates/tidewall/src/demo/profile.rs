//! The profile of the demo bank, and the criticality of its functions.

use app::{App, authz::Caller, function::FunctionFilter, pages::Precondition};
use domain::{
    change::Change,
    function::{Function, FunctionInput},
    page::PageRequest,
    profile::ProfileInput,
};

use crate::cli::CliError;

/// Name, recovery time and recovery point in minutes, effect of discontinuing.
const RATED: [(&str, f64, f64, &str); 4] = [
    ("Payments", 120.0, 5.0, "high"),
    ("Core banking", 240.0, 15.0, "high"),
    ("Online banking", 240.0, 60.0, "medium"),
    ("Lending", 1440.0, 240.0, "medium"),
];

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let profile = ProfileInput {
        country: set("DE"),
        entity_kind: set("credit-institution"),
        size: set("large"),
        significant: Change::Set(false),
        authority: set("BaFin"),
        ..ProfileInput::default()
    };
    app.compliance.change_tenant_profile(owner, profile, Precondition::None).await?;
    Ok(())
}

/// Rates the functions that the register and the programmes name.
pub(super) async fn rate_functions(app: &App, owner: &Caller) -> Result<(), CliError> {
    let most = PageRequest::new(Some(100), None).unwrap_or_default();
    let functions = app.records.records::<Function>(owner, &FunctionFilter::default(), most).await?;
    for function in functions.items {
        let name = function.row.record.name.as_str();
        let Some((_, rto, rpo, impact)) = RATED.iter().find(|(rated, ..)| *rated == name) else { continue };
        let input = FunctionInput {
            criticality: set("critical_or_important"),
            assessed_on: set("2026-03-31"),
            rto_minutes: Change::Set(*rto),
            rpo_minutes: Change::Set(*rpo),
            impact_of_discontinuing: set(impact),
            ..FunctionInput::default()
        };
        app.records.change_record::<Function>(owner, function.row.id, input, Precondition::None).await?;
    }
    Ok(())
}
