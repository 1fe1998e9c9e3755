//! Connections: accepted, timed, bounded.
//!
//! ```text
//! accept ──▶ waiting for a request ──head──▶ being answered ──the last byte──▶ waiting …
//!               │ idle or half a head for too long: closed      │ the client takes no byte for too long: closed
//!               └ the longest waiting one is closed when there are too many
//! ```
//!
//! **Invariant:** there are never more connections than the limit, and a client that only waits never keeps another one
//! out.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt as _;

use crate::limits::Limits;

/// The largest head of a request: a line of ten thousand moves fits.
const HEAD_BYTES_MAX: usize = 128 << 10;
/// How long to wait when the system gives no more connections.
const PAUSE: Duration = Duration::from_millis(50);
/// What a client gets when all connections are being answered.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: 97\r\n\
    Retry-After: 1\r\nConnection: close\r\n\r\n\
    {\"error\":{\"message\":\"too many connections are open already; ask again in a second\",\"place\":null}}";

/// Accepts connections and answers their requests, for ever.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits) {
    let places = Arc::new(Places::default());
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files: some will be closed soon.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let Some(place) = places.take(limits.connections_max) else {
            // Best effort: what does not fit the socket's buffer is lost.
            let _ = stream.try_write(FULL);
            continue;
        };
        let number = place.number;
        let task = tokio::spawn(answer(stream, router.clone(), limits.clone(), Arc::new(place)));
        places.remember(number, task.abort_handle());
    }
}

/// Answers the requests of one connection until it is closed.
async fn answer(stream: TcpStream, router: Router, limits: Limits, place: Arc<Place>) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.send_time_max));
    let service = service_fn(move |request: Request<Incoming>| {
        let answering = Answering::begin(&place);
        let answer = router.clone().oneshot(request.map(Body::new));
        async move {
            let response: Response = answer.await?;
            // The connection is being answered until the body has been sent.
            Ok::<_, Infallible>(response.map(|body| {
                body.map_frame(move |frame| {
                    let _ = &answering;
                    frame
                })
            }))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time_max)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    // A client that breaks off, or talks no HTTP, is no error of ours.
    let _ = connection.await;
}

/// All open connections.
#[derive(Default)]
struct Places(Mutex<Taken>);

#[derive(Default)]
struct Taken {
    next: u64,
    tasks: BTreeMap<u64, Option<AbortHandle>>,
    /// Connections that wait for a request, the longest waiting first.
    waiting: BTreeMap<u64, u64>,
}

impl Places {
    /// A place for a new connection, made free if need be; none if all connections are being answered.
    fn take(self: &Arc<Self>, connections_max: usize) -> Option<Place> {
        let mut taken = self.lock();
        if taken.tasks.len() >= connections_max {
            let (_, longest) = taken.waiting.pop_first()?;
            if let Some(task) = taken.tasks.remove(&longest).flatten() {
                task.abort();
            }
        }
        let number = taken.next();
        taken.tasks.insert(number, None);
        taken.waiting.insert(number, number);
        Some(Place { number, since: Mutex::new(Some(number)), places: Arc::clone(self) })
    }

    fn remember(&self, number: u64, task: AbortHandle) {
        match self.lock().tasks.get_mut(&number) {
            Some(known) => *known = Some(task),
            // It has ended already.
            None => task.abort(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn next(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// A connection's place, free again when it is dropped.
struct Place {
    number: u64,
    /// Its key among the waiting ones, while it waits.
    since: Mutex<Option<u64>>,
    places: Arc<Places>,
}

impl Place {
    fn set_waiting(&self, is_waiting: bool) {
        let mut taken = self.places.lock();
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(since) = since.take() {
            taken.waiting.remove(&since);
        }
        if is_waiting && taken.tasks.contains_key(&self.number) {
            let now = taken.next();
            taken.waiting.insert(now, self.number);
            *since = Some(now);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.set_waiting(false);
        self.places.lock().tasks.remove(&self.number);
    }
}

/// A request that is being answered.
struct Answering(Arc<Place>);

impl Answering {
    fn begin(place: &Arc<Place>) -> Self {
        place.set_waiting(false);
        Self(Arc::clone(place))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.set_waiting(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_waiting_connection_makes_room() {
        let places = Arc::new(Places::default());
        let first = Arc::new(places.take(2).unwrap());
        let second = Arc::new(places.take(2).unwrap());
        let answering = Answering::begin(&first);
        let third = places.take(2).unwrap();
        assert!(!places.lock().tasks.contains_key(&second.number), "the second one waited");
        let third = Arc::new(third);
        let _also = Answering::begin(&third);
        assert!(places.take(2).is_none(), "all are being answered");
        drop(answering);
        assert!(places.take(2).is_some(), "the first one waits again");
    }

    #[test]
    fn places_are_given_back() {
        let places = Arc::new(Places::default());
        for _ in 0..10 {
            let place = Arc::new(places.take(1).unwrap());
            drop(Answering::begin(&place));
        }
        let taken = places.lock();
        assert_eq!((taken.tasks.len(), taken.waiting.len()), (0, 0));
    }

    #[test]
    fn the_refusal_is_as_long_as_it_says() {
        let text = std::str::from_utf8(FULL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{}", body.len());
        assert!(serde_json::from_str::<serde_json::Value>(body).is_ok());
    }
}
