import { createActions } from "./actions.js";
import { createAPI, malformed } from "./api.js";
import { createConnection } from "./connection.js";
import { connect } from "./hub.js";
import { createInbox } from "./inbox.js";
import { createOperations } from "./operations.js";
import { createSync } from "./sync.js";

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
  resetAfter: 30_000,
};

/** A list this old is asked for again, where somebody looks at it, and where nobody does. */
const stale = 10_000;
const long = 60_000;

/** Everything about one signed-in user. Signing out throws it away as a whole, and with it what is still under way. */
const createUser = (options, times, tell, onOtherUser) => {
  let isOver = false;
  let isStarted = false;
  let session = null;
  let isResumed = false;
  let hasConnected = false;
  /** Up to here everything was there before anybody looked. */
  let announcedSeq = null;

  const guarded = (call) => (...args) => isOver || call(...args);
  const onChange = guarded(tell.change);
  const onInbox = () => onChange({ list: true, count: true, pending: true });
  const onError = guarded(tell.error);
  const isConnected = () => connection.state === "connected";
  const isIdle = () => isOver || !isStarted || ["disconnected", "unauthorized", "paused"].includes(connection.state);

  const inbox = createInbox();
  const api = createAPI(options, times, guarded(() => connection.refuse()), guarded(onOtherUser));
  const operations = createOperations({
    inbox,
    times,
    onChange: onInbox,
    onError,
    onCommit: ({ isAll }) => (isAll || !isConnected()) && sync.doubt(),
  });
  const { actions, flushSeen } = createActions({ api, inbox, operations, times });
  const sync = createSync({
    api,
    inbox,
    times,
    isIdle,
    onChange: onInbox,
    onError,
    onSettled() {
      announcedSeq ??= inbox.lastSeq;
      resume();
    },
  });

  const receive = (dto, isMissed) => {
    inbox.receive(dto);
    if (isResumed) inbox.advance();
    const item = inbox.get(dto?.id);
    const isNews = item && !(item.seq !== null && item.seq <= announcedSeq);
    if (isNews && inbox.announce(item.id)) tell.notification(item, { isMissed });
    onInbox();
  };

  const targets = {
    ReceiveNotification: (dto) => receive(dto, false),
    NotificationRead(id) {
      const isOwn = inbox.isConcerned(id);
      if (!inbox.read(id) && !isOwn) sync.doubt();
    },
    NotificationChanged(dto) {
      const isOwn = inbox.isConcerned(dto?.id);
      if (!inbox.change(dto) && !isOwn) sync.doubt();
    },
    NotificationDeleted: inbox.remove,
    UnreadCountChanged(count) {
      const isExpected = inbox.takeCount(count);
      // Of more than a hundred nothing else is told.
      if (count === 0) inbox.readAll();
      else if (!isExpected) sync.doubt();
    },
  };

  const onCall = guarded((target, args) => {
    if (!Object.hasOwn(targets, target)) return tell.event(target, args);
    targets[target](args[0]);
    onInbox();
  });

  /** Once for each connection, as soon as it is known from where on. */
  const resume = async () => {
    const mine = session;
    if (!mine || mine.isResuming || inbox.lastSeq === null) return;
    mine.isResuming = true;
    try {
      await mine.stream("Resume", inbox.lastSeq, guarded((dto) => receive(dto, true)));
      if (session !== mine) return;
      isResumed = true;
      inbox.advance();
    } catch (error) {
      if (session === mine) connection.replace(error);
    }
  };

  const connection = createConnection({
    times,
    async open(onClose) {
      // The element's own address, or else the gateway knows.
      options.hub ??= (await api.request("GET", "/bell/config.json", undefined, { bearer: null })).data?.hub;
      if (typeof options.hub !== "string") throw malformed();
      const hub = new URL(options.hub, `${options.gateway}/`);
      return connect(api, hub, { times, onCall, onMalformed: guarded(sync.doubt), onClose });
    },
    onState: () => onChange({ state: true }),
    onSession(opened) {
      session = opened;
      isResumed = false;
      if (!opened) return;
      operations.wake();
      // At first the page was asked for a moment ago, and what came since is resumed.
      if (!hasConnected && (sync.isSyncing || sync.age < stale)) resume();
      else sync.sync();
      hasConnected = true;
    },
    onError(error) {
      onError(error);
      if (sync.age > long) sync.doubt();
    },
  });

  const flush = () => {
    flushSeen();
    operations.flush();
  };

  const user = {
    inbox,
    api,
    connection,
    actions,

    start() {
      if (isStarted) return;
      isStarted = true;
      window.addEventListener("pagehide", flush);
      api.unblock();
      connection.start();
      if (!isIdle()) sync.sync();
    },

    stop() {
      if (!isStarted) return;
      isStarted = hasConnected = false;
      window.removeEventListener("pagehide", flush);
      flush();
      sync.rest();
      connection.stop();
    },

    end() {
      user.stop();
      isOver = true;
      api.end();
      operations.end();
    },

    retry() {
      api.unblock();
      connection.retry();
      operations.wake();
      if (!isIdle()) sync.sync();
    },

    refresh: sync.sync,
    load: (filter) => sync.load(filter, !isConnected() && sync.age > stale),
    loadMore: sync.loadMore,
  };
  return user;
};

/** The bell without its looks. */
export const createCore = ({ times, onChange, onNotification, onEvent, onError, ...given }) => {
  const options = { ...given };
  let isStarted = false;
  let isPaused = false;
  let news = null;

  const told = (callback, ...args) => {
    try {
      callback?.(...args);
    } catch (error) {
      reportError(error);
    }
  };

  const tell = {
    change(what) {
      if (!news) {
        queueMicrotask(() => {
          const all = news;
          news = null;
          told(onChange, all);
        });
      }
      news = { state: false, list: false, count: false, pending: false, ...news, ...what };
    },
    notification: (...args) => told(onNotification, ...args),
    event: (...args) => told(onEvent, ...args),
    error: (error) => told(onError, error),
  };

  const create = () => {
    user = createUser(options, { ...defaultTimes, ...times }, tell, () => {
      const wasStarted = isStarted;
      core.signOut();
      if (wasStarted) core.start();
    });
    user.connection.setPaused(isPaused);
  };

  let user;
  const core = {
    get state() {
      return user.connection.state;
    },
    get retryAt() {
      return user.connection.retryAt;
    },
    get isOffline() {
      return !navigator.onLine;
    },
    get unreadCount() {
      return user.inbox.unreadCount;
    },
    get pending() {
      return user.inbox.operations.length;
    },
    get gateway() {
      return options.gateway;
    },
    start() {
      isStarted = true;
      user.start();
    },
    stop() {
      isStarted = false;
      user.stop();
    },
    signOut() {
      isStarted = false;
      user.end();
      create();
      tell.change({ state: true, list: true, count: true, pending: true });
    },
    setPaused(value) {
      isPaused = !!value;
      user.connection.setPaused(isPaused);
    },
    setToken(token) {
      options.token = token;
      user.retry();
    },
    retry: () => user.retry(),
    refresh: () => user.refresh(),
    list: (filter) => user.inbox.list(filter),
    load: (filter) => user.load(filter),
    loadMore: (filter) => user.loadMore(filter),
    request: (...args) => user.api.request(...args),
  };
  create();
  for (const name of Object.keys(user.actions)) core[name] = (...args) => user.actions[name](...args);
  return core;
};
