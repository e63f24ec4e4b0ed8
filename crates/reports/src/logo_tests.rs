use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};

use super::*;

fn chunk(name: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(&name);
    sum.update(data);
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], &name, data, &sum.sum().to_be_bytes()].concat()
}

fn png((width, height): (u32, u32), [depth, colour, interlace]: [u8; 3], lines: &[u8]) -> Vec<u8> {
    let header =
        [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, colour, 0, 0, interlace]].concat();
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(lines).unwrap();
    let packed = packed.finish().unwrap();
    [
        SIGNATURE.to_vec(),
        chunk(*b"IHDR", &header),
        chunk(*b"tEXt", b"Comment\0left out"),
        chunk(*b"IDAT", &packed),
        chunk(*b"IEND", b""),
    ]
    .concat()
}

#[test]
fn an_image_is_read_with_its_filters_and_set_on_white() {
    // Two by two: red and half transparent black; below, by the filter "up", the same again.
    let lines = [0, 255, 0, 0, 255, 0, 0, 0, 128, 2, 0, 0, 0, 0, 0, 0, 0, 0];
    let logo = Logo::read(&png((2, 2), [8, 6, 0], &lines)).unwrap();
    assert_eq!(logo.pixels, [[255, 0, 0], [127; 3], [255, 0, 0], [127; 3]]);
    assert_eq!(logo.runs().count(), 4);
    // One bit for each pixel: black, white, white.
    let logo = Logo::read(&png((3, 1), [1, 0, 0], &[0, 0b0110_0000])).unwrap();
    assert_eq!(logo.runs().collect::<Vec<_>>(), [Run { x: 0, y: 0, length: 1, colour: [0; 3] }]);
}

#[test]
fn a_large_image_is_reduced() {
    let lines = [&[0][..], &[9; 1_200]].concat().repeat(600);
    let logo = Logo::read(&png((1_200, 600), [8, 0, 0], &lines)).unwrap();
    assert_eq!((logo.width(), logo.height()), (240, 120));
    assert!(logo.pixels.iter().all(|pixel| *pixel == [9; 3]));
}

#[test]
fn what_is_no_small_png_is_refused() {
    let good = png((1, 1), [8, 0, 0], &[0, 7]);
    assert!(Logo::read(&good).is_ok());
    for end in 0..good.len() {
        assert!(Logo::read(&good[..end]).is_err(), "cut at {end}");
    }
    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        let _ = Logo::read(&bad);
    }
    let bomb = png((1_200, 600), [16, 6, 0], &vec![0; 40_000_000]);
    assert!(bomb.len() < MOST_BYTES, "{}", bomb.len());
    for (bytes, error) in [
        (bomb, LogoError::NotAPng),
        (png((1, 1), [8, 0, 1], &[0, 7]), LogoError::NotAPng),
        (png((1, 1), [8, 0, 0], &[0]), LogoError::NotAPng),
        (png((1, 1), [8, 0, 0], &[9, 7]), LogoError::NotAPng),
        (png((0, 1), [8, 0, 0], &[]), LogoError::NotAPng),
        (png((1, 1), [8, 3, 0], &[0, 7]), LogoError::NotAPng),
        (png((u32::MAX, u32::MAX), [8, 0, 0], &[0]), LogoError::TooLarge),
        (png((1_201, 1), [8, 0, 0], &[0]), LogoError::TooLarge),
        (b"GIF89a".to_vec(), LogoError::NotAPng),
        (vec![0; MOST_BYTES + 1], LogoError::TooLarge),
    ] {
        assert_eq!(Logo::read(&bytes), Err(error));
    }
}
