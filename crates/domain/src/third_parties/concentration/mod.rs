//! Concentration risk: how much the bank depends on one provider, sector, region or technology.
//!
//! DORA Art. 28(4)(c) and 29 require this before and during every arrangement. Rows are interned into a
//! [`Portfolio`]; [`analyse`] evaluates an [`AnalysisInput`] about it. All sums, shares and comparisons are exact integers;
//! rounding happens once, when a number is printed. No rule of the Union sets a numeric limit for one entity, so the
//! limits are the tenant's thresholds.
//!
//! Storing and paging results, and permissions, are not part of this module.

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
pub use question::{AnalysisInput, Basis, Designated, Dimension, Scope};
pub use resilience::{CriticalFunctions, Exposure, FunctionStanding};
pub use share::{Hhi, Share};
pub use simulate::{Change, Difference, DimensionDifference, EntryDifference, Simulation, simulate};
pub use stale::{Cause, UnknownCause};

#[cfg(test)]
mod tests;
