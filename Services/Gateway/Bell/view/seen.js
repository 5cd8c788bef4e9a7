const most = 5000;

/** What has lain in sight for a while has been seen, and is read where `read-on` says so: each once, whatever becomes of that. */
export class Seen {
  #timer = 0;
  #read = new Set();

  constructor(bell) {
    this.bell = bell;
    new IntersectionObserver(() => this.changed(), { threshold: [0, 0.25, 0.5, 0.75, 1] }).observe(bell.panel.scroller);
  }

  changed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), this.bell.readOn === 'view' ? 1000 : 200);
  }

  #look() {
    const { core, panel: { feed, scroller }, readOn } = this.bell;
    if (document.hidden || !feed.checkVisibility()) return;
    const list = scroller.getBoundingClientRect();
    const inSight = [...feed.children].filter(row => {
      const { top, bottom } = row.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      return row.item && middle > Math.max(list.top, 0) && middle < Math.min(list.bottom, innerHeight);
    }).map(row => row.item);
    core.markAsSeen(inSight.map(({ id }) => id));
    if (readOn !== 'view') return;
    if (this.#read.size > most) this.#read.clear();
    const unread = inSight.filter(({ id, isRead }) => !isRead && !this.#read.has(id)).map(({ id }) => id);
    for (const id of unread) this.#read.add(id);
    if (unread.length) core.markAsRead(unread);
  }
}
