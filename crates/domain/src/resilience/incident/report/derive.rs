//! The known value of a field.

use crate::{currency::Currency, entity_kind::EntityKind, moment::Moment, money::Money};

use super::{Known, ReportStage, Value, field::field};
use crate::incident::{
    facts::duration,
    words::{Criterion, DataLoss, Reputation},
};

/// The value of a field as far as it follows from profile, facts and classification.
pub(super) fn value(number: &str, stage: ReportStage, known: &Known<'_>) -> Option<Value> {
    match number.split_once('.')?.0 {
        "1" => general(number, stage, known),
        "2" => initial(number, known),
        "3" => intermediate(number, known),
        _ => last(number, known),
    }
}

fn text(text: Option<&str>) -> Option<Value> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(|text| Value::Text(text.to_owned()))
}

fn general(number: &str, stage: ReportStage, known: &Known<'_>) -> Option<Value> {
    let profile = known.profile;
    match number {
        "1.1" => Some(Value::Choice(match stage {
            ReportStage::Initial => "initial_notification",
            ReportStage::Intermediate => "intermediate_report",
            ReportStage::Final => "final_report",
            ReportStage::Reclassified => "major_incident_reclassified_as_non-major",
        })),
        "1.2" => text(profile.name.as_deref()),
        "1.3" => text(profile.code.as_deref()),
        "1.4" => {
            Some(Value::Choices(profile.entity_types.clone())).filter(|_| !profile.entity_types.is_empty())
        }
        "1.7" => text(profile.primary.name.as_deref()),
        "1.8" => text(profile.primary.email.as_deref()),
        "1.9" => text(profile.primary.phone.as_deref()),
        "1.10" => text(profile.second.name.as_deref()),
        "1.11" => text(profile.second.email.as_deref()),
        "1.12" => text(profile.second.phone.as_deref()),
        "1.13" => text(profile.parent_name.as_deref()),
        "1.14" => profile.parent_lei.map(|lei| Value::Text(lei.as_str().to_owned())),
        "1.15" => listed("1.15", known.facts.currency.as_str()).map(Value::Choice),
        _ => None,
    }
}

/// The code of an answer, if the field offers it.
fn listed(number: &str, code: &str) -> Option<&'static str> {
    field(number)?.choices().find(|choice| choice.code == code).map(|choice| choice.code)
}

fn several(codes: Vec<&'static str>) -> Option<Value> {
    if codes.is_empty() { None } else { Some(Value::Choices(codes)) }
}

fn initial(number: &str, known: &Known<'_>) -> Option<Value> {
    match number {
        "2.1" => text(known.reference),
        // Annex II: the moment the entity became aware.
        "2.2" => Some(Value::at(known.times.aware_at)),
        "2.3" => known.major_since.map(Value::at),
        "2.4" => text(known.description),
        "2.5" => {
            let met = known.assessment.criteria();
            several(met.iter().filter(|met| **met != Criterion::Other).map(|met| met.as_str()).collect())
        }
        "2.6" => {
            let states = known.facts.dora.member_states.as_deref().unwrap_or_default();
            several(states.iter().filter_map(|state| listed("2.6", state.as_str())).collect())
        }
        _ => None,
    }
}

fn intermediate(number: &str, known: &Known<'_>) -> Option<Value> {
    let dora = &known.facts.dora;
    let share = |part: Option<u64>, whole: Option<u64>| Value::share(part?, whole?);
    match number {
        "3.1" => text(known.authority_reference),
        "3.2" => known.times.occurred_at.map(Value::at),
        "3.3" => known.times.recovered_at.map(Value::at),
        "3.4" => dora.clients_affected.map(Value::Integer),
        "3.5" => share(dora.clients_affected, dora.clients_total),
        "3.6" => dora.counterparts_affected.map(Value::Integer),
        "3.7" => share(dora.counterparts_affected, dora.counterparts_total),
        "3.8" => dora.relevant_client.map(Value::Flag),
        "3.9" => dora.transactions_affected.map(Value::Integer),
        "3.10" => share(dora.transactions_affected, dora.transactions_daily_average),
        "3.11" => money(dora.amount_affected, known.facts.currency),
        "3.12" => no_impact(known),
        "3.13" => several(dora.reputation.iter().flatten().map(|effect| reputation(*effect)).collect()),
        "3.15" => minutes(known).map(Value::Minutes),
        "3.16" => dora.downtime_minutes.filter(|minutes| *minutes > 0).map(Value::Minutes),
        "3.20" => several(dora.data_loss_kinds.iter().map(|kind: &DataLoss| kind.as_str()).collect()),
        _ => None,
    }
}

fn last(number: &str, known: &Known<'_>) -> Option<Value> {
    let dora = &known.facts.dora;
    match number {
        "4.8" => known.times.resolved_at.map(Value::at),
        "4.13" => money(dora.costs.total().exact(), known.facts.currency),
        "4.14" => money(dora.recoveries, known.facts.currency),
        "4.16" => known.first_recurrence.map(Value::at),
        _ => None,
    }
}

fn money(amount: Option<u64>, currency: Currency) -> Option<Value> {
    let amount = i64::try_from(amount?).ok()?;
    Some(Value::Money(Money { amount, currency }))
}

/// Whether figures are actual or estimated is decided by a person; that there are none is known.
fn no_impact(known: &Known<'_>) -> Option<Value> {
    let dora = &known.facts.dora;
    let none = [dora.clients_affected, dora.counterparts_affected, dora.transactions_affected];
    none.iter().all(|number| *number == Some(0)).then(|| {
        Value::Choices(vec![
            "no_impact_on_clients",
            "no_impact_on_financial_counterparts",
            "no_impact_on_transactions",
        ])
    })
}

fn reputation(effect: Reputation) -> &'static str {
    match effect {
        Reputation::Media => "the_major_ict-related_incident_has_been_reflected_in_the_media",
        Reputation::Complaints => {
            "the_major_ict-related_incident_has_resulted_in_repetitive_complaints_from_different_clients_or_financial_counterparts_on_client-facing_services_or_critical_business_relationships"
        }
        Reputation::Regulatory => {
            "the_financial_entity_will_not_be_able_to_or_is_likely_not_to_be_able_to_meet_regulatory_requirements_as_a_result_of_the_major_ict-related_incident"
        }
        Reputation::LossOfClients => {
            "the_financial_entity_will_or_is_likely_to_lose_clients_or_financial_counterparts_with_a_material_impact_on_its_business_as_a_result_of_the_major_ict-related_incident"
        }
    }
}

/// The duration once it is resolved or estimated, in full minutes.
fn minutes(known: &Known<'_>) -> Option<u64> {
    let start: Moment = known.times.start();
    let seconds = duration(known.times, known.facts.dora.duration_estimate_minutes, start).exact()?;
    Some(seconds / 60)
}

/// The code of field 1.4 for a kind of entity; `None` for kinds that do not report under DORA.
pub fn entity_type(kind: EntityKind) -> Option<&'static str> {
    let code = match kind {
        EntityKind::CreditInstitution => "credit_institution",
        EntityKind::PaymentInstitution => "payment_institution",
        EntityKind::AccountInformationServiceProvider => "account_information_service_provider",
        EntityKind::ElectronicMoneyInstitution => "electronic_money_institution",
        EntityKind::InvestmentFirm => "investment_firm",
        EntityKind::CryptoAssetServiceProvider => "crypto-asset_service_provider",
        EntityKind::IssuerOfAssetReferencedTokens => "issuer_of_asset-referenced_tokens",
        EntityKind::CentralSecuritiesDepository => "central_securities_depository",
        EntityKind::CentralCounterparty => "central_counterparty",
        EntityKind::TradingVenue => "trading_venue",
        EntityKind::TradeRepository => "trade_repository",
        EntityKind::ManagerOfAlternativeInvestmentFunds => "manager_of_alternative_investment_fund",
        EntityKind::ManagementCompany => "management_company",
        EntityKind::DataReportingServiceProvider => "data_reporting_service_provider",
        EntityKind::InsuranceUndertaking => "insurance_and_reinsurance_undertaking",
        EntityKind::InsuranceIntermediary => {
            "insurance_intermediary_reinsurance_intermediary_and_ancillary_insurance_intermediary"
        }
        EntityKind::OccupationalPensionInstitution => "institution_for_occupational_retirement_provision",
        EntityKind::CreditRatingAgency => "credit_rating_agency",
        EntityKind::AdministratorOfCriticalBenchmarks => "administrator_of_critical_benchmarks",
        EntityKind::CrowdfundingServiceProvider => "crowdfunding_service_provider",
        EntityKind::SecuritisationRepository => "securitisation_repository",
        EntityKind::OtherFinancialEntity
        | EntityKind::IntraGroupIctProvider
        | EntityKind::NonFinancialEntity
        | EntityKind::IctProvider
        | EntityKind::Manufacturer
        | EntityKind::Other => return None,
    };
    listed("1.4", code)
}
