//! Concentration risk: how much of the bank hangs on one provider, sector, region or technology.
//!
//! DORA Art. 28(4)(c) and 29 ask for this before and during every arrangement. Rows are interned into a
//! [`Portfolio`]; [`analyse`] answers a [`Question`] about it. All sums, shares and comparisons are exact
//! integers; rounding happens once, when a number is printed. No rule of the Union sets a numeric limit for
//! one entity, so the limits are the tenant's thresholds.
//!
//! Left out: storing, numbering and paging of results, and who may ask.

mod aggregate;
mod analysis;
mod blast;
mod breach;
mod buckets;
mod common_node;
mod error;
mod names;
mod places;
mod portfolio;
mod providers;
mod question;
mod resilience;
mod selection;
mod share;
mod simulate;
mod stale;

pub use aggregate::{DimensionResult, Entry};
pub use analysis::{Analysis, analyse};
pub use blast::{BlastRadius, Failing, LostFunction, blast_radius};
pub use breach::{Breach, Level};
pub use common_node::CommonNode;
pub use error::{AnalysisError, MissingRate, RowError, RowFault, SimulationError};
pub use places::{CountryShare, PlaceShares};
pub use portfolio::{FunctionRef, Portfolio, ProviderRef, Row, Step};
pub use question::{Basis, Designated, Dimension, Question, Scope};
pub use resilience::{CriticalFunctions, Exposure};
pub use share::{Hhi, Share};
pub use simulate::{Change, Difference, DimensionDifference, EntryDifference, Simulation, simulate};
pub use stale::{Cause, UnknownCause};

#[cfg(test)]
mod tests;
