import { BellError } from './api.js';
import { jitter } from './jitter.js';

/** After so many attempts the pauses are long. */
const patience = 10;

/**
 * Keeps one connection while it is wanted and somebody can see the page; `open(onClose)` makes it.
 * States: disconnected, connecting, connected, reconnecting, unauthorized, paused.
 */
export const createConnection = ({ times, open, onState, onSession, onError }) => {
  let state = 'disconnected';
  let isWanted = false;
  let isPaused = false;
  let isAsleep = false;
  let isRefused = false;
  let session = null;
  /** Tells the attempt under way from those that were given up. */
  let current = 0;
  let attempts = 0;
  let retryAt = 0;
  let notBefore = 0;
  let hasBeen = false;
  let timer;
  let steady;
  let sleep;

  const become = next => {
    state = next;
    onState();
  };

  const seek = () => become(hasBeen || attempts ? 'reconnecting' : 'connecting');

  const isIdle = () => ['disconnected', 'unauthorized', 'paused'].includes(state);

  const drop = () => {
    current++;
    clearTimeout(timer);
    clearTimeout(steady);
    session?.close();
    if (session) onSession((session = null));
    retryAt = 0;
  };

  const wait = until => {
    retryAt = until;
    timer = setTimeout(attempt, until - Date.now());
    seek();
  };

  const failed = error => {
    drop();
    const { code, retryAfter } = error;
    if (code === 'ended') return;
    if (code === 'unauthorized' || code === 'forbidden') return refuse();
    const now = Date.now();
    if (retryAfter) notBefore = now + retryAfter * 1000 * (1 + Math.random() / 5);
    const pause = attempts < patience ? jitter(attempts, times) : times.retryLong * (0.5 + Math.random() / 2);
    attempts++;
    wait(Math.max(now + pause, notBefore));
    if (code !== 'offline') onError(error);
  };

  const attempt = async () => {
    drop();
    const mine = current;
    const isMine = () => mine === current;
    seek();
    try {
      const opened = await open(error => isMine() && failed(error));
      if (!isMine()) return opened.close();
      session = opened;
      hasBeen = true;
      steady = setTimeout(() => (attempts = 0), times.steady);
      become('connected');
      onSession(session);
    } catch (error) {
      if (isMine()) failed(error instanceof BellError ? error : new BellError('unavailable'));
    }
  };

  const update = () => {
    const idle = !isWanted ? 'disconnected' : isRefused ? 'unauthorized' : isPaused || isAsleep ? 'paused' : '';
    if (idle) {
      drop();
      if (state !== idle) become(idle);
    } else if (isIdle()) soon();
  };

  /** At once, but for who was told to wait, and not more than once in the shortest pause. */
  const soon = () => {
    clearTimeout(timer);
    const now = Date.now();
    if (notBefore > now) return wait(notBefore);
    notBefore = now + times.retryMinimum;
    attempt();
  };

  const hurry = () => {
    if (retryAt) soon();
  };

  const refuse = () => {
    isRefused = true;
    update();
  };

  const rest = () => {
    isAsleep = true;
    update();
  };

  const onVisibility = () => {
    clearTimeout(sleep);
    if (document.hidden) sleep = setTimeout(rest, times.hidden);
    else {
      isAsleep = false;
      hurry();
      update();
    }
  };

  const listen = method => {
    document[method]('visibilitychange', onVisibility);
    // Whoever goes into the browser's memory of pages holds no connection there.
    window[method]('pagehide', rest);
    window[method]('pageshow', onVisibility);
    window[method]('online', hurry);
  };

  return {
    get state() {
      return state;
    },

    isIdle,
    refuse,

    /** What is held does not serve: another one. */
    replace: failed,

    start() {
      isWanted = true;
      isRefused = false;
      isAsleep = document.hidden;
      listen('addEventListener');
      update();
    },

    stop() {
      isWanted = hasBeen = false;
      attempts = 0;
      clearTimeout(sleep);
      listen('removeEventListener');
      update();
    },

    setPaused(value) {
      isPaused = value;
      update();
    },

    retry() {
      isRefused = false;
      attempts = 0;
      hurry();
      update();
    },
  };
};
