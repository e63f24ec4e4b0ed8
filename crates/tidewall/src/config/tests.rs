use std::{fs, path::PathBuf, time::Duration};

use tempfile::TempDir;

use super::*;

/// Layers with these environment variables.
fn environment(variables: &[(&str, &str)]) -> Layers {
    Layers::default().with_environment(variables.iter().map(|(name, value)| (name.into(), value.into())))
}

/// Layers with a file of this text; the directory must outlive their use.
fn file(text: &str) -> (TempDir, Layers) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("tidewall.toml");
    fs::write(&path, text).unwrap();
    (directory, Layers::default().with_file(Some(path)))
}

fn settings(layers: &Layers) -> Settings {
    Configuration::load(layers).unwrap().settings
}

fn complaint(layers: &Layers) -> String {
    Configuration::load(layers).unwrap_err().to_string()
}

fn source_of(layers: &Layers, name: &str) -> String {
    let shown = Configuration::load(layers).unwrap().shown();
    shown.into_iter().find(|setting| setting.name == name).unwrap().source.to_string()
}

#[test]
fn the_defaults_alone_are_valid_and_are_the_documented_ones() {
    let settings = settings(&Layers::default());
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.data_dir, PathBuf::from("./data"));
    assert_eq!(settings.public_url, "http://127.0.0.1:8080");
    assert_eq!(settings.operator_listen.unwrap().to_string(), "127.0.0.1:9464");
    assert!(settings.database_url.is_none() && settings.redis_url.is_none() && settings.tls.is_none());
    assert_eq!(settings.limits.v1, domain::rate::Rules::V1);
    assert_eq!(settings.limits.v2, domain::rate::Rules::V2);
    assert_eq!(settings.limits.auth_failures_per_minute, 300);
    assert_eq!(settings.server.limits.header, Duration::from_secs(10));
    assert_eq!(settings.server.limits.total, Duration::from_secs(30));
    assert!(!settings.server.limits.http2);
    let shutdown = settings.server.shutdown;
    assert!(shutdown.soft + shutdown.hard < Duration::from_secs(10), "the process ends within ten seconds");
    assert_eq!(settings.backup.directory, PathBuf::from("./data/backups"));
}

#[test]
fn telemetry_goes_nowhere_by_default_and_wrong_settings_of_it_are_refused() {
    let defaults = settings(&Layers::default()).telemetry;
    assert!(defaults.collector.is_none() && defaults.authorization.is_none() && defaults.logs);
    assert_eq!(
        (defaults.traces.to_string().as_str(), defaults.metrics_every),
        ("1", Some(Duration::from_mins(1)))
    );
    let given = settings(&environment(&[
        ("TIDEWALL_TELEMETRY__OTLP", "http://127.0.0.1:4318"),
        ("TIDEWALL_TELEMETRY__TRACES", "0.25"),
        ("TIDEWALL_TELEMETRY__METRICS_EVERY", "0s"),
    ]))
    .telemetry;
    assert_eq!((given.traces.to_string().as_str(), given.metrics_every), ("0.25", None));
    for (variable, value, remedy) in [
        ("TIDEWALL_TELEMETRY__OTLP", "127.0.0.1:4318", "http://127.0.0.1:4318"),
        ("TIDEWALL_TELEMETRY__OTLP", "http://127.0.0.1:4318/v1/traces", "without a path for a signal"),
        ("TIDEWALL_TELEMETRY__TRACES", "1.5", "from 0.0 to 1.0"),
        ("TIDEWALL_TELEMETRY__TRACES", "all", "from 0.0 to 1.0"),
        ("TIDEWALL_TELEMETRY__METRICS_EVERY", "10ms", "at least \"1s\""),
        ("TIDEWALL_TELEMETRY__AUTHORIZATION", "Bearer hunter2", "set telemetry.otlp as well"),
    ] {
        let complaint = complaint(&environment(&[(variable, value)]));
        assert!(complaint.contains(remedy) && !complaint.contains("hunter2"), "{complaint}");
    }
}

#[test]
fn every_documented_setting_is_read_and_has_a_comment_above_its_group() {
    let values = Layers::default().merge().unwrap();
    let reader = Reader::new(&values);
    Settings::read(&reader).unwrap();
    assert_eq!(reader.never_read(), Vec::<&str>::new());
    let paragraphs = DEFAULTS.split("\n\n").filter(|paragraph| paragraph.contains(" = "));
    for paragraph in paragraphs {
        assert!(paragraph.lines().any(|line| line.starts_with("# ")), "no comment in:\n{paragraph}");
    }
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_the_defaults() {
    let (_directory, from_file) =
        file("listen = \"127.0.0.1:1\"\n[limits.v1]\nburst = 70\nexceedances = 5\n");
    assert_eq!(settings(&from_file).listen.port(), 1);
    let with_environment = from_file.with_environment(
        [("TIDEWALL_LISTEN", "127.0.0.1:2"), ("TIDEWALL_LIMITS__V1__BURST", "80"), ("HOME", "/root")]
            .map(|(name, value)| (name.into(), value.into())),
    );
    assert_eq!(settings(&with_environment).listen.port(), 2);
    let all =
        with_environment.with_flag("listen", Some("127.0.0.1:3".to_owned())).with_flag("data_dir", None);
    let in_force = settings(&all);
    assert_eq!(in_force.listen.port(), 3);
    assert_eq!((in_force.limits.v1.burst, in_force.limits.v1.exceedances), (80, 5));

    assert_eq!(source_of(&all, "listen"), "flag --listen");
    assert_eq!(source_of(&all, "limits.v1.burst"), "environment TIDEWALL_LIMITS__V1__BURST");
    assert!(source_of(&all, "limits.v1.exceedances").ends_with("tidewall.toml line 4"));
    assert_eq!(source_of(&all, "data_dir"), "default");
}

#[test]
fn a_good_value_in_a_later_layer_outweighs_a_bad_one_below() {
    let (_directory, layers) = file("[limits.v1]\nburst = \"plenty\"\n");
    assert!(complaint(&layers).starts_with("limits.v1.burst ("));
    let corrected = layers.with_environment([("TIDEWALL_LIMITS__V1__BURST".into(), "90".into())]);
    assert_eq!(settings(&corrected).limits.v1.burst, 90);
}

#[test]
fn the_environment_can_name_the_file_and_a_flag_another() {
    let (directory, _) = file("listen = \"127.0.0.1:1\"\n");
    let path = directory.path().join("tidewall.toml");
    let named = environment(&[("TIDEWALL_CONFIG", path.to_str().unwrap())]);
    assert_eq!(settings(&named).listen.port(), 1);
    let (_other, layers) = file("listen = \"127.0.0.1:2\"\n");
    let both = layers.with_environment([("TIDEWALL_CONFIG".into(), path.into())]);
    assert_eq!(settings(&both).listen.port(), 2);
}

#[test]
fn lists_and_booleans_come_from_the_environment_as_text() {
    let settings = settings(&environment(&[
        ("TIDEWALL_SERVER__TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.7,"),
        ("TIDEWALL_SERVER__HTTP2", "true"),
        ("TIDEWALL_OUTBOUND__DEV_DESTINATIONS", "http://127.0.0.1:9000,http://127.0.0.1:9001"),
        ("TIDEWALL_OPERATOR__LISTEN", ""),
        ("TIDEWALL_SERVER__SHUTDOWN_SOFT", "500ms"),
    ]));
    let proxies: Vec<_> = settings.server.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["10.0.0.0/8", "192.0.2.7/32"]);
    assert!(settings.server.limits.http2);
    assert_eq!(settings.outbound.dev_destinations, ["http://127.0.0.1:9000", "http://127.0.0.1:9001"]);
    assert_eq!(settings.operator_listen, None, "empty switches it off");
    assert_eq!(settings.server.shutdown.soft, Duration::from_millis(500));
}

#[test]
fn an_unknown_name_is_refused_and_the_nearest_suggested_in_the_same_spelling() {
    let (_directory, layers) = file("[limits.v1]\nbrust = 5\n");
    let said = complaint(&layers);
    assert!(said.contains("limits.v1.brust (") && said.contains("line 2)"), "{said}");
    assert!(said.ends_with("did you mean limits.v1.burst?"), "{said}");

    let said = complaint(&environment(&[("TIDEWALL_LIMITS_V1_BURST", "5")]));
    assert!(said.starts_with("TIDEWALL_LIMITS_V1_BURST ("), "{said}");
    assert!(said.ends_with("did you mean TIDEWALL_LIMITS__V1__BURST?"), "{said}");

    let (_directory, layers) = file("colour = \"red\"\n");
    assert!(complaint(&layers).ends_with("see `tidewall config` for the names of all settings"));

    let (_directory, layers) = file("limits = 5\n");
    assert!(complaint(&layers).contains("it is a group of settings"));
}

#[test]
fn variables_of_the_projects_own_tests_are_no_settings() {
    settings(&environment(&[("TIDEWALL_TEST_POSTGRES", "anything"), ("OTHER", "x")]));
}

#[test]
fn a_bad_value_is_one_sentence_with_setting_place_and_remedy() {
    let cases = [
        (
            "TIDEWALL_LISTEN",
            "8080",
            "listen (environment TIDEWALL_LISTEN) cannot be \"8080\"; write an IP address",
        ),
        ("TIDEWALL_DATA_DIR", "", "data_dir (environment TIDEWALL_DATA_DIR) cannot be \"\"; write the path"),
        ("TIDEWALL_LIMITS__V1__STANDARD", "many", "is \"many\"; write a whole number from 1 to 1000000"),
        ("TIDEWALL_LIMITS__V1__STANDARD", "0", "cannot be 0; write a whole number from 1 to 1000000"),
        (
            "TIDEWALL_LIMITS__V1__BURST",
            "10",
            "is 10, less than limits.v1.standard (60); make it at least as large",
        ),
        (
            "TIDEWALL_SERVER__HEADER_TIMEOUT",
            "10",
            "cannot be \"10\"; write a number with a unit, such as \"30s\"",
        ),
        ("TIDEWALL_SERVER__HEADER_TIMEOUT", "45s", "server.total_timeout (default) is shorter than"),
        ("TIDEWALL_SERVER__HTTP2", "yes", "is \"yes\"; write true or false"),
        (
            "TIDEWALL_SERVER__TRUSTED_PROXIES",
            "10.0.0.0/8,proxy",
            "cannot hold \"proxy\"; write addresses or networks",
        ),
        ("TIDEWALL_SERVER__CORS_ORIGINS", "*", "cannot hold \"*\"; write origins one by one"),
        ("TIDEWALL_PUBLIC_URL", "tidewall.example.com", "write scheme and host without a path"),
        (
            "TIDEWALL_TLS__CERT_FILE",
            "/c.pem",
            "tls.key_file (default) is not set although tls.cert_file is; set both",
        ),
        (
            "TIDEWALL_OPERATOR__LISTEN",
            "127.0.0.1:8080",
            "is the same as listen; give the operator's listener",
        ),
        ("TIDEWALL_LOG__FORMAT", "xml", "write \"auto\", \"text\" or \"json\""),
        ("TIDEWALL_LOG__LEVEL", "tidewall=loud", "write error, warn, info or debug"),
        ("TIDEWALL_OUTBOUND__DEV_DESTINATIONS", "http://10.0.0.1:9000", "literal loopback address"),
        ("TIDEWALL_OUTBOUND__EXTRA_HOSTS", "https://chat.example.com", "write host names without scheme"),
        (
            "TIDEWALL_SMTP__URL",
            "smtp://mail.example.com",
            "smtp.from (default) is not set although smtp.url is",
        ),
        ("TIDEWALL_SMTP__FROM", "me", "write one address"),
        ("TIDEWALL_AUDIT__HEADS_TO", "me", "write one address"),
        ("TIDEWALL_AUDIT__HEADS_TO", "audit@example.com", "is set although smtp.url is not"),
        ("TIDEWALL_FEEDS__URLS", "http://example.com/feed", "write https addresses"),
        ("TIDEWALL_BACKUP__SCHEDULE", "daily", "write minute, hour, day, month and weekday"),
        ("TIDEWALL_RETENTION__DELIVERIES", "1m", "from 1h to 3650d"),
    ];
    for (variable, value, expected) in cases {
        let said = complaint(&environment(&[(variable, value)]));
        assert!(said.contains(expected), "{variable}={value}\n  said     {said}\n  expected {expected}");
        assert!(!said.contains('\n'), "{said}");
    }
}

#[test]
fn a_file_with_the_wrong_types_is_refused_in_the_same_words() {
    for (text, expected) in [
        ("listen = 8080", "listen ("),
        ("server.header_timeout = 10", "is the number 10; write a number with a unit"),
        ("server.trusted_proxies = [1]", "is a list of something other than text; write a list of texts"),
        ("limits.v1.burst = 1.5", "is 1.5; write a whole number"),
        ("server.http2 = 1979-05-27", "is 1979-05-27; write true or false"),
    ] {
        let (_directory, layers) = file(text);
        let said = complaint(&layers);
        assert!(said.contains(expected) && said.contains("tidewall.toml line 1"), "{text}: {said}");
    }
}

#[test]
fn a_file_that_cannot_be_read_or_parsed_is_named() {
    let absent = Layers::default().with_file(Some(PathBuf::from("/nowhere/tidewall.toml")));
    let said = complaint(&absent);
    assert!(said.contains("/nowhere/tidewall.toml cannot be read") && said.contains("--config"), "{said}");
    let (_directory, layers) = file("listen = \"127.0.0.1:1\"\nlog = = 3\n");
    let said = complaint(&layers);
    assert!(said.contains("not valid TOML in line 2") && !said.contains('\n'), "{said}");
}

#[test]
fn secrets_appear_neither_in_what_is_shown_nor_in_debug_output_nor_in_complaints() {
    let layers = environment(&[
        ("TIDEWALL_DATABASE_URL", "postgres://tidewall:canary@db:5432/tidewall?sslpassword=canary"),
        ("TIDEWALL_REDIS_URL", "redis://:canary@cache:6379"),
        ("TIDEWALL_SMTP__URL", "smtps://me:canary@mail.example.com"),
        ("TIDEWALL_SMTP__FROM", "me@example.com"),
        ("TIDEWALL_FEEDS__URLS", "https://example.com/feed?token=canary"),
        ("TIDEWALL_EVIDENCE__S3__ENDPOINT", "https://s3.example.com"),
        ("TIDEWALL_EVIDENCE__S3__BUCKET", "evidence"),
        ("TIDEWALL_EVIDENCE__S3__ACCESS_KEY", "access-canary"),
        ("TIDEWALL_EVIDENCE__S3__SECRET_KEY", "secret/canary"),
    ]);
    let configuration = Configuration::load(&layers).unwrap();
    assert!(configuration.settings.database_url.as_ref().unwrap().expose().contains("canary"));
    let shown = configuration.shown();
    let printed = shown.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let json = serde_json::to_string(&shown).unwrap();
    let debugged = format!("{configuration:?} {layers:?}");
    for output in [&printed, &json, &debugged] {
        assert!(!output.contains("canary"), "{output}");
    }
    assert!(printed.contains("postgres://tidewall:***@db:5432/tidewall"), "{printed}");

    for (variable, value) in [
        ("TIDEWALL_DATABASE_URL", "mysql://tidewall:canary@db"),
        ("TIDEWALL_REDIS_URL", "canary"),
        ("TIDEWALL_SMTP__URL", "canary"),
        ("TIDEWALL_EVIDENCE__S3__SECRET_KEY", "a canary"),
        ("TIDEWALL_FEEDS__URLS", "http://me:canary@example.com/feed"),
    ] {
        let said = complaint(&environment(&[(variable, value)]));
        assert!(!said.contains("canary") && said.contains("write "), "{said}");
    }
}

#[test]
fn a_bucket_is_set_completely_or_not_at_all() {
    let bucket = [
        ("TIDEWALL_EVIDENCE__STORAGE", "s3"),
        ("TIDEWALL_EVIDENCE__S3__ENDPOINT", "https://10.0.0.5:9000"),
        ("TIDEWALL_EVIDENCE__S3__BUCKET", "evidence"),
        ("TIDEWALL_EVIDENCE__S3__ACCESS_KEY", "key"),
        ("TIDEWALL_EVIDENCE__S3__SECRET_KEY_FILE", "/etc/tidewall/s3.key"),
        ("TIDEWALL_EVIDENCE__S3__PREFIX", "north"),
    ];
    assert_eq!(settings(&environment(&bucket)).bucket.unwrap().prefix, "north/");
    assert!(settings(&environment(&[])).bucket.is_none());
    for (left_out, setting) in [(1, "endpoint"), (2, "bucket"), (3, "access_key"), (4, "secret_key")] {
        let mut some = bucket.to_vec();
        some.remove(left_out);
        let said = complaint(&environment(&some));
        assert!(said.starts_with(&format!("evidence.s3.{setting} (")), "{said}");
    }
    for (name, value, setting) in [
        ("TIDEWALL_EVIDENCE__STORAGE", "disk", "evidence.storage"),
        ("TIDEWALL_EVIDENCE__S3__SECRET_KEY", "another", "evidence.s3.secret_key_file"),
        ("TIDEWALL_EVIDENCE__S3__LOCK_MODE", "compliance", "evidence.s3.lock_days"),
        ("TIDEWALL_EVIDENCE__S3__LOCK_DAYS", "30", "evidence.s3.lock_mode"),
        ("TIDEWALL_EVIDENCE__S3__PATH_STYLE", "false", "evidence.s3.path_style"),
        ("TIDEWALL_EVIDENCE__S3__ENDPOINT", "http://s3.example.com", "evidence.s3.endpoint"),
    ] {
        let mut wrong: Vec<_> = bucket.into_iter().filter(|(known, _)| *known != name).collect();
        wrong.push((name, value));
        let said = complaint(&environment(&wrong));
        assert!(said.starts_with(&format!("{setting} (")), "{said}");
    }
}

#[test]
fn sessions_and_new_institutions_follow_the_settings() {
    let default = settings(&Layers::default());
    assert_eq!(default.sign_in, app::sign_in_rules::SignInRules::default());
    assert!(default.outbound.identity_providers.is_empty());
    let chosen = settings(&environment(&[
        ("TIDEWALL_SIGN_IN__SESSION_IDLE", "10m"),
        ("TIDEWALL_SIGN_IN__SECOND_FACTOR_OF_NEW_INSTITUTIONS", "everybody"),
        ("TIDEWALL_OUTBOUND__IDENTITY_PROVIDERS", "login.bank.internal=north"),
    ]));
    assert_eq!(chosen.sign_in.idle_seconds, 600);
    assert_eq!(chosen.sign_in.second_factor, domain::user::SecondFactorPolicy::Everybody);
    assert_eq!(chosen.outbound.identity_providers[0].tenant.as_deref(), Some("north"));
    for (name, value, said) in [
        ("TIDEWALL_SIGN_IN__SESSION_LIFE", "1m", "sign_in.session_life"),
        ("TIDEWALL_SIGN_IN__SECOND_FACTOR_OF_NEW_INSTITUTIONS", "some", "administrators"),
        ("TIDEWALL_OUTBOUND__IDENTITY_PROVIDERS", "https://login.bank.internal", "host=institution"),
    ] {
        let complaint = complaint(&environment(&[(name, value)]));
        assert!(complaint.contains(said), "{complaint}");
    }
}
