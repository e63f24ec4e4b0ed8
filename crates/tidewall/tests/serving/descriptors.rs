use std::{fs, process::Command, time::Duration};

use testkit::until;
use tokio::net::TcpStream;

use super::{child::ChildServer, client::Client};

/// Allows the process so many descriptors beyond those it has open, and returns the first number that it may not use.
fn allow_descriptors(server: &ChildServer, more: usize) -> usize {
    let open = fs::read_dir(format!("/proc/{}/fd", server.id())).unwrap().count();
    let limit = format!("--nofile={}:", open + more);
    let done = Command::new("prlimit").args(["--pid", &server.id().to_string(), &limit]).status().unwrap();
    assert!(done.success());
    open + more
}

fn uses_all_descriptors(server: &ChildServer, limit: usize) -> bool {
    (0..limit).all(|number| fs::symlink_metadata(format!("/proc/{}/fd/{number}", server.id())).is_ok())
}

#[tokio::test]
async fn running_out_of_file_descriptors_is_survived_without_spinning() {
    let server = ChildServer::start(&[("TIDEWALL_SERVER__IDLE_TIMEOUT", "60s")]);
    let mut inside = Client::connect(server.address).await;
    inside.request("GET", "/").await;
    assert_eq!(inside.answer().await.unwrap().status, 200);

    let limit = allow_descriptors(&server, 5);
    let mut crowd = Vec::new();
    for _ in 0..40 {
        crowd.push(TcpStream::connect(server.address).await.unwrap());
    }
    until("no descriptor is left", async || uses_all_descriptors(&server, limit)).await;
    let before = server.cpu_ticks();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let burnt = server.cpu_ticks() - before;
    assert!(burnt < 20, "{burnt} hundredths of a second in two seconds of waiting");

    inside.request("GET", "/").await;
    assert_eq!(inside.answer().await.unwrap().status, 200, "connections inside are served all the while");
    drop(crowd);
    assert_eq!(Client::get(server.address, "/").await.body, "hello", "new ones as soon as there is room");
}

#[tokio::test]
async fn the_connection_cap_follows_a_limit_that_cannot_be_raised() {
    // A hard limit of 100 leaves room for 50 connections; the 51st is refused with an answer.
    let shell = "ulimit -n 100; exec \"$0\" \"$@\"";
    let server = ChildServer::start_through_shell(shell, &[("TIDEWALL_SERVER__FIRST_BYTE_TIMEOUT", "30s")]);
    let mut inside = Vec::new();
    for _ in 0..50 {
        let mut client = Client::connect(server.address).await;
        client.request("GET", "/").await;
        assert_eq!(client.answer().await.unwrap().status, 200);
        inside.push(client);
    }
    let refused = Client::get(server.address, "/").await;
    assert_eq!(refused.status, 503);
    assert_eq!(refused.error(), "too many connections; try again shortly");
}
