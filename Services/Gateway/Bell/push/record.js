// What the page and its service worker both know of this browser's subscription, in IndexedDB, which both can reach:
// `{ gateway, worker, key, endpoint, device, installationId, subject, tokenUrl, at }`, without `device` until the gateway has told it; `isOver`
// where who had it has left, and the browser has not ended it. Undefined where nobody has one, or where storage is blocked.
const store = 'subscription';

const open = () => new Promise((resolve, reject) => {
  const request = indexedDB.open('belfry-push');
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const transact = async (mode, work) => {
  try {
    const database = await open();
    try {
      return await new Promise((resolve, reject) => {
        const request = work(database.transaction(store, mode).objectStore(store));
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    } finally {
      database.close();
    }
  } catch {}
};

export const readRecord = () => transact('readonly', records => records.get(0));
export const writeRecord = record => transact('readwrite', records => records.put(record, 0));
export const clearRecord = () => transact('readwrite', records => records.clear());

/** Whether the app's icon has had a number from a push: then the page keeps it true. */
export const readBadge = () => transact('readonly', records => records.get(1));
export const noteBadge = () => transact('readwrite', records => records.put(true, 1));
