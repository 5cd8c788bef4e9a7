import { createAPI } from './api.js';
import { createConnection } from './connection.js';
import { connect } from './hub.js';
import { createInbox } from './inbox.js';
import { createOperations } from './operations.js';
import { createQueue } from './queue.js';
import { createReceiver } from './receiver.js';
import { createSync } from './sync.js';

/**
 * Everything about one signed-in user. Signing out throws it away as a whole, and with it what is still under way. `onOtherUser` is called,
 * with whether this one was started, when a token turns out to be somebody else's.
 */
export const createUser = ({ gateway, credentials, configuration, times, isPaused, handlers, onOtherUser }) => {
  const { limits } = configuration;
  const life = { isOver: false };
  let isStarted = false;
  let news = null;

  const tell = (handler, ...args) => {
    if (life.isOver) return;
    try {
      handler(...args);
    } catch (error) {
      reportError(error);
    }
  };

  /** However much changes at a time, it is reported once a frame; hidden pages have no frames, but a clock. */
  const change = isState => {
    if (!news) {
      setTimeout(() => {
        const changes = news;
        news = null;
        tell(handlers.onChange, changes);
      }, times.draw);
    }
    news = { state: isState || !!news?.state };
  };
  const onChange = () => change(false);
  const onState = () => change(true);
  const onError = error => tell(handlers.onError, error);
  const isIdle = () => life.isOver || !isStarted || connection.isIdle();

  const inbox = createInbox();
  const api = createAPI({
    gateway,
    credentials,
    times,
    life,
    onUnauthorized: () => connection.refuse(),
    onOtherUser: () => onOtherUser(isStarted),
  });
  const queue = createQueue({
    inbox,
    times,
    life,
    onChange,
    onError,
    onCommit: ({ isAll }) => (isAll || !receiver.isConnected) && sync.doubt(),
  });
  const { operations, flushSeen } = createOperations({ api, inbox, queue, limits, times });
  const sync = createSync({ api, inbox, limits, times, isIdle, onChange, onError, onSettled: () => receiver.settle() });
  const receiver = createReceiver({
    inbox,
    life,
    doubt: sync.doubt,
    replace: error => connection.replace(error),
    onNotification: (...args) => tell(handlers.onNotification, ...args),
    onEvent: (...args) => tell(handlers.onEvent, ...args),
    onChange,
  });
  const connection = createConnection({
    times,
    open: async onClose =>
      connect(api, await configuration.hubAddress(api), { times, onCall: receiver.call, onMalformed: sync.doubt, onClose }),
    onState,
    onSession(session) {
      receiver.connect(session);
      if (!session) return sync.expire();
      queue.wake();
      // At first the page was asked for a moment ago, and what came since is resumed.
      if (sync.isFresh) receiver.resume();
      else sync.sync();
    },
    onError(error) {
      onError(error);
      if (!sync.isFresh) sync.doubt();
    },
  });
  connection.setPaused(isPaused);

  const flush = () => {
    flushSeen();
    queue.flush();
  };

  const user = {
    ...operations,

    get state() {
      return connection.state;
    },
    get unreadCount() {
      return inbox.unreadCount;
    },

    list: sync.list,
    load: sync.load,
    loadMore: sync.loadMore,
    refresh: sync.sync,
    request: api.request,
    token: api.token,

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

    setPaused: connection.setPaused,

    retry() {
      api.unblock();
      connection.retry();
      queue.wake();
      if (!isIdle()) sync.sync();
    },

    /** Somebody else was here before. */
    arrive: onState,
  };
  return user;
};
