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
    let (lei, name, country) = (cells.lei(10), cells.term(20), cells.country(30));
    let (kind, authority, reported_on) = (cells.code::<EntityKind>(40), cells.term(50), cells.day(60));
    if kind.is_some_and(|kind| !kind.may_maintain()) {
        let (finding, remedy) = (RegisterFinding::NonFinancial, RegisterRemedy::EnterMaintainerKind);
        cells.problem(40, Rule::CodeList, finding, remedy);
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
    let (lei, name, country) = (cells.lei(10), cells.term(20), cells.country(30));
    let (kind, hierarchy, parent) = (cells.code(40), cells.code(50), cells.lei(60));
    let (updated_on, integrated_on, deleted_on) =
        (cells.day_or_never(70), cells.day_or_never(80), cells.day_or_never(90));
    let total_assets = cells.optional_money(110, 100);
    if total_assets.is_some_and(|assets| assets.amount < 0) {
        cells.problem(110, Rule::Amount, RegisterFinding::NegativeAssets, RegisterRemedy::EnterAssets);
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
    let (reference, kind) = (cells.key(10), cells.code(20));
    let (overarching, annual_cost) = (cells.optional_key(30), cells.money(50, 40));
    Some(Contract { reference: reference?, kind: kind?, overarching, annual_cost: annual_cost? })
}

pub(super) fn contract_line(cells: &mut Cells<'_>) -> Option<ContractLine> {
    let (contract, entity, provider) = (cells.key(10), cells.lei(20), cells.provider(30, 40));
    let (function, service_type) = (cells.key(50), cells.service_type(60));
    let (starts_on, ends_on) = (cells.day(70), cells.day_or_never(80));
    let (notice_entity_days, notice_provider_days) = (cells.optional_number(100), cells.optional_number(110));
    let line = ContractLine {
        termination: cells.optional_code(90),
        law: cells.optional_country(120),
        provision: cells.optional_country(130),
        stores_data: cells.optional_code(140).map(|stores: YesNo| stores == YesNo::Yes),
        storage: cells.optional_country(150),
        processing: cells.optional_country(160),
        sensitiveness: cells.optional_code(170),
        reliance: cells.optional_code(180),
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
        cells.problem(80, Rule::Period, finding, RegisterRemedy::CorrectPeriod);
    }
    Some(line)
}

pub(super) fn provider(cells: &mut Cells<'_>) -> Option<RegisteredProvider> {
    let (code, additional) = (cells.provider(10, 20), cells.optional_provider(30, 40));
    let (name, latin_name) = (cells.term(50), cells.optional_term(60));
    let (person, country) = (cells.code(70), cells.country(80));
    let (annual_cost, ultimate_parent) = (cells.optional_money(100, 90), cells.optional_provider(110, 120));
    if annual_cost.is_some_and(|cost| cost.amount < 0) {
        cells.problem(100, Rule::Amount, RegisterFinding::NegativeExpense, RegisterRemedy::EnterExpense);
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
    let (contract, service_type) = (cells.key(10), cells.service_type(20));
    let (provider, rank) = (cells.provider(30, 40), cells.rank(50));
    let recipient = cells.optional_provider(60, 70);
    Some(ChainLink {
        contract: contract?,
        service_type: service_type?,
        provider: provider?,
        rank: rank?,
        recipient,
    })
}

pub(super) fn function(cells: &mut Cells<'_>) -> Option<Function> {
    let (id, activity, name, entity) = (cells.key(10), activity(cells), cells.term(30), cells.lei(40));
    let (criticality, reasons, assessed_on) = (cells.code(50), cells.prose(60), cells.day_or_never(70));
    let (recovery_time, recovery_point, impact) = (cells.number(80), cells.number(90), cells.code(100));
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
    let activity = cells.term(20)?;
    if activity.as_str().starts_with("eba_") && !is_licensed_activity(activity.as_str()) {
        let finding = RegisterFinding::NotAnActivity { text: Quoted::text(activity.as_str()) };
        cells.problem(20, Rule::CodeList, finding, RegisterRemedy::UseActivity);
    }
    Some(activity)
}

pub(super) fn assessment(cells: &mut Cells<'_>) -> Option<Assessment> {
    let (contract, provider, service_type) = (cells.key(10), cells.provider(20, 30), cells.service_type(40));
    let (replaceability, obstacle) = (cells.code(50), cells.optional_code(60));
    let (audited_on, exit_plan) = (cells.day_or_never(70), cells.code::<YesNo>(80));
    let (reintegration, impact) = (cells.code(90), cells.code(100));
    let (alternatives, alternative) = (cells.code(110), cells.prose(120));
    let is_hard = matches!(replaceability, Some(Replaceability::Not | Replaceability::HighlyComplex));
    if is_hard && obstacle.is_none() && cells.text(60).is_none() {
        cells.problem(60, Rule::Reason, RegisterFinding::NoReason, RegisterRemedy::UseReason);
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
