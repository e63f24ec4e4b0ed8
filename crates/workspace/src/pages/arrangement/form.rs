//! Creating and changing an arrangement.

use app::{arrangement::ArrangementRow, pages::Precondition};
use axum::extract::{Path, State};
use domain::{
    arrangement::{
        Arrangement, ArrangementInput, CostInput, FactsInput, FunctionInput, ProviderInput, ServiceType,
        Substitutability,
    },
    change::Change,
    country::Country,
    currency::Currency,
    id::ArrangementId,
    money::Money,
    right::{Resource, Right},
    wording::{Label, Language},
};
use maud::{Markup, html};

use super::{address_of, arrangement_id, stored};
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    pages::record,
    respond::{self, Answer},
    route,
    texts::{arrangement as texts, common},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 14] = [
    ("reference", texts::REFERENCE),
    ("provider.name", texts::PROVIDER),
    ("provider.lei", texts::LEI),
    ("provider.country", texts::COUNTRY),
    ("provider.sector", texts::SECTOR),
    ("service", texts::SERVICE),
    ("service_type", texts::SERVICE_TYPE),
    ("technology", texts::TECHNOLOGY),
    ("region", texts::REGION),
    ("functions", texts::FUNCTIONS),
    ("annual_cost.amount", texts::COST),
    ("annual_cost.currency", texts::CURRENCY),
    ("starts_on", texts::STARTS_ON),
    ("ends_on", texts::ENDS_ON),
];

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Arrangements, Right::Write)?;
    let form = Form::filled([
        ("substitutability", Substitutability::Medium.to_string()),
        ("annual_cost.currency", "EUR".to_owned()),
        ("starts_on", visit.now.day().to_string()),
    ]);
    respond::page(new_page(&visit, &form))
}

pub(super) fn new_page(visit: &Visit, form: &Form) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::NEW), visit.t(texts::INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::ARRANGEMENTS) {
            (visit.form_token())
            (fields(visit, form))
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::CREATE)) }
                button.button type="submit" formaction={ (route::CONCENTRATION) "/simulate" } {
                    (visit.t(texts::SIMULATE))
                }
                (more_rows(visit))
                a.button href=(route::ARRANGEMENTS) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::NEW), &content)
}

/// Also part of the simulation, for an arrangement that would be signed.
pub(in crate::pages) fn fields(visit: &Visit, form: &Form) -> Markup {
    let types: Vec<_> = field::words::<ServiceType>(visit);
    let degrees: Vec<_> = Substitutability::ALL
        .iter()
        .map(|degree| Choice::new(degree.as_str(), visit.t(degree.label())))
        .collect();
    let text = |name, label| Field::text(visit, form, name, label);
    html! {
        div.columns {
            (text("reference", texts::REFERENCE).render())
            (text("provider.name", texts::PROVIDER).render())
            (text("provider.lei", texts::LEI).optional().render())
            (field::select(visit, form, "provider.country", texts::COUNTRY, &countries(visit, form)))
            (text("provider.sector", texts::SECTOR).render())
            (text("service", texts::SERVICE).render())
            (field::select(visit, form, "service_type", texts::SERVICE_TYPE, &types))
            (text("technology", texts::TECHNOLOGY).render())
            (text("region", texts::REGION).render())
            (field::select(visit, form, "substitutability", texts::SUBSTITUTABILITY, &degrees))
            (text("annual_cost.amount", texts::COST).hint(texts::COST_HINT).render())
            (text("annual_cost.currency", texts::CURRENCY).at_most(3).render())
            (Field::day(visit, form, "starts_on", texts::STARTS_ON).render())
            (Field::day(visit, form, "ends_on", texts::ENDS_ON).optional().render())
        }
        (function_fields(visit, form))
    }
}

/// Every country by name; a submitted value stays selected even if it is invalid.
fn countries(visit: &Visit, form: &Form) -> Vec<Choice> {
    let mut named: Vec<_> = Country::all().map(|each| (each.named(visit.language), each)).collect();
    named.sort_by_cached_key(|(name, _)| collated(name));
    let mut choices = vec![Choice::new("", visit.t(texts::COUNTRY_CHOOSE))];
    let sent = form.value("provider.country");
    if !sent.is_empty() && sent.parse::<Country>().is_err() {
        choices.push(Choice::new(sent.to_owned(), sent));
    }
    choices.extend(named.into_iter().map(|(name, country)| Choice::new(country.to_string(), name)));
    choices
}

/// The sort key of a name: letters with diacritics sort like those without.
fn collated(name: &str) -> String {
    let plain = |letter: char| match letter {
        'Ä' | 'Å' | 'ä' | 'ã' | 'å' => 'a',
        'Ö' | 'ö' | 'ô' | 'ó' => 'o',
        'Ü' | 'ü' => 'u',
        'ç' => 'c',
        'é' => 'e',
        'í' => 'i',
        other => other.to_ascii_lowercase(),
    };
    name.chars().map(plain).collect()
}

/// Empty rows for further functions.
const SPARE_FUNCTIONS: usize = 3;
const MOST_FUNCTIONS: usize = 200;
const FUNCTION_ROWS: &str = "function_rows";

fn function_field(row: usize, part: &str) -> String {
    format!("functions.{row}.{part}")
}

/// How many rows for functions the form has.
fn function_rows(form: &Form) -> usize {
    form.value(FUNCTION_ROWS).parse().unwrap_or(SPARE_FUNCTIONS).clamp(SPARE_FUNCTIONS, MOST_FUNCTIONS)
}

fn function_fields(visit: &Visit, form: &Form) -> Markup {
    let rows = function_rows(form);
    html! {
        fieldset #functions {
            legend { (visit.t(texts::FUNCTIONS)) }
            p.hint { (visit.t(texts::FUNCTIONS_HINT)) }
            input type="hidden" name=(FUNCTION_ROWS) value=(rows);
            @for row in 0..rows {
                @let (name, critical) = (function_field(row, "name"), function_field(row, "critical"));
                @let label = visit.fill(texts::FUNCTION, &[("number", &(row + 1))]);
                div.columns role="group" aria-label=(label) {
                    div.field {
                        label for=(name) { (label) }
                        input id=(name) name=(name) type="text" value=(form.value(&name));
                    }
                    (field::switch(visit, form, &critical, texts::FUNCTION_CRITICAL, None))
                }
            }
            @for complaint in form.complaints("functions") { p.wrong { (visit.complaint(complaint)) } }
        }
    }
}

/// Requests more rows. It comes after the save button, because the Enter key presses the first one.
pub(in crate::pages) fn more_rows(visit: &Visit) -> Markup {
    html! {
        button.button type="submit" name="step" value="more" formnovalidate { (visit.t(texts::MORE_ROWS)) }
    }
}

/// Whether the form only requests more rows; then it gets them.
pub(in crate::pages) fn wants_rows(form: &mut Form) -> bool {
    if form.value("step") != "more" {
        return false;
    }
    let more = (function_rows(form) + SPARE_FUNCTIONS).min(MOST_FUNCTIONS).to_string();
    form.replace(FUNCTION_ROWS, more);
    true
}

/// The form as domain input.
fn input(form: &mut Form) -> ArrangementInput {
    let functions = Change::Set((0..function_rows(form)).filter_map(|row| function(form, row)).collect());
    ArrangementInput {
        reference: form.required_change("reference"),
        provider: Change::Set(ProviderInput {
            name: form.required_change("provider.name"),
            lei: form.change("provider.lei"),
            country: form.required_change("provider.country"),
            sector: form.required_change("provider.sector"),
        }),
        service: form.required_change("service"),
        service_type: form.required_change("service_type"),
        technology: form.required_change("technology"),
        region: form.required_change("region"),
        functions,
        substitutability: form.required_change("substitutability"),
        annual_cost: Change::Set(CostInput {
            amount: minor_units(form),
            currency: form.required_change("annual_cost.currency"),
        }),
        starts_on: form.required_change("starts_on"),
        ends_on: form.change("ends_on"),
        // Chain, places, exit plan and parent have a form of their own, and stay as they are here.
        facts: FactsInput::default(),
    }
}

/// A row with a function.
fn function(form: &Form, row: usize) -> Option<FunctionInput> {
    let name = form.value(&function_field(row, "name")).trim();
    let critical = form.is_checked(&function_field(row, "critical"));
    (!name.is_empty()).then(|| FunctionInput { name: name.to_owned(), critical })
}

/// Users enter amounts, not cents.
fn minor_units(form: &mut Form) -> Change<i64> {
    let (Change::Set(text), Ok(currency)) =
        (form.change("annual_cost.amount"), form.value("annual_cost.currency").trim().parse::<Currency>())
    else {
        return Change::Keep;
    };
    match Money::parse_written(&text, currency, form.language()) {
        Ok(money) => Change::Set(money.amount),
        Err(error) => {
            form.complain("annual_cost.amount", error);
            Change::Keep
        }
    }
}

/// A new arrangement for the simulation.
pub(in crate::pages) fn draft(form: &mut Form) -> Result<Arrangement, app::Error> {
    let input = input(form);
    form.finish(Some(()))?;
    Ok(input.create()?)
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Arrangements, Right::Write)?;
    if wants_rows(&mut form) {
        return respond::page(new_page(&visit, &form));
    }
    let input = input(&mut form);
    let created = match form.finish(Some(input)) {
        Ok(input) => {
            workspace.app.create_record::<Arrangement>(visit.caller(), input, None, |_| String::new()).await
        }
        Err(error) => Err(error),
    };
    match created {
        Ok(created) => {
            let address = format!("{}/{}", route::ARRANGEMENTS, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&visit, &form))
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Arrangements, Right::Write)?;
    let (row, revision) = stored(&workspace, &visit, arrangement_id(&id)?).await?;
    let validator = workspace.app.record_validator(row.version, revision);
    respond::page(edit_page(&visit, row.id, &filled(&row, validator, visit.language)))
}

fn filled(row: &ArrangementRow, validator: String, language: Language) -> Form {
    let content = &row.record.contract;
    let money = content.annual_cost.money();
    let mut functions =
        vec![(FUNCTION_ROWS.to_owned(), (content.functions.len() + SPARE_FUNCTIONS).to_string())];
    for (row, function) in content.functions.iter().enumerate() {
        functions.push((function_field(row, "name"), function.name.to_string()));
        if function.critical {
            functions.push((function_field(row, "critical"), "1".to_owned()));
        }
    }
    let others = [
        (record::SEEN, validator),
        ("reference", content.reference.to_string()),
        ("provider.name", content.provider.name.to_string()),
        ("provider.lei", content.provider.lei.map(|lei| lei.to_string()).unwrap_or_default()),
        ("provider.country", content.provider.country.to_string()),
        ("provider.sector", content.provider.sector.to_string()),
        ("service", content.service.to_string()),
        ("service_type", content.service_type.to_string()),
        ("technology", content.technology.to_string()),
        ("region", content.region.to_string()),
        ("substitutability", content.substitutability.to_string()),
        ("annual_cost.amount", major_units(money, language)),
        ("annual_cost.currency", money.currency.to_string()),
        ("starts_on", content.starts_on.to_string()),
        ("ends_on", content.ends_on.map(|day| day.to_string()).unwrap_or_default()),
    ];
    let functions = functions.iter().map(|(name, value)| (name.as_str(), value.clone()));
    Form::filled(others.into_iter().chain(functions))
}

/// The amount as entered by users, or empty for a cost given elsewhere.
fn major_units(money: Money, language: Language) -> String {
    if money.amount == 0 {
        return String::new();
    }
    let unit = 10_i64.pow(money.currency.decimals());
    let width = money.currency.decimals() as usize;
    if width == 0 {
        money.amount.to_string()
    } else {
        let point = match language {
            Language::English => '.',
            Language::German => ',',
        };
        format!("{}{point}{:0width$}", money.amount / unit, money.amount % unit)
    }
}

fn edit_page(visit: &Visit, id: ArrangementId, form: &Form) -> Markup {
    let address = address_of(id);
    let content = html! {
        (ui::head(visit.t(texts::EDIT), form.value("provider.name"), None))
        (record::overtaken(visit, form, &address))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (fields(visit, form))
            div.form-end {
                button.button.primary type="submit" { (visit.t(common::SAVE)) }
                (more_rows(visit))
                a.button href=(address) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::EDIT), &content)
}

/// Saves the changes of a form, unless the form itself is invalid.
pub(super) async fn save(
    workspace: &Workspace,
    visit: &Visit,
    id: ArrangementId,
    input: ArrangementInput,
    form: &Form,
    precondition: Precondition,
) -> Result<(), app::Error> {
    form.finish(Some(()))?;
    workspace.app.change_record::<Arrangement>(visit.caller(), id, input, precondition).await.map(|_| ())
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, arrangement_id(&id)?);
    visit.caller().require_right(Resource::Arrangements, Right::Write)?;
    if wants_rows(&mut form) {
        return respond::page(edit_page(&visit, id, &form));
    }
    let (input, precondition) = (input(&mut form), record::precondition(&form));
    match save(&workspace, &visit, id, input, &form, precondition).await {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(app::Error::Stale) => {
            let (row, revision) = stored(&workspace, &visit, id).await?;
            form.overtake(record::SEEN, workspace.app.record_validator(row.version, revision));
            respond::overtaken(edit_page(&visit, id, &form))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&visit, id, &form))
        }
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
