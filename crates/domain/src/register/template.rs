//! The official templates and their columns, under both numberings.
//!
//! The annex of the regulation numbers columns `B_06.01.0050`, the data point model names them `c0050`. As first
//! published, the annex left out 0050 in `B_06.01` and ran ten ahead from criticality on; since the corrigendum
//! OJ L 2025/90725 both agree everywhere. Files of either kind are read.

use std::fmt;

/// Whether a column must be there, and filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Part of what identifies the row: there, and filled.
    Key,
    /// There, and filled.
    Required,
    /// There; whether filled depends on other columns.
    Conditional,
    /// Asked for by the regulation, but a file without it is accepted, and a notice says so.
    Expected,
    Optional,
}

/// One column, by its number in the data point model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub number: u16,
    pub need: Need,
    pub title: &'static str,
}

/// Which of the two numberings a file uses. They differ in `B_06.01` only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// The data point model, and the annex since its corrigendum.
    DataPointModel,
    /// The annex as first published.
    OfficialJournal,
}

macro_rules! templates {
    ($($name:ident $id:literal $title:literal [$($number:literal $need:ident $column:literal,)*];)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Template { $($name),* }

        impl Template {
            pub const ALL: [Self; 15] = [$(Self::$name),*];

            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id),* }
            }

            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title),* }
            }

            /// Empty for the templates that are not read yet.
            pub fn columns(self) -> &'static [Column] {
                match self {
                    $(Self::$name => &[$(Column { number: $number, need: Need::$need, title: $column }),*]),*
                }
            }
        }
    };
}

templates! {
    Maintainer "B_01.01" "Entity maintaining the register of information" [
        10 Key "LEI of the entity maintaining the register",
        20 Required "Name of the entity",
        30 Required "Country of the entity",
        40 Required "Type of entity",
        50 Required "Competent authority",
        60 Required "Date of the reporting",
    ];
    Entities "B_01.02" "List of entities within the scope of consolidation" [
        10 Key "LEI of the entity",
        20 Required "Name of the entity",
        30 Required "Country of the entity",
        40 Required "Type of entity",
        50 Required "Hierarchy within the group",
        60 Required "LEI of the direct parent undertaking",
        70 Required "Date of last update",
        80 Required "Date of integration",
        90 Required "Date of deletion",
        100 Conditional "Currency",
        110 Conditional "Value of total assets",
    ];
    Branches "B_01.03" "List of branches" [];
    Contracts "B_02.01" "Contractual arrangements: general information" [
        10 Key "Contractual arrangement reference number",
        20 Required "Type of contractual arrangement",
        30 Conditional "Overarching arrangement reference number",
        40 Required "Currency",
        50 Required "Annual expense or estimated cost",
    ];
    ContractLines "B_02.02" "Contractual arrangements: specific information" [
        10 Key "Contractual arrangement reference number",
        20 Key "LEI of the entity making use of the service",
        30 Key "Identification code of the provider",
        40 Required "Type of code",
        50 Key "Function identifier",
        60 Key "Type of ICT services",
        70 Required "Start date",
        80 Required "End date",
        90 Conditional "Reason of the termination",
        100 Conditional "Notice period for the entity",
        110 Conditional "Notice period for the provider",
        120 Conditional "Country of the governing law",
        130 Conditional "Country of provision",
        140 Conditional "Storage of data",
        150 Conditional "Location of the data at rest",
        160 Conditional "Location of the data processing",
        170 Conditional "Sensitiveness of the data",
        180 Conditional "Level of reliance",
    ];
    IntraGroupLinks "B_02.03" "List of intra-group contractual arrangements" [];
    Signatories "B_03.01" "Entities signing the contractual arrangements" [];
    SigningProviders "B_03.02" "Providers signing the contractual arrangements" [];
    SigningMembers "B_03.03" "Entities signing for providing services to other entities in consolidation" [];
    Users "B_04.01" "Entities making use of the ICT services" [];
    Providers "B_05.01" "ICT third-party service providers" [
        10 Key "Identification code of the provider",
        20 Required "Type of code",
        30 Optional "Additional identification code",
        40 Optional "Type of additional code",
        50 Required "Legal name",
        60 Expected "Name in Latin alphabet",
        70 Required "Type of person",
        80 Required "Country of the headquarters",
        90 Conditional "Currency",
        100 Conditional "Total annual expense",
        110 Conditional "Identification code of the ultimate parent undertaking",
        120 Conditional "Type of code of the ultimate parent undertaking",
    ];
    SupplyChain "B_05.02" "ICT service supply chain" [
        10 Key "Contractual arrangement reference number",
        20 Key "Type of ICT services",
        30 Key "Identification code of the provider",
        40 Required "Type of code",
        50 Required "Rank",
        60 Conditional "Identification code of the recipient",
        70 Conditional "Type of code of the recipient",
    ];
    Functions "B_06.01" "Functions identification" [
        10 Key "Function identifier",
        20 Required "Licensed activity",
        30 Required "Function name",
        40 Key "LEI of the entity",
        50 Required "Criticality or importance",
        60 Optional "Reasons for criticality or importance",
        70 Required "Date of the last assessment",
        80 Required "Recovery time objective",
        90 Required "Recovery point objective",
        100 Required "Impact of discontinuing the function",
    ];
    Assessments "B_07.01" "Assessments of the ICT services" [
        10 Key "Contractual arrangement reference number",
        20 Key "Identification code of the provider",
        30 Required "Type of code",
        40 Key "Type of ICT services",
        50 Required "Substitutability of the provider",
        60 Conditional "Reason if hard to substitute",
        70 Required "Date of the last audit",
        80 Required "Existence of an exit plan",
        90 Required "Possibility of reintegration",
        100 Required "Impact of discontinuing the service",
        110 Required "Alternative providers identified",
        120 Optional "Identification of alternative providers",
    ];
    Definitions "B_99.01" "Definitions from entities making use of the ICT services" [];
}

impl Template {
    /// The templates the service reads; a whole package must hold each of them.
    pub fn read() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|template| !template.columns().is_empty())
    }

    /// From a file name like `reports/b_02.01.csv`, or an id like `B_02.01` or `RT.02.01`.
    pub fn from_name(name: &str) -> Option<Self> {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
        let stem = file.strip_suffix(".csv").unwrap_or(&file);
        let number = stem.strip_prefix("b_").or_else(|| stem.strip_prefix("rt."))?;
        Self::ALL.into_iter().find(|template| number.replace('_', ".") == template.id()[2..])
    }

    /// The number a column had in the annex as first published.
    fn journal_number(self, column: Column) -> u16 {
        if self == Self::Functions && column.number >= 50 { column.number + 10 } else { column.number }
    }

    /// The heading of a column as `numbering` writes it.
    pub fn heading(self, column: u16, numbering: Numbering) -> String {
        let known = self.columns().iter().find(|known| known.number == column);
        match (numbering, known) {
            (Numbering::OfficialJournal, Some(known)) => {
                format!("{}.{:04}", self.id(), self.journal_number(*known))
            }
            _ => format!("c{column:04}"),
        }
    }

    /// Reads the number out of a heading: `c0010`, `0010`, `B_01.02.0010`, `RT.01.02.0010`.
    pub(super) fn heading_number(self, heading: &str) -> Option<u16> {
        let heading = heading.trim().trim_start_matches('\u{feff}').to_ascii_lowercase();
        let id = &self.id()[2..];
        let bare = ["b_", "rt."]
            .iter()
            .find_map(|prefix| heading.strip_prefix(prefix)?.strip_prefix(id)?.strip_prefix('.'));
        let digits = bare.or_else(|| heading.strip_prefix('c')).unwrap_or(&heading);
        (digits.len() == 4).then(|| digits.parse().ok()).flatten()
    }

    /// The column a heading's number stands for.
    pub(super) fn column(self, number: u16, numbering: Numbering) -> Option<Column> {
        self.columns().iter().copied().find(|column| match numbering {
            Numbering::DataPointModel => column.number == number,
            Numbering::OfficialJournal => self.journal_number(*column) == number,
        })
    }

    /// The numbering these headings follow: only the annex as first published has a column 0110 in `B_06.01`, only
    /// the data point model and the corrected annex a column 0050.
    pub(super) fn numbering(self, numbers: &[u16]) -> Numbering {
        let journal = self == Self::Functions && (numbers.contains(&110) || !numbers.contains(&50));
        if journal { Numbering::OfficialJournal } else { Numbering::DataPointModel }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fifteen_templates_and_eight_are_read() {
        assert_eq!(Template::read().count(), 8);
        let sizes: Vec<_> = Template::read().map(|template| template.columns().len()).collect();
        assert_eq!(sizes, [6, 11, 5, 18, 12, 7, 10, 12]);
    }

    #[test]
    fn files_are_recognised_by_name() {
        for name in ["b_05.01.csv", "x/reports/B_05.01.CSV", "B_05_01", "RT.05.01", "a\\b_05.01.csv"] {
            assert_eq!(Template::from_name(name), Some(Template::Providers), "{name}");
        }
        for name in ["", "parameters.csv", "b_05.03.csv", "b_05.01.txt", "05.01"] {
            assert_eq!(Template::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn criticality_is_found_under_both_numbers() {
        let functions = Template::Functions;
        let model: Vec<_> = (1..=10).map(|n| n * 10).collect();
        let journal = [10, 20, 30, 40, 60, 70, 80, 90, 100, 110];
        assert_eq!(functions.numbering(&model), Numbering::DataPointModel);
        assert_eq!(functions.numbering(&journal), Numbering::OfficialJournal);
        assert_eq!(
            functions.column(60, Numbering::OfficialJournal).unwrap().title,
            "Criticality or importance"
        );
        assert_eq!(
            functions.column(50, Numbering::DataPointModel).unwrap().title,
            "Criticality or importance"
        );
        assert_eq!(functions.column(50, Numbering::OfficialJournal), None);
        assert_eq!(functions.heading(50, Numbering::OfficialJournal), "B_06.01.0060");
        for heading in ["c0060", "0060", " B_06.01.0060", "RT.06.01.0060", "\u{feff}C0060"] {
            assert_eq!(functions.heading_number(heading), Some(60), "{heading}");
        }
        assert_eq!(functions.heading_number("B_07.01.0060"), None);
    }
}
