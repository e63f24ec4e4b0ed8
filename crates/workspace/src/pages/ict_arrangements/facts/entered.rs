//! Converts the form to domain input, and assigns violations to the fields of the form.

use std::collections::HashMap;

use domain::{
    arrangement::{FactsInput, PartyInput, Place, PlacesInput, StepInput},
    change::Change,
    violation::{Complaint, FieldComplaint, FieldName},
};

use super::{ROW, place_field, row_field, rows};
use crate::form::Form;

/// The filled rows of the form, by their numbers.
fn steps(form: &Form) -> Vec<(usize, StepInput)> {
    let value = |row, part: &str| form.value(&row_field(row, part)).trim().to_owned();
    let some = |text: String| (!text.is_empty()).then_some(text);
    let known: HashMap<String, Option<String>> =
        (0..rows(form)).map(|row| (value(row, "supplier"), some(value(row, "lei")))).collect();
    let filled = |row: &usize| ROW.iter().any(|(part, _)| !value(*row, part).is_empty());
    (0..rows(form))
        .filter(filled)
        .map(|row| {
            let recipient = some(value(row, "recipient"));
            // A recipient is the supplier of another row: the same company with the same identifier.
            let recipient =
                recipient.map(|name| PartyInput { lei: known.get(&name).cloned().flatten(), name });
            let supplier = PartyInput { name: value(row, "supplier"), lei: some(value(row, "lei")) };
            (row, StepInput { supplier, recipient })
        })
        .collect()
}

pub(super) fn input(form: &mut Form) -> FactsInput {
    let exit_plan = match form.value("exit_plan") {
        "" => Change::Clear,
        "yes" => Change::Set(true),
        "no" => Change::Set(false),
        _ => {
            form.complain("exit_plan", FieldComplaint::NotYesOrNo);
            Change::Keep
        }
    };
    let name = form.value("ultimate_parent.name").trim().to_owned();
    let lei = Some(form.value("ultimate_parent.lei").trim().to_owned()).filter(|lei| !lei.is_empty());
    let ultimate_parent =
        if name.is_empty() && lei.is_none() { Change::Clear } else { Change::Set(PartyInput { name, lei }) };
    let list = |place| Change::Set(countries_of(form, place));
    let places = Change::Set(PlacesInput {
        provision: list(Place::Provision),
        storage: list(Place::Storage),
        processing: list(Place::Processing),
    });
    let supply_chain = Change::Set(steps(form).into_iter().map(|(_, step)| step).collect());
    FactsInput { exit_plan, notice_days: form.decimal("notice_days"), places, supply_chain, ultimate_parent }
}

/// Codes with or without commas, in any letter case.
fn countries_of(form: &Form, place: Place) -> Vec<String> {
    let apart = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let words = form.value(place_field(place)).split(apart).filter(|word| !word.is_empty());
    words.map(str::to_uppercase).collect()
}

/// The field of this form for a violation, with the remaining message.
pub(super) fn placed(form: &Form, field: &str, complaint: &Complaint) -> (String, Complaint) {
    if let ("ultimate_parent", Complaint::Part { part, complaint }) = (field, complaint) {
        return (format!("ultimate_parent.{part}"), (**complaint).clone());
    }
    let Complaint::Item { number, complaint: inner } = complaint else {
        return (field.to_owned(), complaint.clone());
    };
    let index = number.saturating_sub(1);
    if let Some(place) = Place::ALL.iter().find(|place| place_field(**place) == field) {
        let code = countries_of(form, *place).get(index).cloned().unwrap_or_default();
        return (field.to_owned(), Complaint::about(code, (**inner).clone()));
    }
    if field == "supply_chain"
        && let Some((row, _)) = steps(form).get(index)
    {
        let (part, inner) = match &**inner {
            Complaint::Part { part: FieldName::SupplierName, complaint } => ("supplier", complaint),
            Complaint::Part { part: FieldName::SupplierLei, complaint } => ("lei", complaint),
            Complaint::Part { part: _, complaint } => ("recipient", complaint),
            _ => ("recipient", inner),
        };
        return (row_field(*row, part), (**inner).clone());
    }
    (field.to_owned(), complaint.clone())
}

#[cfg(test)]
mod tests {
    use domain::{country::NotACountry, text::TextError, violation::RecordComplaint};

    use super::*;

    fn form(pairs: &[(&str, &str)]) -> Form {
        Form::filled(pairs.iter().map(|(name, value)| (*name, (*value).to_owned())))
    }

    #[test]
    fn empty_rows_say_nothing_and_a_recipient_keeps_its_identifier() {
        let form = form(&[
            ("rows", "5"),
            ("chain.1.supplier", "Rhein RZ"),
            ("chain.1.lei", "529900T8BM49AURSDO55"),
            ("chain.4.supplier", "Stromwerk"),
            ("chain.4.recipient", "Rhein RZ"),
        ]);
        let steps = steps(&form);
        assert_eq!(steps.iter().map(|(row, _)| *row).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(steps[0].1.recipient, None);
        let recipient = steps[1].1.recipient.clone().unwrap();
        assert_eq!(recipient.lei.as_deref(), Some("529900T8BM49AURSDO55"));
    }

    #[test]
    fn complaints_find_their_field() {
        let form = form(&[("rows", "4"), ("chain.2.lei", "X"), ("places.storage", "de, Germany")]);
        let at = |field, complaint| placed(&form, field, &complaint);
        let part = |part, error| Complaint::item(0, Complaint::part(part, error));
        assert_eq!(at("supply_chain", part(FieldName::SupplierName, TextError::Empty)).0, "chain.2.supplier");
        assert_eq!(at("supply_chain", part(FieldName::SupplierLei, TextError::Empty)).0, "chain.2.lei");
        let loose = RecordComplaint::LooseStep { recipient: "X".into() };
        assert_eq!(at("supply_chain", Complaint::item(0, loose)).0, "chain.2.recipient");
        let circle = RecordComplaint::Circle { path: "X → X".into() };
        assert_eq!(at("supply_chain", circle.into()).0, "supply_chain");
        assert_eq!(
            at("ultimate_parent", Complaint::part(FieldName::Lei, TextError::Empty)),
            ("ultimate_parent.lei".into(), TextError::Empty.into())
        );
        let (field, wrong) = at("places.storage", Complaint::item(1, NotACountry));
        assert_eq!(field, "places.storage");
        assert!(wrong.to_string().starts_with("GERMANY must be a country"), "{wrong}");
    }
}
