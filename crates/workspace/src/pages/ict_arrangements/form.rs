//! The form of an arrangement.

use app::{Error, arrangement::ArrangementRow};
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
    wording::{Label, Language},
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::record::{
        field::{Ask, FormField, Section},
        form::{FormTexts, RecordForm},
    },
    route,
    texts::{analysis, arrangement as texts},
    ui::field::{self, Choice, words},
};

type Asked = FormField<Arrangement>;

impl RecordForm for Arrangement {
    const ADDRESS: &'static str = route::ARRANGEMENTS;
    const TEXTS: FormTexts = FormTexts {
        list: texts::TITLE,
        new: texts::NEW,
        edit: texts::EDIT,
        create: texts::CREATE,
        intro: texts::INTRO,
    };
    const NAME: &'static str = Self::PROVIDER.name;
    const NAMES: &'static [(&'static str, Label)] = &[("arrangement", analysis::ARRANGEMENT)];
    const FIELDS: &'static [Section<Self>] = &[Section::untitled(&[
        Asked::text(Self::REFERENCE, |one| Some(one.contract.reference.to_string())).required(),
        Asked::text(Self::PROVIDER, |one| Some(one.contract.provider.name.to_string()))
            .required()
            .shown_apart(),
        Asked::text(Self::LEI, |one| one.contract.provider.lei.map(|lei| lei.to_string())),
        Asked::chosen(
            Self::COUNTRY,
            |ask| Box::pin(countries(ask)),
            |one| Some(one.contract.provider.country.to_string()),
        ),
        Asked::text(Self::SECTOR, |one| Some(one.contract.provider.sector.to_string()))
            .required()
            .shown_apart(),
        Asked::text(Self::SERVICE, |one| Some(one.contract.service.to_string())).required().shown_apart(),
        Asked::choice(Self::SERVICE_TYPE, words::<ServiceType>, |one| one.contract.service_type.as_str()),
        Asked::text(Self::TECHNOLOGY, |one| Some(one.contract.technology.to_string())).required(),
        Asked::text(Self::REGION, |one| Some(one.contract.region.to_string())).required(),
        Asked::choice(Self::SUBSTITUTABILITY, words::<Substitutability>, |one| {
            one.contract.substitutability.as_str()
        })
        .shown_apart(),
        Asked::decimal(Self::AMOUNT, |view, one| {
            Some(major_units(one.contract.annual_cost.money(), view.language))
        })
        .required()
        .hint(texts::COST_HINT)
        .shown_apart(),
        Asked::text(Self::CURRENCY, |one| Some(one.contract.annual_cost.money().currency.to_string()))
            .required()
            .shown_apart(),
        Asked::day(Self::STARTS_ON, |one| Some(one.contract.starts_on)).required(),
        Asked::day(Self::ENDS_ON, |one| one.contract.ends_on),
        Asked::custom(Self::FUNCTIONS, |ask| Box::pin(function_fields(ask)), |_, _| Vec::new()),
    ])];

    fn proposed(visit: &Visit) -> Form {
        Form::filled([
            (Self::SUBSTITUTABILITY.name, Substitutability::Medium.to_string()),
            (Self::CURRENCY.name, Currency::EUR.to_string()),
            (Self::STARTS_ON.name, visit.now.day().to_string()),
        ])
    }

    async fn input(
        _: &Workspace,
        _: &Visit,
        form: &mut Form,
        _: Option<&ArrangementRow>,
    ) -> Result<ArrangementInput, Error> {
        let input = entered(form);
        form.finish(Some(input))
    }

    fn rows(arrangement: &Self) -> Form {
        let functions = &arrangement.contract.functions;
        let mut pairs = vec![(FUNCTION_ROWS.to_owned(), (functions.len() + SPARE_FUNCTIONS).to_string())];
        for (row, function) in functions.iter().enumerate() {
            pairs.push((function_field(row, "name"), function.name.to_string()));
            if function.critical {
                pairs.push((function_field(row, "critical"), "1".to_owned()));
            }
        }
        Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))
    }

    fn asks_for_rows(form: &mut Form) -> bool {
        wants_rows(form)
    }

    fn buttons(visit: &Visit, before: Option<&ArrangementRow>) -> Markup {
        html! {
            @if before.is_none() {
                button.button type="submit" formaction={ (route::CONCENTRATION) "/simulate" } {
                    (visit.t(texts::SIMULATE))
                }
            }
            (more_rows(visit))
        }
    }

    async fn page(
        workspace: &Workspace,
        visit: &Visit,
        id: ArrangementId,
        form: &Form,
    ) -> Result<Markup, PageError> {
        super::detail::page(workspace, visit, id, form).await
    }
}

/// Every country by name; a submitted value stays selected even if it is invalid.
#[expect(clippy::unused_async, reason = "the form waits for what a field offers; this one reads no records")]
async fn countries(ask: &Ask<'_, Arrangement>) -> Result<Vec<Choice>, PageError> {
    let (visit, sent) = (ask.visit, ask.form.value(Arrangement::COUNTRY.name));
    let mut named: Vec<_> = Country::all().map(|each| (each.named(visit.language), each)).collect();
    named.sort_by_cached_key(|(name, _)| collated(name));
    let mut choices = vec![Choice::new("", visit.t(texts::COUNTRY_CHOOSE))];
    if !sent.is_empty() && sent.parse::<Country>().is_err() {
        choices.push(Choice::new(sent.to_owned(), sent));
    }
    choices.extend(named.into_iter().map(|(name, country)| Choice::new(country.to_string(), name)));
    Ok(choices)
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

#[expect(
    clippy::unused_async,
    reason = "the form waits for what asks for a field; this one reads no records"
)]
async fn function_fields(ask: &Ask<'_, Arrangement>) -> Result<Markup, PageError> {
    let Ask { visit, form, .. } = ask;
    let rows = function_rows(form);
    Ok(html! {
        fieldset #functions {
            legend { (visit.t(Arrangement::FUNCTIONS.label)) }
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
    })
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
fn entered(form: &mut Form) -> ArrangementInput {
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
pub(in crate::pages) fn draft(form: &mut Form) -> Result<Arrangement, Error> {
    let input = entered(form);
    form.finish(Some(()))?;
    Ok(input.create()?)
}

/// The amount as users enter it, or empty for a cost given elsewhere.
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

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
