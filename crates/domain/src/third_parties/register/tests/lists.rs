//! The lists and columns in the code against the published ones.

use std::collections::BTreeSet;

use crate::{
    arrangement::ServiceType,
    country::Country,
    currency::Currency,
    register::{
        Column, Template,
        codes::{
            Assessed, CodeKind, ContractKind, EntityKind, Hierarchy, Impact, Obstacle, PersonKind,
            Reintegration, Reliance, Replaceability, Sensitiveness, Termination, YesNo,
        },
        notice::is_listed,
    },
};

fn list(name: &str) -> BTreeSet<String> {
    let columns = Template::ALL.into_iter().flat_map(Template::columns);
    let list = columns.filter_map(Column::list).find(|list| list.name == name).unwrap();
    list.options.iter().map(|(code, _)| (*code).to_owned()).collect()
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
        assert_eq!(is_listed(currency), listed, "{currency}");
    }
    assert!(published.contains(Currency::OTHER));
    assert_eq!(Currency::all().filter(|currency| !is_listed(*currency)).count(), 12);
}
