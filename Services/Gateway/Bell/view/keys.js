const inField = 'input, select, textarea';

/** What the keys do in a panel, beyond what the browser does by itself. */
export const useKeys = bell => bell.panel.node.addEventListener('keydown', event => {
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (altKey || target.matches(inField)) return;
  const { panel } = bell;
  const { rows, tabs } = panel;
  const item = target.closest('[role=article]')?.item;
  const row = rows.indexOf(item?.id);
  const last = rows.items.length - 1;
  const rowOf = { ArrowDown: row + 1, PageDown: row + 1, ArrowUp: row - 1, PageUp: row - 1, Home: 0, End: last };
  const all = [...tabs.children];
  const tab = all.indexOf(target);
  const step = target.matches(':dir(rtl)') ? -1 : 1;
  const tabOf = { ArrowRight: tab + step, ArrowLeft: tab - step, Home: 0, End: -1 };
  if (ctrlKey || metaKey) {
    if (key !== 'z') return;
    bell.toast.undo();
  } else if (row >= 0 && key in rowOf) rows.focus(rowOf[key]);
  else if (row >= 0 && key === 'Delete') panel.remove(item);
  else if (target.item && key === 'Enter') panel.follow(item);
  else if (tab >= 0 && key in tabOf) {
    const next = all.at(tabOf[key] % all.length);
    next.focus();
    next.click();
  } else return;
  event.preventDefault();
});
