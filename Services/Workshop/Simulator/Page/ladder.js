/**
 * When the ladder's next message comes due, as far as can be seen: the state tells how many wait on each rung, so what is more
 * than before has just come, and what is less were the oldest.
 */
export class Ladder {
  #rungs = new Map();

  take(ladder, now = Date.now()) {
    for (const { channel, provider, stream, step, seconds, waiting } of ladder ?? []) {
      const key = `${channel} ${provider} ${stream} ${step}`;
      const before = this.#rungs.get(key)?.since ?? [];
      const since = before.slice(Math.max(0, before.length - waiting));
      while (since.length < waiting) since.push(now);
      this.#rungs.set(key, { channel, provider, seconds, since });
    }
  }

  /** The instant of the next try on a channel, of pushes by these providers; null where nothing waits for one. */
  next(channel, providers = [null]) {
    const isMeant = (one) => one.channel === channel && providers.includes(one.provider) && one.since.length > 0;
    const rungs = [...this.#rungs.values()].filter(isMeant);
    return rungs.length > 0 ? Math.min(...rungs.map(({ since, seconds }) => since[0] + seconds * 1000)) : null;
  }
}
