//! Twins by columns, for crossing nodes: these are added to the blocks' contributions, and receive the results.

use super::frame::JointFrame;
use super::settle::Settling;
use super::skeleton::JointId;
use crate::engine::Failure;
use crate::engine::parallel::check_at;
use crate::engine::scan::TwinColumns;
use crate::engine::twins::{Arranged, Lanes, Question, answer, sort_keys, word_of_value, words};
use crate::evaluate::{evaluate, passes};
use crate::ir::{AggregateId, Expr, Scope};
use crate::value::Value;
use crate::vocabulary::Function;

impl Settling<'_> {
    /// Computes an aggregate over twins, whose blocks are all present, and those computed with it.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled, or too many twins would have to be compared.
    pub(super) fn tell_by_columns(&mut self, id: AggregateId) -> Result<(), Failure> {
        if self.by_columns.results[id.0].is_some() {
            return Ok(());
        }
        let joints = self.skeleton.joints.len();
        let together = TwinColumns::answered_with(self.by_columns.columns, id);
        let (gathered, places) = TwinColumns::gathered(&together);
        let mut lanes = Vec::with_capacity(gathered.len());
        for (id, columns) in &gathered {
            lanes.push(self.lanes_of_joints(*id, columns)?);
        }
        // Crossing nodes are one more block, after all others.
        let mut blocks = std::mem::take(&mut self.by_columns.blocks[id.0]);
        let last = blocks.len();
        let buckets = blocks.first().map_or(1, Arranged::bucket_count);
        blocks.push(Arranged::of(lanes, buckets));
        let questions: Vec<(&Question, usize)> =
            together.iter().zip(places).map(|((_, columns), place)| (&columns.question, place)).collect();
        let all = answer(blocks, &questions, self.by_columns.threads, self.cancel)?;
        for ((id, columns), results) in together.into_iter().zip(all) {
            for (joint, value) in results.values(last, joints).into_iter().enumerate() {
                self.details.set_aggregate(joint, id, Ok(shown(columns.question.function, value)));
            }
            self.by_columns.results[id.0] = Some(results);
        }
        Ok(())
    }

    /// The lanes of crossing nodes, a row for each.
    fn lanes_of_joints(&self, id: AggregateId, columns: &TwinColumns) -> Result<Lanes, Failure> {
        let joints = self.skeleton.joints.len();
        let mut lanes = Lanes {
            words: vec![vec![0; joints]; columns.keys.len()],
            numbers: vec![vec![0; joints]; columns.numbers.len()],
            flags: vec![0; joints],
        };
        for joint in 0..joints {
            check_at(joint, self.cancel)?;
            self.set_joint(id, columns, joint, &mut lanes);
        }
        Ok(lanes)
    }

    /// Sets the lanes of a crossing node, which stands for itself and for a twin.
    fn set_joint(&self, id: AggregateId, columns: &TwinColumns, joint: JointId, lanes: &mut Lanes) {
        let Scope::Twin(twin) = self.program.aggregates[id.0].scope else { return };
        let frame = JointFrame { other: Some(joint), ..self.at(joint) };
        let value = |expr: &Expr| evaluate(expr, &frame).ok().flatten();
        let keys: Vec<Option<Value>> = self.program.twins[twin.0].iter().map(value).collect();
        let form = &columns.form;
        let hold = |conditions: &[(Expr, bool)]| {
            conditions.iter().all(|(expr, holds)| passes(expr, &frame).is_ok_and(|passes| passes == *holds))
        };
        let known = |expr: &Expr| value(expr).is_some();
        let is_twin = hold(&form.of_twin)
            && form.pairs.iter().all(|(_, twin, _)| known(twin))
            && form.argument.iter().all(known);
        let is_node = hold(&form.of_node) && form.pairs.iter().all(|(_, _, node)| known(node));
        let flags = [
            (keys.iter().all(Option::is_some), Lanes::KEYED),
            (is_twin, Lanes::TWIN),
            (is_node, Lanes::NODE),
        ];
        lanes.flags[joint] =
            flags.into_iter().filter(|(holds, _)| *holds).fold(0, |flags, (_, flag)| flags | flag);
        for ((key, (_, kind)), lane) in keys.into_iter().zip(&columns.keys).zip(&mut lanes.words) {
            lane[joint] = word_of_value(key, *kind, |vector| words(vector, &columns.texts));
        }
        for ((_, kind, expr), lane) in columns.numbers.iter().zip(&mut lanes.numbers) {
            lane[joint] = word_of_value(value(expr), *kind, sort_keys);
        }
    }
}

/// The value of an aggregate whose twins were counted or folded.
fn shown(function: Function, value: Option<Value>) -> Option<Value> {
    let is_none = value == Some(Value::Integer(0));
    match function {
        Function::Any => Some(Value::Boolean(!is_none)),
        Function::All => Some(Value::Boolean(is_none)),
        _ => value,
    }
}
