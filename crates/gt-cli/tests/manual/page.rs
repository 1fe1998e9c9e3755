//! A page as text and commands in turn, put together again without a change.

/// A command of a page and what it prints.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// For `sh`; several lines where the page continues it with a backslash.
    pub(crate) command: String,
    /// What the page shows below it, each line with its end.
    pub(crate) expected: String,
    /// Whether it must fail.
    pub(crate) fails: bool,
}

enum Part {
    Text(String),
    Step(Step),
}

/// A page of the manual.
pub(crate) struct Page(Vec<Part>);

impl Page {
    pub(crate) fn read(text: &str) -> Self {
        let mut parts = vec![Part::Text(String::new())];
        let mut block: Option<Vec<&str>> = None;
        for line in text.split_inclusive('\n') {
            match (&mut block, line.strip_prefix("```")) {
                (None, Some(info)) if info.trim_end() == "console" || info.trim_end() == "console,fails" => {
                    push_text(&mut parts, line);
                    block = Some(vec![info.trim_end()]);
                }
                (None, _) => push_text(&mut parts, line),
                (Some(lines), Some(_)) => {
                    parts.extend(steps(&lines[1..], lines[0] == "console,fails"));
                    block = None;
                    push_text(&mut parts, line);
                }
                (Some(lines), None) => lines.push(line),
            }
        }
        Self(parts)
    }

    pub(crate) fn steps_mut(&mut self) -> impl Iterator<Item = &mut Step> {
        self.0.iter_mut().filter_map(|part| match part {
            Part::Step(step) => Some(step),
            Part::Text(_) => None,
        })
    }

    pub(crate) fn text(&self) -> String {
        self.0
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Step(step) => format!("$ {}\n{}", step.command, step.expected),
            })
            .collect()
    }
}

fn push_text(parts: &mut Vec<Part>, line: &str) {
    match parts.last_mut() {
        Some(Part::Text(text)) => text.push_str(line),
        _ => parts.push(Part::Text(line.to_owned())),
    }
}

/// The commands of a block; where the block must fail, its last one must.
fn steps(lines: &[&str], fails: bool) -> Vec<Part> {
    let mut steps: Vec<Step> = Vec::new();
    for line in lines {
        match (steps.last_mut(), line.strip_prefix("$ ")) {
            (_, Some(command)) => steps.push(Step {
                command: command.trim_end_matches('\n').to_owned(),
                expected: String::new(),
                fails: false,
            }),
            (Some(step), None) if step.expected.is_empty() && is_open(&step.command) => {
                step.command.push('\n');
                step.command.push_str(line.trim_end_matches('\n'));
            }
            (Some(step), None) => step.expected.push_str(line),
            (None, None) => panic!("a console block begins with `$ `, not with {line:?}"),
        }
    }
    if let Some(last) = steps.last_mut() {
        last.fails = fails;
    }
    steps.into_iter().map(Part::Step).collect()
}

/// Whether a command goes on in the next line: a backslash at its end, or an open quote.
fn is_open(command: &str) -> bool {
    command.ends_with('\\') || command.matches('\'').count() % 2 == 1
}
