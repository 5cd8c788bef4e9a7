/** Writes the ages in a list that are not true any more, and comes back when the next one will not be. */
export const keepAgesTrue = bell => {
  const { panel: { feed }, texts } = bell;
  clearTimeout(bell.nextAge);
  if (!feed.checkVisibility()) return;
  let next = 864e5;
  for (const row of feed.children) {
    const time = row.querySelector('time');
    if (!time || !row.item) continue;
    const [text, rest] = texts.age(Date.parse(row.item.createdAt));
    if (time.textContent !== text) time.textContent = text;
    next = Math.min(next, rest);
  }
  bell.nextAge = setTimeout(keepAgesTrue, Math.max(next, 250), bell);
};
