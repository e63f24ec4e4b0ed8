//! What changed from one filing to another, or to the register as it is now.

use domain::{
    id::RegisterFilingId,
    page::{Page, PageRequest},
    register::{
        filing::difference::{Difference, DifferencePart},
        sheets::Sheets,
    },
    register_filing::RegisterFilingComplaint,
};
use store::{Reader, register as tables};

use super::{filing::package, take::sheets_of};
use crate::{Error, Result, ThirdParties, authz::Caller, costly::WorkContext};

impl ThirdParties {
    /// What changed from one filing to another, or to the register as it is now.
    pub async fn register_difference(
        &self,
        caller: &Caller,
        from: RegisterFilingId,
        to: Option<RegisterFilingId>,
        part: DifferencePart,
    ) -> Result<Difference> {
        let work = self.export_work(caller).await?;
        let Compared { before, after } = self.compared(caller, from, to).await?;
        let compare = move |context: &WorkContext| {
            Ok(Difference::of(&before.sheets(context)?, &after.sheets(context)?, part))
        };
        work.run(compare).await
    }

    /// Both sides of a comparison as stored.
    pub(crate) async fn compared(
        &self,
        caller: &Caller,
        from: RegisterFilingId,
        to: Option<RegisterFilingId>,
    ) -> Result<Compared> {
        if to == Some(from) {
            return Err(Error::invalid("to", RegisterFilingComplaint::SameFiling));
        }
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| {
            let before = Side::Filed(package(r, &scope, from, None)?.bytes);
            let after = match to {
                Some(to) => Side::Filed(package(r, &scope, to, None)?.bytes),
                None => Side::Current(tables::sheets(r, &scope)?),
            };
            Ok::<_, Error>(Compared { before, after })
        };
        self.db.tenant(&scope).read(read).await
    }

    /// A page of the differences, and the counts of all.
    pub async fn register_difference_page(
        &self,
        caller: &Caller,
        from: RegisterFilingId,
        to: Option<RegisterFilingId>,
        part: DifferencePart,
        request: PageRequest,
    ) -> Result<Page<domain::register::filing::difference::RowDifference>> {
        let part = DifferencePart { offset: request.offset(), limit: request.limit() as usize, ..part };
        let difference = self.register_difference(caller, from, to, part).await?;
        Ok(Page::new(difference.rows, difference.matching, request))
    }
}

/// Two registers that are compared.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) before: Side,
    pub(crate) after: Side,
}

/// A register as filed, or the current one.
#[derive(Debug)]
pub(crate) enum Side {
    Filed(Vec<u8>),
    Current(Sheets),
}

impl Side {
    /// Its rows; decompressing takes a moment.
    pub(crate) fn sheets(self, context: &WorkContext) -> Result<Sheets> {
        match self {
            Self::Filed(bytes) => sheets_of(bytes, context),
            Self::Current(sheets) => Ok(sheets),
        }
    }
}
