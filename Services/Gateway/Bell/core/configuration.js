import { malformed } from './api.js';

/** What the gateway says of itself, whoever is signed in: asked when it is needed, and once. `hub` is the element's own, if it has one. */
export const createConfiguration = (gateway, hub) => {
  /** How much one call asks for at most: less where the gateway says so, with the address of its hub, if it is asked for that. */
  const limits = { pageSize: 50, notificationIds: 500 };

  return {
    limits,

    /** Where the hub is. */
    async hubAddress(api) {
      if (hub == null) {
        const answer = await api.request('GET', '/bell/config.json', undefined, { bearer: null });
        hub = answer?.hub;
        for (const name in limits) {
          const limit = answer?.limits?.[name];
          if (Number.isSafeInteger(limit) && limit > 0) limits[name] = Math.min(limits[name], limit);
        }
      }
      if (typeof hub !== 'string') malformed();
      return new URL(hub, `${gateway}/`);
    },
  };
};
