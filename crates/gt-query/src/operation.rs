//! What makes a value of values: operators and functions, the same in the text of a query and in what it is bound to.

/// An operator or a function. Each has a fixed number of arguments, but for `And`, `Or` (two or more) and `In` (the
/// item, then the list).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The opposite number.
    Negate,
    /// The number without its sign.
    Abs,
    /// The square root, a float; unknown of a negative number.
    Sqrt,
    /// The natural logarithm, a float; unknown of what is not positive.
    Log,
    /// The nearest integer, of two equally near ones that further from zero; unknown of an infinity.
    Round,
    /// The text in lower case.
    Lower,
    /// An arithmetic operator.
    Arithmetic(Arithmetic),
    /// A comparison of two numbers, two texts or two truth values.
    Compare(Comparison),
    /// Whether the first text begins with the second.
    StartsWith,
    /// Whether the second text is somewhere in the first.
    Contains,
    /// Whether the first value equals one of the others: the same as comparisons with `or` between.
    In,
    /// Whether an integer is not 0; nobody writes it.
    NotZero,
    /// Whether the value is known; itself always is.
    Known,
    /// `@bound`: what a value (the first argument) is in its window (from the second to the third).
    Bound,
    /// Three-valued negation.
    Not,
    /// Three-valued conjunction.
    And,
    /// Three-valued disjunction.
    Or,
    /// The second argument where the first is true, the third where it is false; both are of one type.
    If,
    /// The smaller of two values of one type; unknown where either is.
    Least,
    /// The larger of two values of one type; unknown where either is.
    Greatest,
}

/// An operator that gives a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arithmetic {
    BitAnd,
    BitOr,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator that gives a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Operation {
    /// How many arguments it takes at least, and at most.
    #[must_use]
    pub const fn arguments(self) -> (usize, usize) {
        match self {
            Self::Negate | Self::Abs | Self::Sqrt | Self::Log | Self::Round | Self::Lower => (1, 1),
            Self::NotZero | Self::Known | Self::Not => (1, 1),
            Self::Arithmetic(_) | Self::Compare(_) | Self::StartsWith | Self::Contains => (2, 2),
            Self::Least | Self::Greatest => (2, 2),
            Self::Bound | Self::If => (3, 3),
            Self::In | Self::And | Self::Or => (2, usize::MAX),
        }
    }

    /// How it is written; empty where nobody writes it.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Abs => "abs",
            Self::Sqrt => "sqrt",
            Self::Log => "log",
            Self::Round => "round",
            Self::Lower => "lower",
            Self::Arithmetic(operator) => operator.spelling(),
            Self::Compare(operator) => operator.spelling(),
            Self::StartsWith => "starts_with",
            Self::Contains => "contains",
            Self::In => "in",
            Self::NotZero => "",
            Self::Known => "is known",
            Self::Bound => "@bound",
            Self::Not => "not",
            Self::And => "and",
            Self::Or => "or",
            Self::If => "if",
            Self::Least => "min",
            Self::Greatest => "max",
        }
    }
}

impl Arithmetic {
    /// How it is written.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

impl Comparison {
    /// How it is written.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}
