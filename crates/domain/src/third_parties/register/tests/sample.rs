//! A small register of an invented group, as the eight official tables.

use crate::{
    lei::Lei,
    register::{Package, Problems, Register, Template},
};

/// Placeholders for identifiers, replaced by LEIs with valid check digits.
const NAMES: [(&str, &str); 7] = [
    ("BANK", "529900TIDEWALLBANK"),
    ("LEASING", "529900TIDEWALLLEAS"),
    ("CLOUD", "529900EXAMPLECLOUD"),
    ("CLOUDINC", "529900EXAMPLECINC0"),
    ("CARDS", "529900EXAMPLECARDS"),
    ("SUPPLY", "529900EXAMPLESUPPL"),
    ("POWER", "529900EXAMPLEPOWER"),
];

pub(super) fn lei(name: &str) -> Lei {
    let prefix = NAMES.iter().find(|(known, _)| *known == name).unwrap().1;
    Lei::from_prefix(prefix).unwrap()
}

pub(super) const LEI_CODE: &str = "eba_qCO:qx2000";

/// The tables by template; the first line holds the headings.
#[derive(Clone)]
pub(super) struct Sample(pub(super) Vec<(Template, String)>);

pub(super) fn sample() -> Sample {
    let tables = [
        (
            Template::Maintainer,
            "c0010,c0020,c0030,c0040,c0050,c0060\n\
            <BANK>,Tidewall Bank AG,eba_GA:DE,eba_CT:x12,BaFin,2026-12-31",
        ),
        (
            Template::Entities,
            "c0010,c0020,c0030,c0040,c0050,c0060,c0070,c0080,c0090,c0100,c0110\n\
            <BANK>,Tidewall Bank AG,eba_GA:DE,eba_CT:x12,eba_RP:x53,<BANK>,2026-12-01,2025-01-17,9999-12-31,eba_CU:EUR,48200000000\n\
            <LEASING>,Tidewall Leasing GmbH,DE,other_financial,subsidiary,<BANK>,2026-12-01,2025-01-17,9999-12-31,EUR,910000000.00",
        ),
        (
            Template::Contracts,
            "c0010,c0020,c0030,c0040,c0050\n\
            C-1,eba_CO:x2,,eba_CU:EUR,300000\n\
            C-1-A,eba_CO:x3,C-1,eba_CU:EUR,0\n\
            C-1-B,eba_CO:x3,C-1,eba_CU:EUR,50000.01\n\
            C-2,eba_CO:x1,,iso4217:USD,90000",
        ),
        (
            Template::ContractLines,
            "c0010,c0020,c0030,c0040,c0050,c0060,c0070,c0080,c0090,c0100,c0110,c0120,c0130,c0140,c0150,c0160,c0170,c0180\n\
            C-1-A,<BANK>,<CLOUD>,<LEI>,F1,eba_TA:S17,2024-01-01,9999-12-31,,90,180,eba_GA:IE,eba_GA:IE,eba_BT:x28,eba_GA:IE,eba_GA:US,eba_ZZ:x793,eba_ZZ:x797\n\
            C-1-A,<BANK>,<CLOUD>,<LEI>,F2,eba_TA:S17,2023-01-01,2027-12-31,,90,180,eba_GA:IE,eba_GA:IE,eba_BT:x28,eba_GA:DE,eba_GA:IE,eba_ZZ:x793,eba_ZZ:x796\n\
            C-1-B,<LEASING>,<CLOUD>,<LEI>,F3,eba_TA:S19,2024-01-01,9999-12-31,,,,,,eba_BT:x29,eba_GA:qx2007,eba_GA:qx2007,,\n\
            C-2,<BANK>,<CARDS>,LEI,F1,S05,2025-05-01,2026-04-30,,30,30,DE,CH,no,,,,material",
        ),
        (
            Template::Providers,
            "c0010,c0020,c0030,c0040,c0050,c0060,c0070,c0080,c0090,c0100,c0110,c0120\n\
            <CLOUD>,<LEI>,,,Example Cloud Ireland Ltd,,eba_CT:x212,eba_GA:IE,eba_CU:EUR,350000,<CLOUDINC>,<LEI>\n\
            <CLOUDINC>,<LEI>,,,Example Cloud Inc.,,eba_CT:x212,eba_GA:US,,,<CLOUDINC>,<LEI>\n\
            <CARDS>,LEI,,,Example Cards GmbH,,legal,DE,USD,90000,,\n\
            <SUPPLY>,<LEI>,,,Example Datacentres SARL,,eba_CT:x212,eba_GA:LU,,,<SUPPLY>,<LEI>\n\
            <POWER>,<LEI>,,,Example Power SA,,eba_CT:x212,eba_GA:LU,,,<POWER>,<LEI>",
        ),
        (
            Template::SupplyChain,
            "c0010,c0020,c0030,c0040,c0050,c0060,c0070\n\
            C-1-A,eba_TA:S17,<CLOUD>,<LEI>,1,<CLOUD>,<LEI>\n\
            C-1-A,eba_TA:S17,<SUPPLY>,<LEI>,2,<CLOUD>,<LEI>\n\
            C-1-A,eba_TA:S17,<POWER>,<LEI>,3,<SUPPLY>,<LEI>\n\
            C-2,S05,<CARDS>,LEI,1,,",
        ),
        (
            Template::Functions,
            "c0010,c0020,c0030,c0040,c0050,c0060,c0070,c0080,c0090,c0100\n\
            F1,eba_TA:x222,Payments,<BANK>,eba_BT:x28,Settlement deadlines,2026-09-15,2,1,eba_ZZ:x793\n\
            F2,eba_TA:x276,Intranet,<BANK>,eba_BT:x29,,2026-09-15,72,24,eba_ZZ:x791\n\
            F3,eba_TA:x164,Leasing,<LEASING>,not_assessed,,9999-12-31,0,0,not_assessed",
        ),
        (
            Template::Assessments,
            "c0010,c0020,c0030,c0040,c0050,c0060,c0070,c0080,c0090,c0100,c0110,c0120\n\
            C-1-A,<CLOUD>,<LEI>,eba_TA:S17,eba_ZZ:x960,eba_ZZ:x964,2026-05-20,eba_BT:x28,eba_ZZ:x966,eba_ZZ:x793,eba_BT:x28,Other Cloud\n\
            C-2,<CARDS>,LEI,S05,easy,,9999-12-31,no,not_applicable,low,no,",
        ),
    ];
    Sample(tables.map(|(template, text)| (template, filled(text))).to_vec())
}

fn filled(text: &str) -> String {
    let with_codes = text.replace("<LEI>", LEI_CODE);
    let clean = with_codes.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    NAMES.iter().fold(clean, |text, (name, _)| text.replace(&format!("<{name}>"), lei(name).as_str()))
}

impl Sample {
    /// Replaces an existing text in one table.
    pub(super) fn with(mut self, template: Template, from: &str, to: &str) -> Self {
        let (_, text) = self.0.iter_mut().find(|(known, _)| *known == template).unwrap();
        let (from, to) = (filled(from), filled(to));
        assert!(text.contains(&from), "{from} is not in {template}");
        *text = text.replacen(&from, &to, 1);
        self
    }

    pub(super) fn with_row(mut self, template: Template, row: &str) -> Self {
        let (_, text) = self.0.iter_mut().find(|(known, _)| *known == template).unwrap();
        text.push('\n');
        text.push_str(&filled(row));
        self
    }

    pub(super) fn read(&self) -> Result<Register, Problems> {
        self.read_into(Package::whole())
    }

    pub(super) fn read_into(&self, mut package: Package) -> Result<Register, Problems> {
        for (template, text) in &self.0 {
            let mut rows = (1..).zip(text.lines().map(|line| line.split(',').collect::<Vec<_>>()));
            let (_, headings) = rows.next().unwrap();
            let Some(mut reader) = package.table(*template, &headings) else { continue };
            rows.for_each(|(row, fields)| reader.row(row, &fields));
        }
        package.finish()
    }

    /// The problems as `table row column rule`.
    pub(super) fn problems(&self) -> Vec<String> {
        let problems = self.read().unwrap_err();
        problems.iter().map(place).collect()
    }

    pub(super) fn only_problem(&self) -> String {
        let problems = self.problems();
        assert_eq!(problems.len(), 1, "{problems:#?}");
        problems[0].clone()
    }
}

pub(super) fn place(problem: &crate::register::Problem) -> String {
    let row = problem.row.map(|row| row.to_string()).unwrap_or_default();
    assert!(!problem.finding.to_string().is_empty() && !problem.remedy.to_string().is_empty(), "{problem:?}");
    format!("{} {row} {} {}", problem.table, problem.column.as_deref().unwrap_or("-"), problem.rule)
}
