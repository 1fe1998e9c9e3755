//! Rates kept from one run to a later one: what has become slower?

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use serde_json::json;

/// A rate that falls by less is noise.
const FALL_MAX: f64 = 0.05;

/// Nodes a second by tree and query.
pub(crate) type Rates = BTreeMap<String, f64>;

pub(crate) fn save(path: &Path, rates: &Rates) -> Result<(), Box<dyn Error>> {
    std::fs::write(path, serde_json::to_string_pretty(&json!(rates))?)?;
    println!("\n{} rates are in {}", rates.len(), path.display());
    Ok(())
}

/// Prints the rates that have fallen since the run that was saved, the greatest fall first.
pub(crate) fn compare(path: &Path, rates: &Rates) -> Result<(), Box<dyn Error>> {
    let before: Rates = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let both = rates.iter().filter_map(|(what, now)| Some((what, now / before.get(what)?)));
    let (mut fallen, mut held) = (Vec::new(), 0);
    for (what, ratio) in both {
        if ratio < 1.0 - FALL_MAX {
            fallen.push((ratio, what));
        } else {
            held += 1;
        }
    }
    fallen.sort_by(|left, right| left.0.total_cmp(&right.0));
    println!(
        "\nAgainst {}: {} rates have fallen by more than {:.0}%, {held} have not",
        path.display(),
        fallen.len(),
        100.0 * FALL_MAX
    );
    for (ratio, what) in fallen {
        println!("  {:>6.1}%  {what}", 100.0 * (ratio - 1.0));
    }
    Ok(())
}
