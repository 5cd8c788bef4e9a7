import { h, safePicture } from './dom.js';

const patience = 60_000;
const mostRemembered = 500;
/** When each picture failed, by address: it is not asked for again at once. */
const failures = new Map();

/**
 * A picture of another server, in a box of a fixed size; none where its address is not https. One that is refused or broken takes its box
 * along. What the row showed before is used again, so that nothing flickers.
 */
export const pictureOf = (address, part, row) => {
  if (!safePicture(address) || Date.now() - failures.get(address) < patience) return null;
  return [...row.querySelectorAll(`.${part}`)].find(shown => shown.getAttribute('src') === address) ?? h('img', {
    part,
    alt: '',
    loading: 'lazy',
    decoding: 'async',
    referrerpolicy: 'no-referrer',
    load: ({ target }) => target.classList.add('loaded'),
    error: ({ target }) => {
      if (failures.size >= mostRemembered) failures.clear();
      failures.set(address, Date.now());
      target.remove();
    },
    // The last one: it begins to load by what was said before.
    src: address,
  });
};
