//! The slice of a list a caller asks for: the same rules on every list of the service.

use crate::violation::sentence;

/// Where a page starts and how long it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageRequest {
    limit: u32,
    offset: u64,
}

impl PageRequest {
    pub const DEFAULT_LIMIT: u32 = 50;
    pub const MAX_LIMIT: u32 = 500;

    /// A limit above the maximum is applied as the maximum.
    pub fn new(limit: Option<u64>, offset: Option<u64>) -> Result<Self, ZeroLimit> {
        let limit = match limit {
            None => Self::DEFAULT_LIMIT,
            Some(0) => return Err(ZeroLimit),
            Some(limit) => u32::try_from(limit).map_or(Self::MAX_LIMIT, |limit| limit.min(Self::MAX_LIMIT)),
        };
        // Stores count in signed 64 bits; a larger offset is past every end anyway.
        let offset = offset.unwrap_or(0).min(i64::MAX.unsigned_abs());
        Ok(Self { limit, offset })
    }

    pub fn limit(self) -> u32 {
        self.limit
    }

    pub fn offset(self) -> u64 {
        self.offset
    }
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { limit: Self::DEFAULT_LIMIT, offset: 0 }
    }
}

sentence! {
    /// A page without room for a record.
    ZeroLimit =
        "must be a whole number of at least 1",
        "muss eine ganze Zahl ab 1 sein";
}

/// One page of a list and how many items the whole list has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: u64,
    pub request: PageRequest,
}

impl<T> Page<T> {
    /// Cuts the page out of a list that is already in memory.
    pub fn cut(all: impl ExactSizeIterator<Item = T>, request: PageRequest) -> Self {
        let total = all.len() as u64;
        let skip = usize::try_from(request.offset).unwrap_or(usize::MAX);
        let items = all.skip(skip).take(request.limit as usize).collect();
        Self { items, total, request }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_capped_not_refused() {
        assert_eq!(PageRequest::new(Some(501), None).unwrap().limit(), 500);
        assert_eq!(PageRequest::new(Some(u64::MAX), None).unwrap().limit(), 500);
        assert_eq!(PageRequest::new(Some(0), None), Err(ZeroLimit));
        assert_eq!(PageRequest::new(None, Some(u64::MAX)).unwrap().offset(), i64::MAX.unsigned_abs());
    }

    #[test]
    fn a_page_beyond_the_end_is_empty_with_the_true_total() {
        let page = Page::cut(0..3_i32, PageRequest::new(None, Some(7)).unwrap());
        assert_eq!((page.items.len(), page.total), (0, 3));
    }
}
