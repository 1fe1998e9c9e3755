//! The values of relatives: index vectors, and the values at the indices.
//!
//! An index counts through the rows of the block, and then through its *ghosts*: nodes of other blocks that its rows
//! refer to, whose values are in [`Details`](crate::engine::crossing::Details).

use std::hint::select_unpredictable;

use super::Scanner;
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::JointId;
use crate::engine::folds::{NOBODY, Relations, Surroundings};
use crate::engine::plan::Fringe;
use crate::engine::scan::graph::{Aspect, Base, NumberId, Relative, TestId};
use crate::engine::vector::{Vector, each_ghost, gather, gather_bits};
use crate::evaluate::Evaluated;
use crate::ir::{Field, Step};
use crate::value::Value;

impl Scanner<'_> {
    /// The relations among the rows.
    pub(in crate::engine::scan) fn relations(&mut self) -> Result<&Relations, Failure> {
        if self.relations.is_none() {
            let sizes = self.shape.sizes()?.to_vec();
            let surroundings = self.surroundings();
            let made = Relations::new(sizes, &self.shape.regions, surroundings);
            self.relations = Some(made.map_err(|row| self.damaged(row))?);
        }
        self.relations.as_ref().ok_or_else(|| self.damaged(0))
    }

    /// The relatives that each segment's nodes have outside the segment.
    fn surroundings(&mut self) -> Vec<Surroundings> {
        let details = self.elsewhere.details;
        let reads_siblings = self.elsewhere.plan.fringe.is_some_and(Fringe::keeps_any);
        let segments = self.shape.regions.segments.clone();
        let known = details.segments(self.shape.block);
        let of = segments.iter().enumerate().map(|(place, region)| {
            let first_index = known.get(place).map_or(0, |segment| segment.first_index);
            let sibling =
                |index: Option<u64>| details.child(region.parent.filter(|_| reads_siblings)?, index?);
            let (before, after) = (first_index.checked_sub(1), first_index + region.count as u64);
            (region.parent, sibling(before), sibling(Some(after)), first_index as i64)
        });
        let found: Vec<_> = of.collect();
        let mut surroundings = Vec::with_capacity(found.len());
        for (parent, before, after, first_index) in found {
            let [parent, before, after] =
                [parent, before, after].map(|joint| joint.map_or(NOBODY, |joint| self.ghost(joint)));
            surroundings.push(Surroundings { parent, before, after, first_index });
        }
        surroundings
    }

    /// The index of a ghost, which is added if it is new.
    pub(super) fn ghost(&mut self, joint: JointId) -> u32 {
        let next = (self.rows() + self.ghosts.len()) as u32;
        let place = *self.ghost_places.entry(joint).or_insert(next);
        if place == next {
            self.ghosts.push(joint);
        }
        place
    }

    /// The relative of each row (or pair); the vector must be given back.
    pub(super) fn take_indexes(&mut self, relative: Relative) -> Result<Vec<u32>, Failure> {
        if let Some(indexes) = self.indexes.get_mut(&relative) {
            return Ok(std::mem::take(indexes));
        }
        self.relations()?;
        if relative.base == Base::Row
            && let Some(indexes) = self.one_step(relative.step)
        {
            return Ok(indexes);
        }
        let mut indexes = match relative.base {
            Base::Row => (0..self.rows() as u32).collect(),
            Base::Parent => self.known_relations().parents().to_vec(),
            Base::First => self.pairs[0].clone(),
            Base::Second => self.pairs[1].clone(),
        };
        match relative.step {
            Step::Here => {}
            Step::Parent => self.each_step(&mut indexes, Step::Parent, Relations::parents),
            Step::Grandparent => {
                self.each_step(&mut indexes, Step::Parent, Relations::parents);
                self.each_step(&mut indexes, Step::Parent, Relations::parents);
            }
            Step::Sibling(places) => {
                let links = if places < 0 { Relations::previous } else { Relations::next };
                for _ in 0..places.unsigned_abs() {
                    if indexes.iter().all(|index| *index == NOBODY) {
                        break;
                    }
                    self.each_step(&mut indexes, Step::Sibling(places.signum()), links);
                }
            }
            Step::Child(place) => self.step_to_children(&mut indexes, place),
        }
        Ok(indexes)
    }

    /// The index one step away from each row, if the relations have it.
    fn one_step(&self, step: Step) -> Option<Vec<u32>> {
        let relations = self.known_relations();
        match step {
            Step::Parent => Some(relations.parents().to_vec()),
            Step::Sibling(-1) => Some(relations.previous().to_vec()),
            Step::Sibling(1) => Some(relations.next().to_vec()),
            Step::Child(0) => Some(relations.first_children().to_vec()),
            Step::Child(-1) => Some(relations.last_children()),
            Step::Here | Step::Grandparent | Step::Sibling(_) | Step::Child(_) => None,
        }
    }

    pub(super) fn give_indexes(&mut self, relative: Relative, indexes: Vec<u32>) {
        if matches!(relative.base, Base::Row | Base::Parent) {
            self.indexes.insert(relative, indexes);
        }
    }

    pub(super) fn known_relations(&self) -> &Relations {
        self.relations.as_ref().expect("relations are made before anybody asks for relatives")
    }

    /// Takes a step from every index: from rows by the relations, from ghosts by their details.
    fn each_step(&mut self, indexes: &mut [u32], step: Step, links: impl Fn(&Relations) -> &[u32]) {
        self.step_from_ghosts(indexes, step, |this, indexes| {
            follow(indexes, links(this.known_relations()));
        });
    }

    /// Takes a step from every index: `of_rows` from those of rows, this function from ghosts.
    fn step_from_ghosts(&mut self, indexes: &mut [u32], step: Step, of_rows: impl FnOnce(&Self, &mut [u32])) {
        let mut ghosts = Vec::new();
        each_ghost(indexes, self.rows(), |place, _| ghosts.push((place, indexes[place])));
        of_rows(self, indexes);
        for (place, ghost) in ghosts {
            indexes[place] = self.ghost_step(ghost, step);
        }
    }

    fn ghost_step(&mut self, index: u32, step: Step) -> u32 {
        let joint = self.ghosts[index as usize - self.rows()];
        let to = self.elsewhere.details.step(joint, step);
        to.map_or(NOBODY, |joint| self.ghost(joint))
    }

    fn step_to_children(&mut self, indexes: &mut [u32], place: i32) {
        self.step_from_ghosts(indexes, Step::Child(place), |this, indexes| {
            let relations = this.known_relations();
            // A child's index from the front counts siblings after the first, from the end siblings before the last.
            let (links, steps): (fn(&Relations) -> &[u32], _) = if place >= 0 {
                follow(indexes, relations.first_children());
                (Relations::next, place.unsigned_abs())
            } else {
                follow(indexes, &relations.last_children());
                (Relations::previous, place.unsigned_abs() - 1)
            };
            for _ in 0..steps {
                if indexes.iter().all(|index| *index as usize >= relations.rows()) {
                    break;
                }
                follow(indexes, links(relations));
            }
        });
    }

    /// Gathers the values of a field at relatives; `number` computes the field.
    pub(super) fn gather_number(
        &mut self,
        relative: Relative,
        number: NumberId,
        field: Field,
        out: &mut Vector,
    ) -> Result<(), Failure> {
        let indexes = self.take_indexes(relative)?;
        if self.ghost_numbers.get(&number).is_none_or(|known| known.len() < self.ghosts.len()) {
            let values: Vec<Option<Value>> =
                self.ghosts.iter().map(|joint| self.ghost_field(*joint, field).ok().flatten()).collect();
            let ghosts = self.ghost_numbers.entry(number).or_default();
            ghosts.set_values(self.compiled.lanes[number].kind(), &values);
        }
        gather(&indexes, &self.buffers.numbers[number], &self.ghost_numbers[&number], out);
        self.give_indexes(relative, indexes);
        Ok(())
    }

    /// The rows at whose relatives a test holds; it tests this aspect of the field.
    pub(super) fn gather_test(
        &mut self,
        relative: Relative,
        test: TestId,
        field: Field,
        aspect: Aspect,
        out: &mut Bitmap,
    ) -> Result<(), Failure> {
        let indexes = self.take_indexes(relative)?;
        if self.ghost_tests.get(&test).is_none_or(|known| known.rows() < self.ghosts.len()) {
            let of_ghost = |joint: &JointId| u8::from(aspect.holds(&self.ghost_field(*joint, field)));
            let values: Vec<u8> = self.ghosts.iter().map(of_ghost).collect();
            self.ghost_tests.entry(test).or_default().pack(&values, |value| value);
        }
        gather_bits(&indexes, &self.buffers.tests[test], &self.ghost_tests[&test], out);
        self.give_indexes(relative, indexes);
        Ok(())
    }

    fn ghost_field(&self, joint: JointId, field: Field) -> Evaluated {
        self.elsewhere.details.field(self.elsewhere.plan, joint, field)
    }
}

/// Replaces each row by its link; other indexes remain.
fn follow(indexes: &mut [u32], links: &[u32]) {
    let Some(last) = links.len().checked_sub(1) else { return };
    for index in indexes {
        // Branch-free: whether there is such a relative is unpredictable.
        let link = links[(*index as usize).min(last)];
        *index = select_unpredictable(*index as usize <= last, link, *index);
    }
}
