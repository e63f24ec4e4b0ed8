//! Passes the name of the build profile on to `tidewall version`: `release` is the small build for trying out, `dist` the
//! fast one for real use.

use std::{env, path::PathBuf};

fn main() {
    // Cargo names only the profile that another one inherits from; the folder of the build has the name itself.
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let profile =
        folder.ancestors().nth(3).and_then(|folder| folder.file_name()?.to_str()).unwrap_or("unknown");
    println!("cargo::rustc-env=BUILD_PROFILE_NAME={profile}");
    println!("cargo::rerun-if-changed=build.rs");
}
