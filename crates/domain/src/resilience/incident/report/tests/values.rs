//! Values as a person enters them.

use super::*;

#[test]
fn entered_values_are_read_strictly() {
    let refused = |number: &str, json: Json| {
        let entered = Map::from_iter([(number.to_owned(), json)]);
        let (values, complaints) = Values::read(&entered, Currency::EUR);
        assert_eq!(values, Values::default());
        complaints[0].1.to_string()
    };
    assert_eq!(refused("9.9", json!("x")), "is no field of the report");
    assert_eq!(refused("3.4", json!(-1)), "must not be negative");
    assert_eq!(refused("3.4", json!(1.5)), "must be a whole number");
    assert_eq!(refused("3.5", json!("2,4 %")), "must be a percentage like 2.4, without the sign");
    assert_eq!(
        refused("3.15", json!("1:24:00")),
        "must be days, hours and minutes like 02:13:45, at most 999 days"
    );
    assert_eq!(
        refused("1.9", json!("069 1234567")),
        "must be a telephone number with its international prefix, like +49 69 1234567"
    );
    assert_eq!(
        refused("2.7", json!("crystal_ball")),
        "offers no answer crystal_ball: choose one of the official list"
    );
    assert_eq!(refused("2.7", json!(7)), "must be of this kind: choice");
    assert_eq!(
        refused("1.6", json!("529900T8BM49AURSDO54")),
        "has the LEI check digits 54 where its first 18 characters give 55: correct the typing error"
    );
    assert_eq!(refused("4.13", json!("12.345")), "must have at most 2 decimals, as its currency has");
    assert_eq!(refused("3.2", json!("2026-02-30T00:00:00Z")), "must be a time like 2026-11-14T09:30:00Z");
    assert_eq!(refused("2.4", json!("x".repeat(MAX_TEXT + 1))), "must be at most 32767 characters long");
    assert!(refused("1.8", json!("incident")).contains('@'));
    let percent = |text: &str| read(&json!({"3.5": text})).get("3.5").cloned();
    assert_eq!(percent("2.44"), Some(Value::Percent(24)));
    assert_eq!(percent("2.45"), Some(Value::Percent(25)), "half up");
    assert_eq!(Value::share(1, 3), Some(Value::Percent(333)));
    assert_eq!(Value::share(1, 2000), Some(Value::Percent(1)), "0.05 rounds up to 0.1");
    assert_eq!(Value::share(1, 0), None);
}

#[test]
fn every_kind_of_financial_entity_has_its_answer() {
    let known =
        crate::entity_kind::EntityKind::ALL.iter().filter(|kind| entity_type(**kind).is_some()).count();
    assert_eq!(known, 21, "the two exempted kinds of field 1.4 are no kinds of their own here");
}
