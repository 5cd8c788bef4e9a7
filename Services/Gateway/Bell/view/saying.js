// What is said in passing: to screen readers, and in a message below the list.
const lifeOfToast = 5000;
const betweenAnnouncements = 5000;

/** Short messages; what can be undone is collected until its time is over. */
export const createToast = bell => {
  const { panel, kit: { h } } = bell;
  const entries = new Set();
  const node = h('div', { part: 'toast', hidden: true });
  panel.frame.append(node);

  const draw = () => {
    const last = [...entries].at(-1);
    if (node.matches(':focus-within')) panel.node.focus();
    node.hidden = !last;
    node.replaceChildren(last?.text ?? '', last?.undo ? h('button', { class: 'link', click: undo }, bell.texts.get('undo')) : '');
  };

  const show = (text, undo) => {
    const entry = { text, undo };
    entries.add(entry);
    draw();
    setTimeout(() => {
      entries.delete(entry);
      draw();
    }, lifeOfToast);
    bell.announce(() => text);
  };

  const undo = () => {
    if (!entries.size) return;
    for (const { undo } of entries) undo?.();
    entries.clear();
    draw();
    panel.node.focus();
  };

  return { show, undo };
};

/** A function that says the latest message to screen readers, one in five seconds. */
export const announcer = status => {
  let message;
  let timer;
  const speak = () => {
    status.textContent = message?.() ?? '';
    timer = message && setTimeout(speak, betweenAnnouncements);
    message = null;
  };
  return next => {
    message = next;
    timer ||= setTimeout(speak);
  };
};

/** Many that come at once are one sentence. */
export const announceNews = ({ announce, texts, kit: { titleOf } }, news) => announce(() => {
  const [last, ...others] = news.splice(0).reverse();
  return last && texts.get('arrived', { count: others.length + 1, title: titleOf(last, texts) });
});
