import { BellError } from "./api.js";
import { jitter } from "./operations.js";

export const inboxPath = "/api/v1/notifications";
const firstPage = 20;
const laterPages = 50;
const calm = 60_000;

const pagePath = ({ place, unreadOnly, category, type }, before) => {
  const query = new URLSearchParams({ pageSize: before ? laterPages : firstPage });
  if (before) query.set("before", before);
  if (unreadOnly) query.set("unreadOnly", true);
  if (place === "archived" || place === "snoozed") query.set(place, true);
  if (category != null) query.set("category", category);
  if (type != null) query.set("type", type);
  return `${inboxPath}?${query}`;
};

const expect = (isRight) => {
  if (!isRight) throw new BellError("malformed", { status: 200 });
};

/** Reads lists, and brings them in line with the server's whenever something may have been missed. */
export const createSync = ({ api, inbox, times, isIdle, onChange, onError, onSettled }) => {
  let syncing = null;
  let isWantedAgain = false;
  let timer = null;
  let failures = 0;
  let doubts = 0;
  let doubtedAt = 0;
  let syncedAt = -Infinity;
  /** The filter that is looked at. */
  let active;
  let isEnded = false;

  const loadNow = async (view, isFirst) => {
    const { floor } = view;
    view.isLoading = true;
    view.result = null;
    onChange();
    const asked = inbox.ask();
    try {
      const { data } = await api.request("GET", pagePath(view.filter, isFirst ? null : floor));
      expect(Array.isArray(data?.notifications));
      // A list that was begun anew meanwhile has another end.
      return (isFirst || view.floor === floor) && inbox.takePage(view, data, asked, isFirst);
    } catch (error) {
      view.error = error;
      throw error;
    } finally {
      Object.assign(view, { loading: null, isLoading: false, result: null });
      onChange();
    }
  };

  /** Asks for a page of a list, one at a time; says whether the count that came with it could be taken. */
  const loadPage = async (view, isFirst) => {
    while (view.loading) await view.loading.catch(() => {});
    return (view.loading = loadNow(view, isFirst));
  };

  /** What became of the part of the list beyond the first page. */
  const readChanges = async (since) => {
    const asked = inbox.ask();
    const { data } = await api.request("GET", `${inboxPath}/changes?since=${since}&limit=1`);
    expect(Array.isArray(data?.changed) && Array.isArray(data.deleted));
    for (const dto of data.changed) inbox.revise(dto, asked);
    for (const id of data.deleted) inbox.remove(id);
    if (data.isComplete !== true) inbox.forgetBelow(inbox.firstFloor, asked);
  };

  const syncOnce = async () => {
    const main = inbox.view();
    const view = active ? inbox.view(active) : main;
    const since = inbox.syncedSeq;
    const isCounted = await loadPage(main, true);
    if (since !== null && inbox.size > firstPage) await readChanges(since);
    inbox.syncedSeq = inbox.lastSeq;
    for (const other of inbox.views) if (other !== main && other !== view) other.isLoaded = false;
    if (view !== main && view.floor !== null) await loadPage(view, true);
    syncedAt = Date.now();
    // Something was told while the page was on its way: its count may be older.
    if (!isCounted) doubt();
  };

  const later = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      if (!isIdle()) sync();
    }, wait);
  };

  /** The first page again; never two at a time. Tries again by itself while it fails. */
  const sync = () => {
    if (isEnded) return Promise.resolve();
    clearTimeout(timer);
    timer = null;
    if (syncing) {
      isWantedAgain = true;
      return syncing;
    }
    const settle = (error) => {
      syncing = null;
      if (isEnded || error?.code === "ended") return;
      if (!error) failures = 0;
      else if (error.code !== "unauthorized" && error.code !== "forbidden") {
        onError(error);
        later(Math.max((error.retryAfter ?? 0) * 1000, jitter(++failures, times.retryMinimum, times.retryMaximum)));
      }
      if (isWantedAgain && !timer) later(0);
      isWantedAgain = false;
      onSettled();
      onChange();
    };
    return (syncing = syncOnce().then(() => settle(), settle));
  };

  /** What was told does not fit together, or may have come in another order: the server has the last word. */
  const doubt = () => {
    if (timer || isEnded) return;
    const now = Date.now();
    doubts = now - doubtedAt < calm ? Math.min(doubts + 1, 5) : 0;
    doubtedAt = now;
    later(times.verify * 2 ** doubts * (0.5 + Math.random() / 2));
  };

  return {
    sync,
    doubt,

    get isSyncing() {
      return !!syncing;
    },

    /** Milliseconds since the list was last compared with the server's. */
    get age() {
      return Date.now() - syncedAt;
    },

    async load(filter, isStale) {
      active = filter;
      const view = inbox.view(filter);
      if (view.isLoaded && !isStale) return;
      if (view === inbox.view()) return sync();
      await loadPage(view, true).catch(() => {});
    },

    async loadMore(filter) {
      active = filter;
      const view = inbox.view(filter);
      if (!view.loading && inbox.list(filter).hasMore) await loadPage(view, false).catch(() => {});
    },

    rest() {
      clearTimeout(timer);
      timer = null;
    },

    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
};
