//! German names of table columns, and how headings are compared.

/// A heading without outer spaces and marks, in lower case, with underscores between its words.
pub fn folded(heading: &str) -> String {
    let heading = heading.trim().trim_start_matches('\u{feff}').trim().to_lowercase();
    heading.replace([' ', '-'], "_")
}

/// The column that has this name, folded.
pub(crate) fn named(columns: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    columns.iter().find(|(_, names)| names.contains(&name)).map(|(column, _)| *column)
}

/// The separator of a header line: the most frequent one of comma, semicolon and tab outside of quotation marks.
pub fn separator(line: &str) -> u8 {
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0)];
    let mut is_quoted = false;
    for byte in line.bytes() {
        is_quoted ^= byte == b'"';
        if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == byte && !is_quoted) {
            *count += 1;
        }
    }
    // Among equals the first one.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| *separator)
}

pub(crate) const OF_FINDINGS: &[(&str, &[&str])] = &[
    ("external_id", &["externe_id", "externe_kennung", "externe_nummer", "eigene_nummer", "nummer"]),
    ("title", &["titel", "bezeichnung"]),
    ("severity", &["schweregrad", "schwere"]),
    ("description", &["beschreibung"]),
    ("owner", &["verantwortlich", "verantwortliche", "verantwortlicher", "zuständig"]),
    ("affected_asset", &["betroffenes_objekt", "betroffenes_system", "objekt", "system"]),
    ("cve", &["cve_nummer"]),
    ("cvss", &["cvss_wert", "cvss_score"]),
    ("remediation", &["behebung", "abhilfe"]),
    ("root_cause", &["grundursache", "ursache"]),
    ("measures", &["maßnahmen", "massnahmen"]),
    ("requirements", &["anforderungen"]),
    ("controls", &["own_controls", "kontrollen", "eigene_kontrollen"]),
    ("detected_at", &["detected", "entdeckt", "entdeckt_am", "festgestellt_am"]),
    ("due_on", &["fällig", "fällig_am", "frist"]),
    ("reference", &["referenz"]),
    ("id", &["kennung"]),
    ("programme_id", &["programme", "programm"]),
    ("test_case_id", &["test_case", "testfall"]),
    ("acceptance_reason", &["reason_of_the_acceptance", "grund_der_akzeptanz"]),
    ("acceptance_until", &["accepted_until", "akzeptiert_bis"]),
    ("closed_at", &["closed", "geschlossen"]),
    ("archived_at", &["archived", "archiviert"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        import::csv::{COLUMNS, EXPORT_COLUMNS, UNREAD_COLUMNS},
        register::FLAT_COLUMNS,
    };

    #[test]
    fn the_separator_outside_of_quotes_decides() {
        for (line, expected) in
            [("a,b,c", b','), ("a;b,c;d", b';'), ("a\tb\tc,d", b'\t'), ("\"a,b,c\";d", b';'), ("only", b',')]
        {
            assert_eq!(separator(line), expected, "{line}");
        }
    }

    #[test]
    fn german_names_lead_to_columns_and_each_to_one() {
        let of_findings = COLUMNS.iter().chain(&EXPORT_COLUMNS).map(|column| column.name);
        let of_findings: Vec<_> = of_findings.chain(UNREAD_COLUMNS).collect();
        let of_arrangements = FLAT_COLUMNS.map(|column| (column.name, column.headings));
        let flat = FLAT_COLUMNS.iter().map(|column| column.name).collect();
        for (table, known) in [(OF_FINDINGS, of_findings), (of_arrangements.as_slice(), flat)] {
            let mut seen = std::collections::HashSet::new();
            for (column, names) in table {
                assert!(known.contains(column), "{column}");
                for name in *names {
                    assert_eq!(folded(name), *name);
                    assert!(seen.insert(*name), "{name} stands twice");
                }
            }
        }
    }
}
