//! The dependencies of a Rust build, as its `Cargo.lock` names them.

use semver::Version;
use serde::Deserialize;

/// One dependency of a build.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dependency {
    pub name: String,
    pub version: Version,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockfileError {
    #[error("is not a Cargo.lock: {0}")]
    NotALockfile(String),
    #[error("package {name} has the version {version}, which is none")]
    NotAVersion { name: String, version: String },
}

#[derive(Deserialize)]
struct Lockfile {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    #[serde(default)]
    source: Option<String>,
}

/// The external packages: our own have no source.
pub fn dependencies(lockfile: &str) -> Result<Vec<Dependency>, LockfileError> {
    let lockfile: Lockfile =
        toml::from_str(lockfile).map_err(|error| LockfileError::NotALockfile(error.message().to_owned()))?;
    lockfile.package.into_iter().filter(|package| package.source.is_some()).map(dependency).collect()
}

fn dependency(package: Package) -> Result<Dependency, LockfileError> {
    match package.version.parse() {
        Ok(version) => Ok(Dependency { name: package.name, version }),
        Err(_) => Err(LockfileError::NotAVersion { name: package.name, version: package.version }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_lockfile_names_what_we_build_on() {
        let dependencies = dependencies(include_str!("../../../../Cargo.lock")).unwrap();
        assert!(dependencies.iter().any(|dependency| dependency.name == "serde"));
        assert!(dependencies.iter().all(|dependency| !dependency.name.starts_with("tidewall")));
    }

    #[test]
    fn what_is_not_a_lockfile_is_refused() {
        assert!(matches!(dependencies("{}"), Err(LockfileError::NotALockfile(_))));
        assert!(matches!(dependencies(""), Err(LockfileError::NotALockfile(_))));
        let odd = "[[package]]\nname = \"a\"\nversion = \"one\"\nsource = \"registry\"\n";
        assert_eq!(
            dependencies(odd).unwrap_err().to_string(),
            "package a has the version one, which is none"
        );
    }
}
