import { BellError } from './api.js';
import { jitter } from './jitter.js';

const maximumWaiting = 500;
const atOnce = 4;
/** Of a server that answers that it cannot, and of one that is away. */
const maximumAnswers = 6;
const maximumAttempts = 20;

const temporary = ['offline', 'timeout', 'unavailable', 'rate-limited', 'malformed', 'token'];

/**
 * Sends what the user did: in order where the same notification is concerned, else a few at a time.
 * A failed one is taken back alone, and reported.
 */
export const createQueue = ({ inbox, times, life, onChange, onError, onCommit }) => {
  let timer;
  /** Until then the user may send nothing at all. */
  let heldUntil = 0;

  const leave = (operation, error = null) => {
    inbox.drop(operation);
    operation.settle({ ok: false, error });
    onChange();
    pump();
  };

  const succeed = operation => {
    inbox.commit(operation);
    operation.settle({ ok: true, error: null });
    onCommit(operation);
    onChange();
    pump();
  };

  const fail = (operation, error) => {
    const { kind, ids, isAll, isQuiet } = operation;
    if (error.code === 'not-found' && kind === 'remove') return succeed(operation);
    if (life.isOver || error.code === 'ended') return leave(operation, error);
    if (temporary.includes(error.code)) {
      if (error.code !== 'offline') operation.attempts++;
      if (operation.attempts < (error.status ? maximumAnswers : maximumAttempts)) {
        const until = Date.now() + (error.retryAfter ?? 0) * 1000 + jitter(operation.attempts, times);
        operation.notBefore = until;
        if (error.code === 'rate-limited') heldUntil = until;
        return pump();
      }
    }
    // One that cannot be used does not spoil the others.
    if (error.code === 'invalid' && ids.size > 1 && !isAll) {
      inbox.drop(operation);
      const parts = [...ids].map(id => add({ ...operation, ids: [id] }).done);
      return Promise.all(parts).then(results => operation.settle(results.find(({ ok }) => !ok) ?? results[0]));
    }
    if (error.code === 'not-found' && kind !== 'act' && ids.size === 1) for (const id of ids) inbox.remove(id);
    error.operation = { kind, ids: [...ids] };
    leave(operation, error);
    if (!isQuiet) onError(error);
  };

  const send = operation => {
    operation.isSending = operation.isSent = true;
    operation.asked = inbox.ask();
    operation.send([...operation.ids]).then(
      () => succeed(operation),
      error => {
        operation.isSending = false;
        fail(operation, error);
      },
    );
  };

  const pump = () => {
    clearTimeout(timer);
    if (life.isOver) return;
    const now = Date.now();
    let next = Infinity;
    let free = atOnce - inbox.operations.filter(({ isSending }) => isSending).length;
    const taken = new Set();
    let isAllTaken = false;
    for (const operation of inbox.operations) {
      const { ids, isAll, isSending, isSent, notBefore } = operation;
      // What can still be taken back is in nobody's way.
      if (notBefore > now && !isSent) {
        next = Math.min(next, notBefore);
        continue;
      }
      const isBlocked = isSending || isAllTaken || (isAll && taken.size > 0) || [...ids].some(id => taken.has(id));
      for (const id of ids) taken.add(id);
      isAllTaken ||= isAll;
      if (isBlocked) continue;
      const due = Math.max(notBefore, heldUntil);
      if (due > now) next = Math.min(next, due);
      else if (free-- > 0) send(operation);
    }
    if (next < Infinity) timer = setTimeout(pump, next - now);
  };

  /**
   * `wanted`: kind, ids, send(ids), and members, which are what changes in each notification: null takes it away. Perhaps isAll, isQuiet and
   * delay.
   */
  const add = wanted => {
    const { kind, ids, members, delay = 0 } = wanted;
    // What it makes of an item is the same object until the item is another one.
    const made = new WeakMap();
    let settle;
    const done = new Promise(resolve => (settle = resolve));
    const operation = {
      ...wanted,
      ids: new Set(ids),
      apply(item) {
        if (!made.has(item)) made.set(item, members && Object.freeze({ ...item, ...members }));
        return made.get(item);
      },
      settle,
      notBefore: Date.now() + delay,
      attempts: 0,
      isSending: false,
      isSent: false,
    };
    if (inbox.operations.length < maximumWaiting) {
      inbox.add(operation);
      onChange();
      pump();
    } else {
      const error = new BellError('full', { operation: { kind, ids } });
      settle({ ok: false, error });
      onError(error);
    }
    return {
      done,
      undo() {
        const isWaiting = !operation.isSent && inbox.operations.includes(operation);
        if (isWaiting) leave(operation);
        return isWaiting;
      },
    };
  };

  return {
    add,

    /** The way to the server is free again. */
    wake() {
      for (const operation of inbox.operations) if (operation.isSent) operation.notBefore = 0;
      pump();
    },

    /** The page goes: what waits is sent now. */
    flush() {
      for (const operation of inbox.operations) if (!operation.isSending) send(operation);
    },
  };
};
