// Stands in for the browser's push service, which has no subscriptions without its vendor's servers. What it gave is known to later pages, too.
(() => {
  const kept = "a subscription of the tests";
  const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0)).buffer;
  const subscription = ({ endpoint, key }) => ({
    endpoint,
    options: { userVisibleOnly: true, applicationServerKey: bytes(key) },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: key, auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
    async unsubscribe() {
      happened.push("unsubscribed");
      delete localStorage[kept];
      return true;
    },
  });
  const current = () => (localStorage[kept] ? subscription(JSON.parse(localStorage[kept])) : null);

  // What the page did, in its order.
  globalThis.happened = [];
  // What the worker has got in place of the page's.
  globalThis.renewed = endpoint => {
    localStorage[kept] = JSON.stringify({ ...JSON.parse(localStorage[kept]), endpoint });
  };
  PushManager.prototype.getSubscription = async () => current();
  PushManager.prototype.subscribe = async function ({ applicationServerKey: key, userVisibleOnly }) {
    const registration = await navigator.serviceWorker.getRegistration("/belfry-push/") ?? (await navigator.serviceWorker.getRegistrations())[0];
    if (!userVisibleOnly || !registration?.active) throw new DOMException("Subscription failed", "AbortError");
    happened.push("subscribed");
    localStorage[kept] = JSON.stringify({ endpoint: `https://push.example/${Math.random()}`, key });
    return current();
  };
})();
