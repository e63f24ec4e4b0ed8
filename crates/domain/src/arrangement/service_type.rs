//! The nineteen types of ICT services of Implementing Regulation (EU) 2024/2956, Annex III.

use std::{fmt, str::FromStr};

macro_rules! service_types {
    ($($code:ident $title:literal $family:ident;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ServiceType { $($code),* }

        impl ServiceType {
            pub const ALL: [Self; 19] = [$(Self::$code),*];

            /// The code of Annex III.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$code => stringify!($code)),* }
            }

            pub fn title(self) -> &'static str {
                match self { $(Self::$code => $title),* }
            }

            pub fn family(self) -> ServiceFamily {
                match self { $(Self::$code => ServiceFamily::$family),* }
            }
        }
    };
}

service_types! {
    S01 "ICT project management" Services;
    S02 "ICT development" Services;
    S03 "ICT help desk and first level support" Services;
    S04 "ICT security management services" Security;
    S05 "Provision of data" Data;
    S06 "Data analysis" Data;
    S07 "ICT, facilities and hosting services (excluding cloud services)" Hosting;
    S08 "Computation" Hosting;
    S09 "Non-cloud data storage" Hosting;
    S10 "Telecom carrier" Networks;
    S11 "Network infrastructure" Networks;
    S12 "Hardware and physical devices" Products;
    S13 "Software licencing (excluding SaaS)" Products;
    S14 "ICT operation management (including maintenance)" Services;
    S15 "ICT consulting" Services;
    S16 "ICT risk management" Security;
    S17 "Cloud services: IaaS" Cloud;
    S18 "Cloud services: PaaS" Cloud;
    S19 "Cloud services: SaaS" Cloud;
}

/// What business a provider of such a service is in. The official register does not record a sector, so an
/// import from it falls back on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ServiceFamily {
    Cloud,
    Data,
    Hosting,
    Networks,
    Products,
    Security,
    Services,
}

impl ServiceFamily {
    pub fn title(self) -> &'static str {
        match self {
            Self::Cloud => "Cloud",
            Self::Data => "Data and analytics",
            Self::Hosting => "Hosting and computation",
            Self::Networks => "Telecommunications and networks",
            Self::Products => "Hardware and software",
            Self::Security => "Security and risk",
            Self::Services => "ICT services and consulting",
        }
    }
}

impl fmt::Display for ServiceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of the ICT service types S01 to S19")]
pub struct UnknownServiceType;

impl FromStr for ServiceType {
    type Err = UnknownServiceType;

    fn from_str(text: &str) -> Result<Self, UnknownServiceType> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownServiceType)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_count_from_one_to_nineteen() {
        for (index, known) in ServiceType::ALL.into_iter().enumerate() {
            assert_eq!(known.as_str(), format!("S{:02}", index + 1));
            assert_eq!(known.as_str().parse(), Ok(known));
        }
        for bad in ["", "S00", "S20", "s01", "S1", "eba_TA:S01"] {
            assert_eq!(bad.parse::<ServiceType>(), Err(UnknownServiceType), "{bad}");
        }
    }
}
