//! The kinds of records, as named for users, in references and in search results.

/// The kind of a record. Ids are unique within their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Framework,
    Section,
    Requirement,
    Reference,
    Measure,
    Evidence,
    Category,
    Risk,
    Dimension,
    Vendor,
    Drill,
    Gap,
    Milestone,
    Signal,
    Training,
    Question,
    Widget,
    Clock,
    Provider,
    Act,
    Crosswalk,
    Change,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Framework => "framework",
            Self::Section => "section",
            Self::Requirement => "requirement",
            Self::Reference => "reference",
            Self::Measure => "measure",
            Self::Evidence => "evidence",
            Self::Category => "category",
            Self::Risk => "risk",
            Self::Dimension => "dimension",
            Self::Vendor => "vendor",
            Self::Drill => "drill",
            Self::Gap => "gap",
            Self::Milestone => "milestone",
            Self::Signal => "signal",
            Self::Training => "training",
            Self::Question => "question",
            Self::Widget => "widget",
            Self::Clock => "clock",
            Self::Provider => "provider",
            Self::Act => "act",
            Self::Crosswalk => "crosswalk",
            Self::Change => "change",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
