//! Lists the migrations of the store, so that adding one is adding its two files.

use std::{collections::BTreeSet, env, error::Error, fmt::Write, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("migrations");
    let names = names(&root.join("sqlite"))?;
    if let Some(single) = names.symmetric_difference(&self::names(&root.join("postgres"))?).next() {
        let complaint = format!("migration {single} must be in migrations/sqlite and in migrations/postgres");
        return Err(complaint.into());
    }
    let mut list = String::from("&[\n");
    for name in &names {
        let text = |engine: &str| root.join(engine).join(format!("{name}.sql")).display().to_string();
        writeln!(
            list,
            "    Migration {{ name: {name:?}, sqlite: include_str!({:?}), postgres: include_str!({:?}) }},",
            text("sqlite"),
            text("postgres"),
        )?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("migrations.rs"), list)?;
    Ok(())
}

/// The names of the migrations in a folder, in the order in which they are applied.
fn names(folder: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_stem().filter(|_| path.extension().is_some_and(|end| end == "sql")) {
            names.insert(name.to_string_lossy().into_owned());
        }
    }
    Ok(names)
}
