import { clock, count, h, KeyedList, say, took } from "./dom.js";

const CHANNELS = [["push", "Phone"], ["inApp", "Bell"], ["email", "Mail"]];
const STATUS = { going: "on its way", waiting: "something waits", done: "done" };

/** What each step says of the delivery: where it is from then on, and how that is called. */
const OUTCOMES = {
  delivered: ["good", "delivered"],
  opened: ["good", "opened"],
  acted: ["good", "acted on"],
  held: ["wait", "held"],
  retried: ["wait", "tried again"],
  released: ["wait", "released"],
  skipped: ["left", "left out"],
  rejected: ["bad", "refused"],
  removed: ["bad", "refused"],
  exhausted: ["bad", "given up"],
  expired: ["bad", "expired"],
};
const MARKS = { held: "☾", retried: "↻", good: "✓", wait: "↻", left: "–", bad: "✕" };

/**
 * A person's channel of a trace: the last step that decides, how many deliveries are where, and how often one was tried again.
 *
 * Of a burst each step stands for some of its deliveries; those that no final step has told of wait.
 */
function delivery(trace, user, channel) {
  const steps = trace.steps.filter((one) => one.user === user && one.channel === channel);
  const last = steps.findLast((one) => OUTCOMES[one.what]);
  if (!last) return null;
  const [tone, words] = OUTCOMES[last.what];
  const sum = (wanted) => steps.filter((one) => wanted(one.what)).reduce((total, one) => total + (one.count ?? 1), 0);
  const retries = sum((what) => what === "retried");
  const parts = { good: 0, left: 0, bad: 0 };
  if (trace.count === 1) return { last, tone, words, retries, parts: { ...parts, wait: 0, [tone]: 1 } };
  parts.good = sum((what) => what === "delivered");
  for (const final of ["left", "bad"]) parts[final] = sum((what) => OUTCOMES[what]?.[0] === final);
  const finished = parts.good + parts.left + parts.bad;
  parts.wait = Math.max(0, perPerson(trace, user) - finished);
  return { last, tone: parts.wait > 0 ? "wait" : parts.good > 0 ? "good" : tone, words, retries, parts };
}

/** How many notifications of a burst are this person's: as many as came to the bell, where nothing waits. */
function perPerson(trace, user) {
  const inApp = trace.steps.filter((one) => one.user === user && one.channel === "inApp" && ["delivered", "skipped"].includes(one.what));
  return inApp.reduce((total, one) => total + (one.count ?? 1), 0);
}

function inWords({ good = 0, wait = 0, bad = 0, left = 0 }) {
  return [
    good && `${good} delivered`,
    wait && `${wait} ${wait === 1 ? "waits" : "wait"}`,
    bad && `${bad} refused`,
    left && `${left} left out`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** A send in a few words: "9 delivered, in 92 ms"; "6 delivered, 2 wait, 1 left out". */
export function gist(trace, people) {
  const total = { good: 0, wait: 0, left: 0, bad: 0 };
  let last = 0;
  for (const { id } of people) {
    for (const [channel] of CHANNELS) {
      const one = delivery(trace, id, channel);
      if (!one) continue;
      for (const tone of Object.keys(total)) total[tone] += one.parts[tone];
      last = Math.max(last, one.last.ms);
    }
  }
  const words = inWords(total);
  return words ? `${words}${trace.status === "done" ? `, in ${took(last)}` : ""}` : "accepted";
}

/** The way of each send from the request to each outcome; the newest is open. */
export class Traces {
  #newest = null;

  constructor(model, info) {
    this.model = model;
    this.recipients = new Map(info.sends.map((send) => [send.name, send.to]));
    const container = document.getElementById("traces");
    this.empty = h("p", { className: "nothing" }, "Nothing has been sent from this page yet.");
    container.before(this.empty);
    this.list = new KeyedList(container, { key: (trace) => trace.requestId, make: (trace) => this.#make(trace), update: this.#update });
  }

  show() {
    const { traces } = this.model;
    this.empty.hidden = traces.length > 0;
    this.list.show(traces);
    if (traces.length === 0 || traces[0].requestId === this.#newest) return;
    const before = this.list.get(this.#newest);
    if (before && !before.contains(document.activeElement)) before.open = false;
    this.#newest = traces[0].requestId;
    this.list.get(this.#newest).open = true;
  }

  #make(trace) {
    const cell = (person, channel, label) => h("td", { "data-user": person.id, "data-channel": channel, "data-label": label }, h("span", { className: "outcome" }), h("small"));
    const row = (person) => h("tr", { "data-user": person.id }, h("th", { scope: "row" }, person.name), CHANNELS.map(([channel, label]) => cell(person, channel, label)));
    return h(
      "details",
      { className: "trace", "data-request": trace.requestId, id: `trace-${trace.requestId}` },
      h(
        "summary",
        {},
        h("h3", {}, trace.label),
        h("time", { dateTime: trace.at }, clock(trace.at, { seconds: true })),
        h("span", { className: "gist" }),
        h("span", { className: "status" }),
      ),
      h("ol", { className: "way", role: "list" }),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "To"), CHANNELS.map(([, label]) => h("th", { scope: "col" }, label)))), h("tbody", {}, this.model.people.map(row))),
      h("details", { className: "each" }, h("summary", {}, "Each step"), h("ol", { className: "steps", role: "list" })),
    );
  }

  #update = (element, trace) => {
    const last = trace.steps.at(-1);
    const drawn = `${trace.steps.length} ${last?.ms} ${last?.count} ${trace.status}`;
    if (element.drawn === drawn) return;
    element.drawn = drawn;
    const status = element.querySelector(".status");
    status.dataset.status = trace.status;
    say(status, STATUS[trace.status] ?? trace.status);
    say(element.querySelector(".gist"), gist(trace, this.model.people));
    element.querySelector(".way").replaceChildren(...this.#way(trace));
    const recipients = this.recipients.get(trace.name) ?? trace.steps.map((one) => one.user);
    for (const row of element.querySelectorAll("tbody tr")) row.hidden = !recipients.includes(row.dataset.user);
    for (const cell of element.querySelectorAll("tbody td")) this.#showCell(cell, trace);
    element.querySelector(".steps").replaceChildren(...trace.steps.map((step) => this.#step(step)));
  };

  /** Request, accepted, routed, first and last outcome. */
  #way({ steps, status }) {
    const outcomes = steps.filter((one) => one.channel && OUTCOMES[one.what]);
    const stations = [["request", 0]];
    for (const what of ["accepted", "routed"]) {
      const step = steps.find((one) => one.what === what);
      if (step) stations.push([what, step.ms]);
    }
    if (outcomes.length > 0) stations.push(["first outcome", outcomes[0].ms]);
    if (status === "done" && outcomes.length > 1) stations.push(["last outcome", outcomes.at(-1).ms]);
    return stations.map(([words, ms]) => h("li", {}, h("b", {}, took(ms)), ` ${words}`));
  }

  #showCell(cell, trace) {
    const [outcome, words] = cell.children;
    const one = delivery(trace, cell.dataset.user, cell.dataset.channel);
    outcome.dataset.tone = one?.tone ?? "";
    if (!one) return;
    const mark = MARKS[one.last.what] ?? MARKS[one.tone];
    say(outcome, `${mark} ${trace.count === 1 ? one.words : inWords(one.parts)}`);
    const tries = one.retries && trace.count === 1 ? `, after ${count(one.retries, "retry", "retries")}` : "";
    say(words, one.tone === "good" ? `${took(one.last.ms)}${tries}` : (one.last.words ?? ""));
  }

  #step(step) {
    const person = this.model.people.find((one) => one.id === step.user);
    const channel = CHANNELS.find(([key]) => key === step.channel);
    const where = [person?.name, channel?.[1].toLowerCase()].filter(Boolean).join("’s ");
    const what = `${step.count > 1 ? `${step.count} × ` : ""}${step.what}`;
    return h("li", {}, h("b", {}, took(step.ms)), h("span", {}, where ? `${where}: ${what}` : what), h("small", {}, step.words ?? ""));
  }
}
