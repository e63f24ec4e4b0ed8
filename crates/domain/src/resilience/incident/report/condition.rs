//! When a conditional field is mandatory.

use crate::vocabulary::vocabulary;

use super::{Known, ReportStage, Value, Values};
use crate::incident::{
    met::Met,
    words::{Criterion, Fact},
};

vocabulary! {
    /// A condition of Annex II of Implementing Regulation (EU) 2025/302.
    Condition {
        OtherEntity = "other_entity" ("The affected entity is not the one that submits, or the report is aggregated", "Das betroffene Unternehmen ist nicht das übermittelnde, oder die Meldung ist zusammengefasst"),
        Group = "group" ("The entity belongs to a group", "Das Unternehmen gehört zu einer Gruppe"),
        Geography = "geography" ("The threshold for the geographical spread is met", "Die Schwelle der geografischen Ausbreitung ist erreicht"),
        Provider = "provider" ("The incident comes from a provider or another financial entity", "Der Vorfall geht von einem Dienstleister oder anderen Finanzunternehmen aus"),
        OtherInformation = "other_information" ("There is more to say, or the incident was reclassified", "Es gibt Weiteres zu berichten, oder der Vorfall wurde neu klassifiziert"),
        AuthorityCode = "authority_code" ("The authority gave the incident a reference", "Die Behörde hat ein Kennzeichen vergeben"),
        DowntimeGiven = "downtime_given" ("Field 3.16 is filled", "Feld 3.16 ist ausgefüllt"),
        RelevantClients = "relevant_clients" ("Relevant clients or counterparts are affected", "Relevante Kunden oder Gegenparteien sind betroffen"),
        Transactions = "transactions" ("Transactions are affected", "Transaktionen sind betroffen"),
        Reputation = "reputation" ("The criterion of reputational impact is met", "Das Kriterium Ruf ist erfüllt"),
        Downtime = "downtime" ("There was a service downtime", "Es gab eine Ausfallzeit"),
        Duration = "duration" ("The criterion of duration and downtime is met", "Das Kriterium Dauer und Ausfallzeit ist erfüllt"),
        DataLosses = "data_losses" ("The criterion of data losses is met", "Das Kriterium Datenverluste ist erfüllt"),
        OtherType = "other_type" ("Field 3.23 names another type", "Feld 3.23 nennt eine sonstige Art"),
        Cyber = "cyber" ("Field 3.23 names a cybersecurity-related incident", "Feld 3.23 nennt einen Cybersicherheitsvorfall"),
        CyberNis2 = "cyber_nis2" ("Field 3.23 names a cybersecurity-related incident, for entities under NIS2", "Feld 3.23 nennt einen Cybersicherheitsvorfall, bei Einrichtungen nach NIS2"),
        OtherTechnique = "other_technique" ("Field 3.25 names another technique", "Feld 3.25 nennt eine sonstige Technik"),
        Components = "components" ("Field 3.28 says yes", "Feld 3.28 lautet Ja"),
        OtherAuthority = "other_authority" ("Field 3.31 names another authority", "Feld 3.31 nennt eine sonstige Behörde"),
        TemporaryMeasures = "temporary_measures" ("Field 3.33 says yes", "Feld 3.33 lautet Ja"),
        RootCauseDetail = "root_cause_detail" ("Field 4.2 names a cause that is broken down further", "Feld 4.2 nennt eine Ursache, die weiter untergliedert ist"),
        OtherRootCause = "other_root_cause" ("Field 4.2 names another cause", "Feld 4.2 nennt eine sonstige Ursache"),
        CriticalFunctions = "critical_functions" ("Critical functions in the sense of Directive 2014/59/EU are at risk", "Kritische Funktionen im Sinne der Richtlinie 2014/59/EU sind gefährdet"),
        Resolvability = "resolvability" ("The resolvability of the entity or group is affected", "Die Abwicklungsfähigkeit des Unternehmens oder der Gruppe ist beeinträchtigt"),
        Recurring = "recurring" ("Several incidents are major only together", "Mehrere Vorfälle sind erst zusammen schwerwiegend"),
    }
}

/// The answers of field 4.2 that field 4.3 breaks down: points 2(a), (c), (d) and (g) of Annex II.
const BROKEN_DOWN: [&str; 4] = [
    "process_failure_insufficient_monitoring_or_failure_of_monitoring_and_control",
    "process_failure_ICT_risk_management_process_failure",
    "process_failure_insufficient_or_failure_of_ict_operations_and_ict_security_operations",
    "process_failure_inadequate_ict_systems_acquisition_development_and_maintenance",
];
const OTHER_ROOT_CAUSES: [&str; 4] =
    ["process_failure_other", "system_failure_other", "human_error_other", "external_event_other"];

impl Condition {
    pub(super) fn holds(self, stage: ReportStage, known: &Known<'_>, values: &Values) -> Met {
        let criterion = |criterion| known.assessment.criterion(criterion);
        let dora = &known.facts.dora;
        let positive = |number: Option<u64>| Met::from(number.map(|number| number > 0));
        let chosen = |field, codes: &[&str]| chosen(values, field, codes);
        match self {
            Self::OtherEntity => known.profile.reports_for_others.into(),
            Self::Group => known.profile.in_group.into(),
            Self::Geography => criterion(Criterion::Geography),
            Self::Provider => known.from_provider.into(),
            Self::OtherInformation => (stage == ReportStage::Reclassified).into(),
            Self::AuthorityCode => known.authority_reference.is_some().into(),
            Self::DowntimeGiven => values.get("3.16").is_some().into(),
            Self::RelevantClients => dora.relevant_client.into(),
            Self::Transactions => positive(dora.transactions_affected).or(positive(dora.amount_affected)),
            Self::Reputation => criterion(Criterion::Reputation),
            Self::Downtime => positive(dora.downtime_minutes),
            Self::Duration => criterion(Criterion::Duration),
            Self::DataLosses => criterion(Criterion::DataLosses),
            Self::OtherType => chosen("3.23", &["other"]),
            Self::Cyber => chosen("3.23", &["cybersecurity-related"]),
            Self::CyberNis2 => {
                chosen("3.23", &["cybersecurity-related"]).and(known.profile.is_nis2_entity.into())
            }
            Self::OtherTechnique => chosen("3.25", &["other"]),
            Self::Components => chosen("3.28", &["yes"]),
            Self::OtherAuthority => chosen("3.31", &["other"]),
            Self::TemporaryMeasures => match values.get("3.33") {
                Some(Value::Flag(taken)) => (*taken).into(),
                _ => Met::Unknown,
            },
            Self::RootCauseDetail => chosen("4.2", &BROKEN_DOWN),
            Self::OtherRootCause => chosen("4.2", &OTHER_ROOT_CAUSES),
            Self::CriticalFunctions => known.risk_to_critical_functions.into(),
            Self::Resolvability => known.resolvability_affected.into(),
            Self::Recurring => known.first_recurrence.is_some().into(),
        }
    }

    /// The facts that would decide it, where facts do.
    pub fn facts(self) -> &'static [Fact] {
        match self {
            Self::Geography => &[Fact::MemberStates],
            Self::RelevantClients => &[Fact::RelevantClient],
            Self::Transactions => &[Fact::TransactionsAffected, Fact::AmountAffected],
            Self::Reputation => &[Fact::Reputation],
            Self::Downtime => &[Fact::DowntimeMinutes],
            Self::Duration => &[Fact::ResolvedAt, Fact::DowntimeMinutes],
            Self::DataLosses => &[Fact::DataLoss, Fact::MaliciousAccess],
            _ => &[],
        }
    }
}

/// Whether one of these answers was given; unknown while there is none.
fn chosen(values: &Values, field: &str, codes: &[&str]) -> Met {
    let given = values.get(field).map(|value| codes.iter().any(|code| value.is_chosen(code)));
    Met::from(given)
}
