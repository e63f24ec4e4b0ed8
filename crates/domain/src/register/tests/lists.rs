//! The closed lists and the columns in the code against the published ones.

use std::collections::BTreeSet;

use crate::{
    arrangement::ServiceType,
    country::Country,
    currency::Currency,
    register::{
        Need, Template,
        codes::{
            Assessed, CodeKind, ContractKind, EntityKind, Hierarchy, Impact, Obstacle, PersonKind,
            Reintegration, Reliance, Replaceability, Sensitiveness, Termination, YesNo, is_licensed_activity,
        },
    },
};

/// The rows below the note of the source and the headings.
fn published(text: &str) -> Vec<Vec<String>> {
    let mut reader =
        ::csv::ReaderBuilder::new().comment(Some(b'#')).has_headers(true).from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn list(name: &str) -> BTreeSet<String> {
    let rows = published(include_str!("closed_lists.csv"));
    let codes: BTreeSet<_> =
        rows.into_iter().filter(|row| row[0] == name).map(|row| row[1].clone()).collect();
    assert!(!codes.is_empty(), "{name}");
    codes
}

fn codes<'c>(known: impl Iterator<Item = &'c str>) -> BTreeSet<String> {
    known.map(str::to_owned).collect()
}

#[test]
fn every_closed_list_is_the_published_one() {
    macro_rules! same {
        ($($name:literal $list:ident)*) => {$(
            assert_eq!(codes($list::ALL.iter().map(|each| each.code())), list($name), $name);
        )*};
    }
    same! {
        "entity_kind_scope" EntityKind
        "group_role" Hierarchy
        "arrangement_type" ContractKind
        "termination_reason" Termination
        "sensitiveness" Sensitiveness
        "reliance" Reliance
        "person_type" PersonKind
        "yes_no" YesNo
        "yes_no_assessment" Assessed
        "impact" Impact
        "substitutability" Replaceability
        "substitutability_reason" Obstacle
        "reintegration" Reintegration
        "identification_code_type" CodeKind
    }
    let maintainers = EntityKind::ALL.iter().filter(|kind| kind.may_maintain());
    assert_eq!(codes(maintainers.map(|kind| kind.code())), list("entity_kind_maintainer"));
    let services: BTreeSet<_> =
        ServiceType::ALL.iter().map(|service| format!("eba_TA:{}", service.as_str())).collect();
    assert_eq!(services, list("ict_service_type"));
}

#[test]
fn exactly_the_published_activities_are_licensed() {
    let published = list("licensed_activity");
    for number in 0..=400 {
        for code in [format!("eba_TA:x{number}"), format!("eba_TA:qx{number}")] {
            assert_eq!(is_licensed_activity(&code), published.contains(&code), "{code}");
        }
    }
    assert_eq!(published.len(), 131);
}

#[test]
fn countries_are_the_published_ones_and_their_other() {
    let mut ours: BTreeSet<_> = Country::all().map(|country| format!("eba_GA:{country}")).collect();
    ours.insert("eba_GA:x28".to_owned());
    assert_eq!(ours, list("countries"));
}

#[test]
fn currencies_the_published_list_lacks_are_known() {
    let published = list("currencies");
    for currency in Currency::all() {
        let listed = published.contains(&format!("eba_CU:{currency}"));
        assert_eq!(currency.is_listed(), listed, "{currency}");
    }
    assert!(published.contains(Currency::OTHER));
    assert_eq!(Currency::all().filter(|currency| !currency.is_listed()).count(), 12);
}

#[test]
fn columns_are_asked_for_as_the_regulation_does() {
    let published = published(include_str!("template_columns.csv"));
    for template in Template::read() {
        let rows: Vec<_> = published.iter().filter(|row| row[0] == template.id()).collect();
        let numbers: Vec<_> = rows.iter().map(|row| row[1].clone()).collect();
        let ours: Vec<_> = template.columns().iter().map(|column| format!("c{:04}", column.number)).collect();
        assert_eq!(ours, numbers, "{template}");
        for (column, row) in template.columns().iter().zip(rows) {
            let fits = match row[3].as_str() {
                "mandatory" => column.need != Need::Optional,
                _ => true,
            };
            assert!(fits, "{template} {} is {}", row[1], row[3]);
        }
    }
}
