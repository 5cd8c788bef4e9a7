import { clock, count, h, KeyedList, say, took } from "./dom.js";
import { CHANNELS, delivery, gist, isOutcome, rows } from "./outcome.js";

const STATUS = { going: "on its way", waiting: "something waits", done: "done" };
const MARKS = { held: "☾", retried: "↻", good: "✓", wait: "↻", left: "–", bad: "✕" };

/** The way of each send from the request to each outcome; the newest is open. */
export class Traces {
  #newest = null;

  constructor(model, info) {
    this.model = model;
    this.recipients = new Map(info.sends.map((send) => [send.name, send.to]));
    const container = document.getElementById("traces");
    this.empty = h("p.nothing", {}, "Nothing has been sent from this page yet.");
    container.before(this.empty);
    this.list = new KeyedList(container, {
      key: (trace) => trace.requestId,
      make: (trace) => this.#make(trace),
      update: this.#update,
    });
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
    return h(
      "details.trace",
      { "data-request": trace.requestId, id: `trace-${trace.requestId}` },
      h(
        "summary",
        {},
        h("h3", {}, trace.label),
        h("time", { dateTime: trace.at }, clock(trace.at, { seconds: true })),
        h("span.gist"),
        h("span.status"),
      ),
      h("ol.way", { role: "list" }),
      this.#makeTable(trace),
      this.#makeSteps(),
    );
  }

  #makeSteps() {
    const ontoggle = (event) => this.#showSteps(event.currentTarget);
    return h("details.each", { ontoggle }, h("summary", {}, "Each step"), h("ol.steps", { role: "list" }));
  }

  /** A row for each person, a column for each channel. */
  #makeTable(trace) {
    const cell = ([channel, label]) =>
      h("td", { "data-channel": channel, "data-label": label }, h("span.outcome"), h("small"));
    const row = ({ id, name }) => h("tr", { "data-user": id ?? "" }, h("th", { scope: "row" }, name), CHANNELS.map(cell));
    const heads = ["To", ...CHANNELS.map(([, label]) => label)].map((label) => h("th", { scope: "col" }, label));
    return h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows(trace, this.model.people).map(row)));
  }

  #update = (element, trace) => {
    if (element.drawn === trace) return;
    element.drawn = trace;
    const status = element.querySelector(".status");
    status.dataset.status = trace.status;
    say(status, STATUS[trace.status] ?? trace.status);
    say(element.querySelector(".gist"), gist(trace, this.model.people));
    element.querySelector(".way").replaceChildren(...this.#way(trace));
    const recipients = this.recipients.get(trace.name) ?? trace.steps.map((one) => one.user);
    for (const row of element.querySelectorAll("tbody tr")) {
      row.hidden = row.dataset.user !== "" && !recipients.includes(row.dataset.user);
    }
    for (const cell of element.querySelectorAll("tbody td")) this.#showCell(cell, trace);
    const each = element.querySelector(".each");
    each.steps = trace.steps;
    this.#showSteps(each);
  };

  /** Request, accepted, routed, first and last outcome; each with its time where somebody saw that. */
  #way({ steps, status }) {
    // What is left out or held is so from the decision on.
    const outcomes = steps.filter((one) => isOutcome(one) && one.what !== "skipped" && one.what !== "held");
    const stations = [["request", []]];
    for (const what of ["accepted", "routed"]) {
      const found = steps.filter((one) => one.what === what);
      if (found.length > 0) stations.push([what, found]);
    }
    if (outcomes.length > 0 && outcomes.every((one) => !one.atMost)) stations.push(["first outcome", outcomes]);
    if (status === "done" && outcomes.length > 1) {
      const { ms } = outcomes.at(-1);
      stations.push(["last outcome", outcomes.filter((one) => one.ms === ms)]);
    }
    return stations.map(([words, found]) => {
      const seen = found.filter((one) => !one.atMost);
      // Of several that go the same way: of the first.
      const times = seen.map((one) => (words === "last outcome" ? one.ms : (one.firstMs ?? one.ms)));
      return h("li", {}, times.length > 0 && [h("b", {}, took(Math.min(...times))), " "], words);
    });
  }

  #showCell(cell, trace) {
    const [outcome, words] = cell.children;
    const one = delivery(trace, cell.parentElement.dataset.user || null, cell.dataset.channel);
    outcome.dataset.tone = one?.tone ?? "";
    if (!one) return;
    const mark = MARKS[one.last.what] ?? MARKS[one.tone];
    say(outcome, `${mark} ${one.words}`);
    const tries = one.retries ? `, after ${count(one.retries, "retry", "retries")}` : "";
    const time = one.ms === null ? "" : took(one.ms);
    say(words, one.tone === "good" ? `${time}${tries}` : (one.last.words ?? ""));
  }

  /** The steps are many, and in the document only where somebody wants to see them. */
  #showSteps(each) {
    each.lastElementChild.replaceChildren(...(each.open ? each.steps.map((step) => this.#step(step)) : []));
  }

  #step(step) {
    const person = this.model.people.find((one) => one.id === step.user);
    const channel = CHANNELS.find(([key]) => key === step.channel);
    const where = [person?.name, channel?.[1].toLowerCase()].filter(Boolean).join("’s ");
    const what = `${step.count > 1 ? `${step.count} × ` : ""}${step.what}`;
    const told = h("span", {}, where ? `${where}: ${what}` : what);
    const time = `${step.atMost ? "≤ " : ""}${took(step.ms)}`;
    return h("li", {}, h("b", {}, step.atMost && step.ms < 1 ? "" : time), told, h("small", {}, step.words ?? ""));
  }
}
