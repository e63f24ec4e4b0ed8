//! The real catalogue is valid, and every kind of mistake an editor can make is refused with file and line.
#![expect(clippy::disallowed_methods, reason = "tests write to the temporary directory of the machine")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its files has failed")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tidewall_catalogue::Catalogue;

/// The catalogue's folder in the repository.
fn original() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalogue")
}

/// A copy of the catalogue that a test may edit.
struct Copy(TempDir);

impl Copy {
    fn new() -> Self {
        let copy = TempDir::new().unwrap();
        for folder in fs::read_dir(original()).unwrap() {
            let folder = folder.unwrap();
            let target = copy.path().join(folder.file_name());
            if folder.path().is_file() {
                fs::copy(folder.path(), target).unwrap();
                continue;
            }
            fs::create_dir(&target).unwrap();
            for file in fs::read_dir(folder.path()).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), target.join(file.file_name())).unwrap();
            }
        }
        Self(copy)
    }

    /// Replaces the first occurrence of `from` and says in which line it was.
    fn edit(&self, file: &str, from: &str, to: &str) -> usize {
        let path = self.0.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        let at = text.find(from).unwrap_or_else(|| panic!("{from:?} is not in {file}"));
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        text[..at].lines().count().max(1) + usize::from(text[..at].ends_with('\n'))
    }

    fn faults(&self) -> Vec<String> {
        let faults = Catalogue::from_dir(self.0.path()).unwrap_err();
        faults.as_slice().iter().map(ToString::to_string).collect()
    }
}

/// A mistake in a file, its message, and how many lines from the mistake it is reported.
type Slip = (&'static str, &'static str, &'static str, isize, &'static str);

/// Makes all mistakes at once and expects exactly their messages, sorted.
fn expect(slips: &[Slip]) {
    let copy = Copy::new();
    let mut expected: Vec<(&str, isize, String)> = Vec::new();
    for (file, from, to, distance, message) in slips {
        let line = isize::try_from(copy.edit(file, from, to)).unwrap() + distance;
        expected.push((file, line, format!("{file}:{line}: {message}")));
    }
    expected.sort();
    let expected: Vec<String> = expected.into_iter().map(|(_, _, fault)| fault).collect();
    assert_eq!(copy.faults(), expected);
}

#[test]
fn the_real_catalogue_is_sound_embedded_and_from_its_folder() {
    let embedded = Catalogue::embedded().unwrap_or_else(|faults| panic!("{faults}"));
    let read = Catalogue::from_dir(&original()).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(embedded.version, read.version);
    let ids = |catalogue: &Catalogue| -> Vec<_> { catalogue.measures.iter().map(|m| m.id.clone()).collect() };
    assert_eq!(ids(&embedded), ids(&read));
}

const SLIPS_WITHIN_A_RECORD: &[Slip] = &[
    (
        "catalogue.toml",
        "version = \"2026-",
        "version = \"2026-13-",
        0,
        "version must be a real day like 2026-11-14, not \"2026-13-11-18\"",
    ),
    (
        "clocks/cra.toml",
        "\"24h\"",
        "\"24 hours\"",
        0,
        "duration must be a whole number of hours, days or months, such as 24h, 14d or 1mo, not \"24 hours\"",
    ),
    (
        "clocks/nis2.toml",
        "base = \"aware_at\"",
        "base = \"Aware\"",
        0,
        "base must be lower-case letters and underscores",
    ),
    (
        "drills/cyber-attacks.toml",
        "at_minute = 30,",
        "at_minute = 61,",
        1,
        "at_minute must ascend: 60 follows 61",
    ),
    (
        "drills/outages-and-infrastructure.toml",
        "\"it-operations\"",
        "\"it-ops\"",
        0,
        "participants must be one of management-body, ciso, ict-risk-manager, it-operations, security-operations, bcm-manager, third-party-manager, procurement, compliance, internal-audit, data-protection, communications, development, human-resources, legal, business-owner, not \"it-ops\"",
    ),
    (
        "drills/third-parties-people-and-rules.toml",
        "points = 30,",
        "points = 31,",
        -1,
        "scoring must add up to 100 points, not 101",
    ),
    (
        "evidence/sharing.toml",
        "retention_years = 6",
        "retention_years = 0",
        0,
        "retention_years must be a whole number from 1 to 100",
    ),
    (
        "frameworks/cra.toml",
        "cite = \"",
        "note = \"x\"\ncite = \"",
        0,
        "note is not a field here; known fields: id, title, version, summary, cite, source, url, verified_on, grade, applies",
    ),
    ("frameworks/nis2.toml", "section = \"nis2-section-art-20\"", "", -2, "section is missing"),
    (
        "measures/sharing.toml",
        ", de = \"Einer vertrauenswürdigen",
        ", fr = \"Einer vertrauenswürdigen",
        0,
        "title needs one line of text in de",
    ),
    (
        "providers/ctpp.toml",
        "2025-11-18",
        "2025-02-29",
        0,
        "listed_on must be a real day like 2026-11-14, not \"2025-02-29\"",
    ),
    (
        "questions/provider-and-governance.toml",
        "scale = [",
        "scale = [{ en = \"x\", de = \"x\" },",
        0,
        "scale must have 3 steps, worst first",
    ),
    (
        "questions/security-and-data.toml",
        "weight = ",
        "weight = 1",
        0,
        "weight must be a whole number from 1 to 5",
    ),
    (
        "radar/signals-2026.toml",
        "frameworks = [\"dora\"]",
        "frameworks = []",
        0,
        "frameworks must not be empty",
    ),
    (
        "risks/legacy.toml",
        "likelihood = 4",
        "likelihood = 6",
        0,
        "likelihood must be a whole number from 1 to 5",
    ),
    (
        "risks/matrix.toml",
        "  [\"low\", \"low\", \"low\", \"medium\", \"medium\"],\n",
        "",
        -1,
        "levels must have 5 rows of 5 levels",
    ),
    (
        "timeline/cra.toml",
        "framework = \"cra\"",
        "framework = \"CRA\"",
        0,
        "framework must be the id of a framework: at most 31 lower-case letters, digits and hyphens, not \"CRA\"",
    ),
    (
        "training/dora-foundations.toml",
        "answer = ",
        "answer = 1",
        0,
        "answer must be an option, counted from 0 to 3",
    ),
    (
        "vendors/cloud-and-hosting.toml",
        "\"S1",
        "\"S9",
        0,
        "service_types must be one of S01, S02, S03, S04, S05, S06, S07, S08, S09, S10, S11, S12, S13, S14, S15, S16, S17, S18, S19, not \"S97\"",
    ),
    (
        "widgets/dashboard.toml",
        "source = \"/api",
        "source = \"/app",
        0,
        "source must be a path that starts with /api/",
    ),
];

#[test]
fn slips_within_a_record_are_reported_all_at_once() {
    expect(SLIPS_WITHIN_A_RECORD);
}

#[test]
fn slips_across_records_are_reported_all_at_once() {
    expect(&[
        (
            "drills/cyber-attacks.toml",
            "\"measure-isolated-restore-environment\"",
            "\"measure-isolated\"",
            0,
            "measures names measure-isolated, but there is no such measure",
        ),
        (
            "frameworks/marisk.toml",
            "section = \"marisk-section-at-resources\"",
            "section = \"dora-chapter-ii\"",
            -1,
            "marisk-at-7-1 is in section dora-chapter-ii, which is not part of marisk",
        ),
        (
            "gaps/marisk.toml",
            "framework = \"marisk\"",
            "framework = \"nis2\"",
            -1,
            "gap-marisk-at-1 names marisk-at-6-tz-2, which is not part of nis2",
        ),
        (
            "measures/sharing.toml",
            "\"evidence-sharing-agreement\"",
            "\"evidence-sharing-agreement\", \"evidence-sharing-agreement\"",
            0,
            "evidence names evidence-sharing-agreement twice",
        ),
        (
            "measures/sharing.toml",
            "requirements = [\"dora-art-45-01\"]",
            "requirements = [\"iso-27001-a-5-6\"]",
            -9,
            "measure-sharing-arrangement names iso-27001-a-5-6, which is not part of dora",
        ),
        (
            "risks/legacy.toml",
            "\"measure-legacy-system-risk-assessment\"",
            "\"measure-legacy\"",
            0,
            "measures names measure-legacy, but there is no such measure",
        ),
        (
            "timeline/cra.toml",
            "framework = \"cra\"",
            "framework = \"swift\"",
            0,
            "framework names swift, but there is no such framework",
        ),
        (
            "vendors/dimensions.toml",
            "weight = 25",
            "weight = 30",
            -3,
            "the weights of the dimensions must add up to 100, not 105",
        ),
    ]);
}

#[test]
fn an_id_used_twice_names_its_first_use() {
    let copy = Copy::new();
    let (file, id) = ("providers/ctpp.toml", "id = \"ctpp-accenture-plc\"");
    let first = copy.edit(file, id, id);
    let second = copy.edit(file, "id = \"ctpp-bloomberg-l-p\"", id);
    let fault = format!("{file}:{second}: id ctpp-accenture-plc is already used in {file}:{first}");
    assert_eq!(copy.faults(), [fault]);
}

#[test]
fn a_requirement_needs_a_gap_item_or_audit_steps() {
    let copy = Copy::new();
    fs::remove_file(copy.0.path().join("gaps/nis2.toml")).unwrap();
    let path = copy.0.path().join("frameworks/nis2.toml");
    let text = fs::read_to_string(&path).unwrap();
    let start = text.find("audit_steps = [\n").unwrap();
    let end = start + text[start..].find("\n]\n").unwrap() + "\n]\n".len();
    fs::write(&path, format!("{}{}", &text[..start], &text[end..])).unwrap();
    let faults = copy.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].starts_with("frameworks/nis2.toml:"), "{}", faults[0]);
    assert!(
        faults[0].ends_with("nis2-art-20-01 has no gap item in gaps/ and no audit_steps"),
        "{}",
        faults[0]
    );
}

#[test]
fn broken_syntax_hides_nothing_in_other_files_and_invents_nothing() {
    let copy = Copy::new();
    let broken = copy.edit("measures/sharing.toml", "owner = \"ciso\"", "owner = \"ciso");
    let wrong = copy.edit("evidence/sharing.toml", "kind = \"contract\"", "kind = \"paper\"");
    let faults = copy.faults();
    assert_eq!(
        faults[0],
        format!(
            "evidence/sharing.toml:{wrong}: kind must be one of document, record, report, configuration, log, contract, test-result, not \"paper\""
        )
    );
    assert!(faults[1].starts_with(&format!("measures/sharing.toml:{broken}: ")), "{faults:?}");
    assert!(faults.iter().skip(1).all(|fault| fault.starts_with("measures/sharing.toml:")), "{faults:?}");
}

#[test]
fn files_and_folders_that_do_not_belong_are_named() {
    let copy = Copy::new();
    fs::create_dir(copy.0.path().join("measure")).unwrap();
    fs::write(copy.0.path().join("measure/new.toml"), "[[measure]]\n").unwrap();
    fs::write(copy.0.path().join("measures/new.toml"), "\n[[measures]]\n").unwrap();
    fs::write(copy.0.path().join("loose.toml"), "").unwrap();
    fs::write(copy.0.path().join("measures/.new.toml.swp"), "\u{0}").unwrap();
    let expected = [
        "loose.toml:1: does not belong here; records live in one folder per kind",
        "measure/new.toml:1: measure is not a folder of the catalogue",
        "measures/new.toml:2: measures is not known here; known: measure",
    ];
    assert_eq!(copy.faults(), expected);
}

#[test]
fn unreadable_folders_and_files_are_faults_too() {
    let copy = Copy::new();
    fs::write(copy.0.path().join("clocks/latin.toml"), b"# one\n# gr\xfcn\n").unwrap();
    assert_eq!(copy.faults(), ["clocks/latin.toml:2: is not UTF-8 text; save the file as UTF-8"]);
    let nowhere = Catalogue::from_dir(Path::new("/nowhere/at/all")).unwrap_err();
    assert!(nowhere.to_string().starts_with("/nowhere/at/all:1: cannot be read: "), "{nowhere}");
}

#[test]
fn an_empty_folder_lacks_everything() {
    let empty = TempDir::new().unwrap();
    let faults = Catalogue::from_dir(empty.path()).unwrap_err();
    let messages: Vec<_> = faults.as_slice().iter().map(|fault| fault.message.as_str()).collect();
    assert!(messages.contains(&"there is no [framework] block for dora"), "{messages:?}");
    assert!(messages.contains(&"version is missing; it is a day like 2026-11-14"), "{messages:?}");
    assert!(messages.contains(&"there must be one [matrix] block in risks/, not 0"), "{messages:?}");
}

#[test]
fn citations_name_articles_that_exist() {
    let cite = "cite = \"Regulation (EU) 2022/2554 (DORA), Art. 45(1)\"";
    let wrong = |article: &str| format!("cite = \"Regulation (EU) 2022/2554 (DORA), Art. {article}\"");
    let said = |article: &str| {
        let copy = Copy::new();
        copy.edit("measures/sharing.toml", cite, &wrong(article));
        copy.faults()
            .into_iter()
            .map(|fault| fault.split_once(": ").unwrap().1.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(said("65"), ["cite names Regulation (EU) 2022/2554 Art. 65; it has 64 articles"]);
    assert_eq!(
        said("6(11), 45(1)"),
        ["cite names Regulation (EU) 2022/2554 Art. 6(11); that article has 10 paragraphs"]
    );
}

#[test]
fn another_source_than_the_act_needs_a_link() {
    let copy = Copy::new();
    let cite = "cite = \"Regulation (EU) 2022/2554 (DORA), Art. 45(1)\"";
    let line = copy.edit("measures/sharing.toml", cite, "cite = \"A conference talk\"\nsource = \"a blog\"");
    let fault = "source is not the act itself and has no link; add url, or the act to acts/";
    assert_eq!(copy.faults(), [format!("measures/sharing.toml:{line}: {fault}")]);
}

#[test]
fn facts_get_old() {
    let copy = Copy::new();
    copy.edit("timeline/cra.toml", "verified_on = \"2026-11-15\"\n", "");
    copy.edit("radar/signals-2024.toml", "verified_on = \"2026-11-15\"", "verified_on = \"2026-01-15\"");
    let (milestones, signals): (Vec<_>, Vec<_>) =
        copy.faults().into_iter().partition(|fault| fault.starts_with("timeline/cra.toml:"));
    assert!(!milestones.is_empty() && !signals.is_empty());
    let unsaid = "does not say when it was verified; set verified_on in the record or on top of the file";
    assert!(milestones.iter().all(|fault| fault.ends_with(unsaid)), "{milestones:?}");
    let old = "was verified on 2026-01-15, more than 183 days before this version; verify it again";
    assert!(signals.iter().all(|fault| fault.starts_with("radar/") && fault.ends_with(old)), "{signals:?}");
}

#[test]
fn a_duty_needs_a_measure_and_a_measure_evidence() {
    let copy = Copy::new();
    copy.edit(
        "frameworks/nist-csf-govern.toml",
        "measures = [\"measure-ict-risk-treatment-and-acceptance\"]",
        "measures = []",
    );
    let evidence = fs::read_to_string(copy.0.path().join("measures/sharing.toml")).unwrap();
    let evidence = evidence.lines().find(|line| line.starts_with("evidence = ")).unwrap().to_owned();
    copy.edit("measures/sharing.toml", &evidence, "evidence = []");
    let faults = copy.faults();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].ends_with("nist-csf-gv-rm-04 binds entities, but no measure meets it"), "{faults:?}");
    assert!(faults[1].ends_with("measure-sharing-arrangement names no evidence"), "{faults:?}");
}

#[test]
fn a_module_teaches_and_asks_enough() {
    let copy = Copy::new();
    let path = copy.0.path().join("training/other-frameworks.toml");
    let text = fs::read_to_string(&path).unwrap();
    let start = text.find("text = [\n").unwrap() + "text = [\n".len();
    let end = start + text[start..].find("\n]").unwrap();
    let first = text[start..end].lines().next().unwrap();
    let shortened = format!("{}{first}{}", &text[..start], &text[end..]);
    let last = shortened.rfind("[[module.questions]]").unwrap();
    fs::write(&path, &shortened[..last]).unwrap();
    let faults = copy.faults();
    assert_eq!(faults.len(), 3, "{faults:?}");
    for language in ["en", "de"] {
        let end = format!("words in {language}, not 300 to 600");
        assert!(faults[..2].iter().any(|fault| fault.ends_with(&end)), "{faults:?}");
    }
    assert!(faults[2].ends_with("questions must be at least 8"), "{faults:?}");
}

#[test]
fn a_solution_says_when_every_clock_ends() {
    let copy = Copy::new();
    let due = "{ clock = \"clock-dora-final-report\",";
    copy.edit("drills/cyber-attacks.toml", due, "{ clock = \"clock-dora-intermediate-report\",");
    let faults = copy.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].ends_with("due does not say when clock-dora-final-report ends"), "{faults:?}");
}

#[test]
fn languages_say_the_same_numbers() {
    let copy = Copy::new();
    let line = copy.edit("timeline/dora.toml", "dieser binnen 12 Monaten", "dieser binnen 21 Monaten");
    let fault = "summary says different numbers in the two languages: 12 only in en; 21 only in de";
    assert_eq!(copy.faults(), [format!("timeline/dora.toml:{line}: {fault}")]);
}
