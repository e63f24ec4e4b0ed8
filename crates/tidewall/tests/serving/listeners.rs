use std::net::TcpListener;

use axum::{Router, routing::get};
use tidewall::{
    config::{Configuration, Layers, Settings},
    lifecycle::{Phase, Reload, Shutdown},
    serve::{Listeners, Surfaces},
};

use super::client::Client;

fn settings(listen: &str, operator: &str) -> Settings {
    let layers = Layers::default()
        .with_flag("listen", Some(listen.to_owned()))
        .with_flag("operator.listen", Some(operator.to_owned()));
    Configuration::load(&layers).unwrap().settings
}

fn says(word: &'static str) -> Router {
    Router::new().route("/", get(move || async move { word }))
}

#[tokio::test]
async fn each_listener_serves_its_own_surface_until_the_process_drains() {
    let listeners = Listeners::bind(&settings("127.0.0.1:0", "127.0.0.1:0")).unwrap();
    let (public, operator) = (listeners.address(), listeners.operator_address().unwrap());
    let (switch, shutdown) = Shutdown::new();
    let surfaces = Surfaces { public: says("public"), operator: says("operator") };
    let serving = tokio::spawn(listeners.serve(surfaces, shutdown, Reload::never()));
    assert_eq!(Client::get(public, "/").await.body, "public");
    assert_eq!(Client::get(operator, "/").await.body, "operator");
    switch.advance(Phase::Draining);
    serving.await.unwrap();
}

#[tokio::test]
async fn a_port_that_is_taken_is_said_with_its_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (listen, operator, setting) in
        [(address.as_str(), "", "listen"), ("127.0.0.1:0", address.as_str(), "operator.listen")]
    {
        let said = Listeners::bind(&settings(listen, operator)).unwrap_err().to_string();
        assert!(said.starts_with(&format!("{setting}: cannot listen on {address} (")), "{said}");
        assert!(said.contains("a free port") && !said.contains('\n'), "{said}");
    }
}
