//! Whether an address is on the public internet.
//!
//! A tenant chooses a destination's name, so the addresses it resolves to are untrusted: an address in our own
//! network, a cloud's metadata service or an unassigned address is never dialled. The lists follow the IANA
//! special-purpose registries, with a few additions that are not registered.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A network: its first address and how many leading bits belong to it.
type Network4 = (Ipv4Addr, u32);
type Network6 = (Ipv6Addr, u32);

const NOT_PUBLIC_4: [Network4; 19] = [
    (Ipv4Addr::UNSPECIFIED, 8),            // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),       // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),    // carrier-grade NAT; one cloud keeps its metadata here
    (Ipv4Addr::new(127, 0, 0, 0), 8),      // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // Azure's wire server: looks public, answers from the host
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local and most clouds' metadata
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments; one cloud keeps its metadata here
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 31, 196, 0), 24),  // AS112 sink
    (Ipv4Addr::new(192, 52, 193, 0), 24),  // multicast tunnelling
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private
    (Ipv4Addr::new(192, 175, 48, 0), 24),  // AS112 sink
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarking
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved, broadcast
];

/// Only this range of IPv6 has been assigned for the public internet. Everything else (loopback, unique-local,
/// link-local, site-local, multicast, discard-only, v4-compatible or unassigned) is not public.
const GLOBAL_UNICAST: Network6 = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

const NOT_PUBLIC_6: [Network6; 5] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23), // protocol assignments: Teredo, ORCHID, benchmarking
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16), // 6to4, which wraps any IPv4 address
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48), // AS112 sink
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20), // documentation
];

/// The NAT64 prefix under which a network without IPv4 reaches the public IPv4 internet.
const NAT64: Network6 = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether `address` is on the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_4(v4),
        IpAddr::V6(v6) => is_public_6(v6),
    }
}

fn is_public_4(address: Ipv4Addr) -> bool {
    !NOT_PUBLIC_4.iter().any(|&network| holds_4(network, address))
}

fn is_public_6(address: Ipv6Addr) -> bool {
    match wrapped_4(address) {
        Some(inner) => is_public_4(inner),
        None => {
            holds_6(&GLOBAL_UNICAST, address) && !NOT_PUBLIC_6.iter().any(|network| holds_6(network, address))
        }
    }
}

/// The IPv4 address inside a mapped or a NAT64 address. A resolver in an IPv6-only network returns NAT64 addresses
/// for every public host, so these are judged by the inner address.
fn wrapped_4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    if holds_6(&NAT64, address) {
        let [.., a, b, c, d] = address.octets();
        return Some(Ipv4Addr::new(a, b, c, d));
    }
    address.to_ipv4_mapped()
}

fn holds_4((first, length): Network4, address: Ipv4Addr) -> bool {
    (first.to_bits() ^ address.to_bits()).leading_zeros() >= length
}

fn holds_6(&(first, length): &Network6, address: Ipv6Addr) -> bool {
    (first.to_bits() ^ address.to_bits()).leading_zeros() >= length
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOT_PUBLIC: &[&str] = &[
        // IPv4: first and last address of each network
        "0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255",
        "127.0.0.0 127.0.0.1 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255",
        "172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.255 192.31.196.1",
        "192.52.193.1 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0",
        "198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255",
        "240.0.0.0 255.255.255.254 255.255.255.255",
        // IPv6: unspecified, loopback, v4-compatible
        ":: ::1 ::2 ::10.0.0.1 ::127.0.0.1 ::8.8.8.8 ::ffff",
        // v4-mapped and v4-translated
        "::ffff:0.0.0.0 ::ffff:10.0.0.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:100.64.0.1",
        "::ffff:168.63.129.16 ::ffff:192.168.1.1 ::ffff:0:8.8.8.8 ::ffff:0:127.0.0.1",
        // NAT64, well-known and local-use
        "64:ff9b:: 64:ff9b::10.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1",
        "64:ff9b:1::8.8.8.8 64:ff9b::1:8.8.8.8",
        // discard, segment routing, unassigned
        "100:: 100::1 100:0:0:1::1 5f00::1 200::1 400::1 1000::1 4000::1 6000::1 8000::1 c000::1 e000::1",
        "f000::1 f800::1",
        // Teredo, ORCHID, benchmarking and other protocol assignments
        "2001:: 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1::1 2001:2::1 2001:4:112::1 2001:10::1",
        "2001:20::1 2001:30::1 2001:1ff:ffff:ffff::1",
        // documentation, 6to4, AS112
        "2001:db8:: 2001:db8:ffff::1 3fff::1 3fff:fff:ffff::1 2002:: 2002:7f00:1:: 2002:a9fe:a9fe::1",
        "2002:808:808::1 2620:4f:8000::1",
        // unique-local, link-local, site-local, multicast
        "fc00:: fc00::1 fd00:ec2::254 fd20:ce::254 fdff:ffff::1 fe80:: fe80::1 febf::1 fec0::1 feff::1",
        "ff00:: ff02::1 ff05::2 ff0e::1 ffff::1",
    ];

    const PUBLIC: &[&str] = &[
        "1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 52.96.0.1 100.63.255.255 100.128.0.0",
        "126.255.255.255 128.0.0.1 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255",
        "172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255",
        "198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 2000::1 2001:200::1 2001:db7:ffff::1",
        "2001:db9::1 2003::1 2606:4700:4700::1111 2a00:1450:4001:82a::200e 2620:4f:8001::1 3ffe::1",
        "3fff:1000::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::3460:1",
    ];

    fn addresses(rows: &[&str]) -> Vec<IpAddr> {
        rows.iter().flat_map(|row| row.split_whitespace()).map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn private_reserved_and_translated_addresses_are_not_public() {
        for address in addresses(NOT_PUBLIC) {
            assert!(!is_public(address), "{address} must not count as public");
        }
    }

    #[test]
    fn the_neighbours_of_reserved_networks_are_public() {
        for address in addresses(PUBLIC) {
            assert!(is_public(address), "{address} must count as public");
        }
    }

    #[test]
    fn a_mapped_address_is_judged_like_the_one_inside() {
        for step in 0..=u32::from(u16::MAX) {
            // A stride coprime to the address space visits every network in a few thousand steps.
            let inner = Ipv4Addr::from_bits(step.wrapping_mul(2_654_435_761));
            let plain = is_public(IpAddr::V4(inner));
            assert_eq!(is_public(IpAddr::V6(inner.to_ipv6_mapped())), plain, "{inner}");
            let [a, b, c, d] = inner.octets();
            let compatible = Ipv6Addr::from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, a, b, c, d]);
            assert!(!is_public(IpAddr::V6(compatible)), "{compatible}");
        }
    }
}
