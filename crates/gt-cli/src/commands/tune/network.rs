//! A network learnt from a teacher.

use std::io::Write;
use std::path::{Path, PathBuf};

use gt_games::chess::network::Network;
use gt_tune::{Learnt, NetworkSettings, Teacher, learn, teach};

use super::loss::loss_text;
use crate::commands::files::{Force, new_log};
use crate::failure::Failure;
use crate::progress::Progress;

/// What a network is learnt from, and how.
#[derive(clap::Args)]
pub(super) struct Learning {
    /// A network of Stockfish 15.1 to learn a smaller network from
    #[arg(long, value_name = "FILE")]
    pub(super) teacher: Option<PathBuf>,
    /// How many positions the teacher judges (32 bytes of memory each)
    #[arg(long, value_name = "N", default_value_t = 1_000_000, conflicts_with = "games", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) lessons: u32,
    /// How many games are taught at once, each on a thread
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "games", value_parser = clap::value_parser!(u32).range(1..=1024))]
    courses: u32,
    /// How often every lesson is learnt
    #[arg(long, value_name = "N", default_value_t = NetworkSettings::default().rounds, conflicts_with = "games", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) rounds: u32,
}

impl Learning {
    /// Takes lessons with a teacher and learns a network from them.
    pub(super) fn run(&self, path: &Path, start: Option<&Path>, seed: u64) -> Result<Learnt, Failure> {
        let read = |path| std::fs::read(path).map_err(|error| Failure::about(path, error));
        let teacher = Teacher::parse(&read(path)?).map_err(|error| Failure::about(path, error))?;
        let network = |path| Network::parse(&read(path)?).map_err(|error| Failure::about(path, error));
        let start = start.map(network).transpose()?;
        let progress = Progress::new("lessons", Some(self.lessons.into()));
        let show = |done: usize| progress.set(done as u64);
        let mut lessons = teach(&teacher, self.lessons as usize, self.courses as usize, seed, &show);
        lessons.truncate(self.lessons as usize);
        drop(progress);
        let held_out = NetworkSettings::default().held_out.min(lessons.len() / 10);
        let settings = NetworkSettings { rounds: self.rounds, held_out, ..NetworkSettings::default() };
        let progress = Progress::new("rounds", Some(self.rounds.into()));
        let learnt = learn(&mut lessons, &settings, start.as_ref(), |round, loss| {
            progress.set(round.into());
            progress.say(format!("loss {}, rounds", loss_text(loss, "lessons")));
        });
        learnt.ok_or_else(|| Failure::new("there are no lessons to learn from"))
    }

    /// Writes a network that was learnt so, after lines that name the command.
    pub(super) fn write(
        &self,
        target: &Path,
        force: Force,
        (teacher, start): (&Path, Option<&Path>),
        seed: u64,
        learnt: &Learnt,
    ) -> Result<(), Failure> {
        let Self { lessons, courses, rounds, .. } = self;
        let name =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().replace(['\n', '\r'], " ");
        let begun = start.map_or_else(String::new, |start| format!(" --start {}", name(start)));
        let comments = format!(
            "{}# gt tune chess --teacher {} --lessons {lessons} --courses {courses} --rounds {rounds} --seed {seed}{begun}\n\
             # loss {}\n\n",
            Network::HEADER,
            name(teacher),
            loss_text(learnt.loss, "lessons"),
        );
        let sources: Vec<&Path> = [teacher].into_iter().chain(start).collect();
        new_log(target, force, &sources, |new| {
            let mut file = new.create().map_err(|error| Failure::about(target, error))?;
            let bytes = [comments.as_bytes(), &learnt.network.bytes()].concat();
            file.write_all(&bytes).map_err(|error| Failure::about(target, error))
        })
    }
}
