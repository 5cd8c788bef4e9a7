/** What the server told, and what is pending on top of it. Knows no network and no clock. */

export const maximumKept = 20_000;
const maximumRemembered = 2_000;

const text = (value) => (typeof value === "string" ? value : "");
const orNull = (value) => (typeof value === "string" ? value : null);

const parsed = (data) => {
  try {
    const value = typeof data === "string" ? JSON.parse(data) : data;
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
};

/** A notification in which every member has its type; undefined for what is none. */
const notification = (dto) => {
  if (typeof dto?.id !== "string" || !dto.id) return;
  const { type, actions, seq } = dto;
  return {
    id: dto.id,
    seq: Number.isSafeInteger(seq) ? seq : null,
    type: Number.isInteger(type) ? type : 0,
    typeName: text(dto.typeName),
    category: orNull(dto.category),
    title: text(dto.title),
    body: text(dto.body),
    data: parsed(dto.data),
    isRead: dto.isRead === true,
    createdAt: text(dto.createdAt),
    readAt: orNull(dto.readAt),
    seenAt: orNull(dto.seenAt),
    openedAt: orNull(dto.openedAt),
    archivedAt: orNull(dto.archivedAt),
    snoozedUntil: orNull(dto.snoozedUntil),
    relatedEntityType: orNull(dto.relatedEntityType),
    relatedEntityId: orNull(dto.relatedEntityId),
    priority: orNull(dto.priority),
    actions: (Array.isArray(actions) ? actions : [])
      .filter((action) => typeof action?.id === "string")
      .map(({ id, title }) => ({ id, title: text(title) || id })),
    isPending: false,
  };
};

const placeOf = (item) => (item.archivedAt ? "archived" : item.snoozedUntil ? "snoozed" : "inbox");
const isUnread = (item) => !!item && !item.isRead && placeOf(item) === "inbox";

const matches = ({ place, unreadOnly, category, type }, item) =>
  placeOf(item) === (place ?? "inbox") &&
  !(unreadOnly && item.isRead) &&
  (category == null || item.category === category) &&
  (type == null || item.type === type || item.typeName === type);

/** Remembers the last ones only. */
const remember = (map, key, value = true) => {
  map.delete(key);
  map.set(key, value);
  if (map.size > maximumRemembered) map.delete(map.keys().next().value);
};

export const createInbox = () => {
  /** Counts what was told and asked: an answer changes nothing that was told after its question. */
  let clock = 0;
  let changedAt = 0;
  /** id → the item as the server has it, and when that was told. */
  const base = new Map();
  let order = [];
  const deleted = new Map();
  const readEarly = new Map();
  const announced = new Map();
  let count = null;
  /** id → whether `count` has it as unread, where that is otherwise by now. */
  const counted = new Map();
  let highestSeq = 0;
  let operations = [];
  const views = new Map();
  /** id → the item with the operations that concern it. */
  let overlay = new Map();

  const changed = () => {
    changedAt = ++clock;
  };

  const derive = () => {
    const next = new Map();
    for (const operation of operations) {
      for (const id of operation.ids) {
        const from = base.get(id)?.item;
        if (!from) continue;
        const entry = next.get(id) ?? { from, item: from, by: "" };
        entry.by += `${operation.id},`;
        entry.item &&= operation.apply(entry.item);
        next.set(id, entry);
      }
    }
    for (const [id, entry] of next) {
      const old = overlay.get(id);
      if (old?.from === entry.from && old.by === entry.by) next.set(id, old);
      else if (entry.item) entry.item = Object.freeze({ ...entry.item, isPending: true });
    }
    overlay = next;
    for (const view of views.values()) view.result = null;
  };

  const shown = (id) => (overlay.has(id) ? overlay.get(id).item : base.get(id)?.item);

  const set = (id, item, at = ++clock) => {
    const before = base.get(id)?.item;
    if (before && item && JSON.stringify(before) === JSON.stringify(item)) item = before;
    if (!before !== !item) order = null;
    if (isUnread(before) !== isUnread(item) && !counted.has(id)) counted.set(id, isUnread(before));
    if (item) {
      base.set(id, { item: Object.freeze(item), at });
      highestSeq = Math.max(highestSeq, item.seq);
    } else base.delete(id);
    return before !== item;
  };

  /** What an answer to a question of `asked` says. */
  const put = (dto, asked) => {
    const item = notification(dto);
    if (!item || deleted.has(item.id)) return;
    if (readEarly.delete(item.id)) item.isRead = true;
    if (!(base.get(item.id)?.at > asked)) set(item.id, item, asked);
    return item;
  };

  const sorted = () => (order ??= [...base.keys()].sort().reverse());

  /** Beyond what is kept, the older half goes; it can be asked for again. */
  const trim = () => {
    if (base.size <= maximumKept) return;
    const half = maximumKept / 2;
    const floor = sorted()[half - 1];
    for (const id of sorted().slice(half)) base.delete(id);
    order = null;
    for (const view of views.values()) {
      if (view.floor < floor) Object.assign(view, { floor, hasMore: true });
    }
  };

  const inbox = {
    /** The last `seq` up to which everything is known; null before the first page. */
    lastSeq: null,

    /** `lastSeq` when the list was last compared with the server's. */
    syncedSeq: null,

    /** The end of the first page. */
    firstFloor: "",

    /** To be kept with a question, and given with its answer. */
    ask: () => ++clock,

    /** Everything up to what was told is there. */
    advance() {
      inbox.lastSeq = Math.max(inbox.lastSeq ?? 0, highestSeq);
    },

    get size() {
      return base.size;
    },

    get operations() {
      return operations;
    },

    setOperations(next) {
      operations = next;
      derive();
    },

    view(filter = {}) {
      const key = JSON.stringify([filter.place ?? "inbox", !!filter.unreadOnly, filter.category ?? null, filter.type ?? null]);
      let view = views.get(key);
      if (!view) {
        // Beyond a dozen filters the one that was not used for longest is forgotten.
        if (views.size >= 12) views.delete([...views].find(([, { isLoading }]) => !isLoading)?.[0]);
        view = { filter: { ...filter }, floor: null, hasMore: false, isLoading: false, isLoaded: false, error: null, result: null };
      }
      views.delete(key);
      views.set(key, view);
      return view;
    },

    get views() {
      return [...views.values()];
    },

    list(filter) {
      const view = inbox.view(filter);
      const { hasMore, isLoading, isLoaded, error, floor } = view;
      return (view.result ??= Object.freeze({
        items: Object.freeze(
          floor === null
            ? []
            : sorted().flatMap((id) => {
                const item = id >= floor && shown(id);
                return item && matches(view.filter, item) ? [item] : [];
              }),
        ),
        hasMore: hasMore && base.size < maximumKept,
        isLoading,
        isLoaded,
        error,
      }));
    },

    get(id) {
      return shown(id);
    },

    /** Whether an operation on it is under way. */
    isConcerned: (id) => overlay.has(id),

    get unreadIds() {
      return [...base.keys()].filter((id) => isUnread(shown(id)));
    },

    get unreadCount() {
      if (count === null) return null;
      let sum = count;
      if (operations.some(({ isAll }) => isAll)) {
        sum = 0;
        for (const id of base.keys()) sum += isUnread(shown(id));
        return sum;
      }
      for (const id of new Set([...counted.keys(), ...overlay.keys()])) {
        sum += isUnread(shown(id)) - (counted.get(id) ?? isUnread(base.get(id)?.item));
      }
      return Math.max(0, sum);
    },

    /** What the count should be by all that was told. */
    get expectedCount() {
      let sum = count;
      for (const [id, was] of counted) sum += isUnread(base.get(id)?.item) - was;
      return sum;
    },

    /** The first page, or the next one; says whether the count in it could be taken. */
    takePage(view, page, asked, isFirst) {
      const top = isFirst ? null : view.floor;
      const before = inbox.lastSeq;
      const items = page.notifications.map((dto) => put(dto, asked)).filter(Boolean);
      const ids = items.map(({ id }) => id).sort();
      const hasMore = page.hasMore === true && ids.length > 0 && (top === null || ids[0] < top);
      const floor = hasMore ? ids[0] : "";
      const isMain = view === inbox.view();
      const seqs = items.map(({ seq }) => seq).filter(Boolean);
      const last = Math.max(0, ...seqs);
      if (isFirst && isMain) {
        inbox.firstFloor = floor;
        const isGap = before !== null && hasMore && seqs.length > 0 && Math.min(...seqs) > before + 1;
        if (isGap) inbox.forgetBelow(floor, asked);
        if (before === null || isGap) inbox.lastSeq = last;
      }
      const told = new Set(ids);
      for (const [id, { item, at }] of base) {
        if (id >= floor && (top === null || id < top) && at <= asked && !told.has(id) && matches(view.filter, item)) set(id);
      }
      if (!isFirst || !view.isLoaded || view.floor === null || view.floor >= floor) Object.assign(view, { floor, hasMore });
      Object.assign(view, { isLoaded: true, error: null });
      trim();
      const isCounted = changedAt <= asked && inbox.takeCount(page.unreadCount, false);
      derive();
      return isCounted;
    },

    /** The older part is not known to be right any more. */
    forgetBelow(floor, asked) {
      for (const [id, { at }] of base) if (id < floor && at <= asked) base.delete(id);
      order = null;
      const main = inbox.view();
      for (const view of views.values()) {
        const isMain = view === main;
        if (view.floor !== null && view.floor < floor) Object.assign(view, { floor: isMain ? floor : null, hasMore: isMain, isLoaded: isMain });
      }
      derive();
    },

    takeCount(value, isNews = true) {
      if (!Number.isSafeInteger(value) || value < 0) return false;
      if (isNews) changed();
      count = value;
      counted.clear();
      return true;
    },

    /** Beyond a hundred, reading is told by the count alone: 0 reads all. */
    readAll() {
      for (const [id, { item }] of base) if (isUnread(item)) set(id, { ...item, isRead: true });
      counted.clear();
      derive();
    },

    /** What an answer says of something that may be anywhere in the list. */
    revise(dto, asked) {
      put(dto, asked);
      trim();
      derive();
    },

    // What the hub tells; each says whether it changed anything.

    receive(dto) {
      const item = notification(dto);
      if (!item || deleted.has(item.id)) return false;
      if (base.has(item.id)) return false;
      changed();
      put(dto, clock);
      trim();
      derive();
      return true;
    },

    /** Whether a new notification has not been announced yet. */
    announce(id) {
      if (announced.has(id)) return false;
      remember(announced, id);
      return true;
    },

    change(dto) {
      const item = notification(dto);
      if (!item || deleted.has(item.id)) return false;
      changed();
      const before = base.get(item.id)?.item;
      set(item.id, item);
      trim();
      derive();
      return !before || isUnread(before) !== isUnread(item) || placeOf(before) !== placeOf(item);
    },

    read(id) {
      changed();
      const { item } = base.get(id) ?? {};
      if (!item) remember(readEarly, id);
      const isNew = !!item && set(id, { ...item, isRead: true, readAt: item.readAt ?? new Date().toISOString() });
      derive();
      return isNew;
    },

    remove(id) {
      changed();
      remember(deleted, id);
      const isNew = set(id);
      derive();
      return isNew;
    },

    /** The server has carried out an operation that was sent at `asked`: what was told meanwhile is newer. */
    commit(operation, asked) {
      const isUntold = changedAt <= asked;
      changed();
      for (const id of operation.ids) {
        if (operation.kind === "remove") remember(deleted, id);
        const { item, at } = base.get(id) ?? {};
        if (item && at <= asked) set(id, operation.apply(item));
      }
      if (operation.isAll && isUntold) {
        count = 0;
        counted.clear();
        for (const { item } of base.values()) count += isUnread(item);
      }
      inbox.setOperations(operations.filter((other) => other !== operation));
    },
  };
  return inbox;
};
