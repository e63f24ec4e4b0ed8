//! A small line chart in the height of a line of text.

use maud::{Markup, html};

use super::{count, number};

const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 28.0;
const EDGE: f64 = 4.0;

/// Values from the oldest to the newest. With fewer than two there is no line to draw.
pub(crate) fn sparkline(name: &str, values: &[f64]) -> Markup {
    let points = points(values);
    let Some((last, rest)) = points.split_last().filter(|_| values.len() > 1) else { return html! {} };
    let line = rest.iter().chain([last]).map(|(x, y)| format!("{},{}", number(*x), number(*y)));
    html! {
        svg.sparkline viewBox={ "0 0 " (number(WIDTH)) " " (number(HEIGHT)) } width="120" height="28"
            role="img" aria-label=(name) {
            polyline.sparkline-line points=(line.collect::<Vec<_>>().join(" ")) {}
            circle.sparkline-end cx=(number(last.0)) cy=(number(last.1)) r="3" {}
        }
    }
}

fn points(values: &[f64]) -> Vec<(f64, f64)> {
    let (low, high) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    // A constant line is drawn in the middle.
    let level = |value: f64| if high > low { (value - low) / (high - low) } else { 0.5 };
    let step = (WIDTH - 2.0 * EDGE) / count(values.len().saturating_sub(1)).max(1.0);
    let place = |(index, value): (usize, &f64)| {
        (EDGE + step * count(index), HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * level(*value))
    };
    values.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_uses_the_whole_height() {
        assert_eq!(points(&[1.0, 5.0, 3.0]), [(4.0, 24.0), (60.0, 4.0), (116.0, 14.0)]);
        assert_eq!(points(&[2.0, 2.0]), [(4.0, 14.0), (116.0, 14.0)]);
    }

    #[test]
    fn one_value_is_no_line() {
        assert_eq!(sparkline("Trend", &[1.0]).into_string(), "");
        assert!(sparkline("Trend", &[1.0, 2.0]).into_string().contains(r#"aria-label="Trend""#));
    }
}
