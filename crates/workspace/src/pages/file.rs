//! Lists and records as files, with the same filters as their pages.

use app::{
    evidence::EvidenceContent,
    report::{Content, File, Format, TableFormat},
};
use axum::{Router, body::Body, extract::State, response::Response, routing::get};
use domain::evidence::attachment;
use http::{HeaderValue, header};

use crate::{Workspace, error::PageError, extract::Visit, respond::Answer, ui::filter};

/// A list that can be taken along as a file.
pub(crate) trait Exported {
    /// A table, or also a report.
    const FILES: &'static [(&'static str, &'static str)] = &filter::REPORTS;

    /// The file of the list with the filters in the address.
    fn file(
        workspace: &Workspace,
        visit: &Visit,
        format: Format,
    ) -> impl Future<Output = Result<File, PageError>> + Send;
}

/// The routes of the files of a list.
pub(super) fn router<L: Exported + 'static>(address: &str) -> Router<Workspace> {
    let tables = Router::new()
        .route(&format!("{address}.csv"), get(list_csv::<L>))
        .route(&format!("{address}.xlsx"), get(list_xlsx::<L>));
    if L::FILES.contains(&filter::PDF) {
        tables.route(&format!("{address}.pdf"), get(list_pdf::<L>))
    } else {
        tables
    }
}

async fn list_csv<L: Exported>(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    csv(L::file(&workspace, &visit, Format::Table(TableFormat::Csv)).await?)
}

async fn list_xlsx<L: Exported>(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let format = TableFormat::Xlsx(visit.language);
    table(L::file(&workspace, &visit, Format::Table(format)).await?, format)
}

async fn list_pdf<L: Exported>(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    pdf(L::file(&workspace, &visit, style(&visit)).await?)
}

/// The format of a list that is exported as a table only.
pub(super) fn rows(format: Format) -> TableFormat {
    match format {
        Format::Table(format) => format,
        Format::Pdf | Format::LongPdf => TableFormat::Csv,
    }
}

/// A report, displayed in the browser if it can.
pub(super) fn pdf(file: File) -> Answer {
    served(file, "application/pdf", "inline")
}

pub(super) fn csv(file: File) -> Answer {
    served(file, "text/csv; charset=utf-8", "attachment")
}

/// A table, as a download.
pub(super) fn table(file: File, format: TableFormat) -> Answer {
    match format {
        TableFormat::Csv => csv(file),
        TableFormat::Xlsx(_) => {
            served(file, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "attachment")
        }
    }
}

pub(super) fn json(file: File) -> Answer {
    served(file, "application/json", "attachment")
}

/// A stored file as a download.
pub(super) async fn download(content: EvidenceContent) -> Answer {
    let header = |text: &str| HeaderValue::from_str(text).map_err(|_| PageError::Internal);
    let (named, kind) = (header(&attachment(&content.file.name))?, header(&content.file.media_type)?);
    let bytes = content.file.bytes;
    let mut response = Response::new(Body::from_stream(content.open(0..bytes).await?));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CONTENT_DISPOSITION, named);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("identity"));
    Ok(response)
}

fn served(file: File, kind: &'static str, disposition: &str) -> Answer {
    let named = format!("{disposition}; filename=\"{}\"", file.name);
    let named = HeaderValue::from_str(&named).map_err(|_| PageError::Internal)?;
    let mut response = Response::new(match file.content {
        Content::Bytes(bytes) => Body::from(bytes),
        Content::Stored(file) => Body::from_stream(app::report::chunks(file)),
    });
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, named);
    Ok(response)
}

/// A table unless the address asks for every record in full.
fn style(visit: &Visit) -> Format {
    if visit.query("style").as_deref() == Some("long") { Format::LongPdf } else { Format::Pdf }
}
