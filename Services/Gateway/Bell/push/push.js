// Web push: the page's own `pushProvider` knows its vendor's SDK and service worker; Belfry only gets the token.
const restKey = 'belfry-push-rest';
const deviceKey = 'belfry-push-device';
const week = 6048e5;

export const english = {
  pushTitle: 'Hear about it when this page is closed',
  pushBody: 'You get only what you choose in the settings.',
  pushOn: 'Turn on',
  pushLater: 'Not now',
};

/** Where storage is blocked. */
const memory = new Map();

const stored = (key, value) => {
  try {
    if (value === undefined) return localStorage.getItem(key);
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value === undefined) return memory.get(key) ?? null;
    memory.set(key, value);
  }
  return null;
};

/** Registrations and farewells, one after the other: each finds what became of the one before. */
let turn = Promise.resolve();
const inTurn = run => (turn = turn.then(run, run));

/** How many registrations there were: what was begun before the last one is void. */
let registrations = 0;

/** Gets a token from the host and registers this browser; false where the user or the browser says no. */
export const enablePush = async (host, core) => {
  const { pushProvider } = host;
  if (!pushProvider) throw new Error('belfry-bell: set pushProvider before enablePush()');
  const { request } = core;
  const token = await (pushProvider.getToken?.() ?? pushProvider());
  if (!token) {
    stored(restKey, `${Date.now()}`);
    return false;
  }
  return inTurn(async () => {
    // Who asked for it has left, and whoever is there now has not.
    if (core.request !== request) return false;
    const { id } = await request('POST', '/api/v1/devices', { token, platform: 3, deviceName: navigator.userAgent.slice(0, 100) });
    registrations++;
    stored(deviceKey, id);
    await request('PUT', `/api/v1/devices/${id}/permission`, { status: 'granted' }).catch(() => {});
    return true;
  });
};

const temporary = ['offline', 'timeout', 'unavailable', 'rate-limited', 'malformed', 'token'];
const attemptsToForget = 10;

/**
 * Ends the registration of this browser for who leaves, by their `request`. The id is kept until that is done: here it is tried
 * again while the page is open, and later when they sign out once more.
 */
export const forgetPush = ({ request, host, fail }, attempt = 0) => {
  const before = registrations;
  return inTurn(async () => {
    const id = stored(deviceKey);
    // Tried again, and meanwhile somebody wanted pushes here.
    if (!id || (attempt && registrations !== before)) return { ok: true, error: null };
    try {
      await request('DELETE', `/api/v1/devices/${id}`, undefined, { isLast: true });
      // Another tab may have registered who came next.
      if (stored(deviceKey) === id) stored(deviceKey, null);
    } catch (error) {
      // It is gone, or it is another user's, who may still come to end it.
      if (error.code === 'not-found') return { ok: true, error: null };
      if (!attempt) fail?.(error);
      if (temporary.includes(error.code) && attempt < attemptsToForget) {
        const { retryMinimum = 1000, retryMaximum = 30_000 } = host?.times ?? {};
        const pause = Math.max((error.retryAfter ?? 0) * 1000, Math.min(retryMaximum, retryMinimum * 2 ** attempt));
        const next = registrations;
        setTimeout(() => registrations === next && forgetPush({ request, host }, attempt + 1), pause);
      }
      return { ok: false, error };
    }
    return { ok: true, error: null };
  });
};

const isDue = () => globalThis.Notification?.permission === 'default' && Date.now() - (Number(stored(restKey)) || 0) > week;

/** Our own question before the browser's, which can be asked only once. After a no it rests for a week. */
export const prompt = bell => {
  const { h } = bell.kit;
  const { texts, panel, host } = bell;
  if (!isDue()) return panel.prompt.replaceChildren();
  if (panel.prompt.firstChild) return;
  const button = (key, run) => h('button', {
    part: 'action',
    click: async () => {
      panel.prompt.replaceChildren();
      panel.node.focus();
      try {
        await run();
      } catch (error) {
        bell.fail(error);
      }
    },
  }, texts.get(key));
  panel.prompt.replaceChildren(h('div', { part: 'notice push-prompt' },
    h('b', {}, texts.get('pushTitle')), texts.get('pushBody'),
    h('div', { class: 'actions' },
      button('pushOn', () => enablePush(host, bell.core)), button('pushLater', () => stored(restKey, `${Date.now()}`)))));
};
