//! The columns of the simple table: for each the field of an arrangement that it holds, its rule, its label and its
//! instructions, its German headings, its cells in the template to fill in, and how it is read and written. A new column
//! is one entry here.

use super::{
    flat::FlatRow,
    flat_text::{annual_cost, chains, countries, filled, functions},
    problem::Rule,
};
use crate::{
    arrangement::{
        Arrangement, ArrangementInput, CostInput, Facts, FunctionInput, Place, ProviderInput, ServiceType,
        Substitutability, notice_days_of,
    },
    wording::Label,
};

/// A column of the simple table.
#[derive(Debug, Clone, Copy)]
pub struct FlatColumn {
    pub name: &'static str,
    /// What else its heading may be, folded.
    pub(crate) headings: &'static [&'static str],
    pub required: bool,
    /// The field of an arrangement, as violations name it.
    pub(super) field: &'static str,
    /// The rule that an invalid cell breaks.
    pub rule: Rule,
    pub label: Label,
    /// How to fill it.
    pub help: Label,
    pub(super) read: ReadCell,
    pub write: fn(&Arrangement) -> String,
}

/// How a cell is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReadCell {
    /// Into the input of an arrangement, which is checked as one.
    Input(fn(&mut FlatRow<'_>, &mut Draft)),
    /// Into the facts of an arrangement.
    Fact(fn(&mut FlatRow<'_>, &mut Facts)),
    /// With other cells of the row.
    Together,
}

use ReadCell::{Fact, Input, Together};

/// An arrangement whose cells are being read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) input: ArrangementInput,
    pub(super) provider: ProviderInput,
    pub(super) cost: CostInput,
    /// The critical ones first.
    pub(super) functions: Vec<FunctionInput>,
}

impl Draft {
    fn add_functions(&mut self, row: &FlatRow<'_>, critical: bool) {
        self.functions.extend(row.list().map(|name| FunctionInput { name: name.to_owned(), critical }));
    }
}

const REQUIRED: bool = true;
const OPTIONAL: bool = false;

macro_rules! columns {
    ($(
        $name:literal: $field:literal, $required:ident, $rule:ident,
        $label_en:literal, $label_de:literal, $help_en:literal, $help_de:literal,
        [$($heading:literal),*], [$one:literal, $two:literal], $read:expr, $write:expr;
    )*) => {
        pub const FLAT_COLUMNS: [FlatColumn; [$($name),*].len()] = [$(FlatColumn {
            name: $name,
            headings: &[$($heading),*],
            required: $required,
            field: $field,
            rule: Rule::$rule,
            label: Label::new($label_en, $label_de),
            help: Label::new($help_en, $help_de),
            read: $read,
            write: $write,
        }),*];

        /// The template to download, fill in and import.
        pub const FLAT_TEMPLATE: &str =
            concat!(line!($($name),*), line!($($one),*), line!($($two),*));
    };
}

macro_rules! line {
    ($first:literal $(, $cell:literal)*) => { concat!($first $(, ",", $cell)*, "\n") };
}

columns! {
    "reference": "reference", REQUIRED, Text,
        "Reference", "Referenz",
        "write the contract's own number, each once",
        "bitte das eigene Kennzeichen des Vertrags schreiben, jedes einmal",
        ["vertragsnummer", "kennzeichen", "referenz"],
        ["C-2026-001", "C-2026-002"],
        Input(|row, draft| draft.input.reference = row.given()),
        |entry| entry.contract.reference.to_string();
    "provider_name": "provider.name", REQUIRED, Text,
        "Provider name", "Dienstleister",
        "write the legal name of the provider",
        "bitte den rechtlichen Namen des Dienstleisters schreiben",
        ["dienstleister", "anbieter", "name_des_dienstleisters"],
        ["Example Cloud Ireland Ltd", "Example Networks GmbH"],
        Input(|row, draft| draft.provider.name = row.given()),
        |entry| entry.contract.provider.name.to_string();
    "provider_lei": "provider.lei", OPTIONAL, Lei,
        "Provider LEI", "LEI des Dienstleisters",
        "write the 20 characters of the LEI, or leave it empty",
        "bitte die 20 Zeichen des LEI schreiben oder leer lassen",
        ["lei", "lei_des_dienstleisters"],
        ["", ""],
        Input(|row, draft| draft.provider.lei = row.given()),
        |entry| filled(entry.contract.provider.lei);
    "provider_country": "provider.country", REQUIRED, Country,
        "Provider country", "Land des Dienstleisters",
        "write the country of the headquarters, like DE",
        "bitte das Land des Hauptsitzes schreiben, etwa DE",
        ["land_des_dienstleisters", "land"],
        ["IE", "DE"],
        Input(|row, draft| draft.provider.country = row.given()),
        |entry| entry.contract.provider.country.to_string();
    "provider_sector": "provider.sector", REQUIRED, Text,
        "Provider sector", "Branche des Dienstleisters",
        "write the provider's line of business, like Cloud",
        "bitte die Branche des Dienstleisters schreiben, etwa Cloud",
        ["branche", "branche_des_dienstleisters"],
        ["Cloud", "Telecommunications"],
        Input(|row, draft| draft.provider.sector = row.given()),
        |entry| entry.contract.provider.sector.to_string();
    "parent_name": "ultimate_parent", OPTIONAL, Text,
        "Parent name", "Konzernspitze",
        "write the undertaking at the top of the provider's group",
        "bitte das Unternehmen an der Spitze der Gruppe des Dienstleisters schreiben",
        ["konzernspitze", "mutterunternehmen"],
        ["Example Cloud Inc.", ""],
        Together,
        |entry| filled(entry.facts.ultimate_parent.as_ref().map(|parent| &parent.name));
    "parent_lei": "ultimate_parent", OPTIONAL, Lei,
        "Parent LEI", "LEI der Konzernspitze",
        "write the LEI of that undertaking, or leave it empty",
        "bitte den LEI dieses Unternehmens schreiben oder leer lassen",
        ["lei_der_konzernspitze", "lei_des_mutterunternehmens"],
        ["", ""],
        Together,
        |entry| filled(entry.facts.ultimate_parent.as_ref().and_then(|parent| parent.lei));
    "service": "service", REQUIRED, Text,
        "Service", "Dienst",
        "write what is provided",
        "bitte schreiben, was erbracht wird",
        ["dienst", "dienstleistung"],
        ["Hosting of the core banking system", "Branch network"],
        Input(|row, draft| draft.input.service = row.given()),
        |entry| entry.contract.service.to_string();
    "service_type": "service_type", REQUIRED, CodeList,
        "Service type", "Art des Dienstes",
        "write S01 to S19",
        "bitte S01 bis S19 schreiben",
        ["art_des_dienstes", "art_der_dienstleistung"],
        ["S17", "S11"],
        Input(|row, draft| draft.input.service_type = row.word::<ServiceType>()),
        |entry| entry.contract.service_type.to_string();
    "technology": "technology", REQUIRED, Text,
        "Technology", "Technologie",
        "write the technology the service rests on",
        "bitte die Technologie schreiben, auf der die Dienstleistung beruht",
        ["technologie"],
        ["Virtual machines", "MPLS"],
        Input(|row, draft| draft.input.technology = row.given()),
        |entry| entry.contract.technology.to_string();
    "region": "region", REQUIRED, Text,
        "Region", "Region",
        "write where the service runs",
        "bitte schreiben, wo die Dienstleistung läuft",
        [],
        ["Dublin", "Frankfurt"],
        Input(|row, draft| draft.input.region = row.given()),
        |entry| entry.contract.region.to_string();
    "critical_functions": "functions", OPTIONAL, Text,
        "Critical functions", "Kritische Funktionen",
        "write the critical or important functions, separated by |",
        "bitte die kritischen oder wichtigen Funktionen schreiben, durch | getrennt",
        ["kritische_funktionen"],
        ["Payments|Core banking", ""],
        Input(|row, draft| draft.add_functions(row, true)),
        |entry| functions(entry, true);
    "other_functions": "functions", OPTIONAL, Text,
        "Other functions", "Weitere Funktionen",
        "write the other functions, separated by |",
        "bitte die übrigen Funktionen schreiben, durch | getrennt",
        ["weitere_funktionen", "andere_funktionen", "übrige_funktionen"],
        ["Intranet", "Branches"],
        Input(|row, draft| draft.add_functions(row, false)),
        |entry| functions(entry, false);
    "substitutability": "substitutability", REQUIRED, CodeList,
        "Substitutability", "Ersetzbarkeit",
        "write easy, medium, hard or impossible",
        "bitte leicht, mittel, schwer oder unmöglich schreiben",
        ["ersetzbarkeit"],
        ["hard", "easy"],
        Input(|row, draft| draft.input.substitutability = row.word::<Substitutability>()),
        |entry| entry.contract.substitutability.to_string();
    "exit_plan": "exit_plan", OPTIONAL, CodeList,
        "Exit plan", "Ausstiegsplan",
        "write yes or no, or leave it empty",
        "bitte ja oder nein schreiben oder leer lassen",
        ["ausstiegsplan"],
        ["yes", "no"],
        Fact(|row, facts| facts.exit_plan = row.yes_or_no()),
        |entry| entry.facts.exit_plan.map_or("", |plan| if plan { "yes" } else { "no" }).to_owned();
    "annual_cost": "annual_cost.amount", REQUIRED, Amount,
        "Annual cost", "Jährliche Kosten",
        "write the cost of a year above zero, like 125000.00",
        "bitte die Kosten eines Jahres über null schreiben, etwa 125.000,00",
        ["jährliche_kosten", "kosten"],
        ["125000.00", "18000"],
        Input(|row, draft| draft.cost.amount = row.amount()),
        |entry| annual_cost(entry.contract.annual_cost);
    "currency": "annual_cost.currency", REQUIRED, Currency,
        "Currency", "Währung",
        "write the currency of the cost, like EUR",
        "bitte die Währung der Kosten schreiben, etwa EUR",
        ["währung"],
        ["EUR", "EUR"],
        Input(|row, draft| draft.cost.currency = row.given()),
        |entry| entry.contract.annual_cost.money().currency.to_string();
    "starts_on": "starts_on", REQUIRED, Date,
        "Starts on", "Beginnt am",
        "write the first day, like 2026-01-31",
        "bitte den ersten Tag schreiben, etwa 31.01.2026",
        ["beginnt_am", "beginn"],
        ["2026-01-01", "2025-07-01"],
        Input(|row, draft| draft.input.starts_on = row.day()),
        |entry| entry.contract.starts_on.to_string();
    "ends_on": "ends_on", OPTIONAL, Date,
        "Ends on", "Endet am",
        "write the last day, or leave it empty",
        "bitte den letzten Tag schreiben oder leer lassen",
        ["endet_am", "ende"],
        ["", "2028-06-30"],
        Input(|row, draft| draft.input.ends_on = row.day()),
        |entry| filled(entry.contract.ends_on);
    "notice_days": "notice_days", OPTIONAL, Number,
        "Notice days", "Kündigungsfrist in Tagen",
        "write how many days before the end notice has to be given, or leave it empty",
        "bitte schreiben, wie viele Tage vor dem Ende gekündigt werden muss, oder leer lassen",
        ["kündigungsfrist", "kündigungsfrist_in_tagen"],
        ["", "90"],
        Fact(|row, facts| facts.notice_days = row.parsed_by(notice_days_of)),
        |entry| filled(entry.facts.notice_days);
    "provision_countries": "places.provision", OPTIONAL, Country,
        "Provision countries", "Länder der Erbringung",
        "write the countries the service comes from, like DE|IE",
        "bitte die Länder schreiben, aus denen die Dienstleistung kommt, etwa DE|IE",
        ["länder_der_erbringung"],
        ["IE", "DE"],
        Fact(|row, facts| row.add_places(Place::Provision, facts)),
        |entry| countries(entry, Place::Provision);
    "storage_countries": "places.storage", OPTIONAL, Country,
        "Storage countries", "Länder der Speicherung",
        "write the countries data is stored in, like DE|IE",
        "bitte die Länder schreiben, in denen Daten gespeichert werden, etwa DE|IE",
        ["länder_der_speicherung", "speicherländer"],
        ["DE|IE", ""],
        Fact(|row, facts| row.add_places(Place::Storage, facts)),
        |entry| countries(entry, Place::Storage);
    "processing_countries": "places.processing", OPTIONAL, Country,
        "Processing countries", "Länder der Verarbeitung",
        "write the countries data is processed in, like DE|IE",
        "bitte die Länder schreiben, in denen Daten verarbeitet werden, etwa DE|IE",
        ["länder_der_verarbeitung", "verarbeitungsländer"],
        ["IE", ""],
        Fact(|row, facts| row.add_places(Place::Processing, facts)),
        |entry| countries(entry, Place::Processing);
    "subcontractors": "supply_chain", OPTIONAL, Text,
        "Subcontractors", "Unterauftragnehmer",
        "write each chain as first > second, chains separated by |",
        "bitte jede Kette als erster > zweiter schreiben, Ketten durch | getrennt",
        ["unterauftragnehmer", "lieferkette"],
        ["Example Datacentres SARL > Example Power SA", ""],
        Together,
        |entry| chains(&entry.facts.chain, &entry.contract.direct_provider());
}
