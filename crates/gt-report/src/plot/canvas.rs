//! An SVG document, written piece by piece.

use std::fmt::Write;

/// The drawing so far.
pub(super) struct Canvas {
    text: String,
}

/// The position of a text relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Canvas {
    /// An empty picture of this size, with a title and description for screen readers.
    pub(super) fn new(width: f64, height: f64, title: &str, description: &str, style_sheet: &str) -> Self {
        let (w, h) = (number(width), number(height));
        let mut text = format!(
            "<svg class=\"gt-chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" \
             height=\"{h}\" role=\"img\">\n<title>{}</title>\n",
            escape(title)
        );
        if !description.is_empty() {
            let _ = writeln!(text, "<desc>{}</desc>", escape(description));
        }
        let _ = writeln!(text, "<style>{style_sheet}</style>");
        Self { text }
    }

    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let (x, y) = (number(x), number(y));
        let _ = writeln!(self.text, "<text{class} x=\"{x}\" y=\"{y}\"{anchor}>{}</text>", escape(words));
    }

    /// A rectangle; `hint` is its tooltip.
    pub(super) fn rectangle(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        hint: &str,
    ) {
        let (x, y, width, height) = (number(x), number(y), number(width.max(0.0)), number(height.max(0.0)));
        let _ = write!(
            self.text,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""
        );
        self.close("rect", hint);
    }

    /// Draws one or more lines, each through all its points.
    pub(super) fn path(&mut self, class: &str, dashes: &str, lines: &[Vec<(f64, f64)>]) {
        let mut steps = String::new();
        for line in lines {
            for (place, (x, y)) in line.iter().enumerate() {
                let letter = if place == 0 { 'M' } else { 'L' };
                let _ = write!(steps, "{letter}{} {}", number(*x), number(*y));
            }
        }
        let dashes =
            if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        let _ = writeln!(self.text, "<path class=\"{class}\"{dashes} d=\"{steps}\"/>");
    }

    /// A mark of one of the eight shapes, around its point.
    pub(super) fn mark(&mut self, look: usize, (x, y): (f64, f64), hint: &str) {
        let class = format!("f{}", look + 1);
        let (cx, cy) = (number(x), number(y));
        let corners = |points: &[(f64, f64)]| {
            let all = points.iter().map(|(dx, dy)| format!("{},{}", number(x + dx), number(y + dy)));
            all.collect::<Vec<_>>().join(" ")
        };
        let (element, shape) = match look % 4 {
            0 => ("circle", format!("cx=\"{cx}\" cy=\"{cy}\" r=\"3.2\"")),
            1 => (
                "polygon",
                format!("points=\"{}\"", corners(&[(0.0, -4.2), (4.2, 0.0), (0.0, 4.2), (-4.2, 0.0)])),
            ),
            2 => ("polygon", format!("points=\"{}\"", corners(&[(0.0, -4.0), (4.0, 3.2), (-4.0, 3.2)]))),
            _ => (
                "rect",
                format!("x=\"{}\" y=\"{}\" width=\"6\" height=\"6\"", number(x - 3.0), number(y - 3.0)),
            ),
        };
        let _ = write!(self.text, "<{element} class=\"{class}\" {shape}");
        self.close(element, hint);
    }

    pub(super) fn finish(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }

    fn close(&mut self, element: &str, hint: &str) {
        let _ = if hint.is_empty() {
            writeln!(self.text, "/>")
        } else {
            writeln!(self.text, "><title>{}</title></{element}>", escape(hint))
        };
    }
}

/// A coordinate, to a tenth of a pixel.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    if rounded.is_finite() { rounded.to_string() } else { "0".to_owned() }
}

/// Returns text escaped for XML and HTML; characters that neither can contain become the replacement
/// character.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(character),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_can_leave_it() {
        assert_eq!(escape("a<b & \"c\"\u{1}'"), "a&lt;b &amp; &quot;c&quot;\u{fffd}&#39;");
        assert_eq!([number(1.25), number(-0.01), number(f64::NAN)], ["1.3", "0", "0"]);
    }
}
