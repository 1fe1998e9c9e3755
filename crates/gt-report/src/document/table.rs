//! Tables of texts.

/// The alignment of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// A table; every row has a cell for each column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The headings, and the alignment of their columns.
    pub columns: Vec<(String, Align)>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
    /// A note below it; may be empty.
    pub note: String,
    /// The GTQL query whose answer it is; empty if there is none.
    pub query: String,
}

impl Table {
    /// Makes a table with these columns and no rows; a heading that begins with `>` marks a column of numbers.
    ///
    /// ```
    /// use gt_report::Table;
    /// let mut table = Table::new(["move", ">nodes"]);
    /// table.row(["e2e4", "1,234"]);
    /// assert_eq!(table.columns[1].0, "nodes");
    /// ```
    #[must_use]
    pub fn new<'a>(headings: impl IntoIterator<Item = &'a str>) -> Self {
        let column = |heading: &str| match heading.strip_prefix('>') {
            Some(heading) => (heading.to_owned(), Align::Right),
            None => (heading.to_owned(), Align::Left),
        };
        Self { columns: headings.into_iter().map(column).collect(), ..Self::default() }
    }

    /// Adds a row; one that is too short gets empty cells, one that is too long is cut.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) -> &mut Self {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
        self
    }

    /// Sets a note below it and the query whose answer it is.
    #[must_use]
    pub fn with_note(mut self, note: &str, query: &str) -> Self {
        self.note = note.to_owned();
        self.query = query.to_owned();
        self
    }
}
