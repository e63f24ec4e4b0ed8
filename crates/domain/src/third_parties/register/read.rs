//! One row of each official template as a record.

use super::{
    cells::Cells,
    codes::{EntityKind, Replaceability, YesNo, is_licensed_activity},
    problem::Rule,
    records::{
        Assessment, ChainLink, Contract, ContractLine, Entity, Function, Maintainer, RegisteredProvider,
    },
    sentences::{Quoted, RegisterFinding, RegisterRemedy},
};
use crate::term::Term;

pub(super) fn maintainer(cells: &mut Cells<'_>) -> Option<Maintainer> {
    use super::columns::maintainer as at;

    let (lei, name, country) = (cells.lei(at::LEI), cells.term(at::NAME), cells.country(at::COUNTRY));
    let (kind, authority, reported_on) =
        (cells.code::<EntityKind>(at::KIND), cells.term(at::AUTHORITY), cells.day(at::REPORTED_ON));
    if kind.is_some_and(|kind| !kind.may_maintain()) {
        let (finding, remedy) = (RegisterFinding::NonFinancial, RegisterRemedy::EnterMaintainerKind);
        cells.problem(at::KIND, Rule::CodeList, finding, remedy);
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
    use super::columns::entities as at;

    let (lei, name, country) = (cells.lei(at::LEI), cells.term(at::NAME), cells.country(at::COUNTRY));
    let (kind, hierarchy, parent) = (cells.code(at::KIND), cells.code(at::HIERARCHY), cells.lei(at::PARENT));
    let (updated_on, integrated_on, deleted_on) = (
        cells.day_or_never(at::UPDATED_ON),
        cells.day_or_never(at::INTEGRATED_ON),
        cells.day_or_never(at::DELETED_ON),
    );
    let total_assets = cells.optional_money(at::TOTAL_ASSETS, at::CURRENCY);
    if total_assets.is_some_and(|assets| assets.amount < 0) {
        cells.problem(
            at::TOTAL_ASSETS,
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
    use super::columns::contracts as at;

    let (reference, kind) = (cells.key(at::REFERENCE), cells.code(at::KIND));
    let (overarching, annual_cost) =
        (cells.optional_key(at::OVERARCHING), cells.money(at::ANNUAL_COST, at::CURRENCY));
    Some(Contract { reference: reference?, kind: kind?, overarching, annual_cost: annual_cost? })
}

pub(super) fn contract_line(cells: &mut Cells<'_>) -> Option<ContractLine> {
    use super::columns::lines as at;

    let (contract, entity, provider) =
        (cells.key(at::CONTRACT), cells.lei(at::ENTITY), cells.provider(at::PROVIDER, at::PROVIDER_TYPE));
    let (function, service_type) = (cells.key(at::FUNCTION), cells.service_type(at::SERVICE_TYPE));
    let (starts_on, ends_on) = (cells.day(at::STARTS_ON), cells.day_or_never(at::ENDS_ON));
    let (notice_entity_days, notice_provider_days) =
        (cells.optional_number(at::NOTICE_OF_ENTITY), cells.optional_number(at::NOTICE_OF_PROVIDER));
    let line = ContractLine {
        termination: cells.optional_code(at::TERMINATION),
        law: cells.optional_country(at::LAW),
        provision: cells.optional_country(at::PROVISION),
        stores_data: cells.optional_code(at::STORES_DATA).map(|stores: YesNo| stores == YesNo::Yes),
        storage: cells.optional_country(at::STORAGE),
        processing: cells.optional_country(at::PROCESSING),
        sensitiveness: cells.optional_code(at::SENSITIVENESS),
        reliance: cells.optional_code(at::RELIANCE),
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
        cells.problem(at::ENDS_ON, Rule::Period, finding, RegisterRemedy::CorrectPeriod);
    }
    Some(line)
}

pub(super) fn provider(cells: &mut Cells<'_>) -> Option<RegisteredProvider> {
    use super::columns::providers as at;

    let (code, additional) = (
        cells.provider(at::CODE, at::CODE_TYPE),
        cells.optional_provider(at::OTHER_CODE, at::OTHER_CODE_TYPE),
    );
    let (name, latin_name) = (cells.term(at::NAME), cells.optional_term(at::LATIN_NAME));
    let (person, country) = (cells.code(at::PERSON), cells.country(at::COUNTRY));
    let (annual_cost, ultimate_parent) = (
        cells.optional_money(at::ANNUAL_COST, at::CURRENCY),
        cells.optional_provider(at::PARENT, at::PARENT_TYPE),
    );
    if annual_cost.is_some_and(|cost| cost.amount < 0) {
        cells.problem(
            at::ANNUAL_COST,
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
    use super::columns::chain as at;

    let (contract, service_type) = (cells.key(at::CONTRACT), cells.service_type(at::SERVICE_TYPE));
    let (provider, rank) = (cells.provider(at::PROVIDER, at::PROVIDER_TYPE), cells.rank(at::RANK));
    let recipient = cells.optional_provider(at::RECIPIENT, at::RECIPIENT_TYPE);
    Some(ChainLink {
        contract: contract?,
        service_type: service_type?,
        provider: provider?,
        rank: rank?,
        recipient,
    })
}

pub(super) fn function(cells: &mut Cells<'_>) -> Option<Function> {
    use super::columns::functions as at;

    let (id, activity, name, entity) =
        (cells.key(at::IDENTIFIER), activity(cells), cells.term(at::NAME), cells.lei(at::ENTITY));
    let (criticality, reasons, assessed_on) =
        (cells.code(at::CRITICALITY), cells.prose(at::REASONS), cells.day_or_never(at::ASSESSED_ON));
    let (recovery_time, recovery_point, impact) =
        (cells.number(at::RECOVERY_TIME), cells.number(at::RECOVERY_POINT), cells.code(at::IMPACT));
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
    use super::columns::functions as at;

    let activity = cells.term(at::ACTIVITY)?;
    if activity.as_str().starts_with("eba_") && !is_licensed_activity(activity.as_str()) {
        let finding = RegisterFinding::NotAnActivity { text: Quoted::text(activity.as_str()) };
        cells.problem(at::ACTIVITY, Rule::CodeList, finding, RegisterRemedy::UseActivity);
    }
    Some(activity)
}

pub(super) fn assessment(cells: &mut Cells<'_>) -> Option<Assessment> {
    use super::columns::assessments as at;

    let (contract, provider, service_type) = (
        cells.key(at::CONTRACT),
        cells.provider(at::PROVIDER, at::PROVIDER_TYPE),
        cells.service_type(at::SERVICE_TYPE),
    );
    let (replaceability, obstacle) = (cells.code(at::REPLACEABILITY), cells.optional_code(at::OBSTACLE));
    let (audited_on, exit_plan) = (cells.day_or_never(at::AUDITED_ON), cells.code::<YesNo>(at::EXIT_PLAN));
    let (reintegration, impact) = (cells.code(at::REINTEGRATION), cells.code(at::IMPACT));
    let (alternatives, alternative) = (cells.code(at::ALTERNATIVES), cells.prose(at::ALTERNATIVE));
    let is_hard = matches!(replaceability, Some(Replaceability::Not | Replaceability::HighlyComplex));
    if is_hard && obstacle.is_none() && cells.text(at::OBSTACLE).is_none() {
        cells.problem(at::OBSTACLE, Rule::Reason, RegisterFinding::NoReason, RegisterRemedy::UseReason);
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
