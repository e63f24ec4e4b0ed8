//! Every secret given to the service, through every route, at the most verbose log level: none is repeated anywhere.

use std::{fs, net::TcpListener, path::Path, process::Command, time::Duration};

use http::{Method, header};
use serde_json::{Value, json};
use store::sql::Location;
use testkit::{Engine, Scratch};

use super::{
    figure,
    servers::{self, Redis},
    service::{Service, client},
};

/// Each one is a secret of its own kind.
const DATABASE: &str = "canarydatabasepassword";
const REDIS: &str = "canaryredispassword";
const MAIL: &str = "canarymailpassword";
const PERSON: &str = "canary horse battery staple";
const WRONG_PERSON: &str = "canary guess at a password";
const WEBHOOK: &str = "canarywebhooktoken";
const REFUSED_WEBHOOK: &str = "canaryrefusedtoken";
const WRONG_KEY: &str = "tw_abcdefgh_canarycanarycanarycanarycanary0";
const QUERY_KEY: &str = "canaryinaquerystring";
const PASSPHRASE: &str = "canary passphrase of backups";

/// Texts that must not appear anywhere, with a name for each.
struct Canaries(Vec<(&'static str, String)>);

impl Canaries {
    fn new(key: &str) -> Self {
        let fixed = [
            ("database password", DATABASE),
            ("Redis password", REDIS),
            ("mail password", MAIL),
            ("password", PERSON),
            ("password in a form", "canary+horse+battery+staple"),
            ("wrong password", WRONG_PERSON),
            ("webhook address", WEBHOOK),
            ("refused webhook address", REFUSED_WEBHOOK),
            ("wrong key", WRONG_KEY),
            ("key in a query", QUERY_KEY),
            ("passphrase", PASSPHRASE),
        ];
        let mut all: Vec<_> = fixed.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
        // The public part of a key may be shown: it names the key.
        all.push(("key", key.splitn(3, '_').nth(2).unwrap().to_owned()));
        Self(all)
    }

    #[track_caller]
    fn absent_from(&self, place: &str, bytes: &[u8]) {
        for (name, canary) in &self.0 {
            let found = bytes.windows(canary.len()).position(|window| window == canary.as_bytes());
            if let Some(at) = found {
                let around = &bytes[at.saturating_sub(200)..(at + canary.len() + 50).min(bytes.len())];
                panic!("the {name} stands in {place}: {}", String::from_utf8_lossy(around));
            }
        }
    }
}

/// A service with a secret in every setting that can contain one.
struct ServiceWithSecrets {
    service: Service,
    redis: Redis,
    scratch: Scratch,
    operator: String,
}

impl ServiceWithSecrets {
    fn start(engine: Engine) -> Self {
        let (scratch, redis) = (Scratch::unmigrated(engine), Redis::with_password(REDIS));
        let operator = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mail = format!("smtp://user:{MAIL}@127.0.0.1:1");
        let mut service = Service::with(&[
            ("TIDEWALL_LOG__LEVEL", "trace"),
            ("TIDEWALL_REDIS_URL", &redis.url()),
            ("TIDEWALL_SMTP__URL", &mail),
            ("TIDEWALL_SMTP__FROM", "tidewall@bank.example"),
            ("TIDEWALL_SMTP__ALLOW_PLAIN", "true"),
            ("TIDEWALL_OPERATOR__LISTEN", &operator),
            ("TIDEWALL_LIMITS__V1__STANDARD", "1000000"),
            ("TIDEWALL_LIMITS__V1__BURST", "1000000"),
            ("TIDEWALL_LIMITS__V2__STANDARD", "1000000"),
        ]);
        if let Location::Server { url, .. } = &scratch.location {
            let url = url.replace("tidewall@", &format!("tidewall:{DATABASE}@"));
            service.set("TIDEWALL_DATABASE_URL", &url);
        }
        Self { service, redis, scratch, operator }
    }

    /// The whole store, and a backup of it, as bytes.
    fn stored(&self) -> Vec<(String, Vec<u8>)> {
        let folder = tempfile::tempdir().unwrap();
        let backup = folder.path().join("backup");
        self.service.verb(&["backup", "--output", backup.to_str().unwrap()]);
        let mut all = vec![("a backup".to_owned(), fs::read(&backup).unwrap())];
        match &self.scratch.location {
            Location::File { .. } => {
                for file in fs::read_dir(self.service.data_dir()).unwrap() {
                    let path = file.unwrap().path();
                    if path.is_file() && path.file_name().is_some_and(|name| name != "secret.key") {
                        all.push((path.display().to_string(), fs::read(path).unwrap()));
                    }
                }
            }
            Location::Server { url, .. } => {
                let dump = Command::new(servers::newest_bin().join("pg_dump"));
                all.push(("a dump".to_owned(), dumped(dump, url)));
            }
        }
        all
    }
}

fn dumped(mut dump: Command, url: &str) -> Vec<u8> {
    dump.args(["--inserts", "--enable-row-security", url]).env("PGOPTIONS", "-c tidewall.tenant=*");
    let output = dump.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A request for every operation of the document: well-formed, and mostly wrong.
fn operations(document: &Value) -> Vec<(Method, String)> {
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, operations)| {
        let mut concrete = String::new();
        for (number, part) in path.split(['{', '}']).enumerate() {
            concrete += if number % 2 == 0 { part } else { "whk_01k9x14js0e000000000000000" };
        }
        let methods =
            operations.as_object().unwrap().keys().filter_map(|name| name.to_uppercase().parse().ok());
        methods.map(move |method: Method| (method, concrete.clone())).collect::<Vec<_>>()
    });
    all.collect()
}

async fn nothing_reported_is_repeated(engine: Engine) {
    // Creating a database blocks.
    let mut running = tokio::task::spawn_blocking(move || ServiceWithSecrets::start(engine)).await.unwrap();
    let service = &mut running.service;
    service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    service.person("ada@north.example", PERSON);
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "write,manage_keys"]);
    let canaries = Canaries::new(key.trim());
    service.start();
    let (client, anonymous) = (client(&key), reqwest::Client::builder().no_proxy().build().unwrap());
    let url = |path: &str| service.url(path);

    // Secrets given in ordinary requests.
    let webhook = json!({ "name": "W", "channel": "slack", "events": ["finding.created"],
                          "url": format!("https://hooks.slack.com/services/T/B/{WEBHOOK}") });
    let made = client.post(url("/api/v1/webhooks")).json(&webhook).send().await.unwrap();
    assert_eq!(made.status(), 201);
    client
        .post(url("/api/v1/findings"))
        .json(&json!({ "title": "F", "severity": "high" }))
        .send()
        .await
        .unwrap();
    let sign_in = |password: &str| {
        let form = format!("email=ada%40north.example&password={}", password.replace(' ', "+"));
        let form_type = "application/x-www-form-urlencoded";
        client.post(url("/workspace/sign-in")).header(header::CONTENT_TYPE, form_type).body(form).send()
    };
    assert_eq!(sign_in(PERSON).await.unwrap().status(), 303);

    // Secrets given by mistake, and all other requests; every refusal is checked.
    let refused = json!({ "name": "W", "channel": "slack", "events": ["finding.created"],
                          "url": format!("https://evil.example/services/{REFUSED_WEBHOOK}") });
    let mut answers = vec![
        client.post(url("/api/v1/webhooks")).json(&refused).send().await.unwrap(),
        anonymous.get(url("/api/v1/findings")).bearer_auth(WRONG_KEY).send().await.unwrap(),
        anonymous.get(url(&format!("/api/v1/findings?api_key={QUERY_KEY}"))).send().await.unwrap(),
    ];
    let page = sign_in(WRONG_PERSON).await.unwrap();
    canaries.absent_from("the sign-in page", &page.bytes().await.unwrap());
    let document: Value = anonymous.get(url("/api/openapi.json")).send().await.unwrap().json().await.unwrap();
    let operations = operations(&document);
    for (method, path) in &operations {
        for who in [&client, &anonymous] {
            let request = who.request(method.clone(), url(path)).json(&json!({ "url": refused["url"] }));
            answers.push(request.send().await.unwrap());
        }
    }
    let mut refusals = 0;
    for answer in answers {
        let (status, id) = (answer.status(), answer.headers().contains_key("x-request-id"));
        let place = format!("the answer of {} ({status})", answer.url().path());
        let body = answer.bytes().await.unwrap();
        assert!(id, "{place}: no request id");
        if status.is_client_error() || status.is_server_error() {
            refusals += 1;
            canaries.absent_from(&place, &body);
            let said: Value = serde_json::from_slice(&body).unwrap_or_default();
            assert!(said["error"].is_string(), "{place}: {}", String::from_utf8_lossy(&body));
        }
    }
    running.redis.kill();
    for path in
        ["/api/health-detailed", "/api/auto-heal/status", "/api/cron/info", "/api/actions/disk-report"]
    {
        let body = anonymous.get(running.service.url(path)).send().await.unwrap().bytes().await.unwrap();
        canaries.absent_from(path, &body);
    }
    let metrics = format!("http://{}/metrics", running.operator);
    let metrics = anonymous.get(metrics).send().await.unwrap().bytes().await.unwrap();
    assert!(metrics.len() > 1000);
    canaries.absent_from("the metrics", &metrics);
    said_by_verbs(&running.service, &canaries);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let log = running.service.log();
    assert!(log.contains("\"level\":\"DEBUG\""), "the log is not verbose: {}", &log[..log.len().min(2000)]);
    canaries.absent_from("the log", log.as_bytes());
    for (place, bytes) in running.stored() {
        canaries.absent_from(&place, &bytes);
    }
    figure(format_args!(
        "{engine:?}: {} operations, {refusals} refusals, {} lines of log: none of {} secrets in answers, metrics, \
         log or store",
        operations.len(),
        log.lines().count(),
        canaries.0.len()
    ));
}

/// The command line repeats no secret either, not even when it prints the settings.
fn said_by_verbs(service: &Service, canaries: &Canaries) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(Path::new(&path("passphrase")), PASSPHRASE).unwrap();
    let backup = ["backup", "--output", &path("sealed"), "--key-file", &path("passphrase")];
    for verb in [&["config"][..], &["doctor", "--quick"], &["key", "list", "--tenant", "north"], &backup] {
        let output = service.try_verb(verb);
        canaries.absent_from(&format!("what {verb:?} prints"), &[output.stdout, output.stderr].concat());
    }
    canaries.absent_from("a sealed backup", &fs::read(path("sealed")).unwrap());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_reported_is_repeated_on_sqlite() {
    nothing_reported_is_repeated(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_reported_is_repeated_on_postgres() {
    nothing_reported_is_repeated(Engine::Postgres).await;
}
