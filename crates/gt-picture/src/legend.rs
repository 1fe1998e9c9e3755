//! The title above a picture, and below it the meaning of the colours, with numbers.

use gt_query::Value;
use gt_report::{counted, grouped, short};

use crate::gather::Counts;
use crate::label::percent;
use crate::options::PictureOptions;
use crate::question::{Root, Subject};
use crate::scale::{Form, Paint, Ramp, Scale};
use crate::sheet::{LETTER, MARGIN, Sheet, px};

/// The maximum number of kinds listed.
const ENTRIES_MAX: usize = 14;
const LINE: f64 = 20.0;
const SWATCH: f64 = 12.0;
/// The maximum number of moves shown of the line to the picture's node.
const LINE_MOVES_MAX: usize = 12;

/// The height of the title.
pub(crate) const HEAD: f64 = 58.0;

/// Draws the title.
pub(crate) fn head(sheet: &mut Sheet, subject: &Subject<'_>, wanted: &PictureOptions<'_>, root: &Root) {
    let theme = sheet.theme();
    let room = ((f64::from(wanted.width) - 2.0 * MARGIN) / 8.6) as usize;
    sheet.text((MARGIN, 27.0), 17.0, &theme.ink().to_string(), &cut(wanted.title, room));
    let room = ((f64::from(wanted.width) - 2.0 * MARGIN) / LETTER) as usize;
    sheet.text((MARGIN, 46.0), 12.0, &theme.soft_ink().to_string(), &cut(&about(subject, root), room));
}

/// `below e2e4 e7e5 (node 17): 1,234 nodes, 9 plies deep`.
pub(crate) fn about(subject: &Subject<'_>, root: &Root) -> String {
    let size = counted(root.size, "node");
    let plies = match root.plies {
        1 => "no moves".to_owned(),
        2 => "1 ply deep".to_owned(),
        plies => format!("{} plies deep", grouped(plies - 1)),
    };
    if root.line.is_empty() {
        return format!("{size}, {plies}");
    }
    let from = root.line.len().saturating_sub(LINE_MOVES_MAX);
    let moves = subject.line_texts(root.node, &root.line).split_off(from);
    let before = if from > 0 { "… " } else { "" };
    format!("below {before}{} (node {}): {size}, {plies}", moves.join(" "), grouped(root.node))
}

fn cut(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// Draws the legend from this height on, and returns its bottom.
pub(crate) fn legend(
    sheet: &mut Sheet,
    wanted: &PictureOptions<'_>,
    root: &Root,
    scale: &Scale,
    counts: &Counts,
    (top, notes): (f64, &[String]),
) -> f64 {
    let mut writer = Writer { x: MARGIN, y: top + LINE, right: f64::from(wanted.width) - MARGIN, sheet };
    if !scale.name.is_empty() {
        let side = if scale.one_side { ", as the root's player sees it" } else { "" };
        writer.words(&format!("{}{side}", scale.name), true);
    }
    match &scale.form {
        Form::Ramp(ramp) => writer.ramp(ramp),
        Form::Labelled(_) | Form::Values => writer.kinds(scale, counts, root.size),
        Form::Plain => {}
    }
    if let Some((_, what)) = wanted.marks {
        let mark = Paint { fill: writer.sheet.theme().mark(), pattern: 0 };
        let verb = if counts.marked == 1 { "matches" } else { "match" };
        writer.entry(mark, &format!("{} {verb} {what}", counted(counts.marked, "node")));
    }
    for note in notes {
        writer.new_line();
        writer.words(note, false);
    }
    writer.y + 14.0
}

struct Writer<'s> {
    x: f64,
    y: f64,
    right: f64,
    sheet: &'s mut Sheet,
}

impl Writer<'_> {
    fn new_line(&mut self) {
        if self.x > MARGIN {
            (self.x, self.y) = (MARGIN, self.y + LINE);
        }
    }

    /// Makes space for something of this width, on a new line if necessary.
    fn room(&mut self, width: f64) {
        if self.x > MARGIN && self.x + width > self.right {
            self.new_line();
        }
    }

    fn words(&mut self, words: &str, strong: bool) {
        let width = words.chars().count() as f64 * LETTER + 14.0;
        self.room(width);
        let theme = self.sheet.theme();
        let ink = if strong { theme.ink() } else { theme.soft_ink() };
        let letters = ((self.right - self.x) / LETTER) as usize;
        self.sheet.text((self.x, self.y), 12.0, &ink.to_string(), &cut(words, letters));
        self.x += width;
    }

    fn entry(&mut self, paint: Paint, words: &str) {
        let width = SWATCH + 6.0 + words.chars().count() as f64 * LETTER + 16.0;
        self.room(width);
        let (x, y) = (px(self.x), px(self.y - 10.0));
        let square = format!("x=\"{x}\" y=\"{y}\" width=\"{SWATCH}\" height=\"{SWATCH}\" rx=\"2\"");
        self.sheet.push(&format!("<rect {square} fill=\"{}\"/>", paint.fill));
        if paint.pattern > 0 {
            let fill = self.sheet.pattern(paint.pattern, paint.fill.ink());
            self.sheet.push(&format!("<rect {square} fill=\"{fill}\"/>"));
        }
        let ink = self.sheet.theme().soft_ink().to_string();
        let letters = ((self.right - self.x - SWATCH - 6.0) / LETTER).max(1.0) as usize;
        self.sheet.text((self.x + SWATCH + 6.0, self.y), 12.0, &ink, &cut(words, letters));
        self.x += width;
    }

    /// The most frequent kinds, with their shares.
    fn kinds(&mut self, scale: &Scale, counts: &Counts, nodes: u64) {
        let mut kinds: Vec<(&Option<Value>, u64)> =
            counts.of.iter().map(|(value, count)| (value, *count)).collect();
        kinds.sort_by_key(|(value, count)| (std::cmp::Reverse(*count), scale.words(value.as_ref())));
        for (value, count) in kinds.iter().take(ENTRIES_MAX) {
            let words = scale.words(value.as_ref());
            let share = percent(*count as f64 / nodes as f64);
            self.entry(scale.paint(value.as_ref()), &format!("{words} {share}"));
        }
        let rest = kinds.iter().skip(ENTRIES_MAX).map(|(_, count)| count).sum::<u64>() + counts.others;
        if rest > 0 {
            self.words(&format!("and others {}", percent(rest as f64 / nodes as f64)), false);
        }
    }

    fn ramp(&mut self, ramp: &Ramp) {
        const WIDTH: f64 = 260.0;
        const STRIPES: usize = 52;
        self.room(WIDTH + 90.0);
        let theme = self.sheet.theme();
        let stripe = WIDTH / STRIPES as f64;
        for place in 0..STRIPES {
            let fill = ramp.color(theme, (place as f64 + 0.5) / STRIPES as f64);
            let x = px(self.x + 30.0 + place as f64 * stripe);
            let (y, width) = (px(self.y - 10.0), px(stripe + 0.3));
            self.sheet
                .push(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"9\" fill=\"{fill}\"/>"));
        }
        let ink = theme.soft_ink().to_string();
        for (place, text) in ticks(ramp).iter().enumerate() {
            let middle = self.x + 30.0 + WIDTH * place as f64 / 4.0;
            let x = middle - text.chars().count() as f64 * 5.4 / 2.0;
            self.sheet.text((x, self.y + 11.0), 10.0, &ink, text);
        }
        self.x += WIDTH + 70.0;
        self.y += 12.0;
    }
}

/// The values at the quarters of a ramp; the ends show if there is more beyond them.
fn ticks(ramp: &Ramp) -> Vec<String> {
    let whole = ramp.high - ramp.low >= 16.0;
    let value = |quarter: usize| {
        let value = ramp.value(quarter as f64 / 4.0);
        if whole { value.round() } else { value }
    };
    let mut texts: Vec<String> = (0..=4).map(|quarter| short(value(quarter))).collect();
    if ramp.range.min < ramp.low {
        texts[0].insert_str(0, "≤ ");
    }
    if ramp.range.max > ramp.high {
        texts[4].insert_str(0, "≥ ");
    }
    texts
}
