//! The report for people: a line for each check, and below a failed one where to look.

use std::fmt::Write as _;

use gt_report::{counted, grouped};

use super::{Blessing, CheckReport, Example, Report, SubjectStatus, shown};
use crate::verdict::{Measured, Status};

/// The maximum number of moves shown of a line.
const MOVES_MAX: usize = 40;

impl Report {
    /// Returns the report for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let names = self.checks.iter().map(|check| check.name.chars().count());
        let width = names.max().unwrap_or(0);
        for check in &self.checks {
            let name = format!("{:width$}", check.name);
            let _ = writeln!(text, "{}  {name}  {}", word(check.status), told(check));
            if check.status == Status::Fails {
                failure(check, &mut text);
            }
        }
        for subject in &self.subjects {
            let (word, sentence) = match &subject.status {
                SubjectStatus::Done => continue,
                SubjectStatus::Failed(sentence) | SubjectStatus::Wrong(sentence) => {
                    ("FAIL", sentence.as_str())
                }
                SubjectStatus::Stopped => ("skip", "the run was stopped"),
            };
            let _ = writeln!(text, "{word}  {:width$}  {sentence}", subject.name);
        }
        text.push('\n');
        text += &summary(self);
        text
    }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Holds => "ok  ",
        Status::Fails => "FAIL",
        Status::Skipped => "skip",
        Status::Wrong => "ERR ",
    }
}

/// The rest of a check's line.
fn told(check: &CheckReport) -> String {
    let number = |measured: &Measured| shown(measured.number, check.is_percentage);
    let sentence = check.sentence.as_deref().unwrap_or_default();
    let (Some(worst), true) = (check.measured.first(), matches!(check.status, Status::Holds | Status::Fails))
    else {
        return match check.status {
            // The error itself is drawn beside the report.
            Status::Wrong => "the check itself is wrong".to_owned(),
            Status::Holds | Status::Fails | Status::Skipped => sentence.to_owned(),
        };
    };
    let mut told = format!("{}, expected {}", number(worst), check.expect);
    if let Some(baseline) = worst.baseline {
        let _ = write!(told, " ({})", shown(baseline, check.is_percentage));
    }
    let failing = check.measured.iter().filter(|measured| !measured.holds).count();
    match (check.measured.as_slice(), check.over) {
        ([_], "sum" | "worst") => {
            let _ = write!(told, ": the {} of {}", check.over, counted(check.trees as u64, "tree"));
        }
        ([measured], _) => {
            let _ = write!(told, ": {}", measured.label);
        }
        (all, _) if failing == 0 => {
            let _ = write!(told, ": the worst of {}", counted(all.len() as u64, "tree"));
        }
        (all, _) => {
            let rank =
                if failing == 1 { "the only one".to_owned() } else { format!("the worst of {failing}") };
            let of = counted(all.len() as u64, "tree");
            let _ = write!(
                told,
                ": {}, {rank} that fail{}, of {of}",
                worst.label,
                if failing == 1 { "s" } else { "" }
            );
        }
    }
    if !sentence.is_empty() {
        let _ = write!(told, "; {sentence}");
    }
    told
}

fn failure(check: &CheckReport, text: &mut String) {
    if let Some(why) = &check.why {
        let _ = writeln!(text, "        {why}");
    }
    for example in &check.examples {
        let _ = writeln!(text, "      {}", example.label);
        for node in &example.nodes {
            let value = node.mate.clone().or_else(|| node.value.map(|value| shown(value, false)));
            let value = value.map(|value| format!("value {value}, ")).unwrap_or_default();
            let size = counted(node.size, "node");
            let _ =
                writeln!(text, "        node {}, {value}{size}: {}", grouped(node.node), line(&node.line));
        }
        let _ = writeln!(text, "        {}", query_command(example));
        let _ = writeln!(text, "        {}", view_command(example));
    }
}

fn line(moves: &[String]) -> String {
    if moves.is_empty() {
        return "the root".to_owned();
    }
    let shown = moves.len().min(MOVES_MAX);
    let rest = moves.len() - shown;
    let more = if rest > 0 { format!(" … {rest} more") } else { String::new() };
    moves[..shown].join(" ") + &more
}

/// The command that shows the nodes of a failed check.
pub(super) fn query_command(example: &Example) -> String {
    let mut command = format!("gt query {} --tree {}", quoted(&example.log.to_string_lossy()), example.tree);
    command += &names(example);
    for (name, value) in &example.parameters {
        let _ = write!(command, " --param {}", quoted(&format!("{name}={value}")));
    }
    if let Some(moves) = example.moves {
        let _ = write!(command, " --moves {moves}");
    }
    command + " " + &quoted(&example.query)
}

/// The command that shows the tree, and the address of its worst node there.
pub(super) fn view_command(example: &Example) -> String {
    format!("gt view {}{}  {}", quoted(&example.log.to_string_lossy()), names(example), address(example))
}

/// The options that give the log the names that the check uses.
fn names(example: &Example) -> String {
    example.other_names.iter().map(|pairs| format!(" --map {}", quoted(pairs))).collect()
}

/// The address in the viewer, assuming that it shows this log alone on its usual port.
pub(super) fn address(example: &Example) -> String {
    let node = example.nodes.first().map(|node| format!("&node={}", node.node)).unwrap_or_default();
    format!("http://127.0.0.1:7373/?tree={}{node}", example.tree)
}

/// A word quoted for a shell.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-=:,+".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn summary(report: &Report) -> String {
    let count = |status| report.checks.iter().filter(|check| check.status == status).count();
    let (trees, nodes) = report
        .subjects
        .iter()
        .fold((0, 0), |(trees, nodes), subject| (trees + subject.trees as u64, nodes + subject.nodes));
    let mut parts = Vec::new();
    let words = [
        (Status::Holds, "holds", "hold"),
        (Status::Fails, "fails", "fail"),
        (Status::Skipped, "skipped", "skipped"),
        (Status::Wrong, "is wrong", "are wrong"),
    ];
    for (status, one, several) in words {
        match count(status) {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            many => parts.push(format!("{many} {several}")),
        }
    }
    let mut text = format!(
        "{}: {}; {} with {}",
        counted(report.checks.len() as u64, "check"),
        parts.join(", "),
        counted(trees, "tree"),
        counted(nodes, "node")
    );
    if let Some(engine) = &report.engine {
        let version = engine.version.as_deref().unwrap_or("version unknown");
        let _ = write!(text, "; {} ({version})", engine.name);
    }
    text.push('\n');
    let troubled =
        report.subjects.iter().filter(|subject| matches!(subject.status, SubjectStatus::Failed(_))).count();
    if troubled > 0 {
        let _ = writeln!(
            text,
            "{troubled} of {} could not be searched",
            counted(report.subjects.len() as u64, "position")
        );
    }
    if let Some(logs) = &report.logs {
        let _ = writeln!(text, "the logs are in {}", logs.display());
    }
    match &report.blessing {
        None => {}
        Some(Blessing::Written(path)) => {
            let _ = writeln!(text, "the baseline is written: {}", path.display());
        }
        Some(Blessing::Refused(why)) => {
            let _ = writeln!(text, "the baseline is NOT written: {why}");
        }
    }
    if report.is_stopped {
        text += "the run was stopped\n";
    }
    text
}
