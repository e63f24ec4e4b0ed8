//! An ICT arrangement: who provides which service for which functions, at what cost. It is the flat record that users
//! maintain and the analysis reads.
//!
//! The official register contains more (entities, groups, supply chains, assessments): see `register`.

mod facts;
mod input;
mod service_type;

pub(crate) use facts::notice_days_of;
pub use facts::{
    Facts, FactsInput, MOST_NOTICE_DAYS, Party, PartyInput, Place, PlacesInput, StepInput, SupplyStep,
};
pub use input::{ArrangementInput, CostInput, FunctionInput, ProviderInput};
pub use service_type::{ServiceFamily, ServiceType};

use std::collections::BTreeSet;

use crate::{
    country::Country,
    currency::Currency,
    field::fields,
    identifier::{Id, Identified},
    lei::Lei,
    moment::Day,
    money::{MAX_AMOUNT, Money},
    term::Term,
    tone::Tone,
    vocabulary::vocabulary,
    wording::sentences,
    words::words_of,
};

/// Who provides the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    pub name: Term,
    pub lei: Option<Lei>,
    /// The country of the provider's headquarters.
    pub country: Country,
    pub sector: Term,
}

/// A function of the bank that depends on the arrangement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportedFunction {
    pub name: Term,
    /// Critical or important in the sense of DORA Art. 3(22).
    pub critical: bool,
}

vocabulary! {
    /// How hard it would be to replace the provider, in ascending order of risk.
    Substitutability {
        Easy = "easy" ("Easy", "Leicht"),
        Medium = "medium" ("Medium", "Mittel"),
        Hard = "hard" ("Hard", "Schwer"),
        Impossible = "impossible" ("Impossible", "Unmöglich"),
    }
}

impl Substitutability {
    pub fn tone(self) -> Tone {
        match self {
            Self::Easy => Tone::Good,
            Self::Medium => Tone::Notice,
            Self::Hard => Tone::Warning,
            Self::Impossible => Tone::Critical,
        }
    }
}

vocabulary! {
    /// The orders of a list of arrangements: a field, with a minus sign for descending. The first is the default.
    ArrangementSort {
        Reference = "reference" ("Reference", "Vertragsnummer"),
        Newest = "-created_at" ("Newest first", "Neueste zuerst"),
        Costliest = "-annual_cost" ("Costliest first", "Teuerste zuerst"),
    }
}

impl Substitutability {
    /// The bank cannot leave in reasonable time: DORA Art. 29(1)(a).
    pub fn is_locked_in(self) -> bool {
        self >= Self::Hard
    }
}

/// What the arrangement costs a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnualCost {
    /// Above zero.
    Own(Money),
    /// Zero, because the official register gives the expense of a framework and its orders with only one of them.
    Elsewhere(Currency),
}

sentences! {
    /// Violations of an arrangement.
    ArrangementComplaint {
        NoticeDays =
            "must be a whole number of days from 0 to 1825, which is five years",
            "muss eine ganze Zahl von Tagen zwischen 0 und 1825 (fünf Jahre) sein";
        ReferenceTaken { other: ArrangementId } =
            "is used by {other} already: give every arrangement its own",
            "ist schon an {other} vergeben: bitte jeder Vereinbarung ein eigenes Kennzeichen geben";
    }
}

sentences! {
    /// Why an amount is no valid annual cost.
    #[derive(Copy)]
    BadCost {
        Zero =
            "must be above zero: enter an estimate when there is no invoice yet",
            "muss größer als null sein: ohne Rechnung bitte eine Schätzung eintragen";
        Negative =
            "must not be negative: enter what the bank pays, not what it receives",
            "darf nicht negativ sein: bitte eintragen, was die Bank zahlt, nicht was sie erhält";
        TooLarge =
            "must be at most {MAX_AMOUNT} minor units",
            "darf höchstens {MAX_AMOUNT} der kleinsten Währungseinheit betragen";
    }
}

impl AnnualCost {
    pub fn own(money: Money) -> Result<Self, BadCost> {
        match money.amount {
            ..0 => Err(BadCost::Negative),
            0 => Err(BadCost::Zero),
            1..=MAX_AMOUNT => Ok(Self::Own(money)),
            _ => Err(BadCost::TooLarge),
        }
    }

    /// A stored cost: zero can only have been stored for a cost given elsewhere.
    pub fn stored(money: Money) -> Result<Self, BadCost> {
        match Self::own(money) {
            Err(BadCost::Zero) => Ok(Self::Elsewhere(money.currency)),
            cost => cost,
        }
    }

    pub fn money(self) -> Money {
        match self {
            Self::Own(money) => money,
            Self::Elsewhere(currency) => Money { amount: 0, currency },
        }
    }
}

/// The content of an arrangement, without its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangement {
    pub contract: Contract,
    pub facts: Facts,
}

pub type ArrangementId = Id<Arrangement>;

impl Identified for Arrangement {
    const PREFIX: &'static str = "arr";
}

fields! {
    /// The fields of an arrangement.
    Arrangement {
        REFERENCE = "reference" ("Contract reference", "Vertragsnummer"),
        PROVIDER = "provider.name" ("Provider", "Dienstleister"),
        LEI = "provider.lei" ("LEI", "LEI"),
        COUNTRY = "provider.country" ("Country of the provider", "Land des Dienstleisters"),
        SECTOR = "provider.sector" ("Sector", "Branche"),
        SERVICE = "service" ("Service", "Dienst"),
        SERVICE_TYPE = "service_type" ("Type of service", "Art des Dienstes"),
        TECHNOLOGY = "technology" ("Technology", "Technologie"),
        REGION = "region" ("Region", "Region"),
        FUNCTIONS = "functions" ("Functions it supports", "Unterstützte Funktionen"),
        SUBSTITUTABILITY = "substitutability" ("Substitutability", "Ersetzbarkeit"),
        ANNUAL_COST = "annual_cost" ("Annual cost", "Jährliche Kosten"),
        AMOUNT = "annual_cost.amount" ("Annual cost", "Jährliche Kosten"),
        CURRENCY = "annual_cost.currency" ("Currency", "Währung"),
        STARTS_ON = "starts_on" ("Starts on", "Beginnt am"),
        ENDS_ON = "ends_on" ("Ends on", "Endet am"),
        EXIT_PLAN = "exit_plan" ("Exit plan", "Ausstiegsplan"),
        NOTICE_DAYS = "notice_days" ("Notice period in days", "Kündigungsfrist in Tagen"),
        PLACES = "places" ("Places", "Orte"),
        SUPPLY_CHAIN = "supply_chain" ("Supply chain", "Lieferkette"),
        PARENT = "ultimate_parent" ("Head of its group", "Konzernspitze"),
        PARENT_NAME = "ultimate_parent.name" ("Head of its group", "Konzernspitze"),
        PARENT_LEI = "ultimate_parent.lei" ("LEI of the head of its group", "LEI der Konzernspitze"),
    }
}

/// What is agreed with the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    /// The bank's own number for the contract.
    pub reference: Term,
    pub provider: Provider,
    pub service: Term,
    pub service_type: ServiceType,
    pub technology: Term,
    pub region: Term,
    pub functions: Vec<SupportedFunction>,
    pub substitutability: Substitutability,
    pub annual_cost: AnnualCost,
    pub starts_on: Day,
    /// The last day; `None` if it runs until terminated.
    pub ends_on: Option<Day>,
}

impl Contract {
    /// The direct provider as a member of the supply chain.
    pub fn direct_provider(&self) -> Party {
        Party { name: self.provider.name.clone(), lei: self.provider.lei }
    }

    /// The text that the list is searched by: the folded words in alphabetical order, each with a space before it.
    pub fn words(&self) -> String {
        let lei = self.provider.lei.map(|lei| lei.to_string());
        let texts = [
            self.reference.as_str(),
            self.provider.name.as_str(),
            lei.as_deref().unwrap_or(""),
            self.provider.country.as_str(),
            self.provider.sector.as_str(),
            self.service.as_str(),
            self.service_type.as_str(),
            self.technology.as_str(),
            self.region.as_str(),
            self.substitutability.as_str(),
        ];
        let functions = self.functions.iter().map(|function| function.name.as_str());
        let words: BTreeSet<String> = texts.into_iter().chain(functions).flat_map(words_of).collect();
        words.into_iter().fold(String::new(), |text, word| text + " " + &word)
    }

    pub fn is_critical(&self) -> bool {
        self.functions.iter().any(|function| function.critical)
    }

    /// Whether it is active on that day, the first and the last day included.
    pub fn is_active(&self, day: Day) -> bool {
        self.starts_on <= day && self.ends_on.is_none_or(|last| day <= last)
    }
}
