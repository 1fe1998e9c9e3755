//! scratch
use gt_games::amazons::{Amazons, Mobility};
use gt_search::*;
fn main() {
    let mut g = Amazons::default();
    let mut ms = vec![]; g.moves(&mut ms);
    for _ in 0..3 {
    let t = std::time::Instant::now();
    let mut n = 0u64; let mut s = 0i64; let mut gen_n=0u64;
    let mut best = i32::MIN;
    for &m in ms.iter().step_by(4) { let u = g.make(m);
        let mut v = vec![]; g.moves(&mut v); let r = v[n as usize % v.len()]; let u2 = g.make(r);
        let mut w = vec![]; g.moves(&mut w); gen_n += w.len() as u64;
        for &x in &w { let u3 = g.make(x); if g.outcome().is_none() {let e = Mobility.evaluate(&g); s += e as i64; best = best.max(e); n += 1;} g.undo(x, u3); }
        g.undo(r, u2); g.undo(m, u); }
    println!("{} {} {} {:.1} ns per leaf, {:?}", n, s, best, t.elapsed().as_nanos() as f64 / n as f64, gen_n);
    }
}
