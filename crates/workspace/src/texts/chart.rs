//! What every chart says.

use super::texts;

texts! {
    AS_TABLE = "As a table", "Als Tabelle";
}
