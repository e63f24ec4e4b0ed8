//! The report to the management body on the demonstration data: every number of its text is one that the API gives for
//! the same day.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    approval::ApprovalState,
    assessment::AssessmentStatus,
    concentration::{Dimension, Level},
    format,
    incident::{CostKind, Outcome},
    moment::Day,
    risk::RiskLevel,
    rounding::Hundredths,
    test_case::TestCaseStatus,
    training::TrainingState,
    vocabulary::{Severity, Vocabulary as _},
    wording::Language,
};
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use super::{
    asked,
    expected::{Expected, verb, within},
    pages, text,
};

pub(super) const FROM: &str = "2026-10-01";
pub(super) const UNTIL: &str = "2026-11-14";
pub(super) const BEFORE_FROM: &str = "2026-08-17";
pub(super) const BEFORE: &str = "2026-09-30";

pub(super) async fn demo() -> (TestApp, Client) {
    let app = TestApp::new().await;
    let mut output = Vec::new();
    Box::pin(tidewall::demo::fill(&app.app, "http://127.0.0.1:8080", &mut output)).await.unwrap();
    let output = String::from_utf8(output).unwrap();
    let key = output.lines().find_map(|line| line.trim().strip_prefix("API key")).unwrap().trim().to_owned();
    let client = app.client(&key);
    (app, client)
}

/// Every record of a list.
pub(super) async fn rows(client: &Client, path: &str) -> Vec<Value> {
    let join = if path.contains('?') { '&' } else { '?' };
    let page = client.get(&format!("{path}{join}limit=500")).await.expect(200).json();
    let rows = page["data"].as_array().unwrap().clone();
    assert_eq!(page["meta"]["total"], rows.len(), "{path} has more than one page");
    rows
}

pub(super) async fn total(client: &Client, path: &str) -> u64 {
    let join = if path.contains('?') { '&' } else { '?' };
    client.get(&format!("{path}{join}limit=1")).await.expect(200).json()["meta"]["total"].as_u64().unwrap()
}

pub(super) fn day(value: &Value) -> Option<&str> {
    value.as_str().map(|text| &text[..10])
}

pub(super) fn is(row: &Value, field: &str, words: &[&str]) -> bool {
    row[field].as_str().is_some_and(|word| words.contains(&word))
}

pub(super) fn count(rows: &[Value], wanted: impl Fn(&Value) -> bool) -> u64 {
    rows.iter().filter(|row| wanted(row)).count() as u64
}

pub(super) async fn findings(client: &Client, said: &mut Expected) -> u64 {
    let now = rows(client, &format!("/api/v1/findings?status=all&as_of={UNTIL}")).await;
    let before = rows(client, &format!("/api/v1/findings?status=all&as_of={BEFORE}")).await;
    let open = |row: &Value| is(row, "status", &["open", "in_progress", "resolved"]);
    let late = |row: &Value, until: &str| open(row) && row["due_on"].as_str().is_some_and(|due| due < until);
    for severity in Severity::ALL {
        let of = |row: &Value| open(row) && row["severity"] == severity.as_str();
        let label = said.t(severity.label());
        said.row(label, count(&now, of), count(&before, of));
        let shown = said.n(count(&now, of));
        said.bar(label, &shown);
        let mut groups = [0; 4];
        for row in now.iter().filter(|row| of(row)) {
            let made: Day = day(&row["created_at"]).unwrap().parse().unwrap();
            let age = made.days_until(UNTIL.parse().unwrap());
            groups[[30, 90, 180].iter().filter(|days| age > **days).count()] += 1;
        }
        let groups = groups.map(|number| said.n(number)).join(" ");
        said.rows.push(format!("{label} {groups}"));
    }
    let (all, overdue) = (count(&now, open), count(&now, |row| late(row, UNTIL)));
    said.row(said.pick("Total", "Summe"), all, count(&before, open));
    said.row(said.pick("Overdue", "Überfällig"), overdue, count(&before, |row| late(row, BEFORE)));
    for (label, field) in
        [(said.pick("Recorded", "Erfasst"), "created_at"), (said.pick("Closed", "Geschlossen"), "closed_at")]
    {
        let of = |from, until| count(&now, |row| within(day(&row[field]), from, until));
        said.row(label, of(FROM, UNTIL), of(BEFORE_FROM, BEFORE));
    }
    let (open_ones, late_ones, until) = (said.n(all), said.n(overdue), said.day(UNTIL));
    said.rows.push(match said.language {
        Language::English => {
            format!("On {until}, {open_ones} findings are open, of which {late_ones} are overdue.")
        }
        Language::German => {
            format!("Am {until} sind {open_ones} Feststellungen offen, davon {late_ones} überfällig.")
        }
    });
    let more = all.saturating_sub(12);
    if more > 0 {
        let more = said.n(more);
        said.rows.push(said.pick("And {n} more.", "Und {n} weitere.").replace("{n}", &more));
    }
    let heads = [(0, "up to 30", "bis 30"), (1, "31 to 90", "31 bis 90"), (2, "91 to 180", "91 bis 180")];
    for (_, english, german) in heads {
        said.rows.push(said.pick(english, german).to_owned());
    }
    said.rows.push(said.pick("more than 180", "mehr als 180").to_owned());
    said.name(&now, &["title", "owner"]);
    count(&now, |row| is(row, "severity", &["critical", "high"]) && late(row, UNTIL))
}

pub(super) async fn risks(client: &Client, said: &mut Expected) -> u64 {
    let now = rows(client, &format!("/api/v1/risks?as_of={UNTIL}")).await;
    let before = rows(client, &format!("/api/v1/risks?as_of={BEFORE}")).await;
    let open = |row: &Value| is(row, "status", &["open", "treating"]);
    for level in RiskLevel::ALL {
        let of = |row: &Value| open(row) && row["residual"]["level"] == level.as_str();
        let label = said.t(level.label());
        said.row(label, count(&now, of), count(&before, of));
        let shown = said.n(count(&now, of));
        said.bar(label, &shown);
    }
    let unrated = |row: &Value| open(row) && row["residual"].is_null();
    let above = |row: &Value| open(row) && row["exceeds_appetite"].is_string();
    let accepted = |row: &Value| row["status"] == "accepted";
    let shown = said.n(count(&now, unrated));
    said.bar(said.pick("Not rated", "Nicht bewertet"), &shown);
    said.row(said.pick("Not rated", "Nicht bewertet"), count(&now, unrated), count(&before, unrated));
    said.row(said.pick("Open risks", "Offene Risiken"), count(&now, open), count(&before, open));
    let over = said.pick("Above the appetite", "Über dem Risikoappetit");
    said.row(over, count(&now, above), count(&before, above));
    said.row(said.pick("Accepted", "Akzeptiert"), count(&now, accepted), count(&before, accepted));
    let [n, m, k] =
        [count(&now, above), count(&now, open), count(&now, accepted)].map(|number| said.n(number));
    let until = said.day(UNTIL);
    said.rows.push(match said.language {
        Language::English => format!(
            "On {until}, {n} of {m} open risks {} above the appetite of their category; {k} risks are accepted.",
            verb(&n, "is", "are")
        ),
        Language::German => format!(
            "Am {until} {} {n} von {m} offenen Risiken über dem Risikoappetit ihrer Kategorie; {k} Risiken sind akzeptiert.",
            verb(&n, "liegt", "liegen")
        ),
    });
    said.name(&now, &["title", "owner"]);
    let asked = rows(client, "/api/v1/approvals?state=asked").await;
    let waits =
        |row: &Value| asked.iter().any(|one| one["subject"] == row["id"] && one["action"] == "accept");
    count(&now, |row| above(row) && !waits(row))
}

pub(super) async fn frameworks(client: &Client, said: &mut Expected) {
    let language = said.language.as_str();
    let german = client.with("accept-language", language);
    let all = german.get("/api/v1/assessments/summary").await.expect(200).data();
    let statuses = AssessmentStatus::ALL;
    let (mut applicable, mut met, mut approved) = (0, 0, 0);
    for one in all.as_array().unwrap() {
        let number = |value: &Value| value.as_u64().unwrap();
        let of = |status: &str| number(&one["by_status"][status]);
        if of("not_assessed") == number(&one["applicable"]) {
            continue;
        }
        let framework: domain::framework::Framework = one["framework"].as_str().unwrap().parse().unwrap();
        let title = one["title"].as_str().unwrap().to_owned();
        let title = if title.chars().count() <= 40 { title } else { framework.name() };
        let path = format!("/api/v1/assessments?framework={framework}&as_of={BEFORE}&status=met");
        let met_before = total(client, &path).await;
        let path = format!("/api/v1/assessments?framework={framework}&as_of={BEFORE}&approved=true");
        let approved_before = total(client, &path).await;
        let figures =
            [number(&one["applicable"]), of("met"), met_before, number(&one["approved"]), approved_before];
        let figures = figures.map(|number| said.n(number)).join(" ");
        said.rows.push(format!("{title} {figures}"));
        let states = statuses.iter().map(|status| of(status.as_str())).chain([number(&one["in_doubt"])]);
        let states: Vec<String> = states.map(|number| said.n(number)).collect();
        said.rows.push(format!("{title} {}", states.join(" ")));
        let share = Hundredths::percent(of("met"), number(&one["applicable"]).max(1));
        let shown = format::percent(said.language, share);
        said.bar(&title, &shown);
        applicable += number(&one["applicable"]);
        met += of("met");
        approved += number(&one["approved"]);
    }
    let [n, m, k] = [applicable, met, approved].map(|number| said.n(number));
    let until = said.day(UNTIL);
    said.rows.push(match said.language {
        Language::English => format!(
            "Of {n} applicable requirements of the frameworks under assessment, {m} are met and {k} are approved on {until}."
        ),
        Language::German => format!(
            "Von {n} anwendbaren Anforderungen der bewerteten Rahmenwerke sind am {until} {m} erfüllt und {k} freigegeben."
        ),
    });
}

pub(super) async fn incidents(client: &Client, said: &mut Expected) {
    let mut all = rows(client, "/api/v1/incidents").await;
    all.retain(|row| row["status"] != "not_an_incident");
    let of = |from: &str, until: &str| -> Vec<&Value> {
        all.iter().filter(|row| within(day(&row["detected_at"]), from, until)).collect()
    };
    let (now, before) = (of(FROM, UNTIL), of(BEFORE_FROM, BEFORE));
    let [n, m] = [now.len(), before.len()].map(|number| number.to_string());
    said.rows.push(match said.language {
        Language::English => format!("Incidents detected in this period: {n}; in the period before: {m}."),
        Language::German => format!("Entdeckte Vorfälle in diesem Zeitraum: {n}; im Zeitraum davor: {m}."),
    });
    for outcome in Outcome::ALL {
        let with = |rows: &[&Value]| {
            rows.iter().filter(|row| row["classification"]["result"] == outcome.as_str()).count() as u64
        };
        said.row(said.t(outcome.label()), with(&now), with(&before));
    }
    said.row(said.pick("Total", "Summe"), now.len() as u64, before.len() as u64);
    let reports = |rows: &[&Value], states: &[&str]| {
        let reports = rows.iter().flat_map(|row| row["reports"].as_array().unwrap());
        reports.filter(|report| is(report, "state", states)).count() as u64
    };
    for (row, bar, states) in [
        (
            said.pick("Filed in time", "Fristgerecht eingereicht"),
            said.pick("Kept", "Eingehalten"),
            &["submitted"][..],
        ),
        (
            said.pick("Filed late", "Verspätet eingereicht"),
            said.pick("Missed", "Versäumt"),
            &["submitted_late"][..],
        ),
        (
            said.pick("Still due", "Noch ausstehend"),
            said.pick("Still due", "Noch ausstehend"),
            &["pending", "due_soon", "overdue"][..],
        ),
    ] {
        said.row(row, reports(&now, states), reports(&before, states));
        let shown = said.n(reports(&now, states));
        // A chart without any report is not drawn.
        if shown != "0" {
            said.bar(bar, &shown);
        }
    }
    costs(said, &now, &before);
    let without = now.iter().filter(|row| row["root_cause"].is_null() && row["lessons"].is_null()).count();
    let text = said.pick("Incidents without either", "Vorfälle ohne Ursache und Lehre");
    // Where none has a cause, the report says so in words.
    if without < now.len() {
        said.rows.push(format!("{text}: {without}"));
    }
    said.name(&all, &["title", "owner", "root_cause", "lessons"]);
}

/// Costs of the periods in euros, the only currency of the demonstration.
fn costs(said: &mut Expected, now: &[&Value], before: &[&Value]) {
    let of = |rows: &[&Value], kind: &str| {
        rows.iter().filter_map(|row| row["facts"]["costs"][kind].as_u64()).sum::<u64>()
    };
    let euros = |language, amount: u64| {
        let currency = "EUR".parse().unwrap();
        format::money(language, domain::money::Money { amount: i64::try_from(amount).unwrap(), currency })
    };
    // Where there are none, the report says so in words.
    if CostKind::ALL.iter().all(|kind| of(now, kind.as_str()) + of(before, kind.as_str()) == 0) {
        return;
    }
    let (mut sum, mut sum_before) = (0, 0);
    for kind in CostKind::ALL {
        let (amount, amount_before) = (of(now, kind.as_str()), of(before, kind.as_str()));
        sum += amount;
        sum_before += amount_before;
        let (shown, shown_before) = (euros(said.language, amount), euros(said.language, amount_before));
        said.rows.push(format!("{} {shown} {shown_before}", said.t(kind.label())));
    }
    let (shown, shown_before) = (euros(said.language, sum), euros(said.language, sum_before));
    said.rows.push(format!("{} (EUR) {shown} {shown_before}", said.pick("Total", "Summe")));
}

async fn testing(client: &Client, said: &mut Expected) -> u64 {
    for status in TestCaseStatus::ALL {
        let word = status.as_str();
        let now = total(client, &format!("/api/v1/test-cases?status={word}&as_of={UNTIL}")).await;
        let before = total(client, &format!("/api/v1/test-cases?status={word}&as_of={BEFORE}")).await;
        said.row(said.t(status.label()), now, before);
    }
    let now = rows(client, &format!("/api/v1/test-cases?as_of={UNTIL}")).await;
    let before = rows(client, &format!("/api/v1/test-cases?as_of={BEFORE}")).await;
    let late = |row: &Value, until: &str| {
        is(row, "status", &["draft", "ready", "in_progress", "blocked"])
            && row["due_on"].as_str().is_some_and(|due| due < until)
    };
    let overdue = count(&now, |row| late(row, UNTIL));
    said.row(said.pick("Overdue", "Überfällig"), overdue, count(&before, |row| late(row, BEFORE)));
    for status in [TestCaseStatus::Passed, TestCaseStatus::Failed] {
        let of = |from, until| {
            count(&now, |row| {
                row["status"] == status.as_str() && within(day(&row["executed_at"]), from, until)
            })
        };
        said.row(said.t(status.label()), of(FROM, UNTIL), of(BEFORE_FROM, BEFORE));
    }
    let coverage = client.get("/api/v1/test-coverage").await.expect(200).data();
    let functions = coverage["functions"].as_array().unwrap();
    let (all, untested) = (functions.len() as u64, coverage["untested"].as_array().unwrap().len() as u64);
    // A function was covered at an earlier day if its latest test of then was not older than twelve months.
    let label = said.pick("With a passed test in twelve months", "Mit bestandenem Test in zwölf Monaten");
    let without = said.pick("Without", "Ohne");
    for (label, number) in [(label, all - untested), (without, untested)] {
        said.names.push(format!("{label} {0} {0} ±0", said.n(number)));
        let share = Hundredths::percent(number, all.max(1));
        let shown = format::percent(said.language, share);
        said.bar(label, &shown);
    }
    said.row(said.pick("Total", "Summe"), all, all);
    let [n, m, k] = [all - untested, all, overdue].map(|number| said.n(number));
    let until = said.day(UNTIL);
    said.rows.push(match said.language {
        Language::English => format!(
            "On {until}, {n} of {m} critical functions have a passed test of the last twelve months; {k} tests are overdue."
        ),
        Language::German => format!(
            "Am {until} haben {n} von {m} kritischen Funktionen einen bestandenen Test aus den letzten zwölf Monaten; {k} Tests sind überfällig."
        ),
    });
    said.name(functions, &["name"]);
    untested
}

async fn third_parties(client: &Client, said: &mut Expected) -> u64 {
    let mut counts = BTreeMap::new();
    for (name, path) in
        [("all", "/api/v1/ict-arrangements?"), ("critical", "/api/v1/ict-arrangements?critical=true&")]
    {
        let now = total(client, &format!("{path}as_of={UNTIL}")).await;
        counts.insert(name, (now, total(client, &format!("{path}as_of={BEFORE}")).await));
    }
    // Providers are those that the arrangements of the day name.
    let mut providers = [0, 0];
    for (number, day) in providers.iter_mut().zip([UNTIL, BEFORE]) {
        let rows = rows(client, &format!("/api/v1/ict-arrangements?as_of={day}")).await;
        let names: BTreeSet<&str> = rows.iter().filter_map(|row| row["provider"]["name"].as_str()).collect();
        *number = names.len() as u64;
    }
    assert_eq!(providers[0], total(client, "/api/v1/providers").await);
    counts.insert("providers", (providers[0], providers[1]));
    for (label, name) in [
        (said.pick("Arrangements", "Vereinbarungen"), "all"),
        (
            said.pick(
                "Of them for critical or important functions",
                "Davon für kritische oder wichtige Funktionen",
            ),
            "critical",
        ),
        (said.pick("Providers", "Dienstleister"), "providers"),
    ] {
        said.row(label, counts[name].0, counts[name].1);
    }
    let [n, m, k] = ["all", "providers", "critical"].map(|name| said.n(counts[name].0));
    let until = said.day(UNTIL);
    said.rows.push(match said.language {
        Language::English => format!(
            "On {until}, the register contains {n} arrangements with {m} providers; {k} support critical or important functions."
        ),
        Language::German => format!(
            "Am {until} enthält das Register {n} Vereinbarungen mit {m} Dienstleistern; {k} stützen kritische oder wichtige Funktionen."
        ),
    });
    let latest = client.get("/api/v1/concentration-risk/latest").await.expect(200).data();
    let level = said.t(Level::find(latest["level"].as_str().unwrap()).unwrap().label());
    let breaches = latest["breaches"].as_u64().unwrap();
    let (at, shown) = (said.day(latest["as_of"].as_str().unwrap()), said.n(breaches));
    said.rows.push(match said.language {
        Language::English => {
            format!("The analysis as of {at}: level {level}, limits exceeded: {shown}. Before: no analysis.")
        }
        Language::German => {
            format!(
                "Die Analyse zum {at}: Stufe {level}, überschrittene Grenzen: {shown}. Zuvor: keine Analyse."
            )
        }
    });
    let percent = |language, value: &Value| {
        let hundredths = (value.as_f64().unwrap() * 100.0).round();
        #[expect(clippy::cast_possible_truncation, reason = "hundredths of a share")]
        let hundredths = hundredths as i64;
        format::exact_percent(language, Hundredths::new(hundredths))
    };
    for one in latest["dimensions"].as_array().unwrap() {
        let dimension = said.t(Dimension::find(one["dimension"].as_str().unwrap()).unwrap().label());
        let limit = percent(said.language, &one["threshold_pct"]);
        for (place, entry) in one["entries"].as_array().unwrap().iter().enumerate() {
            let (name, share) =
                (entry["name"].as_str().unwrap(), percent(said.language, &entry["share_pct"]));
            if place == 0 {
                said.rows.push(format!("{dimension} {name} {share} {limit}"));
            }
            if one["dimension"] == "provider" && place < 8 {
                said.bar(name, &share);
            }
        }
        if one["dimension"] == "provider" {
            said.rows.push(format!("{} {limit}", said.pick("Limit", "Grenze")));
        }
    }
    for breach in rows(client, "/api/v1/concentration-risk/breaches").await {
        let dimension = said.t(Dimension::find(breach["dimension"].as_str().unwrap()).unwrap().label());
        let (name, share) = (breach["name"].as_str().unwrap(), percent(said.language, &breach["share_pct"]));
        let limit = percent(said.language, &breach["threshold_pct"]);
        said.rows.push(format!("{dimension} {name} {share} {limit}"));
    }
    breaches
}

async fn trainings(client: &Client, said: &mut Expected) -> u64 {
    let now = rows(client, &format!("/api/v1/trainings?as_of={UNTIL}")).await;
    assert_eq!(total(client, &format!("/api/v1/trainings?as_of={BEFORE}")).await, 0);
    let mut late = 0;
    for members in [true, false] {
        let of = |row: &Value| row["management_body"] == true || !members;
        for state in TrainingState::ALL {
            let number = count(&now, |row| of(row) && row["state"] == state.as_str());
            said.row(said.t(state.label()), number, 0);
            if members && *state == TrainingState::Late {
                late = number;
            }
        }
        let all = count(&now, of);
        said.row(said.pick("Total", "Summe"), all, 0);
        let passed = count(&now, |row| of(row) && row["state"] == "passed");
        let share = format::percent(said.language, Hundredths::percent(passed, all.max(1)));
        let members_label =
            said.pick("Management body (DORA Art. 5(4))", "Leitungsorgan (Art. 5 Abs. 4 DORA)");
        let label = if members { members_label } else { said.pick("All people", "Alle Personen") };
        said.bar(label, &share);
        if members {
            let [n, m, k] = [passed, all, late].map(|number| said.n(number));
            let until = said.day(UNTIL);
            said.rows.push(match said.language {
                Language::English => format!(
                    "On {until}, {n} of {m} trainings of the management body {} passed; {k} are late.",
                    verb(&n, "is", "are")
                ),
                Language::German => format!(
                    "Am {until} {} {n} von {m} Schulungen des Leitungsorgans bestanden; {k} sind überfällig.",
                    verb(&n, "ist", "sind")
                ),
            });
        }
    }
    late
}

/// What is asked of the management body, with the numbers that the other parts found.
async fn decisions(client: &Client, said: &mut Expected, counts: [u64; 5]) {
    let approvals = rows(client, &format!("/api/v1/approvals?as_of={UNTIL}")).await;
    let waiting = count(&approvals, |row| row["state"] == "asked");
    let filings = rows(client, "/api/v1/register/filings").await;
    let pending = count(&filings, |row| is(row, "status", &["drafted"]));
    let [risks, limits, findings, functions, trainings] = counts;
    let matters = [
        (said.pick("Requests for approval that wait", "Offene Freigabeanfragen"), waiting),
        (
            said.pick(
                "Risks above the appetite without an acceptance",
                "Risiken über dem Risikoappetit ohne Akzeptanz",
            ),
            risks,
        ),
        (
            said.pick("Limits of concentration that are exceeded", "Überschrittene Konzentrationsgrenzen"),
            limits,
        ),
        (
            said.pick(
                "Critical and high findings that are overdue",
                "Überfällige kritische und hohe Feststellungen",
            ),
            findings,
        ),
        (
            said.pick(
                "Critical functions without a passed test in twelve months",
                "Kritische Funktionen ohne bestandenen Test in zwölf Monaten",
            ),
            functions,
        ),
        (
            said.pick(
                "Filings of the register that are not submitted",
                "Noch nicht eingereichte Meldungen des Registers",
            ),
            pending,
        ),
        (
            said.pick(
                "Trainings of the management body that are late",
                "Überfällige Schulungen des Leitungsorgans",
            ),
            trainings,
        ),
    ];
    let mut asked = 0;
    for (label, number) in matters.into_iter().filter(|(_, number)| *number > 0) {
        asked += 1;
        let shown = said.n(number);
        said.bar(label, &shown);
    }
    let (until, shown) = (said.day(UNTIL), said.n(asked));
    said.rows.push(match said.language {
        Language::English => format!("Matters that ask for a decision on {until}: {shown}."),
        Language::German => format!("Sachverhalte, die am {until} eine Entscheidung erfordern: {shown}."),
    });
    for state in [ApprovalState::Granted, ApprovalState::Refused] {
        let of = |from, until| {
            count(&approvals, |row| {
                row["state"] == state.as_str() && within(day(&row["decided_at"]), from, until)
            })
        };
        said.row(said.t(state.label()), of(FROM, UNTIL), of(BEFORE_FROM, BEFORE));
    }
    said.name(&approvals, &["title"]);
}

async fn compared(language: Language) {
    let (_app, client) = demo().await;
    let wish = json!({ "kind": "board", "from": FROM, "until": UNTIL, "language": language.as_str() });
    let (_, pdf) = asked(&client, &wish).await;
    let file = format!("{}/board-{}.pdf", env!("CARGO_TARGET_TMPDIR"), language.as_str());
    std::fs::write(&file, &pdf).unwrap();
    let count = pages(&pdf);
    assert!((8..=15).contains(&count), "{count} pages, see {file}");

    let mut said = Expected { language, rows: Vec::new(), names: Vec::new() };
    let overdue = findings(&client, &mut said).await;
    let undecided = risks(&client, &mut said).await;
    frameworks(&client, &mut said).await;
    incidents(&client, &mut said).await;
    let untested = testing(&client, &mut said).await;
    let breaches = third_parties(&client, &mut said).await;
    let late = trainings(&client, &mut said).await;
    decisions(&client, &mut said, [undecided, breaches, overdue, untested, late]).await;

    said.check(&text(&pdf), &file);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_number_of_the_english_report_is_one_of_the_api() {
    Box::pin(compared(Language::English)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_number_of_the_german_report_is_one_of_the_api() {
    Box::pin(compared(Language::German)).await;
}
