//! Decodes the bytes of a run to values.

use super::chunks;
use super::coding::{Coder, GROUPED, SPARSE, Transform};
use super::context::Context;
use super::decoded::Decoded;
use super::grouped::{Grouping, in_rows};
use super::lane::{Lane, Lanes, each_lane, with_lane};
use super::memory::Memory;
use super::packed::Origin;
use super::run::Run;
use super::sparse::Sparse;
use crate::wire::{Malformed, Newer, Reader, Wire};

impl Run {
    /// Decodes the run of the column with this number.
    pub(crate) fn decode(
        bytes: &[u8],
        column: usize,
        rows: usize,
        context: &mut dyn Context,
        memory: &mut Memory,
    ) -> Wire<Decoded> {
        let mut reader = Reader::new(bytes);
        let transform = read_transform(&mut reader, column)?;
        Self::decode_rest(transform, reader, rows, context, memory)
    }

    /// Decodes what follows the transform's number.
    pub(super) fn decode_rest(
        transform: Transform,
        mut reader: Reader<'_>,
        rows: usize,
        context: &mut dyn Context,
        memory: &mut Memory,
    ) -> Wire<Decoded> {
        match transform {
            Transform::Plain => {
                let (base, lanes) = decode_integers(reader, rows, context, memory)?;
                Ok(Decoded::Offsets { base, lanes })
            }
            Transform::Dictionary | Transform::ListedDictionary => {
                let values = read_dictionary(&mut reader, transform)?;
                decode_codes(values, reader, rows, context, memory)
            }
            Transform::Delta => {
                let (least, lane) = (reader.signed()?, reader.u8()?);
                let (base, deltas) = decode_integers(reader, rows, context, memory)?;
                let lanes = with_lane!(lane, sum_up_plain(deltas, base, least, memory), UNKNOWN_LANE)?;
                Ok(Decoded::Offsets { base: least, lanes })
            }
            Transform::Alternating => {
                let (least, lane) = (reader.signed()?, reader.u8()?);
                let (base, deltas) = decode_integers(reader, rows, context, memory)?;
                let lanes = with_lane!(lane, sum_up_alternating(deltas, base, least, memory), UNKNOWN_LANE)?;
                Ok(Decoded::Offsets { base: least, lanes })
            }
            Transform::PlyDelta => {
                let (least, lane) = (reader.signed()?, reader.u8()?);
                let (base, deltas) = decode_integers(reader, rows, context, memory)?;
                let plies = context.plies()?;
                if plies.len() != rows {
                    return Err(Malformed("its plies are of another length"));
                }
                let lanes =
                    with_lane!(lane, sum_up_plies(deltas, base, least, &plies, memory), UNKNOWN_LANE)?;
                Ok(Decoded::Offsets { base: least, lanes })
            }
            Transform::Relative(other) => {
                let (base, lanes) = decode_integers(reader, rows, context, memory)?;
                let mut values = context.column(other)?;
                if values.len() != rows {
                    return Err(Malformed("it is relative to a column of another length"));
                }
                each_lane!(&lanes, lanes => for (value, lane) in values.iter_mut().zip(lanes) {
                    *value = value.wrapping_add(base).wrapping_add(lane.widen() as i64);
                });
                Ok(Decoded::Wide(values))
            }
            Transform::Ply => Ok(Decoded::Wide(context.plies()?)),
            Transform::Constant => Ok(Decoded::Constant(reader.signed()?)),
        }
    }
}

pub(super) fn read_transform(reader: &mut Reader<'_>, column: usize) -> Wire<Transform> {
    Ok(match reader.u8()? {
        0 => Transform::Plain,
        1 => Transform::ListedDictionary,
        2 => Transform::Delta,
        3 => match reader.unsigned()? {
            other if other < column as u64 => Transform::Relative(other as usize),
            _ => return Err(Malformed("it is relative to a column that does not come before it")),
        },
        4 if column != 0 => Transform::Ply,
        5 => Transform::Constant,
        6 => Transform::Alternating,
        7 if column != 0 => Transform::PlyDelta,
        8 => Transform::Dictionary,
        4 | 7 => return Err(Malformed("sizes cannot follow from plies")),
        _ => return Err(Newer("a transform that this version does not know")),
    })
}

/// How a run's integers are coded, as read from the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Coded {
    pub(super) coder: Coder,
    pub(super) is_sparse: bool,
    pub(super) grouping: Option<Grouping>,
}

impl Coded {
    pub(super) fn read(reader: &mut Reader<'_>) -> Wire<Self> {
        let mut number = reader.u8()?;
        let mut grouping = None;
        if number == GROUPED {
            grouping = Some(Grouping::read(reader)?);
            number = reader.u8()?;
        }
        let is_sparse = number == SPARSE;
        if is_sparse {
            number = reader.u8()?;
        }
        let coder = match number {
            0 => Coder::Packed,
            1 => Coder::Centred,
            2 => Coder::Raw,
            3 => Coder::Planes,
            _ => return Err(Newer("a coder that this version does not know")),
        };
        Ok(Self { coder, is_sparse, grouping })
    }
}

/// The error for an unknown lane number.
const UNKNOWN_LANE: Wire<Lanes> = Err(Newer("a lane that this version does not know"));

const _: () = assert!(Coder::Packed as u8 == 0 && Coder::Planes as u8 == 3);

/// Reads the values of a dictionary in the form in which this transform writes them.
pub(super) fn read_dictionary(reader: &mut Reader<'_>, transform: Transform) -> Wire<Vec<i64>> {
    let count = reader.count()?;
    let mut last = 0_i64;
    let value = |_| {
        let read = reader.signed()?;
        if transform == Transform::ListedDictionary {
            return Ok(read);
        }
        last = last.wrapping_add(read);
        Ok(last)
    };
    (0..count).map(value).collect()
}

fn decode_codes(
    values: Vec<i64>,
    reader: Reader<'_>,
    rows: usize,
    context: &mut dyn Context,
    memory: &mut Memory,
) -> Wire<Decoded> {
    let (base, codes) = decode_integers(reader, rows, context, memory)?;
    let most = each_lane!(&codes, codes => codes.iter().copied().max().map_or(0, Lane::widen));
    if base != 0 || (rows > 0 && most >= values.len() as u64) {
        return Err(Malformed("a code is not in its dictionary"));
    }
    Ok(Decoded::Dictionary { values, codes })
}

fn decode_integers(
    mut reader: Reader<'_>,
    rows: usize,
    context: &mut dyn Context,
    memory: &mut Memory,
) -> Wire<(i64, Lanes)> {
    let coded = Coded::read(&mut reader)?;
    let lane = reader.u8()?;
    let base = reader.signed()?;
    // First the groups: the memory that they take is returned before the integers are decoded.
    let groups = coded.grouping.map(|grouping| grouping.groups(rows, context)).transpose()?;
    let lanes = if coded.is_sparse {
        let sparse = Sparse::read(&mut reader, rows)?;
        let others = decode_coded(reader, sparse.others, (base, lane), coded.coder, memory)?;
        let usual = sparse.usual.wrapping_sub(base) as u64;
        each_lane!(others, others => sparse.expand(others, usual, memory))?
    } else {
        decode_coded(reader, rows, (base, lane), coded.coder, memory)?
    };
    match groups {
        None => Ok((base, lanes)),
        Some(groups) => Ok((base, each_lane!(lanes, lanes => in_rows(lanes, &groups, memory)))),
    }
}

fn decode_coded(
    reader: Reader<'_>,
    rows: usize,
    (base, lane): (i64, u8),
    coder: Coder,
    memory: &mut Memory,
) -> Wire<Lanes> {
    match coder {
        Coder::Packed => chunks::decode(reader, rows, base, lane, Origin::Least, memory),
        Coder::Centred => chunks::decode(reader, rows, base, lane, Origin::Middle, memory),
        Coder::Raw => with_lane!(lane, read_raw(reader, rows), UNKNOWN_LANE),
        Coder::Planes => with_lane!(lane, read_planes(reader, rows), UNKNOWN_LANE),
    }
}

/// Sums up deltas, each `base` plus its lane, from `start` on; `of` turns the sum at a row into the row's value. Two rows are done at a
/// time, so that a rule for every other row takes no test.
fn sum_up<T: Lane>(
    deltas: Lanes,
    (base, start): (i64, i64),
    memory: &mut Memory,
    of: impl Fn(usize, T) -> T,
) -> Wire<Lanes> {
    let (base, mut sum) = (T::narrow(base as u64), T::narrow(start as u64));
    Ok(T::store(each_lane!(deltas, deltas => {
        let mut values = memory.lists.list::<T>(deltas.len());
        let delta = |delta: &_| T::narrow(Lane::widen(*delta)).plus(base);
        let (of_values, last_value) = values.as_chunks_mut();
        let (of_deltas, last_delta) = deltas.as_chunks();
        for (pair, ([first, second], [left, right])) in of_values.iter_mut().zip(of_deltas).enumerate() {
            let (left, right) = (delta(left), delta(right));
            *first = of(2 * pair, sum.plus(left));
            sum = sum.plus(left.plus(right));
            *second = of(2 * pair + 1, sum);
        }
        for (value, last) in last_value.iter_mut().zip(last_delta) {
            *value = of(deltas.len() - 1, sum.plus(delta(last)));
        }
        memory.lists.keep(deltas);
        values
    })))
}

/// Sums up to values relative to `least`.
fn sum_up_plain<T: Lane>(deltas: Lanes, base: i64, least: i64, memory: &mut Memory) -> Wire<Lanes> {
    sum_up::<T>(deltas, (base, least.wrapping_neg()), memory, |_, sum| sum)
}

/// Sums up to values relative to `least`, if every other value was negated before the differences were taken.
fn sum_up_alternating<T: Lane>(deltas: Lanes, base: i64, least: i64, memory: &mut Memory) -> Wire<Lanes> {
    let least = T::narrow(least as u64);
    sum_up::<T>(deltas, (base, 0), memory, |row, sum| {
        let value = if row % 2 == 0 { sum } else { T::default().minus(sum) };
        value.minus(least)
    })
}

/// Sums up to values relative to `least`, if the plies were added to the values before.
fn sum_up_plies<T: Lane>(
    deltas: Lanes,
    base: i64,
    least: i64,
    plies: &[i64],
    memory: &mut Memory,
) -> Wire<Lanes> {
    let start = least.wrapping_neg();
    sum_up::<T>(deltas, (base, start), memory, |row, sum| sum.minus(T::narrow(plies[row] as u64)))
}

fn read_raw<T: Lane>(mut reader: Reader<'_>, rows: usize) -> Wire<Lanes> {
    let bytes = whole(&mut reader, rows * size_of::<T>())?;
    let mut values = vec![T::default(); rows];
    bytemuck::cast_slice_mut(&mut values).copy_from_slice(bytes);
    Ok(T::store(values))
}

fn read_planes<T: Lane>(mut reader: Reader<'_>, rows: usize) -> Wire<Lanes> {
    let bytes = whole(&mut reader, rows * size_of::<T>())?;
    let mut values = vec![T::default(); rows];
    if rows > 0 {
        for (plane, bytes) in bytes.chunks_exact(rows).enumerate() {
            for (value, &byte) in values.iter_mut().zip(bytes) {
                *value = value.plus(T::narrow(u64::from(byte) << (8 * plane)));
            }
        }
    }
    Ok(T::store(values))
}

fn whole<'a>(reader: &mut Reader<'a>, length: usize) -> Wire<&'a [u8]> {
    let bytes = reader.bytes(length)?;
    if !reader.is_empty() {
        return Err(Malformed("a column is longer than its values"));
    }
    Ok(bytes)
}
