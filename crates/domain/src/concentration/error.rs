//! Why a portfolio cannot be built or a question not be answered, each with the place and the remedy.

use crate::{currency::Currency, id::ArrangementId, moment::Day, violation::Violations};

use super::question::Basis;

/// One arrangement that cannot take part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("arrangement {reference}: {fault}")]
pub struct RowError {
    pub reference: String,
    pub fault: RowFault,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowFault {
    #[error("the annual cost is negative: enter what the bank pays")]
    NegativeCost,
    #[error("the annual cost is zero: enter an estimate when there is no invoice yet")]
    ZeroCost,
    #[error("it ends before it starts: correct starts_on or ends_on")]
    EndsBeforeStart,
    #[error("its supply chain runs in a circle: {}; remove one of these steps", .0.join(" → "))]
    Cycle(Vec<String>),
    #[error(
        "{supplier} delivers to {recipient}, which is not in this supply chain: add the step that leads to it"
    )]
    LooseStep { supplier: String, recipient: String },
}

/// A currency without a rate, and an arrangement that needs it.
pub type MissingRate = (Currency, String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    #[error("the register holds no ICT arrangement: add or import arrangements first")]
    EmptyRegister,
    #[error("no ICT arrangement is active on {0}: choose another as_of")]
    NothingActive(Day),
    #[error(
        "no active ICT arrangement supports a critical function: use the scope all, or mark the functions"
    )]
    NothingCritical,
    #[error("the {0} of all arrangements add up to zero, so there are no shares: choose another basis")]
    NothingToMeasure(Basis),
    #[error("costs are in several currencies; give the rates to {base} for {}", listed(.missing))]
    MissingRates { base: Currency, missing: Vec<MissingRate> },
    #[error("arrangement {0}: the converted annual cost is too large; correct the cost or the rate")]
    CostTooLarge(String),
    #[error("the annual costs add up to more than can be analysed; correct the largest ones")]
    TotalTooLarge,
    #[error("{provider} has two ultimate parents, {first} and {second}: keep one")]
    TwoParents { provider: String, first: String, second: String },
    #[error("the parents of {0} run in a circle: correct its ultimate parent")]
    ParentCycle(String),
}

impl AnalysisError {
    /// The field of the request that can put it right.
    pub fn field(&self) -> &'static str {
        match self {
            Self::NothingActive(_) => "as_of",
            Self::NothingCritical => "scope",
            Self::NothingToMeasure(_) => "basis",
            Self::MissingRates { .. } | Self::CostTooLarge(_) => "rates",
            Self::EmptyRegister | Self::TotalTooLarge | Self::TwoParents { .. } | Self::ParentCycle(_) => {
                "register"
            }
        }
    }

    /// Nothing to analyse, as opposed to something that cannot be analysed.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::EmptyRegister | Self::NothingActive(_) | Self::NothingCritical)
    }
}

impl From<AnalysisError> for Violations {
    fn from(error: AnalysisError) -> Self {
        Self::one(error.field(), error)
    }
}

fn listed(missing: &[MissingRate]) -> String {
    let each: Vec<_> =
        missing.iter().map(|(currency, reference)| format!("{currency} (arrangement {reference})")).collect();
    each.join(", ")
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimulationError {
    #[error("{0} is not in the register: only kept arrangements can be changed or ended")]
    UnknownArrangement(ArrangementId),
    #[error("{0} is named twice: give each arrangement one change")]
    ChangedTwice(ArrangementId),
    #[error(transparent)]
    Row(#[from] RowError),
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}
