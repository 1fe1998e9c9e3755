//! The first nodes of a list: with a limit, and in the order of node_id, the first blocks may be enough.
//!
//! ```text
//! blocks      0   1   2 … 5 │ 6 …      the first six have as many inner nodes that match as are wanted
//! joints      a b   c     d │ e …      those that begin in them; all others, and all other nodes, come later
//! rows of them          2       40     in these blocks
//! ```
//!
//! Only a part of the blocks is searched this way: if matches are rare, the list is found like any other.

use std::time::Instant;

use super::Run;
use crate::engine::Failure;
use crate::engine::collect::MatchDetail;
use crate::engine::crossing::{Details, Settling, Skeleton};
use crate::engine::parallel;
use crate::engine::plan::{Plan, exprs_of};
use crate::engine::scan::{Buffers, Elsewhere, Scan, ScanWork};
use crate::ir::{Anchor, Arrangement, Expr, Field, Operand, Outcome, Program, Step, Structure};

/// The part of the blocks that are searched.
const PART: usize = 16;
/// The query's index in its program, which has no others.
const QUERY: usize = 0;

impl Run<'_, '_, '_, '_> {
    /// Answers a list with a limit from the first blocks, and returns whether they are enough.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read, or the run was cancelled.
    pub(super) fn answer_from_first_blocks(&mut self) -> Result<bool, Failure> {
        let (program, tree, options) = (self.program, self.tree, self.options);
        let is_whole = options.blocks.is_none() && options.within.is_none();
        let most = tree.block_count() / PART;
        if !is_whole || most == 0 || self.wanted != [MatchDetail::Values] || limit_of_list(program).is_none()
        {
            return Ok(false);
        }
        let plan = Plan::new(program, &[QUERY], &[QUERY]);
        let scan = Scan::of(program, tree, &plan, &self.wanted, false);
        let Some(limit) = enough(program, &scan) else { return Ok(false) };
        let started = Instant::now();
        let skeleton = Skeleton::of(tree)?;
        let mut settling = Settling::new(program, &plan, &skeleton, &[], options);
        let Some(blocks) = self.first_blocks_with(limit, most, &scan, &settling)? else { return Ok(false) };
        let joints = skeleton.added(blocks - 1).end;
        let mut closing: Vec<usize> =
            skeleton.closing_places().into_iter().take(joints).map(|(block, _)| block).collect();
        closing.sort_unstable();
        closing.dedup();
        self.blocks = self.blocks_done() + (blocks + closing.len()) as u64;
        self.survey(&mut settling, &closing)?;
        let found = settling.find(QUERY, self.wanted[QUERY], 0..joints)?;
        self.take(QUERY, found, true)?;
        self.stats.seconds.push(("first blocks".to_owned(), started.elapsed().as_secs_f64()));
        let started = Instant::now();
        self.pass(&scan, &mut settling, &plan.passes[0], (&[QUERY], &(0..blocks)))?;
        self.stats.seconds.push(("pass 1".to_owned(), started.elapsed().as_secs_f64()));
        Ok(true)
    }

    /// The number of first blocks that together have `limit` matching inner nodes, if `most` blocks are enough.
    fn first_blocks_with(
        &mut self,
        limit: u64,
        most: usize,
        scan: &Scan,
        settling: &Settling<'_>,
    ) -> Result<Option<usize>, Failure> {
        let (tree, plan, details) = (self.tree, settling.plan, Details::default());
        let elsewhere =
            Elsewhere { plan, details: &details, told: &[], twins: &[], twin_results: &[], chosen: None };
        let work = ScanWork {
            program: self.program,
            plan,
            pass: &plan.passes[0],
            tree,
            scan,
            skeleton: settling.skeleton,
            elsewhere,
            wanted: &[MatchDetail::Number],
        };
        let (mut searched, mut found, mut enough) = (0, 0, None);
        // Twice as many each time, so that few are searched in vain.
        while searched < most && enough.is_none() {
            let more = (searched + 1).min(most - searched);
            parallel::in_order(
                more,
                self.options.workers(),
                Buffers::default,
                |buffers, place| work.block(buffers, searched + place),
                |place, scanned| {
                    self.note(scanned.tally)?;
                    found += scanned.found.iter().map(|(_, found)| found.count).sum::<u64>();
                    enough = enough.or((found >= limit).then_some(searched + place + 1));
                    Ok(())
                },
            )?;
            searched += more;
        }
        Ok(enough)
    }
}

/// The number of matches that answers the query, if the first blocks can have them: the limit of a list, unless an
/// overflow may decide at a node beyond it.
pub(in crate::engine) fn enough(program: &Program, scan: &Scan) -> Option<u64> {
    limit_of_list(program).filter(|_| !scan.may_fail(QUERY))
}

/// The limit of a program's only query, if it lists nodes in the order of node_id, and a row alone determines whether
/// its node is listed and how.
fn limit_of_list(program: &Program) -> Option<u64> {
    let [query] = &program.queries[..] else { return None };
    let (Outcome::Nodes(arrangement) | Outcome::Rows { arrangement, .. }) = &query.outcome else {
        return None;
    };
    let Arrangement { order, limit: Some(limit @ 1..) } = arrangement else { return None };
    let mut is_alone = order.is_empty();
    exprs_of(program, QUERY).into_iter().for_each(|expr| {
        expr.leaves(&mut |leaf| {
            is_alone &= match leaf {
                Expr::Read(operand) => is_of_the_row(*operand),
                Expr::Aggregate(_) | Expr::Key(_) => false,
                Expr::Constant(_) | Expr::Apply(..) => true,
            };
        });
    });
    is_alone.then_some(*limit as u64)
}

fn is_of_the_row(operand: Operand) -> bool {
    let is_known = match operand.field {
        Field::Attribute(_) | Field::LastMove | Field::NodeId => true,
        Field::Structure(structure) => match structure {
            Structure::Ply | Structure::Size | Structure::Unfinished | Structure::LeftOut => true,
            Structure::Height
            | Structure::Total
            | Structure::Index
            | Structure::Line
            | Structure::Children
            | Structure::Parent => false,
        },
        Field::Column(_) => false,
    };
    is_known && operand.step == Step::Here && operand.anchor == Anchor::Node
}
