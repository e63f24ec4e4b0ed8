//! What proves a requirement: its assessment, the controls that address it, and the evidence, findings, tests and risks
//! that name it, one of its measures or one of those controls.

use std::collections::HashSet;

use domain::{
    control::Control,
    evidence::Evidence,
    finding::{Finding, FindingSort},
    id::ControlId,
    key_limits::Verb,
    page::{Page, PageRequest},
    risk::{Risk, RiskSort},
    test_case::TestCase,
};
use store::{
    Reader, TenantScope,
    control::{self, ControlFilter, Keys},
    evidence::EvidenceFilter,
    finding::{FindingFilter, FindingRow, States},
    risk::RiskFilter,
    test_case::TestCaseFilter,
};

use crate::{
    Compliance, Error, Result,
    assessment::AssessmentView,
    authz::Caller,
    catalogue::Edition,
    control::{ControlView, keys_of_requirement, requirements_of},
    evidence::EvidenceView,
    records::RecordKind,
    risk::RiskView,
    test_case::TestCaseView,
};

/// How many records of each kind are shown with a requirement.
const SHOWN: u32 = 20;

/// What proves a requirement: the first records of each kind, and how many there are.
#[derive(Debug, Clone)]
pub struct RequirementProof {
    pub assessment: AssessmentView,
    pub controls: Page<ControlView>,
    pub evidence: Page<EvidenceView>,
    /// The open ones come first.
    pub findings: Page<FindingRow>,
    pub open_findings: u64,
    pub test_cases: Page<TestCaseView>,
    pub risks: Page<RiskView>,
}

/// What a record can name to belong to a requirement: itself, its measures, and the own controls that address it.
fn keys_in(
    edition: &Edition,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    requirement: &str,
) -> Result<Keys> {
    let measures: Vec<&str> = edition.measures_for(requirement).map(|measure| &*measure.id).collect();
    let addresses = |control: &control::CompactControl| {
        let by_measure = control.measure_id.as_deref().is_some_and(|id| measures.contains(&id));
        by_measure || control.requirements.iter().any(|id| id == requirement)
    };
    let controls = control::compact(reader, scope)?;
    let controls: Vec<String> =
        controls.iter().filter(|control| addresses(control)).map(|control| control.id.to_string()).collect();
    let all = measures.iter().copied().chain(controls.iter().map(String::as_str)).chain([requirement]);
    Ok(Keys::of(all))
}

impl Compliance {
    /// What records can name to belong to a requirement.
    pub async fn proof_keys(&self, caller: &Caller, requirement: &str) -> Result<Keys> {
        let (edition, scope) = (self.edition_of(caller).await?, *caller.scope());
        let id = requirement.to_owned();
        self.db.tenant(&scope).read(move |reader| keys_in(&edition, reader, &scope, &id)).await
    }

    /// What proves a requirement, in one bounded read for each kind of record.
    pub async fn requirement_proof(&self, caller: &Caller, requirement: &str) -> Result<RequirementProof> {
        for noun in ["assessment", "control", "evidence", "finding", "test_case", "risk"] {
            caller.require_noun(noun, Verb::Read)?;
        }
        let (detail, _) = self.assessment(caller, requirement).await?;
        let edition = self.edition_of(caller).await?;
        let (keys, addressed) =
            (self.proof_keys(caller, requirement).await?, keys_of_requirement(&edition, requirement));
        let today = Some(self.clock.now().day());
        let controls = ControlFilter { keys: Some(addressed), ..ControlFilter::default() };
        let evidence = EvidenceFilter { keys: Some(keys.clone()), today, ..EvidenceFilter::default() };
        let open = FindingFilter {
            keys: Some(keys.clone()),
            sort: Some(FindingSort::Urgency),
            ..FindingFilter::default()
        };
        let every = FindingFilter { states: States::All, ..open.clone() };
        let tests = TestCaseFilter { keys: Some(keys.clone()), ..TestCaseFilter::default() };
        let risks = RiskFilter { keys: Some(keys), sort: Some(RiskSort::Level), ..RiskFilter::default() };
        let mut findings = self.first::<Finding>(caller, &every).await?;
        let mut first = self.first::<Finding>(caller, &open).await?;
        let done = findings.items.into_iter().filter(|row| !row.record.status.is_open());
        first.items.extend(done);
        first.items.truncate(SHOWN as usize);
        findings.items = first.items;
        Ok(RequirementProof {
            assessment: detail.record,
            controls: self.first::<Control>(caller, &controls).await?,
            evidence: self.first::<Evidence>(caller, &evidence).await?,
            findings,
            open_findings: first.total,
            test_cases: self.first::<TestCase>(caller, &tests).await?,
            risks: self.first::<Risk>(caller, &risks).await?,
        })
    }

    async fn first<K: RecordKind>(&self, caller: &Caller, filter: &K::Filter) -> Result<Page<K::View>> {
        self.records.records::<K>(caller, filter, PageRequest::part(SHOWN, 0)).await
    }

    /// The requirements behind measures and own controls, each once, in the order of the catalogue.
    pub async fn requirements_behind(
        &self,
        caller: &Caller,
        measures: &[String],
        controls: &[ControlId],
    ) -> Result<Vec<String>> {
        if measures.is_empty() && controls.is_empty() {
            return Ok(Vec::new());
        }
        let (edition, scope) = (self.edition_of(caller).await?, *caller.scope());
        let (measures, controls) = (measures.to_vec(), controls.to_vec());
        let read = move |reader: &mut Reader<'_>| {
            let all = if controls.is_empty() { Vec::new() } else { control::compact(reader, &scope)? };
            let named = all.iter().filter(|control| controls.contains(&control.id));
            let by_control =
                named.flat_map(|one| requirements_of(&edition, one.measure_id.as_deref(), &one.requirements));
            let by_measure =
                measures.iter().flat_map(|measure| requirements_of(&edition, Some(measure), &[]));
            let found: HashSet<String> = by_control.chain(by_measure).collect();
            let mut found: Vec<String> = found.into_iter().collect();
            found.sort_by_key(|id| edition.requirements.position(id));
            Ok::<_, Error>(found)
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}
