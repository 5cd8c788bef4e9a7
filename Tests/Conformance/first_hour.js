// What can be seen on the page of the first hour, for first_hour.py.
(() => {
  const texts = (selector, from = document) => [...from.querySelectorAll(selector)].map((one) => one.textContent);
  const text = (selector, from = document) => from.querySelector(selector)?.textContent ?? "";
  const number = (words) => Number((words.match(/[\d,]+/)?.[0] ?? "0").replaceAll(",", ""));
  const people = [...document.querySelectorAll(".person")];
  const perPerson = (read) => Object.fromEntries(people.map((person) => [text("h3", person), read(person)]));
  const ids = (selector) => (person) => [...person.querySelectorAll(selector)].map((one) => one.dataset.notification);
  const bell = (person) => person.querySelector("belfry-bell");
  const trace = (element) => ({
    id: element.dataset.request,
    status: element.querySelector(".status").dataset.status,
    gist: text(".gist", element),
    clock: text("summary time", element),
    way: text(".way", element),
    settledInApp: [...element.querySelectorAll("tr[data-user]:not([hidden]) [data-channel=inApp] .outcome")].every((one) => one.textContent),
    cells: Object.fromEntries(
      [...element.querySelectorAll("tbody tr:not([hidden])")].map((row) => [
        text("th", row),
        Object.fromEntries([...row.querySelectorAll("td")].map((cell) => [cell.dataset.channel, cell.textContent])),
      ]),
    ),
  });
  const isOn = (element) => element.getAttribute("aria-checked") === "true" || (element.matches(".momentary") && element.matches(".on"));
  return {
    connection: text("#connection"),
    story: texts("#story b, #story span"),
    result: text("#send-result"),
    terminal: text("#terminal-text"),
    switches: Object.fromEntries([...document.querySelectorAll(".switch")].map((one) => [one.dataset.switch, isOn(one)])),
    ladder: Object.fromEntries([...document.querySelectorAll("[data-step]")].map((one) => [one.dataset.step, number(text(".rung-count", one))])),
    laddersShown: document.querySelector("#ladder").checkVisibility(),
    statusBars: perPerson((person) => text(".status-bar", person)),
    places: perPerson((person) => text(".place", person)),
    devices: perPerson((person) => text(".phone h4", person)),
    carried: perPerson((person) => text(".phone .count", person)),
    equation: Object.fromEntries([...document.querySelectorAll("[data-total]")].map((one) => [one.dataset.total, number(one.textContent)])),
    twice: text(".twice"),
    phones: perPerson(ids(".push")),
    notes: perPerson((person) => text(".phone-note:not([hidden])", person)),
    clocks: texts(".push time, .mail time"),
    said: texts(".push-said:not([hidden])"),
    bells: perPerson((person) => (bell(person)?.notifications ?? []).map((one) => one.id)),
    bellStates: perPerson((person) => bell(person)?.state ?? null),
    unread: perPerson((person) => bell(person)?.unreadCount ?? null),
    mailboxes: perPerson(ids(".mail")),
    traces: [...document.querySelectorAll(".trace")].map(trace),
  };
})()
