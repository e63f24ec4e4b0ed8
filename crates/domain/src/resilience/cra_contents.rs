//! The contents of a report under CRA Art. 14 at each stage, and the article's other duties meanwhile.
//!
//! In our own words, each with its citation. Items that the article requires only if applicable or known are marked,
//! because an early warning must not wait for them.

use crate::{
    cra_report::{CraReportKind, CraStage},
    wording::Label,
};

/// One item to be reported or done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CraItem {
    pub label: Label,
    /// The provision of Regulation (EU) 2024/2847.
    pub cite: &'static str,
}

impl CraItem {
    const fn new(cite: &'static str, label: Label) -> Self {
        Self { label, cite }
    }
}

const MEMBER_STATES: Label = Label::new(
    "Where applicable, the Member States in which you know the product to have been made available",
    "Gegebenenfalls die Mitgliedstaaten, in denen das Produkt Ihres Wissens bereitgestellt wurde",
);
const MEASURES_TAKEN: Label = Label::new(
    "Any corrective or mitigating measures taken",
    "Getroffene Korrektur- oder Risikominderungsmaßnahmen",
);
const MEASURES_FOR_USERS: Label = Label::new(
    "Corrective or mitigating measures users can take",
    "Korrektur- oder Risikominderungsmaßnahmen, die Nutzer ergreifen können",
);
const SENSITIVITY: Label = Label::new(
    "Where applicable, how sensitive you consider the notified information",
    "Gegebenenfalls, für wie vertraulich Sie die gemeldeten Informationen halten",
);

const VULNERABILITY_WARNING: &[CraItem] = &[CraItem::new("Art. 14(2)(a)", MEMBER_STATES)];
const VULNERABILITY_NOTIFICATION: &[CraItem] = &[
    CraItem::new(
        "Art. 14(2)(b)",
        Label::new(
            "General information about the product, as far as available",
            "Allgemeine Angaben zum Produkt, soweit verfügbar",
        ),
    ),
    CraItem::new(
        "Art. 14(2)(b)",
        Label::new(
            "The general nature of the exploit and of the vulnerability",
            "Die allgemeine Art der Ausnutzung und der Schwachstelle",
        ),
    ),
    CraItem::new("Art. 14(2)(b)", MEASURES_TAKEN),
    CraItem::new("Art. 14(2)(b)", MEASURES_FOR_USERS),
    CraItem::new("Art. 14(2)(b)", SENSITIVITY),
];
const VULNERABILITY_FINAL: &[CraItem] = &[
    CraItem::new(
        "Art. 14(2)(c)(i)",
        Label::new(
            "A description of the vulnerability with its severity and impact",
            "Eine Beschreibung der Schwachstelle mit Schweregrad und Auswirkungen",
        ),
    ),
    CraItem::new(
        "Art. 14(2)(c)(ii)",
        Label::new(
            "Where available, what is known of any malicious actor that has exploited it or is exploiting it",
            "Soweit verfügbar, was über böswillige Akteure bekannt ist, die sie ausgenutzt haben oder ausnutzen",
        ),
    ),
    CraItem::new(
        "Art. 14(2)(c)(iii)",
        Label::new(
            "Details of the security update or other corrective measures made available to remedy it",
            "Einzelheiten zur Sicherheitsaktualisierung oder zu anderen Korrekturmaßnahmen, die zur Behebung bereitgestellt wurden",
        ),
    ),
];
const INCIDENT_WARNING: &[CraItem] = &[
    CraItem::new(
        "Art. 14(4)(a)",
        Label::new(
            "Whether unlawful or malicious acts are suspected to have caused it",
            "Ob rechtswidrige oder böswillige Handlungen als Ursache vermutet werden",
        ),
    ),
    CraItem::new("Art. 14(4)(a)", MEMBER_STATES),
];
const INCIDENT_NOTIFICATION: &[CraItem] = &[
    CraItem::new(
        "Art. 14(4)(b)",
        Label::new(
            "General information about the nature of the incident, where available",
            "Allgemeine Angaben zur Art des Vorfalls, soweit verfügbar",
        ),
    ),
    CraItem::new(
        "Art. 14(4)(b)",
        Label::new("An initial assessment of the incident", "Eine erste Bewertung des Vorfalls"),
    ),
    CraItem::new("Art. 14(4)(b)", MEASURES_TAKEN),
    CraItem::new("Art. 14(4)(b)", MEASURES_FOR_USERS),
    CraItem::new("Art. 14(4)(b)", SENSITIVITY),
];
const INCIDENT_FINAL: &[CraItem] = &[
    CraItem::new(
        "Art. 14(4)(c)(i)",
        Label::new(
            "A detailed description of the incident with its severity and impact",
            "Eine ausführliche Beschreibung des Vorfalls mit Schweregrad und Auswirkungen",
        ),
    ),
    CraItem::new(
        "Art. 14(4)(c)(ii)",
        Label::new(
            "The type of threat or root cause that is likely to have triggered it",
            "Die Art der Bedrohung oder die Grundursache, die ihn wahrscheinlich ausgelöst hat",
        ),
    ),
    CraItem::new(
        "Art. 14(4)(c)(iii)",
        Label::new("Applied and ongoing mitigation measures", "Getroffene und laufende Abhilfemaßnahmen"),
    ),
];

const ON_REQUEST: CraItem = CraItem::new(
    "Art. 14(6)",
    Label::new(
        "An intermediate report, when the CSIRT that coordinates asks for one",
        "Ein Zwischenbericht, wenn das koordinierende CSIRT ihn anfordert",
    ),
);
const USERS: CraItem = CraItem::new(
    "Art. 14(8)",
    Label::new(
        "Tell the affected users, where appropriate all users, and where necessary what they can do about it",
        "Die betroffenen Nutzer informieren, gegebenenfalls alle, und nötigenfalls auch darüber, was sie tun können",
    ),
);
const SEVERE: CraItem = CraItem::new(
    "Art. 14(5)",
    Label::new(
        "Severe is an incident that harms, or can harm, how the product protects sensitive or important data or functions, or that has led, or can lead, to malicious code in the product or in systems of its users",
        "Schwerwiegend ist ein Vorfall, der den Schutz sensibler oder wichtiger Daten oder Funktionen durch das Produkt beeinträchtigt oder beeinträchtigen kann oder zu Schadcode im Produkt oder in Systemen seiner Nutzer geführt hat oder führen kann",
    ),
);

impl CraStage {
    /// The items to be reported at this stage.
    pub fn contents(self, kind: CraReportKind) -> &'static [CraItem] {
        match (kind, self) {
            (CraReportKind::ExploitedVulnerability, Self::EarlyWarning) => VULNERABILITY_WARNING,
            (CraReportKind::ExploitedVulnerability, Self::Notification) => VULNERABILITY_NOTIFICATION,
            (CraReportKind::ExploitedVulnerability, Self::FinalReport) => VULNERABILITY_FINAL,
            (CraReportKind::SevereIncident, Self::EarlyWarning) => INCIDENT_WARNING,
            (CraReportKind::SevereIncident, Self::Notification) => INCIDENT_NOTIFICATION,
            (CraReportKind::SevereIncident, Self::FinalReport) => INCIDENT_FINAL,
        }
    }
}

impl CraReportKind {
    /// The article's duties besides the three stages, and when they apply.
    pub fn besides(self) -> &'static [CraItem] {
        match self {
            Self::ExploitedVulnerability => &[USERS, ON_REQUEST],
            Self::SevereIncident => &[USERS, ON_REQUEST, SEVERE],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn everything() -> impl Iterator<Item = (CraReportKind, CraStage, &'static [CraItem])> {
        CraReportKind::ALL
            .iter()
            .flat_map(|kind| CraStage::ALL.iter().map(|stage| (*kind, *stage, stage.contents(*kind))))
    }

    #[test]
    fn every_stage_asks_for_something_and_for_nothing_twice() {
        for (kind, stage, asked) in everything() {
            assert!(!asked.is_empty());
            for language in crate::wording::Language::ALL {
                let labels: HashSet<_> = asked.iter().map(|asked| asked.label.text(language)).collect();
                assert_eq!(labels.len(), asked.len(), "{kind} {stage}");
            }
        }
    }

    /// Paragraph 2 is about vulnerabilities, 4 about incidents; points (a) to (c) are the stages of each.
    #[test]
    fn everything_cites_the_point_of_its_own_stage() {
        for (kind, stage, asked) in everything() {
            let paragraph = match kind {
                CraReportKind::ExploitedVulnerability => 2,
                CraReportKind::SevereIncident => 4,
            };
            let point = match stage {
                CraStage::EarlyWarning => 'a',
                CraStage::Notification => 'b',
                CraStage::FinalReport => 'c',
            };
            for asked in asked {
                let place = format!("Art. 14({paragraph})({point})");
                assert!(asked.cite.starts_with(&place), "{}: {}", asked.cite, asked.label.en);
            }
        }
    }

    #[test]
    fn a_final_report_has_the_three_numbered_parts() {
        for kind in CraReportKind::ALL {
            let cites = CraStage::FinalReport.contents(*kind).iter().map(|asked| asked.cite);
            let numbers: Vec<_> =
                cites.filter_map(|cite| cite.rsplit_once('(')).map(|(_, end)| end).collect();
            assert_eq!(numbers, ["i)", "ii)", "iii)"], "{kind}");
        }
    }

    #[test]
    fn only_an_incident_has_to_be_severe() {
        let severe = |kind: CraReportKind| kind.besides().iter().any(|asked| asked.cite == "Art. 14(5)");
        assert!(severe(CraReportKind::SevereIncident) && !severe(CraReportKind::ExploitedVulnerability));
    }
}
