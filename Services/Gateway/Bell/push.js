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

/** Gets a token from the host and registers this browser; false where the user or the browser says no. */
export const enablePush = async (host, core) => {
  const { pushProvider } = host;
  if (!pushProvider) throw new Error('belfry-bell: set pushProvider before enablePush()');
  const token = await (pushProvider.getToken?.() ?? pushProvider());
  if (!token) {
    stored(restKey, `${Date.now()}`);
    return false;
  }
  const { id } = await core.request('POST', '/api/v1/devices', { token, platform: 3, deviceName: navigator.userAgent.slice(0, 100) });
  stored(deviceKey, id);
  await core.request('PUT', `/api/v1/devices/${id}/permission`, { status: 'granted' }).catch(() => {});
  return true;
};

/** The registered browser is forgotten with its user. */
export const forgetPush = async core => {
  const id = stored(deviceKey);
  if (!id) return;
  stored(deviceKey, null);
  await core.request('DELETE', `/api/v1/devices/${id}`).catch(() => {});
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
