import { createConfiguration } from './configuration.js';
import { createUser } from './user.js';

/** Milliseconds. */
const defaultTimes = {
  undo: 5000,
  seen: 1000,
  verify: 3000,
  hidden: 60_000,
  fetch: 15_000,
  token: 30_000,
  ping: 15_000,
  silence: 30_000,
  retryMinimum: 1000,
  retryMaximum: 30_000,
  retryLong: 300_000,
  steady: 30_000,
  draw: 16,
};

/**
 * The bell without its looks: everything here is about who is signed in now. `token` is a text or a function; `handlers` are onChange,
 * onNotification, onEvent and onError.
 */
export const createCore = ({ gateway, hub, token, tokenUrl, times, ...handlers }) => {
  const configuration = createConfiguration(gateway, hub);
  let isPaused = false;

  const nextUser = () =>
    createUser({
      gateway,
      credentials: () => ({ token, tokenUrl }),
      configuration,
      times: { ...defaultTimes, ...times },
      isPaused,
      handlers,
      onOtherUser: renew,
    });
  const renew = isStarted => {
    user.end();
    user = nextUser();
    if (isStarted) user.start();
    user.arrive();
  };
  let user = nextUser();

  return {
    /** Of the connection. */
    get state() {
      return user.state;
    },
    /** Null where it is not known. */
    get unreadCount() {
      return user.unreadCount;
    },

    /** `{ items, hasMore, isLoading, isLoaded, error }` of a filter: the same object until it changes. */
    list: filter => user.list(filter),
    load: filter => user.load(filter),
    loadMore: filter => user.loadMore(filter),
    refresh: () => user.refresh(),

    // What the user does; all but the last two answer with `{ done, undo }`.
    markAsRead: ids => user.markAsRead(ids),
    markAllAsRead: () => user.markAllAsRead(),
    markAsUnread: id => user.markAsUnread(id),
    remove: id => user.remove(id),
    act: (id, action) => user.act(id, action),
    /** Anything else: `{ kind, id, members, call: { method, path, body } }`. */
    perform: wanted => user.perform(wanted),
    markAsSeen: ids => user.markAsSeen(ids),
    opened: id => user.opened(id),

    // These stay this user's for those who keep them.
    get request() {
      return user.request;
    },
    get token() {
      return user.token;
    },

    start: () => user.start(),
    stop: () => user.stop(),
    retry: () => user.retry(),
    setPaused(value) {
      isPaused = !!value;
      user.setPaused(isPaused);
    },
    setToken(value) {
      token = value;
      user.retry();
    },
    signOut: () => renew(false),
  };
};
