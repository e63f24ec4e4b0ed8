//! The columns of the simple table, each with its rule and its instructions, and the template.

use super::problem::Rule;
use crate::wording::Label;

/// A column of the simple table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatColumn {
    pub name: &'static str,
    pub required: bool,
    pub(super) rule: Rule,
    /// How to fill it.
    pub help: Label,
}

const fn column(name: &'static str, required: bool, rule: Rule, help: Label) -> FlatColumn {
    FlatColumn { name, required, rule, help }
}

pub const FLAT_COLUMNS: [FlatColumn; 24] = [
    column(
        "reference",
        true,
        Rule::Text,
        Label::new(
            "write the contract's own number, each once",
            "bitte das eigene Kennzeichen des Vertrags schreiben, jedes einmal",
        ),
    ),
    column(
        "provider_name",
        true,
        Rule::Text,
        Label::new(
            "write the legal name of the provider",
            "bitte den rechtlichen Namen des Dienstleisters schreiben",
        ),
    ),
    column(
        "provider_lei",
        false,
        Rule::Lei,
        Label::new(
            "write the 20 characters of the LEI, or leave it empty",
            "bitte die 20 Zeichen des LEI schreiben oder leer lassen",
        ),
    ),
    column(
        "provider_country",
        true,
        Rule::Country,
        Label::new(
            "write the country of the headquarters, like DE",
            "bitte das Land des Hauptsitzes schreiben, etwa DE",
        ),
    ),
    column(
        "provider_sector",
        true,
        Rule::Text,
        Label::new(
            "write the provider's line of business, like Cloud",
            "bitte die Branche des Dienstleisters schreiben, etwa Cloud",
        ),
    ),
    column(
        "parent_name",
        false,
        Rule::Text,
        Label::new(
            "write the undertaking at the top of the provider's group",
            "bitte das Unternehmen an der Spitze der Gruppe des Dienstleisters schreiben",
        ),
    ),
    column(
        "parent_lei",
        false,
        Rule::Lei,
        Label::new(
            "write the LEI of that undertaking, or leave it empty",
            "bitte den LEI dieses Unternehmens schreiben oder leer lassen",
        ),
    ),
    column(
        "service",
        true,
        Rule::Text,
        Label::new("write what is provided", "bitte schreiben, was erbracht wird"),
    ),
    column(
        "service_type",
        true,
        Rule::CodeList,
        Label::new("write S01 to S19", "bitte S01 bis S19 schreiben"),
    ),
    column(
        "technology",
        true,
        Rule::Text,
        Label::new(
            "write the technology the service rests on",
            "bitte die Technologie schreiben, auf der die Dienstleistung beruht",
        ),
    ),
    column(
        "region",
        true,
        Rule::Text,
        Label::new("write where the service runs", "bitte schreiben, wo die Dienstleistung läuft"),
    ),
    column(
        "critical_functions",
        false,
        Rule::Text,
        Label::new(
            "write the critical or important functions, separated by |",
            "bitte die kritischen oder wichtigen Funktionen schreiben, durch | getrennt",
        ),
    ),
    column(
        "other_functions",
        false,
        Rule::Text,
        Label::new(
            "write the other functions, separated by |",
            "bitte die übrigen Funktionen schreiben, durch | getrennt",
        ),
    ),
    column(
        "substitutability",
        true,
        Rule::CodeList,
        Label::new(
            "write easy, medium, hard or impossible",
            "bitte leicht, mittel, schwer oder unmöglich schreiben",
        ),
    ),
    column(
        "exit_plan",
        false,
        Rule::CodeList,
        Label::new("write yes or no, or leave it empty", "bitte ja oder nein schreiben oder leer lassen"),
    ),
    column(
        "annual_cost",
        true,
        Rule::Amount,
        Label::new(
            "write the cost of a year above zero, like 125000.00",
            "bitte die Kosten eines Jahres über null schreiben, etwa 125.000,00",
        ),
    ),
    column(
        "currency",
        true,
        Rule::Currency,
        Label::new(
            "write the currency of the cost, like EUR",
            "bitte die Währung der Kosten schreiben, etwa EUR",
        ),
    ),
    column(
        "starts_on",
        true,
        Rule::Date,
        Label::new("write the first day, like 2026-01-31", "bitte den ersten Tag schreiben, etwa 31.01.2026"),
    ),
    column(
        "ends_on",
        false,
        Rule::Date,
        Label::new(
            "write the last day, or leave it empty",
            "bitte den letzten Tag schreiben oder leer lassen",
        ),
    ),
    column(
        "notice_days",
        false,
        Rule::Number,
        Label::new(
            "write how many days before the end notice has to be given, or leave it empty",
            "bitte schreiben, wie viele Tage vor dem Ende gekündigt werden muss, oder leer lassen",
        ),
    ),
    column(
        "provision_countries",
        false,
        Rule::Country,
        Label::new(
            "write the countries the service comes from, like DE|IE",
            "bitte die Länder schreiben, aus denen die Dienstleistung kommt, etwa DE|IE",
        ),
    ),
    column(
        "storage_countries",
        false,
        Rule::Country,
        Label::new(
            "write the countries data is stored in, like DE|IE",
            "bitte die Länder schreiben, in denen Daten gespeichert werden, etwa DE|IE",
        ),
    ),
    column(
        "processing_countries",
        false,
        Rule::Country,
        Label::new(
            "write the countries data is processed in, like DE|IE",
            "bitte die Länder schreiben, in denen Daten verarbeitet werden, etwa DE|IE",
        ),
    ),
    column(
        "subcontractors",
        false,
        Rule::Text,
        Label::new(
            "write each chain as first > second, chains separated by |",
            "bitte jede Kette als erster > zweiter schreiben, Ketten durch | getrennt",
        ),
    ),
];

/// The template to download, fill in and import.
pub const FLAT_TEMPLATE: &str = "\
reference,provider_name,provider_lei,provider_country,provider_sector,parent_name,parent_lei,service,service_type,\
technology,region,critical_functions,other_functions,substitutability,exit_plan,annual_cost,currency,starts_on,\
ends_on,notice_days,provision_countries,storage_countries,processing_countries,subcontractors
C-2026-001,Example Cloud Ireland Ltd,,IE,Cloud,Example Cloud Inc.,,Hosting of the core banking system,S17,\
Virtual machines,Dublin,Payments|Core banking,Intranet,hard,yes,125000.00,EUR,2026-01-01,,,IE,DE|IE,IE,\
Example Datacentres SARL > Example Power SA
C-2026-002,Example Networks GmbH,,DE,Telecommunications,,,Branch network,S11,MPLS,Frankfurt,,Branches,easy,no,\
18000,EUR,2025-07-01,2028-06-30,90,DE,,,
";
