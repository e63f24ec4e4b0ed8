//! An imported package without its tables: the checks of its name and of the files beside the tables.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    package::Scope,
    report::{Report, Severity},
    sentences::{PackageFinding, PackageRemedy},
};
use crate::{
    moment::Day,
    register::{Template, release::Release},
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

    /// In the order of the receiving system's numbers.
    pub fn check(&self, today: Day, report: &mut Report) {
        let mut add = |rule: &'static str, finding: PackageFinding, remedy: PackageRemedy| {
            report.add_whole(rule, Severity::Refused, None, (finding.into(), remedy.into()));
        };
        let release = Release::current();
        let root = self.root();
        if root.is_none() || self.file(Self::REPORT_PACKAGE).is_empty() {
            add("103", PackageFinding::NoFolder, PackageRemedy::Folder);
        }
        let name = root.map(Name::read);
        match &name {
            Some(Err(problem)) => add(problem.rule(), problem.finding(), PackageRemedy::Rename),
            Some(Ok(name)) => {
                if name.module != release.package.module {
                    let expected = release.package.module.clone();
                    add("106", PackageFinding::OtherModule { expected }, PackageRemedy::Rename);
                }
                match name.day {
                    None => add("109", PackageFinding::NameDay, PackageRemedy::Rename),
                    Some(day) if day > today => {
                        add("111", PackageFinding::FutureDay { day }, PackageRemedy::Rename);
                    }
                    Some(_) => {}
                }
            }
            None => {}
        }
        let name = name.and_then(Result::ok);
        let parameters = table(self.file(Self::PARAMETERS));
        let header_fits = parameters.first().is_some_and(|row| row == &["name", "value"]);
        let value = |wanted: &str| {
            let row = parameters.iter().find(|row| row.first().is_some_and(|name| *name == wanted));
            row.and_then(|row| row.get(1)).copied()
        };
        if let (true, Some(day)) = (header_fits, name.as_ref().and_then(|name| name.day))
            && value("refPeriod") != Some(&day.to_string())
        {
            add("320", PackageFinding::OtherPeriod { day }, PackageRemedy::SamePeriod);
        }
        if !self.file(Self::REPORT).is_empty()
            && !self.file(Self::REPORT).contains(&release.package.entry_point)
        {
            let expected = release.package.entry_point.clone();
            add("505", PackageFinding::OtherEntryPoint, PackageRemedy::EntryPoint { expected });
        }
        let indicators = table(self.file(Self::INDICATORS));
        let indicators_fit = indicators.first().is_some_and(|row| row == &["templateID", "reported"]);
        let reported =
            || indicators.iter().skip(1).filter(|_| indicators_fit).map(|row| (cell(row, 0), cell(row, 1)));
        for (template, _) in reported().filter(|(id, _)| known(id).is_none()) {
            add("510", PackageFinding::OtherTemplate { id: quoted(template) }, PackageRemedy::Indicators);
        }
        let entity = value("entityID").filter(|_| header_fits);
        if entity.is_some_and(|entity| scope_of(entity).is_none()) {
            add("514", PackageFinding::NoScope, PackageRemedy::Entity);
        }
        for path in [Self::REPORT, Self::PARAMETERS, Self::INDICATORS] {
            if self.file(path).trim().is_empty() {
                add("701", PackageFinding::NoFile { path }, PackageRemedy::AddFile);
            }
        }
        if !indicators.is_empty() && !indicators_fit {
            add("702", PackageFinding::IndicatorHeadings, PackageRemedy::IndicatorHeadings);
        }
        let mut seen = BTreeSet::new();
        for (template, _) in reported().filter(|(id, _)| known(id).is_some()) {
            if !seen.insert(template) {
                add(
                    "703",
                    PackageFinding::IndicatorTwice { id: quoted(template) },
                    PackageRemedy::Indicators,
                );
            }
        }
        for (template, _) in reported().filter(|(_, value)| !["true", "false", "1", "0"].contains(value)) {
            add("704", PackageFinding::IndicatorValue { id: quoted(template) }, PackageRemedy::Indicators);
        }
        if indicators_fit {
            for template in Template::ALL.into_iter().filter(|template| !seen.contains(template.id())) {
                add("705", PackageFinding::NoIndicator { template }, PackageRemedy::Indicators);
            }
        }
        if let (Some(name), Some(entity)) = (&name, entity)
            && scope_of(entity).is_some()
            && entity != name.entity
        {
            add("714", PackageFinding::OtherEntity { expected: name.entity.clone() }, PackageRemedy::Entity);
        }
        for other in self.names.iter().filter(|path| root.is_some() && !is_expected(path)) {
            add("720", PackageFinding::OtherFile { path: quoted(other) }, PackageRemedy::RemoveFile);
        }
        if !parameters.is_empty() && !header_fits {
            add("723", PackageFinding::ParameterHeadings, PackageRemedy::ParameterHeadings);
        }
        for (template, _) in reported().filter(|(_, value)| matches!(*value, "false" | "0")) {
            add("808", PackageFinding::NotReported { id: quoted(template) }, PackageRemedy::Indicators);
        }
    }
}

fn quoted(text: &str) -> crate::register::Quoted {
    crate::register::Quoted(text.to_owned())
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

impl BadName {
    fn rule(self) -> &'static str {
        match self {
            Self::Characters => "104",
            Self::Pattern => "105",
        }
    }

    fn finding(self) -> PackageFinding {
        match self {
            Self::Characters => PackageFinding::NameCharacters,
            Self::Pattern => PackageFinding::NamePattern,
        }
    }
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

/// The rows of a small table without quotation marks.
fn table(text: &str) -> Vec<Vec<&str>> {
    let text = text.trim_start_matches('\u{feff}');
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split(',').map(str::trim).collect())
        .collect()
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
