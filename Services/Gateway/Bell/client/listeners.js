/** Who wants to hear of what: `on(name, listener)` answers with what ends it. One that throws is reported, and the others hear all the same. */
export const createListeners = names => {
  const listeners = new Map(names.map(name => [name, new Set()]));

  return {
    on(name, listener) {
      const all = listeners.get(name);
      if (!all || typeof listener !== 'function') throw new TypeError(`no listener for ${name}`);
      // The same function may listen twice.
      const own = detail => listener(detail);
      all.add(own);
      return () => {
        all.delete(own);
      };
    },

    tell(name, detail) {
      for (const listener of [...listeners.get(name)]) {
        try {
          if (listeners.get(name).has(listener)) listener(detail);
        } catch (error) {
          reportError(error);
        }
      }
    },
  };
};
