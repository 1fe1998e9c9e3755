//! The queries of a picture: the subtree, and the colours of its values.

use gt_games::GameKind;
use gt_log::{Kind, Log, Schema, Tree};
use gt_query::engine::{self, Options};
use gt_query::ir::{Expr, Field, Operand, Program, Step};
use gt_query::{Answer, Environment, Error as Unbound, MoveCodec, Type, Value, compile, holds_values};
use gt_report::{Mates, NameMoves, NodeNames, attribute_ranges, labels, move_names};

use crate::error::Error;
use crate::naming::Walk;
use crate::options::PictureOptions;
use crate::scale::{Range, Scale, number};

/// A tree, and the notation of its moves.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The tree's log.
    pub log: &'a Log,
    /// The tree.
    pub tree: Tree<'a>,
    /// Its moves as texts, if they have texts.
    pub moves: Option<&'a dyn MoveCodec>,
    /// Names that moves have where they are made, before all others.
    pub written: Option<&'a dyn NameMoves>,
}

/// The node whose subtree is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) node: u64,
    pub(crate) ply: u64,
    pub(crate) size: u64,
    /// The number of plies in its subtree, including its own.
    pub(crate) plies: u64,
    /// The moves to it.
    pub(crate) line: Vec<i64>,
}

/// Returns the most informative column for a picture: the nodes' kinds if they have names, otherwise their
/// scores.
#[must_use]
pub fn default_color(log: &Log) -> &str {
    let schema = log.schema();
    let kinds = schema.position("type").filter(|place| labels(log, *place).is_some());
    let score = || ["best", "score", "value", "eval"].iter().find_map(|name| schema.position(name));
    kinds.or_else(score).map_or("", |place| &schema.attributes()[place].name)
}

/// The name of the derived column in the queries below.
const COLOR: &str = "gt_picture_color";

impl<'a> Subject<'a> {
    /// The text of a move.
    pub(crate) fn move_text(&self, code: i64) -> String {
        self.moves.and_then(|moves| moves.text(code)).unwrap_or_else(|| code.to_string())
    }

    /// The attribute with the names that nodes give to their moves, if the game has no notation here.
    pub(crate) fn names(&self) -> Option<usize> {
        move_names(self.log.schema()).filter(|_| self.log.game().parse::<GameKind>().is_err())
    }

    /// A walk from the end of a line that names moves where they are made, if they have names there.
    pub(crate) fn walk(&self, line: &[i64]) -> Option<Walk<'a>> {
        self.written.map(|written| Walk::new(written, line))
    }

    /// The moves to a node.
    pub(crate) fn line_texts(&self, node: u64, line: &[i64]) -> Vec<String> {
        let names = self.names().and_then(|_| NodeNames::of(self.tree)?.line(node).ok());
        let mut names = names.unwrap_or_default().into_iter();
        let mut walk = self.walk(&[]);
        let text = |(ply, &code): (usize, &i64)| {
            let written = walk.as_mut().and_then(|walk| walk.to(ply, code));
            let named = names.next().flatten();
            written.or(named).unwrap_or_else(|| self.move_text(code))
        };
        (1..).zip(line).map(text).collect()
    }

    pub(crate) fn compile(&self, text: &str) -> Result<Program, Vec<Unbound>> {
        let mut environment = Environment::new(self.log.schema()).with_ranges(attribute_ranges(self.log));
        for (name, value) in self.tree.metadata().iter().chain(self.log.metadata().iter()) {
            environment = environment.with_metadata(name, value);
        }
        if let Some(moves) = self.moves {
            environment = environment.with_moves(moves);
        }
        compile(text, &environment)
    }

    pub(crate) fn root(&self, node: u64, options: &Options<'_>) -> Result<Root, Error> {
        let text = format!("node: node_id = {node} select @ply, @size, @height, @line");
        let rows = self.rows(&text, "", options)?;
        let nodes = self.tree.nodes();
        let row = rows.into_iter().next().ok_or(Error::NoNode { node, nodes })?;
        let number = |place: usize| match row.get(place) {
            Some(Some(Value::Integer(number))) => u64::try_from(*number).unwrap_or(0),
            _ => 0,
        };
        let line = match row.last() {
            Some(Some(Value::Line(line))) => line.moves(),
            _ => Vec::new(),
        };
        Ok(Root { node, ply: number(0), size: number(1).max(1), plies: number(2) + 1, line })
    }

    /// The query of all nodes of a subtree, in preorder: node_id, ply, size, move, the value for the colour, and
    /// what the node calls its move.
    pub(crate) fn all_nodes(&self, root: &Root, scale: &Scale) -> Result<Program, Error> {
        let (first, end) = (root.node, root.node + root.size);
        let color = if scale.expression.is_empty() { "" } else { ", gt_picture_color" };
        let name = self.names().map(|place| format!(", {}", self.log.schema().attributes()[place].name));
        let name = name.unwrap_or_default();
        let text = format!(
            "{}node: node_id >= {first} and node_id < {end} select node_id, @ply, @size, last_move{color}{name}",
            lets(&scale.expression)
        );
        self.compile(&text).map_err(|errors| color_error(&scale.name, errors))
    }

    pub(crate) fn scale(
        &self,
        wanted: &PictureOptions<'_>,
        root: &Root,
        options: &Options<'_>,
    ) -> Result<Scale, Error> {
        let name = wanted.color.trim();
        if name.is_empty() {
            return Ok(Scale::plain(wanted.theme));
        }
        let (attribute, value_type) = self.resolved(name)?;
        let labels = attribute.and_then(|place| labels(self.log, place));
        let unknown = attribute.and_then(|place| unknown_number(self.log.schema(), place));
        let is_score =
            labels.is_none() && is_score(name) && attribute.is_some_and(|place| self.is_signed(place));
        let expression = match wanted.one_side && is_score {
            // The log's values are the mover's: they change sides with every ply.
            true => format!("({name}) * (1 - 2 * ((@ply - {}) % 2))", root.ply % 2),
            false => name.to_owned(),
        };
        let mut scale = Scale::plain(wanted.theme);
        (scale.name, scale.unknown, scale.one_side) = (name.to_owned(), unknown, expression != name);
        scale.expression = expression;
        scale.mates = Mates::of(self.log, self.tree)
            .filter(|_| attribute.is_some_and(|place| holds_values(self.log.schema(), place)));
        if let Some(labels) = labels {
            scale.of_labels(labels);
        } else if value_type.is_number() {
            let range = self.range(&scale, root, options)?;
            scale.of_range(range);
        } else {
            scale.of_values();
        }
        Ok(scale)
    }

    /// The attribute that an expression is, if it is just that; and its type.
    fn resolved(&self, expression: &str) -> Result<(Option<usize>, Type), Error> {
        let text = format!("{}node: node_id = 0 select {COLOR}", lets(expression));
        // Where the expression breaks off, what is blamed is our own text after it, unless the expression stands alone.
        let program = self.compile(&text).map_err(|errors| {
            let alone = self.compile(&lets(expression)).err();
            color_error(expression, alone.unwrap_or(errors))
        })?;
        let odd = || Error::Color {
            expression: expression.to_owned(),
            sentence: "a colour is one expression over a node, such as `best` or `@size / 2`".to_owned(),
        };
        let [column] = &program.columns[..] else { return Err(odd()) };
        let attribute = match &column.expr {
            Expr::Read(Operand { step: Step::Here, field: Field::Attribute(place), .. }) => Some(*place),
            _ => None,
        };
        let value_type = column.value_type;
        if value_type == Type::Line || program.queries.len() != 1 {
            Err(odd())
        } else {
            Ok((attribute, value_type))
        }
    }

    fn is_signed(&self, place: usize) -> bool {
        matches!(
            self.log.schema().attributes()[place].kind,
            Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::F32 | Kind::F64
        )
    }

    /// The range of most values in the subtree.
    fn range(&self, scale: &Scale, root: &Root, options: &Options<'_>) -> Result<Range, Error> {
        let (first, end) = (root.node, root.node + root.size);
        let known =
            scale.unknown.map_or_else(String::new, |unknown| format!(" and {} != {unknown}", scale.name));
        // Mates are of another kind than evaluations, and take the ends of the ramp.
        let mates = scale
            .mates
            .map_or_else(String::new, |mates| format!(" and abs({}) < {}", scale.name, mates.least()));
        let text = format!(
            "{}node: node_id >= {first} and node_id < {end}{known}{mates} select min({COLOR}), max({COLOR}), \
             quantile({COLOR}, 0.02), quantile({COLOR}, 0.98), quantile(abs({COLOR}), 0.6)",
            lets(&scale.expression)
        );
        let rows = self.rows(&text, &scale.name, options)?;
        let numbers: Vec<Option<f64>> =
            rows.into_iter().next().unwrap_or_default().iter().map(|value| number(value.as_ref())).collect();
        let at = |place: usize| numbers.get(place).copied().flatten().unwrap_or(0.0);
        Ok(Range { min: at(0), max: at(1), low: at(2), high: at(3), usual: at(4) })
    }

    /// The rows of a query; `color` is the expression to blame if it does not bind.
    pub(crate) fn rows(
        &self,
        text: &str,
        color: &str,
        options: &Options<'_>,
    ) -> Result<Vec<Vec<Option<Value>>>, Error> {
        let program = self.compile(text).map_err(|errors| color_error(color, errors))?;
        let answer = engine::run(&program, self.tree, options)?.answers.into_iter().next();
        match answer {
            Some(Ok(Answer::Rows { rows, .. })) => Ok(rows),
            Some(Err(error)) => {
                Err(Error::Color { expression: color.to_owned(), sentence: error.to_string() })
            }
            _ => Ok(Vec::new()),
        }
    }
}

fn lets(expression: &str) -> String {
    if expression.is_empty() { String::new() } else { format!("let {COLOR} = {expression}\n") }
}

fn color_error(expression: &str, errors: Vec<Unbound>) -> Error {
    let sentence = errors.into_iter().next().map_or_else(
        || "it cannot be read".to_owned(),
        |error| match error.label() {
            Some(label) => format!("{error}; {label}"),
            None => error.to_string(),
        },
    );
    Error::Color { expression: expression.chars().take(80).collect(), sentence }
}

/// Names of attributes with scores, whose sign changes with the player to move.
const SCORES: [&str; 6] = ["best", "score", "value", "eval", "static_eval", "evaluation"];

fn is_score(name: &str) -> bool {
    SCORES.contains(&name)
}

/// The number for "unknown" in an attribute: the smallest number of its type, if the log has a name for it.
fn unknown_number(schema: &Schema, place: usize) -> Option<i64> {
    let least = match schema.attributes()[place].kind {
        Kind::I16 => i64::from(i16::MIN),
        Kind::I32 => i64::from(i32::MIN),
        Kind::I64 => i64::MIN,
        _ => return None,
    };
    schema.aliases().iter().any(|alias| alias.value == least).then_some(least)
}
