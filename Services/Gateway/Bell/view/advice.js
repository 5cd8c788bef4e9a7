// What whoever embeds the bell has to know and nobody else: in the console, each once.
const given = new Set();

const warn = advice => {
  if (!given.has(advice)) console.warn(`belfry-bell: ${advice}`);
  given.add(advice);
};

/** Says what cannot be meant as it is. */
export const advise = ({ core, host, messages, panel }) => {
  if (core.state === 'unauthorized' && !(host.tokenProvider || host.tokenUrl || host.token)) {
    warn('nobody is signed in, for it has no token-url, no tokenProvider and no token');
  }
  if (!messages) return;
  // The names of tabs may have texts, too.
  const known = { ...messages, ...Object.fromEntries([...panel.tabs.children].map(({ dataset }) => [dataset.tab, true])) };
  for (const key of Object.keys(host.messages ?? {})) if (!Object.hasOwn(known, key)) warn(`messages has an unknown key: ${key}`);
};
