// A log that is still being written: the server says when it has grown, and the page asks again.

import { session } from './session.svelte';

/** At most one reload in this time, however fast the log grows. */
const PAUSE_MS = 700;

class Live {
  connected = $state(false);
  /** Whether the last tree is shown as soon as there is a new one. */
  following = $state(true);
  #timer: ReturnType<typeof setTimeout> | undefined;

  start(): () => void {
    const source = new EventSource('api/events');
    source.addEventListener('open', () => {
      // After a break the log may have grown unseen.
      if (session.loaded && !this.connected) void session.loadLogs();
      this.connected = true;
    });
    source.addEventListener('error', () => (this.connected = false));
    source.addEventListener('log', () => this.#soon());
    return () => source.close();
  }

  #soon(): void {
    if (!this.following) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void session.loadLogs();
    }, PAUSE_MS);
  }

  toggle(): void {
    this.following = !this.following;
    if (this.following) void session.loadLogs();
  }
}

export const live = new Live();
