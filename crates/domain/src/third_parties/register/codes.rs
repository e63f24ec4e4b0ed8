//! The closed lists of the official templates: each value by its data point code (`eba_CO:x1`), by a plain word and
//! by its title, so that files of reporting tools and files typed by hand are both accepted.

use std::fmt;

use super::release::Release;
use crate::wording::{Language, Reader, Sentence, sentence_traits};

/// The text is none of the three spellings of the list: code, word and title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotInList(pub &'static [(&'static str, &'static str)]);

impl Sentence for NotInList {
    fn write(&self, reader: Reader, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.0.iter().map(|(code, word)| format!("{code} ({word})")).collect();
        match reader.language() {
            Language::English => write!(f, "must be one of {} as code, word or title", values.join(" ")),
            Language::German => {
                write!(f, "muss einer dieser Werte sein, als Code, Wort oder Titel: {}", values.join(", "))
            }
        }
    }
}

sentence_traits!(NotInList);

macro_rules! closed_lists {
    ($($(#[$doc:meta])* $list:ident { $($value:ident = $code:literal $word:literal $title:literal;)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $list { $($value),* }

        impl $list {
            pub const ALL: &[Self] = &[$(Self::$value),*];

            /// The code of the data point model.
            pub fn code(self) -> &'static str {
                match self { $(Self::$value => $code),* }
            }

            /// The plain word, as the service stores and prints it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$value => $word),* }
            }

            pub fn title(self) -> &'static str {
                match self { $(Self::$value => $title),* }
            }
        }

        impl fmt::Display for $list {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $list {
            type Err = NotInList;

            fn from_str(text: &str) -> Result<Self, NotInList> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|known| [known.code(), known.as_str(), known.title()].iter().any(|s| s.eq_ignore_ascii_case(text)))
                    .ok_or(NotInList(&[$(($code, $word)),*]))
            }
        }
    )*};
}

closed_lists! {
    /// `B_01.02.0040`, and without the last two kinds `B_01.01.0040`.
    EntityKind {
        CreditInstitution = "eba_CT:x12" "credit_institution" "Credit institutions";
        InvestmentFirm = "eba_CT:x599" "investment_firm" "Investment firms";
        CentralCounterparty = "eba_CT:x643" "central_counterparty" "Central counterparties (CCPs)";
        AssetManager = "eba_CT:x639" "asset_manager" "Asset management companies";
        AccountInformation = "eba_CT:x301" "account_information" "Account information service providers";
        ElectronicMoney = "eba_CT:x302" "electronic_money" "Electronic money institutions";
        CryptoAsset = "eba_CT:x303" "crypto_asset" "Crypto-asset service providers";
        SecuritiesDepository = "eba_CT:x304" "securities_depository" "Central security depository";
        TradingVenue = "eba_CT:x305" "trading_venue" "Trading venues";
        TradeRepository = "eba_CT:x306" "trade_repository" "Trade repositories";
        AlternativeFundManager = "eba_CT:x307" "alternative_fund_manager" "Managers of alternative investment funds";
        DataReporting = "eba_CT:x308" "data_reporting" "Data reporting service providers";
        Insurance = "eba_CT:x309" "insurance" "Insurance and reinsurance undertakings";
        TokenIssuer = "eba_CT:x310" "token_issuer" "Issuers of asset-referenced tokens";
        Pensions = "eba_CT:x311" "pensions" "Institutions for occupational retirement provision";
        RatingAgency = "eba_CT:x312" "rating_agency" "Credit rating agency";
        BenchmarkAdministrator = "eba_CT:x313" "benchmark_administrator" "Administrator of critical benchmarks";
        Crowdfunding = "eba_CT:x314" "crowdfunding" "Crowdfunding service providers";
        SecuritisationRepository = "eba_CT:x315" "securitisation_repository" "Securitisation repository";
        OtherFinancial = "eba_CT:x316" "other_financial" "Other financial entity";
        PaymentInstitution = "eba_CT:x300" "payment_institution" "Payment institution";
        IntraGroupProvider = "eba_CT:x317" "intra_group_provider" "Non-financial entity: ICT intra-group service provider";
        NonFinancial = "eba_CT:x318" "non_financial" "Non-financial entity: Other than ICT intra-group service provider";
        InsuranceIntermediary = "eba_CT:x320" "insurance_intermediary"
            "Insurance intermediaries, reinsurance intermediaries and ancillary insurance intermediaries";
    }

    /// `B_01.02.0050`.
    Hierarchy {
        UltimateParent = "eba_RP:x53" "ultimate_parent" "Ultimate parent";
        Parent = "eba_RP:x551" "parent" "Parent other than ultimate parent";
        Subsidiary = "eba_RP:x56" "subsidiary" "Subsidiary";
        NotInGroup = "eba_RP:x21" "not_in_group" "Entities other than entities of the group";
        Outsourcing = "eba_RP:x210" "outsourcing" "Outsourcing";
    }

    /// `B_02.01.0020`.
    ContractKind {
        Standalone = "eba_CO:x1" "standalone" "Standalone arrangement";
        Overarching = "eba_CO:x2" "overarching" "Overarching arrangement";
        Subsequent = "eba_CO:x3" "subsequent" "Subsequent or associated arrangement";
    }

    /// `B_02.02.0090`.
    Termination {
        Expired = "eba_CO:x4" "expired" "Termination not for cause: Expired and not renewed";
        Breach = "eba_CO:x5" "breach"
            "Termination for cause: Provider in breach of applicable law, regulations or contractual provisions";
        Impediments = "eba_CO:x6" "impediments"
            "Termination for cause: Identified impediments of the provider capable of altering the supported function";
        Weaknesses = "eba_CO:x7" "weaknesses"
            "Termination for cause: Provider's weaknesses regarding the management and security of sensitive data or information";
        Authority = "eba_CO:x8" "authority" "Termination: As requested by the competent authority";
        Other = "eba_CO:x9" "other" "Other reasons for termination";
    }

    /// `B_02.02.0170`.
    Sensitiveness {
        Low = "eba_ZZ:x791" "low" "Low";
        Medium = "eba_ZZ:x792" "medium" "Medium";
        High = "eba_ZZ:x793" "high" "High";
    }

    /// `B_02.02.0180`.
    Reliance {
        NotSignificant = "eba_ZZ:x794" "not_significant" "Not significant";
        Low = "eba_ZZ:x795" "low" "Low reliance";
        Material = "eba_ZZ:x796" "material" "Material reliance";
        Full = "eba_ZZ:x797" "full" "Full reliance";
    }

    /// `B_05.01.0070`.
    PersonKind {
        Legal = "eba_CT:x212" "legal" "Legal person, excluding individual acting in a business capacity";
        Individual = "eba_CT:x213" "individual" "Individual acting in a business capacity";
    }

    /// `B_02.02.0140` and `B_07.01.0080`.
    YesNo {
        Yes = "eba_BT:x28" "yes" "Yes";
        No = "eba_BT:x29" "no" "No";
    }

    /// `B_06.01.0060` (c0050 of the data point model) and `B_07.01.0110`.
    Assessed {
        Yes = "eba_BT:x28" "yes" "Yes";
        No = "eba_BT:x29" "no" "No";
        NotAssessed = "eba_BT:x21" "not_assessed" "Assessment not performed";
    }

    /// `B_06.01.0110` (c0100 of the data point model) and `B_07.01.0100`.
    Impact {
        Low = "eba_ZZ:x791" "low" "Low";
        Medium = "eba_ZZ:x792" "medium" "Medium";
        High = "eba_ZZ:x793" "high" "High";
        NotAssessed = "eba_ZZ:x799" "not_assessed" "Assessment not performed";
    }

    /// `B_07.01.0050`.
    Replaceability {
        Not = "eba_ZZ:x959" "impossible" "Not substitutable";
        HighlyComplex = "eba_ZZ:x960" "hard" "Highly complex substitutability";
        MediumComplexity = "eba_ZZ:x961" "medium" "Medium complexity in terms of substitutability";
        Easy = "eba_ZZ:x962" "easy" "Easily substitutable";
    }

    /// `B_07.01.0060`.
    Obstacle {
        NoAlternatives = "eba_ZZ:x963" "no_alternatives" "Lack of real alternatives";
        Migration = "eba_ZZ:x964" "migration" "Difficulties in migrating or reintegrating";
        Both = "eba_ZZ:x965" "both" "Lack of real alternatives and difficulties in migrating or reintegrating";
    }

    /// `B_07.01.0090`. The last one occurs in files although the regulation does not list it.
    Reintegration {
        Easy = "eba_ZZ:x798" "easy" "Easy";
        Difficult = "eba_ZZ:x966" "difficult" "Difficult";
        HighlyComplex = "eba_ZZ:x967" "highly_complex" "Highly complex";
        NotApplicable = "eba_ZZ:x0" "not_applicable" "Not applicable";
    }

    /// How a provider is identified: `B_05.01.0020` and every column that points at it.
    CodeKind {
        Lei = "eba_qCO:qx2000" "LEI" "Legal entity identifier";
        Euid = "eba_qCO:qx2002" "EUID" "European unique identifier";
        CompanyNumber = "eba_qCO:qx2003" "CRN" "Corporate registration number";
        Vat = "eba_qCO:qx2004" "VAT" "VAT number";
        Passport = "eba_qCO:qx2005" "PNR" "Passport number";
        NationalId = "eba_qCO:qx2001" "NIN" "National code";
    }
}

impl From<Replaceability> for crate::arrangement::Substitutability {
    fn from(official: Replaceability) -> Self {
        match official {
            Replaceability::Easy => Self::Easy,
            Replaceability::MediumComplexity => Self::Medium,
            Replaceability::HighlyComplex => Self::Hard,
            Replaceability::Not => Self::Impossible,
        }
    }
}

impl EntityKind {
    /// Whether an entity of this kind may maintain a register: `B_01.01` has no non-financial entities.
    pub fn may_maintain(self) -> bool {
        !matches!(self, Self::IntraGroupProvider | Self::NonFinancial)
    }
}

/// Whether `code` is one of the licensed activities of `B_06.01.0020` (`eba_TA:x162`), supporting functions included.
pub fn is_licensed_activity(code: &str) -> bool {
    Release::current().list("licensed_activity").is_some_and(|list| list.has(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_every_value_reads_back() {
        for kind in EntityKind::ALL {
            for spelling in [kind.code(), kind.as_str(), kind.title(), &kind.code().to_uppercase()] {
                assert_eq!(spelling.parse(), Ok(*kind));
            }
        }
        assert_eq!(EntityKind::ALL.len(), 24);
        assert_eq!("eba_ZZ:x797".parse(), Ok(Reliance::Full));
        assert_eq!("YES".parse(), Ok(YesNo::Yes));
        assert!("eba_BT:x21".parse::<YesNo>().is_err());
    }

    #[test]
    fn an_unknown_code_is_reported_the_known_ones() {
        let sentence = "eba_CO:x4".parse::<ContractKind>().unwrap_err().to_string();
        assert!(sentence.starts_with("must be one of eba_CO:x1 (standalone) "), "{sentence}");
    }

    #[test]
    fn licensed_activities_are_a_list_too() {
        assert!(is_licensed_activity("eba_TA:x162") && is_licensed_activity("eba_TA:x28"));
        for bad in ["eba_TA:x29", "eba_TA:x277", "eba_TA:S01", "eba_TA:x", "eba_TA:x+28", "x162"] {
            assert!(!is_licensed_activity(bad), "{bad}");
        }
    }
}
