// Icons and colours of kinds of notifications. The first that matches a type's name and category decides.
const looks = [
  [/gift/i, 'pink', 'M5 11h14v9H5zM3.5 7h17v4h-17zM12 7v13M12 7S10.5 3 8.3 3a2 2 0 0 0 0 4zM12 7s1.5-4 3.7-4a2 2 0 0 1 0 4z'],
  [/warning|alert|lowbal|overdue|missed|exceed|overspent|expired|removed/i, 'orange', 'M12 4L3 20h18zM12 10v4M12 17h.01'],
  [/achievement|streak|first/i, 'purple', 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9L3.5 9.7l5.9-.8z'],
  [/goal/i, '', 'M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 8a4 4 0 1 0 0 8 4 4 0 1 0 0-8M12 12h.01'],
  [/message|ping|mention|comment|chat/i, '', 'M4 5h16v11h-9l-5 4v-4H4z'],
  [/task|chore|approved|checkin/i, 'green', 'M5 12.5l4.5 4.5L19 7'],
  [/remind|summary|review|due|recurring/i, '', 'M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 7.5V12l3 2'],
  [/allowance|transaction|balance|payment|deposit|spending/i, 'green', 'M3 6h18v13H3zM3 10h18M15 15h3'],
];

/** `[colour, shape]` of a notification; undefined where nothing is known of it. */
export const lookOf = ({ typeName, category }) => looks.find(([pattern]) => pattern.test(`${typeName} ${category}`))?.slice(1);
