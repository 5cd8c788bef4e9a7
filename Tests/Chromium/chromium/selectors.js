// Evaluated in the page: what the driver asks of elements.
selector => {
  const find = () =>
    selector.split(" >>> ").reduce((found, part, index) => {
      const root = index === 0 ? document : found?.shadowRoot;
      return root?.querySelector(part) ?? null;
    }, null);
  const deepest = (x, y) => {
    let element = document.elementFromPoint(x, y);
    for (let inner; (inner = element?.shadowRoot?.elementFromPoint(x, y)) && inner !== element; ) element = inner;
    return element;
  };
  const holds = (outer, inner) => {
    for (let node = inner; node; node = node.assignedSlot ?? node.parentNode ?? node.host) if (node === outer) return true;
    return false;
  };
  const element = find();
  if (!element) return { problem: "is not there" };
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height) return { problem: "has no size" };
  // The middle of what can be seen of it.
  const middle = (start, end, size) => (Math.max(0, start) + Math.min(end, size)) / 2;
  const point = { x: middle(box.left, box.right, innerWidth), y: middle(box.top, box.bottom, innerHeight) };
  const hit = deepest(point.x, point.y);
  if (!holds(element, hit)) return { problem: `is covered by ${hit?.cloneNode().outerHTML ?? "nothing"}` };
  return point;
};
