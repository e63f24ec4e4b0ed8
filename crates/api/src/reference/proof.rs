use app::catalogue::proof::{Grade, Proven};
use domain::moment::Day;
use serde::Serialize;
use utoipa::ToSchema;

use crate::schema::word;

/// What a statement rests on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Proof {
    /// The act or publication it cites, as `/api/sources` lists it.
    #[schema(example = "dora")]
    act: Option<String>,
    /// Where the official text or the source is.
    #[schema(example = "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32022R2554")]
    url: Option<String>,
    /// The day it was last compared with the source.
    #[schema(value_type = Option<String>, format = Date)]
    verified_on: Option<Day>,
    #[schema(value_type = word::Grade)]
    grade: Grade,
}

impl From<Proven<'_>> for Proof {
    fn from(proven: Proven<'_>) -> Self {
        Self {
            act: proven.act.map(|act| act.id.to_string()),
            url: proven.url,
            verified_on: proven.verified_on,
            grade: proven.grade,
        }
    }
}
