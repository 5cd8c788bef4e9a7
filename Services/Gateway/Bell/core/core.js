import { createActions } from './actions.js';
import { createAPI, malformed } from './api.js';
import { createConnection } from './connection.js';
import { connect } from './hub.js';
import { createInbox } from './inbox.js';
import { createOperations } from './operations.js';
import { createSync } from './sync.js';

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

/** Everything about one signed-in user. Signing out throws it away as a whole, and with it what is still under way. */
const createUser = (options, renew) => {
  const times = { ...defaultTimes, ...options.times };
  const life = { isOver: false };
  let isStarted = false;
  let session = null;
  let isResumed = false;
  /** Up to here everything was there before anybody looked. */
  let announcedSeq = null;
  let news = null;

  const guarded = call => (...args) => life.isOver || call(...args);

  const tell = guarded((callback, ...args) => {
    try {
      options[callback]?.(...args);
    } catch (error) {
      reportError(error);
    }
  });

  /** However much changes at a time, it is told once a frame; hidden pages have no frames, but a clock. */
  const onChange = (isState = false) => {
    if (!news) {
      setTimeout(() => {
        const told = news;
        news = null;
        tell('onChange', told);
      }, times.draw);
    }
    news = { state: isState || !!news?.state };
  };
  const onInbox = () => onChange();
  const onError = error => tell('onError', error);
  const isIdle = () => life.isOver || !isStarted || connection.isIdle();

  const inbox = createInbox();
  const api = createAPI(
    options,
    times,
    life,
    () => connection.refuse(),
    () => renew(isStarted),
  );
  const operations = createOperations({
    inbox,
    times,
    life,
    onChange: onInbox,
    onError,
    onCommit: ({ isAll }) => (isAll || !session) && sync.doubt(),
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
    if (isNews && inbox.announce(item.id)) tell('onNotification', item, { isMissed });
    onChange();
  };

  /** What was neither expected nor asked for here has to fit to a count, which is told apart from it. */
  const take = (id, takeIt, told) => {
    const isOwn = inbox.isConcerned(id);
    if (!takeIt(told) && !isOwn) sync.doubt();
  };

  const targets = {
    ReceiveNotification: dto => receive(dto, false),
    NotificationRead: id => take(id, inbox.read, id),
    NotificationChanged: dto => take(dto?.id, inbox.change, dto),
    NotificationDeleted: inbox.remove,
    UnreadCountChanged(count) {
      const isExpected = inbox.takeCount(count);
      // Of more than a hundred nothing else is told.
      if (count === 0) inbox.readAll();
      if (!isExpected) sync.doubt();
    },
  };

  const onCall = guarded((target, args) => {
    if (Object.hasOwn(targets, target)) targets[target](args[0]);
    else tell('onEvent', target, args);
    onChange();
  });

  /** Once for each connection, as soon as it is known from where on. */
  const resume = async () => {
    const mine = session;
    if (!mine || mine.isResuming || inbox.lastSeq === null) return;
    mine.isResuming = true;
    try {
      await mine.resume(inbox.lastSeq, guarded(dto => receive(dto, true)));
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
      options.hub ??= (await api.request('GET', '/bell/config.json', undefined, { bearer: null }))?.hub;
      if (typeof options.hub !== 'string') malformed();
      const hub = new URL(options.hub, `${options.gateway}/`);
      return connect(api, hub, { times, onCall, onMalformed: sync.doubt, onClose });
    },
    onState: () => onChange(true),
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
  connection.setPaused(options.isPaused);

  const flush = () => {
    flushSeen();
    operations.flush();
  };

  const user = {
    ...actions,

    get state() {
      return connection.state;
    },
    get unreadCount() {
      return inbox.unreadCount;
    },

    start() {
      if (isStarted) return;
      isStarted = true;
      window.addEventListener('pagehide', flush);
      api.unblock();
      connection.start();
      if (!isIdle()) sync.sync();
    },

    stop() {
      if (!isStarted) return;
      isStarted = false;
      window.removeEventListener('pagehide', flush);
      flush();
      sync.rest();
      connection.stop();
    },

    end() {
      user.stop();
      life.isOver = true;
    },

    setPaused(value) {
      options.isPaused = !!value;
      connection.setPaused(options.isPaused);
    },

    setToken(token) {
      options.token = token;
      user.retry();
    },

    retry() {
      api.unblock();
      connection.retry();
      operations.wake();
      if (!isIdle()) sync.sync();
    },

    /** Somebody else is there. */
    tell: () => onChange(true),
    refresh: sync.sync,
    load: sync.load,
    loadMore: sync.loadMore,
    list: inbox.list,
    request: api.request,
    token: api.token,
  };
  return user;
};

/** The bell without its looks. */
export const createCore = ({ ...options }) => {
  const renew = isStarted => {
    user.end();
    user = createUser(options, renew);
    if (isStarted) user.start();
    user.tell();
  };
  let user = createUser(options, renew);
  const core = { signOut: () => renew() };
  // Always those of who is signed in.
  for (const name of Object.keys(user)) Object.defineProperty(core, name, { get: () => user[name] });
  return core;
};
