//! What all requests share.

use std::sync::Arc;

use gt_play::LiveGame;
use gt_query::engine::{Failure, NodeSet};
use tokio::sync::{Semaphore, broadcast};

use crate::calls::Subject;
use crate::calls::root_moves::RootMoves;
use crate::changes::{Change, LogEvent};
use crate::error::Answer;
use crate::latest::Latest;
use crate::limits::Limits;
use crate::logs::{Logs, Opened};
use crate::picture::{Detail, Outline, OutlineKey, Picture, PictureRequest, Shared, picture};
use crate::play::{Play, PlayOptions};
use crate::query::charts::ChartCache;
use crate::query::differences::{DiffTotals, totals};
use crate::query::runs::{Run, Runs};
use crate::work::{Cancel, Lanes};

/// Changes that wait for a slow reader.
const CHANGES_MAX: usize = 64;

pub(crate) struct App {
    pub(crate) logs: Logs,
    pub(crate) lanes: Lanes,
    pub(crate) limits: Limits,
    /// Places for requests that wait for a query to end.
    pub(crate) waiting: Semaphore,
    /// Places for clients that follow the events.
    pub(crate) events: Arc<Semaphore>,
    /// Places for exports.
    pub(crate) exports: Arc<Semaphore>,
    pub(crate) changes: broadcast::Sender<Change>,
    pub(crate) runs: Runs,
    /// The game that is played, where one is.
    pub(crate) play: Option<Play>,
    pub(crate) charts: ChartCache,
    pictures: Latest<(u64, usize, PictureRequest), Picture>,
    outlines: Latest<(u64, usize, OutlineKey), Outline>,
    shared: Shared,
    root_moves: Latest<(u64, usize), RootMoves>,
    differences: Latest<u64, DiffTotals>,
}

impl App {
    /// `file` is the run of the result file that is shown first.
    pub(crate) fn new(logs: Logs, file: Option<Run>, lanes: Lanes, limits: Limits) -> Self {
        Self {
            play: None,
            logs,
            lanes,
            waiting: Semaphore::new(limits.waiting_max),
            events: Arc::new(Semaphore::new(limits.events_max)),
            exports: Arc::new(Semaphore::new(limits.exports_max)),
            limits,
            changes: broadcast::channel(CHANGES_MAX).0,
            runs: Runs::with_file(file),
            charts: ChartCache::default(),
            pictures: Latest::new(PICTURES_MAX),
            outlines: Latest::new(OUTLINES_MAX),
            shared: Shared::default(),
            root_moves: Latest::new(ROOTS_MAX),
            differences: Latest::new(DIFFERENCES_MAX),
        }
    }

    /// What is needed to show a game, which begins now.
    pub(crate) fn of_a_game(
        game: LiveGame,
        options: PlayOptions,
        lanes: Lanes,
        limits: Limits,
    ) -> gt_play::Result<Self> {
        let mut app = Self::new(Logs::of_a_game(), None, lanes, limits);
        app.play = Some(Play::begin(game, options, app.changes.clone())?);
        Ok(app)
    }

    /// Ends what runs in the background.
    pub(crate) fn stop(&self) {
        self.runs.cancel_all();
        if let Some(play) = &self.play {
            play.end();
        }
    }

    /// A picture, drawn now or a little while ago.
    pub(crate) fn picture(
        &self,
        opened: &Opened,
        tree: usize,
        wanted: PictureRequest,
        cancel: &Cancel,
    ) -> Answer<Arc<Picture>> {
        let key = (opened.number, tree, wanted);
        if let Some(drawn) = self.pictures.find(&key) {
            return Ok(drawn);
        }
        let mut subject = Subject::new(&self.logs, opened, tree, cancel)?;
        if key.2.written {
            subject.write_down();
        }
        let outline = self.outline(&mut subject, &key.2)?;
        let drawn = Arc::new(picture(&mut subject, &key.2, &outline, &self.shared)?);
        if cancel.is_set() {
            // Not all of it may be there.
            return Err(Failure::Cancelled.into());
        }
        self.pictures.keep(key, &drawn);
        Ok(drawn)
    }

    /// Says of a picture how many matches are where.
    pub(crate) fn mark(
        &self,
        drawn: &mut Picture,
        opened: &Opened,
        tree: usize,
        wanted: &PictureRequest,
        matches: &NodeSet,
        cancel: &Cancel,
    ) -> Answer<()> {
        let mut subject = Subject::new(&self.logs, opened, tree, cancel)?;
        let outline = self.outline(&mut subject, wanted)?;
        drawn.mark(&mut subject, &outline, matches)
    }

    /// What a picture shows, which takes longest to find out.
    fn outline(&self, subject: &mut Subject<'_>, wanted: &PictureRequest) -> Answer<Arc<Outline>> {
        let detail = Detail::of(wanted, &mut subject.nodes)?;
        let key = (subject.opened.number, subject.tree.number(), detail.key(wanted.node));
        if let Some(outline) = self.outlines.find(&key) {
            return Ok(outline);
        }
        let outline = Arc::new(Outline::new(subject, wanted.node, &detail)?);
        self.outlines.keep(key, &outline);
        Ok(outline)
    }

    /// The moves of a tree's root, whose lines take a while to follow.
    pub(crate) fn root_moves(&self, subject: &mut Subject<'_>) -> Answer<Arc<RootMoves>> {
        let key = (subject.opened.number, subject.tree.number());
        if let Some(known) = self.root_moves.find(&key) {
            return Ok(known);
        }
        let found = Arc::new(RootMoves::of(subject)?);
        self.root_moves.keep(key, &found);
        Ok(found)
    }

    /// How much of a merged tree differs, counted once for each state of its log.
    pub(crate) fn differences(
        &self,
        opened: &Opened,
        tree: usize,
        cancel: &Cancel,
    ) -> Answer<Arc<DiffTotals>> {
        let tree = opened.tree(tree)?;
        if let Some(counted) = self.differences.find(&opened.number) {
            return Ok(counted);
        }
        let counted = Arc::new(totals(opened, tree, cancel)?);
        self.differences.keep(opened.number, &counted);
        Ok(counted)
    }

    /// Opens the logs again whose files have changed, and tells those who listen.
    pub(crate) fn refresh(&self) {
        for (log, shown) in self.logs.all() {
            // An old log of a game is removed to make room: as long as it is open, it takes the room.
            if self.play.is_some() && !shown.path.exists() {
                self.logs.take_away(log);
            } else if let Some(generation) = shown.refresh() {
                // An error means that no client listens.
                let _ = self.changes.send(Change::Log(LogEvent { log, generation }));
            }
        }
    }
}

/// The numbers of pictures and outlines that are kept: zooming out draws an earlier picture again, and a new colour draws
/// the nodes of the same outline.
const PICTURES_MAX: usize = 4;
const OUTLINES_MAX: usize = 10;
/// Of so many trees the moves of the root are kept.
const ROOTS_MAX: usize = 8;
/// Of so many logs the differences are kept.
const DIFFERENCES_MAX: usize = 8;
