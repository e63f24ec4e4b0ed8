use super::*;

#[test]
fn a_row_names_a_function_and_ticks_it_as_critical() {
    let text = |text: &str| text.to_owned();
    let form = Form::filled([
        ("functions.0.name", text(" Payments ")),
        ("functions.0.critical", text("1")),
        ("functions.1.name", text(" ")),
        ("functions.1.critical", text("1")),
    ]);
    let payments = FunctionInput { name: "Payments".into(), critical: true };
    assert_eq!((function(&form, 0), function(&form, 1)), (Some(payments), None));
}

#[test]
fn countries_stand_in_the_order_of_their_names() {
    assert!(collated("Ägypten") < collated("Albanien"));
    assert!(collated("Oman") < collated("Österreich") && collated("Österreich") < collated("Pakistan"));
}

#[test]
fn amounts_are_written_as_people_do() {
    let money = |amount, currency: &str| Money { amount, currency: currency.parse().unwrap() };
    assert_eq!(major_units(money(12_345_605, "EUR"), Language::English), "123456.05");
    assert_eq!(major_units(money(12_345_605, "EUR"), Language::German), "123456,05");
    assert_eq!(major_units(money(5_000, "JPY"), Language::German), "5000");
    assert_eq!(major_units(money(0, "EUR"), Language::English), "");
}
