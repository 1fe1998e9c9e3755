//! Partial answers as bytes, so that one machine can send them to another.
//!
//! ```text
//! rows u32 · (cells u32 · (tag u8 · value)*)*      little-endian
//! 0 unknown · 1 integer i128 · 2 float f64 · 3 false · 4 true · 5 text: length u32, UTF-8 · 6 line: length u32, i64 each
//! ```
//!
//! **Invariant:** [`decode_rows`] restores what [`encode_rows`] writes; it rejects other bytes, and never takes more
//! memory than a small multiple of their length.

use gt_query::Value;

use crate::answers::Row;
use crate::question::Unanswered;

/// Encodes rows as bytes.
#[must_use]
pub fn encode_rows(rows: &[Row]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_length(&mut bytes, rows.len());
    for row in rows {
        put_length(&mut bytes, row.len());
        row.iter().for_each(|cell| put_cell(&mut bytes, cell.as_ref()));
    }
    bytes
}

/// Decodes rows from bytes.
///
/// # Errors
/// Returns an error if [`encode_rows`] did not write them.
pub fn decode_rows(bytes: &[u8]) -> Result<Vec<Row>, Unanswered> {
    let mut bytes = Bytes(bytes);
    let rows = bytes.rows().filter(|_| bytes.0.is_empty());
    rows.ok_or_else(|| Unanswered::Query("these bytes are no partial answers".to_owned()))
}

/// A length; an answer has far fewer rows and a text far fewer bytes than 2^32.
fn put_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_cell(bytes: &mut Vec<u8>, cell: Option<&Value>) {
    match cell {
        None => bytes.push(0),
        Some(Value::Integer(number)) => {
            bytes.push(1);
            bytes.extend(number.to_le_bytes());
        }
        Some(Value::Float(number)) => {
            bytes.push(2);
            bytes.extend(number.to_le_bytes());
        }
        Some(Value::Boolean(truth)) => bytes.push(3 + u8::from(*truth)),
        Some(Value::Text(text)) => {
            bytes.push(5);
            put_length(bytes, text.len());
            bytes.extend(text.as_bytes());
        }
        Some(Value::Line(line)) => {
            bytes.push(6);
            let moves = line.moves();
            put_length(bytes, moves.len());
            moves.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
    }
}

/// The bytes left to read.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn rows(&mut self) -> Option<Vec<Row>> {
        let rows = self.length()?;
        (0..rows).map(|_| self.row()).collect()
    }

    fn row(&mut self) -> Option<Row> {
        let cells = self.length()?;
        (0..cells).map(|_| self.cell()).collect()
    }

    fn cell(&mut self) -> Option<Option<Value>> {
        let [tag] = self.take()?;
        Some(Some(match tag {
            0 => return Some(None),
            1 => Value::Integer(i128::from_le_bytes(self.take()?)),
            2 => Value::float(f64::from_le_bytes(self.take()?))?,
            3 => Value::Boolean(false),
            4 => Value::Boolean(true),
            5 => {
                let length = self.length()?;
                let (text, rest) = self.0.split_at_checked(length)?;
                self.0 = rest;
                Value::text(std::str::from_utf8(text).ok()?)
            }
            6 => {
                let length = self.length()?;
                let moves = (0..length).map(|_| self.take().map(i64::from_le_bytes));
                Value::Line(moves.collect::<Option<gt_query::Line>>()?)
            }
            _ => return None,
        }))
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.take()?)).ok()
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let line: gt_query::Line = [7, -9].into_iter().collect();
        vec![
            vec![None, Some(Value::Integer(i128::from(u64::MAX) * 3)), Some(Value::Float(-0.5))],
            vec![Some(Value::Boolean(true)), Some(Value::Boolean(false)), Some(Value::text("é"))],
            vec![],
            vec![Some(Value::Line(line)), Some(Value::Integer(i128::MIN))],
        ]
    }

    #[test]
    fn rows_come_back_as_they_were() {
        assert_eq!(decode_rows(&encode_rows(&rows())), Ok(rows()));
        assert_eq!(decode_rows(&encode_rows(&[])), Ok(Vec::new()));
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = encode_rows(&rows());
        for length in 0..bytes.len() {
            assert!(decode_rows(&bytes[..length]).is_err(), "{length} bytes of {}", bytes.len());
        }
        assert!(decode_rows(&[&bytes[..], &[0]].concat()).is_err());
        // The bytes claim four billion rows of four billion cells.
        assert!(decode_rows(&[255; 20]).is_err());
        assert!(decode_rows(&[1, 0, 0, 0, 1, 0, 0, 0, 9]).is_err());
    }
}
