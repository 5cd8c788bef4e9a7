const patience = 5000;

/** Notifies the host of the connection's state, and the reader where something is to be known or done about it. */
export const createStateBanner = bell => {
  let timer = 0;
  let since = 0;
  let previous;

  const clear = () => clearTimeout(timer);

  const draw = () => {
    const { core, host, panel, texts } = bell;
    const { state } = core;
    if (state !== previous) {
      const detail = { state, previous };
      previous = state;
      bell.emit('state', detail);
    }
    clear();
    // Whoever embeds the bell has forgotten something: extras say what.
    const { tokenUrl, token, tokenProvider } = host;
    if (state === 'unauthorized' && !(tokenUrl || token || tokenProvider)) bell.loadExtras();
    const key = {
      unauthorized: core.unreadCount === null ? 'stateSignedOut' : 'stateUnauthorized',
      paused: host.paused && 'statePaused',
      connecting: 'stateReconnecting',
      reconnecting: 'stateReconnecting',
    }[state];
    if (!key) {
      since = 0;
      return panel.say();
    }
    since ||= Date.now();
    const isPatient = key === 'stateReconnecting';
    timer = setTimeout(
      () => panel.say(texts.get(isPatient && !navigator.onLine ? 'stateOffline' : key), state !== 'paused' && (() => bell.core.retry())),
      isPatient ? since + patience - Date.now() : 0);
  };

  return { clear, draw };
};
