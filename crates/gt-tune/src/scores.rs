//! The scores that players leave in the comments of saved games.
//!
//! ```text
//! +35/7 120ms   -L6/12      hundredths of a pawn, or won or lost in so many plies (`gt match`)
//! +0.35/7 0.12s -M6/12      pawns, or mate in so many moves (cutechess and others)
//! ```

/// The value of a game that a player calls won, in hundredths of a pawn.
const WON: f32 = 3000.0;

/// The mover's score in a comment, in hundredths of a pawn; `None` if there is none.
pub(crate) fn score_in(comment: &str) -> Option<f32> {
    let word = comment.split_whitespace().next()?;
    let number = word.split('/').next()?;
    let sign = match number.as_bytes().first()? {
        b'+' => 1.0,
        b'-' => -1.0,
        _ => return None,
    };
    let size = &number[1..];
    if let Some(distance) = size.strip_prefix(['W', 'L', 'M']) {
        let is_distance = !distance.is_empty() && distance.bytes().all(|byte| byte.is_ascii_digit());
        return is_distance.then_some(sign * WON);
    }
    let is_number = size.starts_with(|first: char| first.is_ascii_digit())
        && size.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let size: f32 = size.parse().ok().filter(|_| is_number)?;
    let hundredths = if number.contains('.') { size * 100.0 } else { size };
    Some(sign * hundredths.min(WON))
}

#[cfg(test)]
mod tests {
    use super::score_in;

    #[test]
    fn scores_are_read_as_players_write_them() {
        for (comment, score) in [
            ("+35/7 120ms", Some(35.0)),
            ("-521/8", Some(-521.0)),
            ("+0.35/7 0.12s", Some(35.0)),
            ("-1.5/9", Some(-150.0)),
            ("+W7/12", Some(3000.0)),
            ("-L6/12", Some(-3000.0)),
            ("+M12/30 1.0s", Some(3000.0)),
            ("+123456/1", Some(3000.0)),
            ("0.00/1", None),
            ("+1.2.3/4", None),
            ("+M/3", None),
            ("+", None),
            ("+é", None),
            ("book", None),
            ("", None),
            ("120ms", None),
        ] {
            assert_eq!(score_in(comment), score, "{comment}");
        }
    }
}
