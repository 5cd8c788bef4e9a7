// What is said in passing: to screen readers, and in a message below the list.
const lifeOfToast = 5000;
const betweenAnnouncements = 5000;

/** Short messages; what can be undone is collected until its time is over. */
export class Toast {
  #entries = new Set();

  constructor(bell) {
    this.bell = bell;
    this.node = bell.kit.h('div', { part: 'toast', hidden: true });
    bell.panel.frame.append(this.node);
  }

  show(text, undo) {
    const entry = { text, undo };
    this.#entries.add(entry);
    this.#draw();
    setTimeout(() => {
      this.#entries.delete(entry);
      this.#draw();
    }, lifeOfToast);
    this.bell.announce(() => text);
  }

  undo() {
    if (!this.#entries.size) return;
    for (const { undo } of this.#entries) undo?.();
    this.#entries.clear();
    this.#draw();
    this.bell.panel.node.focus();
  }

  #draw() {
    const last = [...this.#entries].at(-1);
    const { kit: { h }, panel, texts } = this.bell;
    if (this.node.matches(':focus-within')) panel.node.focus();
    this.node.hidden = !last;
    this.node.replaceChildren(last?.text ?? '', last?.undo ? h('button', { class: 'link', click: () => this.undo() }, texts.get('undo')) : '');
  }
}

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
