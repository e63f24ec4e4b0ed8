//! The dashboard for Grafana against the metrics that exist.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    sync::Arc,
};

use api::metrics::{Family, Kind};
use serde_json::Value;
use testkit::{Engine, TestApp};

use crate::house::root;

/// Labels that Prometheus itself adds.
const OF_SCRAPER: [&str; 1] = ["instance"];
/// Families that no panel shows, each with the reason.
const NOT_SHOWN: [(&str, &str); 0] = [];
/// Words of expressions that are followed by a list of labels.
const GROUPING: [&str; 2] = ["by", "without"];

/// The labels of each name that an expression may use.
type Known = BTreeMap<String, BTreeSet<String>>;

fn dashboard() -> Value {
    let text = fs::read_to_string(root().join("docs/monitoring/grafana.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The families of both engines, after everything that has labels happened once.
async fn families() -> Vec<Family> {
    let mut all: Vec<Family> = Vec::new();
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).await;
        app.app.register_jobs().await.unwrap();
        app.app.exports.set(Arc::default()).unwrap();
        app.app.run_job(app.app.job("retention").unwrap()).await.unwrap();
        app.anonymous().get("/api/ping").await.expect(200);
        for family in api::metrics::all(&app.app).await {
            match all.iter_mut().find(|known| known.name == family.name) {
                Some(known) => known.samples.extend(family.samples),
                None => all.push(family),
            }
        }
    }
    all
}

fn known(families: &[Family]) -> Known {
    let mut known = Known::new();
    for family in families {
        let labels = family.samples.iter().flat_map(|sample| &sample.labels);
        let labels: BTreeSet<String> =
            labels.map(|(label, _)| *label).chain(OF_SCRAPER).map(str::to_owned).collect();
        let name = family.name.to_owned();
        if family.kind == Kind::Histogram {
            let bucket = labels.iter().cloned().chain(["le".to_owned()]).collect();
            known.insert(format!("{name}_bucket"), bucket);
            known.insert(format!("{name}_sum"), labels.clone());
            known.insert(format!("{name}_count"), labels);
        } else {
            known.insert(name, labels);
        }
    }
    known
}

/// What an expression names: metrics with the labels in their braces, and the labels it groups by.
#[derive(Debug, Default, PartialEq)]
struct Named {
    metrics: Vec<(String, Vec<String>)>,
    grouping: Vec<String>,
}

fn is_part_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The names of labels before each operator in `a="x", b=~"y"`, or of those in `a, b`.
fn labels_in(list: &str) -> Vec<String> {
    let mut labels = Vec::new();
    let mut outside = String::new();
    for (number, part) in list.split('"').enumerate() {
        if number % 2 == 0 {
            outside.push_str(part);
        }
    }
    for word in outside.split(|letter| !is_part_of_name(letter)).filter(|word| !word.is_empty()) {
        labels.push(word.to_owned());
    }
    labels
}

fn parsed(expression: &str) -> Result<Named, String> {
    let mut named = Named::default();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        if first == '[' {
            rest = rest.split_once(']').ok_or("a range that does not end")?.1;
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|letter| !is_part_of_name(letter)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let after = after.trim_start();
            if GROUPING.contains(&word) {
                let list = after.strip_prefix('(').ok_or(format!("{word} without a list"))?;
                let (list, after) = list.split_once(')').ok_or("a list that does not end")?;
                named.grouping.extend(labels_in(list));
                rest = after;
            } else if after.starts_with('(') || GROUPING.iter().any(|group| after.starts_with(group)) {
                rest = after;
            } else if let Some(list) = after.strip_prefix('{') {
                let (list, after) = list.split_once('}').ok_or("braces that do not end")?;
                named.metrics.push((word.to_owned(), labels_in(list)));
                rest = after;
            } else {
                named.metrics.push((word.to_owned(), Vec::new()));
                rest = after;
            }
        } else if first.is_ascii_digit() {
            let end = rest
                .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '.'))
                .unwrap_or(rest.len());
            rest = &rest[end..];
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    if named.metrics.is_empty() { Err("no metric".into()) } else { Ok(named) }
}

/// What is wrong with an expression and the text of its legend.
fn faults(expression: &str, legend: &str, known: &Known) -> Vec<String> {
    let named = match parsed(expression) {
        Ok(named) => named,
        Err(problem) => return vec![format!("{expression}: {problem}")],
    };
    let mut faults = Vec::new();
    let mut reachable = BTreeSet::new();
    for (metric, labels) in &named.metrics {
        let Some(of_metric) = known.get(metric) else {
            faults.push(format!("{expression}: there is no metric {metric}"));
            continue;
        };
        reachable.extend(of_metric.clone());
        for label in labels.iter().filter(|label| !of_metric.contains(*label)) {
            faults.push(format!("{expression}: {metric} has no label {label}"));
        }
    }
    let shown = legend.split("{{").skip(1).filter_map(|part| part.split("}}").next());
    let used = named.grouping.iter().map(String::as_str).chain(shown.map(str::trim));
    for label in used.filter(|label| !reachable.contains(*label)) {
        faults.push(format!("{expression}: no metric in it has the label {label}"));
    }
    faults
}

/// Every expression of a dashboard, with its legend.
fn expressions(dashboard: &Value) -> Vec<(String, String)> {
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    let text = |target: &Value, field: &str| target[field].as_str().unwrap().to_owned();
    targets.map(|target| (text(target, "expr"), text(target, "legendFormat"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_names_only_metrics_and_labels_that_exist_and_shows_all() {
    let families = families().await;
    let known = known(&families);
    let expressions = expressions(&dashboard());
    assert!(expressions.len() > 40, "only {} expressions", expressions.len());
    let faults: Vec<_> =
        expressions.iter().flat_map(|(expression, legend)| faults(expression, legend, &known)).collect();
    assert_eq!(faults, Vec::<String>::new());
    let shown: BTreeSet<String> = expressions
        .iter()
        .flat_map(|(expression, _)| parsed(expression).unwrap().metrics)
        .map(|(metric, _)| metric)
        .collect();
    let is_shown = |family: &&Family| {
        let mut names = ["", "_bucket", "_sum", "_count"].iter().map(|end| format!("{}{end}", family.name));
        names.any(|name| shown.contains(&name))
    };
    for family in &families {
        let excepted = NOT_SHOWN.iter().any(|(name, _)| *name == family.name);
        assert!(is_shown(&family) != excepted, "{} is on no panel, or is on one and excepted", family.name);
    }
}

#[tokio::test]
async fn every_panel_says_what_it_shows_and_reads_from_the_chosen_source() {
    let dashboard = dashboard();
    assert_eq!(dashboard["uid"], "tidewall");
    let variables = dashboard["templating"]["list"].as_array().unwrap();
    assert!(
        variables.iter().any(|variable| variable["type"] == "datasource" && variable["name"] == "datasource")
    );
    let mut ids = BTreeSet::new();
    let mut taken: Vec<[u64; 4]> = Vec::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        let title = panel["title"].as_str().unwrap();
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{title}: an id is used twice");
        let [x, y, w, h] = ["x", "y", "w", "h"].map(|side| panel["gridPos"][side].as_u64().unwrap());
        let apart = |other: &[u64; 4]| {
            let [left, top, width, height] = *other;
            x >= left + width || left >= x + w || y >= top + height || top >= y + h
        };
        assert!(x + w <= 24 && taken.iter().all(apart), "{title} lies outside or over another panel");
        taken.push([x, y, w, h]);
        if panel["type"] != "row" {
            assert!(!panel["description"].as_str().unwrap().is_empty(), "{title} has no description");
            assert_eq!(panel["datasource"]["uid"], "${datasource}", "{title}");
        }
    }
}

#[test]
fn wrong_names_are_found_in_expressions() {
    let labels = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let known = Known::from([("t_total".to_owned(), labels(&["route", "instance"]))]);
    let found = |expression: &str, legend: &str| faults(expression, legend, &known).len();
    let good = r#"topk(3, sum by (route) (rate(t_total{instance=~"$i", route!="a b"}[5m]))) / 2.5e3"#;
    assert_eq!(parsed("sum(a{x=\"y\"}) by (z) > bool_b").unwrap().grouping, ["z"]);
    assert_eq!(found(good, "{{route}}"), 0);
    assert_eq!(found("rate(u_total[5m])", ""), 1, "a metric that does not exist");
    assert_eq!(found(r#"t_total{job="a"}"#, ""), 1, "a label in braces");
    assert_eq!(found("sum by (job) (t_total)", ""), 1, "a label to group by");
    assert_eq!(found("t_total", "{{job}}"), 1, "a label in the legend");
    assert_eq!(found("time()", ""), 1, "no metric at all");
}
