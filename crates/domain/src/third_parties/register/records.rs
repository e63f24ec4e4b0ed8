//! The records of the register of information, one type for each official template the service reads.
//!
//! They are separate, as in the regulation, and refer to each other by the official keys. The templates not used yet
//! (branches, links within the group, signatories, users, definitions) would add records that refer to these; none of
//! these would change.

use crate::{
    arrangement::ServiceType,
    country::Country,
    lei::Lei,
    moment::Day,
    money::Money,
    register::codes::{
        Assessed, CodeKind, ContractKind, EntityKind, Hierarchy, Impact, Obstacle, PersonKind, Reintegration,
        Reliance, Replaceability, Sensitiveness, Termination,
    },
    term::Term,
};

/// A provider's identifier in the register: a code, and its type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderCode {
    pub kind: CodeKind,
    pub code: Term,
}

impl ProviderCode {
    /// The identifier as a LEI, when it is one.
    pub fn lei(&self) -> Option<Lei> {
        (self.kind == CodeKind::Lei).then(|| self.code.as_str().parse().ok()).flatten()
    }
}

/// `B_01.01`: the entity that maintains the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maintainer {
    pub lei: Lei,
    pub name: Term,
    pub country: Country,
    pub kind: EntityKind,
    pub authority: Term,
    pub reported_on: Day,
}

/// `B_01.02`: an entity within the scope of consolidation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    pub lei: Lei,
    pub name: Term,
    pub country: Country,
    pub kind: EntityKind,
    pub hierarchy: Hierarchy,
    pub parent: Lei,
    pub updated_on: Option<Day>,
    pub integrated_on: Option<Day>,
    pub deleted_on: Option<Day>,
    pub total_assets: Option<Money>,
}

/// `B_02.01`: a contractual arrangement, general information.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    pub reference: Term,
    pub kind: ContractKind,
    pub overarching: Option<Term>,
    pub annual_cost: Money,
}

/// `B_02.02`: one use of a contractual arrangement: by whom, from whom, for which function, where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractLine {
    pub contract: Term,
    pub entity: Lei,
    pub provider: ProviderCode,
    pub function: Term,
    pub service_type: ServiceType,
    pub starts_on: Day,
    pub ends_on: Option<Day>,
    pub termination: Option<Termination>,
    pub notice_entity_days: Option<u32>,
    pub notice_provider_days: Option<u32>,
    pub law: Option<Country>,
    pub provision: Option<Country>,
    pub stores_data: Option<bool>,
    pub storage: Option<Country>,
    pub processing: Option<Country>,
    pub sensitiveness: Option<Sensitiveness>,
    pub reliance: Option<Reliance>,
}

/// `B_05.01`: a provider, direct or in a supply chain, or the parent of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredProvider {
    pub code: ProviderCode,
    pub additional: Option<ProviderCode>,
    pub name: Term,
    pub latin_name: Option<Term>,
    pub person: PersonKind,
    pub country: Country,
    pub annual_cost: Option<Money>,
    pub ultimate_parent: Option<ProviderCode>,
}

/// `B_05.02`: one step of a supply chain. Rank 1 is the direct provider; every further one delivers to its recipient,
/// which is one rank before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainLink {
    pub contract: Term,
    pub service_type: ServiceType,
    pub provider: ProviderCode,
    pub rank: u16,
    /// `None` at rank 1, which delivers to the bank itself.
    pub recipient: Option<ProviderCode>,
}

/// `B_06.01`: a function of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    pub id: Term,
    pub entity: Lei,
    pub activity: Term,
    pub name: Term,
    pub criticality: Assessed,
    pub reasons: Option<Box<str>>,
    pub assessed_on: Option<Day>,
    /// Hours; 0 means "not defined", 1 means up to an hour.
    pub recovery_time_hours: u32,
    pub recovery_point_hours: u32,
    pub impact: Impact,
}

/// `B_07.01`: the assessment of a service that supports a critical or important function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    pub contract: Term,
    pub provider: ProviderCode,
    pub service_type: ServiceType,
    pub replaceability: Replaceability,
    pub obstacle: Option<Obstacle>,
    /// `None` when there was no audit yet.
    pub audited_on: Option<Day>,
    pub exit_plan: bool,
    pub reintegration: Reintegration,
    pub impact: Impact,
    pub alternatives: Assessed,
    pub alternative: Option<Box<str>>,
}

/// A record and its line in the file; `None` for one that was stored before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    pub row: Option<u32>,
    pub record: T,
}

/// The parsed register: records that are each valid. `check` decides whether they are consistent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Register {
    pub maintainer: Vec<Placed<Maintainer>>,
    pub entities: Vec<Placed<Entity>>,
    pub contracts: Vec<Placed<Contract>>,
    pub lines: Vec<Placed<ContractLine>>,
    pub providers: Vec<Placed<RegisteredProvider>>,
    pub chain: Vec<Placed<ChainLink>>,
    pub functions: Vec<Placed<Function>>,
    pub assessments: Vec<Placed<Assessment>>,
}
