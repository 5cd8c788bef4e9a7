import { BellError } from "./api.js";

const maximumWaiting = 500;
const atOnce = 4;
/** Of a server that is away, and of one that answers that it cannot. */
const maximumAttempts = { silent: 20, answered: 6 };

const isTemporary = ({ code }) => ["offline", "timeout", "unavailable", "rate-limited", "malformed", "token"].includes(code);

/** Full jitter: a random time up to `cap`, which doubles with each attempt. */
export const jitter = (attempt, minimum, maximum) => Math.random() * Math.min(maximum, minimum * 2 ** attempt);

/**
 * Sends what the user did: in order where the same notification is concerned, else a few at a time.
 * A failed one is taken back alone, and told.
 */
export const createOperations = ({ inbox, times, onChange, onError, onCommit }) => {
  let nextId = 0;
  let timer;
  let isEnded = false;

  const leave = (operation, result) => {
    operation.isDone = true;
    inbox.setOperations(inbox.operations.filter((other) => other !== operation));
    operation.settle(result);
    onChange();
    pump();
  };

  const succeed = (operation) => {
    operation.isDone = true;
    inbox.commit(operation, operation.askedAt);
    operation.settle({ ok: true, error: null });
    onCommit(operation);
    onChange();
    pump();
  };

  const fail = (operation, error) => {
    const { kind } = operation;
    const ids = [...operation.ids];
    if (isEnded || error.code === "ended") return leave(operation, { ok: false, error });
    if (error.code === "not-found" && kind === "remove") return succeed(operation);
    if (isTemporary(error)) {
      if (error.code !== "offline") operation.attempts++;
      const limit = error.status ? maximumAttempts.answered : maximumAttempts.silent;
      if (operation.attempts < limit) {
        const wait = Math.max((error.retryAfter ?? 0) * 1000 * (1 + Math.random() / 5), jitter(operation.attempts, times.retryMinimum, times.retryMaximum));
        operation.notBefore = Date.now() + wait;
        operation.isHeld = error.retryAfter !== null;
        return pump();
      }
    }
    // One that cannot be used does not spoil the others.
    if (error.code === "invalid" && ids.length > 1 && !operation.isAll) {
      const parts = ids.map((id) => add({ ...operation.wanted, ids: [id] }).done);
      Promise.all(parts).then((results) => operation.settle(results.find(({ ok }) => !ok) ?? results[0]));
      inbox.setOperations(inbox.operations.filter((other) => other !== operation));
      return pump();
    }
    if (error.code === "not-found") for (const id of ids) inbox.remove(id);
    error.operation = { kind, ids };
    leave(operation, { ok: false, error });
    if (!operation.wanted.isQuiet) onError(error);
  };

  const send = (operation) => {
    operation.isSending = true;
    operation.askedAt = inbox.ask();
    new Promise((resolve) => resolve(operation.send([...operation.ids]))).then(
      () => succeed(operation),
      (error) => {
        operation.isSending = false;
        fail(operation, error instanceof BellError ? error : new BellError("unavailable", { cause: error }));
      },
    );
  };

  const pump = () => {
    clearTimeout(timer);
    if (isEnded) return;
    const now = Date.now();
    let next = Infinity;
    let free = atOnce - inbox.operations.filter(({ isSending }) => isSending).length;
    const before = new Set();
    let isAllBefore = false;
    for (const operation of inbox.operations) {
      const { ids, isAll, isSending, notBefore } = operation;
      const isBlocked = isAllBefore || (isAll && before.size > 0) || [...ids].some((id) => before.has(id));
      for (const id of ids) before.add(id);
      isAllBefore ||= isAll;
      if (isSending || isBlocked) continue;
      if (notBefore > now) next = Math.min(next, notBefore);
      else if (free-- > 0) send(operation);
    }
    if (next < Infinity) timer = setTimeout(pump, Math.min(next - now, 2 ** 31 - 1));
  };

  /** `wanted`: kind, ids, apply(item), send(ids), and perhaps isAll, isQuiet and delay. */
  const add = (wanted) => {
    const operation = {
      id: ++nextId,
      wanted,
      kind: wanted.kind,
      ids: new Set(wanted.ids),
      apply: wanted.apply,
      send: wanted.send,
      isAll: !!wanted.isAll,
      notBefore: Date.now() + (wanted.delay ?? 0),
      attempts: 0,
      isSending: false,
    };
    const done = new Promise((resolve) => (operation.settle = resolve));
    const handle = {
      id: operation.id,
      done,
      undo() {
        if (operation.isSending || operation.attempts > 0 || !inbox.operations.includes(operation)) return false;
        leave(operation, { ok: false, error: null });
        return true;
      },
    };
    if (inbox.operations.length >= maximumWaiting) {
      const error = new BellError("full");
      error.operation = { kind: wanted.kind, ids: [...operation.ids] };
      operation.settle({ ok: false, error });
      onError(error);
      return handle;
    }
    inbox.setOperations([...inbox.operations, operation]);
    onChange();
    pump();
    return handle;
  };

  return {
    add,

    /** The way to the server is free again; who was told to wait still does. */
    wake() {
      for (const operation of inbox.operations) if (operation.attempts && !operation.isHeld) operation.notBefore = 0;
      pump();
    },

    /** The page goes: what waits is sent now. */
    flush() {
      for (const operation of inbox.operations) if (!operation.isSending) send(operation);
    },

    /** Those that were not sent are given up. */
    end() {
      isEnded = true;
      clearTimeout(timer);
      for (const operation of inbox.operations) operation.settle({ ok: false, error: new BellError("ended") });
    },
  };
};
