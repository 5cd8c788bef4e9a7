/**
 * When the ladder's next message comes due, as far as can be seen: the state tells how many wait on each rung, so what is more
 * than before has just come, and what is less were the oldest.
 */
export class Ladder {
  #rungs = new Map();

  take(ladder, now = Date.now()) {
    for (const { channel, step, seconds, waiting } of ladder ?? []) {
      const key = `${channel} ${step}`;
      const before = this.#rungs.get(key)?.since ?? [];
      const since = before.slice(Math.max(0, before.length - waiting));
      while (since.length < waiting) since.push(now);
      this.#rungs.set(key, { channel, seconds, since });
    }
  }

  /** The instant of a channel's next try; null where nothing waits for one. */
  next(channel) {
    const rungs = [...this.#rungs.values()].filter((one) => one.channel === channel && one.since.length > 0);
    return rungs.length > 0 ? Math.min(...rungs.map(({ since, seconds }) => since[0] + seconds * 1000)) : null;
  }
}
