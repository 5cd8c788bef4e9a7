const shapes = {
  bell: 'M6 9a6 6 0 0 1 12 0c0 5.5 2.5 7.5 2.5 7.5h-17S6 14.5 6 9M10 20.2a2.2 2.2 0 0 0 4 0',
  check: 'M5 12.5l4.5 4.5L19 7',
  checks: 'M2 12.5l4.5 4.5L15 8M12 16l1 1 9-9',
  settings: 'M4 7h9M17 7h3M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M4 17h3M11 17h9M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M7 7l10 10M17 7L7 17',
  back: 'M15 5l-7 7 7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  coin: 'M12 3v18M16.5 8c-.7-1.5-2.3-2.2-4.5-2.2-2.6 0-4.5 1.1-4.5 3.1 0 4.3 9.2 2 9.2 6.3 0 2-2 3-4.7 3-2.4 0-4.2-.8-5-2.4',
  target: 'M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 8a4 4 0 1 0 0 8 4 4 0 1 0 0-8M12 12h.01',
  gift: 'M5 11h14v9H5zM3.5 7h17v4h-17zM12 7v13M12 7S10.5 3 8.3 3a2 2 0 0 0 0 4zM12 7s1.5-4 3.7-4a2 2 0 0 1 0 4z',
  alert: 'M12 4L3 20h18zM12 10v4M12 17h.01',
  star: 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9L3.5 9.7l5.9-.8z',
  chat: 'M4 5h16v11h-9l-5 4v-4H4z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 7.5V12l3 2',
};

export const icon = name => {
  const image = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS(image.namespaceURI, 'path');
  image.setAttribute('viewBox', '0 0 24 24');
  image.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', shapes[name]);
  image.append(path);
  return image;
};

// The first that matches a type's name and category decides; the colours are the custom elements' classes in the style sheet.
const looks = [
  [/gift/i, 'gift', 'pink'],
  [/warning|alert|lowbal|overdue|missed|exceed|overspent|expired|removed/i, 'alert', 'orange'],
  [/achievement|streak|first/i, 'star', 'purple'],
  [/goal/i, 'target', 'blue'],
  [/message|ping|mention|comment|chat/i, 'chat', 'blue'],
  [/task|chore|approved|checkin/i, 'check', 'green'],
  [/remind|summary|review|due|recurring/i, 'clock', 'blue'],
  [/allowance|transaction|balance|payment|deposit|spending/i, 'coin', 'green'],
];

/** `[icon, colour]` of a notification, by its type's name and category. */
export const lookOf = ({ typeName, category }) =>
  (looks.find(([pattern]) => pattern.test(`${typeName} ${category}`)) ?? [0, 'bell', 'blue']).slice(1);
