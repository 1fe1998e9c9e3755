//! What each row of a group gathers from the others of it.
//!
//! ```text
//! nothing is compared      all of the group, less the row itself; of `min` and `max` the best two are kept
//! a few rows               each is compared with each
//! many rows                counts by sorting (`ranks`)
//! ```

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use super::groups::{Groups, Part};
use super::lanes::{Lanes, float_of_key, integer_of_key};
use super::ranks::{Compared, counts};
use crate::engine::Failure;
use crate::engine::parallel::check_at;
use crate::ir::Comparison;
use crate::mean::Mean;
use crate::value::Value;
use crate::vocabulary::Function;

/// Up to so many rows are compared each with each.
const FEW: usize = 48;

/// The groups of one part may take so many comparisons of each with each: some seconds.
const PAIRS_MAX: u64 = 1 << 35;

/// What is asked of twins.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Question {
    pub(in crate::engine) function: Function,
    /// Places of lanes: of the twin, and of the node.
    pub(in crate::engine) pairs: Vec<(Comparison, usize, usize)>,
    /// The place of what is taken of a twin, and whether it is a float.
    pub(in crate::engine) argument: Option<(usize, bool)>,
}

/// The value of an aggregate at every row.
#[derive(Debug, Default)]
pub(in crate::engine) struct Results {
    /// Integers, or the bits of floats.
    values: Vec<u64>,
    /// Where rows can be without a value: 1 where there is one.
    known: Vec<u8>,
    is_float: bool,
}

impl Results {
    /// The value of a row.
    pub(in crate::engine) fn value(&self, row: usize) -> Option<Value> {
        let bits = *self.values.get(row)?;
        if !self.is_known(row) {
            return None;
        }
        if self.is_float {
            Value::float(f64::from_bits(bits))
        } else {
            Some(Value::Integer(bits.cast_signed().into()))
        }
    }

    pub(in crate::engine) fn is_known(&self, row: usize) -> bool {
        self.known.is_empty() || self.known.get(row) == Some(&1)
    }

    /// The values of so many rows, as integers and as floats; what is unknown is 0 and NaN.
    pub(in crate::engine) fn integers_into(&self, first: usize, rows: usize, out: &mut Vec<i64>) {
        out.clear();
        out.extend(self.values.iter().skip(first).take(rows).map(|value| value.cast_signed()));
        out.resize(rows, 0);
    }

    pub(in crate::engine) fn floats_into(&self, first: usize, rows: usize, out: &mut Vec<f64>) {
        out.clear();
        let float = |row: usize| match self.values.get(row) {
            Some(bits) if self.is_known(row) => f64::from_bits(*bits),
            _ => f64::NAN,
        };
        out.extend((first..first + rows).map(float));
    }
}

impl Question {
    /// Whether rows can be without a value.
    fn can_be_unknown(&self) -> bool {
        matches!(self.function, Function::Min | Function::Max | Function::Avg)
    }

    /// Answers it for all rows.
    ///
    /// # Errors
    /// Where the run was cancelled, or too many rows would have to be compared each with each.
    pub(in crate::engine) fn answer(
        &self,
        lanes: &Lanes,
        groups: &Groups,
        cancel: Option<&AtomicBool>,
    ) -> Result<Results, Failure> {
        let rows = lanes.flags.len();
        let values: Vec<AtomicU64> = (0..rows).map(|_| AtomicU64::new(0)).collect();
        let known: Vec<AtomicU8> =
            (0..if self.can_be_unknown() { rows } else { 0 }).map(|_| AtomicU8::new(0)).collect();
        let put = |row: u32, value: u64| {
            // Every row is in one group, so nobody else writes here.
            values[row as usize].store(value, Ordering::Relaxed);
            known.get(row as usize).into_iter().for_each(|known| known.store(1, Ordering::Relaxed));
        };
        std::thread::scope(|scope| {
            let spawn = |part| scope.spawn(move || Folding::new(self, lanes).part(part, cancel, &put));
            let spawned: Vec<_> = groups.parts.iter().map(spawn).collect();
            spawned
                .into_iter()
                .try_for_each(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })?;
        let is_float = self.function == Function::Avg || self.argument.is_some_and(|(_, is_float)| is_float);
        let values = values.into_iter().map(AtomicU64::into_inner).collect();
        Ok(Results { values, known: known.into_iter().map(AtomicU8::into_inner).collect(), is_float })
    }
}

/// The group at hand, and the room that groups use after one another.
struct Folding<'a> {
    question: &'a Question,
    lanes: &'a Lanes,
    is_twin: Vec<bool>,
    is_node: Vec<bool>,
    /// What is compared, by pair: of twins, of nodes.
    compared: Vec<(Vec<u64>, Vec<u64>)>,
    argument: Vec<u64>,
    /// How many comparisons there may still be, of groups that are not few.
    pairs_left: u64,
}

impl<'a> Folding<'a> {
    fn new(question: &'a Question, lanes: &'a Lanes) -> Self {
        Self {
            question,
            lanes,
            is_twin: Vec::new(),
            is_node: Vec::new(),
            compared: vec![Default::default(); question.pairs.len()],
            argument: Vec::new(),
            pairs_left: PAIRS_MAX,
        }
    }

    fn part(
        mut self,
        part: &Part,
        cancel: Option<&AtomicBool>,
        put: &impl Fn(u32, u64),
    ) -> Result<(), Failure> {
        for (place, rows) in part.groups().enumerate() {
            check_at(place, cancel)?;
            self.load(rows);
            if self.compared.is_empty() {
                self.of_all(rows, put);
            } else if rows.len() <= FEW {
                self.each_with_each(rows, put);
            } else {
                self.of_many(rows, put)?;
            }
        }
        Ok(())
    }

    /// Puts what is read of the rows side by side.
    fn load(&mut self, rows: &[u32]) {
        let copy = |lane: &[u64], out: &mut Vec<u64>| {
            out.clear();
            out.extend(rows.iter().map(|row| lane[*row as usize]));
        };
        let flag = |flag: u8, out: &mut Vec<bool>| {
            out.clear();
            out.extend(rows.iter().map(|row| self.lanes.flags[*row as usize] & flag != 0));
        };
        flag(Lanes::TWIN, &mut self.is_twin);
        flag(Lanes::NODE, &mut self.is_node);
        for ((_, of_twin, of_node), (twins, nodes)) in self.question.pairs.iter().zip(&mut self.compared) {
            copy(&self.lanes.numbers[*of_twin], twins);
            copy(&self.lanes.numbers[*of_node], nodes);
        }
        if let Some((argument, _)) = self.question.argument {
            copy(&self.lanes.numbers[argument], &mut self.argument);
        }
    }

    /// Where nothing is compared: all twins of the group, less the row itself.
    fn of_all(&self, rows: &[u32], put: &impl Fn(u32, u64)) {
        let mut all = Gathered::default();
        let twins = || (0..rows.len()).filter(|place| self.is_twin[*place]);
        twins().for_each(|place| all.add(self.taken(place)));
        for (place, row) in rows.iter().enumerate().filter(|(place, _)| self.is_node[*place]) {
            let mut own = all;
            if self.is_twin[place] {
                own.remove(self.taken(place));
            }
            self.put(*row, &own, put);
        }
    }

    fn each_with_each(&self, rows: &[u32], put: &impl Fn(u32, u64)) {
        for (node, row) in rows.iter().enumerate().filter(|(node, _)| self.is_node[*node]) {
            let mut gathered = Gathered::default();
            for twin in (0..rows.len()).filter(|twin| *twin != node && self.is_twin[*twin]) {
                if self.holds(twin, node) {
                    gathered.add(self.taken(twin));
                }
            }
            self.put(*row, &gathered, put);
        }
    }

    fn of_many(&mut self, rows: &[u32], put: &impl Fn(u32, u64)) -> Result<(), Failure> {
        if self.question.argument.is_none() && self.compared.len() <= 2 {
            let compared: Vec<Compared> = self
                .question
                .pairs
                .iter()
                .zip(&self.compared)
                .map(|((comparison, ..), (twins, nodes))| Compared {
                    comparison: *comparison,
                    of_twin: twins.clone(),
                    of_node: nodes.clone(),
                })
                .collect();
            if let Some(counts) = counts(&compared, &self.is_twin) {
                for (place, row) in rows.iter().enumerate().filter(|(place, _)| self.is_node[*place]) {
                    let is_own = self.is_twin[place] && self.holds(place, place);
                    put(*row, u64::from(counts[place] - u32::from(is_own)));
                }
                return Ok(());
            }
        }
        let pairs = (rows.len() as u64).saturating_mul(rows.len() as u64);
        match self.pairs_left.checked_sub(pairs) {
            Some(left) => self.pairs_left = left,
            None => return Err(Failure::TooManyTwins { nodes: rows.len() as u64 }),
        }
        self.each_with_each(rows, put);
        Ok(())
    }

    fn holds(&self, twin: usize, node: usize) -> bool {
        let mut pairs = self.question.pairs.iter().zip(&self.compared);
        pairs.all(|((comparison, ..), (twins, nodes))| comparison.holds(twins[twin].cmp(&nodes[node])))
    }

    fn taken(&self, place: usize) -> u64 {
        self.argument.get(place).copied().unwrap_or(0)
    }

    fn put(&self, row: u32, gathered: &Gathered, put: &impl Fn(u32, u64)) {
        let is_float = self.question.argument.is_some_and(|(_, is_float)| is_float);
        let bits = |key: u64| {
            if is_float { float_of_key(key).to_bits() } else { integer_of_key(key).cast_unsigned() }
        };
        match self.question.function {
            Function::Sum => put(row, gathered.sum.cast_unsigned()),
            Function::Avg if gathered.count > 0 => {
                let mut mean = Mean::default();
                mean.add_integers(gathered.sum.into(), gathered.count.into());
                mean.value().into_iter().for_each(|mean| put(row, mean.to_bits()));
            }
            Function::Min if gathered.count > 0 => put(row, bits(gathered.least[0])),
            Function::Max if gathered.count > 0 => put(row, bits(gathered.most[0])),
            Function::Avg | Function::Min | Function::Max => {}
            // All others count.
            _ => put(row, gathered.count.into()),
        }
    }
}

/// What was gathered of some twins: enough to take one of them out again.
#[derive(Clone, Copy)]
struct Gathered {
    count: u32,
    /// Of integers; it fits.
    sum: i64,
    /// The two least, and the two greatest.
    least: [u64; 2],
    most: [u64; 2],
}

impl Default for Gathered {
    fn default() -> Self {
        Self { count: 0, sum: 0, least: [u64::MAX; 2], most: [0; 2] }
    }
}

impl Gathered {
    #[inline]
    fn add(&mut self, key: u64) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(integer_of_key(key));
        self.least = [self.least[0].min(key), self.least[1].min(self.least[0].max(key))];
        self.most = [self.most[0].max(key), self.most[1].max(self.most[0].min(key))];
    }

    /// Takes out one that was added; after that no other can be.
    #[inline]
    fn remove(&mut self, key: u64) {
        self.count -= 1;
        self.sum = self.sum.wrapping_sub(integer_of_key(key));
        if self.least[0] == key {
            self.least[0] = self.least[1];
        }
        if self.most[0] == key {
            self.most[0] = self.most[1];
        }
    }
}
