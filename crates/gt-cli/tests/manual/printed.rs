//! Whether a command printed what a page says, where `…` stands for what may differ.

/// Whether `printed` is what `expected` says.
pub(crate) fn fits(expected: &str, printed: &str) -> bool {
    let expected: Vec<&str> = expected.lines().map(str::trim_end).collect();
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    lines_fit(&expected, &printed)
}

fn lines_fit(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        ["…", rest @ ..] => (0..=printed.len()).any(|skipped| lines_fit(rest, &printed[skipped..])),
        [line, rest @ ..] => {
            printed.first().is_some_and(|first| line_fits(line, first)) && lines_fit(rest, &printed[1..])
        }
    }
}

fn line_fits(expected: &str, printed: &str) -> bool {
    let mut pieces = expected.split('…');
    let Some(mut rest) = pieces.next().and_then(|piece| printed.strip_prefix(piece)) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// What a page should show: times left open, the middle of a long answer left out.
pub(crate) fn shortened(printed: &str) -> String {
    let lines: Vec<String> = printed.lines().map(without_times).collect();
    let shown = if lines.len() > 24 {
        [&lines[..16], &["…".to_owned()], &lines[lines.len() - 4..]].concat()
    } else {
        lines
    };
    shown.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The line with `…` in place of seconds and speeds.
fn without_times(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for index in 0..words.len() {
        let unit = words.get(index + 1).map_or("", String::as_str);
        let is_time = words[index].contains('.')
            && (["s", "ms", "M/s)", "s,"].contains(&unit) || line.starts_with("seconds"))
            && words[index].trim_matches('(').parse::<f64>().is_ok();
        if is_time {
            words[index] = "…".to_owned();
        }
    }
    words.join(" ")
}

#[test]
fn ellipses_stand_for_text_and_for_lines() {
    assert!(fits("a … c\n", "a b c\n"));
    assert!(fits("…\nz\n", "x\ny\nz\n"));
    assert!(!fits("a\n", "a\nb\n"));
    assert!(!fits("a … c\n", "a b d\n"));
    assert!(!fits("a\n…\nz\n", "b\nz\n"));
    assert_eq!(shortened("depth 1  0.02 s\nnodes 5 (0.4 M/s)\n"), "depth 1  … s\nnodes 5 … M/s)\n");
}
