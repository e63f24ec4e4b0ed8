//! API v1: a tenant's own records, with keys and writes.

mod analysis;
mod analysis_wire;
mod arrangement;
mod arrangement_input;
mod audit;
mod blast_radius;
mod compliance;
mod coverage;
mod cra_report;
mod cra_report_input;
mod delivery;
mod event;
mod exchange_rate;
mod export;
mod finding;
mod finding_import;
mod incident;
mod incident_wire;
mod kept_simulation;
mod key;
mod measure;
mod programme;
mod record;
mod register;
mod register_file;
mod register_row;
mod router;
mod scan;
mod simulation;
mod test_case;
mod threshold;
mod timeline;
mod webhook;
mod wire;

pub(crate) use event::{event_schemas, webhooks};
pub(crate) use router::router;
