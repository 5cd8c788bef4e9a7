// Web Push without anybody's SDK: this browser's own subscription, which belongs to a service worker of the page's origin.
import { keyOf } from './key.js';

const pushError = (code, message, cause) =>
  Object.assign(new Error(message, { cause }), { code, status: 0, detail: cause?.message ?? null, retryAfter: null, operation: null });

/** Whether this browser can have a subscription, in this page: Safari on iOS can in apps alone, and nobody without https. */
export const isSupported = () => !!(globalThis.PushManager && globalThis.Notification && navigator.serviceWorker);

/** Asks the user, unless that has been answered before. */
export const isAllowed = async () => isSupported() && (await Notification.requestPermission()) === 'granted';

/** Neither a worker that never gets ready nor a push service that is out of reach holds up who signs out. */
const soon = work => {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(reject, 30_000, new Error('it takes longer than 30 s'))));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

let policy;

/** `register` takes nothing else where the page demands Trusted Types. Scripts of other origins it refuses by itself. */
const trusted = address => {
  policy ??= globalThis.trustedTypes?.createPolicy('belfry', { createScriptURL: text => text });
  return policy?.createScriptURL(address) ?? address;
};

const registered = async href =>
  (await navigator.serviceWorker.getRegistrations())
    .find(({ active, waiting, installing }) => [active, waiting, installing].some(worker => worker?.scriptURL === href));

/** Only an active worker can have a subscription. */
const activation = async registration => {
  while (!registration.active) {
    const worker = registration.waiting ?? registration.installing;
    if (!worker) throw new Error('it could not be installed');
    await new Promise(resolve => worker.addEventListener('statechange', resolve, { once: true }));
  }
  return registration;
};

/** The worker at that address: as the page has registered it, or else with a scope of its own, where it is in no other worker's way. */
const workerAt = async href => {
  try {
    const registration = await registered(href)
      ?? await navigator.serviceWorker.register(trusted(href), { scope: new URL('belfry-push/', href).href });
    return await soon(activation(registration));
  } catch (error) {
    throw pushError('push-worker', `belfry-bell: the service worker ${href} could not be registered`, error);
  }
};

/** The subscription of the worker at that address; another one, if the one that there is was made with another key. */
export const subscribe = async (worker, key) => {
  const { pushManager } = await workerAt(worker);
  try {
    const subscription = await pushManager.getSubscription();
    if (subscription && keyOf(subscription) === key) return subscription;
    await subscription?.unsubscribe();
    return await soon(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  } catch (error) {
    throw pushError('push-service', 'belfry-bell: the browser could not subscribe to pushes', error);
  }
};

/** The subscription that there is. */
export const currentSubscription = async worker => (await registered(worker))?.pushManager.getSubscription();

/** Ends it, and takes away what is still shown of it. */
export const unsubscribe = async worker => {
  const registration = await registered(worker);
  for (const notification of (await registration?.getNotifications()) ?? []) if (notification.data?.belfry) notification.close();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
};
