//! Entering an arrangement and changing it.

use app::{arrangement::ArrangementRow, pages::Precondition};
use axum::extract::{Path, State};
use domain::{
    arrangement::{
        ArrangementInput, CostInput, Entry, FactsInput, FunctionInput, ProviderInput, ServiceType,
        Substitutability,
    },
    change::Change,
    currency::Currency,
    id::ArrangementId,
    money::Money,
    permission::Permission,
    wording::{Label, Language},
};
use maud::{Markup, html};

use super::{address_of, arrangement_id};
use crate::{
    Workspace,
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
    visit::{Posted, Visit},
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
    visit.caller().require(Permission::Write)?;
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
                a.button href=(route::ARRANGEMENTS) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::NEW), &content)
}

/// Also part of the simulation, for an arrangement that would be signed.
pub(in crate::pages) fn fields(visit: &Visit, form: &Form) -> Markup {
    let types: Vec<_> =
        ServiceType::ALL.iter().map(|kind| Choice::new(kind.as_str(), visit.t(kind.label()))).collect();
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
            (text("provider.country", texts::COUNTRY).hint(texts::COUNTRY_HINT).at_most(2).render())
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
        (field::area(visit, form, "functions", texts::FUNCTIONS, Some(texts::FUNCTIONS_HINT)))
    }
}

/// What the form says, as the domain reads it.
fn input(form: &mut Form) -> ArrangementInput {
    let functions = match form.lines("functions") {
        Change::Set(lines) => Change::Set(lines.iter().map(|line| function(line)).collect()),
        _ => Change::Keep,
    };
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

/// A line of the list; an asterisk in front says that the function is critical.
fn function(line: &str) -> FunctionInput {
    let name = line.strip_prefix('*');
    FunctionInput { critical: name.is_some(), name: name.unwrap_or(line).trim().to_owned() }
}

/// People write what it costs, not how many cents.
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

/// A new arrangement, also for the simulation.
pub(in crate::pages) fn draft(form: &mut Form) -> Result<Entry, app::Error> {
    let input = input(form);
    form.finish(Some(()))?;
    Ok(input.create()?)
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require(Permission::Write)?;
    let created = match draft(&mut form) {
        Ok(entry) => workspace.app.create_arrangement(visit.caller(), entry, None, |_| String::new()).await,
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
    visit.caller().require(Permission::Write)?;
    let (row, revision) = workspace.app.arrangement(visit.caller(), arrangement_id(&id)?).await?;
    let etag = workspace.app.record_etag(row.version, revision);
    respond::page(edit_page(&visit, row.id, &filled(&row, etag, visit.language)))
}

fn filled(row: &ArrangementRow, etag: String, language: Language) -> Form {
    let content = &row.content;
    let money = content.annual_cost.money();
    let functions: Vec<_> = content
        .functions
        .iter()
        .map(|function| format!("{}{}", if function.critical { "* " } else { "" }, function.name))
        .collect();
    Form::filled([
        (record::SEEN, etag),
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
        ("functions", functions.join("\n")),
    ])
}

/// The amount as people write it, or nothing for a cost that stands elsewhere.
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
                a.button href=(address) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::EDIT), &content)
}

/// Changes the arrangement as a form says, unless the form itself cannot be read.
pub(super) async fn save(
    workspace: &Workspace,
    visit: &Visit,
    id: ArrangementId,
    input: ArrangementInput,
    form: &Form,
    precondition: Precondition,
) -> Result<(), app::Error> {
    form.finish(Some(()))?;
    let patch = move |current: &Entry| input.change(current);
    workspace.app.change_arrangement(visit.caller(), id, patch, precondition).await.map(|_| ())
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, arrangement_id(&id)?);
    let (input, precondition) = (input(&mut form), record::precondition(&form));
    match save(&workspace, &visit, id, input, &form, precondition).await {
        Ok(()) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(app::Error::Stale) => {
            let (row, revision) = workspace.app.arrangement(visit.caller(), id).await?;
            form.overtake(record::SEEN, workspace.app.record_etag(row.version, revision));
            respond::overtaken(edit_page(&visit, id, &form))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&visit, id, &form))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_asterisk_marks_a_critical_function() {
        assert_eq!(function("* Payments"), FunctionInput { name: "Payments".into(), critical: true });
        assert_eq!(function("Marketing *"), FunctionInput { name: "Marketing *".into(), critical: false });
    }

    #[test]
    fn amounts_are_written_as_people_do() {
        let money = |amount, currency: &str| Money { amount, currency: currency.parse().unwrap() };
        assert_eq!(major_units(money(12_345_605, "EUR"), Language::English), "123456.05");
        assert_eq!(major_units(money(12_345_605, "EUR"), Language::German), "123456,05");
        assert_eq!(major_units(money(5_000, "JPY"), Language::German), "5000");
        assert_eq!(major_units(money(0, "EUR"), Language::English), "");
    }
}
