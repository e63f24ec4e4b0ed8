//! Hundreds of ways to direct a message to internal addresses, each tried with a listener there: none reaches it.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpStream;

use super::{
    listener::Listener,
    tests::{Fixed, SLACK, ok, send, to_vendor},
};
use crate::{
    outcome::{Reason, Verdict},
    trust::Trust,
};

fn ways() -> usize {
    if std::env::var("TIDEWALL_TEST_SIZE").is_ok_and(|size| size == "full") { 500 } else { 200 }
}

/// Listeners that accept every connection to this machine, whichever of its addresses it was sent to.
struct Inside([Listener; 2]);

impl Inside {
    async fn start() -> Self {
        Self([Listener::start("0.0.0.0", ok()).await, Listener::start("::1", ok()).await])
    }

    fn connections(&self) -> usize {
        self.0.iter().map(Listener::connections).sum()
    }

    fn ports(&self) -> [u16; 2] {
        self.0.each_ref().map(|listener| listener.address.port())
    }
}

/// An address of this machine: any of 127.0.0.0/8.
fn loopback(number: usize) -> Ipv4Addr {
    let number = u32::try_from(number).unwrap().wrapping_mul(2_654_435_761);
    let [_, b, c, d] = number.to_be_bytes();
    if number == 0 { Ipv4Addr::LOCALHOST } else { Ipv4Addr::new(127, b, c, d.max(1)) }
}

/// Every spelling of an IPv4 address in a URL that some parser has ever accepted.
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let whole = u32::from(address);
    let low = whole & 0xff_ffff;
    let mapped = address.to_ipv6_mapped();
    vec![
        address.to_string(),
        format!("{address}."),
        whole.to_string(),
        format!("{whole:#x}"),
        format!("0{whole:o}"),
        format!("{a}.{low}"),
        format!("{a}.{b}.{}", whole & 0xffff),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a:#x}.{b}.0{c:o}.{d}"),
        format!("00000{a:o}.{b}.{c}.{d}"),
        format!("[{mapped}]"),
        format!("[::ffff:{a:02x}{b:02x}:{c:02x}{d:02x}]"),
        format!("[::{address}]"),
        format!("[64:ff9b::{address}]"),
        format!("[2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1]"),
        format!("[0:0:0:0:0:ffff:{address}]"),
        // Full-width digits and full stops fold into plain ones.
        address.to_string().chars().map(full_width).collect(),
        format!("hooks.slack.com@{address}"),
        format!("{address}#@hooks.slack.com"),
        format!("{address}\\@hooks.slack.com"),
        format!("{address}%00.hooks.slack.com"),
    ]
}

fn full_width(character: char) -> char {
    match character {
        '.' => '。',
        digit => char::from_u32(digit as u32 - '0' as u32 + '０' as u32).unwrap(),
    }
}

#[tokio::test]
async fn literal_addresses_in_every_notation_are_refused_and_never_dialled() {
    let inside = Inside::start().await;
    let sender = to_vendor(Fixed(Ok(Vec::new())), Trust::default(), Some(|_| true));
    let mut tried = 0;
    'all: for number in 0.. {
        for host in spellings(loopback(number)).into_iter().chain(["[::1]".into(), "localhost".into()]) {
            for port in inside.ports() {
                for scheme in ["https", "http"] {
                    let url = format!("{scheme}://{host}:{port}/services/T1/B2/SECRETTOKEN");
                    let outcome = send(&sender, &url).await;
                    assert_eq!(outcome.verdict, Verdict::Refused, "{url}");
                }
            }
            tried += 1;
            if tried == ways() {
                break 'all;
            }
        }
    }
    assert_eq!(inside.connections(), 0);
    is_listening(&inside).await;
    println!("{tried} notations of inside addresses: 0 connections");
}

#[tokio::test]
async fn names_that_resolve_inside_are_never_dialled() {
    let inside = Inside::start().await;
    let [port, port_6] = inside.ports();
    let mut tried = 0;
    while tried < ways() {
        let address = loopback(tried);
        let [a, b, c, d] = address.octets().map(u16::from);
        let (high, low) = (a << 8 | b, c << 8 | d);
        let lookups: [SocketAddr; 8] = [
            (address, port).into(),
            (address.to_ipv6_mapped(), port).into(),
            (Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low), port).into(),
            (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low), port).into(),
            (Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1), port).into(),
            (Ipv4Addr::UNSPECIFIED, port).into(),
            (Ipv6Addr::LOCALHOST, port_6).into(),
            (Ipv6Addr::UNSPECIFIED, port_6).into(),
        ];
        let public: SocketAddr = (Ipv4Addr::new(52, 1, 2, 3), port).into();
        for lookup in lookups {
            // Alone, and together with a permitted address.
            for answer in [vec![lookup], vec![public, lookup]] {
                let outcome =
                    send(&to_vendor(Fixed(Ok(answer.clone())), Trust::default(), None), SLACK).await;
                assert_eq!(
                    (outcome.verdict, outcome.reason),
                    (Verdict::Transient, Reason::NotPublic),
                    "{answer:?}"
                );
                tried += 1;
            }
        }
    }
    assert_eq!(inside.connections(), 0);
    is_listening(&inside).await;
    println!("{tried} names that resolve inside: 0 connections");
}

/// Proves that a connection would have been counted.
async fn is_listening(inside: &Inside) {
    for (to, port) in
        ["127.0.0.1", "127.7.7.7", "::1"].into_iter().zip([0, 0, 1].map(|one| inside.ports()[one]))
    {
        let _stream = TcpStream::connect((to, port)).await.unwrap();
    }
    for _ in 0..100 {
        if inside.connections() == 3 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{} connections counted", inside.connections());
}
