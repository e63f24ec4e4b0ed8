//! Pieces of the OpenAPI document that follow from the closed lists of the domain.

use domain::vocabulary::Vocabulary;
use utoipa::openapi::{
    RefOr,
    schema::{ArrayBuilder, Object, ObjectBuilder, Schema, Type},
};

/// One word of a closed list.
pub(crate) fn word<V: Vocabulary>() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(V::ALL.iter().map(|word| word.as_str())))
        .build()
}

/// Several words of a closed list.
pub(crate) fn words<V: Vocabulary>() -> Schema {
    ArrayBuilder::new().items(RefOr::T(Schema::Object(word::<V>()))).build().into()
}
