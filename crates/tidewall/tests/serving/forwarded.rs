use tidewall::listener::{ListenerOptions, TrustedProxies};

use super::{
    client::Client,
    server::{Server, limits, options},
};

async fn client_seen_by(trusted: &[&str], headers: &str) -> String {
    let networks: Vec<_> = trusted.iter().map(|network| network.parse().unwrap()).collect();
    let proxies = TrustedProxies::new(networks);
    let server = Server::start(ListenerOptions { proxies, ..options(limits()) });
    let mut client = Client::connect(server.address).await;
    client.send(format!("GET /who HTTP/1.1\r\nhost: test\r\n{headers}\r\n")).await;
    client.answer().await.unwrap().body
}

#[tokio::test]
async fn the_header_counts_only_behind_a_configured_proxy() {
    let forwarded = "x-forwarded-for: 198.51.100.7\r\n";
    assert_eq!(client_seen_by(&[], forwarded).await, "127.0.0.1");
    assert_eq!(client_seen_by(&["10.0.0.0/8"], forwarded).await, "127.0.0.1");
    assert_eq!(client_seen_by(&["127.0.0.0/8"], forwarded).await, "198.51.100.7");
}

#[tokio::test]
async fn what_the_client_itself_put_in_front_is_ignored() {
    let forged = "x-forwarded-for: 8.8.8.8\r\nx-forwarded-for: 198.51.100.7, 127.0.0.9\r\n";
    assert_eq!(client_seen_by(&["127.0.0.0/8"], forged).await, "198.51.100.7");
}
