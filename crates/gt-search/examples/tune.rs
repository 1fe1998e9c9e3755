//! scratch
use gt_games::amazons::{Amazons, Mobility};
use gt_search::*;
fn main() {
    let depth: u16 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(3);
    let mut o = Options::default();
    for a in std::env::args().skip(2) {
        match a.as_str() {
            "nokill" => o.killers = false,
            "nohist" => o.history = false,
            "notab" => o.table_bytes = 0,
            "evalord" => o.evaluate_to_order_depth_min = Some(2),
            "asp" => o.aspiration = Some(5),
            _ => (),
        }
    }
    let t = std::time::Instant::now();
    let r = Searcher::new(Mobility, o).search_observed(
        &Amazons::default(),
        &Limits::depth(depth),
        &mut (),
        |i| {
            println!(
                "{} {} nodes {} evals {} {:?} {:?}",
                i.depth, i.value, i.nodes, i.evaluations, i.elapsed, i.pv
            )
        },
    );
    println!("{:?} {:?}", r.value, t.elapsed());
}
