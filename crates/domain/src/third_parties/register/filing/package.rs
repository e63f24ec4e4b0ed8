//! The report package: its name, and the files beside its tables.

use std::fmt;

use crate::{
    country::Country,
    moment::{Day, Moment},
    register::{Template, release::Release, sheets::Sheets},
    vocabulary::vocabulary,
    wording::sentences,
};

vocabulary! {
    /// The scope of the register.
    Scope {
        Individual = "individual" ("Individual", "Einzelregister"),
        Consolidated = "consolidated" ("Consolidated", "Konsolidiertes Register"),
    }
}

impl Scope {
    /// The code in the name of the package and in its parameters.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Individual => "IND",
            Self::Consolidated => "CON",
        }
    }
}

sentences! {
    /// Why no package can be created.
    #[derive(Copy)]
    NoPackage {
        NoMaintainer =
            "names no entity that maintains it: add a row to B_01.01",
            "nennt kein Unternehmen, das es führt: bitte eine Zeile in B_01.01 anlegen";
        NoLei =
            "has no LEI in B_01.01 c0010: enter 20 capital letters and digits, the package is named by it",
            "hat keinen LEI in B_01.01 c0010: bitte 20 Großbuchstaben und Ziffern eintragen, das Paket heißt danach";
        NoCountry =
            "has no country in B_01.01 c0030: enter a code such as eba_GA:DE, the package is named by it",
            "hat kein Land in B_01.01 c0030: bitte einen Code wie eba_GA:DE eintragen, das Paket heißt danach";
        Future =
            "must not be in the future: choose a day that has passed",
            "darf nicht in der Zukunft liegen: bitte einen vergangenen Tag wählen";
    }
}

/// The name of a package, which is also that of its one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageName {
    pub lei: String,
    pub scope: Scope,
    pub country: Country,
    pub reference_date: Day,
    pub made_at: Moment,
}

impl PackageName {
    /// The name for a register: by the entity that maintains it and its country.
    pub fn of(
        sheets: &Sheets,
        scope: Scope,
        reference_date: Day,
        made_at: Moment,
    ) -> Result<Self, NoPackage> {
        let row = sheets.rows(Template::Maintainer).first().ok_or(NoPackage::NoMaintainer)?;
        let lei = row.cell(0);
        let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        if lei.len() != 20 || !lei.bytes().all(fits) {
            return Err(NoPackage::NoLei);
        }
        let country = row.cell(2).strip_prefix("eba_GA:").and_then(|code| code.parse().ok());
        let country = country.ok_or(NoPackage::NoCountry)?;
        Ok(Self { lei: lei.to_owned(), scope, country, reference_date, made_at })
    }

    /// The sender in the parameters.
    pub fn entity(&self) -> String {
        format!("rs:{}.{}", self.lei, self.scope.mark())
    }

    /// The files beside the tables, with their paths in the package.
    pub fn metadata(&self, release: &Release) -> [(String, String); 4] {
        let parts = &release.package;
        let parameters = [
            ("name", "value"),
            ("entityID", &self.entity()),
            ("refPeriod", &self.reference_date.to_string()),
            ("baseCurrency", &parts.base_currency),
            ("decimalsInteger", &parts.decimals_integer),
            ("decimalsMonetary", &parts.decimals_monetary),
        ]
        .map(|(name, value)| format!("{name},{value}\r\n"))
        .concat();
        let reported = Template::ALL.map(|template| format!("{template},true\r\n")).concat();
        let at = |path: &str| format!("{self}/{path}");
        [
            (at("META-INF/reportPackage.json"), parts.report_package.clone()),
            (at("reports/report.json"), parts.report.clone()),
            (at("reports/parameters.csv"), parameters),
            (at("reports/FilingIndicators.csv"), format!("templateID,reported\r\n{reported}")),
        ]
    }

    /// The path of a table in the package.
    pub fn table(&self, template: Template) -> String {
        format!("{self}/reports/{}.csv", template.id().to_ascii_lowercase())
    }
}

impl fmt::Display for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lei, scope, country, reference_date, made_at } = self;
        let module = &Release::current().package.module;
        // 2026-11-16T11:10:09.123Z without its separators.
        let stamp: String = stamp(*made_at);
        write!(f, "{lei}.{}_{country}_{module}_DORA_{reference_date}_{stamp}", scope.mark())
    }
}

/// The moment as `yyyyMMddHHmmssSSS` in UTC.
fn stamp(moment: Moment) -> String {
    let time = moment.millis() - moment.day().start().millis();
    let day: String = moment.day().to_string().chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = (time / 3_600_000, time / 60_000 % 60);
    format!("{day}{hours:02}{minutes:02}{:02}{:03}", time / 1000 % 60, time % 1000)
}
