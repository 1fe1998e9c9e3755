//! The sunburst: the picture's node in the middle, a ring for each ply; a node's angle is its share of the nodes,
//! from the top, clockwise, in the order of the search.

use std::f64::consts::TAU;

use gt_query::engine::Options;
use gt_report::plot::escape;

use crate::error::Error;
use crate::gather::{self, Density, Single};
use crate::icicle::notes;
use crate::label::{fitting, hint};
use crate::legend::{self, HEAD};
use crate::options::PictureOptions;
use crate::question::{Root, Subject};
use crate::scale::Scale;
use crate::sheet::{MARGIN, Sheet, px};

/// The length below which arcs have no tooltip of their own.
const HINT_MIN: f64 = 2.5;
const LABEL_MIN: f64 = 12.0;
/// The width of the middle relative to a ring.
const MIDDLE: f64 = 1.6;
const MARK: f64 = 3.0;

pub(crate) fn draw(
    subject: &Subject<'_>,
    wanted: &PictureOptions<'_>,
    root: &Root,
    scale: &Scale,
    options: &Options<'_>,
) -> Result<String, Error> {
    let across = f64::from(wanted.width) - 2.0 * MARGIN;
    let diameter = wanted.height.map_or(across, |height| across.min(f64::from(height)));
    let marks = wanted.marks.map(|(set, _)| set);
    let columns = (TAU * diameter / 2.0).ceil() as usize;
    let spans = gather::spans(subject, root, scale, columns, marks, options)?;
    let rings = spans.columns.len().max(1) as f64;
    let mut burst = Sunburst {
        sheet: Sheet::new(wanted.theme),
        subject,
        root,
        scale,
        center: (f64::from(wanted.width) / 2.0, HEAD + diameter / 2.0),
        ring: diameter / 2.0 / (rings - 1.0 + MIDDLE),
        numbered: wanted.numbered,
    };
    legend::head(&mut burst.sheet, subject, wanted, root);
    for (depth, columns) in spans.columns.iter().enumerate() {
        burst.densities(depth, columns);
    }
    let (wide, narrow): (Vec<&Single>, Vec<&Single>) =
        spans.singles.iter().partition(|node| burst.arc_length(node) >= HINT_MIN);
    narrow.into_iter().for_each(|node| burst.narrow(node));
    burst.sheet.flush_shapes();
    wide.into_iter().for_each(|node| burst.single(node));
    spans.singles.iter().filter(|node| node.is_marked).for_each(|node| burst.mark(node));
    for (depth, columns) in spans.columns.iter().enumerate() {
        burst.marked_columns(depth, columns);
    }
    burst.sheet.flush_shapes();
    let bottom = HEAD + diameter + 8.0;
    let notes: Vec<String> = notes(root).iter().map(|note| note.replace("Widths", "Angles")).collect();
    let end = legend::legend(&mut burst.sheet, wanted, root, scale, &spans.counts, (bottom, &notes));
    let about = format!("Sunburst of the tree: {}", legend::about(subject, root));
    Ok(burst.sheet.finish((f64::from(wanted.width), end), wanted.title, &about))
}

struct Sunburst<'a> {
    sheet: Sheet,
    subject: &'a Subject<'a>,
    root: &'a Root,
    scale: &'a Scale,
    center: (f64, f64),
    /// The thickness of a ring.
    ring: f64,
    numbered: bool,
}

impl Piece {
    /// Whether it is a full circle.
    fn is_whole(self) -> bool {
        self.to - self.from > 0.999
    }
}

/// A piece of a ring: two angles as shares of the circle, two radii.
#[derive(Clone, Copy)]
struct Piece {
    from: f64,
    to: f64,
    inner: f64,
    outer: f64,
}

impl Sunburst<'_> {
    /// The radii of a ring.
    fn radii(&self, depth: usize) -> (f64, f64) {
        let outer = (depth as f64 + MIDDLE) * self.ring;
        (if depth == 0 { 0.0 } else { outer - self.ring }, outer)
    }

    fn piece(&self, node: &Single) -> Piece {
        let share = |nodes: u64| nodes as f64 / self.root.size as f64;
        let before = node.node - self.root.node;
        let (inner, outer) = self.radii((node.ply - self.root.ply) as usize);
        Piece { from: share(before), to: share(before + node.size), inner, outer }
    }

    fn arc_length(&self, node: &Single) -> f64 {
        let piece = self.piece(node);
        (piece.to - piece.from) * TAU * piece.outer
    }

    fn point(&self, share: f64, radius: f64) -> String {
        let angle = share * TAU;
        format!("{} {}", px(self.center.0 + radius * angle.sin()), px(self.center.1 - radius * angle.cos()))
    }

    /// The path around a piece; a full ring is two halves, as an arc must not end where it begins.
    fn steps(&self, piece: Piece) -> String {
        if piece.is_whole() {
            let middle = f64::midpoint(piece.from, piece.to);
            return self.steps(Piece { to: middle, ..piece }) + &self.steps(Piece { from: middle, ..piece });
        }
        let large = u8::from(piece.to - piece.from > 0.5);
        let (outer, inner) = (px(piece.outer), px(piece.inner));
        let start = self.point(piece.from, piece.outer);
        let end = self.point(piece.to, piece.outer);
        let back = self.point(piece.to, piece.inner);
        let first = self.point(piece.from, piece.inner);
        format!("M{start}A{outer} {outer} 0 {large} 1 {end}L{back}A{inner} {inner} 0 {large} 0 {first}z")
    }

    fn densities(&mut self, depth: usize, columns: &[Density]) {
        let (inner, outer) = self.radii(depth);
        let count = columns.len() as f64;
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
                let piece = Piece { from: start as f64 / count, to: end as f64 / count, inner, outer };
                let steps = self.steps(piece);
                self.sheet.shape(color, columns[start].weight, &steps);
            }
            start = end;
        }
    }

    fn narrow(&mut self, node: &Single) {
        let steps = self.steps(self.piece(node));
        self.sheet.shape(node.paint.fill, 1.0, &steps);
    }

    fn single(&mut self, node: &Single) {
        let piece = self.piece(node);
        let (steps, ground) = (self.steps(piece), self.sheet.theme().ground());
        // A full ring has no sides.
        let line = if piece.is_whole() { 0.0 } else { 0.6 };
        let number = if self.numbered { format!(" data-node=\"{}\"", node.node) } else { String::new() };
        let hint = escape(&hint(self.subject, self.root, self.scale, node));
        self.sheet.push(&format!(
            "<path d=\"{steps}\" fill=\"{}\" stroke=\"{ground}\" stroke-width=\"{line}\"{number}><title>{hint}</title></path>",
            node.paint.fill
        ));
        if node.paint.pattern > 0 && self.arc_length(node) >= 6.0 && self.ring >= 6.0 {
            let fill = self.sheet.pattern(node.paint.pattern, node.paint.fill.ink());
            self.sheet.push(&format!("<path d=\"{steps}\" fill=\"{fill}\" pointer-events=\"none\"/>"));
        }
        self.label(node, piece);
    }

    /// The move, across the ring if that is long enough.
    fn label(&mut self, node: &Single, piece: Piece) {
        let is_middle = piece.inner <= 0.0;
        let radius = if is_middle { 0.0 } else { f64::midpoint(piece.inner, piece.outer) };
        let room = if is_middle { 2.0 * piece.outer } else { piece.outer - piece.inner };
        if !is_middle && (piece.to - piece.from) * TAU * radius < LABEL_MIN {
            return;
        }
        let text = fitting(self.subject, node, room, 6.0);
        if text.is_empty() {
            return;
        }
        let share = f64::midpoint(piece.from, piece.to);
        let turn = if is_middle { 0.0 } else { readable(share) };
        let place = self.point(share, radius);
        let (place, ink) = (place.replacen(' ', ",", 1), node.paint.fill.ink());
        self.sheet.push(&format!(
            "<text transform=\"translate({place}) rotate({})\" font-size=\"10.5\" text-anchor=\"middle\" dy=\"3.6\" \
             fill=\"{ink}\" pointer-events=\"none\">{}</text>",
            px(turn),
            escape(&text)
        ));
    }

    fn mark(&mut self, node: &Single) {
        let piece = self.piece(node);
        let steps = self.steps(Piece { inner: piece.outer - MARK.min(self.ring), ..piece });
        self.sheet.shape(self.sheet.theme().mark(), 1.0, &steps);
    }

    fn marked_columns(&mut self, depth: usize, columns: &[Density]) {
        let (_, outer) = self.radii(depth);
        let count = columns.len() as f64;
        for (place, _) in columns.iter().enumerate().filter(|(_, density)| density.is_marked) {
            let (from, to) = (place as f64 / count, (place + 1) as f64 / count);
            let steps = self.steps(Piece { from, to, inner: outer - MARK.min(self.ring), outer });
            self.sheet.shape(self.sheet.theme().mark(), 1.0, &steps);
        }
    }
}

/// The angle in degrees by which a text at this share of the circle is turned to run outward, never upside down.
fn readable(share: f64) -> f64 {
    if share < 0.5 { share * 360.0 - 90.0 } else { share * 360.0 - 270.0 }
}
