const most = 5000;

/** What has lain in sight for a while has been seen, and is read where `read-on` says so: each once, whatever becomes of that. */
export const createSeen = bell => {
  const { panel: { feed, scroller } } = bell;
  let timer = 0;
  const read = new Set();

  const look = () => {
    const { core, readOn } = bell;
    if (document.hidden || !feed.checkVisibility()) return;
    const list = scroller.getBoundingClientRect();
    const inSight = [...feed.children].filter(row => {
      const { top, bottom } = row.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      return row.item && middle > Math.max(list.top, 0) && middle < Math.min(list.bottom, innerHeight);
    }).map(row => row.item);
    core.markAsSeen(inSight.map(({ id }) => id));
    if (readOn !== 'view') return;
    if (read.size > most) read.clear();
    const unread = inSight.filter(({ id, isRead }) => !isRead && !read.has(id)).map(({ id }) => id);
    for (const id of unread) read.add(id);
    if (unread.length) core.markAsRead(unread);
  };

  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(look, bell.readOn === 'view' ? 1000 : 200);
  };

  new IntersectionObserver(changed, { threshold: [0, 0.25, 0.5, 0.75, 1] }).observe(scroller);
  return { changed };
};
