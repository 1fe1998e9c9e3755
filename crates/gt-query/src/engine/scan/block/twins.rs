//! A block's contribution to aggregates over twins, and the values that it reads from them.

use super::Scanner;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::Member;
use crate::engine::scan::graph::{Aspect, Lane, TwinColumns};
use crate::engine::twins::{Lanes, Results, sort_keys, words};
use crate::engine::vector::Vector;
use crate::evaluate::{Evaluated, Frame};
use crate::ir::{AggregateId, Operand};
use crate::value::{Overflow, Value};

/// A row, and its role as a twin; an overflow if a key overflows.
type RowMember = (usize, Result<Option<Member>, Overflow>);

impl Scanner<'_> {
    /// The values of the rows that an aggregate over twins, computed by columns, reads; those of crossing nodes are
    /// still missing.
    pub(in crate::engine::scan) fn twin_lanes(&mut self, columns: &TwinColumns) -> Result<Lanes, Failure> {
        let tests =
            [(columns.keyed, Lanes::KEYED), (columns.is_twin, Lanes::TWIN), (columns.is_node, Lanes::NODE)];
        let mut lanes = Lanes { flags: vec![0; self.rows()], ..Lanes::default() };
        for (test, flag) in tests {
            self.test(test)?;
            let bitmap = self.known_test(test);
            if bitmap.count() == lanes.flags.len() as u64 {
                lanes.flags.iter_mut().for_each(|flags| *flags |= flag);
            } else {
                bitmap.each(|row| lanes.flags[row] |= flag);
            }
        }
        self.shape.regions.closed.iter().for_each(|row| lanes.flags[*row] = 0);
        for (number, _) in &columns.keys {
            self.number(*number)?;
            lanes.words.push(words(self.vector(*number), &columns.texts));
        }
        for (number, ..) in &columns.numbers {
            self.number(*number)?;
            lanes.numbers.push(sort_keys(self.vector(*number)));
        }
        Ok(lanes)
    }

    /// The results of an aggregate that was computed by columns.
    fn twin_results(&self, id: AggregateId) -> Option<&Results> {
        self.elsewhere.twin_results.get(id.0)?.as_ref()
    }

    /// The values of an aggregate over twins.
    pub(super) fn told_of_twins(
        &mut self,
        id: AggregateId,
        lane: Lane,
        out: &mut Vector,
    ) -> Result<(), Failure> {
        let (block, rows) = (self.shape.block, self.rows());
        match (self.twin_results(id), lane) {
            (Some(results), Lane::Float) => results.floats_into(block, rows, out.floats_mut()),
            (Some(results), _) => results.integers_into(block, rows, out.integers_mut()),
            (None, _) => {
                self.tell_twins(id)?;
                let values = self.twin_values[&id.0].iter();
                let values: Vec<_> = values.map(|value| value.as_ref().ok().cloned().flatten()).collect();
                out.set_values(lane.kind(), &values);
            }
        }
        Ok(())
    }

    /// An aspect of an aggregate over twins.
    pub(super) fn told_test_of_twins(
        &mut self,
        id: AggregateId,
        aspect: Aspect,
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        let holds: Vec<u8> = match self.twin_results(id) {
            // Only whether there is a value matters to them.
            Some(results) => results.known(self.shape.block, self.rows()),
            None => {
                self.tell_twins(id)?;
                self.twin_values[&id.0].iter().map(|value| u8::from(aspect.holds(value))).collect()
            }
        };
        out.pack(&holds, |holds| holds);
        Ok(())
    }

    /// Computes an aggregate over twins at each inner row.
    fn tell_twins(&mut self, id: AggregateId) -> Result<(), Failure> {
        if self.twin_values.contains_key(&id.0) {
            return Ok(());
        }
        let members = self.twin_members(id)?;
        let own = self.compiled.twins[id.0].iter().flat_map(|twins| twins.own.clone());
        let own: Vec<_> = own.collect();
        for (_, scalar) in &own {
            self.scalar(scalar)?;
        }
        let nothing = Ok(None);
        let mut values = vec![nothing; self.rows()];
        let Some(twins) = self.elsewhere.twins.get(id.0).and_then(Option::as_ref) else { return Ok(()) };
        for (row, member) in members {
            let read: Vec<(Operand, Evaluated)> =
                own.iter().map(|(operand, scalar)| (*operand, self.evaluated(scalar, row))).collect();
            values[row] = member.and_then(|member| twins.tell(self.program, id, member, &Own(&read)));
        }
        self.twin_values.insert(id.0, values);
        Ok(())
    }

    /// The role of each inner row as a twin; `None` if it has none, and an overflow if a key overflows.
    pub(in crate::engine::scan) fn twin_members(
        &mut self,
        id: AggregateId,
    ) -> Result<Vec<RowMember>, Failure> {
        let Some(parts) = self.compiled.twins[id.0].clone() else { return Ok(Vec::new()) };
        for scalar in parts.keys.iter().chain(&parts.others) {
            self.scalar(scalar)?;
        }
        self.shape.branches()?;
        let crossing = self.shape.crossing();
        let rows: Vec<u32> = (0..self.rows() as u32).filter(|row| !crossing.get(*row as usize)).collect();
        let ids = self.ids_of(&rows)?;
        let member = |(row, node_id): (&u32, u64)| {
            let row = *row as usize;
            let key: Result<Vec<_>, Overflow> =
                parts.keys.iter().map(|key| self.evaluated(key, row)).collect();
            let read = || parts.others.iter().map(|other| self.evaluated(other, row)).collect();
            let member = key.map(|key| {
                let key: Option<Vec<Value>> = key.into_iter().collect();
                key.map(|key| Member { key, node_id, read: read() })
            });
            (row, member)
        };
        Ok(rows.iter().zip(ids).map(member).collect())
    }
}

/// The values of a node that an aggregate over twins reads.
struct Own<'a>(&'a [(Operand, Evaluated)]);

impl Frame for Own<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let found = self.0.iter().find(|(own, _)| *own == operand);
        found.map_or(Ok(None), |(_, value)| value.clone())
    }
    fn aggregate(&self, _: AggregateId) -> Evaluated {
        Ok(None)
    }
}
