//! The costly works of the service with the most memory and time that each takes. The operator's manual shows this table,
//! and a test measures it with hostile input.

/// Which slots a work waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkSlots {
    /// Two in all, one for each institution.
    Imports,
    /// Two in all, one for each institution.
    Exports,
}

impl WorkSlots {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Imports => "imports",
            Self::Exports => "reports and exports",
        }
    }
}

/// A kind of costly work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostlyWork {
    pub name: &'static str,
    pub slots: WorkSlots,
    /// The most memory that one of them takes, in MiB.
    pub most_mib: u64,
    pub most_seconds: u64,
    /// What is bounded so that it takes no more.
    pub bound: &'static str,
}

/// What all of them together take at most, in MiB.
pub const MOST_MIB_IN_ALL: u64 = 1024;

const IMPORT_SECONDS: u64 = super::costly::IMPORT_TIME.as_secs();
const EXPORT_SECONDS: u64 = super::costly::EXPORT_TIME.as_secs();

pub const WORKS: [CostlyWork; 9] = [
    export(
        "a report (PDF)",
        256,
        "1,000 records, 250 with every record in full, 1 MB of text; a longer one is cut and says so",
    ),
    export("a list (CSV, XLSX)", 96, "2,000 rows in memory, the others on disk"),
    export("the register (package, tables, workbook), a filing, a comparison", 256, "the register itself"),
    export("an own framework (XLSX, OSCAL)", 96, "1,500 requirements, 2 MiB of text"),
    import("a table of records of another kind", 192, "16 MiB, 32 MiB as text, 10,000 lines, 256 columns"),
    import("findings, incidents", 192, "files of 64 MiB (incidents 1 MiB as text), read from disk"),
    import("the register, arrangements", 256, "250,000 rows, 2,000,000 cells, 64 MiB of text"),
    import(
        "an own framework",
        192,
        "JSON of 4 MiB with 200,000 values; one sheet of 8 columns, 200,000 cells, 16 MiB of text",
    ),
    import("the authority's feedback", 256, "16 MiB, 20,000 lines"),
];

const fn export(name: &'static str, most_mib: u64, bound: &'static str) -> CostlyWork {
    CostlyWork { name, slots: WorkSlots::Exports, most_mib, most_seconds: EXPORT_SECONDS, bound }
}

const fn import(name: &'static str, most_mib: u64, bound: &'static str) -> CostlyWork {
    CostlyWork { name, slots: WorkSlots::Imports, most_mib, most_seconds: IMPORT_SECONDS, bound }
}
