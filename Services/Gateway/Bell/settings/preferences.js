const path = '/api/v1/notifications/preferences';
const mutedPath = '/api/v1/notifications/muted';
const switches = ['inAppEnabled', 'pushEnabled', 'emailEnabled'];

const given = change => Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

const isOf = (entityType, entityId) => {
  const same = (one, other) => String(one).toLowerCase() === String(other).toLowerCase();
  return entry => same(entry.entityType, entityType) && same(entry.entityId, entityId);
};

/** What `change` makes of the settings, as `PUT` will: types follow what is set for their category, and it shows what they have. */
const applied = (value, { preferences = [], categories = [], ...rest }) => {
  const ofCategory = name => given(categories.find(({ category }) => category === name) ?? {});
  const ofType = code => given(preferences.find(({ notificationType }) => notificationType === code) ?? {});
  const types = value.preferences.map(one => ({ ...one, ...ofCategory(one.category), ...ofType(one.notificationType) }));
  const shownOf = category => {
    const own = types.filter(one => one.category === category);
    return {
      ...Object.fromEntries(switches.map(name => [name, own.some(one => one[name])])),
      mixed: switches.filter(name => new Set(own.map(one => one[name])).size > 1).map(name => name.slice(0, -7)),
    };
  };
  return {
    ...value,
    ...rest,
    categories: preferences.length + categories.length ? value.categories.map(one => ({ ...one, ...shownOf(one.category) })) : value.categories,
    preferences: types,
  };
};

/** The user's settings: what the server answered, and what is pending on top of it. */
export const createPreferences = (core, onChange) => {
  let base = null;
  let mutes = null;
  let pending = [];
  let error = null;
  let loading = 0;
  /** Changes are sent one after the other, so that the last answer is the newest. */
  let sent = Promise.resolve();

  const notify = () => onChange?.();
  const derived = (start, kind) =>
    pending.reduce((value, one) => (value && one.kind === kind ? one.apply(value) : value), start);

  const takeValue = answer => {
    if (!Array.isArray(answer?.preferences) || !Array.isArray(answer.categories)) {
      throw Object.assign(new Error('malformed'), { code: 'malformed', status: 200, retryAfter: null });
    }
    base = answer;
  };
  const takeMuted = answer => {
    mutes = Array.isArray(answer?.muted) ? answer.muted : [];
  };

  const read = async (address, take) => {
    loading++;
    error = null;
    notify();
    try {
      take(await core.request('GET', address));
    } catch (reason) {
      error = reason;
    }
    loading--;
    notify();
  };

  const write = (kind, apply, send) => {
    const change = { kind, apply };
    pending = [...pending, change];
    notify();
    const done = sent.then(send).then(
      answer => {
        if (kind === 'value') takeValue(answer);
        else if (mutes) mutes = apply(mutes);
        return { ok: true, error: null };
      },
    ).catch(reason => ({ ok: false, error: reason }));
    sent = done.then(() => {
      pending = pending.filter(one => one !== change);
      notify();
    });
    return done;
  };

  return {
    get value() {
      return derived(base, 'value');
    },
    get muted() {
      return derived(mutes, 'muted');
    },
    get error() {
      return error;
    },
    get isLoading() {
      return loading > 0;
    },

    load: () => read(path, takeValue),
    loadMuted: () => read(mutedPath, takeMuted),

    set: change =>
      write('value', value => applied(value, change), () => {
        // A type is sent with all of its switches; those that are not named stay as they are shown.
        const complete = one => {
          const shown = base?.preferences.find(({ notificationType }) => notificationType === one.notificationType);
          return { ...Object.fromEntries(switches.map(name => [name, shown?.[name] ?? true])), ...given(one) };
        };
        const preferences = change.preferences && { preferences: change.preferences.map(complete) };
        return core.request('PUT', path, { ...change, ...preferences });
      }),

    setQuietHours: hours =>
      write(
        'value',
        value => ({
          ...value,
          quietHoursEnabled: hours.enabled,
          quietHoursStart: hours.startTime ?? value.quietHoursStart,
          quietHoursEnd: hours.endTime ?? value.quietHoursEnd,
          timezone: hours.timezone ?? value.timezone,
          effectiveTimezone: hours.timezone ?? value.effectiveTimezone,
        }),
        () => core.request('PUT', `${path}/quiet-hours`, hours),
      ),

    mute: (entityType, entityId, until) => {
      const end = until ? new Date(until).toISOString() : null;
      const entry = { entityType, entityId, until: end };
      const address = `${mutedPath}/${encodeURIComponent(entityType)}/${encodeURIComponent(entityId)}`;
      return write(
        'muted',
        list => [...list.filter(one => !isOf(entityType, entityId)(one)), entry],
        () => core.request('PUT', address, end ? { until: end } : undefined),
      );
    },

    unmute: (entityType, entityId) =>
      write(
        'muted',
        list => list.filter(one => !isOf(entityType, entityId)(one)),
        () => core.request('DELETE', `${mutedPath}/${encodeURIComponent(entityType)}/${encodeURIComponent(entityId)}`),
      ),
  };
};
