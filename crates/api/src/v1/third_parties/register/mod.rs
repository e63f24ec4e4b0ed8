//! The register of information.

mod file;
pub(crate) mod filings;
mod rows;
mod take_over;

use domain::register_filing::RegisterFiling;
use utoipa_axum::routes;

use crate::v1::{Subject, WholeList};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "register of information",
    about: "All fifteen templates of Implementing Regulation (EU) 2024/2956: rows, checks and packages.",
    list: Some(WholeList::drawn::<RegisterFiling>()),
    routes: |router| {
        filings::routes(router)
            .routes(routes!(rows::overview))
            .routes(routes!(rows::checks))
            .routes(routes!(file::import))
            .routes(routes!(file::export))
            .routes(routes!(take_over::take_over))
            .routes(routes!(rows::list))
            .routes(routes!(rows::create))
            .routes(routes!(rows::patch, rows::delete))
    },
};
