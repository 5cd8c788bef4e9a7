import { restKey, stored } from './stored.js';

const week = 6048e5;

/** After a no. */
export const rest = () => stored(restKey, `${Date.now()}`);

export const isDue = () => globalThis.Notification?.permission === 'default' && Date.now() - (Number(stored(restKey)) || 0) > week;

/** Our own question before the browser's, which can be asked only once. After a no it rests for a week. */
export const prompt = (bell, accept) => {
  const { h } = bell.kit;
  const { texts, panel } = bell;
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
        bell.toast.show(texts.get('errorWrite'));
        bell.fail(error);
      }
    },
  }, texts.get(key));
  panel.prompt.replaceChildren(h('div', { part: 'notice push-prompt' },
    h('b', {}, texts.get('pushTitle')), texts.get('pushBody'),
    h('div', { class: 'actions' }, button('pushOn', accept), button('pushLater', rest))));
};
