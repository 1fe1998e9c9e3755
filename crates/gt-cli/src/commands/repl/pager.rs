//! Long answers, a screen at a time: through `$PAGER` where that is set, or else by our own means.

use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio};

/// Prints a text, in pages where it is longer than the screen.
pub(super) fn show(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let height = terminal_size::terminal_size().map_or(24, |(_, height)| usize::from(height.0));
    let pager = std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    if text.lines().count() < height {
        out.write_all(text.as_bytes())?;
    } else if !pager.is_some_and(|pager| through(&pager, text)) {
        more(text, height.saturating_sub(1).max(1), out)?;
    }
    out.flush()
}

/// Whether the pager could be started. That it was left before the end is no error.
fn through(pager: &str, text: &str) -> bool {
    let Ok(mut child) = Command::new("sh").args(["-c", pager]).stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut pipe) = child.stdin.take() {
        let _ = pipe.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.code() != Some(127))
}

fn more(text: &str, page: usize, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = text.lines().collect();
    for (number, lines_of_page) in lines.chunks(page).enumerate() {
        if number > 0 {
            let left = lines.len() - number * page;
            write!(out, "-- {left} more lines: Enter goes on, q stops --")?;
            out.flush()?;
            let mut answer = String::new();
            if io::stdin().lock().read_line(&mut answer)? == 0 || answer.trim().starts_with('q') {
                break;
            }
        }
        lines_of_page.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    Ok(())
}
