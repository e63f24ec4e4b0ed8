//! The nineteen types of ICT services of Implementing Regulation (EU) 2024/2956, Annex III.

use crate::vocabulary::vocabulary;

vocabulary! {
    /// The kind of service of an arrangement, by the code of the annex.
    ServiceType {
        S01 = "S01" ("ICT project management", "IKT-Projektmanagement"),
        S02 = "S02" ("ICT development", "IKT-Entwicklung"),
        S03 = "S03" ("ICT help desk and first level support", "IKT-Helpdesk und First-Level-Support"),
        S04 = "S04" ("ICT security management services", "IKT-Sicherheitsmanagement"),
        S05 = "S05" ("Provision of data", "Bereitstellung von Daten"),
        S06 = "S06" ("Data analysis", "Datenanalyse"),
        S07 = "S07"
            ("ICT, facilities and hosting services (excluding cloud services)",
             "IKT-Einrichtungen und Hosting (ohne Cloud-Dienste)"),
        S08 = "S08" ("Computation", "Rechenleistung"),
        S09 = "S09" ("Non-cloud data storage", "Datenspeicherung (ohne Cloud)"),
        S10 = "S10" ("Telecom carrier", "Telekommunikationsbetreiber"),
        S11 = "S11" ("Network infrastructure", "Netzinfrastruktur"),
        S12 = "S12" ("Hardware and physical devices", "Hardware und physische Geräte"),
        S13 = "S13" ("Software licencing (excluding SaaS)", "Softwarelizenzen (ohne SaaS)"),
        S14 = "S14"
            ("ICT operation management (including maintenance)", "IKT-Betriebsmanagement (einschließlich Wartung)"),
        S15 = "S15" ("ICT consulting", "IKT-Beratung"),
        S16 = "S16" ("ICT risk management", "IKT-Risikomanagement"),
        S17 = "S17" ("Cloud services: IaaS", "Cloud-Dienste: IaaS"),
        S18 = "S18" ("Cloud services: PaaS", "Cloud-Dienste: PaaS"),
        S19 = "S19" ("Cloud services: SaaS", "Cloud-Dienste: SaaS"),
    }
}

vocabulary! {
    /// The business of a provider of such a service. The official register does not record a sector, so an import
    /// from it uses this instead.
    ServiceFamily {
        Cloud = "cloud" ("Cloud", "Cloud"),
        Data = "data" ("Data and analytics", "Daten und Analyse"),
        Hosting = "hosting" ("Hosting and computation", "Hosting und Rechenleistung"),
        Networks = "networks" ("Telecommunications and networks", "Telekommunikation und Netze"),
        Products = "products" ("Hardware and software", "Hardware und Software"),
        Security = "security" ("Security and risk", "Sicherheit und Risiko"),
        Services = "services" ("ICT services and consulting", "IKT-Dienste und Beratung"),
    }
}

impl ServiceType {
    pub fn family(self) -> ServiceFamily {
        match self {
            Self::S17 | Self::S18 | Self::S19 => ServiceFamily::Cloud,
            Self::S05 | Self::S06 => ServiceFamily::Data,
            Self::S07 | Self::S08 | Self::S09 => ServiceFamily::Hosting,
            Self::S10 | Self::S11 => ServiceFamily::Networks,
            Self::S12 | Self::S13 => ServiceFamily::Products,
            Self::S04 | Self::S16 => ServiceFamily::Security,
            Self::S01 | Self::S02 | Self::S03 | Self::S14 | Self::S15 => ServiceFamily::Services,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::tests::is_sound;

    #[test]
    fn the_codes_count_from_one_to_nineteen() {
        assert_eq!(ServiceType::ALL.len(), 19);
        for (index, known) in ServiceType::ALL.iter().enumerate() {
            assert_eq!(known.as_str(), format!("S{:02}", index + 1));
            assert_eq!(known.as_str().parse(), Ok(*known));
        }
        for bad in ["", "S00", "S20", "s01", "S1", "eba_TA:S01"] {
            assert!(bad.parse::<ServiceType>().is_err(), "{bad}");
        }
        is_sound::<ServiceFamily>();
    }
}
