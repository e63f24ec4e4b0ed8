//! Checks that the schema of the official file does not enforce.
//!
//! Its rules for stages use a keyword that its own draft of JSON Schema ignores, and many requirements of Annex II
//! are not in it at all. So a report is checked here before it is written.

use crate::{moment::Moment, wording::Label};

use super::{
    Report, ReportStage, Value, complaint::ReportComplaint as Complaint, field::field, value::MAX_DAYS,
};
use crate::incident::words::Criterion;

type Complaints = Vec<(&'static str, Complaint)>;

pub(super) fn complaints(report: &Report) -> Complaints {
    let mut found: Complaints = report.missing().map(|field| (field.number, Complaint::Missing)).collect();
    numbers(report, &mut found);
    order_of_times(report, &mut found);
    lists(report, &mut found);
    root_causes(report, &mut found);
    criteria(report, &mut found);
    entities(report, &mut found);
    found
}

fn numbers(report: &Report, found: &mut Complaints) {
    let listed = report.value("1.15").is_some();
    if !listed {
        found.retain(|(number, _)| *number != "1.15");
        found.push(("1.15", Complaint::CurrencyNotListed));
    }
    for filled in &report.fields {
        let number = filled.field.number;
        match filled.value.as_ref().map(|(value, _)| value) {
            Some(Value::Percent(tenths)) if *tenths > 1000 => found.push((number, Complaint::AboveHundred)),
            Some(Value::Minutes(minutes)) if *minutes / (24 * 60) > MAX_DAYS => {
                found.push((number, Complaint::TooLong));
            }
            Some(Value::Money(money)) if listed => {
                let currency = money.currency.to_string();
                if !report.value("1.15").is_some_and(|chosen| chosen.is_chosen(&currency)) {
                    found.push((number, Complaint::OtherCurrency));
                }
            }
            _ => {}
        }
    }
}

/// Pairs of times of which the second cannot come before the first.
const ORDER: [(&str, &str); 6] =
    [("3.2", "2.2"), ("2.2", "2.3"), ("3.2", "3.3"), ("3.2", "4.8"), ("2.2", "4.8"), ("4.16", "3.2")];

fn order_of_times(report: &Report, found: &mut Complaints) {
    let time = |number: &str| -> Option<Moment> {
        match report.value(number) {
            Some(Value::Moment(at)) => Some(*at),
            _ => None,
        }
    };
    for (first, second) in ORDER {
        let name = field(first).map_or(Label::new("", ""), |field| field.name);
        if let (Some(a), Some(b)) = (time(first), time(second))
            && b < a
        {
            found.push((second, Complaint::Before { other: first, name }));
        }
    }
}

fn lists(report: &Report, found: &mut Complaints) {
    let chosen = |number: &str, code: &str| report.value(number).is_some_and(|value| value.is_chosen(code));
    if let Some(Value::Choices(authorities)) = report.value("3.31")
        && authorities.contains(&"none")
        && authorities.len() > 1
    {
        found.push(("3.31", Complaint::NoneWithOthers));
    }
    let kinds = [
        (Label::new("clients", "Kunden"), "clients"),
        (Label::new("financial counterparts", "finanziellen Gegenparteien"), "financial_counterparts"),
        (Label::new("transactions", "Transaktionen"), "transactions"),
    ];
    if report.value("3.12").is_none() {
        return;
    }
    for (about, kind) in kinds {
        let answers = [
            format!("actual_figures_for_{kind}_affected"),
            format!("estimates_for_{kind}_affected"),
            format!("no_impact_on_{kind}"),
        ];
        if answers.iter().filter(|code| chosen("3.12", code)).count() != 1 {
            found.push(("3.12", Complaint::OncePerKind { about }));
        }
    }
}

/// The main causes of field 4.1 with the beginning of their details in field 4.2.
const CAUSES: [(&str, &str); 5] = [
    ("malicious_actions", "malicious_actions_"),
    ("process_failure", "process_failure_"),
    ("system_failure_malfunction", "system_failure_"),
    ("human_error", "human_error_"),
    ("external_event", "external_event_"),
];

fn root_causes(report: &Report, found: &mut Complaints) {
    let (Some(Value::Choices(causes)), Some(Value::Choices(details))) =
        (report.value("4.1"), report.value("4.2"))
    else {
        return;
    };
    let label = |number: &str, code: &str| {
        field(number)
            .and_then(|field| field.choices().find(|choice| choice.code == code))
            .map_or(Label::new("", ""), |choice| choice.label)
    };
    for (cause, prefix) in CAUSES {
        let is_chosen = causes.contains(&cause);
        let detail = details.iter().find(|detail| detail.starts_with(prefix));
        match (is_chosen, detail) {
            (true, None) => {
                found.push(("4.2", Complaint::CauseWithoutDetail { cause: label("4.1", cause) }));
            }
            (false, Some(detail)) => {
                found.push(("4.2", Complaint::DetailWithoutCause { detail: label("4.2", detail) }));
            }
            _ => {}
        }
    }
}

/// Values inside a criterion need that criterion; and no incident is major without critical services.
fn criteria(report: &Report, found: &mut Complaints) {
    let Some(Value::Choices(criteria)) = report.value("2.5") else { return };
    for filled in &report.fields {
        let within = filled.field.path.strip_prefix("type.").and_then(|path| path.split_once('.'));
        let Some((criterion, _)) = within else { continue };
        if filled.value.is_some() && !criteria.contains(&criterion) {
            let label = criterion.parse::<Criterion>().map_or(Label::new("", ""), Criterion::label);
            found.push((filled.field.number, Complaint::NoCriterionFor { criterion: label }));
        }
    }
    if report.stage != ReportStage::Reclassified && !criteria.contains(&Criterion::CriticalServices.as_str())
    {
        found.push(("2.5", Complaint::NoCriticalServices));
    }
}

fn entities(report: &Report, found: &mut Complaints) {
    let parts = |number: &str| match report.value(number) {
        Some(Value::Text(text)) => Some(text.split(';').count()),
        _ => None,
    };
    if let (Some(names), Some(codes)) = (parts("1.5"), parts("1.6"))
        && names != codes
    {
        found.push(("1.5", Complaint::NamesAndCodes));
    }
}
