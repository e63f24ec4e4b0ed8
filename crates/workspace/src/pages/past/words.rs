//! The words of a record's history: the label of every field, and its values as the reader reads them.

use app::records::AnyKind;
use domain::{
    arrangement::{Place, ServiceType, Substitutability},
    assessment::Assessment,
    control::{ControlCadence, Effectiveness},
    cra_report::{CraReportKind, CraStage},
    custom_field::FieldType,
    field::{self, Fields as _},
    format,
    framework::Framework,
    function::{DiscontinuingImpact, FunctionCriticality},
    id::Uuid7,
    incident::{Outcome, Regime, due::Stage},
    moment::{Day, Moment},
    provider::{Dimension, ProviderRating},
    retest::RetestResult,
    risk::{Risk, RiskCategory, RiskLevel, RiskTreatment},
    test_type::TestType,
    vocabulary::{Priority, Severity, Vocabulary},
    wording::{Label, Language},
};
use serde_json::Value;

use crate::{
    extract::View,
    pages::{any_form_label, form_label, incidents::fact, names::Names, views::list_title},
    texts::{
        analysis, approval, arrangement, comment, common, control, record as texts, sample, tag,
        view as view_texts,
    },
};

/// The label of a field; an unknown one by its own name.
pub(in crate::pages) fn label(view: &View, record: &str, field: &str) -> String {
    let known = AnyKind::of_id(record).and_then(|kind| kind.field(field)).map(|known| known.label);
    let known = known.or_else(|| of_kind(record, field));
    let known = known.or_else(|| LABELS.iter().find(|(name, _)| *name == field).map(|(_, label)| *label));
    let known = known.or_else(|| form_label(record, field));
    let known = known.or_else(|| label_of::<Place>(field)).or_else(|| label_of::<Dimension>(field));
    let known = known.or_else(|| fact::label_of(field.strip_prefix("facts.")?));
    let known = known.or_else(|| any_form_label(field));
    known.map_or_else(|| field.to_owned(), |label| view.t(label).to_owned())
}

/// The fields whose meaning depends on the kind of record.
fn of_kind(record: &str, field: &str) -> Option<Label> {
    match field {
        "reference" => Some(texts::REFERENCE),
        // The subject of an assessment is a requirement of the catalogue.
        _ if Uuid7::of_id(record).is_none() => field::find(Assessment::ALL, field).map(|known| known.label),
        _ => None,
    }
}

/// Fields that no kind declares.
const LABELS: &[(&str, Label)] = &[
    ("comment_of", comment::WRITTEN_AT),
    ("size", sample::SIZE),
    ("seed", sample::SEED),
    ("purpose", sample::PURPOSE),
    ("population", sample::POPULATION),
    ("drawn_sha256", sample::DIGEST),
    ("mentions", comment::MENTIONS),
    ("watches", comment::WATCHES),
    ("tags", tag::TITLE),
    ("list", view_texts::LIST),
    ("shared", view_texts::SHARED),
    ("start", view_texts::START),
    ("columns", view_texts::COLUMNS),
    ("filters", view_texts::FILTERS),
    ("order", view_texts::ORDER),
    ("level", analysis::LEVEL),
    ("approved_by", Risk::APPROVED_BY.label),
    ("retest_before_closing", approval::RETEST),
    ("on", control::PERFORMED_ON),
    ("imported_from", texts::IMPORTED_FROM),
];

pub(in crate::pages) fn text(view: &View, names: &Names, record: &str, field: &str, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(yes) => view.t(if *yes { common::YES } else { common::NO }).to_owned(),
        Value::Number(number) => written_number(view, number),
        Value::String(word) => names.get(word).unwrap_or_else(|| match Uuid7::of_id(word) {
            Some(_) => view.t(texts::UNNAMED).to_owned(),
            None => worded(view, field, word),
        }),
        // A supplier and its recipient, or a function and whether it is critical.
        Value::Array(items) => match items.as_slice() {
            [Value::String(name), Value::Bool(critical)] if *critical => {
                format!("{name} ({})", view.t(arrangement::CRITICAL))
            }
            [Value::String(name), Value::Bool(_)] => name.clone(),
            items => {
                let items = items.iter().map(|item| text(view, names, record, field, item));
                items.collect::<Vec<_>>().join(", ")
            }
        },
        Value::Object(parts) => {
            let filled = parts.iter().map(|(name, part)| (name, text(view, names, record, name, part)));
            let filled = filled.filter(|(_, part)| !part.is_empty());
            filled
                .map(|(name, part)| format!("{}: {part}", label(view, record, name)))
                .collect::<Vec<_>>()
                .join("; ")
        }
    }
}

fn written_number(view: &View, number: &serde_json::Number) -> String {
    match view.language {
        Language::English => number.to_string(),
        Language::German => number.to_string().replace('.', ","),
    }
}

/// Words of a vocabulary by their label, days and times in the reader's format, anything else unchanged.
fn worded(view: &View, field: &str, word: &str) -> String {
    if let ("framework", Ok(framework)) = (field, word.parse::<Framework>()) {
        return framework.name();
    }
    // Views and samples are of a list, own fields of a kind.
    let kind = match field {
        "list" => AnyKind::of_table(word),
        "kind" => AnyKind::of_noun(word),
        _ => None,
    };
    if let Some(kind) = kind {
        return list_title(view, kind);
    }
    let label = match field {
        "category" => label_of::<RiskCategory>(word),
        "level" => label_of::<RiskLevel>(word),
        "treatment" => label_of::<RiskTreatment>(word),
        "severity" => label_of::<Severity>(word),
        "priority" => label_of::<Priority>(word),
        "test_type" => label_of::<TestType>(word),
        "kind" => label_of::<CraReportKind>(word),
        "type" => label_of::<FieldType>(word),
        "criticality" => label_of::<FunctionCriticality>(word),
        "impact_of_discontinuing" => label_of::<DiscontinuingImpact>(word),
        "effectiveness" => label_of::<Effectiveness>(word),
        "cadence" => label_of::<ControlCadence>(word),
        "service_type" => label_of::<ServiceType>(word),
        "substitutability" => label_of::<Substitutability>(word),
        "rating" => label_of::<ProviderRating>(word),
        "regime" | "regimes" => label_of::<Regime>(word),
        "stage" => label_of::<Stage>(word).or_else(|| label_of::<CraStage>(word)),
        "result" | "computed" => label_of::<Outcome>(word).or_else(|| label_of::<RetestResult>(word)),
        _ => None,
    };
    if let Some(label) = label {
        return view.t(label).to_owned();
    }
    if let Ok(day) = word.parse::<Day>() {
        return format::day(view.language, day);
    }
    match word.parse::<Moment>() {
        Ok(at) => view.moment(at),
        Err(_) => word.to_owned(),
    }
}

fn label_of<T: Vocabulary>(word: &str) -> Option<Label> {
    T::find(word).map(Vocabulary::label)
}
