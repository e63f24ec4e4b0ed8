//! The logo of an institution: a PNG image, read within bounds and painted as areas of one colour.
//!
//! Images come from users, so the reader is small: no interlacing, no colour profiles, and never more pixels than the
//! header was allowed to announce.

use std::io::Read as _;

use flate2::{Crc, read::ZlibDecoder};

/// The maximum size of the file in bytes, and of the image in pixels.
pub const MOST_BYTES: usize = 256 * 1024;
pub const MOST_WIDTH: u32 = 1_200;
pub const MOST_HEIGHT: u32 = 600;

/// The pixels that are painted at most: enough for the size of a logo on paper.
const PAINTED_WIDTH: u32 = 420;
const PAINTED_HEIGHT: u32 = 140;
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Why an image is no logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogoError {
    #[error("not a complete PNG image without interlacing")]
    NotAPng,
    #[error("the image is too large")]
    TooLarge,
}

type Pixel = [u8; 3];

/// An image on white paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    width: u32,
    height: u32,
    pixels: Vec<Pixel>,
}

/// Pixels beside each other that have one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) length: u32,
    pub(crate) colour: Pixel,
}

impl Logo {
    /// Reads a PNG image.
    pub fn read(bytes: &[u8]) -> Result<Self, LogoError> {
        if bytes.len() > MOST_BYTES {
            return Err(LogoError::TooLarge);
        }
        let file = PngFile::read(bytes).ok_or(LogoError::NotAPng)?;
        let Header { width, height, .. } = file.header;
        if width > MOST_WIDTH || height > MOST_HEIGHT {
            return Err(LogoError::TooLarge);
        }
        let pixels = file.pixels().ok_or(LogoError::NotAPng)?;
        Ok(Self { width, height, pixels }.reduced())
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// The coloured runs of all lines; white is the paper.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run> {
        let lines = self.pixels.chunks(self.width.max(1) as usize).zip(0..);
        lines.flat_map(|(line, y)| {
            let mut x = 0;
            line.chunk_by(|one, other| one == other).filter_map(move |run| {
                let length = u32::try_from(run.len()).unwrap_or(0);
                let found = Run { x, y, length, colour: run[0] };
                x += length;
                (found.colour != [255; 3]).then_some(found)
            })
        })
    }

    /// The same image with at most the painted pixels, each the mean of those it stands for.
    fn reduced(self) -> Self {
        let step = self.width.div_ceil(PAINTED_WIDTH).max(self.height.div_ceil(PAINTED_HEIGHT)).max(1);
        if step == 1 {
            return self;
        }
        let (width, height) = (self.width.div_ceil(step), self.height.div_ceil(step));
        let mean = |place: u32| {
            let (left, top) = (place % width * step, place / width * step);
            let mut sums = [0_u32; 4];
            for y in top..(top + step).min(self.height) {
                for x in left..(left + step).min(self.width) {
                    let pixel = self.pixels[(y * self.width + x) as usize];
                    for (sum, part) in sums.iter_mut().zip(pixel.iter().chain([&1])) {
                        *sum += u32::from(*part);
                    }
                }
            }
            let [red, green, blue, count] = sums;
            [red, green, blue].map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX))
        };
        Self { width, height, pixels: (0..width * height).map(mean).collect() }
    }
}

#[derive(Debug, Clone, Copy)]
struct Header {
    width: u32,
    height: u32,
    depth: u8,
    colour: u8,
}

impl Header {
    fn read(data: &[u8]) -> Option<Self> {
        let [w0, w1, w2, w3, h0, h1, h2, h3, depth, colour, 0, 0, 0] = *data else { return None };
        let (width, height) = (u32::from_be_bytes([w0, w1, w2, w3]), u32::from_be_bytes([h0, h1, h2, h3]));
        let fits = match colour {
            0 => matches!(depth, 1 | 2 | 4 | 8 | 16),
            3 => matches!(depth, 1 | 2 | 4 | 8),
            2 | 4 | 6 => matches!(depth, 8 | 16),
            _ => false,
        };
        (fits && width > 0 && height > 0).then_some(Self { width, height, depth, colour })
    }

    fn channels(self) -> usize {
        match self.colour {
            2 => 3,
            4 => 2,
            6 => 4,
            _ => 1,
        }
    }

    fn bytes_of_line(self) -> usize {
        (self.width as usize * self.channels() * usize::from(self.depth)).div_ceil(8)
    }

    /// The distance to the byte on the left that a filter refers to.
    fn step(self) -> usize {
        (self.channels() * usize::from(self.depth)).div_ceil(8)
    }
}

/// The parts of a file that make up the image.
struct PngFile {
    header: Header,
    palette: Vec<u8>,
    transparency: Vec<u8>,
    data: Vec<u8>,
}

impl PngFile {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(&SIGNATURE)?;
        let mut file: Option<Self> = None;
        loop {
            let (length, after) = rest.split_first_chunk::<4>()?;
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            let (chunk, after) = after.split_at_checked(length.checked_add(4)?)?;
            let (checksum, after) = after.split_first_chunk::<4>()?;
            let mut sum = Crc::new();
            sum.update(chunk);
            if sum.sum() != u32::from_be_bytes(*checksum) {
                return None;
            }
            rest = after;
            let (name, data) = chunk.split_first_chunk::<4>()?;
            match (name, &mut file) {
                (b"IHDR", None) => {
                    let header = Header::read(data)?;
                    let empty = Vec::new;
                    file = Some(Self { header, palette: empty(), transparency: empty(), data: empty() });
                }
                (b"IHDR", Some(_)) | (_, None) => return None,
                (b"PLTE", Some(file)) => file.palette = data.to_vec(),
                (b"tRNS", Some(file)) => file.transparency = data.to_vec(),
                (b"IDAT", Some(file)) => file.data.extend_from_slice(data),
                (b"IEND", Some(_)) => return file,
                // What begins with a capital letter is needed to show the image.
                (name, Some(_)) if name[0].is_ascii_uppercase() => return None,
                _ => {}
            }
        }
    }

    fn pixels(&self) -> Option<Vec<Pixel>> {
        let header = self.header;
        let line = header.bytes_of_line();
        let expected = (line + 1).checked_mul(header.height as usize)?;
        let mut bytes = Vec::new();
        // One byte more than expected is enough to see that there is too much.
        let mut unpacked = ZlibDecoder::new(&*self.data).take(expected as u64 + 1);
        unpacked.read_to_end(&mut bytes).ok()?;
        if bytes.len() != expected {
            return None;
        }
        let mut pixels = Vec::with_capacity(header.width as usize * header.height as usize);
        let mut above = vec![0; line];
        for filtered in bytes.chunks(line + 1) {
            let (filter, filtered) = filtered.split_first()?;
            let own = unfiltered(*filter, filtered, &above, header.step())?;
            for place in 0..header.width as usize {
                pixels.push(self.pixel(&own, place)?);
            }
            above = own;
        }
        Some(pixels)
    }

    fn pixel(&self, line: &[u8], place: usize) -> Option<Pixel> {
        let channels = self.header.channels();
        let sample = |channel: usize| self.sample(line, place * channels + channel);
        let full = |channel: usize| sample(channel).map(|(value, most)| scaled(value, most));
        Some(match self.header.colour {
            3 => {
                let (index, _) = sample(0)?;
                let index = usize::from(index);
                let colour = self.palette.get(index * 3..index * 3 + 3)?;
                let alpha = self.transparency.get(index).copied().unwrap_or(u8::MAX);
                [colour[0], colour[1], colour[2]].map(|part| on_white(part, alpha))
            }
            0 | 4 => {
                let alpha = if channels == 2 { full(1)? } else { u8::MAX };
                [on_white(full(0)?, alpha); 3]
            }
            _ => {
                let alpha = if channels == 4 { full(3)? } else { u8::MAX };
                [full(0)?, full(1)?, full(2)?].map(|part| on_white(part, alpha))
            }
        })
    }

    /// One sample of a line, and the largest it can be.
    fn sample(&self, line: &[u8], place: usize) -> Option<(u16, u16)> {
        let depth = usize::from(self.header.depth);
        Some(match depth {
            16 => {
                let (high, low) = (*line.get(place * 2)?, *line.get(place * 2 + 1)?);
                (u16::from_be_bytes([high, low]), u16::MAX)
            }
            8 => (u16::from(*line.get(place)?), 255),
            _ => {
                let bit = place * depth;
                let most = (1_u16 << depth) - 1;
                let byte = u16::from(*line.get(bit / 8)?);
                ((byte >> (8 - depth - bit % 8)) & most, most)
            }
        })
    }
}

fn scaled(value: u16, most: u16) -> u8 {
    u8::try_from(u32::from(value) * 255 / u32::from(most.max(1))).unwrap_or(u8::MAX)
}

fn on_white(part: u8, alpha: u8) -> u8 {
    let (part, alpha) = (u32::from(part), u32::from(alpha));
    u8::try_from((part * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX)
}

/// A line without its filter, which refers to the bytes on the left and above.
fn unfiltered(filter: u8, filtered: &[u8], above: &[u8], step: usize) -> Option<Vec<u8>> {
    let mut line: Vec<u8> = Vec::with_capacity(filtered.len());
    for (place, byte) in filtered.iter().enumerate() {
        let left = place.checked_sub(step).map_or(0, |left| line[left]);
        let corner = place.checked_sub(step).map_or(0, |left| above[left]);
        let up = above[place];
        let predicted = match filter {
            0 => 0,
            1 => left,
            2 => up,
            3 => u8::midpoint(left, up),
            4 => paeth(left, up, corner),
            _ => return None,
        };
        line.push(byte.wrapping_add(predicted));
    }
    Some(line)
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i16::from(left) + i16::from(up) - i16::from(corner);
    let distance = |of: u8| (guess - i16::from(of)).abs();
    let (a, b, c) = (distance(left), distance(up), distance(corner));
    if a <= b && a <= c {
        left
    } else if b <= c {
        up
    } else {
        corner
    }
}

#[cfg(test)]
#[path = "logo_tests.rs"]
mod tests;
