const shapes = {
  chime: 'M6 9a6 6 0 0 1 12 0c0 5.5 2.5 7.5 2.5 7.5h-17S6 14.5 6 9M10 20.2a2.2 2.2 0 0 0 4 0',
  alert: 'M12 4L3 20h18zM12 10v4M12 17h.01',
  settings: 'M4 7h9M17 7h3M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M4 17h3M11 17h9M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M7 7l10 10M17 7L7 17',
  back: 'M15 5l-7 7 7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
};

/** One of the element's own icons, or any other shape of 24 by 24. */
export const icon = name => {
  const image = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS(image.namespaceURI, 'path');
  image.setAttribute('viewBox', '0 0 24 24');
  image.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', shapes[name] ?? name);
  image.append(path);
  return image;
};
