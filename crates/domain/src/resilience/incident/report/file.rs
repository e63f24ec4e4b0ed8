//! The report as the European Supervisory Authorities' file, format IR-1.2.1.
//!
//! The format has peculiarities, kept here on purpose: the misspelt `dataLosseMaterialityThresholds`, fields inside
//! the item of their criterion in `classificationTypes`, a LEI and another code under different names, and a single
//! time for several recurring incidents. Amounts are written in units with all their digits, which is more than the
//! precision of thousands that Annex II requires.

use serde_json::{Map, Value as Json, json};

use crate::lei::Lei;

use super::{Report, Value};

const CRITERION: &str = "classificationCriterion";

pub(super) fn to_json(report: &Report) -> Json {
    let mut file = Map::new();
    let mut types = criteria(report);
    for filled in &report.fields {
        let Some((value, _)) = &filled.value else { continue };
        let field = filled.field;
        let json = value.to_json();
        match (field.number, field.path.strip_prefix("type.")) {
            ("1.4" | "1.5" | "1.6" | "2.5", _) => {}
            ("1.3", _) => put(&mut file, code_path(value), json),
            (_, Some(path)) => put_in_criterion(&mut types, path, json),
            (_, None) => put(&mut file, field.path, json),
        }
    }
    mark(&mut file, "submittingEntity", "SUBMITTING_ENTITY");
    mark(&mut file, "ultimateParentUndertaking", "ULTIMATE_PARENT_UNDERTAKING_ENTITY");
    file.insert("affectedEntity".to_owned(), affected(report));
    if !types.is_empty() {
        put(&mut file, "incident.classificationTypes", types.into_iter().map(Json::Object).collect());
    }
    Json::Object(file)
}

/// 1.3a for a LEI, 1.3b for any other code.
fn code_path(value: &Value) -> &'static str {
    match value {
        Value::Text(code) if code.parse::<Lei>().is_ok() => "submittingEntity.LEI",
        _ => "submittingEntity.code",
    }
}

/// Sets a member of an object within objects.
fn put(object: &mut Map<String, Json>, path: &str, value: Json) {
    match path.split_once('.') {
        None => {
            object.insert(path.to_owned(), value);
        }
        Some((head, rest)) => {
            let inner = object.entry(head).or_insert_with(|| json!({}));
            if let Json::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// The schema's rules for entities depend on this word.
fn mark(file: &mut Map<String, Json>, entity: &str, kind: &str) {
    if let Some(Json::Object(entity)) = file.get_mut(entity) {
        entity.insert("entityType".to_owned(), json!(kind));
    }
}

/// One item per criterion of field 2.5.
fn criteria(report: &Report) -> Vec<Map<String, Json>> {
    let Some(Value::Choices(criteria)) = report.value("2.5") else { return Vec::new() };
    criteria.iter().map(|code| Map::from_iter([(CRITERION.to_owned(), json!(code))])).collect()
}

/// `criterion.member`. Without an item of that criterion the file cannot contain the value.
fn put_in_criterion(types: &mut [Map<String, Json>], path: &str, value: Json) {
    let Some((criterion, member)) = path.split_once('.') else { return };
    let fits = |item: &&mut Map<String, Json>| item.get(CRITERION).and_then(Json::as_str) == Some(criterion);
    if let Some(item) = types.iter_mut().find(fits) {
        item.insert(member.to_owned(), value);
    }
}

/// The affected entities: names and LEIs of an aggregated report are separated by semicolons, in the same order.
fn affected(report: &Report) -> Json {
    let parts = |number: &str| match report.value(number) {
        Some(Value::Text(text)) => text.split(';').map(|part| part.trim().to_owned()).collect(),
        _ => Vec::<String>::new(),
    };
    let (names, codes) = (parts("1.5"), parts("1.6"));
    let count = names.len().max(codes.len()).max(1);
    let entity = |place: usize| {
        let mut entity = Map::new();
        entity.insert("entityType".to_owned(), json!("AFFECTED_ENTITY"));
        if let Some(types) = report.value("1.4") {
            entity.insert("affectedEntityType".to_owned(), types.to_json());
        }
        if let Some(name) = names.get(place) {
            entity.insert("name".to_owned(), json!(name));
        }
        if let Some(code) = codes.get(place) {
            entity.insert("LEI".to_owned(), json!(code));
        }
        Json::Object(entity)
    };
    (0..count).map(entity).collect()
}
