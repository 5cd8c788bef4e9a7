// The bell's core without the element, for pages that draw their own list: docs/javascript.md.
import { BellError } from '../core/api.js';
import { createCore } from '../core/core.js';
import { archive, snooze, unarchive, unsnooze } from '../core/put-aside.js';
import { createListeners } from './listeners.js';

export { BellError as BelfryError };

/** Of one call; the rest goes in others. */
const mostIds = 100;

const groups = ids => {
  const each = [...new Set([ids].flat())];
  return Array.from({ length: Math.ceil(each.length / mostIds) }, (_, at) => each.slice(at * mostIds, (at + 1) * mostIds));
};

/** A promise of what became of operations, which never rejects. `undo` takes back what was not sent yet, and says whether that was all. */
const outcome = operations =>
  Object.assign(
    Promise.all(operations.map(({ done }) => done)).then(
      outcomes => outcomes.find(({ ok }) => !ok) ?? { ok: true, error: null },
    ),
    { undo: () => operations.map(({ undo }) => undo()).every(Boolean) },
  );

/** Relative to the page; without one it is where this module came from. */
const gatewayOf = gateway => {
  const url = gateway ? new URL(gateway, globalThis.document?.baseURI) : new URL('../..', import.meta.url);
  return url.href.replace(/\/+$/, '');
};

/** The notifications of who is signed in. Asks for nothing before `connect()`, so that it can be made anywhere. `times` is for tests. */
export const createBelfry = ({ gateway, hub, token, tokenUrl, times } = {}) => {
  const { on, tell } = createListeners(['change', 'notification', 'event', 'state', 'unread', 'error']);
  let state = 'disconnected';
  let count = null;

  const onChange = () => {
    const previous = state;
    const before = count;
    state = core.state;
    count = core.unreadCount;
    if (state !== previous) tell('state', { state, previous });
    if (count !== before) tell('unread', { count });
    tell('change');
  };

  const core = createCore({
    gateway: gatewayOf(gateway),
    hub: hub?.toString(),
    token,
    tokenUrl,
    times,
    onChange,
    onNotification: (notification, { isMissed }) => tell('notification', { notification, isMissed }),
    onEvent: (name, args) => tell('event', { name, arguments: args }),
    onError: error => tell('error', { error }),
  });

  const one = (operate, ...more) => outcome([operate(...more)]);

  return {
    get state() {
      return core.state;
    },
    get unreadCount() {
      return core.unreadCount;
    },

    on,
    subscribe: listener => on('change', () => listener()),

    connect: core.start,
    disconnect: core.stop,
    retry: core.retry,
    pause: () => core.setPaused(true),
    resume: () => core.setPaused(false),
    signOut: core.signOut,

    list: core.list,
    load: core.load,
    loadMore: core.loadMore,
    refresh: core.refresh,

    markAsRead: ids => outcome(groups(ids).map(core.markAsRead)),
    markAllAsRead: () => one(core.markAllAsRead),
    markAsUnread: id => one(core.markAsUnread, id),
    archive: id => one(archive, core, id),
    unarchive: id => one(unarchive, core, id),
    snooze: (id, until) => one(snooze, core, id, until),
    unsnooze: id => one(unsnooze, core, id),
    remove: id => one(core.remove, id),
    act: (id, action) => one(core.act, id, action),
    markAsSeen: ids => core.markAsSeen([ids].flat()),
    opened: core.opened,

    request: (method, path, body) => core.request(method, path, body),
  };
};
