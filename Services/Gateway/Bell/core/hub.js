import { BellError, malformed } from './api.js';
import { open } from '../transports/websocket.js';

const end = '\x1e';
const longestRecord = 1 << 20;
const maximumRedirects = 5;

/** In the order in which they are tried; the first one is all that is needed nearly everywhere. */
const transports = {
  WebSockets: () => ({ open }),
  ServerSentEvents: () => import('../transports/event-stream.js'),
  LongPolling: () => import('../transports/long-polling.js'),
};

const below = (hub, path, name, value) => {
  const url = new URL(hub);
  url.pathname = url.pathname.replace(/\/*$/, path);
  url.searchParams.set(name, value);
  return url;
};

/** Where to connect to, and how; follows the hub from one address to the next. */
const negotiate = async (api, hub, bearer, redirects = 0) => {
  const response = await api.fetch('POST', below(hub, '/negotiate', 'negotiateVersion', 1), { bearer });
  const { error, url, accessToken, connectionToken, availableTransports } = Object(await response.json().catch(malformed));
  if (error) throw new BellError('unavailable', { status: 200, detail: String(error) });
  if (url && redirects < maximumRedirects) return negotiate(api, new URL(url, hub), accessToken ?? bearer, redirects + 1);
  if (!connectionToken || !Array.isArray(availableTransports)) malformed();
  return { url: below(hub, '', 'id', connectionToken), bearer, offered: availableTransports.map(each => each?.transport) };
};

/** A connection over one transport, after the handshake. */
const openSession = (api, { url, bearer }, token, transport, { times, onCall, onMalformed, onClose }) =>
  new Promise((resolve, reject) => {
    let isReady = false;
    let isOpen = true;
    let buffer = '';
    let heardAt = Date.now();
    let pingedAt = heardAt;
    let channel;
    let missed;

    const finish = reason => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(deadline);
      clearInterval(pulse);
      channel?.close();
      const error = reason instanceof BellError ? reason : new BellError('unavailable');
      missed?.reject(error);
      (isReady ? onClose : reject)(error);
    };

    const send = message => channel.send(JSON.stringify(message) + end);

    const session = {
      close() {
        onClose = () => {};
        finish();
      },

      /** Calls for what came after `seq`, as a stream; resolves when all of it has come. */
      resume: (seq, onItem) =>
        new Promise((resolve, reject) => {
          missed = { resolve, reject, onItem };
          send({ type: 4, invocationId: '1', target: 'Resume', arguments: [seq] });
        }),
    };

    const take = ({ type, target, arguments: values, item, error }) => {
      const failure = error && new BellError('unavailable', { detail: String(error) });
      if (!isReady) {
        if (failure) return finish(failure);
        isReady = true;
        clearTimeout(deadline);
        resolve(session);
      } else if (type === 1) {
        if (typeof target === 'string' && Array.isArray(values)) onCall(target, values);
        else onMalformed();
      } else if (type === 2) missed?.onItem(item);
      else if (type === 3) failure ? missed?.reject(failure) : missed?.resolve();
      else if (type === 7) finish(failure);
    };

    const receive = text => {
      heardAt = Date.now();
      const records = (buffer + text).split(end);
      buffer = records.pop();
      if (buffer.length > longestRecord) finish();
      for (const record of records) {
        if (!isOpen) return;
        let message;
        try {
          message = JSON.parse(record);
        } catch {}
        if (message && typeof message === 'object') take(message);
        else onMalformed();
      }
    };

    const deadline = setTimeout(finish, times.fetch, new BellError('timeout'));
    // Often enough to notice soon after a sleep that the connection is gone.
    const pulse = setInterval(() => {
      const now = Date.now();
      if (now - heardAt > times.silence) finish(new BellError('timeout'));
      else if (isReady && now - pingedAt >= times.ping) {
        pingedAt = now;
        send({ type: 6 });
      }
    }, times.ping / 5);

    const carry = (method, url, more) => api.fetch(method, url, { ...more, bearer });
    try {
      channel = transport.open({
        url,
        token,
        onOpen: () => send({ protocol: 'json', version: 1 }),
        onText: receive,
        onClose: finish,
        fetch: carry,
      });
    } catch {
      finish();
    }
  });

/** Connects over the first transport that works. */
export const connect = async (api, hub, handlers) => {
  let reason = new BellError('unavailable', { detail: 'no transport' });
  for (const [name, load] of Object.entries(transports)) {
    const place = await negotiate(api, hub);
    if (!place.offered.includes(name)) continue;
    try {
      return await openSession(api, place, place.bearer ?? (await api.token()), await load(), handlers);
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
};
