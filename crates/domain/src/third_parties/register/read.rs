//! One row of each official template as a record.

use super::{
    cells::Cells,
    codes::{EntityKind, Replaceability, YesNo, is_licensed_activity},
    columns::{assessments, chain, contracts, entities, functions, lines, maintainer, providers},
    problem::Rule,
    records::{
        Assessment, ChainLink, Contract, ContractLine, Entity, Function, Maintainer, RegisteredProvider,
    },
    sentences::{Quoted, RegisterFinding, RegisterRemedy},
};
use crate::term::Term;

pub(super) fn maintainer(cells: &mut Cells<'_>) -> Option<Maintainer> {
    let (lei, name, country) =
        (cells.lei(maintainer::LEI), cells.term(maintainer::NAME), cells.country(maintainer::COUNTRY));
    let (kind, authority, reported_on) = (
        cells.code::<EntityKind>(maintainer::KIND),
        cells.term(maintainer::AUTHORITY),
        cells.day(maintainer::REPORTED_ON),
    );
    if kind.is_some_and(|kind| !kind.may_maintain()) {
        let (finding, remedy) = (RegisterFinding::NonFinancial, RegisterRemedy::EnterMaintainerKind);
        cells.problem(maintainer::KIND, Rule::CodeList, finding, remedy);
    }
    Some(Maintainer {
        lei: lei?,
        name: name?,
        country: country?,
        kind: kind?,
        authority: authority?,
        reported_on: reported_on?,
    })
}

pub(super) fn entity(cells: &mut Cells<'_>) -> Option<Entity> {
    let (lei, name, country) =
        (cells.lei(entities::LEI), cells.term(entities::NAME), cells.country(entities::COUNTRY));
    let (kind, hierarchy, parent) =
        (cells.code(entities::KIND), cells.code(entities::HIERARCHY), cells.lei(entities::PARENT));
    let (updated_on, integrated_on, deleted_on) = (
        cells.day_or_never(entities::UPDATED_ON),
        cells.day_or_never(entities::INTEGRATED_ON),
        cells.day_or_never(entities::DELETED_ON),
    );
    let total_assets = cells.optional_money(entities::TOTAL_ASSETS, entities::CURRENCY);
    if total_assets.is_some_and(|assets| assets.amount < 0) {
        cells.problem(
            entities::TOTAL_ASSETS,
            Rule::Amount,
            RegisterFinding::NegativeAssets,
            RegisterRemedy::EnterAssets,
        );
    }
    Some(Entity {
        lei: lei?,
        name: name?,
        country: country?,
        kind: kind?,
        hierarchy: hierarchy?,
        parent: parent?,
        updated_on,
        integrated_on,
        deleted_on,
        total_assets,
    })
}

pub(super) fn contract(cells: &mut Cells<'_>) -> Option<Contract> {
    let (reference, kind) = (cells.key(contracts::REFERENCE), cells.code(contracts::KIND));
    let (overarching, annual_cost) = (
        cells.optional_key(contracts::OVERARCHING),
        cells.money(contracts::ANNUAL_COST, contracts::CURRENCY),
    );
    Some(Contract { reference: reference?, kind: kind?, overarching, annual_cost: annual_cost? })
}

pub(super) fn contract_line(cells: &mut Cells<'_>) -> Option<ContractLine> {
    let (contract, entity, provider) = (
        cells.key(lines::CONTRACT),
        cells.lei(lines::ENTITY),
        cells.provider(lines::PROVIDER, lines::PROVIDER_TYPE),
    );
    let (function, service_type) = (cells.key(lines::FUNCTION), cells.service_type(lines::SERVICE_TYPE));
    let (starts_on, ends_on) = (cells.day(lines::STARTS_ON), cells.day_or_never(lines::ENDS_ON));
    let (notice_entity_days, notice_provider_days) =
        (cells.optional_number(lines::NOTICE_OF_ENTITY), cells.optional_number(lines::NOTICE_OF_PROVIDER));
    let line = ContractLine {
        termination: cells.optional_code(lines::TERMINATION),
        law: cells.optional_country(lines::LAW),
        provision: cells.optional_country(lines::PROVISION),
        stores_data: cells.optional_code(lines::STORES_DATA).map(|stores: YesNo| stores == YesNo::Yes),
        storage: cells.optional_country(lines::STORAGE),
        processing: cells.optional_country(lines::PROCESSING),
        sensitiveness: cells.optional_code(lines::SENSITIVENESS),
        reliance: cells.optional_code(lines::RELIANCE),
        contract: contract?,
        entity: entity?,
        provider: provider?,
        function: function?,
        service_type: service_type?,
        starts_on: starts_on?,
        ends_on,
        notice_entity_days,
        notice_provider_days,
    };
    if line.ends_on.is_some_and(|last| last < line.starts_on) {
        let finding = RegisterFinding::EndsBeforeStart { day: line.starts_on };
        cells.problem(lines::ENDS_ON, Rule::Period, finding, RegisterRemedy::CorrectPeriod);
    }
    Some(line)
}

pub(super) fn provider(cells: &mut Cells<'_>) -> Option<RegisteredProvider> {
    let (code, additional) = (
        cells.provider(providers::CODE, providers::CODE_TYPE),
        cells.optional_provider(providers::OTHER_CODE, providers::OTHER_CODE_TYPE),
    );
    let (name, latin_name) = (cells.term(providers::NAME), cells.optional_term(providers::LATIN_NAME));
    let (person, country) = (cells.code(providers::PERSON), cells.country(providers::COUNTRY));
    let (annual_cost, ultimate_parent) = (
        cells.optional_money(providers::ANNUAL_COST, providers::CURRENCY),
        cells.optional_provider(providers::PARENT, providers::PARENT_TYPE),
    );
    if annual_cost.is_some_and(|cost| cost.amount < 0) {
        cells.problem(
            providers::ANNUAL_COST,
            Rule::Amount,
            RegisterFinding::NegativeExpense,
            RegisterRemedy::EnterExpense,
        );
    }
    Some(RegisteredProvider {
        code: code?,
        additional,
        name: name?,
        latin_name,
        person: person?,
        country: country?,
        annual_cost,
        ultimate_parent,
    })
}

pub(super) fn chain_link(cells: &mut Cells<'_>) -> Option<ChainLink> {
    let (contract, service_type) = (cells.key(chain::CONTRACT), cells.service_type(chain::SERVICE_TYPE));
    let (provider, rank) = (cells.provider(chain::PROVIDER, chain::PROVIDER_TYPE), cells.rank(chain::RANK));
    let recipient = cells.optional_provider(chain::RECIPIENT, chain::RECIPIENT_TYPE);
    Some(ChainLink {
        contract: contract?,
        service_type: service_type?,
        provider: provider?,
        rank: rank?,
        recipient,
    })
}

pub(super) fn function(cells: &mut Cells<'_>) -> Option<Function> {
    let (id, activity, name, entity) = (
        cells.key(functions::IDENTIFIER),
        activity(cells),
        cells.term(functions::NAME),
        cells.lei(functions::ENTITY),
    );
    let (criticality, reasons, assessed_on) = (
        cells.code(functions::CRITICALITY),
        cells.prose(functions::REASONS),
        cells.day_or_never(functions::ASSESSED_ON),
    );
    let (recovery_time, recovery_point, impact) = (
        cells.number(functions::RECOVERY_TIME),
        cells.number(functions::RECOVERY_POINT),
        cells.code(functions::IMPACT),
    );
    Some(Function {
        id: id?,
        entity: entity?,
        activity: activity?,
        name: name?,
        criticality: criticality?,
        reasons,
        assessed_on,
        recovery_time_hours: recovery_time?,
        recovery_point_hours: recovery_point?,
        impact: impact?,
    })
}

/// A code of the list, or the activity's name in plain words.
fn activity(cells: &mut Cells<'_>) -> Option<Term> {
    let activity = cells.term(functions::ACTIVITY)?;
    if activity.as_str().starts_with("eba_") && !is_licensed_activity(activity.as_str()) {
        let finding = RegisterFinding::NotAnActivity { text: Quoted::text(activity.as_str()) };
        cells.problem(functions::ACTIVITY, Rule::CodeList, finding, RegisterRemedy::UseActivity);
    }
    Some(activity)
}

pub(super) fn assessment(cells: &mut Cells<'_>) -> Option<Assessment> {
    let (contract, provider, service_type) = (
        cells.key(assessments::CONTRACT),
        cells.provider(assessments::PROVIDER, assessments::PROVIDER_TYPE),
        cells.service_type(assessments::SERVICE_TYPE),
    );
    let (replaceability, obstacle) =
        (cells.code(assessments::REPLACEABILITY), cells.optional_code(assessments::OBSTACLE));
    let (audited_on, exit_plan) =
        (cells.day_or_never(assessments::AUDITED_ON), cells.code::<YesNo>(assessments::EXIT_PLAN));
    let (reintegration, impact) = (cells.code(assessments::REINTEGRATION), cells.code(assessments::IMPACT));
    let (alternatives, alternative) =
        (cells.code(assessments::ALTERNATIVES), cells.prose(assessments::ALTERNATIVE));
    let is_hard = matches!(replaceability, Some(Replaceability::Not | Replaceability::HighlyComplex));
    if is_hard && obstacle.is_none() && cells.text(assessments::OBSTACLE).is_none() {
        cells.problem(
            assessments::OBSTACLE,
            Rule::Reason,
            RegisterFinding::NoReason,
            RegisterRemedy::UseReason,
        );
    }
    Some(Assessment {
        contract: contract?,
        provider: provider?,
        service_type: service_type?,
        replaceability: replaceability?,
        obstacle,
        audited_on,
        exit_plan: exit_plan? == YesNo::Yes,
        reintegration: reintegration?,
        impact: impact?,
        alternatives: alternatives?,
        alternative,
    })
}
