//! What a log has on request.

use gt_play::Algorithm;
use gt_record::Extras;

use crate::failure::Failure;

/// An attribute that is logged only where it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Extra {
    Key,
    #[value(name = "table_depth")]
    TableDepth,
}

/// The attributes asked for, if the algorithm has something to say of them.
pub(super) fn extras(asked: &[Extra], algorithm: Algorithm) -> Result<Extras, Failure> {
    let has_table = matches!(algorithm, Algorithm::Pvs | Algorithm::Strong | Algorithm::StoredTree);
    if asked.contains(&Extra::TableDepth) && !has_table {
        return Err(Failure::new(format!(
            "`{}` has no table; `--with table_depth` is for pvs, strong and stored-tree",
            algorithm.name()
        )));
    }
    Ok(Extras {
        key: asked.contains(&Extra::Key),
        table_depth: asked.contains(&Extra::TableDepth),
        players: 0,
    })
}
