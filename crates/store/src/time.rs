//! The database server's clock, which all nodes share.

use domain::moment::Moment;

use crate::{Reader, Result};

crate::sql! {
    NOW = differs("each engine has its own word for the present",
        sqlite "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)",
        postgres "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)");
}

pub fn now(reader: &mut Reader<'_>) -> Result<Moment> {
    reader.query_one(&NOW, &[], |row| row.get(0))
}
