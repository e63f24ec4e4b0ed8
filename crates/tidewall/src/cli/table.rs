//! A table for people: a heading, and columns as wide as their content.

use std::io::Write;

use super::CliError;

/// Prints the rows below their heading, or a message if there are none.
pub(super) fn print<const N: usize>(
    heading: [&str; N],
    rows: &[[String; N]],
    out: &mut impl Write,
) -> Result<(), CliError> {
    if rows.is_empty() {
        return Ok(writeln!(out, "none yet")?);
    }
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or_default().max(heading[column].chars().count())
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let heading = heading.map(str::to_uppercase);
    for row in std::iter::once(&heading).chain(rows) {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(rows: &[[String; 2]]) -> String {
        let mut out = Vec::new();
        print(["name", "state"], rows, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_stand_below_their_heading() {
        let rows = [["Über".to_owned(), "open".to_owned()], ["a longer one".to_owned(), String::new()]];
        assert_eq!(printed(&rows), "NAME          STATE\nÜber          open\na longer one\n");
        assert_eq!(printed(&[]), "none yet\n");
    }
}
