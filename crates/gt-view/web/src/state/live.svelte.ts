// A log that is still being written: the server says when it has grown, and the page asks again.

import { openCalls } from '../api/client';
import { session } from './session.svelte';

/** At most one reload in this time, however fast the log grows. */
const PAUSE_MS = 700;
/** A connection that comes back within this time was not lost. */
const LOST_MS = 2500;

/** How long to wait after a refusal. */
const AGAIN_MS = 5000;

/** Is told the name of an event of the game, and its data as JSON. */
type GameListener = (name: 'game' | 'trouble', data: string) => void;

class Live {
  connected = $state(false);
  /** The server has not been there for a while. */
  lost = $state(false);
  /** Whether the last tree is shown as soon as there is a new one. */
  following = $state(true);
  #broken = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lostTimer: ReturnType<typeof setTimeout> | undefined;
  #tellGame: GameListener = () => {};

  /** Follows the server's events until the answer is called. */
  start(): () => void {
    let source = this.#follow();
    // The browser comes back by itself after a break, but not after a refusal (too many pages follow).
    const again = setInterval(() => {
      if (source.readyState === EventSource.CLOSED) source = this.#follow();
    }, AGAIN_MS);
    return () => {
      clearInterval(again);
      source.close();
    };
  }

  #follow(): EventSource {
    const source = new EventSource('api/events');
    source.addEventListener('open', () => {
      // After a break the log may have grown unseen.
      if (this.#broken) {
        void session.loadLogs();
        this.#tellGame('game', '{}');
      }
      this.#broken = false;
      this.connected = true;
      this.lost = false;
      clearTimeout(this.#lostTimer);
      this.#lostTimer = undefined;
    });
    source.addEventListener('error', () => {
      this.#broken = true;
      this.connected = false;
      this.#lostTimer ??= setTimeout(() => (this.lost = true), LOST_MS);
    });
    source.addEventListener('log', () => this.#soon());
    for (const name of ['game', 'trouble'] as const) {
      source.addEventListener(name, (event) => this.#tellGame(name, event.data as string));
    }
    return source;
  }

  #soon(): void {
    if (!this.following) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // What is still asked for would be asked for anew, and perhaps never be answered.
      if (openCalls() > 0) this.#soon();
      else void session.loadLogs();
    }, PAUSE_MS);
  }

  /** Has `listener` told of what happens in the game that is played. */
  onGame(listener: GameListener): void {
    this.#tellGame = listener;
  }

  toggle(): void {
    this.following = !this.following;
    if (this.following) void session.loadLogs();
  }
}

export const live = new Live();
