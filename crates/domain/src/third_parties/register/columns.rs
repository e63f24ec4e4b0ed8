//! The columns that the code names, by their official numbers. The numbers stand only here; the release has the titles,
//! types and lists of all columns.

use super::{release::Column, template::Template};
use crate::wording::Label;

/// A column of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColumnId {
    pub template: Template,
    pub number: u16,
}

impl ColumnId {
    /// The position of its cells in a row.
    pub fn position(self) -> Option<usize> {
        self.template.columns().iter().position(|column| column.number == self.number)
    }

    pub(super) fn is(self, template: Template, column: &Column) -> bool {
        (self.template, self.number) == (template, column.number)
    }

    /// The displayed title.
    pub fn label(self) -> Label {
        let column = self.template.columns().iter().find(|column| column.number == self.number);
        column.map_or(Label::new("", ""), Column::label)
    }
}

macro_rules! columns {
    ($($group:ident = $template:ident { $($name:ident $number:literal)* })*) => {
        $(pub mod $group {
            use super::{ColumnId, Template};

            $(pub const $name: ColumnId = ColumnId { template: Template::$template, number: $number };)*
        })*

        #[cfg(test)]
        const ALL: &[ColumnId] = &[$($($group::$name),*),*];
    };
}

columns! {
    maintainer = Maintainer { LEI 10 NAME 20 COUNTRY 30 KIND 40 AUTHORITY 50 REPORTED_ON 60 }

    entities = Entities {
        LEI 10 NAME 20 COUNTRY 30 KIND 40 HIERARCHY 50 PARENT 60 UPDATED_ON 70 INTEGRATED_ON 80 DELETED_ON 90
        CURRENCY 100 TOTAL_ASSETS 110
    }

    contracts = Contracts { REFERENCE 10 KIND 20 OVERARCHING 30 CURRENCY 40 ANNUAL_COST 50 }

    lines = ContractLines {
        CONTRACT 10 ENTITY 20 PROVIDER 30 PROVIDER_TYPE 40 FUNCTION 50 SERVICE_TYPE 60 STARTS_ON 70 ENDS_ON 80
        TERMINATION 90 NOTICE_OF_ENTITY 100 NOTICE_OF_PROVIDER 110 LAW 120 PROVISION 130 STORES_DATA 140 STORAGE 150
        PROCESSING 160 SENSITIVENESS 170 RELIANCE 180
    }

    signatories = Signatories { CONTRACT 10 ENTITY 20 LINK 30 }

    signing_providers = SigningProviders { CONTRACT 10 PROVIDER 20 PROVIDER_TYPE 30 }

    users = Users { CONTRACT 10 ENTITY 20 NATURE 30 BRANCH 40 }

    providers = Providers {
        CODE 10 CODE_TYPE 20 OTHER_CODE 30 OTHER_CODE_TYPE 40 NAME 50 LATIN_NAME 60 PERSON 70 COUNTRY 80 CURRENCY 90
        ANNUAL_COST 100 PARENT 110 PARENT_TYPE 120
    }

    chain = SupplyChain {
        CONTRACT 10 SERVICE_TYPE 20 PROVIDER 30 PROVIDER_TYPE 40 RANK 50 RECIPIENT 60 RECIPIENT_TYPE 70
    }

    functions = Functions {
        IDENTIFIER 10 ACTIVITY 20 NAME 30 ENTITY 40 CRITICALITY 50 REASONS 60 ASSESSED_ON 70 RECOVERY_TIME 80
        RECOVERY_POINT 90 IMPACT 100
    }

    assessments = Assessments {
        CONTRACT 10 PROVIDER 20 PROVIDER_TYPE 30 SERVICE_TYPE 40 REPLACEABILITY 50 OBSTACLE 60 AUDITED_ON 70 EXIT_PLAN 80
        REINTEGRATION 90 IMPACT 100 ALTERNATIVES 110 ALTERNATIVE 120
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_named_column_exists_once_in_the_release() {
        let named: HashSet<_> = ALL.iter().collect();
        assert_eq!(named.len(), ALL.len());
        for column in ALL {
            assert!(column.position().is_some(), "{column:?}");
        }
        for template in Template::READ {
            let known = ALL.iter().filter(|column| column.template == template).count();
            assert_eq!(known, template.columns().len(), "{template}");
        }
    }
}
