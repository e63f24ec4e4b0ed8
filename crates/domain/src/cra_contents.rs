//! What a report under CRA Art. 14 has to say at each stage, as the regulation asks for it.

use crate::{
    cra_report::{CraReportKind, CraStage},
    wording::Label,
};

const MEMBER_STATES: Label = Label::new(
    "The Member States in which you know the product to have been made available",
    "Die Mitgliedstaaten, in denen das Produkt Ihres Wissens bereitgestellt wurde",
);
const MEASURES_TAKEN: Label = Label::new(
    "Corrective or mitigating measures you have taken",
    "Getroffene Korrektur- oder Risikominderungsmaßnahmen",
);
const MEASURES_FOR_USERS: Label = Label::new(
    "Corrective or mitigating measures users can take",
    "Korrektur- oder Risikominderungsmaßnahmen, die Nutzer ergreifen können",
);
const SENSITIVITY: Label = Label::new(
    "How sensitive you consider the notified information",
    "Wie vertraulich die gemeldeten Informationen aus Ihrer Sicht sind",
);

const VULNERABILITY_WARNING: &[Label] = &[MEMBER_STATES];
const VULNERABILITY_NOTIFICATION: &[Label] = &[
    Label::new("General information about the product", "Allgemeine Angaben zum Produkt"),
    Label::new(
        "The general nature of the exploit and of the vulnerability",
        "Die allgemeine Art der Ausnutzung und der Schwachstelle",
    ),
    MEASURES_TAKEN,
    MEASURES_FOR_USERS,
    SENSITIVITY,
];
const VULNERABILITY_FINAL: &[Label] = &[
    Label::new(
        "A description of the vulnerability with its severity and impact",
        "Eine Beschreibung der Schwachstelle mit Schweregrad und Auswirkungen",
    ),
    Label::new(
        "What is known of any malicious actor that has exploited it",
        "Was über böswillige Akteure bekannt ist, die sie ausgenutzt haben",
    ),
    Label::new(
        "Details of the security update or other corrective measures",
        "Einzelheiten zur Sicherheitsaktualisierung oder zu anderen Korrekturmaßnahmen",
    ),
];
const INCIDENT_WARNING: &[Label] = &[
    Label::new(
        "Whether unlawful or malicious acts are suspected to have caused it",
        "Ob rechtswidrige oder böswillige Handlungen als Ursache vermutet werden",
    ),
    MEMBER_STATES,
];
const INCIDENT_NOTIFICATION: &[Label] = &[
    Label::new("The nature of the incident", "Die Art des Vorfalls"),
    Label::new("An initial assessment of it", "Eine erste Bewertung des Vorfalls"),
    MEASURES_TAKEN,
    MEASURES_FOR_USERS,
    SENSITIVITY,
];
const INCIDENT_FINAL: &[Label] = &[
    Label::new(
        "A detailed description of the incident with its severity and impact",
        "Eine ausführliche Beschreibung des Vorfalls mit Schweregrad und Auswirkungen",
    ),
    Label::new(
        "The type of threat or root cause that is likely to have triggered it",
        "Die Art der Bedrohung oder die Grundursache, die ihn wahrscheinlich ausgelöst hat",
    ),
    Label::new("Applied and ongoing mitigation", "Getroffene und laufende Abhilfemaßnahmen"),
];

impl CraStage {
    /// What has to be told at this stage.
    pub fn contents(self, kind: CraReportKind) -> &'static [Label] {
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_stage_asks_for_something_and_for_nothing_twice() {
        for kind in CraReportKind::ALL {
            for stage in CraStage::ALL {
                let asked: Vec<_> = stage.contents(*kind).iter().map(|label| label.en).collect();
                assert!(!asked.is_empty());
                assert_eq!(asked.iter().collect::<HashSet<_>>().len(), asked.len(), "{kind} {stage}");
            }
        }
    }
}
