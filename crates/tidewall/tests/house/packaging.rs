//! The files in `packaging`: nothing travels unprotected between containers, and no password is in them.

use std::fs;

use yaml_rust2::{Yaml, YamlLoader};

use super::root;

/// The compose file.
pub(crate) struct Compose(Yaml);

impl Compose {
    pub(crate) fn read() -> Self {
        let text = fs::read_to_string(root().join("packaging/compose/compose.yaml")).unwrap();
        Self(YamlLoader::load_from_str(&text).unwrap().remove(0))
    }

    fn services(&self) -> Vec<(&str, &Yaml)> {
        let services = self.0["services"].as_hash().unwrap();
        services.iter().map(|(name, service)| (name.as_str().unwrap(), service)).collect()
    }

    pub(crate) fn service(&self, wanted: &str) -> &Yaml {
        self.services().into_iter().find(|(name, _)| *name == wanted).unwrap().1
    }

    /// The command of a service as it stands.
    pub(crate) fn command(&self, service: &str) -> Vec<String> {
        texts(&self.service(service)["command"])
    }
}

fn texts(list: &Yaml) -> Vec<String> {
    list.as_vec().into_iter().flatten().map(|one| one.as_str().unwrap().to_owned()).collect()
}

/// Every text of a document, with the keys that lead to it.
fn walk(node: &Yaml, path: &str, found: &mut Vec<(String, String)>) {
    match node {
        Yaml::Hash(map) => {
            for (key, value) in map {
                walk(value, &format!("{path}/{}", key.as_str().unwrap_or_default()), found);
            }
        }
        Yaml::Array(list) => list.iter().for_each(|one| walk(one, path, found)),
        Yaml::String(text) => found.push((path.to_owned(), text.clone())),
        _ => {}
    }
}

#[test]
fn no_connection_between_containers_is_unprotected() {
    let compose = Compose::read();
    let mut found = Vec::new();
    walk(&compose.0, "", &mut found);
    assert!(found.len() > 50, "only {} texts were found", found.len());
    for (path, text) in found {
        for unprotected in ["sslmode=disable", "sslmode=prefer", "redis://", "http://"] {
            assert!(!text.contains(unprotected), "{path}: {text}");
        }
    }
    let postgres = compose.command("postgres");
    assert!(postgres.contains(&"ssl=on".to_owned()), "{postgres:?}");
    let folder = root().join("packaging/compose");
    let setup = fs::read_to_string(folder.join("setup.sh")).unwrap();
    for protected in
        ["sslmode=verify-full", "rediss://", "\nport 0\ntls-port", "\nrequirepass ", "cert_file ="]
    {
        assert!(setup.contains(protected), "setup.sh lacks {protected:?}");
    }
    let role = fs::read_to_string(folder.join("role.sh")).unwrap();
    let entries = role.lines().filter(|line| line.starts_with("host")).collect::<Vec<_>>();
    assert_eq!(entries, ["hostssl all all      all scram-sha-256"], "PostgreSQL answers over TLS only");
    let proxy = fs::read_to_string(folder.join("nginx.conf")).unwrap();
    assert!(!proxy.contains("http://"), "{proxy}");
    for checked in ["proxy_pass https://", "proxy_ssl_verify on;", "proxy_ssl_trusted_certificate "] {
        assert!(proxy.contains(checked), "nginx.conf lacks {checked:?}");
    }
}

#[test]
fn passwords_come_from_files_that_setup_makes() {
    let compose = Compose::read();
    for (name, service) in compose.services() {
        let Some(environment) = service["environment"].as_hash() else { continue };
        for (variable, value) in environment {
            let (variable, value) = (variable.as_str().unwrap(), value.as_str().unwrap());
            let secret = ["PASSWORD", "SECRET", "DATABASE_URL", "REDIS_URL", "KEY"];
            if !secret.iter().any(|word| variable.contains(word)) {
                continue;
            }
            // The one way to hand over the password of an older installation; empty unless the operator sets it.
            let handed_over = name == "setup" && value == "${POSTGRES_PASSWORD:-}";
            let in_a_file = variable.ends_with("_FILE") && value.starts_with("/run/tidewall/");
            assert!(handed_over || in_a_file, "{name}: {variable}");
        }
    }
    for (name, service) in compose.services().into_iter().filter(|(name, _)| *name != "setup") {
        let mounted = texts(&service["volumes"]);
        for mount in mounted.iter().filter(|mount| mount.contains(":/run/tidewall/")) {
            assert!(mount.ends_with(":ro"), "{name} could change {mount}");
        }
        // Each container sees its own secrets and the authority, not those of others.
        let own = |mount: &&String| mount.contains(":/run/tidewall/") && !mount.starts_with("ca:");
        assert!(mounted.iter().filter(own).count() <= 1, "{name}: {mounted:?}");
        let waits = service["depends_on"]
            .as_hash()
            .is_some_and(|on| on.iter().any(|(before, _)| before.as_str() == Some("setup")));
        assert!(waits || name == "proxy", "{name} does not wait for setup");
    }
    assert_eq!(compose.service("setup")["network_mode"].as_str(), Some("none"));
}

#[test]
fn only_the_proxy_is_published_and_by_default_on_this_machine_only() {
    let compose = Compose::read();
    for (name, service) in compose.services() {
        let ports = texts(&service["ports"]);
        let expected: &[&str] = if name == "proxy" { &["${PROXY_ADDRESS:-127.0.0.1}:443:443"] } else { &[] };
        assert_eq!(ports, expected, "{name}");
        assert!(service["network_mode"].as_str() != Some("host"), "{name}");
    }
}

#[test]
fn the_image_does_not_serve_metrics_to_other_machines() {
    let text = fs::read_to_string(root().join("packaging/Dockerfile")).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.iter().any(|line| line.contains("TIDEWALL_LISTEN=0.0.0.0:8080")));
    for line in lines {
        assert!(!line.contains("OPERATOR") && !line.contains("9464"), "{line}");
    }
    assert!(text.matches("USER 65532:65532").count() == 2, "both images run without rights");
}

#[test]
fn the_files_say_how_images_are_pinned() {
    let compose = fs::read_to_string(root().join("packaging/compose/compose.yaml")).unwrap();
    assert!(compose.contains("@sha256:…") && compose.contains("imagetools inspect"), "no advice on digests");
    for (name, service) in Compose::read().services() {
        if let Some(image) = service["image"].as_str() {
            let tag = image.rsplit_once(':').map(|(_, tag)| tag);
            assert!(tag.is_some_and(|tag| tag != "latest"), "{name}: {image} has no version");
        }
    }
}
