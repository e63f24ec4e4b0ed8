//! Keys that no key pair can have, beside keys of the standards.

use super::*;

fn bytes(hex: &str) -> Vec<u8> {
    data_encoding::HEXLOWER.decode(hex.as_bytes()).unwrap()
}

/// The base point of P-256 (SEC 2, section 2.4.2).
const X: &str = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296";
const Y: &str = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

#[test]
fn a_point_off_the_curve_is_no_key() {
    let (x, y) = (bytes(X), bytes(Y));
    assert!(PublicKey::p256(&x, &y).unwrap().is_sound());
    let mut beside = y.clone();
    beside[31] ^= 1;
    let prime = bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    for (x, y) in [(&x, &beside), (&y, &x), (&vec![0; 32], &vec![0; 32]), (&prime, &y)] {
        assert!(!PublicKey::p256(x, y).unwrap().is_sound(), "{x:?}");
    }
    assert_eq!(PublicKey::p256(&x[1..], &y), None);
}

#[test]
fn an_edwards_key_is_a_point_that_does_not_sign_everything() {
    // RFC 8032, section 7.1, tests 1 to 3.
    for good in [
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    ] {
        assert!(PublicKey::ed25519(&bytes(good)).unwrap().is_sound(), "{good}");
    }
    let small = [
        // The points of order 1, 2, 4 and 8, and ways to write them that are not the shortest.
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ];
    // No point of the curve has y = 2 or y = 7.
    let off = ["02", "07"].map(|low| format!("{low}{}", "00".repeat(31)));
    for bad in small.into_iter().chain(off.iter().map(String::as_str)) {
        assert!(!PublicKey::ed25519(&bytes(bad)).unwrap().is_sound(), "{bad}");
    }
    assert_eq!(PublicKey::ed25519(&[1; 31]), None);
}

#[test]
fn an_rsa_key_has_2048_bits_and_an_exponent_that_does_something() {
    let modulus = |bits: usize| {
        let mut number = vec![0xff; bits.div_ceil(8)];
        number[0] = 0xff >> (bits.div_ceil(8) * 8 - bits);
        number
    };
    let sound = |n: &[u8], e: &[u8]| PublicKey::rsa(n, e).is_sound();
    for bits in [2048, 3482, 8192] {
        assert!(sound(&modulus(bits), &[1, 0, 1]), "{bits}");
    }
    for bits in [8, 1024, 2047, 8193] {
        assert!(!sound(&modulus(bits), &[1, 0, 1]), "{bits}");
    }
    let padded = [vec![0; 128], modulus(1024)].concat();
    assert!(!sound(&padded, &[1, 0, 1]), "zeros do not make a number longer");
    assert!(!sound(&[], &[1, 0, 1]));
    for exponent in [&[][..], &[0], &[1], &[0, 0, 1], &[2], &[1, 0, 0], &[4, 0, 0, 0, 1]] {
        assert!(!sound(&modulus(2048), exponent), "{exponent:?}");
    }
    assert!(sound(&modulus(2048), &[3]));
    let mut even = modulus(2048);
    even[255] = 0xfe;
    assert!(!sound(&even, &[1, 0, 1]));
}

#[test]
fn a_key_is_never_used_for_another_algorithm() {
    let point = PublicKey::p256(&bytes(X), &bytes(Y)).unwrap();
    let rsa = PublicKey::rsa(&[0xff; 256], &[1, 0, 1]);
    for (key, algorithm) in [(&point, Algorithm::EdDsa), (&point, Algorithm::Rs256), (&rsa, Algorithm::Es256)]
    {
        assert!(!key.holds((algorithm, EcdsaForm::Fixed), b"", b""), "{algorithm:?}");
    }
    for known in Algorithm::ALL {
        assert_eq!(Algorithm::named(known.as_str()), Some(known));
    }
}
