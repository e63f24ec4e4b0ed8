//! Packs the files of the catalogue into one compressed file, so that the library can carry them without a copy beside
//! the binary. Compressed they are a quarter as large. The official wording is packed apart, in small blocks, because
//! it is read passage by passage and not when the service starts.

#[path = "src/wording/pack.rs"]
mod pack;

use std::{
    env,
    error::Error,
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../catalogue").canonicalize()?;
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();

    let packed = File::create(Path::new(&env::var("OUT_DIR")?).join("embedded.gz"))?;
    let mut packed = GzEncoder::new(packed, Compression::default());
    for file in &files {
        let name = file.strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        // TOML has no character U+0000, so it can separate paths and texts.
        write!(packed, "{name}\0{}\0", fs::read_to_string(file)?)?;
    }
    packed.finish()?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("wording.bin"), wording(&root.join("wording"))?)?;
    Ok(())
}

/// The packed wording. The folder may be missing, because a command of the program that is being built makes it.
fn wording(folder: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut files = Vec::new();
    println!("cargo:rerun-if-changed=src/wording/pack.rs");
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "txt") {
                files.push(pack::WordingFile::parse(&fs::read_to_string(path)?));
            }
        }
    }
    files.sort_by(|a, b| (&a.act, &a.language).cmp(&(&b.act, &b.language)));
    Ok(pack::pack(&files)?)
}

/// Every TOML file below `folder`; a new or changed one makes Cargo pack them again.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
