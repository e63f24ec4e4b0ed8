//! Scores along several axes as one shape. The axes have numbers, and a key beside the shape explains them: names of
//! any length would not fit around it.

use maud::{Markup, html};

use super::{count, number};

const SIZE: f64 = 200.0;
const RADIUS: f64 = 78.0;

/// Scores from 0 to 100 along as many axes as there are labels, beginning at the top.
pub(crate) fn radar(name: &str, axes: &[(String, u32)]) -> Markup {
    html! {
        div.radar {
            (radar_shape(name, axes))
            ol.radar-key { @for (label, score) in axes { li { span { (label) } strong { (score) } } } }
        }
    }
}

/// The shape alone, if one key explains several.
pub(crate) fn radar_shape(name: &str, axes: &[(String, u32)]) -> Markup {
    let ring = |share: f64| corners(axes.iter().map(|_| share), axes.len());
    let shape = corners(axes.iter().map(|(_, score)| f64::from((*score).min(100)) / 100.0), axes.len());
    html! {
        svg.radar-shape viewBox={ "0 0 " (number(SIZE)) " " (number(SIZE)) } role="img" aria-label=(name) {
            @for share in [0.25, 0.5, 0.75, 1.0] { polygon.chart-ring points=(ring(share)) {} }
            @for axis in 0..axes.len() {
                @let (x, y) = corner(axis, axes.len(), 1.0);
                @let (label_x, label_y) = corner(axis, axes.len(), 1.16);
                line.chart-axis x1=(number(SIZE / 2.0)) y1=(number(SIZE / 2.0)) x2=(number(x)) y2=(number(y)) {}
                text.chart-corner x=(number(label_x)) y=(number(label_y + 4.0)) { (axis + 1) }
            }
            polygon.chart-shape points=(shape) {}
            @for (axis, (_, score)) in axes.iter().enumerate() {
                @let (x, y) = corner(axis, axes.len(), f64::from((*score).min(100)) / 100.0);
                circle.chart-dot cx=(number(x)) cy=(number(y)) r="3" {}
            }
        }
    }
}

fn corners(shares: impl Iterator<Item = f64>, sides: usize) -> String {
    let points = shares.enumerate().map(|(axis, share)| {
        let (x, y) = corner(axis, sides, share);
        format!("{},{}", number(x), number(y))
    });
    points.collect::<Vec<_>>().join(" ")
}

fn corner(axis: usize, sides: usize, share: f64) -> (f64, f64) {
    let angle = std::f64::consts::TAU * count(axis) / count(sides).max(1.0) - std::f64::consts::FRAC_PI_2;
    (SIZE / 2.0 + RADIUS * share * angle.cos(), SIZE / 2.0 + RADIUS * share * angle.sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_axis_points_up_and_each_has_a_number() {
        let axes: Vec<_> = (1..=5).map(|n| (format!("Axis {n}"), 20 * n)).collect();
        let drawn = radar("Scores", &axes).into_string();
        assert_eq!(drawn.matches("chart-axis").count(), 5);
        assert!(drawn.contains(r#"x1="100" y1="100" x2="100" y2="22""#), "{drawn}");
        assert!(drawn.contains("<li><span>Axis 5</span><strong>100</strong></li>"), "{drawn}");
    }

    #[test]
    fn a_score_never_leaves_the_rings() {
        let over = radar("Scores", &[("a".into(), 500), ("b".into(), 0), ("c".into(), 0)]).into_string();
        assert!(over.contains(r#"chart-shape" points="100,22 100,100 100,100""#), "{over}");
    }
}
