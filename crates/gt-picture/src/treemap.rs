//! The treemap: children inside their parent, areas in proportion, siblings in the order of the search.
//!
//! A node with enough space has a rectangle; the nodes below it without one are drawn as one rectangle in the mix of
//! their colours, so that a quiescence search of thousands of tiny nodes has its true size.

use gt_query::engine::Options;
use gt_report::plot::escape;

use crate::error::Error;
use crate::gather::{self, Density, Gather, Single};
use crate::label::{fitting, hint};
use crate::legend::{self, HEAD};
use crate::options::PictureOptions;
use crate::question::{Root, Subject};
use crate::scale::Scale;
use crate::sheet::{MARGIN, Sheet, px, rectangle_steps};
use crate::squarified::{Place, fill};

/// The area of the smallest rectangle, in pixels.
const AREA_MIN: f64 = 30.0;
/// The area below which a rectangle has no tooltip of its own.
const HINT_AREA_MIN: f64 = 120.0;
/// Gaps around the rectangles of each ply below the picture's node.
const GAPS: [f64; 5] = [0.0, 3.0, 1.6, 0.8, 0.4];
/// The space for a name above the children of the first plies.
const NAME: f64 = 14.0;
const NAMED_PLIES: usize = 2;

pub(crate) fn draw(
    subject: &Subject<'_>,
    wanted: &PictureOptions<'_>,
    root: &Root,
    scale: &Scale,
    options: &Options<'_>,
) -> Result<String, Error> {
    let width = f64::from(wanted.width) - 2.0 * MARGIN;
    let height = wanted.height.map_or(width * 0.62, f64::from);
    let size_min = root.size as f64 * AREA_MIN / (width * height);
    let mut nest = Nest { boxes: Vec::new(), open: Vec::new(), size_min };
    let counts = gather::walk(subject, root, scale, wanted.marks.map(|(set, _)| set), options, &mut nest)?;
    gather::name_in_place(subject, root, nest.boxes.iter_mut().map(|boxed| &mut boxed.node));
    let mut map =
        Treemap { sheet: Sheet::new(wanted.theme), subject, root, scale, numbered: wanted.numbered };
    legend::head(&mut map.sheet, subject, wanted, root);
    let whole = Place { x: MARGIN, y: HEAD, width, height };
    map.draw(&nest.boxes, whole);
    let notes = ["Areas go by subtree sizes, in the order of the search. Nodes too small for a rectangle are drawn together, \
                  in the mix of their colours."
        .to_owned()];
    let bottom = HEAD + height + 8.0;
    let end = legend::legend(&mut map.sheet, wanted, root, scale, &counts, (bottom, &notes));
    let about = format!("Treemap of the tree: {}", legend::about(subject, root));
    Ok(map.sheet.finish((f64::from(wanted.width), end), wanted.title, &about))
}

/// A node with a rectangle.
struct Boxed {
    node: Single,
    depth: usize,
    /// The boxes of its children, in order.
    children: Vec<usize>,
    /// The nodes below it that have no box and are in none of its children's.
    rest: Density,
}

/// Puts nodes into boxes, in preorder.
struct Nest {
    boxes: Vec<Boxed>,
    /// The boxes around the next node.
    open: Vec<usize>,
    size_min: f64,
}

impl Gather for Nest {
    fn node(&mut self, node: Single) {
        while let Some(&last) = self.open.last() {
            let around = &self.boxes[last].node;
            if node.node < around.node + around.size {
                break;
            }
            self.open.pop();
        }
        let holder = self.open.last().copied();
        if let Some(holder) = holder.filter(|_| (node.size as f64) < self.size_min) {
            self.boxes[holder].rest.add(node.paint.fill, 1.0, node.is_marked);
            return;
        }
        let place = self.boxes.len();
        if let Some(holder) = holder {
            self.boxes[holder].children.push(place);
        }
        self.open.push(place);
        let depth = self.open.len() - 1;
        self.boxes.push(Boxed { node, depth, children: Vec::new(), rest: Density::default() });
    }
}

struct Treemap<'a> {
    sheet: Sheet,
    subject: &'a Subject<'a>,
    root: &'a Root,
    scale: &'a Scale,
    numbered: bool,
}

impl Treemap<'_> {
    fn draw(&mut self, boxes: &[Boxed], whole: Place) {
        let mut places = vec![Place::default(); boxes.len()];
        if let Some(first) = places.first_mut() {
            *first = whole;
        }
        // Boxes come before those inside them.
        for (index, boxed) in boxes.iter().enumerate() {
            let place = shrunk(places[index], GAPS[boxed.depth.min(GAPS.len() - 1)] / 2.0);
            self.single(boxed, place);
            let inner = if is_named(boxed, place) {
                Place { y: place.y + NAME, height: place.height - NAME, ..place }
            } else {
                place
            };
            let mut sizes: Vec<f64> =
                boxed.children.iter().map(|child| boxes[*child].node.size as f64).collect();
            let rest = f64::from(boxed.rest.weight);
            if rest > 0.0 {
                sizes.push(rest);
            }
            let inside = fill(inner, &sizes);
            for (child, place) in boxed.children.iter().zip(&inside) {
                places[*child] = *place;
            }
            if let (Some(color), Some(place)) = (boxed.rest.color(), inside.last().filter(|_| rest > 0.0)) {
                self.rest(color, *place, boxed.rest.is_marked);
            }
        }
    }

    fn rest(&mut self, color: crate::colors::Rgb, place: Place, is_marked: bool) {
        let steps = rectangle_steps((place.x, place.y), (place.width, place.height));
        self.sheet.push(&format!("<path d=\"{steps}\" fill=\"{color}\" pointer-events=\"none\"/>"));
        if is_marked {
            self.mark(place);
        }
    }

    fn single(&mut self, boxed: &Boxed, place: Place) {
        let node = &boxed.node;
        let corners = format!(
            "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            px(place.x),
            px(place.y),
            px(place.width),
            px(place.height)
        );
        let number = if self.numbered { format!(" data-node=\"{}\"", node.node) } else { String::new() };
        let ground = self.sheet.theme().ground();
        let fill = node.paint.fill;
        if place.width * place.height < HINT_AREA_MIN {
            self.sheet
                .push(&format!("<rect {corners} fill=\"{fill}\" stroke=\"{ground}\" stroke-width=\".4\"/>"));
            if node.is_marked {
                self.mark(place);
            }
            return;
        }
        let hint = escape(&hint(self.subject, self.root, self.scale, node));
        self.sheet.push(&format!(
            "<rect {corners} fill=\"{fill}\" stroke=\"{ground}\" stroke-width=\".5\"{number}><title>{hint}</title></rect>"
        ));
        if node.paint.pattern > 0 && place.width.min(place.height) >= 13.0 {
            let fill = self.sheet.pattern(node.paint.pattern, node.paint.fill.ink());
            self.sheet.push(&format!("<rect {corners} fill=\"{fill}\" pointer-events=\"none\"/>"));
        }
        if is_named(boxed, place) {
            let text = fitting(self.subject, node, place.width, 6.2);
            let (x, y, ink) = (px(place.x + 4.0), px(place.y + 11.0), node.paint.fill.ink());
            self.sheet.push(&format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" fill=\"{ink}\" pointer-events=\"none\">{}</text>",
                escape(&text)
            ));
        }
        if node.is_marked {
            self.mark(place);
        }
    }

    fn mark(&mut self, place: Place) {
        let mark = self.sheet.theme().mark();
        let inner = shrunk(place, 0.8);
        self.sheet.push(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"{mark}\" stroke-width=\"1.6\" pointer-events=\"none\"/>",
            px(inner.x),
            px(inner.y),
            px(inner.width.max(0.5)),
            px(inner.height.max(0.5))
        ));
    }
}

fn is_named(boxed: &Boxed, place: Place) -> bool {
    boxed.depth <= NAMED_PLIES && place.width >= 34.0 && place.height >= 2.0 * NAME
}

fn shrunk(place: Place, by: f64) -> Place {
    if place.width.min(place.height) < 4.0 * by {
        return place;
    }
    Place { x: place.x + by, y: place.y + by, width: place.width - 2.0 * by, height: place.height - 2.0 * by }
}
