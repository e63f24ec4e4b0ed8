//! A valid register with all fifteen templates.

use std::fmt::Write as _;

use crate::{
    lei::Lei,
    register::{
        Template,
        filing::{ProblemFilter, Report, check},
        sheets::{SheetRow, Sheets},
    },
};

pub(super) fn lei(number: usize) -> String {
    Lei::from_prefix(&format!("5299{number:014}")).unwrap().to_string()
}

/// A group of two entities with so many contracts, each with a provider of its own.
pub(in crate::third_parties::register) fn register(contracts: usize) -> Sheets {
    let mut sheets = Sheets::default();
    let mut add = |template: Template, line: String| {
        let name = (sheets.rows(template).len() + 1).to_string();
        let mut row = SheetRow::new(name, template);
        for (cell, text) in row.cells.iter_mut().zip(line.split(';')) {
            *cell = text.into();
        }
        sheets.push(template, row);
    };
    let (bank, leasing, l) = (lei(1), lei(2), "eba_qCO:qx2000");
    add(Template::Maintainer, format!("{bank};Example Bank AG;eba_GA:DE;eba_CT:x12;BaFin;2026-12-31"));
    for (entity, role) in [(&bank, "eba_RP:x53"), (&leasing, "eba_RP:x56")] {
        let row = format!(
            "{entity};Example;eba_GA:DE;eba_CT:x12;{role};{bank};2026-12-01;2025-01-17;9999-12-31;eba_CU:EUR;4820000000"
        );
        add(Template::Entities, row);
    }
    add(Template::Branches, format!("PARIS;{bank};Paris branch;eba_GA:FR"));
    add(Template::IntraGroupLinks, "C-0;C-1;true".to_owned());
    add(Template::SigningMembers, format!("C-0;{leasing};true"));
    add(
        Template::Functions,
        format!("F1;eba_TA:x222;Payments;{bank};eba_BT:x28;Deadlines;2026-09-15;2;1;eba_ZZ:x793"),
    );
    add(
        Template::Functions,
        format!("F2;eba_TA:x276;Intranet;{bank};eba_BT:x29;;2026-09-15;72;24;eba_ZZ:x791"),
    );
    for number in 0..contracts {
        let (provider, parent) = (lei(1000 + number), lei(1_000_000));
        // The first contract is the framework of the third; every second one supports a critical function.
        let kind = match number {
            0 => "eba_CO:x2;",
            2 => "eba_CO:x3;C-0",
            _ => "eba_CO:x1;",
        };
        add(Template::Contracts, format!("C-{number};{kind};eba_CU:EUR;{}", 1000 + number));
        let rest = if number % 2 == 0 {
            "F1;eba_TA:S17;2024-01-01;9999-12-31;;90;180;eba_GA:IE;eba_GA:IE;eba_BT:x28;eba_GA:IE;eba_GA:DE;eba_ZZ:x793;eba_ZZ:x797"
        } else {
            "F2;eba_TA:S17;2024-01-01;2027-12-31;;;;;eba_GA:qx2007;eba_BT:x29;eba_GA:qx2007;eba_GA:qx2007;;"
        };
        add(Template::ContractLines, format!("C-{number};{bank};{provider};{l};{rest}"));
        add(Template::Signatories, format!("C-{number};{bank};true"));
        add(Template::SigningProviders, format!("C-{number};{provider};{l}"));
        add(Template::Users, format!("C-{number};{bank};eba_ZZ:x839;Not Applicable"));
        let mut row = format!("{provider};{l};;;Provider {number};Provider {number};eba_CT:x212;eba_GA:IE;");
        write!(row, "eba_CU:EUR;{};{parent};{l}", 1000 + number).unwrap();
        add(Template::Providers, row);
        add(Template::SupplyChain, format!("C-{number};eba_TA:S17;{provider};{l};1;{provider};{l}"));
        add(Template::SupplyChain, format!("C-{number};eba_TA:S17;{parent};{l};2;{provider};{l}"));
        add(
            Template::Assessments,
            format!(
                "C-{number};{provider};{l};eba_TA:S17;eba_ZZ:x962;;2026-05-20;eba_BT:x28;eba_ZZ:x798;eba_ZZ:x791;eba_BT:x29;"
            ),
        );
    }
    let parent = lei(1_000_000);
    add(Template::Providers, format!("{parent};{l};;;Parent;Parent;eba_CT:x212;eba_GA:US;;;{parent};{l}"));
    add(Template::Definitions, "A contract of its own;;;;;;;;;;;;;;;;;;".to_owned());
    sheets
}

pub(super) fn checked(sheets: &Sheets) -> Report {
    let mut report = Report::new(ProblemFilter::first(100));
    check(sheets, &mut report);
    report
}
