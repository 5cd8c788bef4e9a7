const LONGEST_WAIT = 10_000;
const EVENTS = ["snapshot", "push", "mail", "switch", "trace", "state", "link", "cleared"];

/**
 * Reads `/api/stream` for as long as the page is open. Each connection begins with a snapshot, so nothing is missed.
 *
 * EventSource would come back by itself, but not after an error status, and it does not say when it tries again.
 */
export class Stream {
  #source = null;
  #failures = 0;
  #timer = null;

  /** `onEvent(name, data)`; `onConnection({ live })`. */
  constructor(path, { onEvent, onConnection }) {
    Object.assign(this, { path, onEvent, onConnection });
    addEventListener("online", () => this.#open());
    this.#open();
  }

  #open() {
    clearTimeout(this.#timer);
    this.#source?.close();
    const source = (this.#source = new EventSource(this.path));
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        if (name === "snapshot") {
          this.#failures = 0;
          this.onConnection({ live: true });
        }
        this.onEvent(name, JSON.parse(event.data));
      });
    }
    source.onerror = () => {
      source.close();
      const wait = Math.min(LONGEST_WAIT, 500 * 2 ** this.#failures++);
      this.#timer = setTimeout(() => this.#open(), wait);
      this.onConnection({ live: false });
    };
  }
}
