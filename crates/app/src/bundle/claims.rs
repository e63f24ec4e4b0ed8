//! What each requirement rests on: its assessment, controls with their performances, evidence, findings with
//! their retests, and tests.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{BufWriter, Write as _},
    sync::Arc,
};

use bundle::{Packing, REQUIREMENTS_FILE, RecordStamp, RequirementClaim, WriteError, Writer};
use domain::framework::Framework;
use reports::{csv::ColumnKind, xlsx};
use serde_json::{Map, Value};
use store::{Reader, TenantScope, evidence_file};

use super::{books::add_workbook, evidence::WantedFile, gather::Gathering, trail::Trail};
use crate::{
    Error, Result,
    catalogue::{Edition, framework::Requirement},
    records::PastRecord,
    report::no_room,
};

/// What one requirement rests on.
#[derive(Debug, Default)]
pub(super) struct Rests {
    pub(super) assessment: Option<Map<String, Value>>,
    /// Versions of records, by the name of their list.
    pub(super) records: BTreeMap<&'static str, Vec<(Box<str>, i64)>>,
    /// The evidence whose files belong to it.
    evidence: Vec<Box<str>>,
}

pub(super) struct Claims {
    edition: Arc<Edition>,
    framework: Option<Framework>,
    positions: HashMap<String, usize>,
    rests: Vec<Rests>,
    /// The requirements that each control serves.
    controls: HashMap<String, Vec<usize>>,
    /// The requirements that each finding with retests is about.
    findings: HashMap<String, Vec<usize>>,
    wanted: Vec<WantedFile>,
    /// The files that are in the bundle, by the evidence they belong to: path and digest.
    filed: HashMap<String, (String, String)>,
}

impl Claims {
    pub(super) fn new(edition: &Arc<Edition>, framework: Option<Framework>) -> Self {
        let all = edition.requirements.iter().enumerate();
        let positions: HashMap<String, usize> =
            all.map(|(position, requirement)| (requirement.id.to_string(), position)).collect();
        let mut rests = Vec::new();
        rests.resize_with(positions.len(), Rests::default);
        Self {
            edition: Arc::clone(edition),
            framework,
            positions,
            rests,
            controls: HashMap::new(),
            findings: HashMap::new(),
            wanted: Vec::new(),
            filed: HashMap::new(),
        }
    }

    pub(super) fn assessed(&mut self, requirement: &str, version: i64, data: &Map<String, Value>) {
        if let Some(rests) = self.positions.get(requirement).and_then(|at| self.rests.get_mut(*at)) {
            rests.assessment = Some(data.clone());
            rests.records.entry("assessments").or_default().push((requirement.into(), version));
        }
    }

    pub(super) fn performed(&mut self, control: &str, number: i64) {
        let positions = self.controls.get(control).cloned().unwrap_or_default();
        self.add("performances", control, number, positions);
    }

    pub(super) fn retested(&mut self, finding: &str, number: i64) {
        let positions = self.findings.get(finding).cloned().unwrap_or_default();
        self.add("retests", finding, number, positions);
    }

    /// Notes what a record means for requirements.
    pub(super) fn see(&mut self, list: &'static str, record: &PastRecord, trail: &Trail) {
        let PastRecord { id, version, cells } = record;
        let positions = match list {
            "controls" => {
                let named = texts(cells, "requirements").filter_map(|id| self.positions.get(&id).copied());
                let measure = cells.get("measure_id").and_then(Value::as_str).map(str::to_owned);
                let positions = unique(named.chain(self.of_measures(measure)).collect());
                self.controls.insert(id.clone(), positions.clone());
                positions
            }
            "findings" | "test_cases" => {
                let controls = texts(cells, "controls").filter_map(|id| self.controls.get(&id));
                let named = texts(cells, "requirements").filter_map(|id| self.positions.get(&id).copied());
                let through = controls.flatten().copied().chain(named);
                let positions = unique(through.chain(self.of_measures(texts(cells, "measures"))).collect());
                if list == "findings" && trail.has_recorded(id) {
                    self.findings.insert(id.clone(), positions.clone());
                }
                positions
            }
            "approvals" => {
                let subject = cells.get("subject").and_then(Value::as_str);
                subject.and_then(|id| self.positions.get(id)).copied().into_iter().collect()
            }
            "evidence" => return self.see_evidence(record, trail),
            _ => return,
        };
        self.add(list, id, *version, positions);
    }

    fn see_evidence(&mut self, record: &PastRecord, trail: &Trail) {
        let mut positions = Vec::new();
        for (kind, target) in trail.links(&record.id) {
            match kind.as_str() {
                "assessment" => positions.extend(self.positions.get(target)),
                "control" => positions.extend(self.controls.get(target).into_iter().flatten()),
                _ => {}
            }
        }
        let positions = unique(positions);
        let is_asked = |position: &usize| self.requirement(*position).is_some();
        if self.framework.is_none() || positions.iter().any(is_asked) {
            self.wanted.extend(WantedFile::of(&record.id, &record.cells));
        }
        for position in &positions {
            if let Some(rests) = self.rests.get_mut(*position) {
                rests.evidence.push(record.id.as_str().into());
            }
        }
        self.add("evidence", &record.id, record.version, positions);
    }

    fn of_measures(&self, measures: impl IntoIterator<Item = String>) -> Vec<usize> {
        let ledger = self.edition.ledger();
        measures.into_iter().flat_map(|measure| ledger.of_measure(&measure).to_vec()).collect()
    }

    fn add(&mut self, list: &'static str, id: &str, version: i64, positions: Vec<usize>) {
        for position in positions {
            if let Some(rests) = self.rests.get_mut(position) {
                rests.records.entry(list).or_default().push((id.into(), version));
            }
        }
    }

    /// The files of evidence to be added, each with where its bytes are.
    pub(super) fn wanted_files(
        &mut self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
    ) -> Result<Vec<WantedFile>> {
        let mut wanted = std::mem::take(&mut self.wanted);
        for file in &mut wanted {
            file.stored = evidence_file::get(reader, scope, &file.file.sha256)?;
        }
        Ok(wanted)
    }

    /// Notes that a file is in the bundle.
    pub(super) fn filed(&mut self, file: &WantedFile) {
        self.filed.insert(file.evidence.clone(), (file.path.clone(), file.file.sha256.clone()));
    }

    /// The requirement at a position, if it is asked for.
    fn requirement(&self, position: usize) -> Option<&Requirement> {
        let requirement = self.edition.requirements.at(position)?;
        self.framework.is_none_or(|framework| requirement.framework == framework).then_some(requirement)
    }

    /// Every requirement that is asked for, with what it rests on.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Requirement, &Rests)> {
        let all = self.rests.iter().enumerate();
        all.filter_map(|(position, rests)| Some((self.requirement(position)?, rests)))
    }

    /// The files of a requirement that are in the bundle: path and digest.
    pub(super) fn files(&self, rests: &Rests) -> Vec<(String, String)> {
        rests.evidence.iter().filter_map(|id| self.filed.get(&**id).cloned()).collect()
    }

    pub(super) fn write(&self, gathering: &Gathering, writer: &mut Writer<File>) -> Result<()> {
        let language = gathering.wish.language;
        writer.file(REQUIREMENTS_FILE, Packing::Deflated, |part| {
            let mut out = BufWriter::new(part);
            for (requirement, rests) in self.all() {
                let stamps = rests.records.iter().flat_map(|(list, records)| {
                    records.iter().map(|(id, version)| RecordStamp {
                        list: (*list).to_owned(),
                        id: id.to_string(),
                        version: *version,
                    })
                });
                let said = |name: &str| rests.assessment.as_ref().and_then(|said| said.get(name));
                let claim = RequirementClaim {
                    requirement: requirement.id.to_string(),
                    title: requirement.title.get(language).to_owned(),
                    status: said("status").and_then(Value::as_str).map(str::to_owned),
                    applies: said("applies").and_then(Value::as_bool),
                    records: stamps.collect(),
                    files: self.files(rests),
                };
                serde_json::to_writer(&mut out, &claim).map_err(WriteError::from)?;
                out.write_all(b"\n").map_err(WriteError::from)?;
            }
            Ok::<_, Error>(out.flush().map_err(WriteError::from)?)
        })?;
        self.applicability(gathering, writer)
    }

    /// The statement of applicability: what the institution decided for each requirement, and why.
    fn applicability(&self, gathering: &Gathering, writer: &mut Writer<File>) -> Result<()> {
        const SAID: [&str; 7] =
            ["applies", "applies_reason", "status", "maturity", "rationale", "approved_at", "approved_by"];
        let heads = ["framework", "number", "requirement", "title"].into_iter().chain(SAID);
        let columns: Vec<(&str, ColumnKind)> = heads.map(|head| (head, ColumnKind::Text)).collect();
        let folder = gathering.scratch.folder().map_err(no_room)?;
        let mut book = xlsx::Writer::new("applicability", &columns, folder).map_err(no_room)?;
        for (requirement, rests) in self.all() {
            let own = [
                requirement.framework.to_string(),
                requirement.number.to_string(),
                requirement.id.to_string(),
                requirement.title.get(gathering.wish.language).to_owned(),
            ];
            let said =
                SAID.iter().map(|name| match rests.assessment.as_ref().and_then(|said| said.get(*name)) {
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) => text.clone(),
                    Some(other) => other.to_string(),
                });
            let cells: Vec<String> = own.into_iter().chain(said).collect();
            book.row(cells).map_err(no_room)?;
        }
        add_workbook(writer, &gathering.scratch, "applicability.xlsx", book)
    }
}

/// A list of texts that is stored as JSON in a column.
fn texts(cells: &Map<String, Value>, column: &str) -> impl Iterator<Item = String> + use<> {
    let text = cells.get(column).and_then(Value::as_str).unwrap_or("[]");
    serde_json::from_str::<Vec<String>>(text).unwrap_or_default().into_iter()
}

fn unique(mut positions: Vec<usize>) -> Vec<usize> {
    positions.sort_unstable();
    positions.dedup();
    positions
}
