//! The icicle: a row for each ply; a node's position from the left is its node_id.

use gt_query::engine::Options;
use gt_report::plot::escape;

use crate::error::Error;
use crate::gather::{self, Density, PLIES_MAX, Single};
use crate::label::{fitting, hint};
use crate::legend::{self, HEAD};
use crate::options::PictureOptions;
use crate::question::{Root, Subject};
use crate::scale::Scale;
use crate::sheet::{MARGIN, Sheet, px, rectangle_steps};

const ROW_MAX: f64 = 30.0;
const ROW_MIN: f64 = 1.0;
/// The default height, which all rows share.
const HEIGHT: f64 = 560.0;
/// The width below which a rectangle has no tooltip of its own, and, next, no pattern and no label.
const HINT_MIN: f64 = 2.5;
const PATTERN_MIN: f64 = 6.0;
const LABEL_MIN: f64 = 11.0;
const MARK_HEIGHT: f64 = 4.0;

pub(crate) fn draw(
    subject: &Subject<'_>,
    wanted: &PictureOptions<'_>,
    root: &Root,
    scale: &Scale,
    options: &Options<'_>,
) -> Result<String, Error> {
    let width = f64::from(wanted.width) - 2.0 * MARGIN;
    let marks = wanted.marks.map(|(set, _)| set);
    let spans = gather::spans(subject, root, scale, width as usize, marks, options)?;
    let plies = spans.columns.len().max(1) as f64;
    let height = wanted.height.map_or(HEIGHT, f64::from);
    let row = (height / plies).clamp(ROW_MIN, ROW_MAX);
    let mut icicle = Icicle {
        sheet: Sheet::new(wanted.theme),
        subject,
        root,
        scale,
        per_node: width / root.size as f64,
        row,
        numbered: wanted.numbered,
    };
    legend::head(&mut icicle.sheet, subject, wanted, root);
    for (depth, columns) in spans.columns.iter().enumerate() {
        icicle.densities(depth, columns, width);
    }
    let (wide, narrow): (Vec<&Single>, Vec<&Single>) =
        spans.singles.iter().partition(|node| icicle.width(node) >= HINT_MIN);
    narrow.into_iter().for_each(|node| icicle.narrow(node));
    icicle.sheet.flush_shapes();
    wide.into_iter().for_each(|node| icicle.single(node));
    spans.singles.iter().filter(|node| node.is_marked).for_each(|node| icicle.mark(node));
    for (depth, columns) in spans.columns.iter().enumerate() {
        icicle.marked_columns(depth, columns, width);
    }
    icicle.sheet.flush_shapes();
    let bottom = HEAD + plies * row + 8.0;
    let notes = notes(root);
    let end = legend::legend(&mut icicle.sheet, wanted, root, scale, &spans.counts, (bottom, &notes));
    let about = format!("Icicle of the tree: {}", legend::about(subject, root));
    Ok(icicle.sheet.finish((f64::from(wanted.width), end), wanted.title, &about))
}

/// Notes on the meaning of the drawing.
pub(crate) fn notes(root: &Root) -> Vec<String> {
    let mut notes = vec![
        "Widths are subtree sizes, in the order of the search. Nodes too narrow for a rectangle are drawn together, in \
         the mix of their colours."
            .to_owned(),
    ];
    if root.plies > PLIES_MAX {
        notes.push(format!("The first {PLIES_MAX} of {} plies are drawn.", root.plies));
    }
    notes
}

struct Icicle<'a> {
    sheet: Sheet,
    subject: &'a Subject<'a>,
    root: &'a Root,
    scale: &'a Scale,
    per_node: f64,
    row: f64,
    numbered: bool,
}

impl Icicle<'_> {
    fn top(&self, depth: usize) -> f64 {
        HEAD + depth as f64 * self.row
    }

    fn width(&self, node: &Single) -> f64 {
        node.size as f64 * self.per_node
    }

    fn corner(&self, node: &Single) -> (f64, f64) {
        let from = (node.node - self.root.node) as f64 * self.per_node;
        (MARGIN + from, self.top((node.ply - self.root.ply) as usize))
    }

    /// The height of a rectangle, with a gap below it if there is space.
    fn height(&self) -> f64 {
        if self.row >= 4.0 { self.row - 1.0 } else { self.row }
    }

    /// The densities of a ply: adjacent columns of the same look become one rectangle.
    fn densities(&mut self, depth: usize, columns: &[Density], width: f64) {
        let column = width / columns.len().max(1) as f64;
        let (top, height) = (self.top(depth), self.height());
        let look =
            |density: &Density| density.color().map(|color| (color, (density.weight * 12.0).ceil() as u8));
        let mut start = 0;
        while start < columns.len() {
            let here = look(&columns[start]);
            let end = columns[start..]
                .iter()
                .position(|other| look(other) != here)
                .map_or(columns.len(), |more| start + more);
            if let Some((color, _)) = here {
                let corner = (MARGIN + start as f64 * column, top);
                let steps = rectangle_steps(corner, ((end - start) as f64 * column, height));
                self.sheet.shape(color, columns[start].weight, &steps);
            }
            start = end;
        }
    }

    fn narrow(&mut self, node: &Single) {
        let steps = rectangle_steps(self.corner(node), (self.width(node), self.height()));
        self.sheet.shape(node.paint.fill, 1.0, &steps);
    }

    fn single(&mut self, node: &Single) {
        let ((x, y), width, height) = (self.corner(node), self.width(node), self.height());
        let gap = if width >= 5.0 { 1.0 } else { 0.4 };
        let place = format!(
            "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            px(x),
            px(y),
            px(width - gap),
            px(height)
        );
        let number = if self.numbered { format!(" data-node=\"{}\"", node.node) } else { String::new() };
        let hint = escape(&hint(self.subject, self.root, self.scale, node));
        self.sheet.push(&format!(
            "<rect {place} fill=\"{}\"{number}><title>{hint}</title></rect>",
            node.paint.fill
        ));
        if node.paint.pattern > 0 && width >= PATTERN_MIN && height >= PATTERN_MIN {
            let fill = self.sheet.pattern(node.paint.pattern, node.paint.fill.ink());
            self.sheet.push(&format!("<rect {place} fill=\"{fill}\" pointer-events=\"none\"/>"));
        }
        self.label(node, (x, y), (width, height));
    }

    fn label(&mut self, node: &Single, (x, y): (f64, f64), (width, height): (f64, f64)) {
        if height < LABEL_MIN {
            return;
        }
        let text = fitting(self.subject, node, width, 6.2);
        if text.is_empty() {
            return;
        }
        let (x, y, ink) = (px(x + 4.0), px(y + height / 2.0 + 4.0), node.paint.fill.ink());
        self.sheet.push(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" fill=\"{ink}\" pointer-events=\"none\">{}</text>",
            escape(&text)
        ));
    }

    fn mark(&mut self, node: &Single) {
        let (corner, width) = (self.corner(node), self.width(node));
        let steps = rectangle_steps(corner, (width.max(1.0), MARK_HEIGHT.min(self.row)));
        self.sheet.shape(self.sheet.theme().mark(), 1.0, &steps);
    }

    fn marked_columns(&mut self, depth: usize, columns: &[Density], width: f64) {
        let column = width / columns.len().max(1) as f64;
        for (place, _) in columns.iter().enumerate().filter(|(_, density)| density.is_marked) {
            let corner = (MARGIN + place as f64 * column, self.top(depth));
            let steps = rectangle_steps(corner, (column.max(1.0), MARK_HEIGHT.min(self.row)));
            self.sheet.shape(self.sheet.theme().mark(), 1.0, &steps);
        }
    }
}
