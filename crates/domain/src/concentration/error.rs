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

/// Why there is no answer. The message begins with the field that can put it right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} {}", self.field(), self.complaint())]
pub enum AnalysisError {
    EmptyRegister,
    NothingActive(Day),
    NothingCritical,
    NothingToMeasure(Basis),
    MissingRates { base: Currency, missing: Vec<MissingRate> },
    CostTooLarge(String),
    TotalTooLarge,
    TwoParents { provider: String, first: String, second: String },
    ParentCycle(String),
}

impl AnalysisError {
    /// The field of the request, or the register itself.
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

    fn complaint(&self) -> String {
        match self {
            Self::EmptyRegister => "holds no ICT arrangement: add or import arrangements first".into(),
            Self::NothingActive(day) => {
                format!("must be a day with an active ICT arrangement: {day} has none")
            }
            Self::NothingCritical => {
                "must be all, because no active ICT arrangement supports a critical function".into()
            }
            Self::NothingToMeasure(basis) => {
                format!("must be another one, because the {basis} of all arrangements add up to zero")
            }
            Self::MissingRates { base, missing } => {
                format!("must hold the rates to {base} for {}", listed(missing))
            }
            Self::CostTooLarge(reference) => {
                format!(
                    "make the annual cost of arrangement {reference} too large: correct the rate or the cost"
                )
            }
            Self::TotalTooLarge => {
                "holds annual costs that add up to more than can be analysed: correct the largest".into()
            }
            Self::TwoParents { provider, first, second } => {
                format!("names two ultimate parents of {provider}, {first} and {second}: keep one")
            }
            Self::ParentCycle(provider) => {
                format!("has a circle in the parents of {provider}: name the undertaking at the top")
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
        Self::one(error.field(), error.complaint())
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
