//! Schemas of the OpenAPI document that follow from the vocabularies of the domain and the catalogue.

use std::borrow::Cow;

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr,
        schema::{Object, ObjectBuilder, Schema, SchemaType, Type},
    },
};

/// Declares the closed lists of words by their names in the document. Fields and parameters refer to them with
/// `value_type = word::Role`.
macro_rules! words {
    ($($name:ident = $of:ty, $schema:literal, $description:literal;)*) => {
        pub(crate) mod word {
            use super::{Cow, PartialSchema, RefOr, Schema, ToSchema, one_of};

            $(
                #[derive(Debug)]
                pub(crate) enum $name {}

                impl PartialSchema for $name {
                    fn schema() -> RefOr<Schema> {
                        one_of(<$of>::WORDS, $description)
                    }
                }

                impl ToSchema for $name {
                    fn name() -> Cow<'static, str> {
                        Cow::Borrowed($schema)
                    }
                }
            )*

            /// A framework, which is no closed list: the catalogue says which there are.
            #[derive(Debug)]
            pub(crate) enum FrameworkId {}

            impl PartialSchema for FrameworkId {
                fn schema() -> RefOr<Schema> {
                    super::framework()
                }
            }

            impl ToSchema for FrameworkId {
                fn name() -> Cow<'static, str> {
                    Cow::Borrowed("Framework")
                }
            }

            /// Every vocabulary, for parameters, whose references the generator does not resolve.
            pub(crate) fn all() -> Vec<(String, RefOr<Schema>)> {
                vec![
                    ("Framework".to_owned(), FrameworkId::schema()),
                    $(($schema.to_owned(), $name::schema()),)*
                ]
            }
        }
    };
}

/// Declares a body that documents some of the fields of the type that reads it: some of them required, which then
/// cannot be null, some left out, and some with a schema of their own.
macro_rules! body {
    (
        $(#[doc = $doc:literal])+
        $name:ident $(as $alias:literal)? from $fields:ty {
            required: $required:expr,
            without: $without:expr
            $(, nested: { $($field:literal: $nested:ty),+ })?
            $(, example: $example:tt)?
            $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub(crate) enum $name {}

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let schema = crate::schema::body_of::<$fields>(&[$($doc),+], &$required, &$without);
                $($(
                    let mut schema = schema;
                    let nested = utoipa::openapi::Ref::from_schema_name(<$nested as utoipa::ToSchema>::name());
                    schema.properties.insert($field.to_owned(), nested.into());
                )+)?
                $(
                    let mut schema = schema;
                    schema.example = Some(serde_json::json!($example));
                )?
                schema.into()
            }
        }

        impl utoipa::ToSchema for $name {
            $(fn name() -> std::borrow::Cow<'static, str> {
                $alias.into()
            })?

            fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>) {
                <$fields as utoipa::ToSchema>::schemas(schemas);
                $($({
                    let name = <$nested as utoipa::ToSchema>::name().into_owned();
                    schemas.push((name, <$nested as utoipa::PartialSchema>::schema()));
                    <$nested as utoipa::ToSchema>::schemas(schemas);
                })+)?
            }
        }
    };
}
pub(crate) use body;

/// The schema of a body with the fields of `T`.
pub(crate) fn body_of<T: PartialSchema>(description: &[&str], required: &[&str], without: &[&str]) -> Object {
    let RefOr::T(Schema::Object(mut schema)) = T::schema() else { return Object::new() };
    let lines: Vec<&str> = description.iter().map(|line| line.trim()).collect();
    schema.description = Some(lines.join("\n"));
    schema.required = required.iter().map(ToString::to_string).collect();
    schema.properties.retain(|name, _| !without.contains(&name.as_str()));
    for name in required {
        if let Some(property) = schema.properties.get_mut(*name) {
            forbid_null(property);
        }
    }
    schema
}

fn forbid_null(property: &mut RefOr<Schema>) {
    let types = match property {
        RefOr::T(Schema::Object(object)) => &mut object.schema_type,
        RefOr::T(Schema::Array(array)) => &mut array.schema_type,
        RefOr::T(Schema::OneOf(choice)) => {
            if let Some(schema) = choice.items.iter().find(|item| matches!(item, RefOr::Ref(_))).cloned() {
                *property = schema;
            }
            return;
        }
        _ => return,
    };
    if let SchemaType::Array(all) = types
        && let Some(only) = all.iter().find(|one| **one != Type::Null)
    {
        *types = SchemaType::Type(only.clone());
    }
}

/// A string that is one of these words.
pub(crate) fn one_of(words: &[&str], description: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words.iter().copied()))
        .description(Some(description))
        .into()
}

/// The id of a framework.
pub(crate) fn framework() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(domain::framework::Framework::MAX))
        .pattern(Some("^[a-z0-9]+(-[a-z0-9]+)*$"))
        .examples(["dora", "marisk", "iso-27001", "cra", "nis2"])
        .description(Some("A regulatory framework or standard: the id of one that `/api/frameworks` lists."))
        .into()
}

words! {
    Addressee = app::catalogue::applicability::Addressee, "Addressee", "Who has to act.";
    Cadence = app::catalogue::vocabulary::Cadence, "Cadence", "How often something is done or renewed.";
    CategoryId = app::catalogue::risk::CategoryId, "RiskCategoryId", "The category of an ICT risk.";
    ChangeKind = app::catalogue::change::ChangeKind, "CatalogueChangeKind",
        "Whether an act was corrected or amended, or the catalogue's description of it.";
    Coverage = app::catalogue::compliance::Coverage, "Coverage",
        "How far the measures of the catalogue cover a requirement.";
    Criticality = app::catalogue::vendor::Criticality, "VendorCriticality",
        "How critical the services of a provider are.";
    Difficulty = app::catalogue::vocabulary::Difficulty, "Difficulty",
        "How demanding a drill or training module is.";
    DimensionId = app::catalogue::vendor::DimensionId, "VendorDimensionId", "A dimension of the vendor scorecard.";
    Effort = app::catalogue::gap::Effort, "Effort", "The effort that closing a gap usually takes.";
    EntityKind = domain::entity_kind::EntityKind, "EntityKind",
        "The kinds of financial entities of DORA Art. 2(1), and their suppliers.";
    EvidenceKind = app::catalogue::evidence::EvidenceKind, "EvidenceKind", "The kind of evidence.";
    FieldType = domain::custom_field::FieldType, "CustomFieldType", "What an own field holds.";
    FactLimit = app::catalogue::applicability::FactLimit, "FactLimit",
        "A limit of a requirement that a single fact of the institution decides.";
    Force = app::catalogue::applicability::Force, "Force", "How binding a provision is.";
    Grade = app::catalogue::proof::Grade, "SourceGrade", "What a statement rests on.";
    HealOutcome = app::heal::HealOutcome, "HealOutcome", "The outcome of a self-healing action.";
    HealthStatus = domain::health::HealthStatus, "HealthStatus", "The health of the service or of one check.";
    Impact = app::catalogue::signal::Impact, "SignalImpact", "How much a publication changes for a financial entity.";
    JobOutcome = domain::job::JobOutcome, "JobOutcome", "The outcome of a scheduled job.";
    Judgement = app::catalogue::drill::Judgement, "DrillJudgement",
        "Whether the facts of a drill meet a criterion.";
    Level = app::catalogue::risk::Level, "RiskLevel", "The level of a risk.";
    Metric = app::performance::Metric, "PerformanceMetric", "A performance figure of the service.";
    MilestoneCategory = app::catalogue::milestone::MilestoneCategory, "MilestoneCategory",
        "The kind of date on the compliance timeline.";
    MilestoneStatus = app::catalogue::milestone::MilestoneStatus, "MilestoneStatus",
        "Whether a date has passed, is due within 90 days, or lies further ahead.";
    OperatorRole = app::catalogue::applicability::OperatorRole, "OperatorRole", "A role of an undertaking under the CRA, NIS2 or DORA.";
    Permission = domain::permission::Permission, "Permission", "A permission of an API key. Every key has `read`.";
    Pillar = app::catalogue::measure::Pillar, "Pillar", "The pillar of DORA that a measure belongs to.";
    Priority = domain::vocabulary::Priority, "Priority", "A priority.";
    Provenance = app::catalogue::measure::Provenance, "MappingProvenance", "Where a mapping between frameworks comes from.";
    AskedOf = app::catalogue::question::AskedOf, "QuestionAskedOf", "Who answers a question of the vendor risk assessment.";
    AnswerKind = domain::provider::AnswerKind, "QuestionAnswerKind", "In which form a question is answered.";
    QuestionSection = app::catalogue::question::QuestionSection, "QuestionSection",
        "The section of the vendor risk assessment.";
    Regime = app::catalogue::clock::Regime, "ReportingRegime", "The regulation that a reporting clock belongs to.";
    Relation = app::catalogue::crosswalk::Relation, "RequirementRelation", "How two requirements relate, seen from the first.";
    RiskStatus = app::catalogue::risk::RiskStatus, "CatalogueRiskStatus", "The status of a catalogue risk.";
    Role = app::catalogue::vocabulary::Role, "Role", "A function in a financial entity.";
    Severity = domain::vocabulary::Severity, "Severity", "A severity.";
    SizeRelief = app::catalogue::applicability::SizeRelief, "SizeRelief", "A relief or an exemption by size.";
    Treatment = app::catalogue::risk::Treatment, "CatalogueRiskTreatment", "How a risk is treated.";
    WidgetKind = app::catalogue::widget::WidgetKind, "WidgetKind", "The kind of a dashboard widget.";
    WidgetSize = app::catalogue::widget::WidgetSize, "WidgetSize", "The size of a dashboard widget.";
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::PathBuf};

    /// Declarations such as `Severity = domain::vocabulary::Severity, "Severity", "…";`, with the name in the document.
    fn declared(source: &str, has_names: bool) -> Vec<(String, String)> {
        let blocks = source.split("\nwords! {\n").skip(1).filter_map(|rest| rest.split("\n}\n").next());
        let each = blocks.flat_map(|block| block.split(";\n")).filter_map(|one| {
            let (name, rest) = one.split_once('=')?;
            let (of, rest) = rest.split_once(',')?;
            let name = if has_names { rest.split('"').nth(1)? } else { name.trim() };
            Some((name.to_owned(), of.trim().to_owned()))
        });
        each.collect()
    }

    /// A document has one schema for each name, so two types with one name would hide each other.
    #[test]
    fn no_two_vocabularies_share_a_name() {
        let mut words = declared(include_str!("schema.rs"), true);
        let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/v1"))];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    words.extend(declared(&fs::read_to_string(path).unwrap(), false));
                }
            }
        }
        let mut known = BTreeMap::new();
        for (name, of) in words {
            let other = known.insert(name.clone(), of.clone()).unwrap_or(of.clone());
            assert_eq!(other, of, "{name}");
        }
        assert!(known.len() > 50, "{known:?}");
        assert!(known.contains_key("CatalogueRiskStatus") && known.contains_key("RiskStatus"), "{known:?}");
    }
}
