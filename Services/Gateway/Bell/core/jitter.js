/** Milliseconds until the next attempt: a random time up to one that doubles with each attempt. */
export const jitter = (attempt, { retryMinimum, retryMaximum }) => Math.random() * Math.min(retryMaximum, retryMinimum * 2 ** attempt);
