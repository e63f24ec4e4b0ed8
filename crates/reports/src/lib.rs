//! Renders records as PDF reports, CSV tables and workbooks.
//!
//! The crate knows nothing of findings, tenants or HTTP. A caller with records builds a [`document::Document`] and
//! gets a file back; which records a reader may see was decided before. That keeps the crate testable on its own and
//! gives all reports the same layout.
//!
//! * [`document`] is the model: cover, sections, and the blocks a section is made of.
//! * [`pdf`] makes an A4 file of it: contents, running heads, tables over several pages, bar charts, and the tags a
//!   screen reader needs (PDF/UA-1, checked while writing).
//! * [`csv`] writes RFC 4180 rows to any writer and keeps spreadsheets from running a cell as a formula.
//! * [`xlsx`] writes the same rows as a workbook, [`book`] several sheets of texts that can be read back.
//!
//! Not supported: pictures, hyphenation dictionaries, and glyphs for scripts that the embedded font does not contain.
//! Their text stays readable for a screen reader and for copying; on the page each character shows as U+FFFD.
//!
//! # Building a report
//!
//! One function per report, from records to a document; nothing else depends on the layout. A list report is an
//! overview table followed by one heading per record, a single report is the same heading on its own, so the detail
//! function serves both:
//!
//! ```
//! use tidewall_reports::document::{Badge, BarChart, Cell, Column, Document, Language, Section, Table, Tone};
//!
//! struct Finding { reference: &'static str, title: &'static str, severity: &'static str, description: &'static str }
//!
//! fn tone(severity: &str) -> Tone {
//!     match severity {
//!         "critical" => Tone::Critical,
//!         "high" => Tone::Warning,
//!         _ => Tone::Neutral,
//!     }
//! }
//!
//! fn detail(section: Section, finding: &Finding) -> Section {
//!     section
//!         .heading(format!("{} {}", finding.reference, finding.title))
//!         .badges([Badge::new(tone(finding.severity), finding.severity)])
//!         .key_values([("Owner", "Payments operations"), ("Due on", "2026-12-31")])
//!         .paragraph(finding.description)
//! }
//!
//! fn list(findings: &[Finding]) -> Document {
//!     let overview = findings.iter().fold(
//!         Table::new([
//!             Column::points("Reference", 76).row_header(),
//!             Column::share("Title", 3),
//!             Column::share("Severity", 1),
//!         ]),
//!         |table, finding| {
//!             table.row([
//!                 Cell::from(finding.reference),
//!                 Cell::from(finding.title),
//!                 Cell::badge(tone(finding.severity), finding.severity),
//!             ])
//!         },
//!     );
//!     let severities = BarChart::new("Open findings by severity").bar("Critical", 1.0, "1", Tone::Critical);
//!     Document::new(Language::English, "Open findings")
//!         .organisation("Hanse Bank AG")
//!         .generated_at("14 November 2026, 09:30 UTC")
//!         .filter("status: open")
//!         .section(Section::new("Overview").chart(severities).table(overview))
//!         .section(findings.iter().fold(Section::new("Findings"), detail))
//! }
//!
//! let finding = Finding {
//!     reference: "F-2026-0042",
//!     title: "Backups are not restored in tests",
//!     severity: "critical",
//!     description: "No restore has been exercised since March.",
//! };
//! let pdf = tidewall_reports::pdf::render(&list(&[finding]))?;
//! assert!(pdf.starts_with(b"%PDF-1.7"));
//! # Ok::<(), tidewall_reports::ReportError>(())
//! ```
//!
//! The other reports have the same shape:
//!
//! | Report | Sections |
//! |---|---|
//! | programme | facts as key/value pairs; test cases as a table; findings by severity as a chart, then as a table |
//! | test case | facts; objective, steps, expected and actual result as paragraphs; its findings as a table |
//! | concentration | one section per dimension: a chart with the threshold line, the table behind it; then the breaches |
//! | CRA stage | facts of the product; what the stage asks for as key/value pairs; the clocks as a table |

pub mod book;
pub mod csv;
pub mod document;
mod error;
pub mod logo;
pub mod pdf;
pub mod xlsx;

pub use error::ReportError;
