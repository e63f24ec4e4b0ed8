//! A band of years: a mark for each event, stacked by quarter, and a line for today.

use domain::moment::Day;
use maud::{Markup, html};

use super::{along, count, number};
use crate::ui::badge::{Tone, shape};

/// One event on the band.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    pub(crate) day: Day,
    pub(crate) title: String,
    pub(crate) tone: Tone,
}

/// The height of a mark with its margin.
const MARK: f64 = 15.0;
/// Space for the label above the line of today.
const TOP: f64 = 24.0;
const BOTTOM: f64 = 28.0;

/// Years from left to right. On a narrow screen the band is scrolled, so it can be focused.
pub(crate) fn band(name: &str, marks: &[Mark], today: Day, today_name: &str) -> Markup {
    let years = marks.iter().map(|mark| mark.day.year()).chain([today.year()]);
    let (first, last) = years.fold((i32::MAX, i32::MIN), |(low, high), year| (low.min(year), high.max(year)));
    let span = f64::from(last - first + 1);
    let at_year = |year: i32| 100.0 * f64::from(year - first) / span;
    let placed = placed(marks, first, span);
    let highest = placed.iter().map(|(_, level, _)| *level).max().unwrap_or(0);
    let ground = TOP + MARK * count(highest + 1);
    let here = along(at_year(today.year()) + 100.0 * within_year(today) / span);
    html! {
        div.band-scroll tabindex="0" role="region" aria-label=(name) {
            svg.band width="100%" height=(number(ground + BOTTOM)) role="img" aria-label=(name) {
                @for year in first..=last {
                    rect.band-year.band-odd[(year - first) % 2 == 1] x=(along(at_year(year)))
                        y=(number(TOP)) width=(along(100.0 / span)) height=(number(ground - TOP)) {}
                    text.band-label x=(along(at_year(year) + 50.0 / span)) y=(number(ground + 18.0)) { (year) }
                }
                line.chart-threshold x1=(here) x2=(here) y1="18" y2=(number(ground)) {}
                text.band-today x=(here) y="13" { (today_name) }
                @for (x, level, mark) in &placed {
                    svg class={ "band-mark " (mark.tone.as_str()) } x=(along(*x))
                        y=(number(ground - MARK * count(level + 1))) width="12" height="12" viewBox="0 0 12 12" {
                        title { (mark.title) }
                        (shape(mark.tone))
                    }
                }
            }
        }
    }
}

/// Each mark with its position along the band in per cent and how many are below it.
fn placed(marks: &[Mark], first: i32, span: f64) -> Vec<(f64, usize, &Mark)> {
    let mut placed: Vec<(f64, usize, &Mark)> = Vec::with_capacity(marks.len());
    for mark in marks {
        let quarter = (mark.day.month() - 1) / 3;
        let x = 100.0 * (f64::from(mark.day.year() - first) + (f64::from(quarter) + 0.15) / 4.0) / span;
        let below = placed.iter().filter(|(other, ..)| (other - x).abs() < 0.001).count();
        placed.push((x, below, mark));
    }
    placed
}

/// How much of its year has passed on that day.
fn within_year(day: Day) -> f64 {
    f64::from(day.day_of_year()) / 366.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(day: &str, title: &str) -> Mark {
        Mark { day: day.parse().unwrap(), title: title.into(), tone: Tone::Notice }
    }

    #[test]
    fn marks_of_one_quarter_stand_on_each_other() {
        let marks = [mark("2026-01-05", "a"), mark("2026-03-30", "b"), mark("2026-04-01", "c")];
        let levels: Vec<_> = placed(&marks, 2025, 3.0).iter().map(|(_, level, _)| *level).collect();
        assert_eq!(levels, [0, 1, 0]);
    }

    #[test]
    fn the_band_spans_the_years_of_its_marks_and_of_today() {
        let marks = [mark("2025-06-01", "<first>"), mark("2028-06-01", "last")];
        let drawn = band("Milestones", &marks, "2026-07-02".parse().unwrap(), "Today").into_string();
        for year in 2025..=2028 {
            assert!(drawn.contains(&format!(">{year}</text>")), "{year}: {drawn}");
        }
        assert!(drawn.contains("&lt;first&gt;") && drawn.contains("x1=\"37.5%\""), "{drawn}");
    }
}
