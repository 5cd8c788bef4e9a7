import { readRecord, writeRecord } from './record.js';
import { installationKey, stored } from './stored.js';
import { subjectOf } from './subject.js';
import { currentSubscription, subscribe } from './subscription.js';

/** The file of the page's origin that imports push-worker.js. */
const usualWorker = '/belfry-push-worker.js';

/** A subscription is looked at once a day. */
const day = 864e5;

const gatewayOf = ({ src }) =>
  new URL(src ?? import.meta.url.replace(/\/bell\/v1\/.*/, ''), document.baseURI).href.replace(/\/+$/, '');

const workerOf = ({ pushWorker }) => new URL(pushWorker ?? usualWorker, document.baseURI).href;

const gatewayKey = async request => (await request('GET', '/api/v1/push-subscriptions/key')).publicKey;

/** user's `request` → whether their gateway takes subscriptions. */
const offers = new WeakMap();

/** Whether this user's gateway has a key for Web Push. Asked once. */
export const isOffered = ({ request }) => {
  if (!offers.has(request)) {
    offers.set(request, gatewayKey(request).then(() => true, error => {
      if (error.code === 'not-found') console.warn('belfry-bell: the gateway has no key for Web Push, and push has no pushProvider');
      else offers.delete(request);
      return false;
    }));
  }
  return offers.get(request);
};

/** By which the worker can get a token without the page: with the page's cookies, of the page's own origin. */
const tokenAddress = ({ tokenProvider, token, tokenUrl }) => {
  if (tokenProvider || token || !tokenUrl) return null;
  const { href, origin } = new URL(tokenUrl, document.baseURI);
  return origin === location.origin ? href : null;
};

const newInstallation = () => {
  const id = crypto.randomUUID();
  stored(installationKey, id);
  return id;
};

/** The gateway has not registered what it answers so. */
export const isRefusal = ({ code }) => ['invalid', 'forbidden', 'not-found'].includes(code);

/** Subscribes this browser and registers that at the gateway: `begin` hears of that before. Returns the device's id. */
export const registerSubscription = async (host, { request, token }, begin) => {
  const subject = subjectOf(await token());
  const key = await gatewayKey(request);
  const worker = workerOf(host);
  const subscription = await subscribe(worker, key);
  const installationId = stored(installationKey) ?? newInstallation();
  const { endpoint } = subscription;
  const before = await readRecord();
  const record = { gateway: gatewayOf(host), worker, key, endpoint, installationId, subject, tokenUrl: tokenAddress(host), at: 0 };
  // The gateway may register it and its answer be lost: whoever signs out ends it, and a later page registers it again.
  begin(endpoint, subject);
  await writeRecord(record);
  try {
    const { id } =
      await request('POST', '/api/v1/push-subscriptions', { ...subscription.toJSON(), applicationServerKey: key, installationId });
    await writeRecord({ ...record, device: id, at: Date.now() });
    return id;
  } catch (error) {
    if (isRefusal(error)) await writeRecord(before);
    throw error;
  }
};

/** Whether what the gateway knows of this user's subscription has to be looked at: it is another one by now, or a day has passed. */
export const isRegistrationDue = async (host, core) => {
  if (globalThis.Notification?.permission !== 'granted') return false;
  const record = await readRecord();
  // Another user's stays as it is: this one was not asked.
  if (record?.subject === undefined || subjectOf(await core.token()) !== record.subject) return false;
  const { gateway, worker, endpoint, at } = record;
  return Date.now() - at >= (host.times?.subscription ?? day) || gateway !== gatewayOf(host) || worker !== workerOf(host)
    || (await currentSubscription(worker))?.endpoint !== endpoint;
};
