//! Figures beside their ceilings, measured side by side in one run and printed as one table.
//!
//! Every figure is a ratio to a ceiling built from the same parts, because these machines are noisy: rounds of the
//! product and of its ceiling take turns, and the median round counts.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a benchmark stops at the first surprise, prints, and measures time"
)]

mod answer;
mod assessments;
mod copying;
mod create;
mod delivery;
mod files;
mod filling;
mod findings;
mod fixture;
mod gleif;
mod growth;
mod imports;
mod instructions;
mod kinds;
mod limits;
mod load;
mod made;
mod memory;
mod mixed;
mod pages;
mod pdf;
mod reference;
mod register;
mod report;
mod search;
mod size;
mod start;
mod store;
mod templates;
mod visitor;
mod whole;
mod workspace;

use report::Report;

const PARTS: [&str; 18] = [
    "limits",
    "store",
    "pages",
    "create",
    "findings",
    "growth",
    "imports",
    "mixed",
    "assessments",
    "files",
    "pdf",
    "reference",
    "search",
    "delivery",
    "register",
    "templates",
    "workspace",
    "start",
];

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    if only.first().is_some_and(|first| first == "instructions") {
        instructions::run();
        return;
    }
    for name in &only {
        assert!(PARTS.contains(&name.as_str()), "{name} is no part; the parts are {}", PARTS.join(" "));
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut report = Report::default();
    if wanted("limits") {
        limits::measure(&mut report);
    }
    if wanted("store") {
        runtime.block_on(store::measure(&mut report));
    }
    if wanted("pages") {
        runtime.block_on(pages::measure(&mut report));
    }
    if wanted("create") {
        runtime.block_on(create::measure(&mut report));
    }
    if wanted("growth") || wanted("findings") {
        runtime.block_on(findings::measure(&mut report));
    }
    if wanted("growth") {
        runtime.block_on(kinds::measure(&mut report));
    }
    if wanted("imports") {
        runtime.block_on(imports::measure(&mut report));
    }
    if wanted("mixed") {
        runtime.block_on(mixed::measure(&mut report));
    }
    if wanted("assessments") {
        runtime.block_on(assessments::measure(&mut report));
    }
    if wanted("files") {
        runtime.block_on(files::measure(&mut report));
    }
    if wanted("pdf") {
        pdf::measure(&mut report);
    }
    if wanted("reference") {
        runtime.block_on(reference::measure(&mut report));
    }
    if wanted("search") {
        runtime.block_on(search::measure(&mut report));
    }
    if wanted("delivery") {
        runtime.block_on(delivery::measure(&mut report));
    }
    if wanted("register") {
        runtime.block_on(register::measure(&mut report));
    }
    if wanted("templates") {
        runtime.block_on(templates::measure(&mut report));
    }
    if wanted("workspace") {
        runtime.block_on(workspace::measure(&mut report));
    }
    if wanted("start") {
        start::measure(&mut report);
    }
    println!("{report}");
    if let Some(path) = std::env::var_os("TIDEWALL_BENCH_JSON") {
        std::fs::write(path, report.json()).unwrap();
    }
    if !report.all_reached() {
        std::process::exit(1);
    }
}
