/** What the server sent, and what is pending on top of it. Knows no network and no clock. */

import { isUnread, matches, notification, placeOf } from './notification.js';

const maximumKept = 20_000;
const maximumRemembered = 2_000;

/** Remembers the last ones only. */
const remember = (set, id) => {
  set.add(id);
  if (set.size > maximumRemembered) for (const first of set) return set.delete(first);
};

export const createInbox = () => {
  /** Counts what was sent and asked: an answer changes nothing that was sent after its question. */
  let clock = 0;
  let changedAt = 0;
  let countedAt = 0;
  let highestSeq = 0;
  let count = null;
  let lastSeq = null;
  let syncedSeq = null;
  let firstFloor = '';
  let operations = [];
  /** id → the item as the server has it, and when that was sent. */
  const base = new Map();
  /** Its ids, the newest first; null where that changed. */
  let order = null;
  /** id → whether `count` has it as unread, where that is otherwise by now. */
  const counted = new Map();
  const deleted = new Set();
  const announced = new Set();
  const views = new Map();
  /** id → the item with the operations that concern it. */
  const overlay = new Map();

  const changed = () => {
    changedAt = ++clock;
  };

  const known = id => base.get(id)?.item;
  const shown = id => (overlay.has(id) ? overlay.get(id) : known(id));
  const sorted = () => (order ??= [...base.keys()].sort().reverse());

  /** A count follows what is sent; the one of an answer, or that was known when it was asked for, has all that is in it. */
  const set = (id, item, at = ++clock, isSent = true) => {
    const before = known(id);
    if (before && item && JSON.stringify(before) === JSON.stringify(item)) item = before;
    if (!before !== !item) order = null;
    if (isSent && isUnread(before) !== isUnread(item) && !counted.has(id)) counted.set(id, isUnread(before));
    else if (!isSent && counted.has(id)) counted.set(id, counted.get(id) + isUnread(item) - isUnread(before));
    if (item) {
      base.set(id, { item: Object.freeze(item), at });
      highestSeq = Math.max(highestSeq, item.seq);
    } else base.delete(id);
  };

  /** What an answer to a question of `asked` says. */
  const put = (dto, asked, isSent = false) => {
    const item = notification(dto);
    if (!item || deleted.has(item.id)) return;
    if (!(base.get(item.id)?.at > asked)) set(item.id, item, asked, isSent);
    return item;
  };

  /** What `count` does not know yet. */
  const drift = (ids, itemOf) => {
    let sum = 0;
    for (const id of ids) sum += isUnread(itemOf(id)) - (counted.get(id) ?? isUnread(known(id)));
    return sum;
  };

  const unread = itemOf => [...base.keys()].filter(id => isUnread(itemOf(id)));

  /** Puts the operations on top of what the server sent. */
  const derive = () => {
    overlay.clear();
    for (const { ids, apply } of operations) {
      for (const id of ids) {
        const item = shown(id);
        if (item) overlay.set(id, apply(item));
      }
    }
    for (const view of views.values()) view.result = null;
    // Beyond what is kept, the older half goes; it can be asked for again.
    if (base.size > maximumKept) inbox.forgetBelow(sorted()[maximumKept / 2], Infinity);
  };

  /** The count of an answer; one that was sent meanwhile is newer. */
  const takeAnswer = (unreadCount, asked) => {
    derive();
    return changedAt > asked ? countedAt === changedAt : inbox.takeCount(unreadCount, true) !== null;
  };

  const inbox = {
    /** The last `seq` up to which everything is known; null before the first page. */
    get lastSeq() {
      return lastSeq;
    },

    /** `lastSeq` when the list was last compared with the server's. */
    get syncedSeq() {
      return syncedSeq;
    },

    /** The end of the first page. */
    get firstFloor() {
      return firstFloor;
    },

    get operations() {
      return operations;
    },

    /** To be kept with a question, and given with its answer. */
    ask: () => ++clock,

    /** Everything up to what was sent is there. */
    advance() {
      lastSeq = Math.max(lastSeq, highestSeq);
    },

    get size() {
      return base.size;
    },

    get: shown,

    /** Whether an operation on it is under way. */
    isConcerned: id => overlay.has(id),

    get unreadIds() {
      return unread(shown);
    },

    get unreadCount() {
      if (count === null) return null;
      if (operations.some(({ isAll }) => isAll)) return unread(shown).length;
      return Math.max(0, count + drift(new Set([...counted.keys(), ...overlay.keys()]), shown));
    },

    view(filter) {
      const { place = 'inbox', unreadOnly, category, type } = filter ?? {};
      const key = JSON.stringify([place, !!unreadOnly, category || 0, type || 0]);
      const view = views.get(key) ?? { filter: { ...filter }, floor: null, hasMore: false, isLoaded: false };
      views.set(key, view);
      return view;
    },

    list(filter) {
      const view = inbox.view(filter);
      const { hasMore, isLoaded, floor } = view;
      return (view.result ??= {
        items: sorted()
          .filter(id => floor !== null && id >= floor)
          .map(shown)
          .filter(item => item && matches(view.filter, item)),
        hasMore: hasMore && base.size < maximumKept,
        isLoaded,
      });
    },

    /** The first page of a list, or the next one; says whether the count in it could be taken. */
    takePage(view, { notifications, hasMore, unreadCount }, asked, isFirst) {
      const top = isFirst ? null : view.floor;
      const items = notifications.flatMap(dto => put(dto, asked) ?? []);
      const ids = new Set(items.map(({ id }) => id));
      const lowest = [...ids].sort()[0];
      // A page that leads nowhere is the last one.
      const goesOn = hasMore === true && ids.size > 0 && (top === null || lowest < top);
      const floor = goesOn ? lowest : '';
      if (isFirst && view === inbox.view()) {
        const seqs = items.flatMap(({ seq }) => seq ?? []);
        const isGap = lastSeq !== null && goesOn && Math.min(...seqs) > lastSeq + 1;
        if (isGap) inbox.forgetBelow(floor, asked);
        if (isGap || lastSeq === null) lastSeq = Math.max(0, ...seqs);
        firstFloor = floor;
      }
      for (const [id, { item, at }] of base) {
        if (id >= floor && (top === null || id < top) && at <= asked && !ids.has(id) && matches(view.filter, item))
          set(id, undefined, ++clock, false);
      }
      if (!isFirst || !view.isLoaded || view.floor >= floor) Object.assign(view, { floor, hasMore: goesOn });
      view.isLoaded = true;
      return takeAnswer(unreadCount, asked);
    },

    /** What became of what may be anywhere in the list; says whether the count in it could be taken. */
    takeChanges({ changed: dtos, deleted: ids, isComplete, unreadCount }, asked) {
      for (const dto of dtos) put(dto, asked);
      for (const id of ids) {
        remember(deleted, id);
        set(id, undefined, ++clock, false);
      }
      if (isComplete !== true) inbox.forgetBelow(firstFloor, asked);
      return takeAnswer(unreadCount, asked);
    },

    /** The list is as the server has it; others than this view of it are to be asked for anew. */
    markSynced(view) {
      syncedSeq = lastSeq;
      for (const other of views.values()) {
        if (other !== inbox.view() && other !== view) Object.assign(other, { isLoaded: false, result: null });
      }
    },

    /** The older part is not known to be right any more. */
    forgetBelow(floor, asked) {
      for (const [id, { at }] of base) if (id < floor && at <= asked) base.delete(id);
      order = null;
      for (const view of views.values()) {
        if (view.floor < floor) Object.assign(view, { floor, hasMore: true });
      }
      derive();
    },

    /** Says whether that was to be expected; null for what is no count. */
    takeCount(value, isAnswer) {
      if (!Number.isSafeInteger(value) || value < 0) return null;
      const isExpected = count === null || count + drift(counted.keys(), known) === value;
      if (!isAnswer) {
        changed();
        countedAt = changedAt;
      }
      count = value;
      counted.clear();
      return isExpected;
    },

    /** Beyond a hundred, reading is sent as the count alone: 0 reads all. */
    readAll() {
      for (const [id, { item }] of base) if (isUnread(item)) set(id, { ...item, isRead: true });
      counted.clear();
      derive();
    },

    // What the hub sends. Nothing of it may be a second time, or late.

    receive(dto) {
      if (base.has(dto?.id)) return;
      changed();
      put(dto, clock, true);
      derive();
    },

    /** Whether a notification has not been announced yet. */
    announce(id) {
      const isNew = !announced.has(id);
      remember(announced, id);
      return isNew;
    },

    /** Says whether it is where it was before, and read or not as it was. */
    change(dto) {
      const item = notification(dto);
      if (!item || deleted.has(item.id)) return true;
      const before = known(item.id);
      changed();
      set(item.id, item);
      derive();
      return !!before && before.isRead === item.isRead && placeOf(before) === placeOf(item);
    },

    /** Says whether it was read before. */
    read(id) {
      const item = known(id);
      changed();
      if (item) set(id, { ...item, isRead: true, readAt: item.readAt ?? new Date().toJSON() });
      derive();
      return !!item?.isRead;
    },

    remove(id) {
      changed();
      remember(deleted, id);
      set(id);
      derive();
    },

    // Operations

    add(operation) {
      operations.push(operation);
      derive();
    },

    drop(operation) {
      operations = operations.filter(other => other !== operation);
      derive();
    },

    /** The server has carried it out: what came since it was sent is newer. */
    commit(operation) {
      const { ids, isAll, asked, apply, kind } = operation;
      const isUnchanged = changedAt <= asked;
      changed();
      for (const id of ids) {
        if (kind === 'remove') remember(deleted, id);
        const { item, at } = base.get(id) ?? {};
        if (item && at <= asked) set(id, apply(item));
      }
      if (isAll && isUnchanged) {
        count = unread(known).length;
        counted.clear();
      }
      inbox.drop(operation);
    },
  };
  return inbox;
};
