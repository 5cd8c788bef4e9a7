import { inboxPath, malformed } from './api.js';
import { jitter } from './jitter.js';

/** Of the first page: it is to be there soon. */
const shortPage = 20;

const pagePath = ({ place, unreadOnly, category, type }, before, pageSize) => {
  const query = new URLSearchParams({ pageSize });
  const parameters = { before, unreadOnly, category, type, archived: place === 'archived', snoozed: place === 'snoozed' };
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return `${inboxPath}?${query}`;
};

/** Reads lists, and brings them in line with the server's whenever something may have been missed. */
export const createSync = ({ api, inbox, limits, times, isIdle, onChange, onError, onSettled }) => {
  let syncing = null;
  let timer = 0;
  let failures = 0;
  let syncedAt = -Infinity;
  /** The filter that is looked at. */
  let active;
  /** view → the request for a page of it, why the last one failed, and the `list` that was made of both and of what the inbox knew. */
  const loads = new Map();

  const firstPage = () => Math.min(shortPage, limits.pageSize);

  const loadOf = view => {
    const load = loads.get(view) ?? { page: null, error: null, known: null, list: null };
    loads.set(view, load);
    return load;
  };

  const list = filter => {
    const load = loadOf(inbox.view(filter));
    const known = inbox.list(filter);
    if (load.known !== known) Object.assign(load, { known, list: { ...known, isLoading: !!load.page, error: load.error } });
    return load.list;
  };

  const request = async (view, load, isFirst) => {
    const { floor } = view;
    const asked = inbox.ask();
    try {
      const [before, size] = isFirst ? ['', firstPage()] : [floor, limits.pageSize];
      const data = await api.request('GET', pagePath(view.filter, before, size));
      if (!Array.isArray(data?.notifications)) malformed();
      load.error = null;
      // A list that was begun anew meanwhile has another end.
      return (isFirst || view.floor === floor) && inbox.takePage(view, data, asked, isFirst);
    } catch (error) {
      load.error = error;
      throw error;
    } finally {
      load.page = load.known = null;
      onChange();
    }
  };

  /** Asks for a page of a list, one at a time; says whether the count that came with it could be taken. */
  const loadPage = async (view, isFirst) => {
    const load = loadOf(view);
    while (load.page) await load.page.catch(() => {});
    load.page = request(view, load, isFirst);
    load.known = null;
    onChange();
    return load.page;
  };

  /** What became of the part of the list beyond the first page; says whether the count that came with it could be taken. */
  const readChanges = async since => {
    const asked = inbox.ask();
    const data = await api.request('GET', `${inboxPath}/changes?since=${since}&limit=1`);
    if (!Array.isArray(data?.changed) || !Array.isArray(data.deleted)) malformed();
    return inbox.takeChanges(data, asked);
  };

  const syncOnce = async () => {
    const main = inbox.view();
    const view = inbox.view(active);
    const since = inbox.syncedSeq;
    let isCounted = await loadPage(main, true);
    if (since !== null && inbox.size > firstPage()) isCounted = await readChanges(since);
    inbox.markSynced(view);
    if (view !== main) await loadPage(view, true);
    syncedAt = Date.now();
    // Something was sent while the page was on its way: its count may be older.
    if (!isCounted) doubt();
  };

  const rest = () => {
    clearTimeout(timer);
    timer = 0;
  };

  const later = wait => {
    rest();
    timer = setTimeout(() => {
      timer = 0;
      // The page under way may have been read before what is in doubt.
      if (syncing) doubt();
      else if (!isIdle()) sync();
    }, wait);
  };

  const settle = error => {
    syncing = null;
    if (!error) failures = 0;
    else if (!isIdle() && error.code !== 'ended') {
      onError(error);
      later(Math.max((error.retryAfter ?? 0) * 1000, jitter(++failures, times)));
    }
    onSettled();
  };

  /** The first page again; never two at a time. Tries again by itself while it fails. */
  const sync = () => {
    if (!syncing) {
      rest();
      syncing = syncOnce().then(settle, settle);
    }
    return syncing;
  };

  /** What was sent does not fit together, or may have come in another order: the server has the last word. */
  const doubt = () => {
    if (!timer) later(times.verify * (1 + Math.random()));
  };

  const loadOne = (view, isFirst) => loadPage(view, isFirst).catch(error => isIdle() || error.code === 'ended' || onError(error));

  return {
    sync,
    doubt,
    rest,

    /** What the inbox has of a list, and how it is being loaded: the same object until that changes. */
    list,

    /** Whether the list was compared with the server's a moment ago, or is about to. */
    get isFresh() {
      return !!syncing || Date.now() - syncedAt < times.steady;
    },

    /** What was read may have changed unnoticed. */
    expire() {
      syncedAt = -Infinity;
    },

    async load(filter) {
      active = filter;
      const view = inbox.view(filter);
      if (!view.isLoaded && !isIdle()) await (view === inbox.view() ? sync() : loadOne(view, true));
    },

    async loadMore(filter) {
      active = filter;
      const view = inbox.view(filter);
      if (!loadOf(view).page && inbox.list(filter).hasMore) await loadOne(view);
    },
  };
};
