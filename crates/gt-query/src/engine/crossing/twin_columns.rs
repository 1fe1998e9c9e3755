//! Twins by columns, as far as crossing nodes are concerned: these are added to what blocks gave, and told what came out.

use std::collections::HashMap;

use super::frame::JointFrame;
use super::settle::Settling;
use super::skeleton::JointId;
use crate::engine::Failure;
use crate::engine::parallel::check_at;
use crate::engine::scan::TwinColumns;
use crate::engine::twins::{Groups, Lanes, Results, one, sort_keys, words};
use crate::evaluate::{evaluate, passes};
use crate::ir::{AggregateId, Expr, Scope, TwinId};
use crate::value::Value;
use crate::vocabulary::Function;

/// The aggregates over twins that are made by columns.
pub(super) struct ByColumns<'a> {
    columns: &'a [Option<TwinColumns>],
    threads: usize,
    /// By aggregate: what blocks gave, and what came out.
    pub(super) lanes: Vec<Lanes>,
    pub(super) results: Vec<Option<Results>>,
    /// Twins are the same for all aggregates of the same keys.
    groups: HashMap<TwinId, Groups>,
}

impl<'a> ByColumns<'a> {
    pub(super) fn new(columns: &'a [Option<TwinColumns>], threads: usize) -> Self {
        let lanes = columns.iter().map(|_| Lanes::default()).collect();
        let results = columns.iter().map(|_| None).collect();
        Self { columns, threads, lanes, results, groups: HashMap::new() }
    }

    pub(super) fn columns_of(&self, id: AggregateId) -> Option<&'a TwinColumns> {
        self.columns.get(id.0)?.as_ref()
    }
}

impl Settling<'_> {
    /// Computes an aggregate over twins, whose blocks are all there.
    ///
    /// # Errors
    /// Where the run was cancelled, or too many twins would have to be compared.
    pub(super) fn tell_by_columns(&mut self, id: AggregateId, columns: &TwinColumns) -> Result<(), Failure> {
        let Scope::Twin(twin) = self.program.aggregates[id.0].scope else { return Ok(()) };
        let mut lanes = std::mem::take(&mut self.by_columns.lanes[id.0]);
        for joint in 0..self.skeleton.joints.len() {
            check_at(joint, self.cancel)?;
            self.add_joint(twin, columns, joint, &mut lanes);
        }
        if !columns.keys.is_empty() {
            let groups = Groups::of(&lanes, self.by_columns.threads, self.cancel)?;
            self.by_columns.groups.insert(twin, groups);
            lanes.words.clear();
        }
        let nobody = Groups::default();
        let groups = self.by_columns.groups.get(&twin).unwrap_or(&nobody);
        let results = columns.question.answer(&lanes, groups, self.cancel)?;
        drop(lanes);
        for joint in 0..self.skeleton.joints.len() {
            let row = self.row_of(joint);
            let value = row.and_then(|row| results.value(row));
            let count = || value == Some(Value::Integer(0));
            let value = match columns.question.function {
                Function::Any => Some(Value::Boolean(!count())),
                Function::All => Some(Value::Boolean(count())),
                _ => value,
            };
            self.details.of(joint).aggregates[id.0] = Ok(value);
        }
        self.by_columns.results[id.0] = Some(results);
        Ok(())
    }

    fn row_of(&self, joint: JointId) -> Option<usize> {
        self.details.get(joint).map(|detail| detail.row as usize)
    }

    /// Sets what is read of a crossing node, which stands for itself and for a twin.
    fn add_joint(&self, twin: TwinId, columns: &TwinColumns, joint: JointId, lanes: &mut Lanes) {
        let Some(row) = self.row_of(joint) else { return };
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
        let flags = flags.into_iter().filter(|(holds, _)| *holds).fold(0, |flags, (_, flag)| flags | flag);
        let words: Vec<u64> =
            keys.into_iter().zip(&columns.keys).map(|(key, (_, kind))| one(key, *kind, words)).collect();
        let numbers: Vec<u64> =
            columns.numbers.iter().map(|(_, kind, expr)| one(value(expr), *kind, sort_keys)).collect();
        lanes.set(row, &words, &numbers, flags);
    }
}
