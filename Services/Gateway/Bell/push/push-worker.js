// Imported by a service worker of the host: shows Belfry's pushes, and says at the gateway what became of them. What else the worker hears
// is left to it.
import { keyOf } from './key.js';
import { noteBadge, readRecord, writeRecord } from './record.js';
import { subjectOf } from './subject.js';

/** Of Declarative Web Push, whose form the messages have (https://www.w3.org/TR/push-api/, "Declarative push message"). */
const version = 8030;

const messageOf = data => {
  try {
    const message = data.json();
    return message.web_push === version && typeof message.notification.title === 'string' ? message : null;
  } catch {
    return null;
  }
};

const timeout = 15_000;

const send = (address, body, token) => fetch(address, {
  method: 'POST',
  signal: AbortSignal.timeout(timeout),
  credentials: 'omit',
  keepalive: true,
  headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
  body: JSON.stringify(body),
});

/** For the statistics: what is lost on the way is not counted. */
const report = async (receipt, body) => {
  const record = await readRecord();
  if (record && receipt) await send(`${record.gateway}/api/v1/receipts/${encodeURIComponent(receipt)}`, body).catch(() => {});
};

const show = async ({ notification, app_badge: badge }) => {
  const record = await readRecord();
  // Its user has signed out, and the browser did not end it then. Without a record it is the host's own, or storage fails.
  if (record?.isOver) return (await self.registration.pushManager.getSubscription())?.unsubscribe();
  // A browser that knew `navigate` would follow the link by itself, and nobody would hear of the click.
  const { title, navigate, actions = [], data, ...options } = notification;
  await self.registration.showNotification(title, {
    ...options,
    actions: actions.map(({ navigate, ...action }) => action),
    data: { ...data, belfry: { navigate, actions: Object.fromEntries(actions.map(({ action, navigate }) => [action, navigate])) } },
  });
  if (badge !== undefined && navigator.setAppBadge) {
    await navigator.setAppBadge(Number(badge)).catch(() => {});
    await noteBadge();
  }
  await report(data?.receipt, { event: 'displayed' });
};

/** The address without what tells one notification's link from another's, also where a router of the page reads it after `#`. */
const pageOf = address => new URL(address).href.replace(/[?&]notificationId=[^&#]*/, '');

/** Goes to the page: to a window that has it already, or a new one. Without a link, to any of the site. */
const open = async link => {
  const address = new URL(link ?? '/', self.location);
  if (!/^https?:$/.test(address.protocol)) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => !link || pageOf(url) === pageOf(address));
  await (there ? there.focus() : self.clients.openWindow(address.href));
};

/** The token of whoever is signed in, if that is who wanted the pushes. */
const tokenOf = async ({ tokenUrl, subject }) => {
  if (!tokenUrl || subject === undefined) return null;
  const response = await fetch(tokenUrl, { cache: 'no-store', signal: AbortSignal.timeout(timeout) });
  const text = response.ok ? (await response.text()).trim() : '';
  const token = text[0] === '{' ? JSON.parse(text).token : text;
  return subjectOf(token) === subject ? token : null;
};

/** Registers the new subscription; where only a page has the token, it does so: one that is open, or the next one. */
const renew = async ({ oldSubscription, newSubscription }) => {
  const record = await readRecord();
  if (!record || record.isOver) return;
  const applicationServerKey = oldSubscription?.options.applicationServerKey ?? record.key;
  const subscription = newSubscription ?? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  try {
    const token = await tokenOf(record);
    if (token) {
      const { gateway, installationId } = record;
      // Not always the gateway's key of today.
      const body = { ...subscription.toJSON(), applicationServerKey: keyOf(subscription), installationId };
      const answer = await send(`${gateway}/api/v1/push-subscriptions`, body, token);
      if (answer.ok) await writeRecord({ ...record, endpoint: subscription.endpoint, device: (await answer.json()).id, at: Date.now() });
    }
  } catch {}
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) page.postMessage({ belfry: 'subscription' });
};

self.addEventListener('push', event => {
  const message = messageOf(event.data);
  if (message) event.waitUntil(show(message));
});

self.addEventListener('notificationclick', event => {
  const { notification, action } = event;
  const { belfry, receipt } = notification.data ?? {};
  if (!belfry) return;
  notification.close();
  // Neither keeps the other from being done.
  event.waitUntil(Promise.allSettled([
    open((action && belfry.actions[action]) || belfry.navigate),
    report(receipt, { event: 'opened', ...(action && { action }) }),
  ]));
});

// In turn with what the page does: whoever signs out meanwhile stays unsubscribed.
self.addEventListener('pushsubscriptionchange', event => event.waitUntil(navigator.locks.request('belfry-push', () => renew(event))));
