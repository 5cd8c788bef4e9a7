const minutesOf = time => {
  const [hours, minutes] = (time ?? '').split(':').map(Number);
  return Number.isFinite(hours * 60 + minutes) ? hours * 60 + minutes : null;
};
const timeOf = minutes => `${`${Math.floor(minutes / 60) % 24}`.padStart(2, '0')}:${`${minutes % 60}`.padStart(2, '0')}`;

/** The day as a bar, and its two ends as sliders upon it. */
export const quietHoursOf = (value, { bell, controls: { section, toggle }, save, draw }) => {
  const { kit: { h }, texts } = bell;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const times = [minutesOf(value.quietHoursStart) ?? 1320, minutesOf(value.quietHoursEnd) ?? 420];
  const quiet = change => ({
    quiet: { enabled: true, startTime: timeOf(times[0]), endTime: timeOf(times[1]), ...(value.timezone ? {} : { timezone: zone }), ...change },
  });
  const clock = minutes => texts.date(new Date(2001, 0, 1, 0, minutes), { hour: 'numeric', minute: '2-digit' });
  const outputs = times.map(() => h('b', {}));
  const bar = h('div', { part: 'day' });
  const sliders = times.map((_, at) => h('input', {
    type: 'range', min: 0, max: 1425, step: times.every(time => time % 15 === 0) ? 15 : 1,
    'data-key': `quiet-${at}`, 'aria-label': texts.get(at ? 'quietTo' : 'quietFrom'),
    input: event => { times[at] = Number(event.target.value); show(); },
    change: () => (times[0] === times[1] ? draw() : save(quiet({}))),
  }));
  const show = () => {
    times.forEach((time, at) => {
      sliders[at].value = time;
      sliders[at].ariaValueText = clock(time);
      outputs[at].textContent = clock(time);
      bar.style.setProperty(at ? '--to' : '--from', `${time / 14.25}%`);
    });
    bar.classList.toggle('night', times[0] > times[1]);
  };
  show();
  bar.append(...sliders);
  return section('',
    toggle('quietHours', value.quietHoursEnabled, on => quiet({ enabled: on }), 'quietHint'),
    ...(value.quietHoursEnabled ? [
      h('div', { class: 'ends' }, h('span', {}, texts.get('quietFrom'), ' ', outputs[0]), h('span', {}, texts.get('quietTo'), ' ', outputs[1])),
      bar,
      h('div', { class: 'hours', 'aria-hidden': 'true' }, ...[0, 6, 12, 18, 24].map(hour => h('span', {}, texts.number(hour)))),
      h('small', {}, texts.get('zone', { zone: value.effectiveTimezone ?? value.timezone ?? zone })),
    ] : []));
};
