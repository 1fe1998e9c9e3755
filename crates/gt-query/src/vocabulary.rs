//! Every word of GTQL, in one table: the parser and the binder look words up here, completion and the manual list
//! them.
//!
//! Only the words of the core (`node child subtree count and or not`) are reserved everywhere. The others are words
//! of the language only where the core allows no name, so a log may have an attribute called `max` or `limit`.

use std::fmt;

use crate::operation::Operation;

/// A part of a query, in the order in which parts may follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // The table says it.
pub enum Part {
    Node,
    Child,
    Before,
    After,
    Subtree,
    Path,
    Tree,
    Twin,
}

/// A clause that shapes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Clause {
    Select,
    GroupBy,
    OrderBy,
    Limit,
}

/// The function that an aggregate applies to the nodes it ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Function {
    Count,
    Sum,
    Min,
    Max,
    Avg,
    Any,
    All,
    Stddev,
    /// `quantile` at one half.
    Median,
    Quantile,
    Corr,
    /// `count(distinct A)`.
    Distinct,
    First,
    Last,
    ArgMin,
    ArgMax,
}

impl Function {
    /// Whether the result depends on which nodes it takes, not only on their values.
    #[must_use]
    pub const fn tells_nodes_apart(self) -> bool {
        matches!(self, Self::First | Self::Last | Self::ArgMin | Self::ArgMax)
    }
}

/// A property of a node that follows from its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Structure {
    Ply,
    Size,
    Height,
    Children,
    Index,
    Parent,
    Line,
    Unfinished,
    LeftOut,
    Total,
}

/// A node related to the one that a query is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relative {
    /// The child, sibling or twin that an aggregate looks at.
    Other,
    /// The parent.
    Parent,
    /// The parent's parent.
    Grandparent,
    /// The sibling this many places after it (before it, if negative); never 0.
    Sibling(i32),
    /// The child at this index, 0 being the first; from the end if negative, -1 being the last.
    Child(i32),
}

/// The purpose of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Begins a part: `node:`.
    Part(Part),
    /// Begins a clause.
    Clause(Clause),
    /// An aggregate function.
    Aggregate(Function),
    /// A function of values.
    Operation(Operation),
    /// Follows `@`.
    Structure(Structure),
    /// `@bound`, which is derived from attributes.
    Bound,
    /// A prefix in brackets.
    Relative(Relative),
    /// An operator, spelled with letters or signs.
    Operator,
    /// An attribute that every log has.
    Attribute,
    /// A constant.
    Literal,
    /// Any other word: `let`, `where`, `asc`, `desc`, `known`.
    Word,
}

/// One word of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its spelling (including `@` and brackets, but not the colon of a part).
    pub spelling: &'static str,
    /// Its purpose.
    pub meaning: Meaning,
    /// Its usage.
    pub form: &'static str,
    /// A one-line description.
    pub doc: &'static str,
}

const fn word(spelling: &'static str, meaning: Meaning, form: &'static str, doc: &'static str) -> Word {
    Word { spelling, meaning, form, doc }
}

/// Every word of the language.
#[rustfmt::skip] // A line for each word.
pub const WORDS: &[Word] = {
    use Meaning as M;
    &[
        word("node", M::Part(Part::Node), "node: E", "what must hold for the node itself"),
        word("child", M::Part(Part::Child), "child: E", "what must hold for aggregates over the node's children"),
        word("before", M::Part(Part::Before), "before: E", "what must hold for aggregates over the siblings that were searched before the node"),
        word("after", M::Part(Part::After), "after: E", "what must hold for aggregates over the siblings that were searched after it"),
        word("subtree", M::Part(Part::Subtree), "subtree: E", "what must hold for aggregates over the node's descendants"),
        word("path", M::Part(Part::Path), "path: E", "what must hold for aggregates over the node's ancestors, the root included"),
        word("tree", M::Part(Part::Tree), "tree: E", "what must hold for aggregates over all nodes of the tree"),
        word("twin", M::Part(Part::Twin), "twin(A, B): E", "what must hold for aggregates over the other nodes of the tree with equal, known values of A and B"),
        word("select", M::Clause(Clause::Select), "select A, B", "the columns of the result; `select *` is node_id, last_move and every attribute"),
        word("group by", M::Clause(Clause::GroupBy), "group by A, B", "one row for each value of the keys; `select` may aggregate the matches"),
        word("order by", M::Clause(Clause::OrderBy), "order by A desc, B", "the order of the result"),
        word("limit", M::Clause(Clause::Limit), "limit N", "keeps the first N rows or nodes"),
        word("let", M::Word, "let name = A", "a derived column, for use in everything below"),
        word("where", M::Word, "max(A where E)", "lets an aggregate take only the nodes that satisfy E"),
        word("as", M::Word, "select A as name", "names a column; `group by` and `order by` may use the name"),
        word("asc", M::Word, "order by A asc", "smallest first, which is the default"),
        word("desc", M::Word, "order by A desc", "largest first"),
        word("count", M::Aggregate(Function::Count), "count(E), count(*)", "how many nodes satisfy E"),
        word("sum", M::Aggregate(Function::Sum), "sum(A)", "the sum; 0 if there are no values"),
        word("min", M::Aggregate(Function::Min), "min(A)", "the smallest number or text; unknown if there are no values"),
        word("max", M::Aggregate(Function::Max), "max(A)", "the largest number or text; unknown if there are no values"),
        word("avg", M::Aggregate(Function::Avg), "avg(A)", "the mean, a float; unknown if there are no values"),
        word("any", M::Aggregate(Function::Any), "any(E)", "whether some node satisfies E; false if there are no nodes"),
        word("all", M::Aggregate(Function::All), "all(E)", "whether every node satisfies E; true if there are no nodes"),
        word("stddev", M::Aggregate(Function::Stddev), "stddev(A)", "the standard deviation of the population, a float; unknown if there are no values"),
        word("median", M::Aggregate(Function::Median), "median(A)", "the same as `quantile(A, 0.5)`"),
        word("quantile", M::Aggregate(Function::Quantile), "quantile(A, q)", "the least value that at least the share q of the values do not exceed; unknown if there are no values"),
        word("corr", M::Aggregate(Function::Corr), "corr(A, B)", "Pearson's correlation, a float; unknown for fewer than two pairs, or if A or B is constant"),
        word("distinct", M::Aggregate(Function::Distinct), "count(distinct A)", "how many different values there are; 0 if there are none"),
        word("first", M::Aggregate(Function::First), "first(A)", "the value at the node searched first; unknown if there are no values"),
        word("last", M::Aggregate(Function::Last), "last(A)", "the value at the node searched last; unknown if there are no values"),
        word("arg_min", M::Aggregate(Function::ArgMin), "arg_min(A, B)", "B where A is smallest, at the first of several such nodes"),
        word("arg_max", M::Aggregate(Function::ArgMax), "arg_max(A, B)", "B where A is largest, at the first of several such nodes"),
        word("if", M::Operation(Operation::If), "if(E, A, B)", "A where E is true, B where it is false; unknown where it is unknown"),
        word("min", M::Operation(Operation::Least), "min(A, B)", "the smaller of two numbers or texts; unknown where either is"),
        word("max", M::Operation(Operation::Greatest), "max(A, B)", "the larger of two numbers or texts; unknown where either is"),
        word("abs", M::Operation(Operation::Abs), "abs(A)", "the number without its sign"),
        word("sqrt", M::Operation(Operation::Sqrt), "sqrt(A)", "the square root, a float; unknown for a negative number"),
        word("log", M::Operation(Operation::Log), "log(A)", "the natural logarithm, a float; unknown for 0 and below"),
        word("round", M::Operation(Operation::Round), "round(A)", "the nearest integer, halves away from zero; unknown for an infinity"),
        word("starts_with", M::Operation(Operation::StartsWith), "starts_with(S, T)", "whether the text S begins with T"),
        word("contains", M::Operation(Operation::Contains), "contains(S, T)", "whether the text T is somewhere in S"),
        word("lower", M::Operation(Operation::Lower), "lower(T)", "the text in lower case"),
        word("@ply", M::Structure(Structure::Ply), "@ply", "distance from the root"),
        word("@size", M::Structure(Structure::Size), "@size", "nodes in the subtree, the node itself included"),
        word("@height", M::Structure(Structure::Height), "@height", "distance to the deepest descendant; 0 at a leaf"),
        word("@children", M::Structure(Structure::Children), "@children", "number of children"),
        word("@index", M::Structure(Structure::Index), "@index", "place among its siblings, from 0"),
        word("@parent", M::Structure(Structure::Parent), "@parent", "the parent's node_id; unknown at the root"),
        word("@line", M::Structure(Structure::Line), "select @line", "the moves from the root; only in `select`"),
        word("@unfinished", M::Structure(Structure::Unfinished), "@unfinished", "whether the node was still open when the log ended"),
        word("@left_out", M::Structure(Structure::LeftOut), "@left_out", "nodes below it that the logging budget left out"),
        word("@total", M::Structure(Structure::Total), "@total", "@size and everything left out in the subtree"),
        word("@bound", M::Bound, "@bound", "what the node's value is: \"exact\", a \"lower\" or an \"upper\" bound"),
        word("[]", M::Relative(Relative::Other), "[]x", "x of the child, sibling or twin that the aggregate around it is looking at"),
        word("[<]", M::Relative(Relative::Sibling(-1)), "[<]x, [<2]x", "x of the previous sibling, of the second before (where `[]` has a meaning, siblings of that node)"),
        word("[>]", M::Relative(Relative::Sibling(1)), "[>]x, [>2]x", "x of the next sibling, of the second after (where `[]` has a meaning, siblings of that node)"),
        word("[^]", M::Relative(Relative::Parent), "[^]x", "x of the parent"),
        word("[^^]", M::Relative(Relative::Grandparent), "[^^]x", "x of the grandparent"),
        word("[0]", M::Relative(Relative::Child(0)), "[0]x, [1]x", "x of the first child, of the second child"),
        word("[-1]", M::Relative(Relative::Child(-1)), "[-1]x, [-2]x", "x of the last child, of the last but one"),
        word("and", M::Operator, "E and F", "both hold"),
        word("or", M::Operator, "E or F", "at least one holds"),
        word("not", M::Operator, "not E", "it does not hold"),
        word("in", M::Operator, "A in (B, C)", "equals one of them"),
        word("is", M::Operator, "A is known, A is unknown", "whether A has a value, or has none"),
        word("known", M::Word, "x is known", "true where the node has a value of x"),
        word("unknown", M::Word, "x is unknown", "true where the node has none"),
        word("=", M::Operator, "A = B", "equal"),
        word("!=", M::Operator, "A != B", "not equal"),
        word("<", M::Operator, "A < B", "less"),
        word("<=", M::Operator, "A <= B", "less or equal"),
        word(">", M::Operator, "A > B", "greater"),
        word(">=", M::Operator, "A >= B", "greater or equal"),
        word("&", M::Operator, "A & B", "the bits set in both; true when any is"),
        word("|", M::Operator, "A | B", "the bits set in either; true when any is"),
        word("+", M::Operator, "A + B", "sum"),
        word("-", M::Operator, "A - B, -A", "difference, or the opposite"),
        word("*", M::Operator, "A * B, *", "product; alone, always true"),
        word("/", M::Operator, "A / B", "quotient, of integers toward zero; unknown if B is zero"),
        word("%", M::Operator, "A % B", "remainder, with the sign of A; unknown if B is zero"),
        word("node_id", M::Attribute, "node_id", "the node's number in preorder; the root is 0"),
        word("last_move", M::Attribute, "last_move", "the move that led to the node"),
        word("true", M::Literal, "true", "true, unless the log has the name"),
        word("false", M::Literal, "false", "false, unless the log has the name"),
    ]
};

/// Returns the word with this spelling.
#[must_use]
pub fn find(spelling: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.spelling == spelling)
}

/// Returns the spellings of all words that begin with `@`.
pub fn marked() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|word| word.spelling).filter(|spelling| spelling.starts_with('@'))
}

/// The words for which `pick` finds a meaning, with that meaning.
fn meanings<T>(pick: impl Fn(Meaning) -> Option<T>) -> impl Iterator<Item = (&'static str, T)> {
    WORDS.iter().filter_map(move |word| Some((word.spelling, pick(word.meaning)?)))
}

macro_rules! vocable {
    ($type:ident, $variant:ident) => {
        impl $type {
            /// Returns all of them, with their spellings.
            pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
                meanings(|meaning| match meaning {
                    Meaning::$variant(it) => Some(it),
                    _ => None,
                })
            }

            /// Returns the one with this spelling.
            #[must_use]
            pub fn find(spelling: &str) -> Option<Self> {
                Self::all().find(|(name, _)| *name == spelling).map(|(_, it)| it)
            }

            /// Returns its spelling.
            #[must_use]
            pub fn spelling(self) -> &'static str {
                Self::all().find(|(_, it)| *it == self).map_or("", |(name, _)| name)
            }
        }
    };
}

vocable!(Part, Part);
vocable!(Clause, Clause);
vocable!(Function, Aggregate);
vocable!(Structure, Structure);

/// Returns the functions of values, with their spellings.
pub fn operations() -> impl Iterator<Item = (&'static str, Operation)> {
    meanings(|meaning| match meaning {
        Meaning::Operation(operation) => Some(operation),
        _ => None,
    })
}

/// Returns the words that a call can begin with, each once.
pub fn called() -> impl Iterator<Item = &'static str> {
    let aggregates = Function::all().map(|(name, _)| name).filter(|name| *name != "distinct");
    aggregates.chain(operations().map(|(name, _)| name).filter(|name| Function::find(name).is_none()))
}

impl Part {
    /// Returns its heading in messages: `child:`, `twin(…):`.
    #[must_use]
    pub fn heading(self) -> String {
        format!("{}{}:", self.spelling(), if self == Self::Twin { "(…)" } else { "" })
    }
}

impl Function {
    /// Returns its number of arguments.
    #[must_use]
    pub const fn arguments(self) -> usize {
        match self {
            Self::Quantile | Self::Corr | Self::ArgMin | Self::ArgMax => 2,
            Self::Count | Self::Sum | Self::Min | Self::Max | Self::Avg | Self::Any | Self::All => 1,
            Self::Stddev | Self::Median | Self::Distinct | Self::First | Self::Last => 1,
        }
    }
}

impl Relative {
    /// Returns the words for relatives in the vocabulary, with their meanings.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        meanings(|meaning| match meaning {
            Meaning::Relative(relative) => Some(relative),
            _ => None,
        })
    }

    /// Returns the relative with this spelling, in brackets and without spaces.
    #[must_use]
    pub fn find(spelling: &str) -> Option<Self> {
        if let Some((_, relative)) = Self::all().find(|(name, _)| *name == spelling) {
            return Some(relative);
        }
        let inside = spelling.strip_prefix('[')?.strip_suffix(']')?;
        let sign = inside.find(|c: char| c.is_ascii_digit())?;
        let places = inside[sign..].parse::<i32>().ok().filter(|_| !inside[sign..].contains(['+', '-']))?;
        match &inside[..sign] {
            "" => Some(Self::Child(places)),
            _ if places == 0 => None,
            "-" => Some(Self::Child(-places)),
            "<" => Some(Self::Sibling(-places)),
            ">" => Some(Self::Sibling(places)),
            _ => None,
        }
    }
}

impl fmt::Display for Relative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other => f.write_str("[]"),
            Self::Parent => f.write_str("[^]"),
            Self::Grandparent => f.write_str("[^^]"),
            Self::Sibling(-1) => f.write_str("[<]"),
            Self::Sibling(1) => f.write_str("[>]"),
            Self::Sibling(places @ ..=0) => write!(f, "[<{}]", places.unsigned_abs()),
            Self::Sibling(places) => write!(f, "[>{places}]"),
            Self::Child(place) => write!(f, "[{place}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_there_once() {
        for word in WORDS {
            assert_eq!(WORDS.iter().filter(|other| other.form == word.form).count(), 1, "{}", word.form);
        }
    }

    #[test]
    fn relatives_are_read_as_they_are_written() {
        for written in
            ["[]", "[^]", "[^^]", "[<]", "[>]", "[<2]", "[>70]", "[0]", "[3]", "[-1]", "[-2147483647]"]
        {
            assert_eq!(
                Relative::find(written).map(|relative| relative.to_string()).as_deref(),
                Some(written)
            );
        }
        assert_eq!(Relative::find("[<1]"), Some(Relative::Sibling(-1)));
        for wrong in ["[<0]", "[-0]", "[>-1]", "[^2]", "[2147483648]", "[<<]", "[--1]", "[+1]", "[1<]", "2"] {
            assert_eq!(Relative::find(wrong), None, "{wrong}");
        }
    }
}
