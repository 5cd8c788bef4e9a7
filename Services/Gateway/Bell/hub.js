import { BellError } from "./api.js";
import * as webSocket from "./websocket.js";

const end = "\x1e";
const longestRecord = 1 << 20;
const maximumRedirects = 5;

/** SignalR's message types. */
const invocation = 1;
const streamItem = 2;
const completion = 3;
const streamInvocation = 4;
const ping = 6;
const close = 7;

/** In the order in which they are tried; only the first one is needed nearly everywhere. */
const transports = [() => webSocket, () => import("./event-stream.js"), () => import("./long-polling.js")];

const transportNames = ["WebSockets", "ServerSentEvents", "LongPolling"];

const below = (hub, path, parameters) => {
  const url = new URL(hub);
  url.pathname = url.pathname.replace(/\/*$/, path);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
};

const negotiate = async (api, hub) => {
  let bearer;
  for (let redirects = 0; redirects <= maximumRedirects; redirects++) {
    const response = await api.fetch("POST", below(hub, "/negotiate", { negotiateVersion: 1 }), { bearer });
    const answer = await response.json().catch(() => null);
    if (typeof answer?.error === "string") throw new BellError("unavailable", { status: 200, detail: answer.error });
    if (typeof answer?.url === "string") {
      hub = new URL(answer.url, hub).href;
      bearer = answer.accessToken ?? bearer;
      continue;
    }
    const id = answer?.connectionToken ?? answer?.connectionId;
    if (typeof id !== "string") throw new BellError("malformed", { status: 200 });
    const offered = Array.isArray(answer.availableTransports) ? answer.availableTransports.map((one) => one?.transport) : [];
    return { url: below(hub, "", { id }), bearer, offered };
  }
  throw new BellError("malformed", { detail: "the hub sends its clients from one address to the next" });
};

/** A connection over one transport, after the handshake. */
const openSession = (api, { url, bearer, token }, transport, { times, onCall, onMalformed, onClose }) =>
  new Promise((resolve, reject) => {
    let isReady = false;
    let isOpen = true;
    let buffer = "";
    let heardAt = Date.now();
    let nextId = 0;
    let channel;
    const streams = new Map();

    const finish = (error) => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(deadline);
      clearInterval(pulse);
      channel?.close();
      const reason = error instanceof BellError ? error : new BellError("unavailable");
      for (const stream of streams.values()) stream.reject(reason);
      if (isReady) onClose(reason);
      else reject(reason);
    };

    const send = (message) => channel.send(JSON.stringify(message) + end);

    const session = {
      close() {
        onClose = () => {};
        finish();
      },

      /** Calls for a stream; resolves when all of it has come. */
      stream(target, args, onItem) {
        const invocationId = String(++nextId);
        return new Promise((resolve, reject) => {
          streams.set(invocationId, { resolve, reject, onItem });
          send({ type: streamInvocation, invocationId, target, arguments: args });
        });
      },
    };

    const take = (message) => {
      if (!isReady) {
        if (message.error) return finish(new BellError("unavailable", { detail: String(message.error) }));
        isReady = true;
        clearTimeout(deadline);
        return resolve(session);
      }
      const stream = streams.get(message.invocationId);
      switch (message.type) {
        case invocation:
          if (typeof message.target === "string" && Array.isArray(message.arguments)) onCall(message.target, message.arguments);
          else onMalformed();
          break;
        case streamItem:
          stream?.onItem(message.item);
          break;
        case completion:
          streams.delete(message.invocationId);
          if (message.error) stream?.reject(new BellError("unavailable", { detail: String(message.error) }));
          else stream?.resolve();
          break;
        case close:
          finish();
      }
    };

    const receive = (text) => {
      if (!isOpen) return;
      heardAt = Date.now();
      if (typeof text !== "string") return onMalformed();
      const records = (buffer + text).split(end);
      buffer = records.pop();
      if (buffer.length > longestRecord) return finish();
      for (const record of records) {
        if (!isOpen) return;
        let message = null;
        try {
          message = JSON.parse(record);
        } catch {
          // Told below, as is what parses and is no message.
        }
        if (message && typeof message === "object") take(message);
        else onMalformed();
      }
    };

    const deadline = setTimeout(finish, times.fetch, new BellError("timeout"));
    // Often enough to notice soon after a sleep that the connection is gone.
    let pingedAt = heardAt;
    const pulse = setInterval(() => {
      const now = Date.now();
      if (now - heardAt > times.silence) return finish(new BellError("timeout"));
      if (!isReady || now - pingedAt < times.ping) return;
      pingedAt = now;
      send({ type: ping });
    }, times.ping / 5);
    const carry = (method, url, options) => api.fetch(method, url, { ...options, bearer });
    try {
      channel = transport.open({
        url,
        token,
        onOpen: () => isOpen && send({ protocol: "json", version: 1 }),
        onText: receive,
        onClose: finish,
        fetch: carry,
        post: (url, body) => carry("POST", url, { body }),
      });
    } catch {
      finish();
    }
  });

/** Connects over the first transport that works. */
export const connect = async (api, hub, handlers) => {
  let reason;
  for (const [index, load] of transports.entries()) {
    const place = await negotiate(api, hub);
    if (!place.offered.includes(transportNames[index])) continue;
    try {
      const token = place.bearer ?? (await api.token());
      return await openSession(api, { ...place, token }, await load(), handlers);
    } catch (error) {
      reason = error;
      if (error.code === "ended" || error.code === "unauthorized") break;
    }
  }
  throw reason ?? new BellError("unavailable", { detail: "the hub offers no transport that is known here" });
};
