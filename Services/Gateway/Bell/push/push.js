// Pushes to this browser: by its own subscription, or by a token of the page's `pushProvider`, which knows its vendor's SDK.
import { isDue, prompt, rest } from './prompt.js';
import { clearRecord, readBadge, readRecord, writeRecord } from './record.js';
import { isOffered, isRefusal, isRegistrationDue, registerSubscription } from './registration.js';
import { noteDevice, readDevice } from './stored.js';
import { subjectOf } from './subject.js';
import { isAllowed, isSupported, unsubscribe } from './subscription.js';

/** Registrations and farewells of all tabs, one after the other: each finds what became of the one before. */
let turn = Promise.resolve();
const inTurn = run => navigator.locks?.request('belfry-push', run) ?? (turn = turn.then(run, run));

/** How many registrations there were: what was begun before the last one is void. */
let registrations = 0;

const registerToken = async (core, token, begin) => {
  const { request } = core;
  begin(token, subjectOf(await core.token()));
  return (await request('POST', '/api/v1/devices', { token, platform: 3, deviceName: navigator.userAgent.slice(0, 100) })).id;
};

/** Registers this browser by `work`, for whoever it was asked for by: not if they have left meanwhile. */
const register = (core, work) => {
  const { request } = core;
  return inTurn(async () => {
    if (core.request !== request || !(await work.isDue?.() ?? true)) return false;
    const [before, ...pending] = readDevice();
    let id;
    try {
      id = await work.run((address, subject) => {
        registrations++;
        noteDevice(before, address, subject);
      });
    } catch (error) {
      if (isRefusal(error)) noteDevice(before, ...pending);
      throw error;
    }
    noteDevice(id);
    await request('PUT', `/api/v1/devices/${id}/permission`, { status: 'granted' }).catch(() => {});
    // The same browser by another way, or with an earlier subscription.
    if (before && before !== id) await request('DELETE', `/api/v1/devices/${before}`).catch(() => {});
    return true;
  });
};

/** Registers this browser; false where the user or the browser says no. */
export const enablePush = async ({ host, core }) => {
  const { request } = core;
  const { pushProvider } = host;
  const token = pushProvider && (await (pushProvider.getToken?.() ?? pushProvider()));
  if (!(pushProvider ? token : await isAllowed())) {
    rest();
    return false;
  }
  // Who asked for it has left, and whoever is there now has not.
  if (core.request !== request) return false;
  return register(core, { run: begin => (pushProvider ? registerToken(core, token, begin) : registerSubscription(host, core, begin)) });
};

/** Brings what the gateway knows of this browser's subscription up to date. */
const keepTrue = async ({ host, core, fail }) => {
  try {
    await register(core, {
      isDue: () => isRegistrationDue(host, core),
      run: begin => registerSubscription(host, core, begin),
    });
  } catch (error) {
    if (error.code !== 'ended') fail(error);
  }
};

/** bell → the user's `request` for whom its subscription was looked at. */
const attended = new WeakMap();

/** Asks about pushes when it is time for that, and keeps this browser's registration true. */
export const attend = async bell => {
  const { host, core } = bell;
  const accept = () => host.enablePush();
  if (host.pushProvider) {
    if (host.push) prompt(bell, accept);
    return;
  }
  if (!isSupported() || core.state !== 'connected') return;
  if (!attended.has(bell)) {
    host.addEventListener('belfry-unread', async ({ detail }) => (await readBadge()) && navigator.setAppBadge?.(detail.count));
    navigator.serviceWorker.addEventListener('message', ({ data }) => data?.belfry === 'subscription' && host.isConnected && keepTrue(bell));
  }
  if (attended.get(bell) !== core.request) {
    attended.set(bell, core.request);
    keepTrue(bell);
  }
  if (!host.push || Notification.permission === 'denied') return;
  const isThere = await isOffered(core);
  if (bell.core !== core) return;
  bell.isPushOffered = isThere;
  bell.settings.draw();
  if (isThere) prompt(bell, accept);
};

const temporary = ['offline', 'timeout', 'unavailable', 'rate-limited', 'malformed', 'token'];
const attemptsToForget = 10;

/** Whether something is known to be another user's. */
const isOthers = (owner, subject) => subject !== undefined && owner !== undefined && subject !== owner;

/** Ends this browser's subscription, unless it is known to be another user's. */
const endSubscription = async subject => {
  const record = await readRecord();
  if (!record || isOthers(record.subject, subject)) return;
  const [id, address] = readDevice();
  // The worker may have registered another one than the page, or the page one whose id it has not heard.
  if (!address && record.device !== id) noteDevice(id, record.endpoint, record.subject);
  if (await readBadge()) navigator.clearAppBadge?.();
  // Nobody's from now on: nobody renews it, and if the page is left or the browser fails, whoever signs out next ends it.
  await writeRecord({ ...record, subject: undefined, device: undefined, isOver: true });
  await unsubscribe(record.worker).then(clearRecord, () => {});
};

/** Deletes this browser's registration, and another one by its address, if the gateway may have one that it has not told. */
const deleteDevice = async (request, subject) => {
  const [id, address, owner] = readDevice();
  const remove = (path, headers) => request('DELETE', `/api/v1/devices/${path}`, undefined, { isLast: true, headers });
  // Another tab may have registered who came next.
  const keep = (...rest) => `${readDevice()}` === `${[id, address, owner]}` && noteDevice(...rest);
  let kept = '';
  if (id) {
    await remove(id).catch(error => {
      if (error.code !== 'not-found') throw error;
      // It is gone, or it is another user's, who may still come to end it.
      kept = id;
    });
  }
  // The gateway would not say that it is another user's.
  if (!address || isOthers(owner, subject)) return keep(kept, address, owner);
  await remove('current', { 'X-Device-Token': address });
  keep(kept);
};

/**
 * Ends pushes to this browser for who leaves: its subscription, and then its registration, by their `request`. The id is kept until that is
 * done: here it is tried again while the page is open, and later when they sign out once more.
 */
export const forgetPush = ({ request, token, host, fail, subject }, attempt = 0) => {
  const before = registrations;
  return inTurn(async () => {
    // Tried again, and meanwhile somebody wanted pushes here.
    if (attempt && registrations !== before) return { ok: true, error: null };
    // Where nothing is to be ended, no token is asked for.
    if (!attempt && (readDevice().some(Boolean) || (await readRecord()))) {
      subject = subjectOf(await token(null, true).catch(() => {}));
      await endSubscription(subject);
    }
    try {
      await deleteDevice(request, subject);
    } catch (error) {
      if (!attempt) fail?.(error);
      if (temporary.includes(error.code) && attempt < attemptsToForget) {
        const { retryMinimum = 1000, retryMaximum = 30_000 } = host?.times ?? {};
        const pause = Math.max((error.retryAfter ?? 0) * 1000, Math.min(retryMaximum, retryMinimum * 2 ** attempt));
        const next = registrations;
        setTimeout(() => registrations === next && forgetPush({ request, host, subject }, attempt + 1), pause);
      }
      return { ok: false, error };
    }
    return { ok: true, error: null };
  });
};
