const texts = ['typeName', 'title', 'body', 'createdAt'];
const optionalTexts = ['category', 'readAt', 'seenAt', 'openedAt', 'archivedAt', 'snoozedUntil', 'relatedEntityType', 'relatedEntityId', 'priority'];

/**
 * What was sent with it: as an object, numbers as numbers, but those that JavaScript would write otherwise. Servers of earlier releases
 * have the text alone, in which all values are texts.
 */
const dataOf = ({ data, dataObject }) => {
  try {
    const plain = JSON.parse(data);
    const isExact = ([name, value]) => typeof value !== 'number' || `${value}` === plain[name];
    return { ...plain, ...Object.fromEntries(Object.entries(dataObject ?? {}).filter(isExact)) };
  } catch {
    return {};
  }
};

/** A notification in which every member has its type; undefined for what is none. */
export const notification = dto => {
  const { id, seq, type, isRead, actions } = Object(dto);
  if (typeof id !== 'string' || !id) return;
  const text = (name, otherwise) => [name, typeof dto[name] === 'string' ? dto[name] : otherwise];
  return {
    id,
    seq: Number.isSafeInteger(seq) ? seq : null,
    type: Number.isInteger(type) ? type : 0,
    ...Object.fromEntries([...texts.map(name => text(name, '')), ...optionalTexts.map(name => text(name, null))]),
    data: dataOf(dto),
    isRead: isRead === true,
    actions: (Array.isArray(actions) ? actions : []).flatMap(action =>
      typeof action?.id === 'string' ? { id: action.id, title: typeof action.title === 'string' ? action.title : action.id } : [],
    ),
  };
};

export const placeOf = item => (item.archivedAt ? 'archived' : item.snoozedUntil ? 'snoozed' : 'inbox');
export const isUnread = item => !!item && !item.isRead && placeOf(item) === 'inbox';

export const matches = ({ place = 'inbox', unreadOnly, category, type }, item) =>
  placeOf(item) === place &&
  !(unreadOnly && item.isRead) &&
  (!category || item.category === category) &&
  (!type || item.type === type || item.typeName === type);
