import { BellError } from "./api.js";
import { jitter } from "./operations.js";

/** After so many attempts the pauses are long. */
const patience = 10;

/**
 * Keeps one connection while it is wanted and somebody can see the page; `open(handlers)` makes it.
 * States: disconnected, connecting, connected, reconnecting, unauthorized, paused.
 */
export const createConnection = ({ times, open, onState, onSession, onError }) => {
  let state = "disconnected";
  let isWanted = false;
  let isPaused = false;
  let isAsleep = document.hidden;
  let isRefused = false;
  let session = null;
  /** Tells the attempt under way from those that were given up. */
  let current = 0;
  let attempts = 0;
  let hasBeen = false;
  let retryAt = 0;
  let notBefore = 0;
  let timer;
  let steady;
  let sleep;

  const become = (next) => {
    if (state === next) return;
    state = next;
    onState();
  };

  const drop = () => {
    current++;
    clearTimeout(timer);
    clearTimeout(steady);
    session?.close();
    if (session) onSession((session = null));
    retryAt = 0;
  };

  const failed = (error) => {
    drop();
    if (error.code === "ended") return;
    if (error.code === "unauthorized" || error.code === "forbidden") {
      isRefused = true;
      return update();
    }
    const now = Date.now();
    if (error.retryAfter) notBefore = now + error.retryAfter * 1000 * (1 + Math.random() / 5);
    const wait =
      attempts < patience ? jitter(attempts, times.retryMinimum, times.retryMaximum) : times.retryLong * (0.5 + Math.random() / 2);
    attempts++;
    retryAt = Math.max(now + wait, notBefore);
    timer = setTimeout(attempt, retryAt - now);
    become("reconnecting");
    onState();
    if (error.code !== "offline") onError(error);
  };

  const attempt = async () => {
    drop();
    const mine = ++current;
    become(hasBeen || attempts ? "reconnecting" : "connecting");
    const isMine = () => mine === current;
    try {
      const opened = await open((error) => isMine() && failed(error));
      if (!isMine()) return opened.close();
      session = opened;
      hasBeen = true;
      steady = setTimeout(() => (attempts = 0), times.resetAfter);
      become("connected");
      onSession(session);
    } catch (error) {
      if (isMine()) failed(error instanceof BellError ? error : new BellError("unavailable", { cause: error }));
    }
  };

  const update = () => {
    const idle = !isWanted ? "disconnected" : isRefused ? "unauthorized" : isPaused || isAsleep ? "paused" : null;
    if (idle) {
      drop();
      become(idle);
    } else if (["disconnected", "unauthorized", "paused"].includes(state)) soon();
  };

  /** At once, but for who was told to wait, and not more than once a second. */
  const soon = () => {
    if (!isWanted || isRefused || isPaused || isAsleep || session) return;
    clearTimeout(timer);
    const now = Date.now();
    if (notBefore <= now) {
      notBefore = now + times.retryMinimum;
      return attempt();
    }
    retryAt = notBefore;
    timer = setTimeout(attempt, notBefore - now);
    become(hasBeen || attempts ? "reconnecting" : "connecting");
    onState();
  };

  const onVisibility = () => {
    clearTimeout(sleep);
    if (document.hidden) {
      sleep = setTimeout(() => {
        isAsleep = true;
        update();
      }, times.hidden);
    } else {
      const wasAsleep = isAsleep;
      isAsleep = false;
      if (wasAsleep) update();
      else if (retryAt) soon();
    }
  };

  /** Whoever goes into the browser's memory of pages holds no connection there. */
  const onPageHide = () => {
    isAsleep = true;
    update();
  };

  const onOnline = () => {
    if (retryAt) soon();
  };

  const listen = (method) => {
    document[method]("visibilitychange", onVisibility);
    window[method]("pagehide", onPageHide);
    window[method]("pageshow", onVisibility);
    window[method]("online", onOnline);
  };

  return {
    get state() {
      return state;
    },

    get retryAt() {
      return retryAt;
    },

    start() {
      if (isWanted) return;
      isWanted = true;
      isRefused = false;
      isAsleep = document.hidden;
      listen("addEventListener");
      update();
    },

    stop() {
      if (!isWanted) return;
      isWanted = false;
      attempts = 0;
      hasBeen = false;
      clearTimeout(sleep);
      listen("removeEventListener");
      update();
    },

    setPaused(value) {
      isPaused = value;
      update();
    },

    /** Nobody is signed in, or the token was refused twice. */
    refuse() {
      isRefused = true;
      update();
    },

    retry() {
      isRefused = false;
      attempts = 0;
      update();
      if (retryAt) soon();
    },

    /** What is held does not serve: another one. */
    replace: (error) => failed(error),
  };
};
