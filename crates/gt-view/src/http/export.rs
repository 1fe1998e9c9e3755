//! `/api/runs/RUN/export`: a result as a download, made as fast as the client reads it.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::params::{Params, index};
use super::reply;
use super::runs::RunNumber;
use crate::app::App;
use crate::error::{Answer, Kind, Refusal};
use crate::query::answer::existing;
use crate::query::export::{Format, TableFormat, export};
use crate::query::result_file;
use crate::work::Cancel;

/// Pieces of an export that wait for a slow reader.
const PIECES_MAX: usize = 4;
const PIECE_BYTES: usize = 64 << 10;

pub(super) async fn download(
    State(app): State<Arc<App>>,
    RunNumber(number): RunNumber,
    RawQuery(query): RawQuery,
) -> Answer<Response> {
    let params = Params::read(query, &["result", "format"])?;
    let (format, kind, ending) = match params.one_of("format", &["csv", "json", "gti"])? {
        "json" => (Format::Table(TableFormat::Json), "application/json", "json"),
        "gti" => (Format::ResultFile, "text/plain; charset=utf-8", "gti"),
        _ => (Format::Table(TableFormat::Csv), "text/csv; charset=utf-8", "csv"),
    };
    let run = app.runs.get(number)?;
    let results = run.results()?;
    let result = existing(&results, index(params.number("result", 0)?))?;
    let name = match format {
        Format::Table(_) => format!("run-{number}-{result}.{ending}"),
        Format::ResultFile => {
            result_file::check(&results[result])?;
            result_file::file_name(&app.logs, &run, result, results[result].name.as_deref())?
        }
    };
    let place = Arc::clone(&app.exports).try_acquire_owned();
    let place = place.map_err(|_| Refusal::busy("results are being exported"))?;
    let (sender, receiver) = channel(PIECES_MAX);
    let spawned = std::thread::Builder::new().name("export".to_owned()).spawn(move || {
        let cancel = Cancel::default();
        let pieces = Pieces { sender: sender.clone(), cancel: cancel.clone() };
        let mut out = io::BufWriter::with_capacity(PIECE_BYTES, pieces);
        let written = export(&app.logs, &run, &results[result], format, &cancel, &mut out);
        let flushed = written.and_then(|()| {
            io::Write::flush(&mut out).map_err(|error| Refusal::new(Kind::Gone, error.to_string()))
        });
        if let Err(refusal) = flushed {
            // The head is long sent: break off, so that nobody takes the part for the whole.
            let _ = sender.blocking_send(Err(io::Error::other(refusal.message)));
        }
        drop(place);
    });
    spawned.map_err(|error| {
        Refusal::new(Kind::Conflict, format!("the export's thread cannot be started: {error}"))
    })?;
    Ok(reply::download(kind, &name, Body::from_stream(ReceiverStream::new(receiver))))
}

/// Hands what is written to the response, piece by piece, and cancels the export when the client has gone.
struct Pieces {
    sender: Sender<io::Result<Vec<u8>>>,
    cancel: Cancel,
}

impl io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sender.blocking_send(Ok(bytes.to_vec())).map_err(|_| {
            self.cancel.set();
            io::Error::from(io::ErrorKind::BrokenPipe)
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
