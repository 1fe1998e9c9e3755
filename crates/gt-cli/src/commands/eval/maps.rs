//! Which maps of an evaluation are asked for.

use gt_games::explain::Explanation;

use crate::failure::Failure;

pub(super) fn is_wanted(asked: &[String], name: &str) -> bool {
    asked.iter().any(|asked| asked == "all" || asked == name)
}

/// Refuses the name of a map that none of the evaluations has.
pub(super) fn check_maps(asked: &[String], explanations: &[Explanation]) -> Result<(), Failure> {
    let mut names: Vec<&str> = Vec::new();
    for map in explanations.iter().flat_map(|explanation| &explanation.breakdown.maps) {
        if !names.contains(&map.name) {
            names.push(map.name);
        }
    }
    let is_known = |name: &str| names.contains(&name) || name == "all" || name == "none";
    match asked.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => {
            Err(Failure::new(format!("no map is called `{name}`; there are {}, all, none", names.join(", "))))
        }
    }
}
