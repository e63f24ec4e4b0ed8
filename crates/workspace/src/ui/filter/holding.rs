//! Own fields in the address of a list.

use domain::custom_field::{CUSTOM, CustomValue, Holding, ValueDigest};

use crate::{extract::View, route};

/// The values of own fields in the address, which belong to the list that it shows or to a file of it. More than a list
/// takes are ignored.
pub(crate) fn holding(view: &View) -> Holding {
    let list = view.path().split('.').next().unwrap_or_default();
    let Some((_, table)) = route::SAMPLED.iter().find(|(address, _)| *address == list) else {
        return Holding::default();
    };
    let sought = view.members(CUSTOM);
    let digests = sought
        .iter()
        .map(|(key, text)| ValueDigest::of(table, key, &CustomValue::Text(text.trim().to_owned())));
    Holding::of(digests).unwrap_or_default()
}
