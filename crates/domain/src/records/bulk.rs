//! The same change to many records at once: how many, and why one of them was not changed.

use crate::wording::sentences;

/// The maximum number of records in one request.
pub const MOST: usize = 10_000;

sentences! {
    /// Why a change of many records, or of one of them, was refused.
    BulkComplaint {
        Size { most: usize } =
            "must name 1 to {most} records",
            "muss 1 bis {most} Einträge nennen";
        EitherWay =
            "send either the ids of records or a filter",
            "Bitte entweder die Kennungen von Einträgen oder einen Filter senden";
        NothingToChange =
            "must name at least one field",
            "muss mindestens ein Feld nennen";
        NoSuchRecord =
            "is none of your records",
            "ist keiner Ihrer Einträge";
        NotAllowed =
            "is a record that you may not change in this way",
            "ist ein Eintrag, den Sie so nicht ändern dürfen";
    }
}
