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
  fresh: 30_000,
};

/** Everything about one signed-in user. Signing out throws it away as a whole, and with it what is still under way. */
const createUser = (options, times, tell, onOtherUser) => {
  const life = { isOver: false };
  let isStarted = false;
  let session = null;
  let isResumed = false;
  /** Up to here everything was there before anybody looked. */
  let announcedSeq = null;

  const guarded = (call) => (...args) => life.isOver || call(...args);
  const onChange = guarded(tell.change);
  const onInbox = () => onChange({ list: true, count: true, pending: true });
  const onError = guarded(tell.error);
  const isConnected = () => connection.state === "connected";
  const isIdle = () => life.isOver || !isStarted || ["disconnected", "unauthorized", "paused"].includes(connection.state);

  const inbox = createInbox();
  const api = createAPI(options, times, life, guarded(() => connection.refuse()), guarded(onOtherUser));
  const operations = createOperations({
    inbox,
    times,
    life,
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
      await mine.resume(inbox.lastSeq, guarded((dto) => receive(dto, true)));
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
      if (typeof options.hub !== "string") malformed();
      const hub = new URL(options.hub, `${options.gateway}/`);
      return connect(api, hub, { times, onCall, onMalformed: guarded(sync.doubt), onClose });
    },
    onState: () => onChange({ state: true }),
    onSession(opened) {
      session = opened;
      isResumed = false;
      if (!opened) return sync.expire();
      operations.wake();
      // At first the page was asked for a moment ago, and what came since is resumed.
      if (sync.isFresh) resume();
      else sync.sync();
    },
    onError(error) {
      onError(error);
      if (!sync.isFresh) sync.doubt();
    },
  });

  const flush = () => {
    flushSeen();
    operations.flush();
  };

  const retry = () => {
    api.unblock();
    connection.retry();
    operations.wake();
    if (!isIdle()) sync.sync();
  };

  const user = {
    inbox,
    connection,

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
      isStarted = false;
      window.removeEventListener("pagehide", flush);
      flush();
      sync.rest();
      connection.stop();
    },

    end() {
      user.stop();
      life.isOver = true;
    },

    methods: {
      ...actions,
      retry,
      refresh: sync.sync,
      load: (filter) => sync.load(filter, isConnected()),
      loadMore: sync.loadMore,
      list: inbox.list,
      request: api.request,
    },
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
      core.retry();
    },
  };
  create();
  // Whoever is signed in by then.
  for (const name of Object.keys(user.methods)) core[name] = (...args) => user.methods[name](...args);
  return core;
};
