//! Pictures without a server, for files: the same that the page draws.

use std::path::Path;

use gt_query::engine::NodeSet;

use crate::blocks::Blocks;
use crate::bound::Window;
use crate::calls::Subject;
use crate::error::{Answer, Refusal};
use crate::logs::Opened;
use crate::nodes::Nodes;
use crate::picture::{Detail, Outline, Picture, Shared, Wanted, picture};
use crate::work::Cancel;

/// So many bytes of decoded blocks are kept.
const BLOCKS_BYTES: usize = 32 << 20;

/// Draws pictures of the trees of a log.
///
/// ```no_run
/// use gt_view::{Drawer, View, Wanted};
/// let drawer = Drawer::open("chess.gtf".as_ref())?;
/// let wanted = Wanted {
///     node: 0,
///     view: View::Icicle,
///     width: 1200,
///     height: 700,
///     plies: 40,
///     color: "type".to_owned(),
///     ids: None,
/// };
/// let picture = drawer.draw(0, &wanted, None)?;
/// println!("{} rectangles", picture.rectangles.node.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Drawer {
    opened: Opened,
    blocks: Blocks,
    shared: Shared,
}

impl Drawer {
    /// Opens a log.
    ///
    /// # Errors
    /// If it cannot be read, or is no log.
    pub fn open(path: &Path) -> gt_log::Result<Self> {
        let opened = Opened::open(path, &[], 1)?;
        Ok(Self { opened, blocks: Blocks::new(BLOCKS_BYTES), shared: Shared::default() })
    }

    /// A picture of a tree, in which the nodes of `matches` are marked.
    ///
    /// # Errors
    /// A sentence: there is no such tree or node, the colour is no expression over a node, or the log is damaged.
    pub fn draw(&self, tree: usize, wanted: &Wanted, matches: Option<&NodeSet>) -> Result<Picture, String> {
        let drawn: Answer<Picture> = (|| {
            let cancel = Cancel::default();
            let tree = self.opened.tree(tree)?;
            let mut subject = Subject {
                opened: &self.opened,
                tree,
                nodes: Nodes::new(tree, &self.blocks, self.opened.number, &cancel),
                notation: self.opened.notation(),
                window: Window::of(tree.schema()),
                cancel: &cancel,
            };
            let detail = Detail::of(wanted, &mut subject.nodes)?;
            let outline = Outline::new(&mut subject, wanted.node, &detail)?;
            let mut drawn = picture(&mut subject, wanted, &outline, &self.shared)?;
            if let Some(matches) = matches {
                drawn.mark(&mut subject, &outline, matches)?;
            }
            Ok(drawn)
        })();
        drawn.map_err(|refusal: Refusal| refusal.message)
    }
}
