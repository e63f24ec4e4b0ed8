//! Whether 32 bytes are an Ed25519 key that a key pair can have (RFC 8032, section 5.1.3).
//!
//! ring takes a key only together with a signature and does not say which of the two it refuses, so the decompression
//! is calculated here. All numbers are public; the time it takes reveals nothing.

use num_bigint::BigUint;

/// The field's prime, 2^255 - 19.
fn prime() -> BigUint {
    (BigUint::from(1_u8) << 255_u32) - 19_u8
}

/// Whether the point is on the curve, is written the shortest way, and is none of the eight points whose "signatures"
/// hold for every message.
pub(super) fn is_sound(bytes: &[u8; 32]) -> bool {
    let (p, one) = (prime(), BigUint::from(1_u8));
    let mut height = *bytes;
    // The uppermost bit is the sign of the other coordinate.
    height[31] &= 0x7f;
    let y = BigUint::from_bytes_le(&height);
    if y >= p {
        return false;
    }
    // x² = (y² - 1) / (d·y² + 1), with d = -121665/121666; as a product with the same quadratic character:
    // (y² - 1) · (d·y² + 1).
    let inverse = |number: &BigUint| number.modpow(&(&p - 2_u8), &p);
    let d = (&p - 121_665_u32) * inverse(&BigUint::from(121_666_u32)) % &p;
    let square = &y * &y % &p;
    let product = (&square + &p - 1_u8) * (&d * &square + 1_u8) % &p;
    let on_curve = product.modpow(&((&p - 1_u8) / 2_u8), &p) == one;
    on_curve && !has_small_order(&square, &d, &p)
}

/// Whether the order of a point divides 8. Order 4 has y = 0, and order 8 has d·y⁴ + 2y² - 1 = 0. Orders 1 and 2 have
/// y = ±1 and so x = 0, which the caller already refuses, because it accepts only squares other than zero.
fn has_small_order(square: &BigUint, d: &BigUint, p: &BigUint) -> bool {
    let quartic = (d * square * square + square * 2_u8 + p - 1_u8) % p;
    *square == BigUint::ZERO || quartic == BigUint::ZERO
}
