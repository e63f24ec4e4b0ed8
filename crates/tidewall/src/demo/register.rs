//! The demo's register: 80 arrangements with 30 providers in 9 groups, two supply chains that meet in one
//! subcontractor, a breach in each dimension, and one analysis of it all. The arrangements are taken over into the
//! official templates, and what they do not say is filled in, so that the register can be filed.

use app::{
    App,
    analysis::{Analysis, AnalysisRequest},
    authz::Caller,
    register::{
        CellChange, ImportOptions, ImportOutcome, RegisterImportOutcome, RowEdit, TableFilter, row_mark,
    },
    upload::{self, Upload},
};
use domain::{
    page::PageRequest,
    register::{
        Template,
        sheets::{self, SheetRow},
    },
};

use crate::cli::CliError;

/// The same table a bank would import.
const REGISTER: &str = include_str!("register.csv");
/// The heads of the groups, and the companies that have no LEI.
const PROVIDERS: &str = include_str!("providers.csv");

const MAINTAINER: [&str; 6] =
    ["529900TIDEWALLBANK74", "Demo Bank AG", "eba_GA:DE", "eba_CT:x12", "BaFin", "2025-12-31"];
const ENTITY: [&str; 11] = [
    "529900TIDEWALLBANK74",
    "Demo Bank AG",
    "eba_GA:DE",
    "eba_CT:x12",
    "eba_RP:x53",
    "529900TIDEWALLBANK74",
    "2025-12-01",
    "2025-01-17",
    "9999-12-31",
    "eba_CU:EUR",
    "4820000000",
];

/// Functions that are licensed activities; the others support them.
const ACTIVITIES: [(&str, &str); 2] = [("Payments", "eba_TA:x28"), ("Lending", "eba_TA:x163")];
const SUPPORTING: &str = "eba_TA:x276";

/// What is filled into empty cells: the number of a column and a text.
type Fill = (u16, &'static str);
const OF_FUNCTIONS: [Fill; 1] = [(70, "2026-03-31")];
const OF_CRITICAL_LINES: [Fill; 5] =
    [(100, "90"), (110, "180"), (120, "eba_GA:DE"), (170, "eba_ZZ:x792"), (180, "eba_ZZ:x796")];
const OF_LINES: [Fill; 3] = [(100, "30"), (110, "90"), (120, "eba_GA:DE")];
const OF_ASSESSMENTS: [Fill; 3] = [(60, "eba_ZZ:x964"), (80, "eba_BT:x29"), (90, "eba_ZZ:x966")];

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let file = Upload::bytes(REGISTER.as_bytes().into());
    let outcome = app
        .third_parties
        .import_arrangements(owner, file, ImportOptions::default(), upload::silent())
        .await?;
    if let ImportOutcome::Refused(problems) = outcome {
        return Err(CliError::Failed(format!("the demo's register is not sound: {problems}")));
    }
    templates(app, owner).await?;
    let nothing = |_: &Analysis| String::new();
    app.third_parties.analyse(owner, AnalysisRequest::default(), None, Box::new(nothing)).await?;
    Ok(())
}

async fn templates(app: &App, owner: &Caller) -> Result<(), CliError> {
    add(app, owner, Template::Maintainer, &MAINTAINER).await?;
    add(app, owner, Template::Entities, &ENTITY).await?;
    let options = ImportOptions { template: Some(Template::Providers), ..ImportOptions::default() };
    let known =
        app.third_parties.import_register(owner, Upload::bytes(PROVIDERS.as_bytes().into()), options).await?;
    if let RegisterImportOutcome::Refused(checks) = known {
        return Err(CliError::Failed(format!("the demo's providers are not sound: {checks:?}")));
    }
    app.third_parties.take_over_arrangements(owner).await?;
    complete(app, owner, Template::Functions, |row| {
        let name = text(row, Template::Functions, 30);
        let activity = ACTIVITIES.iter().find(|(known, _)| *known == name);
        // A function that is not assessed has no day of assessment.
        let is_assessed = text(row, Template::Functions, 50) != "eba_BT:x21";
        let fills = OF_FUNCTIONS.into_iter().filter(|_| is_assessed);
        fills.chain([(20, activity.map_or(SUPPORTING, |(_, code)| *code))]).collect()
    })
    .await?;
    let critical = critical_functions(app, owner).await?;
    complete(app, owner, Template::ContractLines, |row| {
        let id = text(row, Template::ContractLines, 50);
        let is_critical = critical.iter().any(|one| one == id);
        let stores = text(row, Template::ContractLines, 140).is_empty();
        let fills: &[Fill] = if is_critical { &OF_CRITICAL_LINES } else { &OF_LINES };
        let no_storage = stores.then_some((140, "eba_BT:x29"));
        fills.iter().copied().chain(no_storage).collect()
    })
    .await?;
    complete(app, owner, Template::Assessments, |row| {
        let is_hard = ["eba_ZZ:x959", "eba_ZZ:x960"].contains(&text(row, Template::Assessments, 50));
        OF_ASSESSMENTS.into_iter().filter(|(number, _)| *number != 60 || is_hard).collect()
    })
    .await
}

fn position(template: Template, number: u16) -> usize {
    template.position(&format!("c{number:04}")).unwrap_or_default()
}

fn text(row: &SheetRow, template: Template, number: u16) -> &str {
    row.cell(position(template, number))
}

async fn rows(app: &App, owner: &Caller, template: Template) -> Result<Vec<SheetRow>, CliError> {
    let most = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let (page, _) = app.third_parties.register_table(owner, template, TableFilter::default(), most).await?;
    Ok(page.items)
}

async fn critical_functions(app: &App, owner: &Caller) -> Result<Vec<String>, CliError> {
    let all = rows(app, owner, Template::Functions).await?;
    let critical = all.iter().filter(|row| text(row, Template::Functions, 50) == "eba_BT:x28");
    Ok(critical.map(|row| text(row, Template::Functions, 10).to_owned()).collect())
}

/// Fills empty cells of every row of a template.
async fn complete(
    app: &App,
    owner: &Caller,
    template: Template,
    fills: impl Fn(&SheetRow) -> Vec<Fill>,
) -> Result<(), CliError> {
    let mut edits = Vec::new();
    for row in rows(app, owner, template).await? {
        let is_open = |(number, _): &Fill| {
            let held = text(&row, template, *number);
            held.is_empty() || held == "9999-12-31"
        };
        let cells: Vec<CellChange> = fills(&row)
            .into_iter()
            .filter(is_open)
            .map(|(number, text)| (position(template, number), text.into()))
            .collect();
        let id = row.name.parse().map_err(|_| CliError::Failed("a row without an id".to_owned()))?;
        edits.push(RowEdit { row: Some((id, row_mark(&row))), cells });
    }
    app.third_parties.edit_register_rows(owner, template, edits).await?;
    Ok(())
}

async fn add(app: &App, owner: &Caller, template: Template, texts: &[&str]) -> Result<(), CliError> {
    let cells: Result<Vec<CellChange>, _> =
        texts.iter().enumerate().map(|(position, text)| Ok((position, sheets::cell(text)?))).collect();
    let cells = cells.map_err(|error: domain::text::TextError| CliError::Failed(error.to_string()))?;
    app.third_parties.create_register_row(owner, template, cells, None, |_| String::new()).await?;
    Ok(())
}
