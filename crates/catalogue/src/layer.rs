//! Layers over a catalogue: folders that add records, change fields of existing records, or hide them.
//!
//! A block of a layer with the id of a record in a lower layer changes that record: its fields replace the record's.
//! With `hide = true` the record is removed, and every mention of it in lists. Every other block is an addition. The
//! result is checked like any catalogue, and mistakes are reported in the layer's own files.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use toml::{
    Spanned,
    de::{DeArray, DeTable, DeValue},
};

use crate::source::SourceFile;

/// Folder, block and id of a record.
type Key = (String, String, String);

/// The content of a file after merging the layers above it; `None` when another file has replaced it.
pub(crate) type Tables<'s> = Vec<Option<DeTable<'s>>>;

/// Merges every file into the files of lower layers. Files are in the order of their layers.
pub(crate) fn merge(files: &[SourceFile], tables: &mut Tables<'_>) {
    let mut homes: HashMap<Key, usize> = HashMap::new();
    let mut hidden = HashSet::new();
    for (index, file) in files.iter().enumerate() {
        if file.layer > 0 && !file.path.contains('/') {
            merge_root(files, tables, index);
            continue;
        }
        for key in keys(file, tables[index].as_ref()) {
            match homes.get(&key) {
                Some(home) if files[*home].layer < file.layer => {
                    lay_over(tables, *home, index, &key, &mut hidden);
                    let is_single = tables[index].as_ref().is_none_or(|table| block(table, &key).is_none());
                    if !is_single {
                        homes.insert(key, index);
                    }
                }
                _ => {
                    homes.entry(key).or_insert(index);
                }
            }
        }
    }
    if !hidden.is_empty() {
        for table in tables.iter_mut().flatten() {
            prune(table, &hidden);
        }
    }
}

/// The records of a file that have an id.
fn keys(file: &SourceFile, table: Option<&DeTable<'_>>) -> Vec<Key> {
    let folder = file.path.split_once('/').map_or("", |(folder, _)| folder);
    let mut keys = Vec::new();
    for (name, value) in table.into_iter().flatten() {
        let key =
            |block: &DeTable<'_>| id_of(block).map(|id| (folder.to_owned(), name.get_ref().to_string(), id));
        match value.get_ref() {
            DeValue::Table(block) => keys.extend(key(block)),
            DeValue::Array(blocks) => {
                keys.extend(blocks.iter().filter_map(|block| key(block.get_ref().as_table()?)));
            }
            _ => {}
        }
    }
    keys
}

fn id_of(block: &DeTable<'_>) -> Option<String> {
    block.get("id").and_then(|id| id.get_ref().as_str()).map(str::to_owned)
}

/// The record of this key, if the table still contains it.
fn block<'t, 's>(table: &'t DeTable<'s>, (_, name, id): &Key) -> Option<&'t DeTable<'s>> {
    let named = |block: &&'t DeTable<'s>| id_of(block).as_deref() == Some(id.as_str());
    match table.get(name.as_str())?.get_ref() {
        DeValue::Table(block) => Some(block).filter(named),
        DeValue::Array(blocks) => blocks.iter().filter_map(|block| block.get_ref().as_table()).find(named),
        _ => None,
    }
}

/// Removes the record from a table.
fn take<'s>(table: &mut DeTable<'s>, key: &Key) -> Option<DeTable<'s>> {
    let found = block(table, key)?.clone();
    let value = table.get_mut(key.1.as_str())?;
    if let DeValue::Array(blocks) = value.get_mut() {
        let rest = std::mem::replace(blocks, DeArray::new())
            .into_iter()
            .filter(|block| block.get_ref().as_table().and_then(id_of).as_deref() != Some(key.2.as_str()));
        *blocks = rest.collect::<DeArray<'s>>();
    } else {
        table.remove(key.1.as_str());
    }
    Some(found)
}

/// Changes or hides the record in `home` as `above` defines.
fn lay_over(tables: &mut Tables<'_>, home: usize, above: usize, key: &Key, hidden: &mut HashSet<String>) {
    let Some(change) = tables[above].as_ref().and_then(|table| block(table, key)).cloned() else { return };
    let hides = change.get("hide").is_some_and(|hide| matches!(hide.get_ref(), DeValue::Boolean(true)));
    let is_single = tables[home]
        .as_ref()
        .and_then(|table| table.get(key.1.as_str()))
        .is_some_and(|value| value.get_ref().is_table());
    if is_single && !hides {
        change_in_place(tables, home, above, key, change);
        return;
    }
    let Some(mut record) = tables[home].as_mut().and_then(|table| take(table, key)) else { return };
    if hides {
        if let Some(table) = tables[above].as_mut() {
            take(table, key);
        }
        hidden.insert(key.2.clone());
        return;
    }
    for (field, value) in change {
        record.insert(field, value);
    }
    // The changed record is moved to the file that changes it, where its mistakes are to be corrected.
    let Some(DeValue::Array(blocks)) =
        tables[above].as_mut().and_then(|table| table.get_mut(key.1.as_str())).map(Spanned::get_mut)
    else {
        return;
    };
    for block in blocks.iter_mut() {
        if block.get_ref().as_table().and_then(id_of).as_deref() == Some(key.2.as_str()) {
            *block.get_mut() = DeValue::Table(std::mem::take(&mut record));
        }
    }
}

/// A block that occurs once, such as `[framework]`, stays in its file, because the rest of the file belongs to it.
fn change_in_place<'s>(tables: &mut Tables<'s>, home: usize, above: usize, key: &Key, change: DeTable<'s>) {
    let value = tables[home].as_mut().and_then(|table| table.get_mut(key.1.as_str()));
    if let Some(DeValue::Table(record)) = value.map(Spanned::get_mut) {
        for (field, value) in change {
            record.insert(field, value);
        }
    }
    let Some(table) = tables[above].as_mut() else { return };
    table.remove(key.1.as_str());
    if key.1 == "framework" && !table.contains_key("belongs_to") {
        let name = Spanned::new(0..0, Cow::Borrowed("belongs_to"));
        table.insert(name, Spanned::new(0..0, DeValue::String(Cow::Owned(key.2.clone()))));
    }
    if table.is_empty() {
        tables[above] = None;
    }
}

/// A layer's settings for the catalogue as a whole replace those of lower layers.
fn merge_root(files: &[SourceFile], tables: &mut Tables<'_>, index: usize) {
    let path = &files[index].path;
    let home = files.iter().position(|file| file.path == *path).filter(|home| *home < index);
    let Some(change) = home.and_then(|_| tables[index].take()) else { return };
    if let Some(table) = home.and_then(|home| tables[home].as_mut()) {
        for (field, value) in change {
            table.insert(field, value);
        }
    }
}

/// Removes every mention of hidden records from lists, and records that only concern hidden ones.
fn prune(table: &mut DeTable<'_>, hidden: &HashSet<String>) {
    for (_, value) in table.iter_mut() {
        prune_value(value.get_mut(), hidden);
    }
}

fn prune_value(value: &mut DeValue<'_>, hidden: &HashSet<String>) {
    match value {
        DeValue::Table(table) => prune(table, hidden),
        DeValue::Array(items) => {
            let kept = std::mem::replace(items, DeArray::new())
                .into_iter()
                .filter(|item| !mentions(item.get_ref(), hidden));
            *items = kept.collect();
            for item in items.iter_mut() {
                prune_value(item.get_mut(), hidden);
            }
        }
        _ => {}
    }
}

/// Whether an item of a list is a hidden id, an edge to one, or a block that is about one.
fn mentions(item: &DeValue<'_>, hidden: &HashSet<String>) -> bool {
    match item {
        DeValue::String(text) => text.split(' ').any(|word| hidden.contains(word)),
        DeValue::Table(block) => {
            let about = block.get("requirement").and_then(|requirement| requirement.get_ref().as_str());
            about.is_some_and(|id| hidden.contains(id))
        }
        _ => false,
    }
}
