//! Parameters given by hand: `x=8`, `m=e2e4`, `k="12"`.
//!
//! A value is read as the language reads it: whole number, float, `true` or `false`, or a text in double quotes; anything
//! else is a text as it stands.

use gt_query::Value;
use gt_query::tools::lex;
use gt_query::tools::token::TokenKind;

/// `$name` and its value.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// The value as it was written.
    pub(crate) written: String,
    pub(crate) value: Value,
}

impl Parameter {
    /// Reads `NAME=VALUE`; the `$` before the name may be there.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("it is not of the form NAME=VALUE")?;
        let name = name.trim();
        let name = name.strip_prefix('$').unwrap_or(name);
        if name.is_empty() {
            return Err("there is no name before the `=`".to_owned());
        }
        if !is_name(name) {
            return Err(format!(
                "`{name}` cannot be a parameter's name: a name is made of letters, digits and `_`"
            ));
        }
        Ok(Self { name: name.to_owned(), written: value.trim().to_owned(), value: read_value(value)? })
    }
}

/// What `$` can stand before.
fn is_name(text: &str) -> bool {
    let parameter = format!("${text}");
    let lexed = lex(&parameter);
    let [name, end] = lexed.tokens.as_slice() else { return false };
    lexed.errors.is_empty()
        && name.span.end == parameter.len()
        && matches!(&name.kind, TokenKind::Parameter(name) if name == text)
        && end.kind == TokenKind::End
}

fn read_value(text: &str) -> Result<Value, String> {
    let trimmed = text.trim();
    if trimmed.starts_with('"') {
        return quoted(trimmed);
    }
    let digits = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = Value::of_parameter(text);
    // `inf` is a word like others.
    let endless = digits.starts_with(|c: char| c.is_ascii_digit())
        && trimmed.parse::<f64>().is_ok_and(f64::is_infinite);
    if endless || (whole && !matches!(value, Value::Integer(_))) {
        return Err(format!("the number {trimmed} is too large; in double quotes it is a text"));
    }
    Ok(value)
}

/// A text in double quotes, with the escapes of the language.
fn quoted(text: &str) -> Result<Value, String> {
    let lexed = lex(text);
    match lexed.tokens.as_slice() {
        [first, end] if lexed.errors.is_empty() && end.kind == TokenKind::End => match &first.kind {
            TokenKind::Text(text) => Ok(Value::text(text)),
            _ => Err(not_closed(text)),
        },
        _ => Err(not_closed(text)),
    }
}

fn not_closed(text: &str) -> String {
    format!(
        "{text} begins like a text and is none: it ends with `\"`, and within it write `\\\"` for `\"` and `\\\\` for `\\`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Value, String> {
        Parameter::read(text).map(|parameter| parameter.value)
    }

    #[test]
    fn values_are_read_as_the_language_reads_them() {
        assert_eq!(value("x=8"), Ok(Value::Integer(8)));
        assert_eq!(value("x=-8"), Ok(Value::Integer(-8)));
        assert_eq!(value("x=18446744073709551615"), Ok(Value::Integer(u64::MAX.into())));
        assert_eq!(value("x=2.5e3"), Ok(Value::Float(2500.0)));
        assert_eq!(value("x=true"), Ok(Value::Boolean(true)));
        assert_eq!(value("m=e2e4"), Ok(Value::text("e2e4")));
        assert_eq!(value("m="), Ok(Value::text("")));
        assert_eq!(value("m=a=b"), Ok(Value::text("a=b")));
    }

    #[test]
    fn quotes_make_a_text() {
        assert_eq!(value("k=\"12\""), Ok(Value::text("12")));
        assert_eq!(value("k = \"true\" "), Ok(Value::text("true")));
        assert_eq!(value(r#"k="say \"hi\" # \\""#), Ok(Value::text(r#"say "hi" # \"#)));
        for wrong in ["k=\"12", "k=\"12\"3", "k=\"a\" \"b\"", r#"k="\q""#] {
            assert!(value(wrong).unwrap_err().contains("begins like a text"), "{wrong}");
        }
    }

    #[test]
    fn what_no_number_holds_is_refused() {
        for wrong in ["x=99999999999999999999", "x=-9223372036854775809", "x=1e999"] {
            assert!(value(wrong).unwrap_err().contains("is too large"), "{wrong}");
        }
        assert_eq!(value("x=1-2"), Ok(Value::text("1-2")));
    }

    #[test]
    fn names_are_names() {
        let name = |text: &str| Parameter::read(text).map(|parameter| parameter.name);
        assert_eq!(name("$x=3"), Ok("x".to_owned()));
        assert_eq!(name(" nominal_depth = 3"), Ok("nominal_depth".to_owned()));
        for wrong in ["x y=3", "$$x=3", "1x=3", "x-y=3", "#=3"] {
            assert!(name(wrong).unwrap_err().contains("cannot be a parameter's name"), "{wrong}");
        }
        assert_eq!(name("=3"), Err("there is no name before the `=`".to_owned()));
        assert!(name("x").unwrap_err().contains("NAME=VALUE"));
    }
}
