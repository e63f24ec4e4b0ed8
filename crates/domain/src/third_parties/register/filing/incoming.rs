//! An imported package without its tables: the checks of its name and of the files beside the tables.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    package::Scope,
    report::{Report, Severity},
    sentences::{PackageFinding, PackageRemedy},
};
use crate::{
    moment::Day,
    register::{Quoted, Template, release::Release},
};

/// The parts of a package that are checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncomingPackage {
    /// The paths of all files in the archive.
    pub names: Vec<String>,
    /// The contents of the files beside the tables, by their path below the folder of the package.
    pub files: BTreeMap<&'static str, String>,
}

impl IncomingPackage {
    pub const REPORT_PACKAGE: &'static str = "META-INF/reportPackage.json";
    pub const REPORT: &'static str = "reports/report.json";
    pub const PARAMETERS: &'static str = "reports/parameters.csv";
    pub const INDICATORS: &'static str = "reports/FilingIndicators.csv";
    /// The files whose contents are checked.
    pub const FILES: [&'static str; 4] =
        [Self::REPORT_PACKAGE, Self::REPORT, Self::PARAMETERS, Self::INDICATORS];

    /// In the order of the receiving system's numbers.
    pub fn check(&self, today: Day, report: &mut Report) {
        let read = Read::of(self, today);
        for rule in &RULES {
            for finding in (rule.findings)(&read) {
                let words = (finding.into(), (rule.remedy)().into());
                report.add_whole(rule.number, Severity::Refused, None, words);
            }
        }
    }

    fn file(&self, path: &str) -> &str {
        self.files.get(path).map_or("", String::as_str)
    }

    /// The one folder that contains everything.
    fn root(&self) -> Option<&str> {
        let roots: BTreeSet<_> =
            self.names.iter().map(|name| name.split_once('/').map_or("", |(root, _)| root)).collect();
        let mut roots = roots.into_iter();
        roots.next().filter(|root| !root.is_empty() && roots.next().is_none())
    }
}

/// A rule of the receiving system about a package.
struct PackageRule {
    number: &'static str,
    remedy: fn() -> PackageRemedy,
    findings: fn(&Read<'_>) -> Vec<PackageFinding>,
}

macro_rules! rules {
    ($($number:literal => $remedy:expr, |$read:ident| $findings:expr;)*) => {
        [$(PackageRule { number: $number, remedy: || $remedy, findings: |$read| $findings.into_iter().collect() }),*]
    };
}

static RULES: [PackageRule; 19] = rules! {
    "103" => PackageRemedy::Folder, |read| {
        let is_missing = read.root.is_none() || read.package.file(IncomingPackage::REPORT_PACKAGE).is_empty();
        is_missing.then_some(PackageFinding::NoFolder)
    };
    "104" => PackageRemedy::Rename, |read| {
        matches!(read.name, Some(Err(BadName::Characters))).then_some(PackageFinding::NameCharacters)
    };
    "105" => PackageRemedy::Rename, |read| {
        matches!(read.name, Some(Err(BadName::Pattern))).then_some(PackageFinding::NamePattern)
    };
    "106" => PackageRemedy::Rename, |read| {
        let expected = &Release::current().package.module;
        let other = read.name().filter(|name| name.module != expected);
        other.map(|_| PackageFinding::OtherModule { expected: expected.clone() })
    };
    "109" => PackageRemedy::Rename, |read| {
        read.name().filter(|name| name.day.is_none()).map(|_| PackageFinding::NameDay)
    };
    "111" => PackageRemedy::Rename, |read| {
        read.day().filter(|day| *day > read.today).map(|day| PackageFinding::FutureDay { day })
    };
    "320" => PackageRemedy::SamePeriod, |read| {
        let other = read.day().filter(|_| read.parameters.fits);
        let other = other.filter(|day| read.parameter("refPeriod") != Some(&day.to_string()));
        other.map(|day| PackageFinding::OtherPeriod { day })
    };
    "505" => PackageRemedy::EntryPoint { expected: Release::current().package.entry_point.clone() }, |read| {
        let report = read.package.file(IncomingPackage::REPORT);
        let is_other = !report.is_empty() && !report.contains(&Release::current().package.entry_point);
        is_other.then_some(PackageFinding::OtherEntryPoint)
    };
    "510" => PackageRemedy::Indicators, |read| {
        let unknown = read.indicators().filter(|(id, _)| known(id).is_none());
        unknown.map(|(id, _)| PackageFinding::OtherTemplate { id: quoted(id) })
    };
    "514" => PackageRemedy::Entity, |read| {
        let unscoped = read.parameter("entityID").filter(|entity| scope_of(entity).is_none());
        unscoped.map(|_| PackageFinding::NoScope)
    };
    "701" => PackageRemedy::AddFile, |read| {
        let wanted = [IncomingPackage::REPORT, IncomingPackage::PARAMETERS, IncomingPackage::INDICATORS];
        let missing = wanted.into_iter().filter(|path| read.package.file(path).trim().is_empty());
        missing.map(|path| PackageFinding::NoFile { path })
    };
    "702" => PackageRemedy::IndicatorHeadings, |read| {
        read.indicators.has_other_headings().then_some(PackageFinding::IndicatorHeadings)
    };
    "703" => PackageRemedy::Indicators, |read| {
        let mut seen = BTreeSet::new();
        let again = read.indicators().filter(move |(id, _)| known(id).is_some() && !seen.insert(*id));
        again.map(|(id, _)| PackageFinding::IndicatorTwice { id: quoted(id) })
    };
    "704" => PackageRemedy::Indicators, |read| {
        let odd = read.indicators().filter(|(_, value)| !["true", "false", "1", "0"].contains(value));
        odd.map(|(id, _)| PackageFinding::IndicatorValue { id: quoted(id) })
    };
    "705" => PackageRemedy::Indicators, |read| {
        let listed: BTreeSet<_> = read.indicators().map(|(id, _)| id).collect();
        let missing = Template::ALL.into_iter().filter(|_| read.indicators.fits);
        let missing = missing.filter(move |template| !listed.contains(template.id()));
        missing.map(|template| PackageFinding::NoIndicator { template })
    };
    "714" => PackageRemedy::Entity, |read| {
        let entity = read.parameter("entityID").filter(|entity| scope_of(entity).is_some());
        let other = read.name().filter(|name| entity.is_some_and(|entity| entity != name.entity));
        other.map(|name| PackageFinding::OtherEntity { expected: name.entity.clone() })
    };
    "720" => PackageRemedy::RemoveFile, |read| {
        let other = read.package.names.iter().filter(|path| read.root.is_some() && !is_expected(path));
        other.map(|path| PackageFinding::OtherFile { path: quoted(path) })
    };
    "723" => PackageRemedy::ParameterHeadings, |read| {
        read.parameters.has_other_headings().then_some(PackageFinding::ParameterHeadings)
    };
    "808" => PackageRemedy::Indicators, |read| {
        let unreported = read.indicators().filter(|(_, value)| matches!(*value, "false" | "0"));
        unreported.map(|(id, _)| PackageFinding::NotReported { id: quoted(id) })
    };
};

/// A package as the rules read it.
struct Read<'p> {
    package: &'p IncomingPackage,
    today: Day,
    root: Option<&'p str>,
    name: Option<Result<Name<'p>, BadName>>,
    parameters: SmallTable<'p>,
    indicators: SmallTable<'p>,
}

impl<'p> Read<'p> {
    fn of(package: &'p IncomingPackage, today: Day) -> Self {
        let root = package.root();
        Self {
            package,
            today,
            root,
            name: root.map(Name::read),
            parameters: SmallTable::read(package.file(IncomingPackage::PARAMETERS), &["name", "value"]),
            indicators: SmallTable::read(
                package.file(IncomingPackage::INDICATORS),
                &["templateID", "reported"],
            ),
        }
    }

    fn name(&self) -> Option<&Name<'p>> {
        self.name.as_ref()?.as_ref().ok()
    }

    /// The reference date in the name.
    fn day(&self) -> Option<Day> {
        self.name()?.day
    }

    fn parameter(&self, wanted: &str) -> Option<&'p str> {
        let row = self.parameters.rows().find(|row| row.first() == Some(&wanted))?;
        row.get(1).copied()
    }

    /// The template and the value of each filing indicator.
    fn indicators(&self) -> impl Iterator<Item = (&'p str, &'p str)> {
        self.indicators.rows().map(|row| (cell(row, 0), cell(row, 1)))
    }
}

/// A table without quotation marks.
struct SmallTable<'p> {
    /// The headings and the rows.
    lines: Vec<Vec<&'p str>>,
    /// Whether the headings are the expected ones.
    fits: bool,
}

impl<'p> SmallTable<'p> {
    fn read(text: &'p str, headings: &[&str]) -> Self {
        let text = text.trim_start_matches('\u{feff}').lines();
        let filled = text.filter(|line| !line.trim().is_empty());
        let lines: Vec<Vec<&str>> = filled.map(|line| line.split(',').map(str::trim).collect()).collect();
        let fits = lines.first().is_some_and(|line| line == headings);
        Self { lines, fits }
    }

    fn has_other_headings(&self) -> bool {
        !self.lines.is_empty() && !self.fits
    }

    /// The rows; none below other headings.
    fn rows(&self) -> impl Iterator<Item = &Vec<&'p str>> {
        self.lines.iter().skip(1).filter(|_| self.fits)
    }
}

fn quoted(text: &str) -> Quoted {
    Quoted(text.to_owned())
}

/// The parts of a name.
#[derive(Debug)]
struct Name<'n> {
    entity: String,
    module: &'n str,
    day: Option<Day>,
}

#[derive(Debug, Clone, Copy)]
enum BadName {
    Characters,
    Pattern,
}

impl<'n> Name<'n> {
    fn read(name: &'n str) -> Result<Self, BadName> {
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            return Err(BadName::Characters);
        }
        let parts: Vec<_> = name.split('_').collect();
        let [entity, country, module, "DORA", day, stamp] = parts[..] else { return Err(BadName::Pattern) };
        let (lei, scope) = entity.split_once('.').ok_or(BadName::Pattern)?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let upper = |text: &str| text.bytes().all(|byte| byte.is_ascii_uppercase());
        let fits = lei.len() == 20
            && ["CON", "IND"].contains(&scope)
            && country.len() == 2
            && upper(country)
            && day.len() == 10
            && stamp.len() == 17
            && digits(stamp);
        if !fits {
            return Err(BadName::Pattern);
        }
        Ok(Self { entity: format!("rs:{entity}"), module, day: day.parse().ok() })
    }
}

fn scope_of(entity: &str) -> Option<Scope> {
    let mark = entity.rsplit_once('.')?.1;
    Scope::ALL.iter().copied().find(|scope| scope.mark() == mark)
}

fn known(id: &str) -> Option<Template> {
    Template::ALL.into_iter().find(|template| template.id() == id)
}

fn cell<'t>(row: &[&'t str], position: usize) -> &'t str {
    row.get(position).copied().unwrap_or_default()
}

/// Whether the file belongs in a package.
fn is_expected(path: &str) -> bool {
    let below = path.split_once('/').map_or(path, |(_, below)| below);
    below.is_empty()
        || below.ends_with('/')
        || IncomingPackage::FILES.contains(&below)
        || Template::ALL
            .iter()
            .any(|template| below == format!("reports/{}.csv", template.id().to_ascii_lowercase()))
}
