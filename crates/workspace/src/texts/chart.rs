//! Shared by all charts.

use super::texts;

texts! {
    AS_TABLE = "As a table", "Als Tabelle";
}
