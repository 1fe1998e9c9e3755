//! scratch
use gt_games::amazons::{Amazons, Mobility};
use gt_search::*;
#[derive(Default)] struct C { n: [u64; 8], cut: [u64;8], all_leaves: u64, research: u64 }
impl<M> Observer<M> for C { fn begin(&mut self, _: i16) { *self = C::default(); } fn enter(&mut self, _: Option<M>) {} fn leave(&mut self, r: &Record) { self.n[r.ply as usize] += 1; if r.ended == Ended::Cutoff { self.cut[r.ply as usize] += 1 } if r.node_type.has(NodeType::RESEARCH) {self.research += 1} } }
fn main() {
    let mut c = C::default();
    Searcher::new(Mobility, Options::default()).search_observed(&Amazons::default(), &Limits::depth(3), &mut c, |_| ());
    println!("{:?} cut {:?} re {}", c.n, c.cut, c.research);
}
