/** Until when people are not asked again: when they last said no. */
export const restKey = 'belfry-push-rest';
/**
 * The id of this browser at the gateway. While it is not known what became of a registration, also that one's address, and whose it is: for the
 * gateway may have it. The entry looks whether anything is there, too.
 */
const deviceKey = 'belfry-push-device';
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

/** `[id, address, subject]` of this browser, as far as they are there. */
export const readDevice = () => {
  const [id, address, ...subject] = (stored(deviceKey) ?? '').split(' ');
  return [id, address, subject.join(' ') || undefined];
};
export const noteDevice = (id, address, subject) =>
  stored(deviceKey, (address ? `${id} ${address} ${subject ?? ''}` : id) || null);
