/** Until when people are not asked again: when they last said no. */
export const restKey = 'belfry-push-rest';
/** The id of this browser at the gateway. The entry looks whether it is there, too. */
export const deviceKey = 'belfry-push-device';
/** The id by which the gateway knows the registrations of this browser as one. */
export const installationKey = 'belfry-push-installation';

/** Where storage is blocked. */
const memory = new Map();

/** Reads the value of a key; with one, keeps it, and with null forgets it. */
export const stored = (key, value) => {
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
