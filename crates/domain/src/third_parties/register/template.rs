//! The official templates and their columns, under both numberings.
//!
//! The annex of the regulation numbers columns `B_06.01.0050`, the data point model names them `c0050`. As first
//! published, the annex left out 0050 in `B_06.01` and ran ten ahead from criticality on; since the corrigendum
//! OJ L 2025/90725 both agree everywhere. Files of either kind are read.

use std::{fmt, str::FromStr};

use super::{
    columns::providers,
    release::{Column, Need, Obligation, Release},
};
use crate::wording::{Label, sentence};

/// The numbering of a file. The two differ in `B_06.01` only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// The data point model, and the annex since its corrigendum.
    DataPointModel,
    /// The annex as first published.
    OfficialJournal,
}

macro_rules! templates {
    ($($name:ident $id:literal)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Template { $($name),* }

        impl Template {
            pub const ALL: [Self; 15] = [$(Self::$name),*];

            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id),* }
            }
        }
    };
}

templates! {
    Maintainer "B_01.01"
    Entities "B_01.02"
    Branches "B_01.03"
    Contracts "B_02.01"
    ContractLines "B_02.02"
    IntraGroupLinks "B_02.03"
    Signatories "B_03.01"
    SigningProviders "B_03.02"
    SigningMembers "B_03.03"
    Users "B_04.01"
    Providers "B_05.01"
    SupplyChain "B_05.02"
    Functions "B_06.01"
    Assessments "B_07.01"
    Definitions "B_99.01"
}

impl Column {
    /// The need of a column of `template` for the conversion to arrangements.
    pub fn need(&self, template: Template) -> Need {
        match self.obligation {
            // The supervisor reports an empty one; files from before that rule lack it.
            Obligation::Mandatory if providers::LATIN_NAME.is(template, self) => Need::Expected,
            Obligation::Mandatory if self.key => Need::Key,
            Obligation::Mandatory => Need::Required,
            Obligation::Conditional => Need::Conditional,
            Obligation::Optional | Obligation::Technical => Need::Optional,
        }
    }
}

impl Template {
    /// The templates used for arrangements; a package must contain each of them to be converted.
    pub const READ: [Self; 8] = [
        Self::Maintainer,
        Self::Entities,
        Self::Contracts,
        Self::ContractLines,
        Self::Providers,
        Self::SupplyChain,
        Self::Functions,
        Self::Assessments,
    ];

    pub fn columns(self) -> &'static [Column] {
        Release::current().columns(self)
    }

    /// The position of a column by its code, such as `c0010`.
    pub fn position(self, code: &str) -> Option<usize> {
        let digits = code.strip_prefix('c')?;
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: u16 = digits.parse().ok()?;
        self.columns().iter().position(|column| column.number == number)
    }

    /// The displayed title.
    pub fn label(self) -> Label {
        Release::current().titles.get(self as usize).copied().unwrap_or(Label::new(self.id(), self.id()))
    }

    pub fn title(self) -> &'static str {
        self.label().en
    }

    /// Whether it is used for arrangements.
    pub fn is_read(self) -> bool {
        Self::READ.contains(&self)
    }

    /// From a file name like `reports/b_02.01.csv`, or an id like `B_02.01` or `RT.02.01`.
    pub fn from_name(name: &str) -> Option<Self> {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
        let stem = file.strip_suffix(".csv").unwrap_or(&file);
        let number = stem.strip_prefix("b_").or_else(|| stem.strip_prefix("rt."))?;
        Self::ALL.into_iter().find(|template| number.replace('_', ".") == template.id()[2..])
    }

    /// The heading of a column as `numbering` writes it.
    pub fn heading(self, column: u16, numbering: Numbering) -> String {
        let known = self.columns().iter().find(|known| known.number == column);
        match (numbering, known) {
            (Numbering::OfficialJournal, Some(known)) => {
                format!("{}.{:04}", self.id(), known.first_published_as)
            }
            _ => format!("c{column:04}"),
        }
    }

    /// Parses the number in a heading: `c0010`, `0010`, `B_01.02.0010`, `RT.01.02.0010`.
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
            Numbering::OfficialJournal => column.first_published_as == number,
        })
    }

    /// The numbering of these headings: only the annex as first published has a column 0110 in `B_06.01`, only the
    /// data point model and the corrected annex a column 0050.
    pub(super) fn numbering(self, numbers: &[u16]) -> Numbering {
        let journal = self == Self::Functions && (numbers.contains(&110) || !numbers.contains(&50));
        if journal { Numbering::OfficialJournal } else { Numbering::DataPointModel }
    }
}

sentence! {
    /// The text names no template.
    NotATemplate =
        "must be the id of a template, such as B_05.01",
        "muss die Kennung einer Vorlage sein, etwa B_05.01";
}

impl FromStr for Template {
    type Err = NotATemplate;

    fn from_str(text: &str) -> Result<Self, NotATemplate> {
        let known = Self::ALL.into_iter().find(|template| template.id().eq_ignore_ascii_case(text));
        known.ok_or(NotATemplate)
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
            functions.column(60, Numbering::OfficialJournal).unwrap().title.en,
            "Criticality or importance"
        );
        assert_eq!(
            functions.column(50, Numbering::DataPointModel).unwrap().title.en,
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
