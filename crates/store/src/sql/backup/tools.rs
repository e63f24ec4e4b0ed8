//! Runs PostgreSQL's own programs, without passwords on the command line.

use std::{
    io::{self, Read as _},
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
};

use tokio_postgres::{
    Config,
    config::{Host, SslMode},
};

use super::super::{Error, Result};

/// The environment in which libpq connects to the same server as the driver and sees every tenant's rows.
pub(super) fn tool(program: &str, config: &Config) -> Command {
    let mut command = Command::new(program);
    for name in ["PGSERVICE", "PGSERVICEFILE", "PGHOSTADDR", "PGPASSFILE", "PGTARGETSESSIONATTRS"] {
        command.env_remove(name);
    }
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        })
        .collect();
    let ports: Vec<String> = config.get_ports().iter().map(ToString::to_string).collect();
    let options = format!("{} -c tidewall.tenant=*", config.get_options().unwrap_or_default());
    command
        .env("PGAPPNAME", "tidewall-backup")
        .env("PGCONNECT_TIMEOUT", "10")
        .env("PGOPTIONS", options.trim())
        .env("PGHOST", hosts.join(","))
        .env("PGPORT", ports.join(","))
        .env("PGUSER", config.get_user().unwrap_or_default())
        .env("PGDATABASE", config.get_dbname().or(config.get_user()).unwrap_or_default());
    match config.get_password() {
        Some(password) => command.env("PGPASSWORD", String::from_utf8_lossy(password).as_ref()),
        None => command.env_remove("PGPASSWORD"),
    };
    match config.get_ssl_mode() {
        SslMode::Disable => command.env("PGSSLMODE", "disable"),
        // The driver checks the certificate against the system's authorities, or those in SSL_CERT_FILE; libpq must do
        // the same.
        SslMode::Require => {
            let authorities = std::env::var_os("SSL_CERT_FILE").unwrap_or_else(|| "system".into());
            command.env("PGSSLMODE", "verify-full").env("PGSSLROOTCERT", authorities)
        }
        _ => command.env("PGSSLMODE", "prefer"),
    };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// A started program and its error output.
pub(super) struct Running {
    program: &'static str,
    pub(super) child: Child,
    complaints: JoinHandle<String>,
}

impl Running {
    pub(super) fn start(program: &'static str, command: &mut Command) -> Result<Self> {
        let mut child = command.spawn().map_err(|error| {
            Error::Refused(if error.kind() == io::ErrorKind::NotFound {
                format!(
                    "the program {program} was not found: install PostgreSQL's client programs \
                     (Debian: postgresql-client), of the server's version or newer"
                )
            } else {
                format!("the program {program} cannot be started ({error})")
            })
        })?;
        let stderr = child.stderr.take();
        // Read on a thread of its own: a full pipe would block the program.
        let complaints = thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(stderr) = stderr {
                let _ = stderr.take(64 * 1024).read_to_end(&mut text);
            }
            String::from_utf8_lossy(&text).trim().to_owned()
        });
        Ok(Self { program, child, complaints })
    }

    /// Waits for the program, which must succeed.
    pub(super) fn finish(mut self) -> Result<()> {
        // A program that waits for more input would wait for ever.
        drop(self.child.stdin.take());
        let ended = self.child.wait().map_err(|error| Error::Unavailable(error.to_string()))?;
        let complaints = self.complaints.join().unwrap_or_default();
        if ended.success() {
            return Ok(());
        }
        Err(Error::Refused(format!("{} failed ({ended}): {complaints}", self.program)))
    }

    /// Ends the program without waiting for its work.
    pub(super) fn kill(mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.complaints.join().unwrap_or_default()
    }
}
